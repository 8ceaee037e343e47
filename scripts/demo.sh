#!/bin/bash
# `make demo`: makes the sample, runs pipeline.yaml on two ranks and scores the result against the known truth.
#   scripts/demo.sh [BUILD]
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
python=${PYTHON:-python3}

if [ ! -f data/sample/truth.tsv ] || [ scripts/make_sample.py -nt data/sample/truth.tsv ] ||
   [ scripts/demo_functions.py -nt data/sample/truth.tsv ]; then
    "$python" scripts/make_sample.py data/sample
fi

# Open MPI wants to hear twice that root is meant.
if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi

mpirun --oversubscribe --bind-to none -n 2 "$build/leakgraph" run pipeline.yaml --output results/demo --replace
echo
"$python" scripts/demo_score.py results/demo data/sample/truth.tsv
