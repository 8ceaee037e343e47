# seconds: 60
# Functions inside files: items that are functions are found in files that they are not like, verbatim and changed; with
# which pairs, in which file and line; the same for any ranks; what `unit` says; gates, show, fsck and a resume.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import json, os, random, textwrap
random.seed(11)
words = [a + b for a in ("load", "user", "page", "cache", "node", "edge", "file", "score") for b in
         ("Count", "_id", "s", "_max", "Of", "Next")]
def function(name, lines):
    out = ["def %s(%s):" % (name, ", ".join(random.sample(words, 3)))]
    for _ in range(lines):
        a, b, c = (random.choice(words) for _ in range(3))
        out.append("    %s = %s.%s(%s)" % (random.choice(words), a, b, c))
    return "\n".join(out + ["    return %s" % random.choice(words)]) + "\n"
items = [function("f%d" % i, 8) for i in range(12)]
os.makedirs("files")
truth = {}
for i in range(6):          # two files have two of the first four items each, one reformatted; the others none
    parts = [function("g%d_%d" % (i, k), 9) for k in range(5)]
    if i < 2:
        parts[1] = items[2 * i]
        parts[3] = items[2 * i + 1].replace("    ", "\t").replace(" = ", "=  # why\n\t\t\t", 1).replace(
            "=  # why\n\t\t\t", " =\\\n\t\t")
    text = "import os\n\nclass C%d:\n" % i + "".join(textwrap.indent(p, "  ") for p in parts)
    open("files/m%d.py" % i, "w").write(text)
with open("bench.jsonl", "w") as out:
    for i, text in enumerate(items): out.write(json.dumps({"id": "b%d" % i, "text": text, "language": "python"}) + "\n")
PYTHON
cat >run.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl]}
  - {name: files, role: corpus, files: [files]}
near_duplicates: {containment_threshold: off}
YAML

expect 0 "$leakgraph" run run.yaml --output auto
says out '^functions inside files' '^bench +files +12 +4 +33\.33 +4 +4$'
places=$(sql auto "SELECT source_id, place, kind FROM function_places ORDER BY source_id" | tr '\n' ' ')
[ "$places" = "b0|m0.py#C0.f0@15|near b1|m0.py#C0.f1@36|near b2|m1.py#C1.f2@15|near b3|m1.py#C1.f3@36|near " ] ||
    fail "places: $places"
[ "$(sql auto "SELECT count(*) FROM edges")" = 0 ] || fail "a file is like an item"
[ "$(sql auto "SELECT value FROM run WHERE key = 'functions.datasets'")" = files ] || fail "what was compared"
says auto/report.md '4 are like no document, but like a function inside one' 'm0\.py#C0\.f0.@15'
text=$(sql auto "SELECT text FROM function_pairs WHERE name = 'f1'")
[ "$(sed -n 36,46p files/m0.py | tail -c +3)" = "$text" ] || fail "the text of f1: $text"
expect 0 "$leakgraph" fsck auto
# So does show: of the item, of the file, of both.
expect 0 "$leakgraph" show auto bench:b1
says out '^  function +[01]\.[0-9]{3}  files:m0\.py#C0\.f1@36$'
expect 0 "$leakgraph" show auto m0.py
says out '^  function +[01]\.[0-9]{3}  [0-9]+  bench//0  files:m0\.py#C0\.f0@15$' '  bench//1  files:m0\.py#C0\.f1@36$'
expect 0 "$leakgraph" show auto m0.py bench:b1
says out '^  function +[01]\.[0-9]{3}  files:m0\.py#C0\.f1@36$'
! grep -qE 'f0@15|no pair of the graph' out || fail "a pair has what is of another, or none"
# How they differ is shown where the function is, not at the head of the file.
expect 0 "$leakgraph" show auto bench:b1 m0.py
says out '^@@ \+ is lines 36 to 46 of [0-9]+: where the other is @@$'

# Gates see it.
expect 3 "$leakgraph" run run.yaml --output auto --set fail_on.leakage=33
says err 'leakage failed: 33\.33 % of bench is in files'
expect 3 "$leakgraph" run run.yaml --output auto --set fail_on.functions=33 --quiet
expect 0 "$leakgraph" run run.yaml --output auto --set fail_on.leakage=34 --set fail_on.functions=34 --quiet

# The same for any ranks and threads, after a lost unit, and beside dedup, which keeps its own documents.
expect 0 "$leakgraph" run run.yaml --output one --threads 1 --quiet
same auto one
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks --threads 2 --quiet
    same auto ranks
fi
rm one/work/functions-* one/graph.db
expect 0 "$leakgraph" run run.yaml --output one --quiet
same auto one
expect 0 "$leakgraph" run run.yaml --output both --quiet --set dedup.datasets=[files]
for table in function_pairs function_items; do
    [ "$(sql both "SELECT * FROM $table")" = "$(sql auto "SELECT * FROM $table")" ] || fail "$table beside dedup"
done
expect 0 "$leakgraph" fsck both

# file: as it was; function: those alone; auto: files alone where the items are none.
expect 0 "$leakgraph" run run.yaml --output file --set datasets.files.unit=file --quiet
[ "$(sql file "SELECT count(*) FROM function_pairs")" = 0 ] || fail "functions with unit: file"
! grep -q '^## Functions inside' file/report.md || fail "a report of functions with unit: file"
expect 0 "$leakgraph" run run.yaml --output function --set datasets.files.unit=function --quiet
[ "$(sql function "SELECT count(*) FROM function_pairs")" = 4 ] || fail "no functions with unit: function"
sed 's/def f[0-9]*(/x(/' bench.jsonl >lines.jsonl
expect 0 "$leakgraph" run run.yaml --output lines --set 'datasets.bench.files=[lines.jsonl]' --quiet
[ "$(sql lines "SELECT count(*) FROM run WHERE key = 'functions.datasets'")" = 0 ] || fail "items are no functions"
expect 3 "$leakgraph" run run.yaml --output lines --set 'datasets.bench.files=[lines.jsonl]' --set fail_on.functions=99
says err 'functions is inconclusive: no corpus was compared in functions'
# A gate or a rule that would look at nothing is refused.
for set in fail_on.functions=0 'clean=[{name: strict, drop: items, where: in_functions}]'; do
    expect 2 "$leakgraph" run run.yaml --output no --set datasets.files.unit=file --set "$set"
    says err 'functions`? needs a corpus that is streamed, with `unit: auto` or `unit: function`'
    expect 2 "$leakgraph" run run.yaml --output no --set near_duplicates.view=lines --set "$set"
    says err 'functions`? needs a view of identifiers or tokens'
    sed 's/^near_duplicates:.*/ngrams: {}/' run.yaml >ngrams.yaml
    expect 2 "$leakgraph" run ngrams.yaml --output no --set "$set"
    says err 'functions`? needs near_duplicates'
done
expect 2 "$leakgraph" run run.yaml --output no --set datasets.bench.unit=function
says err 'leakgraph extract'
expect 2 "$leakgraph" run run.yaml --output no --set datasets.files.unit=method
for set in near_duplicates.view=lines compat=published; do
    expect 2 "$leakgraph" run run.yaml --output no --set datasets.files.unit=function --set $set
    says err 'files: unit: function needs a view of identifiers or tokens'
done
# A language whose functions are not told is compared in documents, whatever `unit` says: nothing is left out.
sed 's/"python"/"haskell"/' bench.jsonl >haskell.jsonl
expect 0 "$leakgraph" run run.yaml --output whole --quiet --set 'datasets.bench.files=[haskell.jsonl]' \
    --set 'datasets.files.files=[haskell.jsonl, bench.jsonl]' --set datasets.files.unit=function
[ "$(sql whole "SELECT direct FROM overlap WHERE source = 'bench' AND target = 'files' AND split = '' AND
    target_split = '' AND language = ''")" = 12 ] || fail "documents of another language are lost"
expect 0 "$leakgraph" run run.yaml --output view --set near_duplicates.view=lines --quiet
[ "$(sql view "SELECT count(*) FROM function_pairs")" = 0 ] || fail "functions of lines"

# Of many functions the best are kept and all counted; cleaning can ask for them.
for i in 1 2 3; do cp files/m0.py "files/n$i.py"; done
expect 0 "$leakgraph" run run.yaml --output most --set near_duplicates.max_matches=2 --quiet
[ "$(sql most "SELECT group_concat(functions) FROM function_items")" = 4,4,1,1 ] || fail "counts of functions"
[ "$(sql most "SELECT count(*) FROM function_pairs")" = 6 ] || fail "functions that are kept"
expect 0 "$leakgraph" run run.yaml --output clean --quiet \
    --set 'clean=[{name: strict, drop: items, where: in_functions}]'
[ "$(zstdcat clean/cleaned/strict/bench/*.zst | grep -c .)" = 8 ] || fail "items cleaned"

# Functions too short for pairs: found set in, with other blanks and lines before and behind, and alone in their file.
mkdir short
"$PYTHON" - <<'PYTHON'
import json, random
items = ["def neg(x):\n    return -x", "def inv(x):\n    return ~x\n\n", "    def size(self):\n        return self.n\n",
         "def one():\n    return 1\n", "def even( n ):\n    return n%2 == 0", "def lost(x):\n    return +x\n"]
files = ["import os\n\n\ndef neg(x):\n    return -x\n\n\ndef inv(x):\n    return ~x\n",
         "class B:\n    def size(self):\n        return self.n\n\n    w = 5\n\n    def one():\n        return 1\n",
         "def even(n):\n    return n % 2 == 0\n", "def lost(x):\n    return -x\n"]
with open("short.jsonl", "w") as out:
    for i, text in enumerate(items): out.write(json.dumps({"id": "s%d" % i, "text": text, "language": "python"}) + "\n")
for i, text in enumerate(files): open("short/%d.py" % i, "w").write(text)
PYTHON
sed 's/files: \[files\]/files: [short]/; s/bench.jsonl/short.jsonl/' run.yaml >short.yaml
expect 0 "$leakgraph" run short.yaml --output shorts
places=$(sql shorts "SELECT source_id, place, kind FROM function_places ORDER BY source_id" | tr '\n' ' ')
[ "$places" = "s0|0.py#neg@4|copy s1|0.py#inv@8|copy s2|1.py#B.size@2|copy s3|1.py#B.one@7|copy \
s4|2.py#even@1|copy " ] || fail "short functions: $places"
