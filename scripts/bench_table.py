#!/usr/bin/env python3
"""Writes RESULTS/README.md from RESULTS/*.jsonl.

usage: bench_table.py RESULTS
"""

import json
import pathlib
import sys

ONE, TWO, RANKS = "overlap, 8 shards, 1 thread", "overlap, 8 shards, 2 threads", "overlap, 8 shards, 2 ranks"
SINGLE, SINGLE_TWO = "overlap, single shard, 1 thread", "overlap, single shard, 2 threads"
JAVA = "java set, all pairs, 2 threads"
SPEED_GOAL, JAVA_GOAL, RSS_GOAL = 500, 1.0, 500     # MB/s of text, seconds, MB
RATIOS = {TWO: (ONE, 1.8), RANKS: (ONE, 1.8), SINGLE_TWO: (SINGLE, 1.6)}

# The machine that the goal of 500 MB/s was set for decodes zstd at so many MB/s.
GOAL_DECODES = (1900, 3200)

TITLES = {
    "overlap": "A benchmark of 10,000 documents against a corpus of C and Python files, `.jsonl.zst`, view identifiers",
    "stages": "Stage by stage on one thread: each row does what the row above it does, and one thing more",
    "java": "The Java set: 290,597 methods, all pairs, lexed from text, `graph.store: none`",
}


def goals(rows):
    """case -> [(goal, reached, what was measured, why not)]; only of cases that were measured."""
    found = {}

    def add(case, goal, reached, value, why):
        found.setdefault(case, []).append((goal, reached, value, why))

    if ONE in rows:
        row = rows[ONE]
        low, high = (rate / SPEED_GOAL for rate in GOAL_DECODES)
        add(ONE, "%d MB/s" % SPEED_GOAL, row["mb_per_s"] >= SPEED_GOAL, "%.0f MB/s" % row["mb_per_s"],
            "decoding alone takes %.2f s of the %.2f s: %.0f MB/s of text would be all if nothing else were done. The goal was set where zstd decodes "
            "%d to %d MB/s, so that it allows %.1f to %.1f x the time of decoding; here zstd decodes %.0f MB/s and the run takes %.1f x. %s" % (
                row["decode_s"], row["min"], row["size"] / row["decode_s"] / 1e6, *GOAL_DECODES, low, high, row["decode_mb_per_s"],
                row["of_decode"], prices(rows, row["level"])))
    for case, (base, bound) in RATIOS.items():
        if case in rows and base in rows:
            row, ratio = rows[case], rows[base]["min"] / rows[case]["min"]
            why = "%.2f s of CPU instead of %.2f s" % (row["cpu_s"], rows[base]["cpu_s"])
            if case == SINGLE_TWO:
                why += "; one frame is decoded by one thread, which alone takes %.2f s" % row["decode_s"]
            add(case, "%.1f x one thread" % bound, ratio >= bound, "%.2f x" % ratio, why + ".")
    for case, row in rows.items():
        if case.startswith("overlap"):
            add(case, "RSS < %d MB" % RSS_GOAL, row["peak_rss_mb"] < RSS_GOAL, "%.0f MB" % row["peak_rss_mb"],
                "the indexed benchmark, the batches in flight and the graph while it is built.")
    if JAVA in rows:
        row = rows[JAVA]
        longest = sorted((item for item in row["seconds"].items() if item[0] != "before_store"), key=lambda item: -item[1])[:4]
        add(JAVA, "%.0f s" % JAVA_GOAL, row["min"] <= JAVA_GOAL, "%.2f s" % row["min"],
            "decoding alone takes %.2f s on one thread; the longest stages: %s." % (
                row["decode_s"], ", ".join("%s %.2f s" % item for item in longest)))
    return found


def prices(rows, level):
    """What each stage of the stream costs beyond the one before it."""
    names = ["decode", "+ JSON", "+ features", "+ multiset"]
    at = [rows.get("stage %s (%s)" % (name, level)) for name in names]
    if not all(at):
        return ""
    steps = [at[0]["min"]] + [later["min"] - sooner["min"] for sooner, later in zip(at, at[1:])]
    return "Stage by stage: " + ", ".join("%s %.2f s" % (name.strip("+ "), max(0, step)) for name, step in zip(names, steps)) + "."


def table(rows, goal):
    yield "| case | MB/s of text | min s | x decode alone | decode MB/s | goal: reached | documents/s | median s | CPU s | runs | peak RSS MB |"
    yield "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        against = "; ".join("%s: %s" % (said, "yes" if reached else "**no**, " + value) for said, reached, value, _ in goal.get(row["case"], []))
        yield "| %s | %.0f | %.3f | %.2f | %.0f | %s | %d | %.3f | %.3f | %d | %s |" % (
            row["case"], row["mb_per_s"], row["min"], row["of_decode"], row["decode_mb_per_s"], against, row["items_per_s"], row["median"],
            row["cpu_s"], row["n"], row.get("peak_rss_mb", ""))


def main():
    folder = pathlib.Path(sys.argv[1])
    groups = {path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in sorted(folder.glob("*.jsonl"))}
    everything = [row for name in TITLES for row in groups.get(name, [])]
    if not everything:
        raise SystemExit("bench_table: no results in %s" % folder)
    first = everything[0]
    goal = goals({row["case"]: row for row in everything})
    out = ["# Speed", "", "Made by `make bench` (scripts/bench_table.py) from the JSON lines beside this file; do not edit.", "",
           "%s, %d cores, %s, kernels %s, commit %s." % (first["cpu"], first["cores"], first["compiler"], first["level"], first["commit"]), "",
           "`x decode alone`: the time as a multiple of what this machine needs to decode the same shards with libzstd on one thread and do nothing",
           "else, measured between the runs of the same case. It says how much of a time is leakgraph's and how much the machine's; 1 is the limit",
           "of a single thread.", ""]
    for name, title in TITLES.items():
        if groups.get(name):
            out += ["## " + title, "", *table(groups[name], goal), ""]
    missed = ["- %s, goal %s: %s; %s" % (case, said, value, why) for case, list_ in goal.items() for said, reached, value, why in list_ if not reached]
    out += ["## Not reached, and why", "", *(missed or ["Every goal was reached."]), ""]
    (folder / "README.md").write_text("\n".join(out))
    print("table: %s" % (folder / "README.md"))


if __name__ == "__main__":
    main()
