#!/usr/bin/env bash
# Builds the Python module, installs it beside DataFusion's Python package in an environment of its own, and runs the tests.
#
# PYTHON names the interpreter, python3 if nothing is said. `--release` optimises, which takes long.
# The exit status is 0 passed, 77 skipped for lack of an interpreter or of packages, anything else failed.
set -u
cd "$(dirname "$0")" || exit 1

skip() {
    echo "skipped: $*"
    exit 77
}

python=${PYTHON:-python3}
command -v "$python" >/dev/null || skip "no $python"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11) or sys.implementation.name != "cpython")' ||
    skip "$python is not CPython 3.11 or later"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
target=${CARGO_TARGET_DIR:-../target}/datafusion-python
mkdir -p "$target" && target=$(cd "$target" && pwd) || exit 1
environment=$target/environment-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment" || skip "$python has no venv"
install() {
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 "$@"
}
install 'maturin>=1.9,<2' 'datafusion>=55,<56' pyarrow || skip "maturin or DataFusion could not be installed"

profile=(--profile "$([ "${1:-}" = --release ] && echo release || echo dev)")
rm -rf "$target/wheels"
PATH=$environment/bin:$PATH "$environment/bin/python" -m maturin build "${profile[@]}" --locked --quiet \
    --interpreter "$environment/bin/python" --out "$target/wheels" || exit 1
install --force-reinstall --no-deps "$target"/wheels/*.whl || exit 1
cd tests && PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m unittest
