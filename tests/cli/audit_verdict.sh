# audit verdict: rows of files that a model knows and rows that it cannot; one table, a folder, a stored classifier.
. "$(dirname "$0")/common.sh"
cd "$work"

cat >rows.py <<'PYTHON'
import random, sys
roles = "class function variable string comment docstring".split()
def rows(path, more, seed, repositories=24, files=10, unlabelled=4, label=str):
    draw = random.Random(seed)
    with open(path, "w") as out:
        out.write("," + ",".join("%s_hits,%s_nums_total" % (x, x) for x in roles) + ",trained_on,repository\n")
        for i in range(repositories):
            for f in range(files):
                cells = []
                for x in roles:
                    total = draw.randrange(15)
                    hits = sum(draw.random() < 0.2 + more * (i % 2) for _ in range(total))
                    cells += [repr(hits / total if total else 0), str(total)]
                told = "" if i >= repositories - unlabelled else label(i % 2)
                out.write("r%02d/f%d.py,%s,%s,r%02d\n" % (i, f, ",".join(cells), told, i))
rows("known.csv", 0.4, 1)
rows("new.csv", 0.4, 2, repositories=8, unlabelled=0)
rows("ones.csv", 0.4, 3, label=lambda known: "" if known else "0")
for seed in range(8): rows("noise%d.csv" % seed, 0, 100 + seed, unlabelled=0)
PYTHON
"$PYTHON" rows.py
verdict() { expect 0 "$leakgraph" audit verdict "$@"; }

# One table on standard output: repositories of the test and without a label, rightly told.
verdict known.csv --grid off
cp out first
"$PYTHON" - <<'PYTHON'
rows = [line.rstrip("\n").split("\t") for line in open("first")]
head, rows = rows[0], rows[1:]
assert head == "features classifier repository part label files said share above_0_4 above_0_6".split(), head
part = [row[3] for row in rows]
assert part.count("test") == 10 and part.count("unlabelled") == 4, part
for row in rows: assert int(row[8]) == int(row[2][1:]) % 2, row
PYTHON
says err '^known: forest, of 100 files of the test: F1 0\.9' 'by files: [0-2] of 10 clean repositories, 10 of 10'
for threads in 1 3; do
    verdict known.csv --grid off --threads $threads --quiet --draws 99
    [ ! -s err ] || fail "--quiet says something"
    cmp out first || fail "$threads threads say something else"
done
verdict known.csv --grid off --seed 5 --draws 0
! cmp -s out first || fail "the seed changes nothing"
verdict 20=known.csv --grid off --quiet --table false_positives
says out '^20	files	0\.05	10	' '^20	repositories	'

# A folder; its classifier used on other files says what it says there.
verdict known.csv --classifier all --grid off --output audit --quiet
[ ! -s out ] || fail "a folder, and standard output"
for file in report.md report.json scores.tsv noise.tsv untrained.tsv roc.tsv known-forest.json known-boosting.json; do
    [ -s audit/verdict/$file ] || fail "no $file"
done
"$PYTHON" - <<'PYTHON'
import json
import xml.etree.ElementTree as tree
report = json.load(open("audit/verdict/report.json"))
svg = "{http://www.w3.org/2000/svg}"
picture = tree.parse("audit/verdict/roc.svg").getroot()
said = {text.text for text in picture.iter(svg + "text")}
lines = list(picture.iter(svg + "polyline"))
assert len(lines) == 3 and all(len(line.get("points").split()) > 2 for line in lines), lines
assert sum(text.startswith("known, ") and " AUC 0.9" in text or "AUC 1.0" in text for text in said) == 3, said
def rows(name): return [line.rstrip("\n").split("\t") for line in open("audit/verdict/%s.tsv" % name)][1:]
scores = {(row[1], row[2]): row for row in rows("scores")}
for kind in {key[0] for key in scores}:
    assert float(scores[kind, "single"][5]) > 0.85 and float(scores[kind, "0.4"][4]) == 1, scores
    lost = [float(row[7]) for row in rows("noise") if row[1] == kind and row[3] == "single"]
    assert float(scores[kind, "single"][6]) > lost[1] > lost[2], lost         # sensitivity
assert len(report["scores_of_classifiers"]["scores"]) == len(scores)
for row in rows("untrained"):
    if int(row[1][1:]) % 2: assert float(row[10]) <= 0.001 and float(row[9]) > 0.2, row
PYTHON
# Its files are in a manifest, so that the same command may write them again; those of others, and links, stay.
[ "$(grep -c '	verdict/' audit/manifest.tsv)" = "$(find audit/verdict -type f | wc -l)" ] ||
    fail "not every file is in the manifest"
! grep -q '^-	-	verdict' audit/manifest.tsv || fail "a file is not summed"
cp audit/verdict/report.json again
verdict known.csv --classifier all --grid off --output audit --quiet
cmp audit/verdict/report.json again || fail "the same command again says something else"
mkdir -p mine/verdict link/others
echo mine >mine/verdict/report.md
expect 2 "$leakgraph" audit verdict known.csv --grid off --draws 0 --output mine --quiet
says err 'mine/verdict/report\.md: is there, and manifest\.tsv does not name it'
[ "$(find mine/verdict -type f) $(cat mine/verdict/report.md)" = "mine/verdict/report.md mine" ] ||
    fail "files of somebody else were written over, or beside them"
ln -s others link/verdict
expect 2 "$leakgraph" audit verdict known.csv --grid off --draws 0 --output link --quiet
says err 'link/verdict: '
[ -z "$(ls link/others)" ] || fail "a link below the folder was followed"
rm link/verdict
mkdir link/verdict
ln -s "$work/again" link/verdict/scores.tsv
expect 2 "$leakgraph" audit verdict known.csv --grid off --draws 0 --output link --quiet
says err 'link/verdict/scores\.tsv: is there'
verdict new.csv --use audit/verdict/known-forest.json --table scores --quiet
"$PYTHON" - <<'PYTHON'
rows = [line.split("\t") for line in open("out")][1:]
assert len(rows) == 3 and float(rows[0][4]) > 0.85 and float(rows[1][4]) == 1, rows
assert sum(map(int, rows[0][8:12])) == 80, rows
PYTHON
expect 1 "$leakgraph" audit verdict new.csv --use rows.py
says err 'rows\.py'

# The released code's ways: files are dealt, a fifth of them tested.
verdict known.csv --compat published --grid off --table settings --quiet
says out '^known	forest	12	128	40	40	'

# Nothing to learn from: the test that needs no training alone.
verdict ones.csv
says err 'by files: [0-2] of 10 clean repositories, 0 of 0'
"$PYTHON" - <<'PYTHON'
rows = [line.rstrip("\n").split("\t") for line in open("out")]
assert rows[0][:3] == ["features", "repository", "label"], rows[0]
for row in rows[1:]:
    if int(row[1][1:]) % 2: assert float(row[10]) <= 0.001, row
PYTHON

# Noise alone: scores of a coin, p-values spread evenly.
verdict noise?.csv --grid off --quiet --draws 0 --table scores
cp out scores
verdict noise?.csv --grid off --quiet --draws 999 --table untrained
"$PYTHON" - <<'PYTHON'
rows = [line.rstrip("\n").split("\t") for line in open("scores")][1:]
accuracy = [float(row[4]) for row in rows if row[2] == "single"]
assert len(accuracy) == 8 and abs(sum(accuracy) / 8 - 0.5) < 0.06, accuracy
p = sorted(float(line.split("\t")[10]) for line in open("out").readlines()[1:])
far = max(max(abs((i + 1) / len(p) - x), abs(i / len(p) - x)) for i, x in enumerate(p))
assert len(p) == 192 and far < 1.63 / len(p) ** 0.5, far                    # Kolmogorov and Smirnov, 1 %
PYTHON

# What is refused names the place.
printf 'f,class_hits\n' >bad.csv
expect 1 "$leakgraph" audit verdict bad.csv
says err 'bad\.csv:1: there is no column `function_hits`'
sed '5s/,0\.[0-9]*,/,1.5,/' known.csv >bad.csv
expect 1 "$leakgraph" audit verdict bad.csv
says err 'bad\.csv:5: column [0-9]+: `1\.5` is no share of hits'
expect 1 "$leakgraph" audit verdict missing.csv
says err 'missing\.csv'
head -n 1 known.csv >empty.csv
expect 1 "$leakgraph" audit verdict empty.csv
says err 'empty\.csv: has no row'
expect 2 "$leakgraph" audit verdict known.csv --grid off --table nonsense
says err 'nonsense'

# From a model to verdicts: half of the repositories are in what a model of n-grams was trained on, a fourth has no
# label; it is asked for elements of all files, and the run's folder says which.
cat >sources.py <<'PYTHON'
import json, random
random.seed(7)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key".split()]
def some(n): return random.sample(words, n)
def source(number):
    a, b, c, d = some(4)
    return ('"""Tells %s of %s and what %s was."""\n\nclass %s%d:\n    # all of %s before %s is %s\n' % (
            a, b, c, a.title(), number, b, c, d)
            + "".join("    def %s_%s(self, %s):\n        %s = 'the %s of %s'\n        return %s\n\n" % (
                x, y, z, w, y, z, w) for x, y, z, w in (some(4) for _ in range(6))))
with open("files.jsonl", "w") as files, open("train.jsonl", "w") as train:
    for i in range(64):
        text, known = source(i), i % 8 < 4
        split = "asked" if i >= 48 else "known" if known else "new"
        files.write(json.dumps({"text": text, "path": "src/%d.py" % i, "repo": "o/r%02d" % (i // 4),
                                "split": split}) + "\n")
        if known: train.write(json.dumps({"text": text}) + "\n")
PYTHON
"$PYTHON" sources.py
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe: {models: [{name: small, path: model.lm}], metrics: []}
inclusion: {from: files, trained: known, others: new}
YAML
expect 0 "$leakgraph" train-ngram --corpus train=train.jsonl --order 7 --output model.lm --quiet
expect 0 "$leakgraph" run run.yaml --quiet
verdict run --grid off --output run --quiet
verdict run --grid off --quiet --table elements
cmp out run/verdict/elements.tsv || fail "a folder's table, and the same on standard output"
"$PYTHON" - <<'PYTHON'
import json
text = {}
for line in open("files.jsonl"):
    row = json.loads(line)
    text[row["path"]] = (row["repo"], row["text"], row["split"])
def rows(name): return [line.rstrip("\n").split("\t") for line in open("run/verdict/%s.tsv" % name)][1:]
assert {row[0] for row in rows("scores")} == {"small-20", "small-40", "small-60", "small-80"}
for row in rows("scores"): assert float(row[5]) > 0.85, row
known = {repo for repo, _, _ in text.values() if int(repo[3:]) % 2 == 0}
for row in rows("repositories"): assert int(row[8]) == (row[2] in known), row
assert sum(row[3] == "unlabelled" for row in rows("repositories")) == 4 * 4
for row in rows("untrained"): assert (float(row[10]) < 0.05) >= (row[1] in known), row
elements = rows("elements")
for model, repo, category, path, line, element in elements:
    assert text[path][0] == repo and element in text[path][1].split("\n")[int(line) - 1], (path, line, element)
assert known <= {row[1] for row in elements}
missed = rows("missed")
assert len(missed) == 2 * 3 * 3 and {row[1] for row in missed} == {"1", "0"}, missed
for label in "10":      # as many as there are, and never more than at a higher limit
    for category in "class function variable".split():
        looked = [int(row[4]) for row in missed if row[1] == label and row[2] == category]
        assert looked == sorted(looked, reverse=True), missed
assert sum(int(row[4]) for row in missed if row[1] == "0") > 10, missed
PYTHON
expect 0 "$leakgraph" fsck run
says run/manifest.tsv '	verdict/small-20\.csv$' '	verdict/report\.md$' '	graph\.db$'
expect 0 "$leakgraph" run run.yaml --quiet
says run/manifest.tsv '	verdict/small-20\.csv$'
sed '/^probe/d; s/^inclusion.*/dedup: {}/' run.yaml >none.yaml
expect 0 "$leakgraph" run none.yaml --output none --quiet
expect 2 "$leakgraph" audit verdict none
says err 'none/graph\.db: this run has asked no model'
