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

# What is refused.
refused() { expect 2 "$leakgraph" run run.yaml --output no --set "$1"; says err "$2"; }
refused 'clones.types=[1, 4]' 'types: they are 1, 2c, 2 and 3, not `4.'
refused 'clones.types=[]' 'types names at least one'
refused clones.dissimilarity=1 'dissimilarity is below 1'
refused clones.unit=words 'lines'
refused dedup.datasets=[corpus] 'clones: beside dedup needs near_duplicates too'
grep -v corpus run.yaml >alone.yaml
expect 2 "$leakgraph" run alone.yaml --output no
says err 'clones: needs a dataset with .role: benchmark. and one with'
