#!/usr/bin/env python3
"""Writes RESULTS/README.md from RESULTS/*.jsonl.

usage: bench_table.py RESULTS
"""

import json
import pathlib
import sys

# What the design asks for: (case, key, bound, how it is said).
GOALS = (
    ("overlap, 8 shards, 1 thread", "mb_per_s", 500, "at least 500 MB/s of text on one thread"),
    ("java set, all pairs, 2 threads", "min", 1.0, "the Java set within 1 s on two cores"),
)
RATIOS = (
    ("overlap, 8 shards, 2 threads", "overlap, 8 shards, 1 thread", 1.8),
    ("overlap, 8 shards, 2 ranks", "overlap, 8 shards, 1 thread", 1.8),
    ("overlap, single shard, 2 threads", "overlap, single shard, 1 thread", 1.6),
)
RSS_LIMIT_MB = 500


def table(rows):
    yield "| case | MB/s of text | documents/s | min s | median s | CPU s | runs | peak RSS MB |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        yield "| %s | %.0f | %d | %.3f | %.3f | %.3f | %d | %s |" % (row["case"], row["mb_per_s"], row["items_per_s"], row["min"], row["median"],
                                                                     row["cpu_s"], row["n"], row.get("peak_rss_mb", ""))


def verdicts(rows):
    by_case = {row["case"]: row for row in rows}
    for case, key, bound, said in GOALS:
        if case in by_case:
            value = by_case[case][key]
            reached = value >= bound if key == "mb_per_s" else value <= bound
            yield "- %s: %s (%s)" % (said, "reached" if reached else "**not reached**", ("%.0f MB/s" if key == "mb_per_s" else "%.2f s") % value)
    for case, base, bound in RATIOS:
        if case in by_case and base in by_case:
            ratio = by_case[base]["min"] / by_case[case]["min"]
            yield "- %s, at least %.1f x one thread: %s (%.2f x)" % (case, bound, "reached" if ratio >= bound else "**not reached**", ratio)
    peaks = [row["peak_rss_mb"] for row in rows if row["case"].startswith("overlap") and "peak_rss_mb" in row]
    if peaks:
        yield "- peak RSS below %d MB: %s (%.0f MB)" % (RSS_LIMIT_MB, "reached" if max(peaks) < RSS_LIMIT_MB else "**not reached**", max(peaks))


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in sorted(folder.glob("*.jsonl"))}
    if not any(rows.values()):
        raise SystemExit("bench_table: no results in %s" % folder)
    everything = [row for group in rows.values() for row in group]
    first = everything[0]
    out = ["# Speed", "", "Made by `make bench` (scripts/bench_table.py) from the JSON lines beside this file; do not edit.", "",
           "%s, %d cores, %s, kernels %s, commit %s." % (first["cpu"], first["cores"], first["compiler"], first["level"], first["commit"]), ""]
    titles = {"overlap": "A benchmark of 10,000 documents against a corpus of C and Python files, `.jsonl.zst`, view identifiers",
              "stages": "Stage by stage on one thread: each row does what the row above it does, and one thing more",
              "java": "The Java set: 290,597 methods, all pairs, lexed from text, `graph.store: none`"}
    for name in ("overlap", "stages", "java"):
        if rows.get(name):
            out += ["## " + titles[name], "", *table(rows[name]), ""]
    out += ["## Against the goals", "", *verdicts(everything), ""]
    (folder / "README.md").write_text("\n".join(out))
    print("table: %s" % (folder / "README.md"))


if __name__ == "__main__":
    main()
