# seconds: 200
# rest: some fifty runs of every capability
# Every capability on; TERM, KILL, INT or STOP and CONT to a rank, to mpirun or to a run without mpirun at random
# moments, units lost and damaged; then the same command once, with another number of ranks, ends well, and every table
# of graph.db and every output file is that of an unbroken run (compare.py says what may differ).
# ROUNDS= says how many (`make check-full ROUNDS=500`), SEED= which; FIRST= begins with a later one.
. "$(dirname "$0")/common.sh"
need zstd mpirun

rounds=${ROUNDS:-$([ -z "$LONG" ] && echo 10 || echo 60)}

mkdir "$work/sets"
cd "$work/sets"
"$PYTHON" "$root/tests/cli/subsets.py" make
"$PYTHON" - <<'PYTHON'
import json, random
words = [a + b for a in "read write parse build merge split join cut".split()
         for b in "item line node page row set map key".split()]
def text(lines, seed):
    r = random.Random(seed)
    return "def f%d(%s):\n" % (seed, r.choice(words)) + "".join(
        "    %s = %s(%s, %d)\n" % (r.choice(words), r.choice(words), r.choice(words), r.randrange(99))
        for _ in range(lines))
def alike(n):
    return text(25 + n // 9 % 10, n // 9) + "    return %s\n" % words[n % 9]
for part in range(6):
    with open("big-%d.jsonl" % part, "w") as out:
        for i in range(900):
            out.write(json.dumps({"id": "b%d-%d" % (part, i), "text": alike(part * 900 + i),
                                  "repo": "o/r%d" % (i % 7), "path": "p/%d.py" % i}) + "\n")
PYTHON
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm --quiet
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: second, role: benchmark, language: python, splits: {train: [second.jsonl], test: [bench.jsonl]}}
  - {name: corpus, role: corpus, language: python, splits: {a: [corpus.jsonl], b: [more.jsonl]}}
  - {name: big, role: corpus, language: python, files: ["big-*.jsonl"]}
  - {name: licensed, role: corpus, language: python, files: [licensed.jsonl]}
YAML
"$PYTHON" "$root/tests/cli/subsets.py" licensed >licensed.jsonl
"$PYTHON" "$root/tests/cli/subsets.py" settings \
    'dedup={threshold: 0.7, min_tokens: 5, method: lsh, measure: 50, bucket_cap: 2, shard_size: 100KB, zstd_level: 1}' \
    'probe={models: [{name: small, path: model.lm}], datasets: [bench], metrics: [perplexity]}' >>run.yaml
cat >>run.yaml <<'YAML'
generate: {outputs: 40, tokens: 40}
inclusion: {from: corpus, trained: a, others: b, per_category: 1}
compliance: {benchmark: licensed, tokens: 20}
clean:
  - {name: strict, drop: items, where: near}
  - {name: cut, drop: documents, where: near}
YAML
export OMP_NUM_THREADS=1 LEAKGRAPH_KERNELS=scalar

started=$(date +%s%N)
expect 0 "$leakgraph" run run.yaml
length=$((($(date +%s%N) - started) / 1000000))
mv run whole
[ "$(sql whole "SELECT count(*) FROM run WHERE key IN ('dedup.mutants', 'dedup.hot_buckets') AND value > 0")" = 2 ] ||
    fail "the run has nothing to count: $(sql whole "SELECT * FROM run WHERE key GLOB 'dedup.*'")"
echo "an undisturbed run takes $length ms"

moment() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }        # moment MOST: of milliseconds, in seconds

# disturbed_run: killed, or only stopped for a moment, and waited for.
disturbed_run() {
    local count=$((RANDOM % 4)) signals=(TERM KILL INT STOP) signal job victim
    signal=${signals[RANDOM % 4]}
    # the shell lets background jobs ignore INT
    if [ $count = 0 ]; then
        env --default-signal=INT "$leakgraph" run run.yaml --quiet >>"$work/log" 2>&1 </dev/null &
    else
        env --default-signal=INT mpirun --oversubscribe --bind-to none -n $count "$leakgraph" run run.yaml --quiet \
            >>"$work/log" 2>&1 </dev/null &
    fi
    job=$!
    sleep "$(moment $((RANDOM % (length + 100 + 300 * count))))"
    victim=$job
    if [ $count != 0 ] && [ $((RANDOM % 2)) = 0 ]; then
        victim=$({ tr ' ' '\n' <"/proc/$job/task/$job/children"; } 2>/dev/null |
                 sed -n "$((RANDOM % count + 1))p" || true)
    fi
    echo "round $round: $count ranks, $signal to $([ "$victim" = $job ] && echo the job || echo a rank)" >>"$work/log"
    if [ -n "$victim" ] && kill -$signal "$victim" 2>/dev/null; then
        kills=$((kills + 1))
        if [ $signal = STOP ]; then
            sleep "$(moment $((RANDOM % 500)))"
            kill -CONT "$victim" 2>/dev/null || true
        fi
    else
        finished=$((finished + 1))
    fi
    await $job
}

# Up to ten units are gone, up to three have another byte.
lose_units() {
    local unit at
    ls run/work/*.unit >/dev/null 2>&1 || return 0
    for unit in $(ls run/work/*.unit | shuf -n $((RANDOM % 11)) --random-source=<(yes $RANDOM)); do
        rm "$unit"
        echo "lost: $unit" >>"$work/log"
    done
    ls run/work/*.unit >/dev/null 2>&1 || return 0
    # a rank outlives a killed mpirun for a while, and what it has mapped and checked must stay what it was
    flock -w 60 run/work/lock true || fail "a rank of a killed job holds the folder"
    for unit in $(ls run/work/*.unit | shuf -n $((RANDOM % 4)) --random-source=<(yes $RANDOM)); do
        at=$((RANDOM * 32768 + RANDOM))
        at=$((at % $(stat -c %s "$unit")))
        printf 'damage' | dd of="$unit" bs=1 seek="$at" conv=notrunc 2>/dev/null
        echo "damaged: $unit, byte $at" >>"$work/log"
    done
}

# Each kind of unit in turn is damaged, all of it, in a run that was whole.
for kind in $(ls whole/work | sed -n 's/-[0-9a-f]*\.unit$//p' | sort -u); do
    rm -rf run
    cp -a whole run
    for unit in run/work/$kind-*.unit; do
        printf 'damage' | dd of="$unit" bs=1 seek=$(($(stat -c %s "$unit") / 2)) conv=notrunc 2>/dev/null
    done
    expect 0 "$leakgraph" run run.yaml --quiet
    "$PYTHON" "$root/tests/kill/compare.py" whole run >"$work/different" ||
        fail "all units of kind $kind were damaged: $(cat "$work/different")"
done

for round in $(seq $rounds); do
    : >"$work/log"
    # every round has its own moments, whatever those before it did
    RANDOM=$(((seed + round) % 32768))
    [ "$round" -ge "${FIRST:-1}" ] || continue
    [ $((RANDOM % 3)) = 0 ] || rm -rf run           # also folders that were whole before, and go on from there
    for attempt in $(seq $((RANDOM % 3 + 1))); do
        disturbed_run
        [ $((RANDOM % 3)) != 0 ] || lose_units
    done
    status=0
    count=$((RANDOM % 3 + 1))
    ranks $count timeout -s KILL 120 "$leakgraph" run run.yaml >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status = 0 ] ||
        fail "round $round of SEED=$seed: exit status $status of $count ranks: $(cat "$work/log" "$work/err")"
    "$PYTHON" "$root/tests/kill/compare.py" whole run >"$work/different" ||
        fail "round $round of SEED=$seed: $(cat "$work/different" "$work/log")"
    grep -E 'reused' "$work/err" >>"$work/runs" || true
done
expect 0 "$leakgraph" fsck run
kills_told
