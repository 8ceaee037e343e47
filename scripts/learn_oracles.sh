#!/bin/bash
# The classifiers of pipeline/learn against others: forests against scikit-learn's on its bundled sets (mean F1 over 20
# seeds within 0.01), support vector machines against libsvm's own tools (the same numbers), boosting against its
# formulas in NumPy (the same margins).
#   scripts/learn_oracles.sh      SEEDS= instead of 20
# Exit status 1 when something differs; 77 without Debian's python3-sklearn.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
BUILD=${BUILD:-build} CC=${CC:-gcc}

if ! "$PYTHON" -c 'import sklearn' 2>/dev/null; then
    echo "learn: skipped, this Python has no scikit-learn (Debian: python3-sklearn)"
    exit 77
fi
mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/learn" tests/oracle/learn.c \
    "$BUILD/libleakgraph.a" $(make --no-print-directory -s BUILD="$BUILD" print-libs)
"$PYTHON" tests/oracle/learn.py "$BUILD/tests/learn"
