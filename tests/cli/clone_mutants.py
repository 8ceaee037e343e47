"""Changes functions step by step, and measures what clone types find of them.  What is a clone of what, and of which
type, is known from how it was made: nothing of the program is asked.

make LANGUAGE OUT [FILE]  functions of Python's library, or Java's of the JSON lines FILE, or made-up ones of Java, into
                          OUT/bench.jsonl, and changed ones into the files OUT/corpus.jsonl
within GRAPH.DB OUT       the same of both files in one corpus
check GRAPH.DB OUT        exit status 1 unless types 1, 2c and 2 are found exactly, and type 3 nearly always
"""
import ast
import collections
import glob
import json
import keyword
import os
import random
import re
import sqlite3
import sys
import sysconfig

MOST = 150                                                  # functions
TOKEN = {
    "python": re.compile(r"(?P<comment>#[^\n]*)|(?P<text>'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")|"
                         r"(?P<number>\b\d[\w.]*)|(?P<name>[A-Za-z_]\w*)|(?P<other>.)", re.S),
    "java": re.compile(r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")|"
                       r"(?P<number>\b\d[\w.]*)|(?P<name>[A-Za-z_$][\w$]*)|(?P<other>.)", re.S),
}
JAVA = set(
    "abstract assert boolean break byte case catch char class const continue default do double else enum "
    "extends final finally float for goto if implements import instanceof int interface long native new "
    "package private protected public return short static strictfp super switch synchronized this throw "
    "throws transient try void volatile while true false null var record yield sealed permits non module "
    "open exports requires".split())
WORDS = {"python": set(keyword.kwlist) | set("print exec match case type _ nonlocal".split()), "java": JAVA}


def tokens(language, text):
    return [(match.lastgroup, match.group()) for match in TOKEN[language].finditer(text)]


def rename(language, text, one_to_one):
    names, out = {}, []
    for kind, token in tokens(language, text):
        if kind == "name" and token not in WORDS[language]:
            token = names.setdefault(token, "q%d_" % len(names)) if one_to_one else "r%d_" % random.randrange(10 ** 9)
        elif kind == "text" and token[0] == '"':
            token = '"t%d"' % random.randrange(10 ** 6)
        elif kind == "number" and token.isdigit():
            token = str(random.randrange(2, 10 ** 4))
        out.append(token)
    return "".join(out)


def layout(language, text):
    comment = "# why %d" if language == "python" else "// why %d"
    out = []
    for line in text.split("\n"):
        indent = line[:len(line) - len(line.lstrip())]
        simple = balanced(line) and not line.rstrip().endswith("\\")
        out.append(indent * 2 + line.lstrip() + ("  " + comment % random.randrange(99) if simple else ""))
        if simple and random.random() < 0.3:
            out.append("")
    return "\n".join(out)


def balanced(line):
    return all(line.count(a) == line.count(b) for a, b in ("()", "[]", "{}"))


def places(language, text):
    """Lines behind which a statement may stand."""
    lines, depth, found = text.split("\n"), 0, []
    for i, line in enumerate(lines):
        whole = depth == 0 and balanced(line)
        depth += sum(line.count(c) for c in "([") - sum(line.count(c) for c in ")]")
        if language == "python":
            good = whole and re.match(r"\s+\w[\w.]*(\(.*\)| [-+]?= .*[^\\:,])$", line)
        else:
            good = whole and re.match(r"\s*[\w.$<>\[\] ]+(\(.*\)| [-+]?= .*);$", line) and "for" not in line
        if good and i:
            found.append(i)
    return found


def statement(language, line):
    indent = line[:len(line) - len(line.lstrip())]
    a, b, c = (random.randrange(1000) for _ in range(3))
    form = random.choice(("w%d.x%d[y%d] = z + 1", "w%d(x%d, y%d, z)", "w%d = x%d * y%d - z", "w%d[0] = x%d[1] | y%d"))
    return indent + form % (a, b, c) + (";" if language == "java" else "")


def edit(language, text, count):
    """So many statements more, or changed, or gone."""
    lines, at = text.split("\n"), places(language, text)
    for i in sorted((random.choice(at) for _ in range(count)), reverse=True):
        if random.random() < 0.5 and "w" != lines[i].lstrip()[0]:
            lines[i] = statement(language, lines[i])
        else:
            lines.insert(i + 1, statement(language, lines[i]))
    return "\n".join(lines)


def python_functions():
    for path in sorted(glob.glob(os.path.join(sysconfig.get_path("stdlib"), "*.py"))):
        try:
            text = open(path, encoding="utf-8").read()
            tree = ast.parse(text)
        except (UnicodeDecodeError, SyntaxError):
            continue
        lines = text.split("\n")
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                yield "\n".join(lines[node.lineno - 1:node.end_lineno])


def java_functions(path):
    if not path:
        yield from (made_up() for _ in range(4 * MOST))
        return
    for line in open(path):
        record = json.loads(line)
        yield record.get("text") or record.get("code")


def expression(depth):
    """Of Java, in a form that is hardly met twice."""
    name = random.choice("total left right node index buffer entry value limit state".split())
    form = random.randrange(9 if depth else 3)
    if form < 3:
        return (name, str(random.randrange(100)), '"%s"' % name)[form]
    parts = [expression(depth - 1) for _ in range(random.randrange(4))]
    return ("%s.%s(%s)" % (name, name, ", ".join(parts)), "%s[%s]" % (name, expression(depth - 1)),
            "(%s %s %s)" % (expression(depth - 1), random.choice("+-*/%&|^"), expression(depth - 1)),
            "%s == %s" % (name, expression(depth - 1)), "new Node(%s)" % ", ".join(parts),
            "-%s" % name)[form - 3]


def made_up():
    """A method of Java with loops, branches and statements."""
    lines, open_blocks = ["public int run%d(int left, Node right) {" % random.randrange(10 ** 6)], 1
    for _ in range(random.randrange(12, 40)):
        indent, form = "    " * open_blocks, random.randrange(10)
        if form == 0 and open_blocks < 4:
            head = random.choice(("if (%s)", "while (%s)", "for (int i = 0; i < %s; i++)"))
            lines.append(indent + head % expression(3) + " {")
            open_blocks += 1
        elif form == 1 and open_blocks > 1:
            open_blocks -= 1
            lines.append("    " * open_blocks + "}")
        elif form < 6:
            lines.append("%s%s = %s;" % (indent, random.choice(("value", "int total", "state[0]")), expression(3)))
        else:
            lines.append("%snode.entry(%s);" % (indent, ", ".join(expression(2) for _ in range(random.randrange(4)))))
    lines += ["    " * depth + "}" for depth in range(open_blocks - 1, 0, -1)]
    return "\n".join(lines + ["    return %s;" % expression(1), "}"])


def usable(language, text):
    """Of a size to be changed, with nothing that the words here do not read."""
    if "'''" in text or '"""' in text or "\\\n" in text or "\t" in text or re.search(r"\b[rbfuRBFU]+['\"]", text):
        return False
    if re.search(r"\b(lambda|def)\b" if language == "python" else r"->|@|\bclass\b|\bnew \w+\(.*\{", text[4:]):
        return False
    return 10 <= len(text.split("\n")) <= 80 and len(places(language, text)) >= 4


def blind(language, text):
    """Its lines with names and literals by their kind."""
    marks = {"name": "I", "text": "S", "number": "N", "comment": ""}
    words = "".join(token if token in WORDS[language] or token.isspace() else marks.get(kind, token)
                    for kind, token in tokens(language, text))
    return [re.sub(r"[\s{};]+", " ", line).strip() for line in words.split("\n")]


def unlike(language, functions):
    """Those that share fewer than half of their blind lines with every one before: libraries have own clones."""
    kept = []
    for text in functions:
        lines = collections.Counter(blind(language, text))
        if all(2 * (lines & other).total() < max(lines.total(), other.total()) for _, other in kept):
            kept.append((text, lines))
        if len(kept) == 2 * MOST:
            break
    return [text for text, _ in kept]


def make(language, out, source):
    random.seed(14)
    os.makedirs(out, exist_ok=True)
    functions = python_functions() if language == "python" else java_functions(source)
    chosen = sorted({text for text in functions if usable(language, text)})
    random.shuffle(chosen)
    chosen = unlike(language, chosen)
    items, others = chosen[::2], chosen[1::2]
    bench = open(out + "/bench.jsonl", "w")
    corpus = open(out + "/corpus.jsonl", "w")

    def put(to, **record):
        to.write(json.dumps(record) + "\n")

    for i, text in enumerate(items):
        size = len(re.findall(r"\n", text))
        put(bench, id=str(i), text=text)
        changed = {
            "1": layout(language, text), "2c": layout(language, rename(language, text, True)),
            "2": rename(language, text, False), "3": rename(language, edit(language, text, max(1, size // 10)), True),
            "none": edit(language, text, 2 * size),
        }
        for kind, mutant in changed.items():
            if language == "java":
                mutant = "class K {\n" + mutant + "\n}"
            put(corpus, id="%s/%d" % (kind, i), text=mutant)
    for i, text in enumerate(others):
        put(corpus, id="other/%d" % i, text="class K {\n" + text + "\n}" if language == "java" else text)
    print(len(items), "items,", len(others), "others")
    assert len(items) >= 30


def check(path, out):
    database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    items = sum(1 for _ in open(out + "/bench.jsonl"))
    found = database.execute("SELECT p.type, s.source_id, p.source_id FROM clone_pairs AS p JOIN snippets AS s ON "
                             "s.id = p.item").fetchall()
    wrong = 0
    for kind in ("1", "2c", "2", "3", "none"):
        hits = {item for type_, item, clone in found if clone == "%s/%s" % (kind, item) and
                (type_ == kind or (kind == "none"))}
        print("%-5s %d of %d" % (kind, len(hits), items))
        if kind in ("1", "2c", "2"):
            wrong += len(hits) != items
        elif kind == "3":
            wrong += len(hits) < 0.95 * items
    three = [(item, clone) for type_, item, clone in found if type_ == "3"]
    true = [(item, clone) for item, clone in three if clone.partition("/")[2] == item and
            not clone.startswith(("other", "none"))]
    equal = [(item, clone) for type_, item, clone in found if type_ != "3" and clone.partition("/")[2] != item]
    print("type 3: %d pairs, %d of one origin; types 1 and 2 of two origins: %d" % (len(three), len(true), len(equal)))
    wrong += len(true) < 0.95 * len(three) or len(equal) > 0
    return 1 if wrong else 0


def check_within(path, out):
    """Both files as one corpus: each item and what was made of it are in one class of each type, and no others are."""
    database = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    items = sum(1 for _ in open(out + "/bench.jsonl"))
    rows = {name: (id_, one, renamed, two) for id_, name, one, renamed, two in
            database.execute("SELECT id, source_id, type1, type2c, type2 FROM clone_functions")}
    first = {id_: name for name, (id_, *_) in rows.items()}
    links = {frozenset((first[a], first[b])) for a, b in database.execute("SELECT a, b FROM clone_links")}
    wrong = missed = 0
    for i in map(str, range(items)):
        id_ = rows[i][0]
        of = [rows.get("%s/%s" % (kind, i), (0,) * 4)[1:] for kind in ("1", "2c", "2")]
        wrong += rows[i][1:] != (id_,) * 3 or of[0] != (id_,) * 3
        wrong += of[1][0] == id_ or of[1][1:] != (id_,) * 2
        wrong += id_ in of[2][:2] or of[2][2] != id_
        missed += frozenset((i, "3/" + i)) not in links
    origins = collections.defaultdict(set)
    for name, (_, _, _, two) in rows.items():
        origins[two].add(name.rpartition("/")[2])
    mixed = sum(1 for names in origins.values() if len(names) > 1)
    strange = len(links - {frozenset((str(i), "3/%d" % i)) for i in range(items)})
    print("%d items: %d wrong classes, %d of two origins, %d of type 3 missed, %d links of two origins of %d" % (
        items, wrong, mixed, missed, strange, len(links)))
    return 1 if wrong or mixed or missed > 0.05 * items or strange > 0.05 * len(links) else 0


if __name__ == "__main__":
    if sys.argv[1] == "within":
        sys.exit(check_within(sys.argv[2], sys.argv[3]))
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) > 4 else None)
    else:
        sys.exit(check(sys.argv[2], sys.argv[3]))
