#!/bin/bash
# How often 95 % intervals of regressions hold what they should, of 2,000 fits of each kind; then `leakgraph regress`
# against R and lme4: 50 seeds of least squares, linear mixed models (one factor, crossed, nested; ML and REML),
# logistic and log-link regression without groups and with, and the data that lme4 brings.
#   scripts/regress_oracles.sh      SEEDS= instead of 50, FITS= instead of 2000
# Exit status 1 when something differs; 77 without Debian's r-cran-lme4, after the intervals.
set -euo pipefail
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
BUILD=${BUILD:-build} CC=${CC:-gcc}

mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/regress_coverage" \
    tests/oracle/regress_coverage.c "$BUILD/libleakgraph.a" \
    $(make --no-print-directory -s BUILD="$BUILD" print-libs)
"$BUILD/tests/regress_coverage" "${FITS:-2000}"

if ! Rscript -e 'library(lme4)' >/dev/null 2>&1; then
    echo "regress: skipped, no R with lme4 here (Debian: r-cran-lme4)"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
Rscript tests/oracle/regress.R "$folder" "${SEEDS:-50}" 2>&1 | { grep -v '^boundary (singular) fit' || true; }
"$PYTHON" tests/oracle/regress.py "$BUILD/leakgraph" "$folder"
