# seconds: 60
# Items that are functions are found in files where each of their names is another, and their literals, by default:
# gates see it, `renamed: off` does not look; the short cut by names finds what reading every function finds, for any
# ranks.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import io, json, keyword, os, random, re, tokenize
random.seed(5)
folder = os.path.dirname(os.__file__)
names = [n for n in ("textwrap", "shlex", "heapq", "bisect", "fnmatch", "difflib", "statistics", "calendar", "string",
                     "ast", "inspect", "tokenize", "argparse") if os.path.exists(os.path.join(folder, n + ".py"))]
def functions(text):
    lines = text.split("\n")
    import ast
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            cut = lines[node.lineno - 1:node.end_lineno]
            yield "\n".join(l[node.col_offset:] for l in cut) + "\n"
def renamed(text):          # every name that is no keyword, one to one; numbers and strings; layout
    known, out, last = {}, [], (1, 0)
    for t in tokenize.generate_tokens(io.StringIO(text).readline):
        word = t.string
        if t.type == tokenize.NAME and not keyword.iskeyword(word):
            word = known.setdefault(word, "v%d_%s" % (len(known), random.choice("abc")))
        elif t.type == tokenize.NUMBER: word = "7"
        elif t.type == tokenize.COMMENT: word = "# gone"
        out.append((t.type, word))
    return tokenize.untokenize(out)
def shape(text):
    seen = [t.string for t in tokenize.generate_tokens(io.StringIO(text).readline)
            if t.type == tokenize.NAME and not keyword.iskeyword(t.string)]
    return len(seen), sum(seen.count(n) > 1 for n in set(seen))
os.makedirs("files")
items, files = [], []
for n in names:
    text = open(os.path.join(folder, n + ".py"), encoding="utf-8").read()
    files.append(list(functions(text)))
longs = [f for fs in files for f in fs if 80 < len(f) < 4000 and shape(f)[0] >= 14 and shape(f)[1] >= 3
         and not re.search(r"\b[fF]['\"]", f)]         # names in strings stay, and so they are others
random.shuffle(longs)
shorts = [f for fs in files for f in fs if shape(f)[0] < 12 or shape(f)[1] < 2]
twin = ("def twin(a, b):\n    c = a.d(b, b.e)\n    for f in c.e(a):\n        c[f] = f.d(a, b) * c.e(f)\n"
        "    c.d(a)\n    return %s\n")
with open("bench.jsonl", "w") as out:
    for i, text in enumerate(longs[:60] + shorts[:20]):
        changed = renamed(text) if i % 4 else text
        out.write(json.dumps({"id": "b%d" % i, "text": changed, "language": "python"}) + "\n")
    for last in "ab":       # two that differ in their last name alone: each is found, renamed
        out.write(json.dumps({"id": "t" + last, "language": "python", "text": twin % last}) + "\n")
    for i in range(10):     # what is in no file
        text = "def fresh%d(a, b):\n    c = a %% b\n" % i + "".join(
            "    %s[%s] = %s.%s(%s) ** %s\n" % tuple(random.choice("abcdefgh") for _ in range(6)) for _ in range(8))
        out.write(json.dumps({"id": "n%d" % i, "text": text + "    return c\n", "language": "python"}) + "\n")
for last in "ab": files[0].append(re.sub(r"\b([a-f])\b", r"\1_new", (twin % last).replace("twin", "other")))
for i, fs in enumerate(files): open("files/f%02d.py" % i, "w").write("import os\n\n" + "\n\n".join(fs))
PYTHON
cat >run.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl]}
  - {name: files, role: corpus, files: [files]}
near_duplicates: {}
YAML

expect 0 "$leakgraph" run run.yaml --output auto
says out '^clones: items of the benchmarks' '^bench +files +92 +[0-9]+ +[0-9]+ +- +- '
[ "$(sql auto "SELECT count(*) FROM leaked_items WHERE source_id LIKE 'b%'")" -ge 60 ] || fail "60 items are there"
missed=$(sql auto "SELECT group_concat(source_id, ' ') FROM snippets WHERE dataset = 'bench' AND
    CAST(substr(source_id, 2) AS INTEGER) < 60 AND source_id LIKE 'b%' AND id NOT IN (SELECT item FROM clone_items)")
[ -z "$missed" ] || fail "renamed items that are not found: $missed"
twins=$(sql auto "SELECT count(*) FROM clone_items AS c JOIN snippets AS s ON s.id = c.item
    WHERE s.source_id LIKE 't%'")
[ "$twins" = 2 ] || fail "of two that differ in their last name $twins are found"
[ "$(sql auto "SELECT count(*) FROM clone_items AS c JOIN snippets AS s ON s.id = c.item
    WHERE s.source_id LIKE 'n%'")" = 0 ] || fail "what is in no file is found"
expect 0 "$leakgraph" fsck auto

# Gates see it; without it most items are not found.
expect 3 "$leakgraph" run run.yaml --output auto --set fail_on.leakage=50
says err 'gate fail_on\.leakage failed'
expect 0 "$leakgraph" run run.yaml --output off --set near_duplicates.renamed=off --set fail_on.leakage=50
! grep -q '^clones: ' out || fail "it was looked for"
[ "$(sql off "SELECT count(*) FROM clone_pairs")" = 0 ] || fail "pairs without a search"

# As if every function of every file were read, and with it near's own results as they are.
rows="SELECT s.source_id, p.path, p.line, p.line_end, p.type FROM clone_pairs AS p JOIN snippets AS s ON s.id = p.item
    ORDER BY 1, 2, 3"
sed '/near_duplicates/d' run.yaml >all.yaml
echo 'clones: {types: [1, 2c], of: items, min_names: 12, min_repeated: 2}' >>all.yaml
expect 0 "$leakgraph" run all.yaml --output all
[ -n "$(sql auto "$rows")" ] && [ "$(sql auto "$rows")" = "$(sql all "$rows")" ] || fail "not what reading all finds"
[ "$(sql auto "SELECT count(*) FROM function_pairs")" = "$(sql off "SELECT count(*) FROM function_pairs")" ] ||
    fail "near's functions are others"
expect 0 ranks 2 "$leakgraph" run run.yaml --output two
digest="SELECT value FROM run WHERE key = 'digest'"
[ "$(sql auto "$digest")" = "$(sql two "$digest")" ] || fail "another digest with two ranks"
# What was resolved says all of it, and runs again to the same.
expect 3 "$leakgraph" run auto/config.resolved.yaml --output again          # with the gate of before
[ "$(sql auto "$rows")" = "$(sql again "$rows")" ] || fail "config.resolved.yaml gives another result"

# Gates and rules of clones want them written.
expect 2 "$leakgraph" run run.yaml --output auto --set fail_on.clone_type2=1
says err 'clone_type2 needs clones'
# A corpus of files alone, a view of other things and the published rules are not searched.
for set in datasets.files.unit=file near_duplicates.view=lines compat=published; do
    expect 0 "$leakgraph" run run.yaml --output none --replace --quiet --set "$set"
    [ "$(sql none "SELECT count(*) FROM run WHERE key = 'clone_types.types'")" = 0 ] || fail "$set: searched"
done
