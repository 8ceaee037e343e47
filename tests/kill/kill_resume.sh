# seconds: 150
# kill -9 of one rank, of mpirun or of a run without mpirun at random moments; the same command again, with another
# number of ranks, gives the same digest.  SEED= chooses the moments; make check-full does many more rounds.
. "$(dirname "$0")/../cli/common.sh"
need zstd mpirun

rounds=6
[ -z "$LONG" ] || rounds=40
seed=${SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
echo "seed=$seed"

# Some 50 MB of text in 16 shards and the slowest kernels, so that there are moments to hit.
"$PYTHON" tests/cli/make_sets.py --bench 300 --corpus 12000 --shards 2 "$work/sets"
cd "$work/sets"
mkdir corpus
zstd -q corpus-00.jsonl corpus-01.jsonl
for copy in 0 1 2 3 4 5 6 7; do
    cp corpus-00.jsonl.zst corpus/${copy}0.zst
    cp corpus-01.jsonl.zst corpus/${copy}1.zst
done
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus/*.zst"]}
near_duplicates: {view: identifiers}
graph: {store: none}
YAML
export OMP_NUM_THREADS=1 LEAKGRAPH_KERNELS=scalar

started=$(date +%s%N)
expect 0 "$leakgraph" run run.yaml --output whole
length=$((($(date +%s%N) - started) / 1000000))
reference=$(digest whole)
echo "an undisturbed run takes $length ms"

# start: a run with a random number of ranks (0: without mpirun) in the background; its process in $job.
start() {
    count=$((RANDOM % 4))
    if [ $count = 0 ]; then
        "$leakgraph" run run.yaml >>"$work/log" 2>&1 </dev/null &
    else
        mpirun --oversubscribe --bind-to none -n $count "$leakgraph" run run.yaml >>"$work/log" 2>&1 </dev/null &
    fi
    job=$!
}

kills=0 finished=0
for round in $(seq $rounds); do
    rm -rf run
    for attempt in 1 2 3; do
        start
        moment=$((RANDOM % (length + 700)))
        sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
        victim=$job
        if [ $count != 0 ] && [ $((RANDOM % 2)) = 0 ]; then
            # mpirun's children are the ranks; none yet, or none any more, is fine.
            victim=$(tr ' ' '\n' <"/proc/$job/task/$job/children" 2>/dev/null | sed -n "$((RANDOM % count + 1))p" ||
                     true)
        fi
        if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
            kills=$((kills + 1))
        else
            finished=$((finished + 1))
        fi
        wait $job 2>/dev/null || true
        # A graph.db is whole whenever it is there.
        [ ! -e run/graph.db ] || [ "$(digest run)" = "$reference" ] ||
            fail "round $round: a killed run left a wrong graph.db"
    done
    count=$((RANDOM % 3 + 1))
    expect 0 ranks $count "$leakgraph" run run.yaml
    [ "$(digest run)" = "$reference" ] || fail "round $round: another digest after the kills"
    expect 0 "$leakgraph" fsck run
    cat run/run.log >>"$work/runs"
done
echo "$kills kills, $finished runs were over before, $(grep -c reused "$work/runs") summaries speak of reused units"
[ $kills -gt 0 ] || fail "no run was killed"
