#!/usr/bin/env bash
# Inputs to begin with, one a line, in hexadecimal: fuzz/seeds/TARGET.txt holds a minimised corpus of a target.
#
#   fuzz/seeds.sh unpack            write them into fuzz/corpus/TARGET, where cargo-fuzz looks for them
#   fuzz/seeds.sh pack TARGET DIR   make that file of the inputs in a directory, which libFuzzer's -merge=1 has minimised
set -eu
cd "$(dirname "$0")"

case ${1-} in
    unpack)
        for file in seeds/*.txt; do
            target=$(basename "$file" .txt)
            mkdir -p "corpus/$target"
            count=0
            while read -r line; do
                count=$((count + 1))
                # shellcheck disable=SC2059
                printf "$line" >"corpus/$target/seed-$count"
            done < <(sed 's/../\\x&/g' "$file")
            echo "$target: $count inputs"
        done
        ;;
    pack)
        [ $# = 3 ] || { sed -n '2,5s/^# \?//p' "$0" >&2; exit 2; }
        for input in "$3"/*; do
            od -An -v -tx1 "$input" | tr -d ' \n'
            echo
        done | sed '/^$/d' | LC_ALL=C sort -u >"seeds/$2.txt"
        wc -l "seeds/$2.txt"
        ;;
    *)
        sed -n '2,5s/^# \?//p' "$0" >&2
        exit 2
        ;;
esac
