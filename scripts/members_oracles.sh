#!/bin/bash
# Statistics of membership (pipeline/stats/roc, order) against scikit-learn, SciPy and DeLong's definition in NumPy, and
# how often intervals have the true area.
#   scripts/members_oracles.sh      SEED= of the samples
# Exit status 1 when something differs; 77 without Debian's python3-sklearn.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
BUILD=${BUILD:-build} CC=${CC:-gcc}

if ! "$PYTHON" -c 'import scipy, sklearn' 2>/dev/null; then
    echo "members: skipped, this Python has no scikit-learn (Debian: python3-sklearn)"
    exit 77
fi
mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/members" tests/oracle/members.c \
    "$BUILD/libleakgraph.a" $(make --no-print-directory -s BUILD="$BUILD" print-libs)
"$PYTHON" tests/oracle/members.py "$BUILD/tests/members"
