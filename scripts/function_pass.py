#!/usr/bin/env python3
"""How long the pass over a corpus takes that is compared in files, in functions, in both: Markdown on standard output.

usage: function_pass.py [BUILD [DATA]]      as  scripts/function_pass.py >>results/functions/speed.md
       INSTRUCTIONS=1 function_pass.py [BUILD [DATA]]      counted by valgrind, which other work does not change

Of C a quarter of what scripts/bench.sh has made in DATA (data/bench), with its benchmark; of Python what is installed
here, of Java the packages that scripts/function_units.sh fetches, each twice: with a benchmark of 5,000 functions cut
from it, of which every other one has some names changed, so that nearly every file has one; and with public benchmarks,
those in BENCHMARKS (../shared/data).  What is not here is left out, in words on standard error.

Seconds are those of the processor in user mode, on one thread: of a run whose other units are there already, less those
of a run that finds all of them.  Medians of PAIRS rounds (5), in each of which all are measured one after the other,
and of the quotients of each round.  Instructions are those of the same pass over 13 MB of each corpus, in millions.
"""

import glob
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import bench_corpus

UNITS = ("file", "function", "auto")
PASS = ("near", "functions", "passage_rows", "clonetypes")  # kinds of units that the pass over the corpora makes
ITEMS = 5000
JAVA_METHOD = re.compile(r"^( {2}| {4}|\t)(?! )(?:public|private|protected|static)[^\n;{}#*/]*\([^;{}#]*\)[^\n;{}]*\{\n"
                         r"(?:(?!\1\}).*\n){4,60}?\1\}\n", re.M)


def java_files():
    for path in sorted(pathlib.Path("node_modules/.oracles-debian").rglob("*.java")):
        yield str(path), path.read_bytes().decode("utf-8", "replace")


def public(folder, name):
    """Writes the public benchmarks of a language into one: its path and items."""
    packed = [path for path in sorted((pathlib.Path(os.environ.get("BENCHMARKS", "../shared/data")) / name.lower())
                                      .glob("*.jsonl.zst"))
              if not path.name.startswith(("debian-", "lexer_"))]
    bench, items = folder / (name + "-public.jsonl"), 0
    with bench.open("wb") as out:
        for path in packed:
            lines = subprocess.run(["zstd", "-dcq", str(path)], check=True, stdout=subprocess.PIPE).stdout.splitlines()
            for text in filter(None, (json.loads(line).get("text") for line in lines)):
                out.write(json.dumps({"id": items, "language": name.lower(), "text": text}).encode() + b"\n")
                items += 1
    return bench, items


def cut(folder, name, files, pattern):
    """Writes a corpus and a benchmark cut from it: their paths, documents, bytes."""
    corpus, bench = folder / (name + ".jsonl"), folder / (name + "-bench.jsonl")
    generator, found, count, size = random.Random(61), [], 0, 0
    with corpus.open("w", encoding="utf-8", errors="replace") as out:
        for path, text in files:
            out.write(json.dumps({"id": count, "path": path, "text": text}, ensure_ascii=False) + "\n")
            functions = [match.group(0) for match in pattern.finditer(text)]
            found += [(path, function) for function in generator.sample(functions, min(len(functions), 4))]
            count += 1
            size += len(text.encode("utf-8", "replace"))
    chosen = generator.sample(found, min(len(found), ITEMS))
    with bench.open("w", encoding="utf-8", errors="replace") as out:
        for number, (path, text) in enumerate(chosen):
            text = bench_corpus.changed(generator, text) if number % 2 else text
            out.write(json.dumps({"id": number, "path": path, "text": text}) + "\n")
    subprocess.run(["zstd", "-q", "--rm", str(corpus)], check=True)
    return [str(corpus) + ".zst"], bench, count, size, len(chosen)


def kernel(data):
    """A quarter of the shards of `make bench`."""
    shards = sorted((data / "shards").glob("*.jsonl.zst"))[::4]
    texts = [json.loads(line)["text"] for shard in shards
             for line in subprocess.run(["zstd", "-dcq", str(shard)], check=True, stdout=subprocess.PIPE).stdout
             .splitlines()]
    items = (data / "bench.jsonl").read_text(encoding="utf-8").count("\n")
    size = sum(len(text.encode()) for text in texts)
    return [str(shard) for shard in shards], data / "bench.jsonl", len(texts), size, items


def command(program, folder, name):
    return [program, "run", str(folder / (name + ".yaml")), "--threads", "1", "--quiet", "--output", str(folder / name)]


def run(program, folder, name):
    process = subprocess.Popen(command(program, folder, name), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit("function_pass: %s failed" % name)
    return usage.ru_utime


def forget(folder, name):
    """The pass is to be made again."""
    for path in glob.glob(str(folder / name / "work" / "*.unit")):
        if os.path.basename(path).rsplit("-", 1)[0] in PASS:
            os.unlink(path)
    (folder / name / "graph.db").unlink()


def seconds(program, folder, name):
    """Of the pass alone."""
    forget(folder, name)
    whole = run(program, folder, name)
    (folder / name / "graph.db").unlink()
    return whole - run(program, folder, name)


def instructions(program, folder, name):
    """Of the pass alone, in millions."""
    forget(folder, name)
    # without the tunable that the program starts itself again for: valgrind would follow neither
    counter = ["valgrind", "--tool=callgrind", "--toggle-collect=worker_do", "--callgrind-out-file=/dev/null"]
    said = subprocess.run(counter + command(program, folder, name), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=True, env={**os.environ, "GLIBC_TUNABLES": ""}).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1)) / 1e6


def sample(folder, name, shards):
    """Documents of the shards, in any order, until they are 13 MB."""
    lines = [line for shard in shards
             for line in subprocess.run(["zstd", "-dcq", shard], check=True, stdout=subprocess.PIPE).stdout
             .splitlines(keepends=True)]
    random.Random(5).shuffle(lines)
    path, size = folder / (name + "-sample.jsonl"), 0
    with path.open("wb") as out:
        for line in lines:
            if size > 13e6:
                break
            size += out.write(line)
    return [str(path)]


def count(program, folder, of):
    print("\nInstructions of the pass, in millions: `INSTRUCTIONS=1 scripts/function_pass.py`.\n")
    print("| corpus | file | function | auto | function / file | auto / file |")
    print("|" + " --- |" * 6)
    for corpus, (shards, bench, *_) in of.items():
        prepare(program, folder, corpus, sample(folder, corpus, shards), bench)
        file, function, auto = (instructions(program, folder, "%s-%s" % (corpus, unit)) for unit in UNITS)
        print("| %s | %.0f | %.0f | %.0f | %.2f | %.2f |" %
              (corpus, file, function, auto, function / file, auto / file), flush=True)


def prepare(program, folder, name, shards, bench):
    for unit in UNITS:
        case = "%s-%s" % (name, unit)
        (folder / (case + ".yaml")).write_text(json.dumps({
            "datasets": [{"name": "bench", "role": "benchmark", "files": [os.path.abspath(bench)]},
                         {"name": "corpus", "role": "corpus", "unit": unit,
                          "files": [os.path.abspath(shard) for shard in shards]}],
            "near_duplicates": {}, "graph": {"store": "none"}}))
        run(program, folder, case)


def corpora(folder, data):
    if (data / "bench.jsonl").exists():
        yield "C", kernel(data)
    else:
        print("function_pass: no %s: scripts/bench.sh makes it" % (data / "bench.jsonl"), file=sys.stderr)
    for name, files, pattern in (("Python", bench_corpus.python_files(), bench_corpus.PYTHON_FUNCTION),
                                 ("Java", java_files(), JAVA_METHOD)):
        made = cut(folder, name, files, pattern)
        if not made[4]:
            print("function_pass: no %s here" % name, file=sys.stderr)
            continue
        yield name, made
        bench, items = public(folder, name)
        if items:
            yield name + ", public", (made[0], bench, *made[2:4], items)
        else:
            print("function_pass: no benchmarks of %s: BENCHMARKS= says where they are" % name, file=sys.stderr)


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    data = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "data/bench")
    program, rounds = os.path.abspath(build + "/leakgraph"), int(os.environ.get("PAIRS", "5"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        of = dict(corpora(folder, data))
        if os.environ.get("INSTRUCTIONS"):
            count(program, folder, of)
            return
        taken = {(corpus, unit): [] for corpus in of for unit in UNITS}
        for corpus, (shards, bench, *_) in of.items():
            prepare(program, folder, corpus, shards, bench)
        for _ in range(rounds):
            for corpus, unit in taken:
                taken[corpus, unit].append(seconds(program, folder, "%s-%s" % (corpus, unit)))
    print("\n## The pass with functions and with files\n\nSeconds in user mode on one thread, medians of %d rounds: "
          "`scripts/function_pass.py`.\n" % rounds)
    print("| corpus | files | MB | items | file | function | auto | function / file | auto / file |")
    print("|" + " --- |" * 9)
    for corpus, (_, _, documents, size, items) in of.items():
        file, function, auto = (taken[corpus, unit] for unit in UNITS)
        row = [statistics.median(unit) for unit in (file, function, auto)]
        row += [statistics.median(one / other for one, other in zip(unit, file)) for unit in (function, auto)]
        print("| %s | %d | %.0f | %d | %.2f | %.2f | %.2f | %.2f | %.2f |" %
              (corpus, documents, size / 1e6, items, *row))


if __name__ == "__main__":
    main()
