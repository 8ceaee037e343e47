# seconds: 120
# The demonstration's own input gives exactly the pairs that make_sample.py counted; the SQL of docs/reference.md runs
# on its graph.db.
. "$(dirname "$0")/common.sh"
need zstd "$PYTHON"

mkdir -p "$work/data"
"$PYTHON" scripts/make_sample.py --seed 5 "$work/data/sample"
cp pipeline.yaml "$work/pipeline.yaml"
expect 0 "$leakgraph" run "$work/pipeline.yaml" --output "$work/demo" --set graph.store=tokens
"$PYTHON" scripts/demo_score.py "$work/demo" "$work/data/sample/truth.tsv" || fail "precision and recall are not 1"

reference_sql "$work/demo/graph.db" near
expect 0 "$leakgraph" fsck "$work/demo"
