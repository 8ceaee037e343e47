#!/usr/bin/env python3
"""Writes sets whose pairs are far more than their documents, and a run.yaml that joins them.

alike    --corpus documents, and --benchmark items, of a few templates, each with a word of its own
copies   --benchmark items, and a corpus of --documents near copies of each
sets     --benchmark benchmarks and --corpus corpora of --documents documents, which share some of them
The same arguments always give the same bytes.
"""

import argparse
import json
import pathlib
import random


def template(number, templates, words=120):
    """A text that has the words of its template but one."""
    return " ".join("own%d" % number if i == 60 else "word%d_%d" % (number % templates, i) for i in range(words))


def write(path, texts):
    with open(path, "w") as out:
        for number, text in enumerate(texts):
            out.write(json.dumps({"id": "%d" % number, "text": text}) + "\n")


def alike(arguments):
    lines = ["datasets:"]
    sets = (("items", "benchmark", 0, arguments.benchmark),
            ("texts", "corpus", arguments.benchmark, arguments.benchmark + arguments.corpus))
    for name, role, first, end in sets:
        if first == end:
            continue
        write(arguments.folder / (name + ".jsonl"), (template(n, arguments.templates) for n in range(first, end)))
        lines += ["  - name: " + name, "    role: " + role, "    files: [%s.jsonl]" % name]
        if role == "corpus" and arguments.self_join:
            lines.append("    self_join: exact")
    return lines


def sets(arguments):
    generator = random.Random(arguments.seed)
    pool = [" ".join("p%d_%d" % (n, generator.randrange(60)) for _ in range(60))
            for n in range(arguments.documents * 4)]
    lines = ["datasets:"]
    for role, count in (("benchmark", arguments.benchmark), ("corpus", arguments.corpus)):
        for d in range(count):
            name = "%s%03d" % (role[0], d)
            write(arguments.folder / (name + ".jsonl"), generator.sample(pool, arguments.documents))
            lines += ["  - name: " + name, "    role: " + role, "    files: [%s.jsonl]" % name]
    return lines


def copies(arguments):
    texts = [" ".join("w%d" % ((n * 7919 + i * i * 104729 + (n >> 3) * i) % 1000003) for i in range(14))
             for n in range(arguments.benchmark)]
    write(arguments.folder / "items.jsonl", texts)
    write(arguments.folder / "texts.jsonl",
          ("%s x%d" % (text, i) for text in texts for i in range(arguments.documents)))
    return ["datasets:", "  - {name: items, role: benchmark, files: [items.jsonl]}",
            "  - {name: texts, role: corpus, files: [texts.jsonl]}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("alike", "copies", "sets"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--benchmark", type=int, default=0)
    parser.add_argument("--corpus", type=int, default=0)
    parser.add_argument("--documents", type=int, default=10, help="of each dataset of `sets`, of each item of `copies`")
    parser.add_argument("--templates", type=int, default=1, help="of `alike`, which documents take in turn")
    parser.add_argument("--self-join", action="store_true")
    parser.add_argument("--seed", type=int, default=3)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    lines = {"alike": alike, "copies": copies, "sets": sets}[arguments.kind](arguments)
    lines += ["output: run", "near_duplicates: {}", ""]
    (arguments.folder / "run.yaml").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
