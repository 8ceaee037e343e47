#!/bin/bash
# How long reports of 1,000 and of 100,000 leaked items take: to be made (seconds, memory, size), and in a browser
# (medians of first paint, of filtering, sorting and searching).
#   scripts/bench_page.sh [BUILD] [ROUNDS]
# Exit status 77, with the reason, without node, npm or chromium.
set -eu
cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd) rounds=${2:-5}
python=${PYTHON:-python3}

skip() { echo "bench_page: $*" >&2; exit 77; }

browser=$(command -v chromium || command -v chromium-browser) || skip "no chromium here"
command -v node >/dev/null || skip "no node here"
scripts/npm_packages.sh browser node_modules/.browser || skip "playwright-core cannot be had"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=()
for items in 1000 100000; do
    mkdir "$work/$items"
    "$python" tests/browser/make_leaks.py $items "$work/$items"
    "$build/leakgraph" run "$work/$items/run.yaml" --output "$work/$items/run" --quiet
    "$python" - "$build/leakgraph" "$work/$items/run" $items <<'PYTHON'
import os, resource, subprocess, sys, time
program, run, items = sys.argv[1:]
began = time.time()
subprocess.run([program, "report", run], check=True, stdout=subprocess.DEVNULL)
took, used = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
print("%s items: made in %.2f s (%.2f s of a processor), %d MB of memory, report.html %.1f MB" % (
    items, took, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024,
    os.path.getsize(run + "/report.html") / 1e6))
PYTHON
    files+=("$work/$items/run/report.html")
done
node tests/browser/times.mjs "$PWD/node_modules/.browser" "$browser" "$rounds" "${files[@]}"
