# seconds: 60
# A benchmark of bare texts beside a corpus of files, as a new user has them: what is known of one dataset, and what the
# texts of the other look like, is enough to compare them; and settings say another.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import json, os, random, textwrap
random.seed(7)
words = [a + b for a in ("load", "user", "page", "cache", "node", "edge", "file", "score") for b in
         ("Count", "_id", "s", "_max", "Of", "Next")]
def function(name):
    out = ["def %s(%s):" % (name, ", ".join(random.sample(words, 3)))]
    for _ in range(8):
        a, b, c = (random.choice(words) for _ in range(3))
        out.append("    if %s is not None:\n        %s = %s(%s)" % (a, random.choice(words), b, c))
    return "\n".join(out + ["    return %s" % random.choice(words)]) + "\n"
items = [function("f%d" % i) for i in range(20)]
os.makedirs("files")
for i in range(6):
    parts = [function("g%d_%d" % (i, k)) for k in range(4)] + [items[i]]
    open("files/m%d.py" % i, "w").write("import os\n\nclass C%d:\n" % i +
                                        "".join(textwrap.indent(p, "    ") for p in parts))
with open("bench.jsonl", "w") as out:
    for i, text in enumerate(items): out.write(json.dumps({"id": "b%d" % i, "text": text}) + "\n")
PYTHON

# Six items are functions of the files: the default finds them, says what it took the texts for, and the gate fails.
found() { sql "$1" "SELECT count(DISTINCT item) FROM found_inside"; }
expect 3 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus files=files --output first --set fail_on.leakage=1
says err '^bench: taken for python by its texts' 'leakage'
[ "$(found first)" = 6 ] || fail "$(found first) items are found"
grep -q '^    language: python$' first/config.resolved.yaml || fail "the resolved settings do not say the language"
expect 3 "$leakgraph" run first/config.resolved.yaml --output again --quiet
same first again

# On ranks, and with the corpus as bare texts beside a benchmark whose language is given.
if command -v mpirun >/dev/null; then
    expect 3 ranks 3 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus files=files --output ranks --quiet \
        --set fail_on.leakage=1
    same first ranks
fi
"$PYTHON" -c '
import glob, json
for name in sorted(glob.glob("files/*")): print(json.dumps({"content": open(name).read()}))' >files.jsonl
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus files=files.jsonl --field files.text=content \
    --set datasets.bench.language=python --output bare
says err '^files: taken for python by its texts'
[ "$(found bare)" = 6 ] || fail "$(found bare) items are found in bare texts"

# What was guessed of one is likely for another, and given to who runs the resolved settings: the same run.
mkdir java
echo 'public class A { public static int f(int a) { return a + 1; } }' >java/A.java
{ for i in $(seq 12); do echo "{\"text\": \"import n$i and the m$i\\nw$i\"}"; done; head -5 bench.jsonl; } >mixed.jsonl
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus java=java --corpus mixed=mixed.jsonl --output three
says err '^bench: taken for python by its texts' '^mixed: taken for python by its texts'
expect 0 "$leakgraph" run three/config.resolved.yaml --output resolved --quiet
same three resolved

# What settings say is not guessed at; where nothing is known all are text; one record that says it is enough.
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus files=files --output given \
    --set datasets.bench.language=java
! grep -q 'taken for' err || fail "a given language was guessed"
says err 'bench is java, files is python: no pair of theirs was compared'
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus files=files.jsonl --field files.text=content \
    --output text
! grep -q 'taken for' err || fail "a language was guessed where none is known"
[ "$(found text)" = 6 ] || fail "$(found text) items are found as text"
expect 0 "$leakgraph" plan first/config.resolved.yaml
