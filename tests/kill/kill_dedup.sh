# seconds: 200
# kill -9 of one rank, of mpirun or of a run without mpirun at random moments of dedup; the same command again, with
# another number of ranks, gives the same digest and the same cleaned shards.  Then damage: a unit of columns or of
# fates is noticed and made again, a damaged spill file is named and never used.  SEED= chooses the moments; make
# check-full does many more rounds.
. "$(dirname "$0")/common.sh"
need zstd mpirun

rounds=2
[ -z "$LONG" ] || rounds=20

cd "$work"
mkdir corpus
"$BUILD/bench/make_corpus" 40000 11 6 corpus
cat >run.yaml <<'YAML'
output: run
memory: 16MB
datasets: [{name: corpus, language: text, files: ["corpus/*.zst"]}]
dedup: {method: lsh, zstd_level: 1, shard_size: 4MB}
graph: {store: none}
YAML
export OMP_NUM_THREADS=1 LEAKGRAPH_KERNELS=scalar
written() { (cd "$1" && find clean lists -type f | LC_ALL=C sort | xargs sha256sum); }

started=$(date +%s%N)
expect 0 "$leakgraph" run run.yaml --output whole
length=$((($(date +%s%N) - started) / 1000000))
reference=$(digest whole)
written whole >"$work/reference"
[ "$(find whole/clean -type f | wc -l)" = 3 ] || fail "six shards are not written as three: $(find whole/clean)"
echo "an undisturbed run takes $length ms"

check() {       # check WHAT: after a whole run
    [ "$(digest run)" = "$reference" ] || fail "$1: another digest"
    written run >"$work/bytes"
    cmp -s "$work/reference" "$work/bytes" || fail "$1: other files: $(diff "$work/reference" "$work/bytes")"
}

# ---- kills ----

for round in $(seq $rounds); do
    rm -rf run
    for attempt in 1 2 3; do
        killed_run $((length + 300))
        # What is there under its final name is whole.
        [ ! -e run/graph.db ] || [ "$(digest run)" = "$reference" ] ||
            fail "round $round: a killed run left a wrong graph.db"
        for file in $(cd run 2>/dev/null && find clean lists -name '*.zst' 2>/dev/null); do
            cmp -s "run/$file" "whole/$file" || fail "round $round: a killed run left a wrong $file"
        done
    done
    expect 0 ranks $((RANDOM % 3 + 1)) "$leakgraph" run run.yaml
    check "round $round"
    expect 0 "$leakgraph" fsck run
    cat run/run.log >>"$work/runs"
done
kills_told

# ---- damage ----

flip() {        # flip FILE: its middle byte becomes another one
    local at=$(($(stat -c %s "$1") / 2)) byte
    byte=$(od -An -tu1 -j "$at" -N 1 "$1")
    printf "\\x$(printf %x $((byte ^ 85)))" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}

rm -rf run
expect 0 "$leakgraph" run run.yaml
for kind in columns fate; do
    victim=$(ls run/work/$kind*.unit | sed -n 2p)
    [ -n "$victim" ] || fail "no units of kind $kind: $(ls run/work)"
    flip "$victim"
    expect 1 "$leakgraph" fsck run
    cat "$work/out" "$work/err" >"$work/both"
    says "$work/both" "$(basename "$victim")"
    rm -rf run/clean run/graph.db
    expect 0 "$leakgraph" run run.yaml
    check "a damaged unit of $kind"
    expect 0 "$leakgraph" fsck run
done

# The run stops while its spill files lie there, one is damaged, and it goes on: it ends with that file's name, or had
# already read it.
named=0
for attempt in $(seq 20); do
    rm -rf run
    "$leakgraph" run run.yaml >"$work/out" 2>"$work/err" </dev/null &
    job=$!
    while kill -0 $job 2>/dev/null; do
        victim=$(find run/work -name 'tmp-*-records-*.spill' -size +64k 2>/dev/null | head -n 1)
        [ -z "$victim" ] || break
    done
    if [ -n "$victim" ] && kill -STOP $job 2>/dev/null; then
        flip "$victim" 2>/dev/null || true
        kill -CONT $job
    fi
    status=0
    wait $job || status=$?
    case $status in
        0) check "a spill file damaged too late" ;;
        1) says "$work/err" "$(basename "$victim")"
           named=$((named + 1))
           expect 0 "$leakgraph" run run.yaml
           check "after a damaged spill file"
           [ $named -lt 2 ] || break ;;
        *) fail "exit status $status after a damaged spill file" ;;
    esac
done
[ $named -gt 0 ] || fail "no damaged spill file was noticed"
