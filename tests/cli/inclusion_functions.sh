# Functions in halves: a model of n-grams that was trained on half of the repositories writes the second halves of their
# functions again, and not the others'; ranks, threads, kills and a resume change nothing, and nobody is asked twice.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(11)
def word():
    return "".join(random.choice("abcdefghijklmnop") for _ in range(8))
def some(between):
    return between.join(word() for _ in range(random.randint(1, 4)))
def statements(end):                                        # of 64 shapes, with names that stand nowhere else
    return ["%s = %s(%s)%s" % (some("."), some(" + "), some(", "), end) for _ in range(10)]
def python(n):
    return "".join("def %s%d(%s):\n    %s\n\n\n" % (word(), n * 3 + k, word(), "\n    ".join(
        statements(""))) for k in range(3))
def java(n):
    return "class C%d {\n" % n + "".join("    void %s%d(int %s) {\n        %s\n    }\n\n" % (
        word(), n * 3 + k, word(), "\n        ".join(statements(";")))
        for k in range(3)) + "}\n"
shared = python(99)
with open("files.jsonl", "w") as files, open("train.jsonl", "w") as train:
    for i in range(24):
        repo, known = i // 4, i % 8 < 4
        path, text = ("%d.py" % i, python(i)) if i % 2 else ("%d.java" % i, java(i))
        if i % 4 == 3: text += shared                       # in every repository, and the model knows it
        record = {"text": text, "path": "src/" + path, "repo": "o/r%d" % repo,
                  "split": "known" if known and i < 16 else "new" if i < 16 else "asked"}
        files.write(json.dumps(record) + "\n")
        if known or i % 4 == 3: train.write(json.dumps({"text": text if known else shared}) + "\n")
PYTHON
expect 0 "$leakgraph" train-ngram --corpus train=train.jsonl --order 7 --output model.lm
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: files, role: corpus, files: [files.jsonl]}
probe: {models: [{name: small, path: model.lm}], metrics: []}
inclusion: {from: files, trained: known, others: new, ask: functions, functions: 0}
YAML
all_of() {  # RUN: all that is said of functions
    for table in files functions clones clone_scores; do
        sql "$1" "SELECT '$table', * FROM inclusion_$table ORDER BY rowid"
    done
}

for delay in 0.05 0.1 0.15; do
    timeout -s KILL $delay "$leakgraph" run run.yaml --output killed >/dev/null 2>&1 || true
done
expect 0 "$leakgraph" run run.yaml --output killed
expect 0 "$leakgraph" run run.yaml
says err 'inclusion: models=1 files=24 asked=24 reused=0'
says out 'functions given back, by repository'
all_of run >all
all_of killed | cmp - all || fail "a killed run"
expect 0 "$leakgraph" fsck run
expect 0 "$leakgraph" run run.yaml --threads 3 --replace --set graph.store=none
says err 'asked=0 reused=24'
all_of run | cmp - all || fail "three threads"
ranks 3 "$leakgraph" run run.yaml --output ranks --quiet || fail "three ranks"
all_of ranks | cmp - all || fail "three ranks say something else"
reference_sql "$PWD/run/graph.db" inclusion_clone

# The repositories that it was trained on, in both languages; what is in all of them does not count.
[ "$(sql run "SELECT group_concat(repo || ' ' || trained, ', ') FROM inclusion_clones ORDER BY repo")" = \
  "o/r0 1, o/r1 0, o/r2 1, o/r3 0, o/r4 1, o/r5 0" ] || fail "$(sql run "SELECT * FROM inclusion_clones")"
shared="SELECT sum(elsewhere), sum(counts), count(*) FROM inclusion_functions"
[ "$(sql run "$shared")" = '90|72|90' ] || fail "functions of several repositories: $(sql run "$shared")"
[ "$(sql run "SELECT min(type) FROM inclusion_functions WHERE elsewhere AND type = '1'")" = 1 ] ||
    fail "the model knows what is in all of them"
for language in py java; do
    [ "$(sql run "SELECT count(*) > 10 FROM inclusion_functions AS a JOIN inclusion_files AS f ON f.id = a.file
                  WHERE type IS NOT NULL AND path LIKE '%.$language'")" = 1 ] || fail "functions of $language"
done
[ "$(sql run "SELECT count(*) FROM inclusion_functions AS a JOIN inclusion_files AS f ON f.id = a.file
              WHERE type IS NOT NULL AND counts AND trained = 0")" = 0 ] || fail "clones of what it never saw"
[ "$(sql run "SELECT group_concat(type || ' ' || f1 || ' ' || tp || fp || tn || fn, ', ')
              FROM inclusion_clone_scores")" = "1 1.0 2020, 2c 1.0 2020, 2 1.0 2020, 3 1.0 2020" ] || fail "scores"
"$PYTHON" - <<'PYTHON' || fail "functions are not what stands there"
import json, sqlite3
text = {r["path"]: r["text"] for r in map(json.loads, open("files.jsonl"))}
told = json.load(open("run/report.json"))["inclusion"]
assert len(told["clones"]) == 6 and len(told["clone_scores"]) == 4 and told["functions_back"]
assert "repositories" not in told
for path, line, wanted, output, type, alike in sqlite3.connect("run/graph.db").execute(
        "SELECT f.path, line, wanted, output, type, alike FROM inclusion_functions AS a JOIN inclusion_files AS f ON "
        "f.id = a.file"):
    lines = text[path].split("\n")[line - 1:]
    assert lines[0].lstrip().startswith(("def ", "void ")), lines[0]
    head = "\n".join(lines).find(wanted)
    assert head > 0 and len(lines) and "\n".join(lines)[:head].count("\n") == (
        (1 + "\n".join(lines)[:head + len(wanted)].count("\n")) // 2), (path, line)
    if type == "1": assert "".join(output.split()).startswith("".join(wanted.split())), (wanted, output)
    if type: assert alike >= 0.7
PYTHON

# No more of a file than are asked for; one that would take more than the model may write is told, and does not count.
expect 0 "$leakgraph" run run.yaml --output few --quiet --set inclusion.functions=1
few="SELECT max(n), count(*) FROM (SELECT count(*) AS n FROM inclusion_functions GROUP BY file)"
[ "$(sql few "$few")" = '1|24' ] || fail "one of a file"
expect 0 "$leakgraph" run run.yaml --output none --set inclusion.function_tokens=8
says err 'too_long=24'
[ "$(sql none "SELECT count(*), count(alike), sum(counts), (SELECT count(*) FROM inclusion_clones)
               FROM inclusion_functions")" = '90|0|0|0' ] || fail "functions that are too long"
expect 0 "$leakgraph" fsck none

# Beside elements, for which the answers are those without functions; what was answered is not asked for again.
expect 0 "$leakgraph" run run.yaml --output run --replace --set inclusion.ask=both
says err 'asked=24 reused=24'
all_of run | cmp - all || fail "functions beside elements"
expect 0 "$leakgraph" run run.yaml --output elements --quiet --set inclusion.ask=elements
sql run "SELECT * FROM inclusion_answers ORDER BY rowid" >answers
sql elements "SELECT * FROM inclusion_answers ORDER BY rowid" | cmp - answers || fail "elements beside functions"
[ "$(sql elements "SELECT count(*) FROM inclusion_functions")" = 0 ] || fail "functions that were not asked for"
"$PYTHON" - <<'PYTHON' || fail "the report of both"
import json
told = json.load(open("run/report.json"))["inclusion"]
assert told["repositories"] and told["verdicts"] and told["clones"]
PYTHON

# As published: by classes, Python alone, nothing that stands in several repositories left out; drawn by the seed.
published() { expect 0 "$leakgraph" run run.yaml --quiet --set inclusion.elements=published "$@"; }
published --output published
published --output again --threads 3
all_of published >all
all_of again | cmp - all || fail "classes of three threads"
expect 0 "$leakgraph" fsck published
[ "$(sql published "SELECT sum(path LIKE '%.java'), sum(counts), count(*) FROM inclusion_functions AS a
                    JOIN inclusion_files AS f ON f.id = a.file")" = '0|54|54' ] || fail "published functions"
[ "$(sql published "SELECT min(trained) FROM inclusion_clones WHERE repo IN ('o/r0', 'o/r2', 'o/r4')")" = 1 ] ||
    fail "published verdicts: $(sql published "SELECT * FROM inclusion_clones")"
[ "$(sql published "SELECT group_concat(type || ' ' || (tp + fp + tn + fn)) FROM inclusion_clone_scores")" = '3 4' ] ||
    fail "published scores"

cp -r run damaged
"$PYTHON" - <<'PYTHON'
import sqlite3
with sqlite3.connect("damaged/graph.db") as database:
    database.execute("UPDATE inclusion_clones SET type_1 = type_1 + 1 WHERE repo = 'o/r0'")
    database.execute("UPDATE inclusion_clones SET trained = 1 WHERE repo = 'o/r5'")
    database.execute("UPDATE inclusion_clone_scores SET tn = tn + 1")
PYTHON
expect 1 "$leakgraph" fsck damaged
says out 'repositories have the functions that were given back' 'where more than a share of its functions' \
    'scores of repositories are of those with a label'
expect 2 "$leakgraph" run run.yaml --output x --set inclusion.functions_back=2
says err 'functions_back'
expect 2 "$leakgraph" run run.yaml --output x --set fail_on.inclusion=0
says err 'fail_on.inclusion goes by elements'
echo ok
