# seconds: 120
# Every other open, read, write, sync and lock of the program ends with EINTR, as file systems of clusters may when a
# signal comes: the result of every capability is as without.
. "$(dirname "$0")/../cli/common.sh"
case $BUILD in *asan*|*tsan*) echo "a sanitizer and the injected faults both replace malloc"; exit 77 ;; esac
need zstd gzip tar

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
zstd -q more.jsonl -o more.jsonl.zst
gzip second.jsonl
mkdir tree
cp "$root/scripts/demo_functions.py" "$root/scripts/demo_score.py" tree
tar -czf tree.tar.gz tree
export OMP_NUM_THREADS=1
hit=0
disturbed() {   # disturbed COMMAND...: exit status 0 with signals
    rm -f report
    expect 0 env LD_PRELOAD="$BUILD/tests/inject.so" FAULT_REPORT="$PWD/report" FAULT_KIND=signal "$leakgraph" "$@"
    read -r calls hits <report
    [ "$hits" -gt 5 ] || fail "$1: only $hits calls of $calls were ended"
    hit=$((hit + hits))
}

train="train-ngram --corpus corpus=corpus.jsonl --order 3 --quiet"
expect 0 "$leakgraph" $train --output model.lm
disturbed $train --output again.lm
cmp -s model.lm again.lm || fail "another model"
cat >run.yaml <<'YAML'
output: run
memory: 16MB
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python,
     files: [corpus.jsonl, more.jsonl.zst, second.jsonl.gz, tree, tree.tar.gz]}
YAML
"$PYTHON" "$root/tests/cli/subsets.py" settings \
    'dedup={threshold: 0.7, min_tokens: 5, datasets: [corpus]}' >>run.yaml
cat >>run.yaml <<'YAML'
generate: {outputs: 40, tokens: 30, prompt: lines, from: corpus}
clean:
  - {name: strict, drop: items, where: near}
  - {name: sides, subsets: corpus, base: 3}
YAML
expect 0 "$leakgraph" run run.yaml --quiet
disturbed run run.yaml --output signals --quiet
same run signals
rejects='SELECT count(*) FROM rejects'
[ "$(sql signals "$rejects")" = "$(sql run "$rejects")" ] || fail "other rejects"
# once more, with the units that are there
disturbed run run.yaml --output signals --quiet
same run signals
disturbed fsck signals
disturbed report signals

# what is written spills
"$BUILD/bench/make_corpus" 5000 5 2 .
cat >dedup.yaml <<'YAML'
output: spilled
memory: 16MB
datasets: [{name: corpus, language: text, files: ["*.zst"]}]
dedup: {method: lsh, bands: 256, rows: 2, hashes: 512, bucket_cap: 10, measure: 0, write: lists}
graph: {store: none}
YAML
rm more.jsonl.zst
expect 0 "$leakgraph" run dedup.yaml --quiet
disturbed run dedup.yaml --output disturbed --quiet
same spilled disturbed
[ "$(sql disturbed "SELECT value > 0 FROM run WHERE key = 'dedup.spilled_bytes'")" = 1 ] || fail "dedup spilled nothing"
echo "$hit calls were ended by signals"
