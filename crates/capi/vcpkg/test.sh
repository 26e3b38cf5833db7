#!/usr/bin/env bash
# Makes a package of the port for vcpkg, in either linkage, and programs that find it by CMake and pkg-config, in folders that are gone
# afterwards.
#
# vcpkg itself is asked if it is there (VCPKG names it, or else the search path); otherwise the portfile runs under test/stand_in.cmake,
# which has the few things of vcpkg that it uses. The exit status is 0 passed, 77 skipped for lack of CMake, anything else failed.
set -eu
cd "$(dirname "$0")"
command -v cmake >/dev/null || { echo "skipped: no CMake"; exit 77; }
vcpkg=${VCPKG:-$(command -v vcpkg || true)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' ../../../Cargo.toml)
grep -q "\"version\": \"$version\"" runecast/vcpkg.json || { echo "the port is not of version $version" >&2; exit 1; }

for linkage in static dynamic; do
    triplet=x64-linux$([ $linkage = static ] || echo -dynamic)
    if [ -n "$vcpkg" ]; then
        "$vcpkg" install runecast --classic --overlay-ports="$PWD" --triplet="$triplet" --x-install-root="$work/$linkage" \
            --x-buildtrees-root="$work/buildtrees" --x-packages-root="$work/packages-$linkage" --binarysource=clear
        prefix=$work/$linkage/$triplet
    else
        prefix=$work/$linkage
        cmake -DCURRENT_PORT_DIR="$PWD/runecast" -DCURRENT_BUILDTREES_DIR="$work/buildtrees" -DCURRENT_PACKAGES_DIR="$work/package" \
            -DTARGET_TRIPLET="$triplet" -DVCPKG_LIBRARY_LINKAGE=$linkage -P test/stand_in.cmake
        # A package is built in one place, and used in another.
        mv "$work/package" "$prefix"
    fi

    case $linkage in
        static) [ -f "$prefix/lib/librunecast.a" ] && [ ! -e "$prefix/lib/librunecast.so" ] ;;
        dynamic) [ -e "$prefix/lib/librunecast.so" ] && [ ! -e "$prefix/lib/librunecast.a" ] ;;
    esac || { echo "$linkage: not the libraries of that linkage" >&2; exit 1; }
    [ ! -e "$prefix/lib/cmake" ] && [ -s "$prefix/share/runecast/copyright" ]
    ! grep -rF "$work" "$prefix/lib/pkgconfig" "$prefix/share" || { echo "an absolute path" >&2; exit 1; }

    cmake -S test -B "$work/programs-$linkage" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$work/programs-$linkage" >/dev/null
    export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
    if command -v pkg-config >/dev/null; then
        # Unquoted: options.
        cc ../examples/demo.c -o "$work/programs-$linkage/demo-pkg-config" $(pkg-config --cflags --libs runecast)
    fi
    for program in "$work/programs-$linkage"/demo*; do
        "$program" | diff - ../tests/demo.txt
        echo "$linkage: ${program##*/}"
    done
    unset LD_LIBRARY_PATH
done
[ -n "$vcpkg" ] || echo "(without vcpkg itself, which is not there)"
