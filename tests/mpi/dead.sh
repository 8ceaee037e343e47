# seconds: 120
# A dead rank ends the job with a message even where its launcher does not notice; a stopped one does not.
# What mpirun started is a shell here that lives on, so that it does not see the rank end.
. "$(dirname "$0")/../cli/common.sh"
need mpirun

two_sets "$work/sets" --bench 20 --corpus 60 --shards 3
cd "$work/sets"
export OMP_NUM_THREADS=1 leakgraph LEAKGRAPH_PATIENCE=1

# Stopped for three times the patience, then killed: it is missed when it is dead.
cat >stopped.sh <<'SH'
[ "$OMPI_COMM_WORLD_RANK" = "$1" ] || exec "$leakgraph" run run.yaml --quiet
"$leakgraph" run run.yaml --quiet &
until grep -qs 'ranks=3' run/run.log; do sleep 0.01; done
kill -STOP $!
sleep 3
date +%s >killed
kill -KILL $!
sleep 60
SH
for rank in 1 0; do
    rm -rf run killed
    expect 1 ranks 3 timeout 100 bash stopped.sh $rank
    [ -e killed ] || fail "it ended before the stopped rank $rank was killed: $(cat "$work/err")"
    [ $(($(date +%s) - $(cat killed))) -lt 20 ] || fail "rank $rank was missed late"
    says "$work/err" "^warning: rank [0-2]: rank $rank has ended before its time"
    ! grep -q LEAKGRAPH_PATIENCE "$work/err" || fail "a stopped rank was taken for dead: $(cat "$work/err")"
done

# A rank that never starts MPI: the others do not wait for it for ever.
cat >missing.sh <<'SH'
[ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec "$leakgraph" run run.yaml --quiet
sleep 60
SH
started=$(date +%s)
expect 1 ranks 2 bash missing.sh
[ $(($(date +%s) - started)) -lt 30 ] || fail "the start took $(($(date +%s) - started)) s"
says "$work/err" '^warning: rank 0: the start of MPI takes longer than 10 s'
