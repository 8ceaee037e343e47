# What models have by heart: blocks of the corpus in their outputs, counted for the first outputs and for all; the same,
# whatever does the work.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(11)
name = lambda: "".join(random.choice("abcdefghijklmnop") for _ in range(7))
text = lambda n: "import os\ndef %s():\n" % name() + "".join("    %s = %s(%s)\n" % (name(), name(), name())
                                                             for _ in range(n))
texts = [text(12), text(15), text(20)]
texts[1] += "x = 1\nx = 1\n" + texts[0][texts[0].index("    "):] * 2       # a part of the first, twice
with open("corpus.jsonl", "w") as f:                    # three documents; one of them twice
    for t in texts + texts[:1]: f.write(json.dumps({"text": t, "path": "a.py"}) + "\n")
PYTHON
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 7 --output mine.lm --quiet
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 4 --output poor.lm --quiet
cat >run.yaml <<YAML
output: run
datasets:
  - {name: corpus, role: corpus, files: [corpus.jsonl]}
probe:
  metrics: []
  models:
    - {name: mine, path: mine.lm}
    - {name: poor, path: poor.lm}
generate: {outputs: 41, tokens: 120, top_k: 2}
line_clones: {lines: 6}
YAML

expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
[ "$(sql run "SELECT model, count(*), min(output), max(output), max(tokens) <= 120, min(dataset), min(shard)
              FROM generations GROUP BY model" | paste -sd' ')" = \
  "mine|41|0|40|1|generations-mine|mine.jsonl.zst poor|41|0|40|1|generations-poor|poor.jsonl.zst" ] ||
  fail "generations: $(sql run "SELECT * FROM generations LIMIT 3")"
[ "$(sql run "SELECT model, outputs, tokens FROM memorisation" | paste -sd' ')" = \
  "mine|11|120 mine|21|120 mine|31|120 mine|41|120 poor|11|120 poor|21|120 poor|31|120 poor|41|120" ] ||
  fail "parts: $(sql run "SELECT * FROM memorisation")"
[ "$(sql run "SELECT (SELECT sum(occurrences) FROM memorised) = (SELECT sum(small_count) FROM clones)")" = 1 ] ||
    fail "places in outputs are not those of line clones"

# Counted again from the texts: blocks and places of every part, outputs with any, correlations.
"$PYTHON" - <<'PYTHON'
import sqlite3
db = sqlite3.connect("run/graph.db")
lines = lambda text: [l.rstrip() for l in text.split("\n") if l.strip()]
blocks = [(i, lines(text)) for i, text in db.execute("SELECT id, text FROM clones")]
trained = dict(db.execute("SELECT id, corpus_count FROM clones"))
assert len(blocks) > 10, blocks

def pearson(x, y):
    if not x: return None
    mx, my = sum(x) / len(x), sum(y) / len(y)
    sx, sy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / (sx * sy) ** 0.5 if sx and sy else None

def ranks(x): return [sum(b < a for b in x) + (1 + sum(b == a for b in x)) / 2 for a in x]
def close(a, b): return a == b if a is None or b is None else abs(a - b) < 1e-9

found = {}
for model in ("mine", "poor"):
    outputs = [lines(t) for t, in
               db.execute("SELECT s.snippet FROM generations AS g JOIN snippets AS s ON s.dataset = g.dataset "
                          "AND s.record = g.record WHERE g.model = ? ORDER BY g.output", (model,))]
    assert len(outputs) == 41
    at = {(b, o): n for b, block in blocks for o, out in enumerate(outputs)
          if (n := sum(out[i:i + len(block)] == block for i in range(len(out))))}
    found[model] = len({o for b, o in at})
    for upto, count, places, any_, rho, r in db.execute(
        "SELECT outputs, blocks, occurrences, outputs_with_any, spearman, pearson FROM memorisation WHERE model = ?",
        (model,)):
        here = {k: n for k, n in at.items() if k[1] < upto}
        which = sorted({b for b, o in here})
        wanted = len(which), sum(here.values()), len({o for b, o in here})
        assert (count, places, any_) == wanted, (model, upto, (count, places, any_), wanted)
        x, y = [trained[b] for b in which], [sum(n for (c, o), n in here.items() if c == b) for b in which]
        assert close(r, pearson(x, y)) and close(rho, pearson(ranks(x), ranks(y))), (model, upto, r, rho)
    listed = {r[0]: r[1:]
              for r in db.execute("SELECT clone, occurrences, outputs, first_output FROM memorised WHERE model = ?",
                                  (model,))}
    wanted = {b: (sum(n for (c, o), n in at.items() if c == b), sum(c == b for c, o in at),
                  min(o for c, o in at if c == b)) for b in {b for b, o in at}}
    assert listed == wanted, (model, listed, wanted)
assert found["mine"] > 20 and found["mine"] > found["poor"] > 0, found
PYTHON
says run/report.md 'What models have by heart' 'mine \| 41 \| 120'
"$PYTHON" -c \
    'import json; r = json.load(open("run/report.json"))["memorisation"]
assert [m["outputs"] for m in r["memorised"]] == [11, 21, 31, 41] * 2 and r["lengths"] and r["blocks"], r'
reference_sql run/graph.db memoris

# Other threads, ranks and memory, the resolved configuration: the same outputs, the same counts.
found() {
    sql "$1" "SELECT c.fingerprint, m.model, occurrences, outputs, first_output FROM memorised AS m
              JOIN clones AS c ON c.id = m.clone"
    sql "$1" "SELECT * FROM memorisation"
    sql "$1" "SELECT * FROM generations"
    cat "$1"/generations/*.zst | sha256sum
}
expect 0 "$leakgraph" run run.yaml --output passes --threads 3 --set memory=100KiB
says "$work/err" 'line clones: .* [0-9]* passes'
same run passes
[ "$(found run)" = "$(found passes)" ] || fail "other threads and memory, other results"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run/config.resolved.yaml --output ranks
    same run ranks
    [ "$(found run)" = "$(found ranks)" ] || fail "three ranks, other results"
fi

# Without a YAML file.
expect 0 "$leakgraph" probe --model mine=ngram:mine.lm --generate 20 --corpus corpus=corpus.jsonl --output command \
    --set generate.tokens=60
says "$work/err" 'generated: models=1 outputs=20 '
[ "$(sql command "SELECT outputs, blocks > 0 FROM memorisation WHERE outputs = 20")" = "20|1" ] ||
    fail "the command: $(sql command "SELECT * FROM memorisation")"
expect 2 "$leakgraph" probe --model mine=ngram:mine.lm --generate 20
says "$work/err" 'needs --model .* and --corpus'
expect 2 "$leakgraph" probe --model mine=ngram:mine.lm --generate many --corpus corpus=corpus.jsonl
says "$work/err" 'takes a number'

# near_duplicates, ngrams and a probe of the outputs themselves, beside it.
expect 0 "$leakgraph" run run.yaml --output all --set 'near_duplicates={min_tokens: 5}' --set 'ngrams={}' \
    --set generate.language=python \
    --set 'probe.metrics=[nll]' --set 'probe.datasets=[generations-mine]' --set probe.truth=near
[ "$(sql all "SELECT count(DISTINCT snippet) FROM probes")" = 41 ] || fail "outputs that were not asked about"
[ "$(sql all "SELECT count(*) > 0 FROM ngrams WHERE found > 0")" = 1 ] || fail "no n-gram of the outputs is found"
expect 0 "$leakgraph" fsck all

# Outputs that are too short to hold a block were not compared, whatever is stored.
sed 's/tokens: 120/tokens: 4/' run.yaml >brief.yaml
expect 3 "$leakgraph" run brief.yaml --output brief --set fail_on.memorised=50 --set fail_on.clones=50 \
    --set graph.store=none
says "$work/err" 'fail_on\.memorised is inconclusive: nothing was compared' \
    'fail_on\.clones is inconclusive: nothing was compared' '0 of 41 compared'
