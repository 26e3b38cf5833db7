#!/usr/bin/env bash
# Puts this crate under simd-json, sonic-rs (by itself, and through faststr), tokio-websockets and arrow-json, as the registry has
# them, and runs their own tests and a benchmark of the first three, with the original simdutf8 and with this one.
#
#   ./try.sh          tests, then the benchmark
#   ./try.sh tests    their tests alone
#   ./try.sh bench    the benchmark alone
#
# Not a line of theirs is changed: cargo is told by `--config` what a `[patch.crates-io]` says. A test that fails
# with both is theirs to explain (packages lack some files that tests read); the outcome of each has to be the same with both.
# The benchmark (try/main.rs) is one program, built twice; the builds run in turns, on one core, and the table has the
# least time of five runs of each. Everything is built in target/try, or in $CARGO_TARGET_DIR/try.
set -u
cd "$(dirname "$0")" || exit 1
here=$PWD
work=${CARGO_TARGET_DIR:-$here/target}/try
readonly here work
readonly patch="patch.crates-io.simdutf8.path='$here'"
what=${1:-all}

# Each with the options of its tests.
readonly projects=(
    "simd-json"
    # (Its unit tests need a crate that is not in the registry.)
    "sonic-rs --doc"
    "tokio-websockets --features client,server,fastrand,sha1_smol --lib --tests"
    "arrow-json --lib"
)

mkdir -p "$work/before" "$work/after" || exit 1

# The directory of a package's sources, in the place where cargo has unpacked them.
sources() {
    cargo metadata --format-version 1 --manifest-path "$work/bench/Cargo.toml" --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" |
        grep -o '"manifest_path":"[^"]*/'"$1"'-[0-9][^"/]*/Cargo.toml"' | head -n 1 | sed 's/^"manifest_path":"//; s|/Cargo.toml"$||'
}

# The program for the benchmark, apart from this directory: its lock file is not the same with both.
prepare() {
    rm -rf "$work/bench" && cp -r "$here/try" "$work/bench" &&
        sed -i "s|\"../../corpus\"|\"$here/../corpus\"|" "$work/bench/Cargo.toml" && cargo fetch --quiet --manifest-path "$work/bench/Cargo.toml"
}

# Has the patch been used? One that is not needed is only warned of.
patched() {
    cargo --config "$patch" update --quiet simdutf8 && cargo --config "$patch" tree --quiet --invert simdutf8 --depth 0 | grep -qF "$here"
}

# The outcomes of the tests of one project, one a line, sorted.
outcomes() {
    local name=$1 tree=$2
    shift 2
    CARGO_TARGET_DIR=$work/$tree nice cargo ${config[@]+"${config[@]}"} test --no-fail-fast "$@" >"$work/$tree/$name.log" 2>&1
    grep -E '^test .* \.\.\. ' "$work/$tree/$name.log" | sort
}

run_tests() {
    local project name options tree failed=0 config
    for project in "${projects[@]}"; do
        read -r name options <<<"$project"
        for tree in before after; do
            cd "$work" && rm -rf "$name" && cp -r "$(sources "$name")" "$name" && cd "$name" || return 1
            # Packages have no workspace around them; this one must not be found in theirs.
            grep -q '^\[workspace\]' Cargo.toml || printf '\n[workspace]\n' >>Cargo.toml
            config=()
            if [ "$tree" = after ]; then
                config=(--config "$patch")
                patched || { echo "error: $name does not use the patch"; return 1; }
            fi
            # shellcheck disable=SC2086
            outcomes "$name" "$tree" $options >"$work/$tree/$name.tests"
        done
        printf '%s: %d tests passed, %d failed with the original; %d passed, %d failed with this crate\n' "$name" \
            "$(grep -c ' ok$' "$work/before/$name.tests")" "$(grep -c ' FAILED$' "$work/before/$name.tests")" \
            "$(grep -c ' ok$' "$work/after/$name.tests")" "$(grep -c ' FAILED$' "$work/after/$name.tests")"
        if [ ! -s "$work/after/$name.tests" ] || ! cmp -s "$work/before/$name.tests" "$work/after/$name.tests"; then
            diff "$work/before/$name.tests" "$work/after/$name.tests"
            echo "error: the outcomes are not the same; see $work/after/$name.log"
            failed=1
        fi
    done
    return "$failed"
}

run_bench() {
    local tree round pin=()
    command -v taskset >/dev/null && pin=(taskset -c "$(($(nproc) - 1))")
    cd "$work/bench" || return
    CARGO_TARGET_DIR=$work/before cargo build --quiet --release || return
    patched || { echo "error: the benchmark does not use the patch"; return 1; }
    CARGO_TARGET_DIR=$work/after cargo --config "$patch" build --quiet --release || return
    rm -f "$work"/{before,after}/times
    for round in 1 2 3 4 5; do
        for tree in before after; do
            ${pin[@]+"${pin[@]}"} "$work/$tree/release/try" >>"$work/$tree/times" || return
        done
    done
    echo "| text | simdutf8 0.1.5, µs | this crate, µs | ratio |"
    echo "|---|--:|--:|--:|"
    awk -F '\t' '
        NR == FNR { if (!($1 in a)) order[n++] = $1; if (!($1 in a) || $3 < a[$1]) a[$1] = $3; next }
        { if (!($1 in b) || $3 < b[$1]) b[$1] = $3 }
        END { for (i = 0; i < n; i++) { k = order[i]; printf "| %s | %.2f | %.2f | %.2f |\n", k, a[k] / 1000, b[k] / 1000, a[k] / b[k] } }
    ' "$work/before/times" "$work/after/times"
}

prepare || exit 1
status=0
case $what in
    tests) run_tests || status=1 ;;
    bench) run_bench || status=1 ;;
    all)
        (run_tests) || status=1
        (run_bench) || status=1
        ;;
    *) echo "error: tests or bench, not $what" >&2; exit 2 ;;
esac
exit "$status"
