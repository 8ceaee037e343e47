#!/bin/bash
# Which repositories was a model trained on?  Asks a model for elements of files, learns from half of the repositories
# whose label is known, tests with the other half, and says what it thinks of the others.
#   scripts/audit_inclusion.sh MODEL FILES.jsonl.zst [OUT]
# MODEL: a GGUF file, or a model of n-grams (.lm).
# FILES: records with repo, path, text, and trained (1, 0, null: not known).  OUT: results/audit.
#   PROMPTS="plain santacoder"   prompts to try     ELEMENTS=2   asked for, of each category of a file
#   CLASSIFIER=all GRID=on       of audit verdict   TOKENS=60    of an answer, at most
#   CONTEXT=256                  tokens of prompt and answer, of a GGUF file
#   FUNCTIONS="exact published"  asks for second halves of functions too, in these ways; PROMPTS="" for nothing else
# Writes OUT/PROMPT/ (the run, verdict/ with its report) and OUT/unlabelled.tsv: by prompt, threshold, classifier and
# repository how many of its files are said to be trained on, and the p-values that need no training data.  Of
# functions OUT/functions-exact/ and OUT/functions-published/ (runs), and OUT/functions.tsv with their scores.
set -eu
model=$(realpath "${1:?which model}") files=$(realpath "${2:?which files}")
cd "$(dirname "$0")/.."
out=${3:-results/audit}
leakgraph=${BUILD:-build}/leakgraph
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
case $model in *.lm) backend=ngram ;; *) backend="llama, context: ${CONTEXT:-256}" ;; esac
mkdir -p "$out"

zstd -dcq "$files" | "$PYTHON" -c '
import json, sys
names = {1: "known", 0: "new", None: "asked"}
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"repo": row["repo"], "path": row["path"], "text": row["text"], "split": names[row["trained"]]}))
' >"$out/files.jsonl"

prompts=${PROMPTS-plain santacoder} functions=${FUNCTIONS-}
for prompt in $prompts; do
    cat >"$out/$prompt.yaml" <<YAML
output: $prompt
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe: {models: [{name: $prompt, backend: $backend, path: "$model"}], metrics: []}
inclusion:
  {from: files, trained: known, others: new, prompt: $prompt, per_category: ${ELEMENTS:-2}, tokens: ${TOKENS:-60}}
YAML
    "$leakgraph" run "$out/$prompt.yaml" --output "$out/$prompt" --replace
    "$leakgraph" audit verdict "$out/$prompt" --classifier "${CLASSIFIER:-all}" --grid "${GRID:-on}" \
        --output "$out/$prompt"
done

for way in $functions; do
    cat >"$out/functions-$way.yaml" <<YAML
output: functions-$way
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe: {models: [{name: model, backend: $backend, path: "$model"}], metrics: []}
inclusion: {from: files, trained: known, others: new, ask: functions, functions: 0, elements: $way}
YAML
    "$leakgraph" run "$out/functions-$way.yaml" --output "$out/functions-$way" --replace
done
[ -z "$functions" ] || "$PYTHON" - "$out" $functions <<'PYTHON'
import sqlite3, sys
out, ways = sys.argv[1], sys.argv[2:]
with open(out + "/functions.tsv", "w") as to:
    for way in ways:
        scores = sqlite3.connect("%s/functions-%s/graph.db" % (out, way)).execute(
            "SELECT type, precision, accuracy, f1, sensitivity, specificity, tp, fp, tn, fn "
            "FROM inclusion_clone_scores")
        if way == ways[0]: to.write("way\t" + "\t".join(column[0] for column in scores.description) + "\n")
        for row in scores:
            to.write("\t".join([way] + ["" if value is None else str(value) for value in row]) + "\n")
    print(to.name)
PYTHON

[ -n "$prompts" ] || exit 0
"$PYTHON" - "$out" $prompts <<'PYTHON'
import csv, sys
out, prompts = sys.argv[1], sys.argv[2:]
def rows(prompt, name):
    return csv.DictReader(open("%s/%s/verdict/%s.tsv" % (out, prompt, name)), delimiter="\t", quoting=csv.QUOTE_NONE)
with open(out + "/unlabelled.tsv", "w") as to:
    to.write("features\tclassifier\trepository\tfiles\tsaid\tabove_0_4\tabove_0_6\tp_files\tp_repositories\tp_spread\n")
    for prompt in prompts:
        p = {(row["features"], row["repository"]): row for row in rows(prompt, "untrained")}
        for row in rows(prompt, "repositories"):
            if row["part"] != "unlabelled": continue
            test = p[row["features"], row["repository"]]
            to.write("\t".join([row["features"], row["classifier"], row["repository"], row["files"], row["said"],
                                row["above_0_4"], row["above_0_6"], test["p"], test["p_rank"],
                                test["p_spread"]]) + "\n")
    print(to.name)
PYTHON
