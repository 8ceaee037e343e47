# seconds: 1500
# A run with every kind of output, damaged in many ways: fsck finds each damage and names the file or the table.
# SEED= chooses the damages; --long: a thousand of them.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, splits: {train: [bench.jsonl], test: [second.jsonl]}}
  - {name: corpus, role: corpus, language: python, self_join: exact, files: [corpus.jsonl]}
  - {name: more, role: corpus, language: python, files: [more.jsonl]}
YAML
"$PYTHON" "$root/tests/cli/subsets.py" settings \
    'dedup={threshold: 0.7, min_tokens: 5, measure: 0, shard_size: 0}' >>run.yaml
cat >>run.yaml <<'YAML'
generate: {outputs: 4, tokens: 40}
clean:
  - {name: strict, drop: items, where: "near or palm_8gram"}
  - {name: cut, drop: spans, dataset: bench, where: "clone >= 3"}
  - {name: drawn, subsets: more, base: 1}
fail_on: {rejects: 50}
YAML
expect 0 "$leakgraph" run run.yaml --quiet
expect 0 "$leakgraph" fsck run
for place in clean/ cleaned/ lists/ generations/ corpus.portrait report.md graph.db; do
    cut -f3 run/manifest.tsv | grep -q "^$place" || fail "the run has no $place"
done
"$PYTHON" "$root/tests/cli/damage.py" "$leakgraph" run "$([ -n "$LONG" ] && echo 1000 || echo 60)" "${SEED:-1}"

# A folder of a version that wrote no manifest: fsck says what it cannot check.
rm run/manifest.tsv
expect 1 "$leakgraph" fsck run
says out 'FAIL  manifest.tsv: is not there'
"$PYTHON" - <<'PYTHON'
import sqlite3
database = sqlite3.connect("run/graph.db")
database.execute("DELETE FROM run WHERE key GLOB 'contents.*'")
database.commit()
PYTHON
expect 0 "$leakgraph" fsck run
says out '^--    there is no manifest.tsv, .* cannot be checked$'
