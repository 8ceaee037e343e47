#!/usr/bin/env python3
"""Makes the benchmark's input from a linux-source package and the Python code that is installed.

usage: bench_corpus.py LINUX_SOURCE_DEB FOLDER

Writes FOLDER/shards/corpus-N.jsonl.zst (8 shards), FOLDER/single/corpus.jsonl.zst (the same records in one frame),
FOLDER/bench.jsonl (10,000 documents: functions and short files cut from the corpus, some of them changed, and Python
functions) and, last, FOLDER/corpus.json with the sizes.
"""

import json
import pathlib
import random
import re
import subprocess
import sys
import tarfile

SHARDS = 8
BENCHMARK = 10_000

# A C function as the kernel writes it: its head starts in the first column, its body ends with a brace there.
FUNCTION = re.compile(r"^[a-z][^\n;{}#]*\([^;{}#]*\)\n\{\n(?:[^}\n].*\n|\n){8,80}?\}\n", re.M)
NAME = re.compile(r"\b[a-z]\w{5,}\b")
PYTHON_FUNCTION = re.compile(r"^def .*\n(?:[ \t].*\n|\n){4,60}", re.M)


def linux_files(package):
    """(path, text) of every C file of the package, streamed."""
    outer = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    inner = subprocess.Popen(["tar", "-xO", "--wildcards", "./usr/src/linux-source-*.tar.xz"], stdin=outer.stdout,
                             stdout=subprocess.PIPE)
    plain = subprocess.Popen(["xz", "-dc"], stdin=inner.stdout, stdout=subprocess.PIPE)
    with tarfile.open(fileobj=plain.stdout, mode="r|") as archive:
        for member in archive:
            if member.isfile() and member.name.endswith((".c", ".h")):
                yield member.name, archive.extractfile(member).read().decode("utf-8", "replace")
    if plain.wait() or inner.wait() or outer.wait():
        raise SystemExit("bench_corpus: cannot read " + package)


def python_files():
    for folder in ("/usr/lib/python3", "/usr/lib/python3.*"):
        for root in sorted(pathlib.Path("/").glob(folder[1:])):
            for path in sorted(root.rglob("*.py")):
                yield str(path), path.read_bytes().decode("utf-8", "replace")


def compressor(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(["zstd", "-q", "-3", "-f", "-o", str(path)], stdin=subprocess.PIPE)


def changed(generator, text):
    names = sorted(set(NAME.findall(text)))
    for name in generator.sample(names, min(len(names), generator.randint(1, 4))):
        text = re.sub(r"\b%s\b" % name, name + "_next", text)
    return text


def main():
    package, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    generator = random.Random(61)
    shards = [compressor(folder / "shards" / ("corpus-%d.jsonl.zst" % number)) for number in range(SHARDS)]
    single = compressor(folder / "single" / "corpus.jsonl.zst")
    functions, short, python = [], [], []
    size = {"documents": 0, "text_bytes": 0, "json_bytes": 0}

    def add(path, text, repo):
        line = (json.dumps({"id": size["documents"], "path": path, "repo": repo, "text": text}, ensure_ascii=False)
                + "\n").encode()
        shards[size["documents"] % SHARDS].stdin.write(line)
        single.stdin.write(line)
        size["documents"] += 1
        size["text_bytes"] += len(text.encode())
        size["json_bytes"] += len(line)

    for path, text in linux_files(package):
        add(path, text, "linux")
        if 600 <= len(text) <= 5000 and generator.random() < 0.4:
            short.append((path, text))
        elif generator.random() < 0.3:
            found = FUNCTION.findall(text)
            functions += [(path, function) for function in generator.sample(found, min(len(found), 2))]
    for path, text in python_files():
        add(path, text, "python")
        found = PYTHON_FUNCTION.findall(text)
        python += [(path, function) for function in generator.sample(found, min(len(found), 3))]
    for process in shards + [single]:
        process.stdin.close()
        if process.wait():
            raise SystemExit("bench_corpus: zstd failed")

    chosen = generator.sample(short, min(len(short), 3000)) + generator.sample(python, min(len(python), 2000))
    chosen += generator.sample(functions, min(len(functions), BENCHMARK - len(chosen)))
    with open(folder / "bench.jsonl", "w", encoding="utf-8") as out:
        for number, (path, text) in enumerate(chosen):
            text = changed(generator, text) if number % 2 else text
            out.write(json.dumps({"id": number, "path": path, "text": text}) + "\n")
    size["benchmark"] = len(chosen)
    size["package"] = pathlib.Path(package).name
    (folder / "corpus.json").write_text(json.dumps(size) + "\n")
    print("bench: %(documents)d documents, %(text_bytes)d bytes of text, a benchmark of %(benchmark)d" % size)


if __name__ == "__main__":
    main()
