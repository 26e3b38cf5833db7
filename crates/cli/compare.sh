#!/usr/bin/env bash
# The command line against the programs that people have, as whole processes: a table in Markdown.
#
#   crates/cli/compare.sh                     1024 MiB of each of eight generated texts
#   crates/cli/compare.sh -s 256 -n 5         256 MiB, the fastest of five runs
#   crates/cli/compare.sh DIRECTORY           the *.txt in it, each over and over up to that size
#
# Rows are a text and what is done with it; columns are programs, in 10^9 bytes of input per second. Programs
# that are not installed are left out, with a word. Texts and outputs lie in a directory that is made in
# $TMPDIR, or in memory where there is /dev/shm, and is taken away afterwards: the disk is not what is compared.
# RUNECAST names the binary, if not the one that is built here. hyperfine measures where there is one, and
# else the shell; either way the fastest run counts.
set -eu -o pipefail
cd "$(dirname "$0")/../.."

size=1024 runs=3
while getopts s:n: option; do
    case $option in
        s) size=$OPTARG ;;
        n) runs=$OPTARG ;;
        *) sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

has() {
    command -v "$1" >/dev/null
}

if [ -z "${RUNECAST-}" ]; then
    cargo build --release --quiet -p runecast-cli
    RUNECAST=${CARGO_TARGET_DIR:-target}/release/runecast
fi
RUNECAST=$(realpath "$RUNECAST")

base=${TMPDIR:-/tmp}
if [ -z "${TMPDIR-}" ] && [ -d /dev/shm ]; then
    base=/dev/shm
fi
room=$(mktemp -d "$base/runecast-compare.XXXXXX")
trap 'rm -rf "$room"' EXIT

# --- texts: one at a time, for memory's sake ----------------------------------------------------

bytes=$((size << 20))
if [ $# -gt 0 ]; then
    texts=$(find "$(realpath "$1")" -maxdepth 1 -name '*.txt' | sort)
else
    texts="english french cyrillic arabic hindi chinese emoji json"
    cargo build --release --quiet -p runecast-corpus --example texts
fi

# Writes a text of that size to $room/in, and says what to call it.
lay() {
    rm -f "$room"/*
    if [ -f "$1" ]; then
        local once
        once=$(wc -c <"$1")
        if [ "$once" -eq 0 ]; then
            echo "$1 is empty" >&2
            exit 1
        fi
        for ((i = 0; i < (bytes + once - 1) / once; i++)); do cat "$1"; done >"$room/in"
        basename "$1" .txt
    else
        cargo run --release --quiet -p runecast-corpus --example texts -- "$room" "$bytes" "$1"
        mv "$room/$1.txt" "$room/in"
        echo "$1"
    fi
}

# --- time --------------------------------------------------------------------------------------

# The seconds that a command takes, at best; - if it fails.
seconds() {
    if has hyperfine; then
        if hyperfine --style none --warmup 1 --runs "$runs" --export-csv "$room/csv" "$1" >/dev/null 2>&1; then
            # (The command is the first field, and may have commas and lines of its own.)
            awk -F, 'END { print $(NF - 1) }' "$room/csv"
        else
            echo -
        fi
        return
    fi
    local best=- start end
    for ((i = 0; i <= runs; i++)); do
        start=$EPOCHREALTIME
        bash -c "$1" >/dev/null 2>&1 || { echo -; return; }
        end=$EPOCHREALTIME
        # (The first one is for warming up.)
        if [ "$i" -gt 0 ]; then
            best=$(awk -v a="$start" -v b="$end" -v c="$best" \
                'BEGIN { t = b - a; print (c == "-" || t < c) ? t : c }')
        fi
    done
    echo "$best"
}

programs="runecast runecast_-j1 iconv uconv isutf8 python3 wc"
columns=
for program in $programs; do
    if [ "${program%_*}" = runecast ] || has "$program"; then
        columns="$columns $program"
    else
        echo "left out: $program is not installed" >&2
    fi
done

# What is behind the name, which may be a script that looks for it.
python=
if has python3; then
    python=$(python3 -c 'import sys; print(sys.executable)')
fi

in=$room/in wide=$room/wide out=$room/out
python_read='import sys
with open(sys.argv[1], encoding=sys.argv[2], newline="") as f:
    while f.read(1 << 20): pass'
python_convert='import sys
with open(sys.argv[1], encoding=sys.argv[2], newline="") as f:
    with open(sys.argv[4], "w", encoding=sys.argv[3], newline="") as g:
        while t := f.read(1 << 20): g.write(t)'

# The command of a program for a task; nothing if it does not do that.
command_for() {
    local jobs=
    if [ "$1" = runecast_-j1 ]; then jobs="-j1"; fi
    case $2,${1%_*} in
        check,runecast) echo "$RUNECAST check -q $jobs $in" ;;
        check,iconv) echo "iconv -f utf-8 -t utf-8 $in -o /dev/null" ;;
        check,uconv) echo "uconv -f utf-8 -t utf-8 $in -o /dev/null" ;;
        check,isutf8) echo "isutf8 -q $in" ;;
        check,python3) echo "$python -c '$python_read' $in utf-8" ;;
        count,runecast) echo "$RUNECAST count $jobs $in" ;;
        count,wc) echo "LC_ALL=C.UTF-8 wc -l -m -c $in" ;;
        to16,runecast) echo "$RUNECAST convert -t utf-16le $jobs $in -o /dev/null" ;;
        to16,iconv) echo "iconv -f utf-8 -t utf-16le $in -o /dev/null" ;;
        to16,uconv) echo "uconv -f utf-8 -t utf-16le $in -o /dev/null" ;;
        to16,python3) echo "$python -c '$python_convert' $in utf-8 utf-16-le /dev/null" ;;
        file,runecast) echo "$RUNECAST convert -t utf-16le $jobs $in -o $out" ;;
        file,iconv) echo "iconv -f utf-8 -t utf-16le $in -o $out" ;;
        file,uconv) echo "uconv -f utf-8 -t utf-16le $in -o $out" ;;
        file,python3) echo "$python -c '$python_convert' $in utf-8 utf-16-le $out" ;;
        pipe,runecast) echo "cat $in | $RUNECAST convert -t utf-16le $jobs | cat >/dev/null" ;;
        pipe,iconv) echo "cat $in | iconv -f utf-8 -t utf-16le | cat >/dev/null" ;;
        pipe,uconv) echo "cat $in | uconv -f utf-8 -t utf-16le | cat >/dev/null" ;;
        from16,runecast) echo "$RUNECAST convert -f utf-16le $jobs $wide -o /dev/null" ;;
        from16,iconv) echo "iconv -f utf-16le -t utf-8 $wide -o /dev/null" ;;
        from16,uconv) echo "uconv -f utf-16le -t utf-8 $wide -o /dev/null" ;;
        from16,python3) echo "$python -c '$python_convert' $wide utf-16-le utf-8 /dev/null" ;;
        repair,runecast) echo "$RUNECAST repair -q $jobs $in -o /dev/null" ;;
        *) ;;
    esac
}

# --- the table ---------------------------------------------------------------------------------

printf '%s MiB of each text' "$size"
printf ', %s cores, fastest of %s runs' "$(getconf _NPROCESSORS_ONLN)" "$runs"
printf ', outputs to /dev/null but where it says otherwise\n\n'
printf '| text | what |'
for program in $columns; do printf ' %s |' "${program/_/ }"; done
printf ' ÷ iconv | ÷ best |\n|---|---|'
for program in $columns; do printf -- '--:|'; done
printf -- '--:|--:|\n'

for text in $texts; do
    name=$(lay "$text")
    for task in ${TASKS:-check count to16 file pipe from16 repair}; do
        input=$in
        case $task in
            check) what='check' ;;
            count) what='count' ;;
            to16) what='UTF-8 → UTF-16' ;;
            file) what='the same, to a file' ;;
            pipe) what='the same, pipe to pipe' ;;
            from16)
                what='UTF-16 → UTF-8' input=$wide
                "$RUNECAST" convert -t utf-16le "$in" -o "$wide"
                ;;
            repair) what='repair, nothing wrong' ;;
        esac
        volume=$(wc -c <"$input")
        rates=
        for program in $columns; do
            command=$(command_for "$program" "$task")
            rate=
            if [ -n "$command" ]; then
                rate=$(seconds "$command" | awk -v v="$volume" '$1 > 0 { printf "%.4f", v / $1 / 1e9 }')
            fi
            rates="$rates$program=${rate:--} "
            rm -f "$out"
        done
        echo "$rates" | awk -v text="$name" -v what="$what" '{
            printf "| %s | %s |", text, what
            for (i = 1; i <= NF; i++) {
                split($i, pair, "=")
                rate = pair[2]
                printf " %s |", rate == "-" ? "" : sprintf(rate < 0.1 ? "%.3f" : "%.2f", rate)
                if (pair[1] == "runecast") own = rate
                else if (pair[1] !~ /^runecast/ && rate != "-") {
                    if (pair[1] == "iconv") iconv = rate
                    if (rate > best) best = rate
                }
            }
            printf " %s | %s |\n", iconv ? sprintf("%.1f", own / iconv) : "", best ? sprintf("%.1f", own / best) : ""
        }'
    done
done
