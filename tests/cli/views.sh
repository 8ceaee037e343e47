# seconds: 30
# The views of graph.db: each can be asked, those of the report give what it shows, and those of a file are never run.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 7 --output model.lm
mkdir -p tree/.git
echo "int a;" >tree/a.java
echo x >tree/.git/config
for answer in 'return b + 1' 'return a'; do
    printf '{"reference": "    b = a * 2\\n    return b + 1", "answer": "    b = a * 2\\n    %s"}\n' "$answer"
done >answers.jsonl
sed 's/b = a/x = y/2' answers.jsonl >others.jsonl
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, splits: {train: [bench.jsonl], test: [second.jsonl]}}
  - {name: second, role: benchmark, files: [second.jsonl]}
  - {name: corpus, role: corpus, language: python, splits: {a: [corpus.jsonl], b: [more.jsonl]}}
  - {name: more, role: corpus, language: java, files: [more.jsonl]}
  - {name: tree, role: corpus, language: java, files: [tree]}
  - {name: answers, role: corpus, language: python, fields: {text: reference}, files: [answers.jsonl]}
  - {name: others, role: corpus, language: python, fields: {text: reference}, files: [others.jsonl]}
near_duplicates: {min_tokens: 5, containment_threshold: 0.9, across_languages: true}
dedup: {threshold: 0.7, min_tokens: 5, measure: 0, across_languages: true}
ngrams: {n: [8, 13]}
line_clones: {lines: 3}
clones: {min_tokens: 5, min_lines: 3, within: [corpus]}
repositories: {share: 0.3}
sensitive: {datasets: [bench, corpus]}
probe: {models: [{name: m, path: model.lm}], metrics: [nll, accuracy, tokens], truth: near, order: {}}
generate: {outputs: 12, tokens: 120, top_k: 2}
inclusion: {from: corpus, trained: a, others: b, per_category: 1}
compliance: {pairs: [answers, others], comments: off, lines: 0, complexity: 0}
clean: [{name: strict, drop: items, where: near}]
YAML
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
expect 0 "$leakgraph" help graph
"$PYTHON" "$root/tests/cli/views.py" run out

# Answers beside all others are those alone; what is none is told, though other passes read it as a document.
sed -n '/^output/p; /^datasets/p; /name: answers/p; /name: others/p; /^compliance/p' run.yaml >alone.yaml
sed -i 's/^output.*/output: alone/' alone.yaml
echo '{"reference": "x", "answer": 1}' >>others.jsonl
expect 0 "$leakgraph" run run.yaml --replace
expect 0 "$leakgraph" run alone.yaml
expect 0 "$leakgraph" fsck alone
for table in functions answers groups metrics differences; do
    for run in run alone; do sql $run "SELECT * FROM compliance_$table ORDER BY rowid" >$run.$table; done
    cmp run.$table alone.$table || fail "compliance_$table beside other passes"
done
[ "$(sql alone "SELECT reason, record FROM rejects")" = 'refused|2' ] || fail "a record that is no answer"
says run/report.md '^1 record was no function, or no answer'

# A graph from elsewhere may have none, or others: the report is that of the program, and fsck says so.
cp -r run none
"$PYTHON" - none/graph.db <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall():
    database.execute("DROP VIEW " + name)
database.commit()
PYTHON
expect 1 "$leakgraph" fsck none
says "$work/out" "views: view dataset_summary"
rm none/report.json none/report.md
expect 0 "$leakgraph" report none
cmp none/report.json run/report.json && cmp none/report.md run/report.md || fail "the report of a graph without views"

cp -r run damaged
"$PYTHON" - damaged/graph.db <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("DROP VIEW ngram_runs")
database.execute("DROP VIEW leakage")
database.execute("CREATE VIEW leakage AS SELECT 'all is well' AS source")
database.commit()
PYTHON
expect 1 "$leakgraph" fsck damaged
says "$work/out" "views.*leakage"
expect 0 "$leakgraph" report damaged
cmp damaged/report.json run/report.json || fail "a view of the file went into the report"
