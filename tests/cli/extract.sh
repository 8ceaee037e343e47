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
says out '"id": "x/y.py#f@1".*"path": "x/y.py", "repo": "me/it", "license": "MIT", "split": "train", "lang' \
    '"id": "7#f@1"' '"id": "r.jsonl:2#h@1", "text": "def h\(\): return \\"\\u0000é\\""'
echo 'no record' >>r.jsonl
expect 1 "$leakgraph" extract --field text=body r.jsonl
says err 'r.jsonl: record 3, byte [0-9]+: invalid-json' '1 records could not be read'
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

# All of Python's own library, as Python's parser sees it.
library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
expect 0 "$leakgraph" extract --language python "$library"
"$PYTHON" - "$library" <<'PYTHON'
import ast, collections, json, os, sys
found = collections.defaultdict(set)
for line in open("out"):
    r = json.loads(line)
    found[r["path"]].add((r["name"], r["line"], r["line_end"]))
functions = 0
for path in found:
    if not path.endswith(".py"): continue
    try: tree = ast.parse(open(os.path.join(sys.argv[1], path), "rb").read())
    except (SyntaxError, ValueError): continue
    true = {(n.name, n.lineno, n.end_lineno) for n in ast.walk(tree)
            if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    assert true == found[path], (path, true ^ found[path])
    functions += len(true)
print("%d functions of %d files as Python's own parser sees them" % (functions, len(found)))
assert functions > 5000
PYTHON
