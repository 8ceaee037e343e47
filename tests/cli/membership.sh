# Was a benchmark seen as a whole?  Of two hundred small ones a model was trained on twenty as they stand: of these the
# test says so, of others, and of all where a model has seen none, no more often than by chance.  Ranks, threads and
# kills change nothing; `membership` says it, with what single items say.
# seconds: 120
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(7)
words = [a + b for a in "ka lo mi ne pu".split() for b in "ra so ti ve xu".split()]
text = lambda: " ".join(random.choice(words) for _ in range(6))
def write(name, records):
    open(name, "w").writelines(json.dumps(r) + "\n" for r in records)
sets = [[text() for _ in range(60)] for _ in range(200)]
for i, items in enumerate(sets):
    write("set%03d.jsonl" % i, [{"text": t, "known": k % 2, "unit": 1} for k, t in enumerate(items)])
other = [{"text": " ".join(text() for _ in range(60))} for _ in range(100)]
write("other.jsonl", other)
write("more.jsonl", other + [{"text": " ".join(items)} for items in sets[:20]] * 8)
with open("run.yaml", "w") as out:
    out.write("output: run\ndatasets:\n")
    for i in range(200):
        out.write("  - {name: set%03d, role: benchmark, language: text, files: [set%03d.jsonl]}\n" % (i, i))
    out.write("probe:\n  models:\n    - {name: seen, path: more.lm}\n    - {name: other, path: other.lm}\n"
              "  metrics: []\n  order: {shards: 5, permutations: 31, join: ' '}\n")
PYTHON
for name in other more; do
    expect 0 "$leakgraph" train-ngram --corpus "$name=$name.jsonl" --order 3 --output $name.lm
done

expect 0 "$leakgraph" run run.yaml
says err 'probed: models=2 items=12000 blocks=4000 reused=0'
expect 0 "$leakgraph" fsck run
[ "$(sql run "SELECT count(*) FROM probe_orders")" = $((2 * 200 * 5 * 32)) ] || fail "orders"
orders="SELECT * FROM probe_orders WHERE dataset IN ('set000', 'set001', 'set199') ORDER BY 1, 2, 3, 4"
sql run "$orders" >orders
few='probe.datasets=[set000, set001, set199]'
for delay in 0.05 0.1 0.2; do
    timeout -s KILL $delay "$leakgraph" run run.yaml --set "$few" --output killed >/dev/null 2>&1 || true
done
expect 0 "$leakgraph" run run.yaml --set "$few" --output killed
sql killed "$orders" | cmp - orders || fail "a killed run"
expect 0 "$leakgraph" run run.yaml --set "$few" --output killed
says err 'blocks=0 reused=60'
expect 0 "$leakgraph" run run.yaml --set "$few" --output threads --threads 3
sql threads "$orders" | cmp - orders || fail "threads"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --set "$few" --output ranks
    sql ranks "$orders" | cmp - orders || fail "ranks"
fi

expect 0 "$leakgraph" membership run --json
cp out said.json
"$PYTHON" - <<'PYTHON'
import json
rows = json.load(open("said.json"))["orders"]
report = json.load(open("run/report.json"))["probes"]["orders"]
assert rows == report and len(rows) == 400
for test in "p", "p_orders":
    of = {m: [r[test] for r in rows if r["model"] == m] for m in ("seen", "other")}
    assert max(of["seen"][:20]) <= (1e-3 if test == "p" else 1 / 32), of["seen"][:20]
    for name, p in (("not seen", of["seen"][20:]), ("other", of["other"])):
        p.sort()
        n, rejected = len(p), sum(x <= 0.05 for x in p)
        # uniform: four standard errors, and the distance of Kolmogorov and Smirnov at 1 %; p by orders goes in steps
        far = max(max((i + 1) / n - x, x - i / n - (1 / 32 if test == "p_orders" else 0)) for i, x in enumerate(p))
        print(test, name, "%d of %d at 5 %%, distance %.3f" % (rejected, n, far))
        assert 0 < rejected <= n * (0.05 + 4 * (0.05 * 0.95 / n) ** 0.5), (test, name, rejected)
        assert far < 1.63 / n ** 0.5, (test, name, far)
assert all(r["items"] == 60 and r["shards"] == 5 and r["permutations"] == 31 for r in rows)
sure = [(r["model"], r["benchmark"]) for r in rows if r["p_holm"] <= 0.05]
assert sure and all(model == "seen" and name < "set020" for model, name in sure), sure
PYTHON
expect 0 "$leakgraph" membership run
says out '^\| set000 \| seen \| 60 \| 5 \| 31 \|' 'says nothing'
! grep -q 'training data from others' out || fail "metrics of a run that asked none"

# A model takes as much of a shard as fits its context; what cannot be told is counted, and nothing at all a failure.
expect 1 "$leakgraph" run run.yaml --output short --set 'probe.datasets=[set000]' --set probe.models.seen.context=20 \
    --set probe.models.other.context=5
says err 'model other gave no value of any of 60 items: no two items fit into the 5 tokens'
[ "$(sql short "SELECT model, min(items), max(items) FROM probe_orders GROUP BY 1")" = '1|3|3' ] ||
    fail "$(sql short "SELECT model, min(items), max(items) FROM probe_orders GROUP BY 1")"
[ "$(sql short "SELECT * FROM probe_gaps")" = '2|order|5|no two items fit into the 5 tokens that the model takes' ] ||
    fail "$(sql short "SELECT * FROM probe_gaps")"

# Single items beside it, and what is missing.
expect 0 "$leakgraph" probe --model seen=ngram:more.lm --model other=ngram:other.lm --benchmark s=set000.jsonl \
    --metrics nll,min_k --set 'probe.truth=field known' --output items
expect 0 "$leakgraph" membership items
says out '^\| s \| seen \| nll \| 30 \| 30 \| 0\.' '^s: 1 % FPR needs at least 100 .* there are 30: not decided' \
    '^\| s \| other \| min.{1,2}k \| seen \| min.{1,2}k \| 30 \| 30 \|' 'seen as a whole was not asked'
expect 0 "$leakgraph" membership items/graph.db --json
says out '"auc_low"' '"comparisons"' '"p_holm"'
expect 0 "$leakgraph" probe --model seen=ngram:more.lm --benchmark s=set000.jsonl --metrics nll --output untold
expect 0 "$leakgraph" membership untold
says out 'Nobody said which items were in the training data'
refused() { local says=$1; shift; expect 2 "$leakgraph" "$@"; says err "$says"; }
refused 'one folder is needed' membership
refused 'one folder is needed' membership items run
refused 'unknown option --jsno' membership items --jsno
refused 'order must be a map' run run.yaml --set probe.order=5
refused 'permutations' run run.yaml --set probe.order.permutations=0
refused '`permutation`.*permutations' run run.yaml --set probe.order.permutation=1
printf 'output: none\ndatasets: [{name: s, role: benchmark, files: [set000.jsonl]}]\nnear_duplicates: {}\n' >none.yaml
expect 0 "$leakgraph" run none.yaml
refused 'no model was asked in this run' membership none
expect 1 "$leakgraph" membership nowhere
