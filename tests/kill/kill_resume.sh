# seconds: 150
# kill -9 of one rank, of mpirun or of a run without mpirun at random moments; the same command again, with another
# number of ranks, gives the same digest.  SEED= chooses the moments; make check-full does many more rounds.
. "$(dirname "$0")/common.sh"
need zstd mpirun

rounds=3
[ -z "$LONG" ] || rounds=20

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

for round in $(seq $rounds); do
    rm -rf run
    for attempt in 1 2 3; do
        killed_run $((length + 700))
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
kills_told
