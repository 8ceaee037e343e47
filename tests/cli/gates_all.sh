# seconds: 120
# rest: two runs for each gate
# Every gate of fail_on: what it measures is what the tables and the report say, it fails just below that, and not just
# above it.
. "$(dirname "$0")/common.sh"
need "$PYTHON"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 7 --output model.lm
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
near_duplicates: {min_tokens: 3, containment_threshold: off}
ngrams: {n: [8, 13]}
line_clones: {lines: 3}
repositories: {share: 0.3}
sensitive: {datasets: [bench, corpus]}
probe: {models: [{name: m, path: model.lm}], datasets: [bench], truth: near, order: {shards: 5, join: "\n"}}
generate: {outputs: 40, tokens: 150, temperature: 0.5, language: python}
clean: [{name: strict, drop: items, where: near}]
YAML
cat >dedup.yaml <<'YAML'
output: dedup
datasets: [{name: corpus, role: corpus, language: python, files: [corpus.jsonl, more.jsonl]}]
dedup: {threshold: 0.7, min_tokens: 5}
YAML
cat >types.yaml <<'YAML'
output: types
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
clones: {min_tokens: 5, min_lines: 3}
YAML
cat >asked.yaml <<'YAML'
output: asked
datasets:
  - {name: files, role: corpus, language: python, splits: {a: [corpus.jsonl], b: [more.jsonl], c: [new.jsonl]}}
probe: {models: [{name: m, path: model.lm}], metrics: []}
inclusion: {from: files, trained: a, others: b, per_category: 2}
YAML
cat >licensed.yaml <<'YAML'
output: licensed
datasets: [{name: answers, role: corpus, language: python, fields: {text: reference}, files: [answers.jsonl]}]
compliance: {pairs: [answers], comments: off, lines: 0, complexity: 0}
YAML
"$PYTHON" - <<'PYTHON'
import json
with open("answers.jsonl", "w") as out:
    for i in range(8):
        body = "    a = %d\n    for b in c(a):\n        d(b, a)\n    return a\n" % i
        answer = body if i < 3 else "    return 1\n"
        out.write(json.dumps({"reference": body, "answer": answer, "license": "MIT"}) + "\n")
PYTHON
sed 's/acme/new/' bench.jsonl >new.jsonl

"$PYTHON" - "$leakgraph" <<'PYTHON'
import collections, json, sqlite3, subprocess, sys
leakgraph = sys.argv[1]
wrong = []

def run(config, *options):
    done = subprocess.run([leakgraph, "run", config, "--quiet", *options], stderr=subprocess.PIPE, text=True)
    folder = config.partition(".")[0]
    graph = sqlite3.connect("file:%s/graph.db?mode=ro" % folder, uri=True)
    return done.returncode, done.stderr, graph

def ask(graph, sql): return graph.execute(sql).fetchall()

keys = {"run.yaml": "leakage rejects gpt3_13gram palm_8gram tulu3_8gram exact_substring windows50 qwen_lcs clones "
                    "repositories sensitive sensitive_values auc order memorised cleaned functions "
                    "passages".split(),
        "asked.yaml": ["inclusion"], "licensed.yaml": ["striking", "lico_short"],
        "dedup.yaml": ["duplicates", "rejects"],
        "types.yaml": ["clone_type1", "clone_type2", "clone_type3"]}
said = subprocess.run([leakgraph, "help", "config"], stdout=subprocess.PIPE, text=True).stdout
said = said[said.index("\nfail_on:"):].split("\n\n")[0]
named = {line.split()[0] for line in said.splitlines()[2:] if line.startswith("  ") and line[2] != " "}
if named - {"coverage", "lost"} != set(sum(keys.values(), [])): wrong.append("help config names %s" % sorted(named))

for config, gates in keys.items():
    status, said, graph = run(config, *sum((["--set", "fail_on.%s=100" % key] for key in gates), []))
    rows = ask(graph, "SELECT gate, source, target, percent, outcome, compared, whole, documents, bytes FROM gates")
    if {row[0] for row in rows} != set(gates): wrong.append("%s: rows of %s" % (config, {row[0] for row in rows}))
    if status or any(row[4] != "passed" for row in rows): wrong.append("%s: status %d: %s" % (config, status, said))
    for gate, source, target, percent, _, compared, whole, documents, size in rows:
        if not (0 < compared <= whole and documents and size): wrong.append("%s looked at nothing" % gate)
    top = collections.defaultdict(float)
    for row in rows: top[row[0]] = max(top[row[0]], row[3])
    for key, percent in top.items():
        if percent == 0: wrong.append("%s: nothing was found: the data does not tell the gate's outcomes apart" % key)
        if percent >= 100:                                  # such data cannot pass with less than all
            continue
        for limit, expected in ((percent - 0.01, 3), (percent + 0.01, 0)):
            status, said, bounded = run(config, "--set", "fail_on.%s=%.4f" % (key, limit))
            outcomes = {row[0] for row in ask(bounded, "SELECT outcome FROM gates")}
            if status != expected or ("failed" in outcomes) != (expected == 3):
                wrong.append("%s at %.4f: status %d, outcomes %s: %s" % (key, limit, status, outcomes, said))
            if expected == 3 and "gate fail_on.%s failed: " % key not in said: wrong.append("%s does not say it" % key)
            if (ask(bounded, "SELECT value FROM run WHERE key = 'gates'")[0][0] == "failed") != (expected == 3):
                wrong.append("%s: table run has another outcome" % key)

    if config != "run.yaml": continue
    status, said, graph = run(config, *sum((["--set", "fail_on.%s=100" % key] for key in gates), []))
    of = collections.defaultdict(dict)
    for gate, source, target, clause, percent in ask(graph, "SELECT gate, source, target, clause, percent FROM gates"):
        of[gate][source, target, clause if gate == "auc" else ""] = percent
    def same(gate, key, value):
        got = of[gate].get(key + ("",))
        if got is None or abs(got - value) > 1e-9: wrong.append("%s of %s is %s, not %s" % (gate, key, got, value))
    items = 20.0
    found = ask(graph, "SELECT count(DISTINCT s.id) FROM snippets AS s JOIN edges AS e ON s.id IN (e.a, e.b) JOIN "
                       "snippets AS o ON o.id = e.a + e.b - s.id WHERE e.pass = 'near' AND e.kind <> 'below' AND "
                       "s.dataset = 'bench' AND o.dataset = 'corpus'")[0][0]
    found += ask(graph, "SELECT only_in_functions FROM function_leakage WHERE source = 'bench'")[0][0]
    found += ask(graph, "SELECT only_passages FROM passage_leakage WHERE source = 'bench'")[0][0]
    same("leakage", ("bench", "corpus"), 100 * found / items)
    for rule in ("gpt3_13gram", "qwen_lcs"):
        met = ask(graph, "SELECT count(*) FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet WHERE s.dataset "
                         "= 'bench' AND r.corpus = 'corpus' AND r.%s = 1" % rule)[0][0]
        same(rule, ("bench", "corpus"), 100 * met / items)
    met = ask(graph, "SELECT count(*) FROM clone_documents WHERE dataset = 'bench'")[0][0]
    same("clones", ("bench", "*"), 100 * met / items)
    report = json.load(open("run/report.json"))
    rows = report["probes"]["separation"]
    for row in rows:
        clause = [key[2] for key in of["auc"] if "AUC of %s, model %s," % (row["metric"], row["model"]) in key[2]]
        if len(clause) != 1 or abs(of["auc"]["bench", "*", clause[0]] - 100 * row["auc"]) > 1e-6:
            wrong.append("auc of %s: %s" % (row["metric"], clause))
    if len(rows) != len(of["auc"]): wrong.append("%d AUCs, %d in the report" % (len(of["auc"]), len(rows)))
    if len(report["gates"]["outcomes"]) != sum(map(len, of.values())): wrong.append("the report has other outcomes")

print("\n".join(wrong))
sys.exit(bool(wrong))
PYTHON

# A gate of what the run does not do is refused; an AUC below that of chance is no bound.
expect 2 "$leakgraph" run dedup.yaml --set fail_on.clones=5
says "$work/err" 'clones needs line_clones, which is not there'
expect 2 "$leakgraph" run run.yaml --set fail_on.auc=0.6
says "$work/err" 'less than 50 percent'
# Outputs without line clones have no memorised blocks to count.
sed '/line_clones/d' run.yaml >without.yaml
expect 3 "$leakgraph" run without.yaml --output without --set fail_on.memorised=50
says "$work/err" 'fail_on\.memorised is inconclusive'
