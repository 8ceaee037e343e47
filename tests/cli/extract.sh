# seconds: 60
# extract: the functions of files, archives and records; Python's as its own parser sees them; what it refuses.
. "$(dirname "$0")/common.sh"
cd "$work"

mkdir -p tree/a
cat >tree/a/A.java <<'JAVA'
package a;
/* void no() { } */
class A {
    A() { }

    @Override
    public int test_it(int x) {
        return new B() { int g() { return 1; } }.g();
    }
}
JAVA
printf 'select 1;\n' >tree/q.sql
printf '#!/usr/bin/python3\ndef f():\n    "a \xff b"\n    def g(): pass\n' >tree/noname
expect 0 "$leakgraph" extract tree
says err '5 functions of 3 files; 1 files in languages'
"$PYTHON" - <<'PYTHON'
import json
rows = [json.loads(line) for line in open("out")]
assert [(r["id"], r.get("class"), r["language"], r["line"], r["line_end"]) for r in rows] == [
    ("a/A.java#A@4", "A", "java", 4, 4), ("a/A.java#test_it@6", "A", "java", 6, 9),
    ("a/A.java#g@8", None, "java", 8, 8), ("noname#f@2", None, "python", 2, 4),
    ("noname#g@4", None, "python", 4, 4)], rows
source = open("tree/a/A.java").read()
assert rows[1]["text"] == source[source.index("@Override"):source.rindex("}") - 1]
assert rows[1]["text"] == source[rows[1]["byte"]:rows[1]["byte_end"]] and rows[1]["path"] == "a/A.java"
assert "\ufffd b" in rows[3]["text"]
PYTHON

expect 0 "$leakgraph" extract --no-nested --no-tests --min-lines 3 --quiet tree
[ ! -s err ] || fail "--quiet says something"
[ "$(grep -c . out)" = 1 ] && says out '"name": "f"'
expect 0 "$leakgraph" extract --unit file --quiet tree
[ "$(grep -c . out)" = 3 ] && says out '"language": "sql"' '"path": "a/A.java"'
! grep -q '"line"' out || fail "a file has a line"
printf 'x = 1\rdef f():\r    return 1\r\ndef g(): pass' >cr.py     # lines end as everywhere: CR, CR LF, LF
expect 0 "$leakgraph" extract --quiet cr.py
says out '"name": "f".*"line": 2, "line_end": 3,' '"name": "g".*"line": 4, "line_end": 4,'
expect 0 "$leakgraph" extract --languages
says out '^python$' '^java$' '^cpp$' '^javascript$' '^ruby$' '^shell$'
! grep -qE '^(sql|haskell|text)$' out || fail "a language without functions is listed"

# A function in another's parameters is found before it and listed behind it.
printf 'const a = 1\nfunction f(g = () => {}) {\n}\n' >f.js
printf 'class A\n  def b?; end\nend\n' >b.rb
expect 0 "$leakgraph" extract --quiet f.js b.rb
says out '"id": "f.js#f@2".*"line_end": 3' '"id": "f.js#g@2"' '"id": "b.rb#b\?@2".*"class": "A"'

# Records: their path, repository, licence and split go along; what is no record is told.
cat >r.jsonl <<'JSON'
{"body": "def f(): return 1", "path": "x/y.py", "repo": "me/it", "license": "MIT", "split": "train"}
{"body": "int f() { return 1; }", "language": "Java", "id": 7}
{"body": "def h(): return \"\u0000é\"", "language": "python"}
JSON
expect 0 "$leakgraph" extract --field text=body r.jsonl
says out '"id": "x/y.py#f@1".*"path": "x/y.py", "repo": "me/it", "license": "MIT", "license_cl' \
    '"license_class": "permissive", "split": "train", "lang' \
    '"id": "7#f@1"' '"id": "r.jsonl:2#h@1", "text": "def h\(\): return \\"\\u0000é\\""'
echo 'no record' >>r.jsonl
expect 1 "$leakgraph" extract --field text=body r.jsonl
says err 'r.jsonl: record 3, byte [0-9]+: invalid-json' '1 record could not be read'
[ "$(grep -c . out)" = 3 ] || fail "the others are lost"
expect 2 "$leakgraph" extract r.jsonl
says err 'text=body'

expect 2 "$leakgraph" extract
says err 'which files'
expect 2 "$leakgraph" extract --unit method tree
says err '--unit takes function or file, not `method'
expect 2 "$leakgraph" extract --min-lines x tree
expect 2 "$leakgraph" extract --langauge python tree
says err 'unknown option --langauge'
expect 2 "$leakgraph" extract --language pyhton tree
says err 'did you mean `python'
expect 2 "$leakgraph" extract tree --unit
says err '--unit needs a value'

# What a function says of itself, and its measures.
cat >measured.java <<'JAVA'
class A {
    /**
     * Says what it does.
     *
     * @param a what
     */
    int f(int a) {
        // why
        return a > 0 && a < 9 ? 1 : 2;
    }

    A() { }
}
JAVA
expect 0 "$leakgraph" extract --repo me/it measured.java
"$PYTHON" - <<'PYTHON'
import json
f, a = [json.loads(line) for line in open("out")]
source = open("measured.java").read()
assert f["signature"] == "int f(int a)" and f["repo"] == "me/it"
assert f["docstring"] == "Says what it does.\n\n@param a what" and f["summary"] == "Says what it does."
assert source[f["docstring_byte"]:f["docstring_byte_end"]].startswith("/**\n     * Says")
assert source[f["docstring_byte"]:f["docstring_byte_end"]].endswith("*/") and source[f["body_byte"]] == "{"
numbers = [f[k] for k in ("complexity", "body_lines", "comments", "comment_lines", "line", "line_end")]
assert numbers == [3, 2, 1, 1, 7, 10], numbers
assert "docstring" not in a and "summary" not in a and a["complexity"] == 1 and a["body_lines"] == 0
PYTHON

# The filters, each with what it leaves out.
mkdir filters
cat >filters/a.py <<'PY'
class A:
    def __init__(self):
        """Makes one of them."""
        self.a = 1

    def first(self):
        """Gives the first one."""
        return self.a

    def second(self):
        # no documentation
        return self.a

    def third(self): "Two words."; return 3

    def test_fourth(self):
        """Gives the fourth one."""
        return 4

    def fifth(self):
        """Gives
        it.

        But not at once."""
        def inner():
            return 5
        return inner

def again(a, b):
    """Says it once."""
    c = a.index(b)
    return c

def again(b, a):
    """Says it once more."""
    c = b.index(a)
    return c
PY
count() { grep -c . out || :; }
expect 0 "$leakgraph" extract --docs filters
says err '^5 functions of 1 files; .*; left out: 4 without documentation$'
expect 0 "$leakgraph" extract --min-lines 3 filters
says err '; left out: 2 of too few lines$'
expect 0 "$leakgraph" extract --min-body 3 filters
says err '^3 functions .*; left out: 6 of too few lines of body$'
expect 0 "$leakgraph" extract --no-tests --no-nested --no-standard filters
says err '^6 functions .*; left out: 1 nested, 1 tests, 1 constructors and standard methods$'
expect 0 "$leakgraph" extract --dedupe filters
says err '^8 functions .*; left out: 1 duplicates$'
expect 0 "$leakgraph" extract --filter codesearchnet filters
says err '^2 functions .*; left out: 2 of too few lines, 1 tests, 1 constructors .*, 2 without documentation, 1 dup'
says out '"name": "first"' '"name": "again"'
[ "$(count)" = 2 ] || fail "$(count) functions"
mv out kept.jsonl
expect 0 "$leakgraph" dedup kept=kept.jsonl --output clean --quiet    # what is written is a dataset
says clean/report.md '\b2\b'
expect 2 "$leakgraph" extract --filter codesearch filters
says err '--filter takes codesearchnet, not `codesearch`'
expect 2 "$leakgraph" extract --min-body x filters
says err '--min-body takes a number'

# All of Python's own library, as Python's parser sees it.
library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
expect 0 "$leakgraph" extract --language python "$library"
"$PYTHON" - "$library" <<'PYTHON'
import ast, bisect, collections, io, json, os, sys, tokenize
found = collections.defaultdict(set)
for line in open("out"):
    r = json.loads(line)
    found[r["path"]].add((r["name"], r["line"], r["line_end"], r.get("docstring", ""), r["complexity"]))
CONDITIONS = set("if elif for while except finally and or".split())
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
def complexities(tree, source):
    """Of each function by the tokens that are its own, if no code is in its strings."""
    words = [(t.start[0], t.start[1]) for t in tokenize.tokenize(io.BytesIO(source).readline)
             if t.type == tokenize.NAME and t.string in CONDITIONS]
    out = {}
    def walk(node):
        nested = sum([walk(child) for child in ast.iter_child_nodes(node)])
        if not isinstance(node, FUNCTION): return nested
        inside = bisect.bisect(words, (node.end_lineno, node.end_col_offset)) - bisect.bisect_left(
            words, (node.lineno, node.col_offset))
        out[node] = 1 + inside - nested
        return inside
    walk(tree)
    return out
functions = documented = 0
for path in found:
    if not path.endswith(".py"): continue
    source = open(os.path.join(sys.argv[1], path), "rb").read()
    try: tree = ast.parse(source)
    except (SyntaxError, ValueError): continue
    true = {n: (n.name, n.lineno, n.end_lineno) for n in ast.walk(tree) if isinstance(n, FUNCTION)}
    spans = {f[:3] for f in found[path]}
    assert set(true.values()) == spans, (path, set(true.values()) ^ spans)
    functions += len(true)
    if not source.isascii() or b"\f" in source or b"\r" in source: continue     # columns are bytes there
    complexity, lines = complexities(tree, source), source.split(b"\n")
    for node, key in true.items():
        ours = [f for f in found[path] if f[:3] == key]
        if len(ours) > 1 or any(isinstance(n, ast.JoinedStr) for n in ast.walk(node)): continue
        said = (ast.get_docstring(node) or "").split()
        documented += 1 if said else 0
        if not any(b"\\" in line for line in lines[node.lineno - 1:node.end_lineno]):
            assert ours[0][3].split() == said, (path, key, ours[0][3], said)
        assert ours[0][4] == complexity[node], (path, key, ours[0][4], complexity[node])
print("%d functions of %d files as Python's own parser sees them, %d documented" % (functions, len(found), documented))
assert functions > 5000 and documented > 1000
PYTHON
