# Were files in a model's training data?  A model of n-grams that was trained on half of the files gives their elements
# back, and not the others'; ranks, threads, kills and a resume change nothing, and nobody is asked twice.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(7)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key".split()]
def some(n):
    return random.sample(words, n)
def source(number):
    a, b, c, d = some(4)
    return ('"""Tells %s of %s and what %s was."""\n\nclass %s%d:\n    # all of %s before %s is %s\n' % (
            a, b, c, a.title(), number, b, c, d)
            + "".join("    def %s_%s(self, %s):\n        %s = 'the %s of %s'\n        return %s\n\n" % (
                x, y, z, w, y, z, w) for x, y, z, w in (some(4) for _ in range(6))))
with open("files.jsonl", "w") as files, open("train.jsonl", "w") as train:
    for i in range(24):
        text = source(i)
        files.write(json.dumps({"text": text, "path": "src/%d.py" % i, "repo": "o/r%d" % (i // 4),
                                "split": "known" if i % 8 < 4 else "new" if i < 16 else "asked"}) + "\n")
        if i % 8 < 4:
            train.write(json.dumps({"text": text}) + "\n")
PYTHON
expect 0 "$leakgraph" train-ngram --corpus train=train.jsonl --order 7 --output model.lm
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe: {models: [{name: small, path: model.lm}], metrics: []}
inclusion: {from: files, trained: known, others: new, test: files}
YAML
answers="SELECT f.path, f.trained, a.model, a.role, a.line, a.wanted, a.output, a.score FROM inclusion_answers AS a
         JOIN inclusion_files AS f ON f.id = a.file ORDER BY a.rowid"
verdicts_of() {  # RUN: all that is said of repositories
    for table in verdicts classifiers scores importances roc predictions; do
        sql "$1" "SELECT '$table', * FROM inclusion_$table ORDER BY rowid"
    done
}

for delay in 0.05 0.1 0.15; do
    timeout -s KILL $delay "$leakgraph" run run.yaml --output killed >/dev/null 2>&1 || true
done
expect 0 "$leakgraph" run run.yaml --output killed
expect 0 "$leakgraph" run run.yaml
says err 'inclusion: models=1 files=24 asked=24 reused=0'
says out 'what models gave back of the files'
expect 0 "$leakgraph" fsck run
sql run "$answers" >answers
sql killed "$answers" | cmp - answers || fail "a killed run"
verdicts_of run >verdicts
verdicts_of killed | cmp - verdicts || fail "verdicts of a killed run"
reference_sql "$PWD/run/graph.db" inclusion
expect 0 "$leakgraph" run run.yaml --output run --threads 3 --replace --set graph.store=none
says err 'asked=0 reused=24'
verdicts_of run | cmp - verdicts || fail "verdicts of three threads"
ranks 3 "$leakgraph" run run.yaml --output ranks --quiet || fail "three ranks"
sql ranks "$answers" | cmp - answers || fail "three ranks say something else"
verdicts_of ranks | cmp - verdicts || fail "three ranks have other verdicts"

# Verdicts: the repositories that it was trained on, at each threshold; not the one of which nothing was told.  The same
# p-values as audit verdict has of the rows.
says out "repositories in models' training data" 'o/r0 .* trained' 'o/r5 .* not shown'
[ "$(sql run "SELECT group_concat(repo || ' ' || verdict, ', ') FROM (SELECT repo, verdict FROM inclusion_verdicts
              WHERE threshold = 20 AND decides ORDER BY repo)")" = \
  "o/r0 trained, o/r1 clean, o/r2 trained, o/r3 clean, o/r4 trained, o/r5 not shown" ] || fail "verdicts"
[ "$(sql run "SELECT count(*), count(DISTINCT threshold), sum(decides) FROM inclusion_verdicts")" = '24|4|6' ] ||
    fail "a row for each repository and threshold"
expect 0 "$leakgraph" audit verdict run --quiet --grid off --seed 1 --table untrained
"$PYTHON" - <<'PYTHON' || fail "the verdicts of a run are not those of audit verdict"
import sqlite3
lines = [line.rstrip("\n").split("\t") for line in open("out")]
rows = [dict(zip(lines[0], line)) for line in lines[1:]]
database = sqlite3.connect("run/graph.db")
database.row_factory = sqlite3.Row
stored = database.execute("SELECT * FROM inclusion_verdicts ORDER BY rowid").fetchall()
assert len(rows) == len(stored)
for row, is_ in zip(rows, stored):
    assert row["features"] == "small-%d" % is_["threshold"] and row["repository"] == is_["repo"]
    for one, other in (("p", "p_files"), ("p_rank", "p_repositories"), ("p_spread", "p_spread"),
                       ("rate", "rate"), ("excess", "excess"),
                       ("against_rate", "clean_rate"), ("string", "string"), ("variable", "variable")):
        assert abs(float(row[one] or -1) - (-1 if is_[other] is None else is_[other])) < 1e-9, (one, row, tuple(is_))
for level, wrong, found in database.execute("SELECT level, wrong, found FROM inclusion_errors WHERE decides AND test = "
                                            "'files'"):
    assert wrong == 0 and found == 3, (level, wrong, found)
PYTHON
# So are the classifiers.
expect 0 "$leakgraph" run run.yaml --output all --quiet --set inclusion.classifiers=all
expect 0 "$leakgraph" audit verdict all --quiet --grid off --seed 1 --classifier all --output .
"$PYTHON" - <<'PYTHON' || fail "the classifiers of a run are not those of audit verdict"
import sqlite3
database = sqlite3.connect("all/graph.db")
def same(table, query):
    lines = [line.rstrip("\n").split("\t") for line in open("verdict/%s.tsv" % table)][1:]
    rows = database.execute(query).fetchall()
    assert len(rows) == len(lines) > 3, (table, len(rows), len(lines))
    for line, row in zip(lines, rows):
        for cell, value in zip(line, row):
            if isinstance(value, float): assert abs(float(cell) - value) < 1e-9, (table, line, row)
            else: assert cell == ("" if value is None else str(value)), (table, line, row)
name = "SELECT model || '-' || threshold, classifier, "
same("scores", name + "criterion, precision, accuracy, f1, sensitivity, specificity, tp, fp, tn, fn FROM "
     "inclusion_scores WHERE lost = 0 ORDER BY rowid")
same("noise", name + "lost, criterion, precision, accuracy, f1, sensitivity, specificity, tp, fp, tn, fn FROM "
     "inclusion_scores WHERE lost > 0 ORDER BY rowid")
same("importance", name + "feature, importance, permuted, deviation FROM inclusion_importances ORDER BY rowid")
same("roc", name + "cutoff, false_share, true_share FROM inclusion_roc ORDER BY rowid")
same("repositories", name + "repo, part, label, files, said, 1.0 * said / files, above_0_4, above_0_6 FROM "
     "inclusion_predictions ORDER BY rowid")
for count, tested in database.execute("SELECT count(*), min(learned + tested) FROM inclusion_classifiers GROUP BY "
                                      "classifier"):
    assert (count, tested) == (4, 20), (count, tested)
PYTHON
expect 0 "$leakgraph" fsck all
[ "$(sql run "SELECT count(*) > 3 FROM inclusion_given_away WHERE repo = 'o/r0'")" = 1 ] || fail "what gives r0 away"
[ "$(sql run "SELECT count(*) FROM inclusion_given_away AS g JOIN inclusion_files AS f USING (path)
              WHERE f.trained = 0")" = 0 ] || fail "clean repositories are given away"
"$PYTHON" - <<'PYTHON' || fail "the report of the verdicts"
import json
told = json.load(open("run/report.json"))["inclusion"]
assert [row["repo"] for row in told["verdicts"] if row["verdict"] == "trained"] == ["o/r0", "o/r2", "o/r4"]
assert [row["label"] for row in told["verdicts"] if row["repo"] == "o/r5"] == [""]
assert len(told["scores"]) == 48 and len(told["roc"]) > 8 and told["importances"] and told["predictions"]
assert len(told["errors"]) >= 16 and len(told["categories"]) == 3 and told["given_away"]
PYTHON

# Gates: three of four repositories.  The rank among two says nothing, so it does not pass.
expect 3 "$leakgraph" run run.yaml --output run --replace --quiet --set fail_on.inclusion=74
says err 'fail_on.inclusion failed: 75.00 % of the repositories of files are found in the training data of'
expect 0 "$leakgraph" run run.yaml --output run --replace --quiet --set fail_on.inclusion=76
expect 3 "$leakgraph" run run.yaml --output run --replace --quiet --set fail_on.inclusion=76 \
    --set inclusion.test=repositories
says err 'fail_on.inclusion is inconclusive'
expect 0 "$leakgraph" fsck run
sed 's/, others: new, test: files//' run.yaml >without.yaml
expect 3 "$leakgraph" run without.yaml --output without --quiet --set fail_on.inclusion=76
says err 'fail_on.inclusion is inconclusive'
[ "$(sql without "SELECT count(*) FROM inclusion_verdicts")" = 0 ] || fail "verdicts without others"
expect 0 "$leakgraph" run run.yaml --output without --quiet --replace --set inclusion.draws=0 \
    --set inclusion.classifiers=none
[ "$(verdicts_of without | wc -l)" = 0 ] || fail "verdicts without draws and classifiers"
expect 2 "$leakgraph" run run.yaml --output x --set inclusion.level=0
says err 'level.*must be above 0'
cp -r run damaged
"$PYTHON" - <<'PYTHON'
import sqlite3
with sqlite3.connect("damaged/graph.db") as database:
    database.execute("UPDATE inclusion_scores SET tp = tp + 1 WHERE rowid = 1")
    database.execute("UPDATE inclusion_verdicts SET verdict = 'trained' WHERE repo = 'o/r5'")
PYTHON
expect 1 "$leakgraph" fsck damaged
says out 'said to be trained on where its adjusted p' 'scores of files are of those that were tested'
expect 0 "$leakgraph" run run.yaml --output run --replace --quiet

# Half of what it was trained on it gives back to the last character, and of the others nearly nothing.
share() { sql run "SELECT CAST(100 * avg(score = 100) AS INTEGER) FROM inclusion_answers AS a JOIN inclusion_files AS f
                   ON f.id = a.file WHERE $1"; }
[ "$(share 'trained = 1')" -ge 40 ] || fail "only $(share 'trained = 1') % of what it was trained on is told"
[ "$(share 'trained = 0')" -le 10 ] || fail "$(share 'trained = 0') % of what it never saw is told"
[ "$(sql run "SELECT count(*) FROM inclusion_files WHERE trained IS NULL")" = 4 ] || fail "labels of splits"

# Elements of every role, no more of each than were asked for, each where it is said to be.
[ "$(sql run "SELECT count(DISTINCT role) FROM inclusion_answers")" = 6 ] || fail "roles"
[ "$(sql run "SELECT max(n) FROM (SELECT count(*) AS n FROM inclusion_answers GROUP BY file, role)")" = 4 ] ||
    fail "more than four of a role"
"$PYTHON" - <<'PYTHON' || fail "elements are not where they are said to be"
import json, sqlite3
text = {r["path"]: r["text"] for r in map(json.loads, open("files.jsonl"))}
for path, line, wanted in sqlite3.connect("run/graph.db").execute(
        "SELECT f.path, a.line, a.wanted FROM inclusion_answers AS a JOIN inclusion_files AS f ON f.id = a.file"):
    assert "\n".join(text[path].split("\n")[line - 1:]).find(wanted) >= 0, (path, line, wanted)
PYTHON
[ "$(sql run "SELECT count(*) FROM inclusion_features")" = 96 ] || fail "features: four thresholds of 24 files"
grep -q 'Were these files in the training data' run/report.md || fail "the report"

# The same in one line, of files by their label.
"$PYTHON" - <<'PYTHON'
import json
records = [json.loads(line) for line in open("files.jsonl")]
for split in ("known", "new", "asked"):
    with open(split + ".jsonl", "w") as out:
        for record in records:
            if record["split"] == split:
                out.write(json.dumps({key: record[key] for key in ("text", "path", "repo")}) + "\n")
PYTHON
expect 0 "$leakgraph" audit inclusion --model small=ngram:model.lm --files asked.jsonl --trained known.jsonl \
    --others new.jsonl --language python --output line
says out 'what models gave back of the files'
labels="SELECT group_concat(n) FROM (SELECT count(*) AS n FROM inclusion_files GROUP BY trained)"
[ "$(sql line "$labels")" = "4,8,12" ] ||
    fail "labels of files: $(sql line "SELECT trained, count(*) FROM inclusion_files GROUP BY trained")"
order="SELECT f.path, a.role, a.line, a.output FROM inclusion_answers AS a JOIN inclusion_files AS f ON f.id = a.file
       ORDER BY 1, 2, 3, 4"
sql run "$order" >order
sql line "$order" | cmp - order || fail "one line is another audit"

# The published elements, of all of which more are asked for.
expect 0 "$leakgraph" run run.yaml --output published --set inclusion.elements=published \
    --set inclusion.per_category=0
[ "$(sql published "SELECT count(*) > 24 * 20 AND sum(inside) > 0 FROM inclusion_answers")" = 1 ] || fail "published"
# Rows as the released code makes them: without answers that pandas reads as no value, what is twice counted once.
cp -r published quirks
"$PYTHON" - <<'PYTHON'
import sqlite3
db = sqlite3.connect("quirks/graph.db")
db.execute("UPDATE inclusion_answers SET output = 'null' WHERE rowid = (SELECT min(rowid) FROM inclusion_answers WHERE "
           "role = 'function')")
db.commit()
PYTHON
for run in published quirks; do
    expect 0 "$leakgraph" audit verdict $run --compat published --grid off --output $run --draws 0
done
"$PYTHON" - <<'PYTHON'
import csv, sqlite3
rows = {run: list(csv.DictReader(open(run + "/verdict/small-20.csv"))) for run in ("published", "quirks")}
db = sqlite3.connect("published/graph.db")
of = dict(db.execute("SELECT f.repo || '/' || f.path, count(DISTINCT a.role || char(10) || a.wanted || char(10) || "
                     "a.output) FROM inclusion_answers AS a JOIN inclusion_files AS f ON f.id = a.file WHERE "
                     "a.role = 'function' AND a.wanted NOT IN ('', 'null') AND "
                     "a.output NOT IN ('', 'null', 'NA', 'nan') GROUP BY 1"))
numbers = {run: [float(row["function_nums_total"]) for row in rows[run]] for run in rows}
name = list(rows["published"][0])[0]
assert [of[row[name]] for row in rows["published"]] == numbers["published"], (of, rows["published"])
assert sum(numbers["published"]) - sum(numbers["quirks"]) == 1, numbers
PYTHON
# Files lie below their repositories, as the released code's do; the first component is the owner.
sql published "SELECT DISTINCT repo || '/' || path FROM inclusion_files" | sort >paths
cut -d, -f1 published/verdict/small-20.csv | sed 1d | sort | cmp - paths || fail "other files of repositories"
expect 0 "$leakgraph" audit verdict published --compat published --grid off --draws 9 --quiet --table untrained
[ "$(sed 1d out | cut -f2 | sort -u)" = o ] || fail "an owner is not the published repository"

# As many models as a run may ask, one with a name as long as it may be.
"$PYTHON" - <<'PYTHON'
models = ", ".join("{name: %s, path: model.lm}" % name for name in ["m%d" % i for i in range(15)] + ["x" * 200])
open("sixteen.yaml", "w").write("".join("probe: {models: [%s], metrics: []}\n" % models if line.startswith("probe") else
                                        line for line in open("run.yaml")))
PYTHON
expect 0 "$leakgraph" run sixteen.yaml --output sixteen --quiet
expect 0 "$leakgraph" audit verdict sixteen --quiet --draws 0 --grid off --output sixteen
[ "$(cd sixteen/verdict && ls ./*-20.csv | wc -l)" = 16 ] || fail "rows of sixteen models"
expect 0 "$leakgraph" fsck sixteen

# Labels by comments: of each of these files one line is a comment.
sed 's/trained: known, others: new, test: files/labels: comments/' run.yaml >comments.yaml
expect 0 "$leakgraph" run comments.yaml --output comments
[ "$(sql comments "SELECT count(*) FROM inclusion_files WHERE trained = 1")" = 24 ] || fail "labels by comments"
expect 2 "$leakgraph" run run.yaml --output x --set inclusion.labels=comments
says err 'says that splits have no labels'

# A file with a prompt that leaves no room for the answer is left out as published, and a row says so; else it is cut.
sed 's/path: model.lm/&, context: 230/' run.yaml >short.yaml
expect 0 "$leakgraph" run short.yaml --output short --set inclusion.elements=published
says err 'files=24 asked=24 reused=0 too_long=24'
[ "$(sql short "SELECT count(*), count(score), count(DISTINCT file) FROM inclusion_answers")" = '24|0|24' ] ||
    fail "files with prompts that are too long"
expect 0 "$leakgraph" run short.yaml --output short --replace
says err 'too_long=0'
[ "$(sql short "SELECT count(*) = count(score) AND count(*) > 24 FROM inclusion_answers")" = 1 ] || fail "cut prompts"

expect 2 "$leakgraph" run run.yaml --output x --set inclusion.from=other
says err 'other'
expect 2 "$leakgraph" run run.yaml --output x --set inclusion.others=known
says err 'is the split that `trained` names'
for key in trained others; do
    expect 2 "$leakgraph" run run.yaml --output x --set inclusion.$key=nosuch
    says err "inclusion\.$key: no file of .files. is of split .nosuch.; it has known, new, asked"
done
expect 2 "$leakgraph" run run.yaml --output x --set inclusion.temperature=warm
says err 'must be a number from 0 to 1000'
sed '/^probe/d' run.yaml >alone.yaml
expect 2 "$leakgraph" run alone.yaml --output x
says err 'probe.models'
echo ok
