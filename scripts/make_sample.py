#!/usr/bin/env python3
"""Makes the demonstration's input in data/sample from source code that is installed on every Debian machine.

The corpus is Python's standard library cut into functions (JSON lines, compressed in four ways) and the C headers of
/usr/include (one tar archive, each header a document).  The benchmark is made of functions cut from the former and
changed in known ways, and of functions written for this purpose (demo_functions.py).  truth.tsv names every pair of a
benchmark function and a corpus function that the thresholds of pipeline.yaml accept, found by counting, with nothing of
leakgraph: Python's own tokenizer, sets and integer arithmetic.

usage: make_sample.py [--seed N] [FOLDER]
"""

import argparse
import ast
import bz2
import collections
import gzip
import io
import json
import keyword
import lzma
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import textwrap
import time
import token
import tokenize

MIN_TOKENS = 20                                 # the three must be those of pipeline.yaml
SET_THRESHOLD = (4, 5)
MULTISET_THRESHOLD = (7, 10)

MANY = 60                                       # benchmark functions of each kind of change
CORPUS_BYTES = 8_000_000                        # of Python functions; the headers come on top
HEADER_BYTES = 4_000_000
HEADER_LIMIT = 200_000                          # register lists of megabytes would be most of the sample

KEYWORDS = frozenset(keyword.kwlist) - {"True", "False"}


# ---- features: an implementation of view `identifiers` that shares nothing with leakgraph ----------------------------

def tokens_of(text):
    """The tokens of Python source; from Python 3.12 on the parts of an f-string are put together again."""
    lines = text.splitlines(keepends=True)
    depth, start = 0, None
    for item in tokenize.generate_tokens(io.StringIO(text).readline):
        name = token.tok_name[item.type]
        if name.endswith("STRING_START"):
            depth, start = depth + 1, start or item.start
        elif name.endswith("STRING_END"):
            depth -= 1
            if depth == 0:
                yield tokenize.TokenInfo(token.STRING, between(lines, start, item.end), start, item.end, item.line)
                start = None
        elif depth == 0:
            yield item


def between(lines, start, end):
    if start[0] == end[0]:
        return lines[start[0] - 1][start[1]:end[1]]
    return "".join([lines[start[0] - 1][start[1]:], *lines[start[0]:end[0] - 1], lines[end[0] - 1][:end[1]]])


def names_of(node):
    """The names in the syntax tree of an f-string, token by token: keywords and operators are none."""
    for at in ast.walk(node):
        for name in (getattr(at, field, None) for field in ("id", "attr", "arg")):
            if isinstance(name, str):
                yield name
        if isinstance(at, ast.Constant) and isinstance(at.value, bool):
            yield str(at.value)


def features(text):
    """The multiset of identifiers: names that are no keywords, those in the code of f-strings too."""
    counted, previous = collections.Counter(), token.INDENT
    for item in tokens_of(text):
        docstring = item.type == token.STRING and previous in (token.INDENT, token.NEWLINE)
        if item.type == token.NAME and item.string not in KEYWORDS:
            counted[item.string] += 1
        elif item.type == token.STRING and not docstring and "f" in item.string[:2].lower().split("'")[0].split('"')[0]:
            counted.update(names_of(ast.parse("(%s)" % item.string, mode="eval")))
        previous = item.type
    return counted


def reached(threshold, part, whole):
    return threshold[1] * part >= threshold[0] * whole


def compare(a, b):
    """shared, union, min_sum, max_sum of two multisets."""
    shared = len(a.keys() & b.keys())
    min_sum = sum(min(count, b[feature]) for feature, count in a.items() if feature in b)
    return shared, len(a) + len(b) - shared, min_sum, sum(a.values()) + sum(b.values()) - min_sum


def accepted(scores):
    shared, union, min_sum, max_sum = scores
    return reached(SET_THRESHOLD, shared, union) and reached(MULTISET_THRESHOLD, min_sum, max_sum)


# ---- the corpus ------------------------------------------------------------------------------------------------------

def functions_of(path, root):
    """(id, text, features) of each function and method of a file; functions inside functions belong to the outer
    one."""
    found = []
    try:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except (UnicodeDecodeError, SyntaxError, ValueError):
        return found
    lines = text.splitlines(keepends=True)
    pending = [("", node) for node in reversed(tree.body)]
    while pending:
        prefix, node = pending.pop()
        if isinstance(node, ast.ClassDef):
            pending += [(prefix + node.name + ".", inner) for inner in reversed(node.body)]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            cut = textwrap.dedent("".join(lines[node.lineno - 1:node.end_lineno]))
            if cut[0].isspace():
                continue                        # a string that reaches to the left margin defeats dedent
            try:
                found.append(("%s:%s%s:%d" % (path.relative_to(root), prefix, node.name, node.lineno), cut,
                              features(cut)))
            except (tokenize.TokenError, SyntaxError):
                continue
    return found


def functions_of_arguments(arguments):
    return functions_of(*arguments)


def python_corpus(generator):
    """Functions of the standard library, whole files at a time, in an order of chance until there are enough."""
    root = pathlib.Path(sysconfig.get_path("stdlib", vars={"base": "/usr", "installed_base": "/usr"}))
    if not root.is_dir():
        root = pathlib.Path(sysconfig.get_path("stdlib"))
    skipped = {"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__"}
    paths = [path for path in sorted(root.rglob("*.py")) if not skipped & set(path.relative_to(root).parts)]
    generator.shuffle(paths)
    chosen, size = [], 0
    for path in paths:
        if size < CORPUS_BYTES:
            chosen.append(path)
            size += path.stat().st_size
    chosen.sort()
    with multiprocessing.Pool() as pool:
        found = pool.map(functions_of_arguments, [(path, root) for path in chosen], chunksize=8)
    return [function for functions in found for function in functions]


def headers():
    """C headers by name until there are enough bytes."""
    chosen, size = [], 0
    for path in sorted(pathlib.Path("/usr/include").rglob("*.h")):
        if path.is_file() and path.stat().st_size <= HEADER_LIMIT and size < HEADER_BYTES:
            chosen.append(path)
            size += path.stat().st_size
    return chosen


# ---- known changes ---------------------------------------------------------------------------------------------------

def reformat(text, generator):
    """Other white space and other comments: the features stay what they are."""
    starts, ends = set(), {}
    fresh = True
    for item in tokens_of(text):
        if item.type in (token.NL, token.COMMENT, token.INDENT, token.DEDENT):
            continue
        if fresh:
            starts.add(item.start[0])
        fresh = item.type == token.NEWLINE
        if fresh:
            ends[item.end[0]] = item.start[1]
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        if number in starts:
            indent = line[:len(line) - len(line.lstrip())]
            if generator.random() < 0.2:
                out.append("")
            if generator.random() < 0.3:
                out.append(indent + "# step %d of this function" % number)
        if number in ends and generator.random() < 0.3:
            line = line[:ends[number]].rstrip() + "    # noted"
        out.append(line)
    return "\n".join(out) + "\n"


def rename(text, names):
    """Replaces identifiers by the dictionary, token by token."""
    lines = text.splitlines(keepends=True)
    for item in reversed(list(tokens_of(text))):
        if item.type == token.NAME and item.string in names:
            row = item.start[0] - 1
            lines[row] = lines[row][:item.start[1]] + names[item.string] + lines[row][item.end[1]:]
    return "".join(lines)


def rename_to_the_border(text, counted, generator):
    """Renames one identifier after the other: the last text that is still accepted, and the first that is not."""
    candidates = [name for name in sorted(counted) if name.isidentifier() and not name.startswith("__")]
    generator.shuffle(candidates)
    names, near = {}, None
    for name in candidates:
        names[name] = "renamed_%d" % len(names)
        changed = rename(text, names)
        if not accepted(compare(counted, features(changed))):
            return near, changed
        near = changed
    return near, None


def edit(text, generator):
    """Removes one or two statements of one line and adds one."""
    body = ast.parse(text).body[0].body
    simple = [node for node in body[1:] if node.lineno == node.end_lineno and isinstance(node, (ast.Assign, ast.Expr))]
    lines = text.splitlines()
    if len(body) < 4 or not simple:
        return None
    for node in sorted(generator.sample(simple, min(len(simple), generator.randint(1, 2))),
                       key=lambda node: -node.lineno):
        del lines[node.lineno - 1]
    last = body[-1]
    if last.lineno == last.end_lineno:
        lines.insert(len(lines) - 1, " " * last.col_offset + "audit_trail = len(repr(%d))" % generator.randint(0, 99))
    changed = "\n".join(lines) + "\n"
    try:
        ast.parse(changed)
    except SyntaxError:
        return None
    return changed


def benchmark(corpus, own, generator):
    """(id, change, corpus id or "", text) of each benchmark function."""
    items = []
    usable = [function for function in corpus if 30 <= sum(function[2].values()) <= 300 and len(function[2]) >= 10]
    short = [function for function in corpus if 5 <= sum(function[2].values()) < MIN_TOKENS]
    generator.shuffle(usable)

    def add(change, source, text):
        items.append(["%s-%d" % (change, sum(1 for item in items if item[1] == change)), change, source, text])

    for source, text, _ in (usable.pop() for _ in range(MANY)):
        add("verbatim", source, text)
    for source, text, _ in generator.sample(short, min(MANY // 4, len(short))):
        add("short", source, text)
    for source, text, counted in (usable.pop() for _ in range(MANY)):
        changed = reformat(text, generator)
        if features(changed) != counted:
            raise SystemExit("make_sample: reformatting changed the identifiers of " + source)
        add("reformatted", source, changed)
    for source, text, counted in (usable.pop() for _ in range(MANY)):
        near, far = rename_to_the_border(text, counted, generator)
        if near:
            add("renamed", source, near)
        if far:
            add("renamed-too-far", source, far)
    edited = 0
    while usable and edited < MANY:
        source, text, _ = usable.pop()
        changed = edit(text, generator)
        if changed:
            add("edited", source, changed)
            edited += 1
    for name, text, _ in own:
        add("own", "", text)
    return items


# ---- files -----------------------------------------------------------------------------------------------------------


def write_shards(folder, corpus):
    writers = [("python-0.jsonl.zst", None), ("python-1.jsonl.gz", lambda data: gzip.compress(data, mtime=0)),
               ("python-2.jsonl.xz", lzma.compress), ("python-3.jsonl.bz2", bz2.compress)]
    share = -(-len(corpus) // len(writers))
    for number, (name, compress) in enumerate(writers):
        data = "".join(json.dumps({"id": source, "path": source.split(":")[0], "repo": "python/cpython",
                                   "license": "PSF-2.0",
                                   "text": text}) + "\n"
                       for source, text, _ in corpus[number * share:(number + 1) * share]).encode()
        if compress:
            (folder / name).write_bytes(compress(data))
        else:
            subprocess.run(["zstd", "-q", "-f", "-o", str(folder / name)], input=data, check=True)


def write_headers(path):
    chosen = headers()
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for header in chosen:
            archive.add(header.resolve(), arcname=str(header.relative_to("/")), recursive=False)
    return len(chosen)


def write_truth(path, items, corpus):
    """Every benchmark function against every corpus function, by counting what the postings of its features say."""
    postings = collections.defaultdict(list)
    admitted = [sum(counted.values()) >= MIN_TOKENS for _, _, counted in corpus]
    for number, (_, _, counted) in enumerate(corpus):
        if admitted[number]:
            for feature in counted:
                postings[feature].append(number)
    rows = []
    for name, change, source, text in items:
        mine = features(text)
        if sum(mine.values()) < MIN_TOKENS:
            continue
        shared = collections.Counter()
        for feature in mine:
            shared.update(postings.get(feature, ()))
        for number, common in shared.items():
            other, _, counted = corpus[number]
            derived = other == source
            if derived or reached(SET_THRESHOLD, common, len(mine) + len(counted) - common):
                scores = compare(mine, counted)
                if derived or accepted(scores):
                    rows.append((name, other, change if derived else "other", *scores, int(accepted(scores))))
    with open(path, "w", encoding="utf-8") as out:
        out.write("benchmark\tcorpus\tchange\tshared\tunion\tmin_sum\tmax_sum\taccepted\n")
        for row in sorted(rows):
            out.write("\t".join(map(str, row)) + "\n")
    return sum(row[-1] for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="data/sample", metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    started = time.monotonic()
    generator = random.Random(arguments.seed)
    corpus = python_corpus(generator)
    here = pathlib.Path(__file__).resolve().parent
    items = benchmark(corpus, functions_of(here / "demo_functions.py", here), generator)
    generator.shuffle(items)

    # A half-made sample must not be taken for a whole one: it appears by one rename.
    target = pathlib.Path(arguments.folder)
    making = target.with_name("%s.%d" % (target.name, os.getpid()))
    shutil.rmtree(making, ignore_errors=True)
    (making / "corpus").mkdir(parents=True)
    write_shards(making / "corpus", corpus)
    header_count = write_headers(making / "corpus" / "headers.tar.gz")
    with open(making / "benchmark.jsonl", "w", encoding="utf-8") as out:
        for number, (name, change, _, text) in enumerate(items):
            split = "test" if number % 3 == 0 else "train"
            out.write(json.dumps({"id": name, "split": split, "change": change, "text": text}) + "\n")
    pairs = write_truth(making / "truth.tsv", items, corpus)
    shutil.rmtree(target, ignore_errors=True)
    making.rename(target)
    print("sample: %d Python functions and %d C headers, a benchmark of %d functions, %d true pairs, %.1f s (seed %d)"
          % (len(corpus), header_count, len(items), pairs, time.monotonic() - started, arguments.seed))


if __name__ == "__main__":
    sys.exit(main())
