#!/usr/bin/env bash
# What does it cost to depend on runecast? CPU seconds of a clean release build, and bytes of the binary.
#
#   benches/dependency-cost.sh [ROUNDS]
#
# Each row is a program of some ten lines that reads its standard input and calls what the row names; `empty` calls
# nothing. Everything is built from nothing, dependencies included, but not downloaded, with cargo's own settings for
# release builds. CPU seconds are user and system time of cargo and of all that it runs, so they hardly depend on the
# number of cores; of several rounds the least counts. Sizes are of the binary as it is built and without symbols, and
# `+` is by how much it is larger than `empty`. No number is judged here.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
rounds=${1:-1}
unset RUSTFLAGS CARGO_TARGET_DIR CARGO_BUILD_TARGET RUSTC_WRAPPER
export CARGO_INCREMENTAL=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# program NAME DEPENDENCY BODY: BODY has `bytes`, a Vec<u8>, and ends in a number.
names=()
program() {
    mkdir -p "$work/$1/src"
    names+=("$1")
    cat >"$work/$1/Cargo.toml" <<EOF
[package]
name = "$1"
edition = "2024"
[dependencies]
$2
[workspace]
EOF
    cat >"$work/$1/src/main.rs" <<EOF
use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let answer: usize = { $3 };
    println!("{answer}");
    Ok(())
}
EOF
}

readonly runecast="runecast = { path = '$root' }"
program empty '' 'bytes.len()'
program std-all '' '
        let valid = std::str::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let text = String::from_utf8_lossy(&bytes);
        valid + text.encode_utf16().collect::<Vec<u16>>().len() + text.len()'
program simdutf8 'simdutf8 = "0.1.5"' '
        simdutf8::compat::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len)'
program encoding_rs 'encoding_rs = "0.8"' 'encoding_rs::Encoding::utf8_valid_up_to(&bytes)'
program runecast "$runecast" '
        runecast::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len)'
program runecast-no-std "${runecast/ \}/, default-features = false \}}" '
        runecast::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len)'
program runecast-all "$runecast" '
        let valid = runecast::from_utf8(&bytes).map_or_else(|error| error.valid_up_to(), str::len);
        let mut units = vec![0_u16; bytes.len()];
        let wide = runecast::transcode::<runecast::Utf8, runecast::Utf16>(&bytes, &mut units);
        valid + wide.unwrap_or(0) + runecast::from_utf8_lossy(&bytes).len()'

# Prints CPU seconds and bytes of the binary: as built, and without symbols.
measure() {
    local target=$work/target program=$work/$1 built seconds
    rm -rf "$target"
    local TIMEFORMAT='%U %S'
    seconds=$({ time cargo build --quiet --release --offline --manifest-path "$program/Cargo.toml" \
        --target-dir "$target" 2>>"$work/log"; } 2>&1) || return
    seconds=$(awk '{ printf "%.2f", $1 + $2 }' <<<"$seconds")
    binary=$target/release/$1
    [ -e "$binary" ] || binary=$binary.exe
    built=$(wc -c <"$binary")
    # Only the last step is done again, with another flag.
    cargo rustc --quiet --release --offline --manifest-path "$program/Cargo.toml" --target-dir "$target" \
        -- -C strip=symbols 2>>"$work/log" || return
    echo "$seconds $((built)) $(($(wc -c <"$binary")))"
}

for name in "${names[@]}"; do
    cargo fetch --quiet --manifest-path "$work/$name/Cargo.toml"
done
rustc --version
printf '%-16s %8s %10s %10s %10s %10s\n' program 'CPU s' bytes + stripped +
for name in "${names[@]}"; do
    least=
    for ((round = 0; round < rounds; round++)); do
        read -r seconds built stripped < <(measure "$name") || { cat "$work/log" >&2; exit 1; }
        least=$(printf '%s\n' $least "$seconds" | sort -n | head -n 1)
    done
    [ "$name" != empty ] || { empty_built=$built empty_stripped=$stripped; }
    printf '%-16s %8s %10d %10d %10d %10d\n' "$name" "$least" "$built" $((built - empty_built)) \
        "$stripped" $((stripped - empty_stripped))
done
cat <<'EOF'

simdutf8, encoding_rs, runecast, runecast-no-std: validation of UTF-8 alone, runecast-no-std without default features.
std-all, runecast-all: validation, a lossy repair, and a conversion from UTF-8 to UTF-16.
EOF
