# seconds: 300
# The k-th allocation fails, the k-th file call fails: the run ends with exit status 1 and a message, or with the right
# result.  Never a signal, never a half-written graph.db, and the same command without the fault then gives the right
# digest.  Then the same for dedup with a budget so small that its records are spilled to files, and for a probe of a
# model.  make test tries some k of every kind (SEED= chooses them), make check-full the first 100 of each and 200
# spread over the rest.
. "$(dirname "$0")/../cli/common.sh"
case $BUILD in *asan*|*tsan*) echo "a sanitizer and the injected faults both replace malloc"; exit 77 ;; esac
need zstd gzip tar

# numbers FIRST TRIES CALLS: the first k, where everything is opened, and of each of TRIES parts of the rest one.
numbers() {
    "$PYTHON" - "$seed$kind$yaml" "$@" <<'PYTHON'
import random, sys
random.seed(sys.argv[1])
first, tries, calls = map(int, sys.argv[2:])
rest = range(min(first, calls), calls)
tries = min(tries, len(rest))
begin = [len(rest) * t // max(1, tries) for t in range(tries + 1)]
print(*range(1, rest.start + 1), *(rest[random.randrange(*part)] + 1 for part in zip(begin, begin[1:])))
PYTHON
}

seed=${SEED:-$(date +%s)}
echo "seed=$seed"
two_sets "$work/sets" --bench 20 --corpus 60 --shards 3
cd "$work/sets"
zstd -q --rm corpus-00.jsonl
gzip corpus-01.jsonl
mkdir tree
cp "$root/scripts/demo_functions.py" "$root/scripts/demo_score.py" tree
tar -czf tree.tar.gz tree
sed -i 's/files: \["corpus-.*\]/files: ["corpus-*", tree, tree.tar.gz]/' run.yaml
export OMP_NUM_THREADS=1

mkdir corpus
"$BUILD/bench/make_corpus" 5000 5 2 corpus
cat >dedup.yaml <<'YAML'
output: run
memory: 16MB
datasets: [{name: corpus, language: text, files: ["corpus/*.zst"]}]
dedup: {method: lsh, bands: 256, rows: 2, hashes: 512, bucket_cap: 10, measure: 0, write: lists}
graph: {store: none}
YAML

"$PYTHON" - <<'PYTHON'
import json
text = lambda i: "def f%d(items):\n" % i + "".join("    x%d = items[%d]\n" % (k, (k * i) % 7) for k in range(6))
for name, numbers in ("items", range(40)), ("trained", range(20, 60)):
    open(name + ".jsonl", "w").writelines(json.dumps({"text": text(i), "in": i >= 20}) + "\n" for i in numbers)
PYTHON
expect 0 "$leakgraph" train-ngram --corpus mine=trained.jsonl --order 3 --output mine.lm
cat >probe.yaml <<'YAML'
output: run
datasets: [{name: items, role: benchmark, language: python, files: [items.jsonl]}]
probe:
  models: [{name: mine, path: mine.lm}]
  truth: field in
YAML

# What a run is recognised by; values of models are in no digest.
result() {
    digest "$1"
    [ "$yaml" != probe.yaml ] || sql "$1" 'SELECT count(*), total(value) FROM probes
                                           UNION ALL SELECT count(*), total(truth) FROM probe_items'
}

# faulty VARIABLE...: a run with them in its environment.  timeout stands outside: it would write a report of its own.
faulty() {
    rm -f report
    timeout 120 env LD_PRELOAD="$BUILD/tests/inject.so" FAULT_REPORT="$PWD/report" "$@" \
        "$leakgraph" run $yaml --output faulty >out 2>err </dev/null
}

check() {       # check NAME VARIABLE...: one run with a fault
    local name=$1 status=0 calls hits rejected
    shift
    rm -rf faulty
    faulty "$@" || status=$?
    read -r calls hits <report || fail "$name: ended without its destructors, exit status $status: $(tail -n 3 err)"
    case $status in
        0)  rejected=$(sql faulty 'SELECT count(*) FROM rejects')
            [ "$(result faulty)" = "$reference" ] || [ "$rejected" -gt 0 ] ||
                fail "$name: exit status 0 with another digest" ;;
        1)  [ -s err ] || fail "$name: exit status 1 without a message"
            [ ! -e faulty/graph.db ] || [ "$(result faulty)" = "$reference" ] ||
                fail "$name: a graph.db that is not whole" ;;
        *)  fail "$name: exit status $status: $(tail -n 3 err)" ;;
    esac
    outcomes="$outcomes $status"
    [ "$hits" -gt 0 ]
}

resume() {
    expect 0 "$leakgraph" run $yaml --output faulty
    [ "$(result faulty)" = "$reference" ] || [ "$(sql faulty 'SELECT count(*) FROM rejects')" -gt 0 ] ||
        fail "$1: resumed to another digest"
}

campaign() {    # campaign YAML FIRST TRIES: every kind of fault
    local first=$2 tries=$3
    yaml=$1
    [ -z "$LONG" ] || first=100 tries=200
    rm -rf run
    expect 0 "$leakgraph" run $yaml --output run
    reference=$(result run)
    for kind in "alloc" "io" "io FAULT_STICKY=1 FAULT_ERRNO=28"; do
        outcomes=
        rm -rf faulty
        faulty FAULT_KIND=${kind%% *} ||
            fail "the program fails with nothing but the counting preloaded: $(tail -n 3 err)"
        read -r calls hits <report
        [ "$calls" -gt 30 ] || fail "only $calls calls of kind $kind were counted"
        for k in $(numbers $first $tries "$calls"); do
            check "FAULT_KIND=$kind FAULT_AT=$k" FAULT_KIND=${kind%% *} ${kind#${kind%% *}} FAULT_AT="$k" ||
                echo "k = $k was never reached"
            [ $((k % 5)) != 0 ] || resume "FAULT_KIND=$kind FAULT_AT=$k"
        done
        echo "$kind: $calls calls, outcomes:" $(printf '%s\n' $outcomes | sort | uniq -c | awk '{ print $2 " x " $1 }')
        case $outcomes in *1*) ;; *) fail "no fault of kind $kind was noticed" ;; esac
    done
}

campaign run.yaml 5 20
campaign dedup.yaml 5 10
[ "$(sql run "SELECT value > 0 FROM run WHERE key = 'dedup.spilled_bytes'")" = 1 ] || fail "dedup spilled nothing"
campaign probe.yaml 3 10
