# scripts/compare_graphs.py finds two runs of the same sets equal, and one that differs, by the table that does.
. "$(dirname "$0")/common.sh"
compare=$PWD/scripts/compare_graphs.py
cd "$work"
printf '%s\n' '{"text": "int first(void) { return 1; }"}' '{"text": "int second(void) { return 2; }"}' >a.jsonl
cat >run.yaml <<'YAML'
output: old
datasets:
  - {name: a, role: corpus, files: [a.jsonl]}
  - {name: b, role: benchmark, files: [b.jsonl]}
near_duplicates: {}
YAML
cp a.jsonl b.jsonl
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" run run.yaml --output same
"$PYTHON" "$compare" old/graph.db same/graph.db >out || fail "two runs of the same sets differ: $(grep "not equal" out)"
head -1 a.jsonl >b.jsonl
expect 0 "$leakgraph" run run.yaml --output other
"$PYTHON" "$compare" old/graph.db other/graph.db >out && fail "a record less is no difference"
says out "not equal"
