#!/usr/bin/env bash
# Builds the wheel, installs it in a fresh environment, and tests it there: doc strings, pytest, mypy, the notebook.
#
#   bindings/python/test.sh                   # an optimized wheel
#   PROFILE=dev bindings/python/test.sh       # the profile of `cargo test`: quick to build, a third as fast
#   KEEP=folder bindings/python/test.sh       # work in this folder and leave it there
#   WHEEL=arsg-...whl bindings/python/test.sh # test a wheel that is there
#
# It needs Python 3.9 or later with venv, and the package index. What does not install (spaCy, the notebook's client) is
# left out, and said.
set -euo pipefail
from=$PWD
work=${KEEP:-$(mktemp -d)}
mkdir -p "$work"
work=$(realpath "$work")
cd "$(dirname "$0")"
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
python=${PYTHON:-python3}

if [ -n "${WHEEL:-}" ]; then
    wheel=$(cd "$from" && realpath "$WHEEL")
else
    "$python" -m venv "$work/build"
    "$work/build/bin/pip" install --quiet "maturin>=1.9,<2"
    rm -rf "$work/wheels"
    case "${PROFILE:-release}" in
    dev) profile=() ;;
    *) profile=(--release) ;;
    esac
    "$work/build/bin/maturin" build "${profile[@]}" --interpreter "$python" --out "$work/wheels"
    wheel=$(echo "$work"/wheels/arsg-*.whl)
fi

rm -rf "$work/venv"
"$python" -m venv "$work/venv"
pip=("$work/venv/bin/pip" install --quiet)
"${pip[@]}" "$wheel" pytest mypy hypothesis nltk pandas
for optional in nbclient+ipykernel+nbformat spacy; do
    # shellcheck disable=SC2086 # one word a package
    "${pip[@]}" ${optional//+/ } 2> "$work/$optional.log" || echo "left out: $optional does not install (see $work/$optional.log)"
done

# Away from the sources, so that what was installed is what is tested.
tests=$PWD/tests examples=$PWD/examples notebook=$PWD/../../examples/notebook/tour.ipynb
cd "$work"
# mypy reads from the file system what it imports: the stubs of the wheel.
"$work/venv/bin/mypy" --strict "$examples"/*.py
"$work/venv/bin/mypy" --strict -p arsg
TOUR="$notebook" "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$tests"
for example in "$examples"/*.py; do
    echo "$(basename "$example"):"
    "$work/venv/bin/python" "$example"
done
