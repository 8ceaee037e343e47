#!/usr/bin/env python3
"""Writes a benchmark and a corpus of little Python functions, some of them alike: bench.jsonl and corpus-NN.jsonl.

Alike in all degrees: copies, copies with a few other names, and pairs on both sides of the thresholds.  The same
arguments always give the same bytes.
"""

import argparse
import json
import pathlib
import random


def function(generator, names):
    lines = ["def %s(%s):" % (names[0], ", ".join(names[1:4]))]
    for _ in range(generator.randint(4, 14)):
        target, a, b, c = (generator.choice(names) for _ in range(4))
        lines.append(generator.choice((
            "    %s = %s.%s(%s, \"%d\")", "    if %s > %s: return %s[%s:%d]", "    for %s in %s(%s): %s += %d  # step",
            "    %s = [%s for %s in range(%s + %d)]")) % (target, a, b, c, generator.randint(0, 999)))
    return "\n".join(lines) + "\n"


def changed(generator, text, names):
    """Replaces none to six of the names by others."""
    for name in generator.sample(names, generator.choice((0, 0, 1, 1, 2, 3, 4, 6))):
        text = text.replace(name, name + "_other")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bench", type=int, default=150)
    parser.add_argument("--corpus", type=int, default=1200)
    parser.add_argument("--shards", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    generator = random.Random(arguments.seed)
    words = ["%s%s" % (a, b) for a in ("load", "item", "node", "cache", "score", "file", "page", "user", "shard",
                                       "batch", "edge", "graph")
             for b in ("_count", "_path", "_map", "_next", "Index", "Size", "Of", "_at", "", "s", "_id", "_max", "_min",
                       "Total")]
    families = []
    for _ in range(arguments.bench * 2):
        names = generator.sample(words, generator.randint(8, 16))
        families.append((function(generator, names), names))

    arguments.folder.mkdir(parents=True, exist_ok=True)
    with open(arguments.folder / "bench.jsonl", "w") as out:
        for number in range(arguments.bench):
            text, names = families[number] if number % 10 else generator.choice(families)
            text = changed(generator, text, names) if number % 3 == 0 else text
            out.write(json.dumps({"id": "b%d" % number, "split": ("train", "test")[number % 4 == 0], "text": text})
                      + "\n")
    for shard in range(arguments.shards):
        with open(arguments.folder / ("corpus-%02d.jsonl" % shard), "w") as out:
            for number in range(arguments.corpus * shard // arguments.shards,
                                arguments.corpus * (shard + 1) // arguments.shards):
                text, names = generator.choice(families)
                if generator.random() < 0.7:
                    names = generator.sample(words, generator.randint(8, 16))
                    text = function(generator, names)
                out.write(json.dumps({"id": number, "path": "src/%d.py" % number, "repo": "tests/sets",
                                      "license": "Apache-2.0",
                                      "text": changed(generator, text, names)}) + "\n")


if __name__ == "__main__":
    main()
