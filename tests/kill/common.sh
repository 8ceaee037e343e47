# What the tests have in common that kill runs.
. "$(dirname "$0")/../cli/common.sh"

seed=${SEED:-$(date +%s)}
RANDOM=$((seed % 32768))
echo "seed=$seed"
kills=0 finished=0 stuck=0

# lives JOB: a run without mpirun, or a rank of mpirun's; its children are the ranks.
lives() {
    local rank
    [ "$(cat "/proc/$1/comm")" = mpirun ] || return 0
    for rank in $(cat "/proc/$1/task/$1/children"); do
        grep -q '^State:.Z' "/proc/$rank/status" || return 0
    done
    return 1
}

# await JOB: the end of mpirun or of a run.  Open MPI 4.1's mpirun may lock up in its own finalization, behind the end
# of all its ranks (PMIx_server_finalize): then it is killed, too, 20 seconds later.  A rank that goes on for 300 is our
# fault.
await() {
    local job=$1 dog
    (
        idle=0
        for second in $(seq 300); do
            sleep 1
            if lives "$job"; then idle=0; else idle=$((idle + 1)); fi
            [ $idle -lt 20 ] || break
        done
        [ $idle -ge 20 ] || touch "$work/hangs"
        touch "$work/stuck"
        kill -9 "$job"
    ) >/dev/null 2>&1 &
    dog=$!
    wait "$job" 2>/dev/null || true
    kill -9 "$dog" 2>/dev/null || true                     # no trap of the shell must run in it
    wait "$dog" 2>/dev/null || true
    [ ! -e "$work/hangs" ] || fail "a run hangs: $(tail -n 5 "$work/log")"
    [ ! -e "$work/stuck" ] || { rm "$work/stuck"; stuck=$((stuck + 1)); }
}

# killed_run MOST: run.yaml with a random number of ranks (0: without mpirun); a rank, or all of it, is killed within
# MOST ms.
killed_run() {
    local count=$((RANDOM % 4)) moment=$((RANDOM % $1)) job victim
    if [ $count = 0 ]; then
        "$leakgraph" run run.yaml >>"$work/log" 2>&1 </dev/null &
    else
        mpirun --oversubscribe --bind-to none -n $count "$leakgraph" run run.yaml >>"$work/log" 2>&1 </dev/null &
    fi
    job=$!
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    victim=$job
    if [ $count != 0 ] && [ $((RANDOM % 2)) = 0 ]; then
        # mpirun's children are the ranks; none yet, or none any more, is fine.
        victim=$({ tr ' ' '\n' <"/proc/$job/task/$job/children"; } 2>/dev/null |
                 sed -n "$((RANDOM % count + 1))p" || true)
    fi
    if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
        kills=$((kills + 1))
    else
        finished=$((finished + 1))
    fi
    await $job
}

# kills_told: how it went.
kills_told() {
    echo "$kills kills, $finished runs were over before, $(grep -c reused "$work/runs") summaries speak of reused units"
    [ $stuck = 0 ] || echo "mpirun locked up $stuck times behind the end of its ranks"
    [ $kills -gt 0 ] || fail "no run was killed"
}
