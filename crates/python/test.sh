#!/usr/bin/env bash
# Builds the wheel, installs it in an environment of its own and runs the tests: crates/python/test.sh
#
# The environment is made in the target directory and kept, so that a second run is faster; nothing is installed elsewhere.
# PYTHON names the interpreter, python3 if nothing is said. With `--spark` pyspark is installed as well, which is large,
# and the recipe for Spark runs on a cluster of two workers; without Java it is left out, with a word.
#
# The exit status is 0 passed, 77 skipped for lack of an interpreter or of packages, anything else failed.
set -u
# `.ci/run` has a step, and so a function, of that name.
unset -f python
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
target=${CARGO_TARGET_DIR:-../../target}/python
mkdir -p "$target" && target=$(cd "$target" && pwd) || exit 1
environment=$target/environment-$version
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment" || skip "$python has no venv"

# What has to be there, and what only more tests want.
install() {
    "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 20 "$@"
}
"$environment/bin/python" -c 'import maturin' 2>/dev/null || install 'maturin>=1.9,<2' || skip "maturin could not be installed"
for package in numpy pyarrow mypy pandas polars; do
    "$environment/bin/python" -c "import $package" 2>/dev/null || install "$package" ||
        echo "left out: what needs $package, which could not be installed"
done

rm -rf "$target/wheels"
# The environment's own: an interpreter that is named in the surroundings would not know it.
PATH=$environment/bin:$PATH "$environment/bin/python" -m maturin build --release --locked --quiet \
    --interpreter "$environment/bin/python" --out "$target/wheels" || exit 1
install --force-reinstall --no-deps "$target"/wheels/*.whl || exit 1

cd tests || exit 1
export PYTHONDONTWRITEBYTECODE=1
"$environment/bin/python" -m unittest || exit 1
"$environment/bin/python" -m doctest ../README.md || exit 1
# CPython's own tests, with this library in the place of its codecs.
"$environment/bin/python" cpython.py
case $? in
    0) ;;
    77) echo "left out: CPython's own tests" ;;
    *) exit 1 ;;
esac
if "$environment/bin/python" -c 'import mypy' 2>/dev/null; then
    # Without polars its module cannot be imported.
    allowed=$target/allowed
    : >"$allowed"
    "$environment/bin/python" -c 'import polars' 2>/dev/null || echo runecast.polars >"$allowed"
    "$environment/bin/python" -m mypy.stubtest runecast --ignore-positional-only --allowlist "$allowed" || exit 1
else
    echo "left out: the type stubs, for there is no mypy"
fi

[ "${1:-}" = --spark ] || { echo "left out: Spark, see --spark"; exit 0; }
if ! command -v java >/dev/null; then
    echo "left out: Spark, for there is no Java"
    exit 0
fi
"$environment/bin/python" -c 'import pyspark, pandas' 2>/dev/null || install 'pyspark>=4,<5' 'pandas<3' || {
    echo "left out: Spark, for pyspark could not be installed"
    exit 0
}
PYSPARK_PYTHON=$environment/bin/python "$environment/bin/python" ../spark.py
