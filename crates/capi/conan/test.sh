#!/usr/bin/env bash
# Makes the package of Conan and runs the programs of its test package, in folders that are gone afterwards.
#
# The exit status is 0 passed, 77 skipped since Conan cannot be had, anything else failed.
set -u
# `.ci/run` has a step, and so a function, of that name.
unset -f conan
cd "$(dirname "$0")" || exit 1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CONAN_HOME=$work/home
conan=conan
if ! command -v conan >/dev/null; then
    conan=$work/environment/bin/conan
    { python3 -m venv "$work/environment" && "$work/environment/bin/pip" install --quiet --disable-pip-version-check 'conan>=2,<3'; } ||
        { echo "skipped: Conan could not be installed"; exit 77; }
fi
command -v cmake >/dev/null || { echo "skipped: no CMake"; exit 77; }
# Nothing is written beside the sources.
export PYTHONDONTWRITEBYTECODE=1
"$conan" profile detect && "$conan" create . --no-remote --test-folder=test_package \
    --conf tools.cmake.cmake_layout:test_folder="$work/programs" --conf tools.cmake.cmaketoolchain:user_presets=
