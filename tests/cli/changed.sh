# A shard that changes while it is read, or has another content with the same size and time, is told by its name.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 60 --corpus 300 --shards 2
cd "$work/sets"
# some seconds of text, so that there is a moment to hit
cp corpus-01.jsonl part
for _ in $(seq 40); do cat part; done >corpus-01.jsonl
export OMP_NUM_THREADS=1 LEAKGRAPH_KERNELS=scalar

cp corpus-01.jsonl kept
records=$(cat corpus-00.jsonl corpus-01.jsonl | wc -l)
for tries in $(seq 20); do
    met=
    rm -rf run
    cp kept corpus-01.jsonl
    "$PYTHON" - "$leakgraph" "$work/out" "$work/err" <<'PYTHON' && met=1 || true
import os, subprocess, sys
shard = os.path.realpath("corpus-01.jsonl")
with open(sys.argv[2], "w") as out, open(sys.argv[3], "w") as err:
    job = subprocess.Popen([sys.argv[1], "run", "run.yaml", "--quiet"], stdin=subprocess.DEVNULL, stdout=out,
                           stderr=err)
met = False
while not met and job.poll() is None:            # among its open files: it is being read
    try:
        files = os.listdir("/proc/%d/fd" % job.pid)
        met = any(os.readlink("/proc/%d/fd/%s" % (job.pid, file)) == shard for file in files)
    except OSError:                              # closed meanwhile
        pass
if met:
    os.truncate(shard, 0)
open("status", "w").write("%d\n" % job.wait())
sys.exit(0 if met else 1)
PYTHON
    [ -n "$met" ] || continue
    status=$(cat status)
    # too late: it was read whole before
    [ $status = 0 ] && [ "$(sql run "SELECT sum(records) FROM shards WHERE dataset = 'corpus'")" = "$records" ] || break
done
[ -n "$met" ] || fail "the shard was never seen open"
[ $status = 1 ] || fail "a shard was truncated while it was read: exit status $status: $(cat "$work/err")"
says "$work/err" 'corpus-01\.jsonl: has changed while the run was going on'
[ ! -e run/graph.db ] || fail "there is a graph.db"
cp kept corpus-01.jsonl
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" run run.yaml --output whole
same run whole

# Another content, the same size and time.
before=$(digest run)
touch -r corpus-00.jsonl stamp
sed -i 's/return /retorn /g' corpus-00.jsonl
touch -r stamp corpus-00.jsonl
expect 0 "$leakgraph" run run.yaml
[ "$(digest run)" = "$before" ] || fail "the units were not used"
expect 0 "$leakgraph" run run.yaml --output fresh
[ "$(digest fresh)" != "$before" ] || fail "the other content is no other content"
expect 0 "$leakgraph" run run.yaml --verify
says "$work/err" 'corpus-00\.jsonl: has another content' 'verified: .*changed=1'
same fresh run
made=$(stat -c '%n %i' run/work/*.unit)
expect 0 "$leakgraph" run run.yaml --verify
says "$work/err" 'verified: .*changed=0'
[ "$(stat -c '%n %i' run/work/*.unit)" = "$made" ] || fail "--verify makes units again that are good"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run whole/config.resolved.yaml --verify --threads 1
    says "$work/err" 'verified: .*changed=1'
    same fresh whole
fi
