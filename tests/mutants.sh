#!/usr/bin/env bash
# Do the tests notice when the code is wrong? Each mutant is a copy of the sources with one change, and the tests have to fail.
#
#   tests/mutants.sh kernels [--shard I/N | NUMBER…]   the changes by hand in tests/mutants/kernels.tsv: file, from, to, what is wrong then
#   tests/mutants.sh check                    only whether each of these can still be made, at exactly one place
#   tests/mutants.sh rest [--shard I/N]       what cargo-mutants finds to change outside of src/kernel/, all in one build (tests/mutants/switched)
#   tests/mutants.sh slow [--shard I/N]       the same, a build for each; constant functions too, which cannot be switched
#
# It is no step of .ci/run: each mutant is a build, or all of them an hour. `--shard 0/4` is the first quarter of them. What survives is killed by a new test,
# or stands in tests/mutants/README.md with the reason why nothing can notice it.
#
# A mutant in a kernel meets tests/interpreted.rs first, which is built without optimisation in a fraction of a minute and knows each
# kernel; what passes that meets the unit tests and the differential tests, small and with few pairs of encodings. Only kernels that this CPU has are run,
# so the changes in src/kernel/avx512/ need a CPU with these instructions. A mutant that does not compile, or that no test
# reaches because of that, proves nothing, and is counted by itself; so is one that does not end in time, for the machine may only have been busy.
#
# Exit status: 0 all were killed, 1 some were not, or there were none, 2 a usage error, or the tests fail without a change.
set -u
cd "$(dirname "$0")/.." || exit 2
readonly root=$PWD list=tests/mutants/kernels.tsv
export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 RUNECAST_TEST_SCALE=small RUNECAST_TEST_PAIRS=few

usage() {
    sed -n '2,/^set -u/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# replace FILE FROM TO: changes the one place where FROM stands in FILE; fails if there is not exactly one.
replace() {
    FROM=$2 TO=$3 perl -0777 -i -pe '
        BEGIN { ($from, $to) = @ENV{"FROM", "TO"} }
        $count = () = /\Q$from\E/g;
        if ($count == 1) { s/\Q$from\E/$to/ } else { print STDERR "$ARGV: $count times: $from\n" }
        END { exit($count == 1 ? 0 : 1) }
    ' "$1"
}

# copy DIRECTORY: the tracked files, as they are.
copy() {
    mkdir -p "$1" && git ls-files -z | xargs -0 cp --parents -t "$1"
}

check() {
    local file from to what wrong=0 scratch
    scratch=$(mktemp)
    while IFS=$'\t' read -r file from to what; do
        cp "$file" "$scratch" && replace "$scratch" "$from" "$to" || { echo "cannot be made: $file: $what"; wrong=1; }
    done <"$list"
    rm -f "$scratch"
    [ "$wrong" = 0 ] && echo "$(wc -l <"$list") changes can be made"
}

# passes LEVEL ARGUMENT…: whether these tests pass, built with this optimisation. 2 if they cannot be built, 124 if they do not end in time.
passes() {
    local level=$1
    shift
    export CARGO_PROFILE_DEV_OPT_LEVEL=$level
    cargo test --locked --quiet -p runecast --no-run "$@" >"$work/build.log" 2>&1 || return 2
    timeout 900 cargo test --locked --quiet -p runecast "$@" >"$work/test.log" 2>&1
}

kernels() {
    local shard=${1%/*} shards=${1#*/} number=0 run=0 killed=0 late=0 unbuilt=0 survived=() file from to what status
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$work/target}
    copy "$work/tree" && cd "$work/tree" || exit 2
    passes 0 --test interpreted && passes 2 --lib --test differential || { echo "the tests fail without a change"; tail -n 20 "$work"/*.log; exit 2; }
    while IFS=$'\t' read -r file from to what; do
        number=$((number + 1))
        if [ $# -gt 1 ]; then
            [[ " ${*:2} " == *" $number "* ]] || continue
        else
            [ $(((number - 1) % shards)) = "$shard" ] || continue
        fi
        run=$((run + 1))
        replace "$file" "$from" "$to" || { unbuilt=$((unbuilt + 1)); continue; }
        passes 0 --test interpreted </dev/null
        status=$?
        [ "$status" != 0 ] || { passes 2 --lib --test differential </dev/null; status=$?; }
        case $status in
            0) survived+=("$number"); echo "$number SURVIVED: $file: $what" ;;
            2) unbuilt=$((unbuilt + 1)); echo "$number does not compile: $file: $what" ;;
            124) late=$((late + 1)); echo "$number timed out: $file: $what" ;;
            *) killed=$((killed + 1)); echo "$number killed: $file: $what" ;;
        esac
        cp "$root/$file" "$file"
    done <"$root/$list"
    echo "$run mutants: $killed killed, ${#survived[@]} survived (${survived[*]-}), $late timed out, $unbuilt not made"
    [ "$run" -gt 0 ] && [ "$killed" = "$run" ]
}

has_cargo_mutants() {
    cargo mutants --version >/dev/null 2>&1 || cargo install cargo-mutants --locked || exit 2
}

rest() {
    has_cargo_mutants
    cargo run --release --locked --manifest-path tests/mutants/switched/Cargo.toml -- "$1"
}

slow() {
    has_cargo_mutants
    # The tests of the functions that choose their kernel, for a mutant outside of kernels is wrong with each.
    cargo mutants --package runecast --exclude 'src/kernel/**' --shard "$1" --timeout 900 --no-shuffle -- \
        --lib --test interpreted --test differential
}

shard=0/1 numbers=()
if [ "${2-}" = --shard ]; then shard=${3-}; else numbers=("${@:2}"); fi
[[ $shard =~ ^[0-9]+/[1-9][0-9]*$ && ${numbers[*]-} =~ ^[0-9\ ]*$ ]] || usage
case ${1-} in
    check) check ;;
    kernels) kernels "$shard" ${numbers[@]+"${numbers[@]}"} ;;
    rest) rest "$shard" ;;
    slow) slow "$shard" ;;
    *) usage ;;
esac
