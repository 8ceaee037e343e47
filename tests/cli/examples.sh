# The examples of docs/examples, on a run: each answers the question that it is there for.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 40 --corpus 200 --shards 2
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml --quiet
leaked=$(sql run "SELECT count(*) FROM leaked_items")
[ "$leaked" -gt 5 ] || fail "only $leaked items leaked"

"$leakgraph" export run items --benchmark bench --leaked --columns source_id --format jsonl >leaked.jsonl
expect 0 "$PYTHON" "$root/docs/examples/leaked_ids.py" leaked.jsonl bench.jsonl
says "$work/err" "$((40 - leaked)) items kept, $leaked of $leaked leaked ids removed"
[ "$(wc -l <"$work/out")" = $((40 - leaked)) ] || fail "other items are kept"
# what Hugging Face's datasets do with it, by a stand-in for their filter
"$PYTHON" - "$root/docs/examples/leaked_ids.py" $((40 - leaked)) <<'PYTHON'
import json, re, sys
step = re.search(r"\.filter\((lambda row: .*)\)\n", open(sys.argv[1]).read()).group(1)
leaked = {json.loads(line)["source_id"] for line in open("leaked.jsonl")}
rows = list(filter(eval(step), map(json.loads, open("bench.jsonl"))))
assert len(rows) == int(sys.argv[2]), len(rows)
PYTHON

expect 0 "$PYTHON" "$root/docs/examples/leaks_by_repository.py" run bench
says "$work/out" "^$leaked of 40 items of bench leaked" '^tests/sets  +Apache-2.0 '
expect 1 "$PYTHON" "$root/docs/examples/leaks_by_repository.py" run nothing

if "$PYTHON" -c 'import pandas' 2>/dev/null; then
    "$leakgraph" export run items --format jsonl >items.jsonl
    expect 0 "$PYTHON" "$root/docs/examples/rules_agree.py" items.jsonl
    says "$work/out" "^items: 40  leaked: $leaked" '^near ' '^bench '
else echo "no pandas here"; fi
if "$PYTHON" -c 'import networkx' 2>/dev/null; then
    "$leakgraph" export run pairs --leaked --min-similarity 0.8 --format graphml >pairs.graphml
    expect 0 "$PYTHON" "$root/docs/examples/hubs.py" pairs.graphml
    says "$work/out" '^[0-9]+ documents, [0-9]+ pairs, [0-9]+ components' '^[0-9]+ pairs are between two datasets'
else echo "no networkx here"; fi

# Each says how it is called, and what it is called with wrongly.
for script in "$root"/docs/examples/*.py; do
    case $script in
    */rules_agree.py) "$PYTHON" -c 'import pandas' 2>/dev/null || continue ;;
    */hubs.py) "$PYTHON" -c 'import networkx' 2>/dev/null || continue ;;
    esac
    expect 0 "$PYTHON" "$script" --help
    says "$work/out" "    $(basename "$script") "
    expect 2 "$PYTHON" "$script"
    says "$work/err" 'the following arguments are required'
done
