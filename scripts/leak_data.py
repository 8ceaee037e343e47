#!/usr/bin/env python3
"""Makes the data of the leak experiment: a benchmark of Python functions, and two corpora of which one holds part of
it.

usage: leak_data.py OUT ITEMS FOLDER...

Functions of 8 to 60 lines are cut out of the Python files below the folders, those with a fixed hash first.  ITEMS of
them become the benchmark, OUT/items.jsonl, with what was done to each in its fields:
  copies  how often it is in OUT/leaky.jsonl: of ten items one each has 1, 2, 4 and 8 copies, one an edited copy, five
          are not in it
  edited  1: it is there once with another name and other comments, a near duplicate
All other functions, except those that share half of their lines with an item, make OUT/clean.jsonl, and with the
copies OUT/leaky.jsonl.  The same folders give the same bytes.
"""

import ast
import hashlib
import json
import keyword
import pathlib
import re
import sys
import textwrap

COPIES = {1: 1, 3: 2, 5: 4, 7: 8}
EDITED = 9
LINES = range(8, 61)


def functions_of(path):
    """Texts of a file's functions, methods among them, without the indentation of the first line."""
    try:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
    except (OSError, ValueError, SyntaxError, RecursionError):
        return
    lines = source.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 in LINES:
            yield textwrap.dedent("\n".join(lines[node.lineno - 1:node.end_lineno])) + "\n"


def order(text):
    return hashlib.sha256(text.encode()).digest()


def significant(text):
    return {line.strip() for line in text.split("\n") if len(line.strip()) > 8}


def edited(text):
    """The text with one of its rarer names changed, and comments in every third line: few enough changes for a near
    duplicate."""
    count = {}
    for name in re.findall(r"(?<![\w.])[A-Za-z_]\w{3,}\b", text):
        if not keyword.iskeyword(name):
            count[name] = count.get(name, 0) + 1
    changed = min(count, key=lambda name: (count[name] < 2, count[name], name))
    text = re.sub(r"(?<![\w.])%s\b" % re.escape(changed), changed + "_x", text)
    return "".join(line + ("  # as before" if number % 3 == 1 and line.strip() and "\\" not in line
                           and '"""' not in line else "") + "\n"
                   for number, line in enumerate(text.split("\n")[:-1]))


def write(path, records):
    with path.open("w", encoding="utf-8") as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def main(out, wanted, folders):
    found = {}
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.rglob("*.py")):
            if not {"test", "tests", "idle_test", "lib2to3"} & set(path.parts):
                for text in functions_of(path):
                    found.setdefault(text, str(path.relative_to(folder)))
    texts = sorted(found, key=order)
    long = [text for text in texts if len(significant(text)) >= 8 and len(set(re.findall(r"[A-Za-z_]\w+", text))) >= 16]
    if len(long) < 2 * wanted:
        raise SystemExit("leak_data: %d functions below %s: too few for %d items"
                         % (len(long), " ".join(folders), wanted))
    items = long[:wanted]
    owners = {}
    for number, text in enumerate(items):
        for line in significant(text):
            owners.setdefault(line, []).append(number)
    chosen, corpus = set(items), []
    for text in texts:
        lines, shared = significant(text), {}
        for line in lines:
            for number in owners.get(line, ()):
                shared[number] = shared.get(number, 0) + 1
        if text not in chosen and 2 * max(shared.values(), default=0) < max(1, len(lines)):
            corpus.append({"id": "corpus/%d" % len(corpus), "path": found[text], "language": "python", "text": text})
    write(out / "items.jsonl",
          ({"id": "item/%d" % n, "path": found[text], "language": "python", "copies": COPIES.get(n % 10, 0),
            "edited": int(n % 10 == EDITED),
                                 "text": text} for n, text in enumerate(items)))
    leaked = [{"id": "item/%d/%d" % (n, copy), "path": found[text], "language": "python",
               "text": edited(text) if n % 10 == EDITED else text}
              for n, text in enumerate(items) for copy in range(1 if n % 10 == EDITED else COPIES.get(n % 10, 0))]
    write(out / "clean.jsonl", corpus)
    write(out / "leaky.jsonl", sorted(corpus + leaked, key=lambda record: order(record["id"])))
    print("%d items; clean.jsonl: %d functions, %.1f MB; leaky.jsonl: %d more" %
          (len(items), len(corpus), sum(len(record["text"]) for record in corpus) / 1e6, len(leaked)))


if __name__ == "__main__":
    if len(sys.argv) < 4 or not sys.argv[2].isdigit() or int(sys.argv[2]) == 0:
        raise SystemExit(__doc__.split("\n\n")[1])
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    main(target, int(sys.argv[2]), sys.argv[3:])
