# seconds: 60
# leakgraph status: of a run that goes on, has ended, was killed, one rank of it or all, and is resumed with other
# ranks.  A server answers a model's questions slowly, so that there is a run to look at.
. "$(dirname "$0")/common.sh"
need mpirun

two_sets "$work/sets" --bench 20 --corpus 60 --shards 2
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml --quiet
expect 0 "$leakgraph" status run
says "$work/out" '^run: ended with exit status 0 at 20.*Z, after 0:0' 'leakgraph run, version ' '80 records, 0 of them'
expect 0 "$leakgraph" fsck run
expect 0 "$leakgraph" run run.yaml --quiet --output "$(printf 'a\033[2J b')"
expect 0 "$leakgraph" status "$(printf 'a\033[2J b')"
says "$work/out" '^a\\x1b\[2J b: ended'

# A gate's sentence and its status; a run that fails; one that is refused leaves what was said of the one before.
expect 3 "$leakgraph" run run.yaml --quiet --set fail_on.leakage=0
expect 0 "$leakgraph" status run
says "$work/out" 'ended with exit status 3' 'gate fail_on.leakage failed'
expect 3 "$leakgraph" status run --watch
expect 2 "$leakgraph" run run.yaml --quiet --set near_duplicates.view=lines
expect 0 "$leakgraph" status run
says "$work/out" 'ended with exit status 3'
sed 's/"text"/"body"/' bench.jsonl >body.jsonl
expect 2 "$leakgraph" run run.yaml --quiet --output unread --set datasets.bench.files=[body.jsonl]
expect 0 "$leakgraph" status unread
says "$work/out" 'ended with exit status 2' 'error: .*none of its 20 records'
rm unread/work/status-0
expect 0 "$leakgraph" status unread                         # as of an earlier version
says "$work/out" '^unread: ended$'
mkdir empty
expect 1 "$leakgraph" status empty
says "$work/err" 'empty is no folder of a run: it has neither graph.db nor work/'
expect 1 "$leakgraph" status nowhere

# The run's answer does not know of it, and no run ends of it: not of something else in its place, nor of a folder that
# goes away.
rm -r run
expect 0 "$leakgraph" run run.yaml --quiet
before=$(digest run)
rm run/work/status-0
mkdir run/work/status-0
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'rank 0: .*/work/status-0: cannot write: .*: .leakgraph status. will not know .* and the run goes on'
[ "$(grep -c 'cannot write' "$work/err")" = 1 ] || fail "it is said more than once"
[ "$(digest run)" = "$before" ] || fail "another digest"
rmdir run/work/status-0

# ---- a run to look at ----

completions_server
"$PYTHON" - <<'PYTHON'
import json
with open("slow.jsonl", "w") as out:
    for i in range(288):
        out.write(json.dumps({"id": str(i), "text": "!wait %d of many texts\n" % i}) + "\n")
PYTHON
cat >slow.yaml <<YAML
output: slow
datasets: [{name: items, role: benchmark, language: text, files: [slow.jsonl]}]
probe:
  models: [{name: slow, backend: http, url: "http://127.0.0.1:$port/good/v1", concurrency: 4}]
  metrics: [perplexity]
YAML

# member KEY...: of the object in $work/out.
member() { "$PYTHON" -c 'import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2:]: value = value[int(key) if isinstance(value, list) else key]
print(value)' "$work/out" "$@"; }

# asking RANKS: until so many ranks have asked the model for something and said so; then $work/out has the status.
asking() {
    local _ told
    for _ in $(seq 200); do
        sleep 0.1
        "$leakgraph" status slow --json >"$work/out" 2>/dev/null || continue
        told=$("$PYTHON" -c 'import json, sys
found = json.load(open(sys.argv[1]))
print(found["state"], sum(rank.get("items", 0) > 0 for rank in found.get("ranks", [])))' "$work/out")
        [ "$told" != "running $1" ] || return 0
    done
    fail "the run is not seen: $(cat "$work/out" "$work/log")"
}

begin() {       # begin RANKS
    if [ "$1" = 1 ]; then "$leakgraph" run slow.yaml --quiet >"$work/log" 2>&1 </dev/null &
    else ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe --bind-to none -n "$1" "$leakgraph" run slow.yaml --quiet \
        >"$work/log" 2>&1 </dev/null &
    fi
    job=$!
}

# Two ranks; a second run in the same folder is refused and leaves their files alone.
begin 2
asking 2
[ "$(member evidence) $(member stage name) $(member stage unit)" = "lock asking model slow blocks" ] ||
    fail "another stage: $(cat "$work/out")"
[ "$(member ranks 0 state) $(member ranks 1 state)" = "lives lives" ] || fail "ranks are not said to live"
victim=$(member ranks 1 process)
expect 1 env LEAKGRAPH_PATIENCE=1 "$leakgraph" run slow.yaml --quiet
says "$work/err" 'another run works in this folder'
expect 0 "$leakgraph" status slow
says "$work/out" '^slow: running since 20.*Z \(the folder.s lock is held\)' \
    'stage asking model slow: [0-9]+ of [0-9]+ blocks' 'rank 1: lives, .* process [0-9]+, [0-9]+ blocks, last sign 0:0'

# kill -9 of a rank ends all: the status knows, and watching it ends.
kill -9 "$victim"
expect 1 "$leakgraph" status slow --watch 0.2
says "$work/out" '^slow: died, last heard of at 20' 'the same `leakgraph run` goes on where it was'
kill -9 $job 2>/dev/null || true
wait $job 2>/dev/null || true

# The same with one rank: what the second has left is not shown.  Then all of it is killed.
begin 1
asking 1
[ "$("$PYTHON" -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["ranks"]))' "$work/out")" = 1 ] ||
    fail "a rank of an earlier run is shown"
[ ! -e slow/work/status-1 ] || fail "what an earlier run has left stays"
kill -9 $job
wait $job 2>/dev/null || true
expect 0 "$leakgraph" status slow --json
[ "$(member state) $(member evidence) $(member ranks 0 state)" = "died lock gone" ] || fail "$(cat "$work/out")"
expect 1 "$leakgraph" fsck slow
says "$work/out" 'this run is not finished'

# Stopped, not dead.
begin 1
asking 1
kill -STOP $job
expect 0 "$leakgraph" status slow --json
[ "$(member state)" = running ] || fail "a stopped run is taken for a dead one"
kill -CONT $job

# It ends, and who watches it hears so.
expect 0 "$leakgraph" status slow --watch 0.2 --json
"$PYTHON" -c 'import json, sys
states = [json.loads(line)["state"] for line in open(sys.argv[1])]
assert states[-1] == "ended" and set(states[:-1]) == {"running"}, states' "$work/out" || fail "$(tail -n 2 "$work/out")"
wait $job || fail "the run failed: $(cat "$work/log")"
expect 0 "$leakgraph" status slow
says "$work/out" '^slow: ended with exit status 0'

# The folder of a training, while there is one.
expect 0 "$leakgraph" train-ngram --corpus 'c=corpus-*.jsonl' --output m.lm --order 2 --quiet --work kept
expect 0 "$leakgraph" status kept
says "$work/out" '^kept: ended with exit status 0' 'leakgraph train-ngram'
expect 0 "$leakgraph" train-ngram --corpus 'c=corpus-*.jsonl' --output n.lm --order 2 --quiet
[ ! -e n.lm.work ] || fail "the folder of a training stays"
expect 0 "$leakgraph" run run.yaml --quiet --clean
[ -e run/work/status-0 ] || fail "no status after --clean"
