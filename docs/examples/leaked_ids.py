#!/usr/bin/env python3
"""Which items of a benchmark are clean?  Keeps them in a data set, by the ids that `leakgraph export` lists.

    leakgraph export RUN items --benchmark NAME --leaked --columns source_id --format jsonl > leaked.jsonl
    leaked_ids.py leaked.jsonl bench.jsonl > clean.jsonl

With Hugging Face's `datasets` the last step is

    clean = load_dataset("...", split="test").filter(lambda row: str(row["id"]) not in leaked)
"""
import argparse
import json
import sys


def main(list_path, data_path):
    with open(list_path) as file:
        leaked = {json.loads(line)["source_id"] for line in file}
    kept = removed = 0
    with open(data_path) as file:
        for line in file:
            if str(json.loads(line)["id"]) in leaked:       # leakgraph writes numbers as text
                removed += 1
                continue
            sys.stdout.write(line)
            kept += 1
    print("%d items kept, %d of %d leaked ids removed" % (kept, removed, len(leaked)), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list_path", metavar="leaked.jsonl")
    parser.add_argument("data_path", metavar="bench.jsonl")
    main(**vars(parser.parse_args()))
