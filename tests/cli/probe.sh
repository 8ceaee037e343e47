# Two models of which one was trained on half of the items: what they are asked, what comes out, and that ranks,
# threads, kills and a resume change nothing.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(5)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key".split()]
def function(name, lines):
    body = ["def %s(items, table):" % name]
    for i in range(lines):
        a, b, c = random.sample(words, 3)
        body.append("    %s_%s = table.%s(items[%d], '%s')" % (name, a, b, i % 7, c))
    return "\n".join(body + ["    return %s_done" % name]) + "\n"
items = [function("item%d" % i, 5 + i % 9) for i in range(40)]
other = [function("other%d" % i, 4 + i % 11) for i in range(400)]
write = lambda name, records: open(name, "w").writelines(json.dumps(r) + "\n" for r in records)
write("a.jsonl",
      [{"id": "a%d" % i, "text": t, "head": t.split("\n")[0], "path": "lib/%d.py" % (i // 2), "copies": i % 2}
       for i, t in enumerate(items[:30])])
write("b.jsonl", [{"id": "b%d" % i, "text": t} for i, t in enumerate(items[30:] + ["x", ""])])
clean = [{"text": t} for t in other]
write("clean.jsonl", clean)
write("leaky.jsonl", clean + [{"text": t} for t in items[1:30:2]])
PYTHON
for name in leaky clean; do
    expect 0 "$leakgraph" train-ngram --corpus "$name=$name.jsonl" --order 4 --output $name.lm
done
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: a, role: benchmark, language: python, files: [a.jsonl]}
  - {name: b, role: benchmark, language: python, files: [b.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [leaky.jsonl]}
near_duplicates: {}
probe:
  models:
    - {name: leaky, path: leaky.lm}
    - {name: clean, backend: ngram, path: clean.lm}
  truth: near
YAML
values="SELECT s.dataset, s.source_id, m.name, p.metric, p.value FROM probes AS p JOIN snippets AS s ON s.id = p.snippet
        JOIN models AS m ON m.id = p.model ORDER BY 1, 2, 3, 4"
probed() { sql "$1" "$values"; }

# Interrupted at any moment, the run goes on.
for delay in 0.05 0.1 0.2 0.3; do
    timeout -s KILL $delay "$leakgraph" run run.yaml --output killed >/dev/null 2>&1 || true
done
expect 0 "$leakgraph" run run.yaml --output killed
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
probed run >values
[ "$(wc -l <values)" -gt 800 ] || fail "only $(wc -l <values) values"
probed killed | cmp - values || fail "a killed run"
reference_sql "$PWD/run/graph.db" probe

[ "$(sql run "SELECT count(*), sum(truth) FROM probe_items")" = '42|15' ] ||
    fail "truth: $(sql run "SELECT count(*), sum(truth) FROM probe_items")"
[ "$(sql run "SELECT count(*) FROM probe_items AS i JOIN snippets AS s ON s.id = i.snippet
              WHERE truth <> (s.dataset = 'a' AND substr(source_id, 2) % 2)")" = 0 ] || fail "truth of items"
[ "$(sql run "SELECT name, backend, context, vocabulary > 100 FROM models ORDER BY id")" = 'leaky|ngram||1
clean|ngram||1' ] || fail "models"
[ "$(sql run "SELECT m.name, metric, items, reason FROM probe_gaps AS g JOIN models AS m ON m.id = g.model
              WHERE metric = '' ORDER BY 1")" = 'clean||2|fewer than two tokens
leaky||2|fewer than two tokens' ] || fail "gaps: $(sql run "SELECT * FROM probe_gaps")"
[ "$(sql run "SELECT count(DISTINCT metric) FROM probes")" = 18 ] ||
    fail "metrics: $(sql run "SELECT DISTINCT metric FROM probes")"
[ "$(sql run "SELECT n, mean > 0, sd > 0 FROM probe_benchmarks WHERE dataset = 'a' AND metric = 'nll'
              AND model = 'leaky'")" = '30|1|1' ] || fail "probe_benchmarks"
[ "$(sql run "SELECT count(*), min(n), max(n) FROM probe_files WHERE metric = 'nll'
              AND model = 'leaky'")" = '15|2|2' ] || fail "probe_files"
# log 1 / log 2 of the two perplexities, in both directions.
[ "$(sql run "SELECT count(*) FROM probes AS p JOIN probes AS q USING (snippet) WHERE p.metric = 'ratio:clean'
              AND q.metric = 'ratio:leaky' AND abs(p.value * q.value - 1) < 1e-9")" = 40 ] || fail "ratios"
[ "$(sql run "SELECT count(*) FROM probes AS p JOIN probes AS q USING (snippet) WHERE p.metric = 'difference:clean'
              AND q.metric = 'difference:leaky' AND abs(p.value + q.value) < 1e-9 AND p.model <> q.model")" = 40 ] ||
    fail "differences"
says run/report.md 'What language models know of the benchmarks' \
    'Items that were in the training data, and that the models show most of' 'fewer than two tokens'
"$PYTHON" - run/report.json <<'PYTHON'
import json, sys
part = json.load(open(sys.argv[1]))["probes"]
leaky, clean = part["nll"]
assert leaky["model"] == "leaky" and clean["model"] == "clean" and leaky["a"] < leaky["b"], part["nll"]
cell = part["relative_nll"][0]["matrix"][0]
assert cell["benchmark"] == "a" and cell["a"] == 1 and abs(cell["b"] - leaky["b"] / leaky["a"]) < 1e-9, cell
auc = {(row["benchmark"], row["model"], row["metric"]): row["auc"] for row in part["separation"]}
for metric in "nll perplexity lowercase window min_k min_k_pp accuracy ratio:clean difference:clean".split():
    assert auc["a", "leaky", metric] > 0.95, (metric, auc)
for metric in "nll perplexity zlib min_k_pp".split():
    assert 0.2 < auc["a", "clean", metric] < 0.8, (metric, auc)
assert not any(row["benchmark"] == "b" for row in part["separation"])       # all of one kind
assert len(part["shown"]) == 20 and part["shown"][0]["model"] == "leaky"
PYTHON

# The same again asks nothing; ranks and threads change nothing; nor does the command without a file.
before=$(stat -c '%n %Y %i' run/work/probed-*.unit)
expect 0 "$leakgraph" run run.yaml
says err 'probed: models=2 items=42 blocks=0 reused=6'
[ "$(stat -c '%n %Y %i' run/work/probed-*.unit)" = "$before" ] || fail "answers were asked for again"
expect 0 "$leakgraph" run run.yaml --output threads --threads 3
probed threads | cmp - values || fail "threads"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks
    probed ranks | cmp - values || fail "ranks"
    same run ranks
fi
expect 0 "$leakgraph" probe --model leaky=ngram:leaky.lm --model clean=ngram:clean.lm \
    --benchmark a=a.jsonl --benchmark b=b.jsonl --corpus corpus=leaky.jsonl --language python --output command
probed command | cmp - values || fail "the command"
expect 0 "$leakgraph" run command/config.resolved.yaml --output again
probed again | cmp - values || fail "the resolved configuration"

# Benchmarks alone, one field of them, and a field that says what was leaked.
# Memory is not zero at first: the settings made of the command line have an end of their own.
expect 0 env MALLOC_PERTURB_=85 "$leakgraph" probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl \
    --metrics nll,tokens --set 'probe.fields=[head]' --set 'probe.truth=field copies' --output alone
expect 0 "$leakgraph" fsck alone
[ "$(sql alone "SELECT metric, count(*), max(value) < 20 FROM probes GROUP BY 1")" = 'nll|30|1
tokens|30|1' ] || fail "a field: $(sql alone "SELECT metric, count(*), max(value) FROM probes GROUP BY 1")"
[ "$(sql alone "SELECT count(*), sum(truth) FROM probe_items")" = '30|15' ] || fail "truth by a field"
expect 0 "$leakgraph" query alone a.jsonl

# Of an item longer than the context each token is scored with at least half a window before it, which is all that a
# model of 4-grams looks at: the values are those of the whole text, a tail of one token or not.
expect 0 "$leakgraph" probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl --metrics nll,tokens,min_k \
    --set probe.models.leaky.context=32 --output short
whole="SELECT s.source_id, p.metric, round(p.value, 9) FROM probes AS p JOIN snippets AS s ON s.id = p.snippet
       JOIN models AS m ON m.id = p.model WHERE m.name = 'leaky' AND s.dataset = 'a'
       AND p.metric IN ('nll', 'tokens', 'min_k') ORDER BY 1, 2"
[ "$(sql short "$whole")" = "$(sql run "$whole")" ] || fail "windows: $(sql short "$whole" | head -6)"
[ "$(sql short "SELECT min(value) > 32 FROM probes WHERE metric = 'tokens'")" = 1 ] || fail "short items"
! grep -q "probe.stride" err || fail "$(cat err)"
expect 0 "$leakgraph" probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl --metrics nll,tokens \
    --set probe.models.leaky.context=32 --set probe.stride=33 --output apart
says err 'warning: probe.stride is 33, above the 32 tokens that model leaky takes: it counts as 32'
# Also where it is not asked how long items are.
expect 0 "$leakgraph" probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl --metrics nll \
    --set probe.models.leaky.context=32 --set probe.stride=33 --output unasked
says err 'warning: probe.stride is 33, above the 32 tokens'

# What is wrong is said.
refused() { local says=$1; shift; expect 2 "$leakgraph" "$@"; says err "$says"; }
refused '`nil` is none; did you mean `nll`' run run.yaml --set 'probe.metrics=[nil]'
refused '`corpus` has not `role: benchmark`' run run.yaml --set 'probe.datasets=[corpus]'
refused 'models.0.*not beginning with' run run.yaml --set probe.models.leaky.name=.x
refused 'another model' run run.yaml --set probe.models.leaky.name=Clean
refused 'path names a file that is not there: /.*/gone.lm' run run.yaml --set probe.models.leaky.path=gone.lm
refused 'must be none, near' run run.yaml --set probe.truth=field
refused 'needs --model' probe --benchmark a=a.jsonl
refused 'NAME=BACKEND:PATH' probe --model leaky.lm --benchmark a=a.jsonl
refused 'near_duplicates, which is not there' probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl \
    --set probe.truth=near
refused 'one of two models' probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl --metrics ratio
sed '/near_dup/d; /truth/d' run.yaml >unread.yaml
refused 'nothing reads `corpus`' run unread.yaml
refused 'none of 30 items has text in a field `haed`' probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl \
    --set 'probe.fields=[haed]' --output mistaken
printf 'nothing of a model' >broken.lm
expect 1 "$leakgraph" probe --model x=ngram:broken.lm --benchmark a=a.jsonl
says err 'error: model x: [^m]'

# A truth that no item has is a warning; a model that gives nothing is a failure, with the results there.
expect 0 "$leakgraph" probe --model leaky=ngram:leaky.lm --benchmark a=a.jsonl --metrics nll \
    --set 'probe.truth=field nowhere' --output unknown
says err 'none of 30 items says whether it was in the training data'
echo '{"prompt": "never asked", "sampling": {"tokens": 20},' \
    '"generated": {"text": "x", "ids": [1], "prompt_ids": [], "stopped": true}}' >mute.jsonl
expect 1 "$leakgraph" probe --model mute=replay:mute.jsonl --benchmark a=a.jsonl --metrics nll --output mute
says err 'model mute gave no value of any of 30 items: '
[ "$(sql mute "SELECT count(*) FROM probe_gaps")" = 1 ] || fail "gaps of a model without answers"
