# seconds: 60
# Clones of functions by type: what is changed of real functions of Python's library, and of made-up ones of Java, is
# found, each by its type; the same for any ranks and threads; which functions, in which file and line; settings, gates,
# rules, fsck, a resume.
. "$(dirname "$0")/common.sh"
need "$PYTHON"
cd "$work"

"$PYTHON" "$root/tests/cli/clone_mutants.py" make python made || fail "there are no functions to change"
cat >run.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, language: python, files: [made/bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [made/corpus.jsonl]}
clones: {}
YAML
expect 0 "$leakgraph" run run.yaml --output run
says out '^clones: items of the benchmarks' '^bench +corpus '
"$PYTHON" "$root/tests/cli/clone_mutants.py" check run/graph.db made || fail "what was changed is not found"
"$PYTHON" "$root/tests/cli/clone_mutants.py" make java java || fail "there are no methods to change"
expect 0 "$leakgraph" run run.yaml --output run-java --quiet --set 'datasets.bench.files=[java/bench.jsonl]' \
    --set 'datasets.corpus.files=[java/corpus.jsonl]' --set datasets.bench.language=java \
    --set datasets.corpus.language=java
"$PYTHON" "$root/tests/cli/clone_mutants.py" check run-java/graph.db java || fail "what was changed of Java"
# Inside a corpus that has the functions and what was made of them.
for language in python java; do
    made=$([ $language = python ] && echo made || echo java)
    cat >within.yaml <<YAML
datasets: [{name: both, role: corpus, language: $language, files: [$made/bench.jsonl, $made/corpus.jsonl]}]
clones: {within: [both]}
YAML
    expect 0 "$leakgraph" run within.yaml --output within-$language --set 'clones.max_matches=5'
    "$PYTHON" "$root/tests/cli/clone_mutants.py" within within-$language/graph.db $made || fail "within $language"
    expect 0 "$leakgraph" fsck within-$language
done
says within-java/report.md '^Clones: [0-9]+ functions of corpora have a clone in the same corpus'
says run/report.md '^## Clones by type'
expect 0 "$leakgraph" fsck run
expect 0 "$leakgraph" run run.yaml --output tokens --set clones.unit=tokens --set clones.dissimilarity=0.2 --quiet
[ "$(sql tokens "SELECT count(*) FROM clone_pairs WHERE type = '2c'")" = \
    "$(sql run "SELECT count(*) FROM clone_pairs WHERE type = '2c'")" ] || fail "tokens change type 2c"

# The same for any ranks and threads, and after a lost unit.
expect 0 "$leakgraph" run run.yaml --output one --threads 1 --quiet
same run one
if command -v mpirun >/dev/null; then
    for n in 2 3; do
        expect 0 ranks $n "$leakgraph" run run.yaml --output ranks$n --threads 2 --quiet
        same run ranks$n
    done
fi
expect 0 env LEAKGRAPH_KERNELS=scalar "$leakgraph" run run.yaml --output scalar --quiet
same run scalar
rm one/work/clonetypes-* one/graph.db
expect 0 "$leakgraph" run run.yaml --output one --quiet
same run one

expect 0 "$leakgraph" run within.yaml --output within-one --threads 1 --quiet --set 'clones.max_matches=5'
same within-java within-one
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run within.yaml --output within-ranks --threads 2 --quiet --set clones.max_matches=5
    same within-java within-ranks
fi
rm within-one/work/clonepairs-* within-one/graph.db
expect 0 "$leakgraph" run within.yaml --output within-one --quiet --set 'clones.max_matches=5'
same within-java within-one

# Ten thousand equal functions are a class of ten thousand rows; an index beyond `memory:` is refused with what to do.
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(3)
with open("equal.jsonl", "w") as out:
    for i in range(10000):
        text = "def f%d(a, b):\n    c = a + b\n    d = g(c, %d)\n    e = [d]\n    h(e)\n    return e\n" % (i, i)
        out.write(json.dumps({"text": text}) + "\n")
with open("many.jsonl", "w") as out:
    for i in range(4000):
        lines = ["    %s = %s" % (".".join("abc"[:random.randint(1, 3)]), " + ".join(random.choices(
            ["f(x)", "1", "y", "[z]", "(u, v)", "w[2]"], k=random.randint(1, 9)))) for _ in range(100)]
        out.write(json.dumps({"text": "def f(x):\n" + "\n".join(lines)}) + "\n")
PYTHON
within() { expect $1 "$leakgraph" run within.yaml --output $2 --quiet --set "datasets.both.files=[$2.jsonl]" \
    --set datasets.both.language=python --set "clones={within: [both]}" "${@:3}"; }
within 0 equal
[ "$(sql equal "SELECT count(*), max(type2), count(DISTINCT type2c) FROM clone_functions")" = "10000|1|1" ] ||
    fail "a class of equal functions"
within 1 many --set memory=16MB
says err 'functions of both need about [0-9]+ MB in memory, more than .memory. \([0-9]+ MB a rank\): raise .memory.'
within 0 many --set memory=16MB --set "clones.types=[1, 2]"

# Places: the lines of both sides; of equal types the strictest that was asked for.
cat >bench.jsonl <<'JSON'
{"id": "a", "text": "import os\n\ndef f(a, b):\n    c = a + b\n    d = g(c, 1)\n    e = [d]\n    h(e)\n    return e\n"}
{"id": "b", "text": "x = 1\n"}
JSON
"$PYTHON" - <<'PYTHON'
import json
same = "def f(a, b):%s    c = a + b\n    d = g(c,%s1)\n%s    e = [d]\n    h(e)\n    return e\n"
with open("corpus.jsonl", "w") as out:
    for record in (
        {"id": "m", "text": "class K:\n  " + same % ("  # why\n", "\n      ", "") + "\n" +
                            "def q(a, b):\n    c = a + a\n    d = g(c, 2)\n    e = [d]\n    h(e)\n    return e\n"},
        {"id": "n", "path": "lib/n.py", "text": same % ("\n", " ", "    for i in c: d += i\n")},
        {"id": "o", "text": "def f(a, b):\n"
                            "    while a: b()\n    for x in b: a(x)\n    del a\n    assert b\n    raise e\n"},
    ):
        out.write(json.dumps(record) + "\n")
PYTHON
small() { expect 0 "$leakgraph" run run.yaml --output $1 --quiet --set 'datasets.bench.files=[bench.jsonl]' \
    --set 'datasets.corpus.files=[corpus.jsonl]' "${@:2}"; }
small small
places=$(sql small "SELECT item_line, item_line_end, place, p.type, common, size FROM clone_pairs AS p JOIN
    clone_pair_places USING (item, type) ORDER BY p.rowid" | tr '\n' ' ')
[ "$places" = "3|8|m#K.f@2|1|6|6 3|8|m#q@10|2|6|6 3|8|lib/n.py#f@1|3|6|7 " ] || fail "places: $places"
[ "$(sql small "SELECT aligned FROM clone_pair_places WHERE type = '3'")" = "3-8 = 1-7" ] || fail "aligned lines"
[ "$(sql small "SELECT type, pairs FROM clone_items")" = "1|3" ] || fail "items"
small strict --set 'clones.types=[2c, 3]'
types=$(sql strict "SELECT type FROM clone_pairs" | tr '\n' ' ')
[ "$types" = "2c 3 3 " ] || fail "types: $types"
small close --set clones.dissimilarity=0.1 --set clones.max_matches=1
[ "$(sql close "SELECT type, common FROM clone_pairs")|$(sql close "SELECT pairs FROM clone_items")" = "1|6|2" ] ||
    fail "the best one of two is kept"
small long --set clones.min_tokens=100
[ "$(sql long "SELECT count(*) FROM clone_pairs")" = 0 ] || fail "functions that are too short"

# Gates and rules.
small gate --set fail_on.clone_type1=51
expect 3 "$leakgraph" run run.yaml --output gate --set 'datasets.bench.files=[bench.jsonl]' \
    --set 'datasets.corpus.files=[corpus.jsonl]' --set fail_on.clone_type1=49
says err 'clone_type1 failed: 50\.00 % of bench has clones in corpus'
sed 's#made/##' run.yaml >clean.yaml
echo 'clean: [{name: strict, drop: items, where: clone_type2}]' >>clean.yaml
expect 0 "$leakgraph" run clean.yaml --output clean
[ "$(sql clean "SELECT documents = 2 AND removed = 1 FROM cleaned WHERE dataset = 'bench'")" = 1 ] ||
    fail "clean: $(sql clean "SELECT * FROM cleaned")"

# A function that stands renamed in a file is a leak of its item: fail_on.leakage counts types 1, 2c and 2 of functions
# that are most of their item, and show lists all clones.
"$PYTHON" - <<'PYTHON'
import json
def body(n, more=""):
    return ("def f%d(a%d, b%d):\n    c%d = a%d + b%d\n    d%d = g%d(c%d, 1)\n    e%d = [d%d, k%d]\n" + more +
            "    h%d(e%d)\n    return e%d\n") % ((n,) * 15)
def others(n):
    return "".join("def o%d_%d(p, q):\n    for r%d in s%d.t(p):\n        q.u%d(r%d, v%d)\n\n" % (n, i, n, n, n, n, i)
                   for i in range(5))
with open("leak-bench.jsonl", "w") as out:                  # renamed; edited too; a part of the item; another
    for name, text in (("l0", body(0)), ("l1", body(1, "    del a1\n")), ("l2", body(2) + others(2)),
                       ("l3", "def z(x):\n    while x.y(x): x.z = [x]\n    raise Y(x, 'y', 3, {})\n")):
        out.write(json.dumps({"id": name, "text": text}) + "\n")
with open("leak-corpus.jsonl", "w") as out:
    out.write(json.dumps({"id": "x", "path": "x.py", "text": "class X:\n    x = 1\n\n" + body(9)}) + "\n")
PYTHON
leak() { expect "$1" "$leakgraph" run run.yaml --output "$2" --quiet --set 'datasets.bench.files=[leak-bench.jsonl]' \
    --set 'datasets.corpus.files=[leak-corpus.jsonl]' --set near_duplicates={} "${@:3}"; }
leak 0 leak --set fail_on.leakage=25
[ "$(sql leak "SELECT s.source_id, i.kind, i.leak FROM found_inside AS i JOIN snippets AS s ON s.id = i.item" |
    tr '\n' ' ')" = "l0|type 2c|1 l1|type 3|0 l2|type 2c|0 " ] || fail "what is inside"
[ "$(sql leak "SELECT direct, contained, in_functions FROM benchmark_leakage")" = "0|0|1" ] || fail "leakage"
leak 3 leak --set fail_on.leakage=24
says err 'leakage failed: 25\.00 % of bench is in corpus'
leak 0 edited --set fail_on.leakage=0 --set 'clones.types=[3]'
expect 0 "$leakgraph" show leak bench:l0
says out '^  type 2c +1\.000  corpus:x\.py#f9@4$'
expect 0 "$leakgraph" show leak bench:l1
says out '^  type 3 +0\.[0-9]+  corpus:x\.py#f9@4$'
expect 0 "$leakgraph" show leak x.py
says out '^  type 2c +1\.000 .* corpus:x\.py#f9@4$' '^  type 3 '
expect 0 "$leakgraph" fsck leak

# What is refused.
refused() { expect 2 "$leakgraph" run run.yaml --output no --set "$1"; says err "$2"; }
refused 'clones.types=[1, 4]' 'types: they are 1, 2c, 2 and 3, not `4.'
refused 'clones.types=[]' 'types names at least one'
refused clones.dissimilarity=1 'dissimilarity is below 1'
refused clones.unit=words 'lines'
refused 'clones.within=[bench]' 'within'
refused 'clones.within=[corpsu]' 'corpus'
refused dedup.datasets=[corpus] 'clones: beside dedup needs near_duplicates too'
grep -v corpus run.yaml >alone.yaml
expect 2 "$leakgraph" run alone.yaml --output no
says err 'clones: needs a dataset with .role: benchmark. and one with'
