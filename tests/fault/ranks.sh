# seconds: 240
# One rank of three fails alone, the others do not: the whole job ends in seconds with the exit status and the message
# of that failure, once.  No rank's patience is bounded here, so that one that waits for the others is seen by the time
# limit.
. "$(dirname "$0")/../cli/common.sh"
case $BUILD in *asan*|*tsan*) echo "a sanitizer and the injected faults both replace malloc"; exit 77 ;; esac
need mpirun
unset LEAKGRAPH_PATIENCE
export OMP_NUM_THREADS=1

# ---- every capability in one run ----

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm --quiet
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl, more.jsonl]}
near_duplicates: {min_tokens: 5, containment_threshold: 0.9}
dedup: {threshold: 0.7, min_tokens: 5, datasets: [corpus]}
ngrams: {n: [8, 13]}
line_clones: {lines: 3}
repositories: {share: 0.3}
portrait: {width: 30, datasets: [corpus]}
sensitive: {datasets: [bench, corpus]}
probe: {models: [{name: m, path: model.lm}], datasets: [bench]}
generate: {outputs: 40, tokens: 30, prompt: lines, from: corpus}
clean:
  - {name: strict, drop: items, where: near}
  - {name: sides, subsets: corpus, base: 3}
YAML
expect 0 ranks 3 "$leakgraph" run run.yaml --quiet
names=$(sed -n '/^const struct capability .* = {/,/^};/s/.*\.name = "\([a-z]*\)".*/\1/p' "$root"/pipeline/*/*.c)
[ "$(echo $names | wc -w)" = "$(grep -c '^    CAPABILITY(' "$root/pipeline/config/capabilities.c")" ] ||
    fail "capabilities: $names"

# ---- behind each step of each capability ----

# alone RANKS RANK CAPABILITY STEP
alone() {
    local status=0 text="$3 $4 fails on rank $2 alone"
    ranks "$1" timeout 30 env FAULT_STEP="$3 $4" FAULT_RANK="$2" "$BUILD/tests/leakgraph-steps" run run.yaml --quiet \
        >out 2>err </dev/null || status=$?
    [ $status = 1 ] || fail "$text: exit status $status: $(tail -n 3 err)"
    [ "$(grep -c "^error: " err)" = 1 ] && grep -q "^error: .*$text" err || fail "$text: $(cat err)"
}

tried=0
for name in $names; do
    for step in begin enter leave work finish; do
        alone 3 $((tried % 3)) $name $step
        tried=$((tried + 1))
    done
done
echo "$tried steps failed on one rank of three"

# The message is out before any rank has ended: mpirun kills the others at the first that ends.
for try in $(seq $([ "$LONG" ] && echo 30 || echo 5)); do alone 8 $((try % 7 + 1)) near enter; done
