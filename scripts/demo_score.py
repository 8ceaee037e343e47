#!/usr/bin/env python3
"""Compares the pairs of a graph.db with the truth that make_sample.py counted; exit 1 when they differ.

usage: demo_score.py RUN_FOLDER TRUTH_TSV
"""

import collections
import csv
import pathlib
import sqlite3
import sys

SELECT = """
    SELECT bench.source_id, corpus.source_id, e.shared, e."union", e.min_sum, e.max_sum
      FROM edges e
      JOIN snippets bench  ON bench.id  IN (e.a, e.b) AND bench.dataset  = 'functions'
      JOIN snippets corpus ON corpus.id IN (e.a, e.b) AND corpus.dataset = 'python-stdlib'
     WHERE e.pass = 'near' AND e.kind IN ('exact', 'near')"""


def main():
    folder, truth_path = pathlib.Path(sys.argv[1]), sys.argv[2]
    with open(truth_path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    scores = {(row["benchmark"], row["corpus"]):
              tuple(int(row[key]) for key in ("shared", "union", "min_sum", "max_sum"))
              for row in rows}
    true = {(row["benchmark"], row["corpus"]) for row in rows if row["accepted"] == "1"}
    database = sqlite3.connect("file:%s?mode=ro" % (folder / "graph.db"), uri=True)
    found = {(row[0], row[1]): tuple(row[2:]) for row in database.execute(SELECT)}

    print("known change      derived  accepted  found")
    changes = collections.defaultdict(collections.Counter)
    for row in rows:
        pair = row["benchmark"], row["corpus"]
        changes[row["change"]].update(derived=1, accepted=pair in true, found=pair in found)
    for change, count in sorted(changes.items()):
        print("%-16s %8d %9d %6d" % (change, count["derived"], count["accepted"], count["found"]))

    right = true & found.keys()
    print("pairs with python-stdlib: %d true, %d found, precision %.4f, recall %.4f"
          % (len(true), len(found), len(right) / len(found) if found else 1.0, len(right) / len(true) if true else 1.0))
    misjudged = [pair for pair in sorted(right) if found[pair] != scores[pair]]
    for what, pairs in (("missed", sorted(true - found.keys())), ("wrong", sorted(found.keys() - true)),
                        ("other scores", misjudged)):
        for pair in pairs[:10]:
            print("  %s: %s | %s" % (what, *pair))
    digest = database.execute("SELECT value FROM run WHERE key = 'digest'").fetchone()
    print("digest   %s" % digest[0])
    print("graph    %s" % (folder / "graph.db"))
    print("report   %s" % (folder / "report.html"))
    return 0 if found.keys() == true and not misjudged else 1


if __name__ == "__main__":
    sys.exit(main())
