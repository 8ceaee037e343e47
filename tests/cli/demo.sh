# seconds: 120
# The demonstration's own input gives exactly the pairs that make_sample.py counted; the SQL of the README runs on its graph.db.
. "$(dirname "$0")/common.sh"
need zstd "$PYTHON"

mkdir -p "$work/data"
"$PYTHON" scripts/make_sample.py --seed 5 "$work/data/sample"
cp pipeline.yaml "$work/pipeline.yaml"
expect 0 "$leakgraph" run "$work/pipeline.yaml" --output "$work/demo" --set graph.store=tokens
"$PYTHON" scripts/demo_score.py "$work/demo" "$work/data/sample/truth.tsv" || fail "precision and recall are not 1"

"$PYTHON" - "$work/demo/graph.db" <<'PYTHON'
import re, sqlite3, sys
blocks = re.findall(r"```sql\n(.*?)```", open("README.md").read(), re.S)
assert blocks, "README.md has no SQL"
database = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
for block in blocks:
    rows = database.execute(block).fetchall()
    assert rows, "a query of README.md gives no row:\n" + block
    print(rows[:5])
PYTHON
expect 0 "$leakgraph" fsck "$work/demo"
