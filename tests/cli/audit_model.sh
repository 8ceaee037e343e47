# audit licence with models: one that was trained on a benchmark's functions gives them away, another does not; LICO of
# both, of one that also names the licence; what was asked is not asked again.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import os, random
random.seed(5)
def word(): return "".join(random.choice("abcdefghijklmnoprstuvw") for _ in range(8))
def function():
    a, b, c, d, e = (word() for _ in range(5))
    return '''def %s(%s, %s):
    """%s by %s, then %s %s"""
    %s = %s(%s)
    for %s in %s:
        # %s goes before %s here
        if %s.%s and not %s:
            %s.%s(%s)
        elif %s.%s:
            %s = %s(%s, %s)
        else:
            %s.%s()
            continue
    if %s:
        raise %s(%s)
    return %s
''' % (a, b, c, word(), word(), word(), word(), d, word(), b, e, c, word(), word(), e, word(), d, d, word(), e,
       e, word(), d, word(), e, b, d, word(), d, word(), b, d)
licences = ["MIT", "Apache-2.0", "GPL-3.0-only", "LGPL-2.1-only"]
for folder in ("src", "said", "other"): os.mkdir(folder)
for k in range(8):
    text = function()
    head = "# SPDX-License-Identifier: %s\n" % licences[k % 4]
    open("src/f%d.py" % k, "w").write(head + text)
    open("said/f%d.py" % k, "w").write(text + "\n# The license of the function above is: MIT\n")
    open("other/f%d.py" % k, "w").write(function())
PYTHON
expect 0 "$leakgraph" audit licence --build src
mv out benchmark.jsonl
[ "$(grep -c . benchmark.jsonl)" = 8 ] || fail "the benchmark has not every function"
for model in src said other; do
    expect 0 "$leakgraph" train-ngram --corpus c="$model/*.py" --order 7 --output $model.lm --quiet
done

ask() { expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output audit \
    --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm "$@"; }
ask
says err 'knows: 16 questions asked, 0 answers were there' 'other: 8 questions asked, 0 answers were there' \
    'other: 8 answers to 8 functions, 0 strikingly similar, .* LICO 1\.000'
"$PYTHON" - <<'PYTHON'
import csv, json
rows = {row["group"]: row for row in csv.DictReader(open("audit/summary.tsv"), delimiter="\t")}
assert rows["knows"]["striking"] == "8" and rows["other"]["striking"] == "0", rows
assert rows["other"]["lico"] == "1.000" and rows["knows"]["lico"] == "0.000", rows
names = rows["names"]                                       # MIT of everything: right of 2 of 4 permissive ones
assert names["striking"] == "8" and names["permissive"] == "4" and names["copyleft"] == "4", names
assert names["accuracy_permissive"] == "0.5000" and names["accuracy_copyleft"] == "0.0000", names
assert names["lico"] == "0.143", names
report = json.load(open("audit/report.json"))
told = report["compliance"]
assert [row["lico"] for row in told["models"]] == [0, 0.143, 1], told["models"]
assert told["cases"][0]["reference"].strip() == told["cases"][0]["answer"].strip()
PYTHON
cp -r audit before

# Again: nothing is asked, whatever the limits; of answers that are lost, those alone.
ask --similarity 0.9 --replace
says err 'knows: 0 questions asked' 'names: 0 questions asked' 'other: 0 questions asked'
ls audit/work/licence-*.unit | sed -n 3p | xargs rm
ask --replace
[ "$(grep -c ': 1 questions asked' err)" = 1 ] || fail "one lost answer is not one question: $(cat err)"
for file in pairs.tsv summary.tsv; do cmp audit/$file before/$file || fail "$file is another after the second run"; done
digests() { sql "$1" "SELECT key, value FROM run WHERE key GLOB 'digest.compliance_*' ORDER BY key"; }
digests before >digests
[ "$(grep -c . digests)" = 5 ] || fail "tables: $(cat digests)"
digests audit | cmp - digests || fail "the tables are others after the second run"
expect 0 "$leakgraph" fsck audit

# The same as settings: killed, of three threads, two ranks.
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: benchmark, role: benchmark, language: python, fields: {text: reference}, files: [benchmark.jsonl]}
probe:
  metrics: []
  models: [{name: knows, path: src.lm}, {name: names, path: said.lm}, {name: other, path: other.lm}]
compliance: {benchmark: benchmark, tokens: 200}
YAML
for delay in 0.03 0.06 0.1; do timeout -s KILL $delay "$leakgraph" run run.yaml >/dev/null 2>&1 || true; done
expect 0 "$leakgraph" run run.yaml --threads 3
says out 'strikingly similar answers' '^other +8 +8 +0 '
digests run | cmp - digests || fail "a run has other tables than the audit"
expect 0 "$leakgraph" fsck run
reference_sql "$PWD/run/graph.db" compliance
expect 0 "$leakgraph" run run.yaml --threads 1 --replace --set graph.store=none
says err 'knows: 0 questions asked'
[ "$(sql run "SELECT count(reference), count(answer), count(reply) FROM compliance_functions, compliance_answers")" = \
    '0|0|0' ] || fail "texts are kept with graph.store: none"
says run/report.md 'Licence compliance'

# Gates: of a benchmark's functions, of LICO; each just below and above.
for gate in striking=99.9:3 striking=100:0 lico_short=99:3 lico_short=100:0; do
    expect "${gate#*:}" "$leakgraph" run run.yaml --replace --quiet --set "fail_on.${gate%:*}"
done
[ "$(sql run "SELECT count(*), max(percent) FROM gates")" = '3|100.0' ] || fail "a gate for each model"

# Other threads and ranks, told what to do: the same way, other prompts.
expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output alone --threads 1 \
    --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm --quiet
cmp alone/pairs.tsv before/pairs.tsv || fail "one thread gives other answers"
[ ! -s err ] || fail "--quiet says something"
if command -v mpirun >/dev/null; then
    expect 0 ranks 2 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output two --quiet \
        --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm
    cmp two/pairs.tsv before/pairs.tsv || fail "two ranks give other answers"
    digests two | cmp - digests || fail "two ranks make other tables"
    expect 2 ranks 2 "$leakgraph" audit licence --pairs benchmark.jsonl
    says err 'several ranks need --output DIR'
fi
expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --output told --template instruct --new-tokens 100 \
    --model knows=ngram:src.lm
says err 'knows: 8 answers to 8 functions'

# What is damaged is found, settings that say nothing or too much are refused.
cp -r audit damaged
"$PYTHON" - <<'PYTHON'
import sqlite3
with sqlite3.connect("damaged/graph.db") as database:
    database.execute("UPDATE compliance_groups SET striking = 3, lico = 0.5 WHERE answers_of = 'other'")
    database.execute("UPDATE compliance_answers SET striking = 0 WHERE rowid = 1")
PYTHON
expect 1 "$leakgraph" fsck damaged
says out 'a group counts its answers: knows striking' 'LICO is what the counts make of it: other' \
    'strikingly similar where it is above the limits'
refused() { expect 2 "$leakgraph" run run.yaml --output no --set "$1"; says err "$2"; }
refused compliance.benchmark=bench 'no dataset is called .bench.'
refused 'compliance={}' 'needs .benchmark., functions that'
refused compliance.comments=some 'comments must be a number from 0 to 1000000, or off'
refused compliance.edit_tokens=http:x 'takes llama:FILE, ngram:FILE or a tokenizer.json'
refused compliance.rules=none.json 'names a file that is not there'
refused compliance.asked=9 'is of .pairs.'
refused compliance.pairs=[knows] 'no dataset is called .knows.'
sed 's/^compliance: {/&pairs: [knows], /
     s/^datasets:/&\n  - {name: knows, files: [benchmark.jsonl]}/' run.yaml >twice.yaml
expect 2 "$leakgraph" run twice.yaml --output no
says err 'is a dataset of .pairs. and a model'
sed '/^probe/,/models/d' run.yaml >alone.yaml
expect 2 "$leakgraph" run alone.yaml --output no
says err 'probe.models'
expect 2 "$leakgraph" audit licence --benchmark benchmark.jsonl --output none --model m=ngram:none.lm
says err 'none\.lm'
