#!/bin/bash
# The tests of pipeline/stats against SciPy and statsmodels, over random groups with equal numbers, few or none of them,
# and constants, each to 1e-9; resampling against enumeration and their published formulas; how often intervals hold the
# truth.  Where definitions differ, docs/definitions.md, "Statistics", says how and why.
#   scripts/stats_oracles.sh      SEED= of the samples, ROUNDS= of each test instead of 200, COVERAGE= of samples
# Exit status 1 when something differs; 77 without Debian's python3-scipy and python3-statsmodels.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
BUILD=${BUILD:-build} CC=${CC:-gcc}

if ! "$PYTHON" -c 'import scipy, statsmodels' 2>/dev/null; then
    echo "stats: skipped, this Python has no SciPy or no statsmodels (Debian: python3-scipy python3-statsmodels)"
    exit 77
fi
mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/stats" tests/oracle/stats.c \
    "$BUILD/libleakgraph.a" $(make --no-print-directory -s BUILD="$BUILD" print-libs)
"$PYTHON" tests/oracle/stats.py "$BUILD/tests/stats"
