#!/usr/bin/env bash
# Builds the WebAssembly and puts it beside its JavaScript: crates/wasm/build.sh [DIRECTORY]
#
# DIRECTORY, web/pkg unless another is named, receives the JavaScript, its types, package.json, the module with
# vectors, the module without, the small one for UTF-8, and two that are no part of the package: generated text for
# benchmarks, and what only the page shows.
#
# The target is wasm32-unknown-unknown. If the Rust toolchain in use has a std for it, that is all; if not, and std's
# source is installed (rustup component rust-src, or Debian's rust-web-src), std is built first. Set CARGO and RUSTC
# to use another toolchain. wasm-opt (binaryen) makes the modules smaller, where it is installed and knows what is in
# them.
#
# Exit status: 0 built, 1 failed, 77 there is no std for the target and no source of it.
set -eu
cd "$(dirname "$0")/../.."

readonly to=${1:-web/pkg} target=wasm32-unknown-unknown
readonly directory=${CARGO_TARGET_DIR:-target}/wasm

# The first of the toolchains that has what is needed: that of the environment, and that of Debian.
std=()
chosen=
for pair in "${CARGO:-cargo} ${RUSTC:-rustc}" "/usr/bin/cargo /usr/bin/rustc"; do
    read -r cargo rustc <<<"$pair"
    command -v "$cargo" >/dev/null && sysroot=$("$rustc" --print sysroot 2>/dev/null) || continue
    if [ -d "$sysroot/lib/rustlib/$target/lib" ]; then
        std=()
    elif [ -d "$sysroot/lib/rustlib/src/rust/library/std" ]; then
        # Unstable, and so a stable compiler has to be unlocked.
        std=(-Zbuild-std=std,panic_abort)
        export RUSTC_BOOTSTRAP=1
    else
        continue
    fi
    chosen=$cargo
    export RUSTC=$rustc
    break
done
if [ -z "$chosen" ]; then
    echo "skipped: no Rust toolchain here has a std for $target, or the source of one"
    exit 77
fi

# The linker of rustup's toolchain has a name of its own; others use LLVM's.
linker=$(rustc --print target-libdir 2>/dev/null || true)
linker=$(dirname "$linker")/bin/rust-lld
[ -x "$linker" ] || linker=wasm-ld
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker

# build NAME FLAGS FEATURE
build() {
    echo "building $1.wasm"
    # A linker puts functions in the order of their names. In this scheme of names those of one generic function, which are nearly the
    # same, stand side by side, where gzip sees what they share: that is a twentieth of what is loaded.
    RUSTFLAGS="$2 -C symbol-mangling-version=v0" "$chosen" build ${std[@]+"${std[@]}"} --quiet --locked --profile wasm -p runecast-wasm \
        --target "$target" --target-dir "$directory" --no-default-features --features "$3"
    cp "$directory/$target/wasm/runecast_wasm.wasm" "$to/$1.wasm"
    if command -v wasm-opt >/dev/null; then
        # What goes over a network is compressed, and that may grow where code shrinks.
        if ! wasm-opt -Os --all-features "$to/$1.wasm" -o "$to/$1.opt.wasm" 2>/dev/null; then
            echo "wasm-opt does not know all of $1.wasm: left as it is"
        elif [ "$(gzip -9 <"$to/$1.opt.wasm" | wc -c)" -lt "$(gzip -9 <"$to/$1.wasm" | wc -c)" ]; then
            mv "$to/$1.opt.wasm" "$to/$1.wasm"
        fi
        rm -f "$to/$1.opt.wasm"
    fi
}

mkdir -p "$to"
build runecast.simd128 "-C target-feature=+simd128" engine
build runecast.scalar "" engine
build runecast.utf8 "-C target-feature=+simd128" utf8
build runecast.texts "" texts
build runecast.page "" page
cp crates/wasm/js/*.js crates/wasm/js/*.d.ts crates/wasm/js/package.json "$to/"
# npm puts these into a package without being asked, if they are there.
cp crates/wasm/README.md LICENSE-APACHE LICENSE-MIT "$to/"
for file in "$to"/*.wasm; do
    printf '%-32s %8d bytes, %7d compressed\n' "$(basename "$file")" "$(wc -c <"$file")" "$(gzip -9 <"$file" | wc -c)"
done
