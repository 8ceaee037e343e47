#!/usr/bin/env python3
"""Writes the items of a pair of models with a known leak as leak_experiment.py reads them.

usage: leak_pair.py MODELS BENCHMARKS.jsonl.zst OUT

MODELS/items.jsonl tells how many copies of each item were in the leaky model's training data; the texts are those of the benchmarks.
"""

import json
import pathlib
import subprocess
import sys


def main(models, benchmarks, out):
    text = {}
    for line in subprocess.run(["zstd", "-dcq", benchmarks], check=True, capture_output=True).stdout.splitlines():
        record = json.loads(line)
        text[record["id"]] = record["text"]
    out.mkdir(parents=True, exist_ok=True)
    with (out / "items.jsonl").open("w", encoding="utf-8") as items:
        for line in (models / "items.jsonl").open(encoding="utf-8"):
            item = json.loads(line)
            if item["id"] not in text:
                raise SystemExit("leak_pair: %s has no %s" % (benchmarks, item["id"]))
            items.write(json.dumps({"id": item["id"], "language": "python", "copies": item["copies"], "text": text[item["id"]]}) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__.split("\n\n")[1])
    main(pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3]))
