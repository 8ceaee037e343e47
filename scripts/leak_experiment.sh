#!/bin/bash
# `make experiment-leak`: gets Python packages of Debian, plants items in their functions, trains models with and
# without them, and writes results/leak/README.md.
#   scripts/leak_experiment.sh [BUILD]
# The first time it downloads four packages (12 MB) into data/experiment; root is not needed.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
python=${PYTHON:-python3}
data=data/experiment
packages="python3-django python3-sympy python3-sqlalchemy python3-twisted"
mkdir -p "$data/debs"

for package in $packages; do
    if ! ls "$data/debs/$package"_*.deb >/dev/null 2>&1; then
        (cd "$data/debs" && { apt-get download -q "$package" || { apt-get update -q &&
          apt-get download -q "$package"; }; }) >"$data/apt.log" 2>&1 ||
            { cat "$data/apt.log" >&2; echo "leak_experiment: no $package from apt-get" >&2; exit 1; }
    fi
    [ -d "$data/$package" ] || { dpkg-deb -x "$data/debs/$package"_*.deb "$data/$package.new" &&
        mv "$data/$package.new" "$data/$package"; }
done
[ -s "$data/leaky.jsonl" ] || "$python" scripts/leak_data.py "$data" 1000 $(printf "$data/%s " $packages)
"$python" scripts/leak_experiment.py "$build/leakgraph" "$data" results/leak/README.md

# A real pair of models with a known leak, where there is one and llama.cpp's library.
models=../shared/models
if [ ! -d "$models" ]; then
    echo "leak_experiment: no $models here: the pair of real models is left out"
elif ! "$build/leakgraph" version | grep -q llama; then
    echo "leak_experiment: built without llama.cpp: the pair of real models is left out"
else
    "$python" scripts/leak_pair.py "$build/leakgraph" "$models" ../shared/data/python/benchmarks.jsonl.zst \
        "$data/pair" results/leak/pair.md
fi
