"""The elements that the program finds in Python files against those of Python's own parser and tokenizer: a table, by
kind, of how many places have the same kind, and how many of those that both see agree on what is declared.
    elements.py PROGRAM FOLDER...       SAMPLE= files, 400 unless said; DETAIL= differences shown
Exit status: 0; 1 when a kind is below its bar."""
import ast, bisect, collections, io, os, random, subprocess, sys, tokenize

BAR = 99.5
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


class Elements(ast.NodeVisitor):
    """{(line, column): (kind, declares)} of a tree; names that it has no place for are looked up among the tokens."""

    def __init__(self, tree, tokens):
        self.out, self.names, self.tokens = {}, sorted(tokens), tokens
        self.visit(tree)

    def put(self, line, column, kind, declares=False):
        self.out[line, column] = (kind, declares)

    def index(self, line, column): return bisect.bisect_left(self.names, (line, column))

    def after(self, line, column, name):
        """The first token with that name from the place on."""
        i = self.index(line, column)
        while self.tokens[self.names[i]] != name: i += 1
        return self.names[i]

    def docstring(self, node):
        if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant) and \
                isinstance(node.body[0].value.value, str):
            value = node.body[0].value
            self.put(value.lineno, value.col_offset, "docstring")

    def visit_Module(self, node):
        self.generic_visit(node)
        self.docstring(node)

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        self.put(*self.after(node.lineno, node.col_offset, node.name), "function", True)
        self.docstring(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        self.put(*self.after(node.lineno, node.col_offset, node.name), "class", True)
        self.docstring(node)

    def visit_arg(self, node):
        self.generic_visit(node)
        self.put(node.lineno, node.col_offset, "parameter", True)

    def visit_keyword(self, node):
        self.generic_visit(node)
        if node.arg: self.put(node.lineno, node.col_offset, "parameter", False)

    def name(self, node, kind):
        declares = isinstance(node.ctx, ast.Store)
        if isinstance(node, ast.Name): self.put(node.lineno, node.col_offset, kind, declares)
        if isinstance(node, ast.Attribute):
            self.put(*self.after(node.value.end_lineno, node.value.end_col_offset, node.attr), kind, declares)

    def visit_Name(self, node): self.name(node, "variable")

    def visit_Attribute(self, node):
        self.generic_visit(node)
        self.name(node, "attribute")

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, (ast.Name, ast.Attribute)): self.name(node.func, "function")

    def visit_alias(self, node):
        parts, at = node.name.split("."), self.index(node.lineno, node.col_offset)
        for i, part in enumerate(parts):
            if part == "*": return
            self.put(*self.names[at + i], "attribute" if i else "variable", i == 0 and not node.asname)
        if node.asname: self.put(*self.names[at + len(parts) + 1], "variable", True)

    def visit_ImportFrom(self, node):
        self.generic_visit(node)
        at = self.index(node.lineno, node.col_offset) + 1
        for i, part in enumerate((node.module or "").split(".") if node.module else []):
            self.put(*self.names[at + i], "attribute" if i or node.level else "variable", False)

    def visit_ExceptHandler(self, node):
        self.generic_visit(node)
        if node.name:
            at = self.index(node.type.end_lineno, node.type.end_col_offset) + 1
            self.put(*self.names[at], "variable", True)

    def visit_Global(self, node):
        at = self.index(node.lineno, node.col_offset) + 1
        for i in range(len(node.names)): self.put(*self.names[at + i], "variable", False)

    visit_Nonlocal = visit_Global


def true_elements(source):
    """None where code is in strings: they come in pieces here."""
    tree = ast.parse(source)
    tokens, out = {}, {}
    if any(isinstance(node, ast.JoinedStr) for node in ast.walk(tree)): return None
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        line, column = token.start
        if token.type == tokenize.NAME: tokens[line, column] = token.string
        elif token.type == tokenize.COMMENT: out[line, column] = ("comment", False)
        elif token.type == tokenize.STRING: out[line, column] = ("string", False)
    out.update(Elements(tree, tokens).out)
    return out


def main():
    program, folders = sys.argv[1], sys.argv[2:]
    sample, detail = int(os.environ.get("SAMPLE", 400)), int(os.environ.get("DETAIL", 0))
    paths = sorted(os.path.join(folder, name) for top in folders for folder, _, names in os.walk(top)
                   for name in names if name.endswith(".py"))
    random.Random(1).shuffle(paths)
    true = {}
    for path in paths:
        source = open(path, "rb").read()
        if not source.isascii() or b"\r" in source or b"\f" in source or len(source) > 1 << 18: continue
        try: elements = true_elements(source)
        except (SyntaxError, ValueError, RecursionError): continue
        if elements: true[path] = elements
        if len(true) == sample: break
    got = subprocess.run([program, "python"], input="\n".join(true) + "\n", capture_output=True, text=True, check=True)
    ours, path = {}, None
    for line in got.stdout.splitlines():
        if line.startswith("= "):
            path = line[2:]
            ours[path], starts = {}, [0]
            for row in open(path, "rb").read().split(b"\n"): starts.append(starts[-1] + len(row) + 1)
            row = 0
            continue
        at, _, kind, declares = line.split()
        while starts[row + 1] <= int(at): row += 1
        ours[path][row + 1, int(at) - starts[row]] = (kind, declares == "1")
    count, shown = collections.defaultdict(collections.Counter), []
    for path, elements in true.items():
        for at in sorted(elements.keys() | ours[path].keys()):
            kind, declares = elements.get(at, (None, False))
            mine = ours[path].get(at, (None, False))
            if kind:
                count[kind]["all"] += 1
                count[kind]["same"] += mine[0] == kind
                count[kind]["declares"] += mine == (kind, declares)
            else: count[mine[0]]["besides"] += 1
            if mine != (kind, declares):
                shown.append("%s:%d:%d: %s here, %s there" % (path, *at, mine, (kind, declares)))
    print("\n".join(shown[:detail]), file=sys.stderr)
    print("%d files of Python\n" % len(true))
    print("| kind | in the tree | the same | and the same declared | besides |\n| --- | --- | --- | --- | --- |")
    low = []
    for kind in "variable function class parameter attribute string comment docstring".split():
        n = count[kind]
        share = 100 * n["same"] / max(n["all"], 1)
        print("| %s | %s | %.2f %% | %.2f %% | %d |" % (kind, format(n["all"], ","), share, 100 * n["declares"] / max(
            n["all"], 1), n["besides"]))
        if share < BAR: low.append(kind)
    if low: sys.exit("elements: below their bar: " + ", ".join(low))


main()
