# seconds: 400
# rest: a run of three ranks for each fault
# One rank of three fails alone, the others do not: the whole job ends in seconds with the exit status and the message
# of that failure, once.  First behind each step of each capability; then at the k-th allocation and the k-th file call
# of one rank, wherever that is (a fourth of the steps and some k, SEED= chooses them; make check-full all steps and
# many k).  No rank's patience is bounded here, so that one that waits for the others is seen by the time limit.
. "$(dirname "$0")/../cli/common.sh"
case $BUILD in *asan*|*tsan*) echo "a sanitizer and the injected faults both replace malloc"; exit 77 ;; esac
need mpirun
unset LEAKGRAPH_PATIENCE
export OMP_NUM_THREADS=1
seed=${SEED:-$(date +%s)}
echo "seed=$seed"

# ---- every capability in one run ----

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm --quiet
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl, more.jsonl]}
  - {name: second, role: corpus, language: python, files: [second.jsonl]}
  - {name: licensed, role: corpus, language: python, files: [licensed.jsonl]}
YAML
"$PYTHON" "$root/tests/cli/subsets.py" licensed >licensed.jsonl
"$PYTHON" "$root/tests/cli/subsets.py" settings \
    'dedup={threshold: 0.7, min_tokens: 5, datasets: [corpus]}' >>run.yaml
cat >>run.yaml <<'YAML'
generate: {outputs: 40, tokens: 30, prompt: lines, from: corpus}
inclusion: {from: second, per_category: 1}
compliance: {benchmark: licensed, tokens: 20}
history: {}
clean:
  - {name: strict, drop: items, where: near}
  - {name: sides, subsets: corpus, base: 3}
YAML
expect 0 ranks 3 "$leakgraph" run run.yaml --quiet
reference=$(digest run)
names=$(sed -n '/^const struct capability .* = {/,/^};/s/.*\.name = "\([a-z]*\)".*/\1/p' "$root"/pipeline/*/*.c)
[ "$(echo $names | wc -w)" = "$(grep -c '^    CAPABILITY(' "$root/pipeline/config/capabilities.c")" ] ||
    fail "capabilities: $names"

# ---- behind each step of each capability ----

# alone RANKS RANK CAPABILITY STEP
alone() {
    local status=0 text="$3 $4 fails on rank $2 alone"
    ranks "$1" timeout 120 env FAULT_STEP="$3 $4" FAULT_RANK="$2" "$BUILD/tests/leakgraph-steps" run run.yaml --quiet \
        >out 2>err </dev/null || status=$?
    [ $status = 1 ] || fail "$text: exit status $status: $(tail -n 3 err)"
    [ "$(grep -c "^error: " err)" = 1 ] && grep -q "^error: .*$text" err || fail "$text: $(cat err)"
}

steps=0 tried=0
for name in $names; do
    for step in begin enter leave work finish; do
        steps=$((steps + 1))
        [ "$LONG" ] || [ $(((steps + seed) % 4)) = 0 ] || continue
        alone 3 $((tried % 3)) $name $step
        tried=$((tried + 1))
    done
done
alone 3 0 history ask                                       # what rank 0 does alone
echo "$tried of $steps steps failed on one rank of three"

# The message is out before any rank has ended: mpirun kills the others at the first that ends.
for try in $(seq $([ "$LONG" ] && echo 30 || echo 5)); do alone 8 $((try % 7 + 1)) near enter; done

# So it is on every other way out: an assertion, a signal, a start that fails on one rank alone, a command line.
# out WHAT STATUS TEXT COMMAND...: on 8 ranks
out() {
    local what=$1 wanted=$2 text=$3 status=0
    shift 3
    ranks 8 timeout 120 "$@" >out 2>err </dev/null || status=$?
    [ $status = "$wanted" ] || fail "$what: exit status $status: $(tail -n 3 err)"
    grep -q "$text" err || fail "$what: the message is lost: $(cat err)"
}
for try in $(seq $([ "$LONG" ] && echo 30 || echo 3)); do
    rank=$((try % 7 + 1))
    steps="$BUILD/tests/leakgraph-steps run run.yaml --quiet"
    out "an assertion on rank $rank" 134 "Assertion.*how" \
        env FAULT_STEP="near enter" FAULT_RANK=$rank FAULT_HOW=assert $steps
    out "SIGTERM on rank 0" 143 "^interrupted; the same command goes on" \
        env FAULT_STEP="near enter" FAULT_RANK=0 FAULT_HOW=signal $steps
    out "the start on rank $rank" 2 "^error: LEAKGRAPH_PATIENCE=soon" bash -c \
        '[ $OMPI_COMM_WORLD_RANK = $0 ] && export LEAKGRAPH_PATIENCE=soon; exec "$@"' $rank \
        "$leakgraph" run run.yaml --quiet
    out "the command line" 2 "^error: .*nonsense" "$leakgraph" run run.yaml --nonsense
    out "the settings" 2 "^error: .*nonsense" "$leakgraph" run run.yaml --set nonsense=1
done

# ---- a firewall ----

# One rank cannot connect to rank 0: there is no watch, which rank 0 says, and all else is as it was.
expect 0 ranks 3 env LD_PRELOAD="$BUILD/tests/inject.so" FAULT_KIND=connect FAULT_AT=1 FAULT_STICKY=1 FAULT_ERRNO=111 \
    FAULT_RANK=2 "$leakgraph" run run.yaml --output unwatched --quiet
[ "$(grep -c '^warning: the ranks cannot connect' "$work/err")" = 1 ] || fail "no warning: $(cat "$work/err")"
[ "$(digest unwatched)" = "$reference" ] || fail "another digest without a watch"

# ---- anywhere ----

faulty() {      # faulty RANK VARIABLE...: $command with them in its environment
    local rank=$1
    shift
    rm -rf faulty* report
    ranks 3 timeout 120 env LD_PRELOAD="$BUILD/tests/inject.so" FAULT_REPORT="$PWD/report" FAULT_RANK="$rank" "$@" \
        "$leakgraph" $command --output faulty --quiet >out 2>err </dev/null
}

whole() {       # what was made is what is made without a fault, or a record is known to be missing
    if [ -f faulty ]; then cmp -s faulty model.lm
    else [ "$(digest faulty)" = "$reference" ] || [ "$(sql faulty 'SELECT count(*) FROM rejects')" -gt "$rejects" ]; fi
}

check() {       # check RANK KIND K
    local what="$command: FAULT_RANK=$1 FAULT_KIND=$2 FAULT_AT=$3" status=0
    faulty "$1" FAULT_KIND="$2" FAULT_AT="$3" || status=$?
    case $status in
        0) whole || fail "$what: exit status 0 with another result" ;;
        1) [ "$(grep -c "^error: " err)" = 1 ] || fail "$what: $(cat err)" ;;
        *) fail "$what: exit status $status: $(tail -n 3 err)" ;;
    esac
    outcomes="$outcomes $status"
}

# Who gets which work is not the same in each run: some k are not reached.
campaign() {    # campaign TRIES COMMAND...
    local tries=$1 rank kind calls hits k
    shift
    command=$*
    for kind in alloc io; do
        outcomes=
        for rank in 1 0; do
            faulty $rank FAULT_KIND=$kind || fail "$command fails with nothing but the counting: $(tail -n 3 err)"
            read -r calls hits <report
            [ "$calls" -gt 0 ] || fail "$command: no call of kind $kind was counted on rank $rank"
            for k in $("$PYTHON" -c 'import random, sys
random.seed(sys.argv[1])
print(*random.sample(range(1, int(sys.argv[2]) + 1), min(int(sys.argv[2]), int(sys.argv[3]))))' \
                    "$seed$command$kind$rank" "$calls" $((tries * many))); do
                check $rank $kind "$k"
            done
        done
        echo "$command: $kind: outcomes:" \
            $(printf '%s\n' $outcomes | sort | uniq -c | awk '{ print $2 " x " $1 }')
        all="$all $outcomes"
    done
}

many=1
[ -z "$LONG" ] || many=3
all=
rejects=$(sql run 'SELECT count(*) FROM rejects')
campaign 6 run run.yaml
campaign 2 train-ngram --corpus corpus=corpus.jsonl --order 3
case $all in *1*) ;; *) fail "no fault was noticed" ;; esac
