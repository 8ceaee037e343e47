# seconds: 240
# rest: sets of many times the memory
# Sets whose pairs alone are several times what `memory` allows: every rank stays within it and 200 MB more, and finds
# what it finds with plenty.  LONG=1: larger ones.
. "$(dirname "$0")/common.sh"

# bounded FOLDER MEMORY COMMAND...: like expect 0, of a run in FOLDER; its largest process stays within MEMORY MB + 200.
bounded() {
    local folder=$1 memory=$2 peak
    shift 2
    "$PYTHON" - "$folder" "$@" <<'PYTHON' || fail "$*"
import resource, subprocess, sys
with open(sys.argv[1] + "/said", "w") as said:
    status = subprocess.call(sys.argv[2:], cwd=sys.argv[1], stdin=subprocess.DEVNULL, stdout=said, stderr=said)
if status:
    print(open(sys.argv[1] + "/said").read())
with open(sys.argv[1] + "/peak", "w") as out:
    out.write("%d\n" % (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(status)
PYTHON
    peak=$(cat "$folder/peak")
    [ "$peak" -le $((memory + 200)) ] || fail "$peak MB with memory: ${memory}MB: $*"
    echo "$peak MB with memory: ${memory}MB"
}

sanitized=false
nm "$leakgraph" 2>/dev/null | grep -qE '__(asan|tsan|msan)_init' && sanitized=true
$sanitized && { echo "sanitizers have memory of their own"; exit 77; }

items=420 texts=4200 most=16
[ -z "$LONG" ] || { items=1500 texts=8000 most=64; }      # under max_matches an item

# Items and texts of one template: each is a class of its own, with a link to every other.
"$PYTHON" tests/cli/make_crowds.py alike "$work/near" --benchmark $items --corpus $texts
bounded "$work/near" $most "$leakgraph" run run.yaml --quiet --set memory=${most}MB
pairs=$((items * texts + items * (items - 1) / 2))
[ "$(sql "$work/near/run" "SELECT count(*) FROM edges")" = $pairs ] || fail "not $pairs pairs"
[ $((pairs * 28 / 1000000)) -gt $((3 * most)) ] || fail "the pairs fit into memory"
if [ -z "$LONG" ]; then
    expect 0 "$leakgraph" run "$work/near/run.yaml" --output "$work/near/again" --quiet
    same "$work/near/run" "$work/near/again"
fi
[ -z "$(find "$work/near/run/work" -name 'tmp-*')" ] || fail "temporaries are left"

# Documents of a few templates, joined with themselves: each meets those of its template in nearly every band.
documents=1600 templates=2 memory=16
[ -z "$LONG" ] || { documents=20000 templates=20 memory=64; }           # buckets just below the cap
"$PYTHON" tests/cli/make_crowds.py alike "$work/self" --corpus $documents --templates $templates
bounded "$work/self" $memory "$leakgraph" dedup texts=texts.jsonl --output out --quiet --threads 2 \
    --set memory=${memory}MB
each=$((documents / templates))
pairs=$((templates * each * (each - 1) / 2))
found=$(sql "$work/self/out" "SELECT value FROM run WHERE key = 'dedup.candidates'")
[ "$found" -gt $((pairs * 99 / 100)) ] || fail "$found of $pairs pairs are candidates"
if [ -z "$LONG" ]; then
    expect 0 "$leakgraph" dedup texts="$work/self/texts.jsonl" --output "$work/self/again" --quiet
    same "$work/self/out" "$work/self/again"
fi
[ -z "$(find "$work/self/out/work" -name 'tmp-*')" ] || fail "temporaries are left"

# Of one template: buckets above the cap, and of the documents in the sample each has a pair with all.
"$PYTHON" tests/cli/make_crowds.py alike "$work/one" --corpus 20000
bounded "$work/one" 16 "$leakgraph" dedup texts=texts.jsonl --output out --quiet --threads 2 --set memory=16MB
[ "$(sql "$work/one/out" "SELECT CAST(value AS INTEGER) > 10000000 FROM run WHERE key = 'dedup.sample_pairs'")" = 1 ] ||
    fail "the sample has few pairs"

# Matched documents that would fill more than memory as rows of the graph.
items=2500
[ -z "$LONG" ] || items=20000
"$PYTHON" tests/cli/make_crowds.py copies "$work/copies" --benchmark $items --documents 100
sed -i '$a graph: {store: none}' "$work/copies/run.yaml"
memory=16
[ -z "$LONG" ] || memory=384
bounded "$work/copies" $memory "$leakgraph" run run.yaml --quiet --threads 2 --set memory=${memory}MB
[ "$(sql "$work/copies/run" "SELECT count(*) FROM edges")" = $((items * 100)) ] || fail "not $((items * 100)) pairs"

# Very many datasets of few documents: each pair of them has a row, of which the report tells the largest.
sets=200 memory=16
[ -z "$LONG" ] || { sets=300; memory=64; }
"$PYTHON" tests/cli/make_crowds.py sets "$work/sets" --benchmark $sets --corpus $sets
bounded "$work/sets" $memory "$leakgraph" run run.yaml --quiet --set memory=${memory}MB
pairs=$((3 * sets * sets - sets))
[ "$(sql "$work/sets/run" "SELECT count(*) FROM leakage")" = $pairs ] || fail "not $pairs rows"
grep -q "view leakage of graph.db has all" "$work/sets/run/report.md" || fail "the report does not say where rows are"
echo ok
