#!/usr/bin/env bash
# Installs the C interface: [DESTDIR=DIRECTORY] crates/capi/install.sh [--from DIRECTORY] PREFIX
#
# Builds a release, unless the libraries of a build are in DIRECTORY, and puts the headers, the libraries and the file for
# pkg-config and CMake below PREFIX: include/, lib/, lib/pkgconfig/, lib/cmake/runecast/. For systems with ELF, such as Linux; needs the
# binutils. With DESTDIR in the environment the files go below that, as makers of packages want it, and speak of PREFIX all the same.
#
# - The shared library gets its whole version as a name, and links from its SONAME and from librunecast.so.
# - The static library becomes one object in which nothing but runecast_* is visible to others. As rustc makes it, it holds
#   the standard library of Rust, whose symbols are those of any other static library of the same compiler; two of them in one
#   program are hundreds of symbols that are defined twice, if either was built with link-time optimisation.
set -eu

# Paths are those of whoever calls, wherever this lies.
absolute() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s' "$PWD/$1" ;; esac; }
from=
[ "${1:-}" != --from ] || { from=$(absolute "$2"); shift 2; }
[ $# = 1 ] || { sed -n 's/^# Installs.*interface: /usage: /p' "$0" >&2; exit 2; }
prefix=$(absolute "$1")
root=${DESTDIR:+$(absolute "$DESTDIR")}$prefix
mkdir -p "$root/include" "$root/lib/pkgconfig" "$root/lib/cmake/runecast"
[ -n "${DESTDIR:-}" ] || prefix=$(cd "$prefix" && pwd)
cd "$(dirname "$0")"

if [ -z "$from" ]; then
    cargo build --release -p runecast-capi
    from=${CARGO_TARGET_DIR:-../../target}/release
fi
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' ../../Cargo.toml 2>/dev/null || true)
[ -n "$version" ] || version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

soname=$(readelf --dynamic "$from/librunecast.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
install -m755 "$from/librunecast.so" "$root/lib/librunecast.so.$version"
ln -sf "librunecast.so.$version" "$root/lib/$soname"
ln -sf "$soname" "$root/lib/librunecast.so"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Groups of sections, of which a linker keeps one by name, are those of others as well: they are resolved here. The bitcode that
# the standard library comes with makes no sense for the whole.
ld -r --force-group-allocation --whole-archive "$from/librunecast.a" -o "$work/runecast.o"
objcopy --wildcard --keep-global-symbol='runecast_*' --remove-section=.llvmbc --remove-section=.llvmcmd "$work/runecast.o"
ar rcs "$work/librunecast.a" "$work/runecast.o"
install -m644 "$work/librunecast.a" "$root/lib/librunecast.a"

install -m644 include/*.h include/*.hpp "$root/include"
# What sed would take for its own in it.
quoted=$(printf '%s' "$prefix" | sed 's/[&|\\]/\\&/g')
sed "s|@PREFIX@|$quoted|; s|@VERSION@|$version|" runecast.pc.in >"$work/runecast.pc"
install -m644 "$work/runecast.pc" "$root/lib/pkgconfig/runecast.pc"

libraries=$(sed -n 's/^Libs.private: *//p' runecast.pc.in | sed 's/^-l//; s/ -l/;/g')
for file in runecastConfig.cmake runecastConfigVersion.cmake; do
    sed "s|@VERSION@|$version|; s|@LINE@|${soname#librunecast.so.}|; s|@SONAME@|$soname|; s|@LIBRARIES@|$libraries|" \
        "cmake/$file" >"$work/$file"
    install -m644 "$work/$file" "$root/lib/cmake/runecast/$file"
done
