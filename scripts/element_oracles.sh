#!/bin/bash
# The elements that the program finds in Python files (names by role, strings, comments, documentation) against those of
# Python's own parser and tokenizer: a table, by kind, of how many are the same.
#   scripts/element_oracles.sh [FOLDER...]     SAMPLE= files, 400 unless said; DETAIL= differences shown
# Without folders: Python's library, and Debian's packages for Python where there are some.
# Exit status 1 when a kind is below 99.5 %.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3} BUILD=${BUILD:-build} CC=${CC:-gcc}

mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/elements" tests/oracle/elements.c \
    "$BUILD/libleakgraph.a" $(make --no-print-directory -s BUILD="$BUILD" print-libs)
folders=("$@")
[ $# -gt 0 ] || folders=("$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')")
[ $# -gt 0 ] || [ ! -d /usr/lib/python3/dist-packages ] || folders+=(/usr/lib/python3/dist-packages)
"$PYTHON" tests/oracle/elements.py "$BUILD/tests/elements" "${folders[@]}"
