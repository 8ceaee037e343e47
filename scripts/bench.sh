#!/bin/bash
# `make bench`: gets source text from Debian packages, measures, and writes results/bench/*.jsonl,
# results/bench/README.md and results/scale/README.md.
#   scripts/bench.sh [BUILD]
# The first time it downloads linux-source-6.1 (140 MB) and writes 600 MB into data/bench.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
python=${PYTHON:-python3}
data=data/bench
mkdir -p "$data"

if [ ! -s "$data/corpus.json" ]; then
    package=$(ls "$data"/linux-source-6.1_*.deb 2>/dev/null | tail -n 1 || true)
    if [ -z "$package" ]; then
        (cd "$data" && { apt-get download -q linux-source-6.1 || { apt-get update -q &&
          apt-get download -q linux-source-6.1; }; }) >"$data/apt.log" 2>&1 ||
            { cat "$data/apt.log" >&2; echo "bench: no linux-source-6.1 from apt-get" >&2; exit 1; }
        package=$(ls "$data"/linux-source-6.1_*.deb | tail -n 1)
    fi
    "$python" scripts/bench_corpus.py "$package" "$data"
fi
if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
"$python" scripts/bench_run.py "$build" "$data" results/bench
"$python" scripts/bench_table.py results/bench
mkdir -p results/scale
"$python" scripts/scale.py "$build" "$data" >results/scale/README.md.part
mv results/scale/README.md.part results/scale/README.md
