#!/usr/bin/env python3
"""Writes RESULTS/README.md from RESULTS/*.jsonl.

usage: bench_table.py RESULTS
"""

import json
import pathlib
import statistics
import sys

ONE, TWO, RANKS = "overlap, 8 shards, 1 thread", "overlap, 8 shards, 2 threads", "overlap, 8 shards, 2 ranks"
SINGLE, SINGLE_TWO = "overlap, single shard, 1 thread", "overlap, single shard, 2 threads"
FEW, FEW_TWO, FEW_RANKS = "overlap, 164 items, 1 thread", "overlap, 164 items, 2 threads", "overlap, 164 items, 2 ranks"
LONGER, LONGER_TWO, LONGER_RANKS = ("overlap, 164 items, the corpus 16 times, %s" % kind
                                    for kind in ("1 thread", "2 threads", "2 ranks"))
HUGE, PLAIN = (["overlap, 164 items, one %s, %s" % (what, kind) for kind in ("1 thread", "2 threads", "2 ranks")]
               for what in ("Parquet file", "file of plain lines"))
JAVA, SCANNERS = "java set, all pairs, 2 threads", "all scanners, 1 thread"
STRANGERS = "near and n-grams of 85,000 items that share nothing, 1 thread"
# A time as a multiple of decoding the same shards alone, on one thread.
DECODE_GOALS = {ONE: 1.8, FEW: 1.8, SCANNERS: 4.5, JAVA: 3.0, "java set, dedup, writes nothing, 2 threads": 3.0,
                "dedup, writes nothing, 2 threads": 2.2}
NGRAM_GOALS = {SCANNERS: 1.0, STRANGERS: 0.4}                   # the same, of what n-grams add to the pass
RSS_GOAL, WORK_GOAL, DOCUMENT_GOAL = 500, 0.10, 8   # MB, bytes in work/ a byte of text, us of CPU a document
CLONES_GOALS = (300, 2)                                         # MB/s of text, bytes of memory a byte of text
BANDS_GOALS = {"avx512": 500, "avx2": 300}                      # MB/s of text, one thread
PARQUET_GOAL = 700                                              # MB/s of text and core
CLEANED_GOAL, STATE_GOAL = 150, 64                              # MB/s of text and core; bytes of memory a document
# MB/s of text and core at order 5; tokens a second and core
TRAIN_GOAL, SCORE_GOAL = 15, 2e6
RATIOS = {TWO: (ONE, 1.9), RANKS: (ONE, 1.9), SINGLE_TWO: (SINGLE, 1.6), FEW_TWO: (FEW, 1.9), FEW_RANKS: (FEW, 1.9),
          LONGER_TWO: (LONGER, 1.9), LONGER_RANKS: (LONGER, 1.9),
          **{case: (one, 1.9) for one, *more in (HUGE, PLAIN) for case in more}}

TITLES = {
    "overlap": "A benchmark of 10,000 documents, or of its first 164, against a corpus of C and Python files, "
               "`.jsonl.zst`, view identifiers",
    "scanners": "All scanners in one pass over the same files, and each alone, one thread, `graph.store: none`",
    "clones": "Line clones of 500 outputs in the same files, one thread",
    "stages": "Stage by stage on one thread: each row does what the row above it does, and one thing more",
    "java": "The Java set: 290,597 methods, all pairs, lexed from text, `graph.store: none`",
    "dedup_java": "Dedup of the Java set, word 5-grams, threshold 0.7, `graph.store: none`",
    "dedup_stages": "Dedup, stage by stage: word 5-grams, 256 hashes in 32 bands; each row does what the row above it "
    "does, and one thing more",
    "dedup": "Dedup of the C and Python files, end to end with cleaned shards, view shingles:5",
    "parquet": "Parquet read alone: two columns, row groups of 1,000 rows, one thread",
    "huge": "The same benchmark of 164 items against one file of the corpus four times, Parquet with row groups of 32 "
    "MB, plain lines or zstd in frames, which ranks divide (four of them on two cores: see the CPU)",
    "growth": "Dedup of synthetic corpora (tests/bench/make_corpus.c), 2 threads, `write: none`, `pairs: star`",
    "matched": "Dedup where every document has pairs, four for each, 2 threads, `write: none`, `pairs: all`; "
    "more than 50 M pairs are a list beside graph.db",
    "leaked": "Overlap where every document of the corpus is like three or four items, 2 threads, with the report",
    "train": "Training a model of n-grams on one shard of C files, from the shard to the model file, on one thread",
    "train_peers": "Training on the items of the benchmark, one thread: beside irstlm's `tlm -lm=msb -ps=no`, which is "
                   "given the same pieces as text, cut already, and writes ARPA",
}


def goals(rows):
    """case -> [(goal, reached, what was measured, why not)]; only of cases that were measured."""
    found = {}

    def add(case, goal, reached, value, why):
        found.setdefault(case, []).append((goal, reached, value, why))

    for case, bound in DECODE_GOALS.items():
        if case in rows:
            row = rows[case]
            add(case, "%.1f x" % bound, row["of_decode"] <= bound, "%.2f x" % row["of_decode"],
                "decoding alone takes %.2f s on one thread; %s." % (row["decode_s"], {
                    **dict.fromkeys((ONE, FEW), prices(rows, row["level"]) or longest(row)),
                    SCANNERS: "the pass: " + ", ".join("%s %.2f s" % item for item in scanner_seconds(row)),
                }.get(case, "the longest stages: " + longest(row))))
    for case, bound in NGRAM_GOALS.items():
        if case in rows:
            row = rows[case]
            added = sum(value for name, value in scanner_seconds(row) if name == "overlaps")
            add(case, "n-grams +%.1f x" % bound, added / row["decode_s"] <= bound,
                "+%.2f x" % (added / row["decode_s"]),
                "%.2f s beside %.2f s of decoding." % (added, row["decode_s"]))
    row = rows.get("dedup, writes nothing, 2 threads")
    if row:
        ratio = row["work_mb"] * 1e6 / row["size"]
        add(row["case"], "work/ <= %.2f B a byte" % WORK_GOAL, ratio <= WORK_GOAL, "%.2f" % ratio,
            "features of all documents are kept there until they are verified.")
        add(row["case"], "RSS <= %d MB" % RSS_GOAL, row["peak_rss_mb"] <= RSS_GOAL, "%.0f MB" % row["peak_rss_mb"],
            "within `memory:`.")
    for case, row in rows.items():
        if case.startswith("line clones"):
            speed, memory = CLONES_GOALS
            add(case, "%d MB/s" % speed, row["mb_per_s"] >= speed, "%.0f MB/s" % row["mb_per_s"],
                "decoding alone takes %.2f s; the pass: %s." % (
                    row["decode_s"], ", ".join("%s %.2f s" % item for item in scanner_seconds(row))))
            add(case, "RSS <= %d x the corpus" % memory, row["peak_rss_mb"] * 1048576 <= memory * row["size"],
                "%.2f x" % (row["peak_rss_mb"] * 1048576 / row["size"]),
                "the indexed outputs, the batches in flight and the graph while it is built.")
    for case, (base, bound) in RATIOS.items():
        if case in rows and base in rows:
            row, ratio = rows[case], in_turn(rows[base], rows[case])
            why = "%.2f s of CPU instead of %.2f s" % (row["cpu_s"], rows[base]["cpu_s"])
            if case == SINGLE_TWO:
                why += "; one frame is decoded by one thread, which alone takes %.2f s" % row["decode_s"]
            add(case, "%.1f x one thread" % bound, ratio >= bound,
                "%.2f x, decoding alone %.2f x" % (ratio, min(rows[base]["decode_s"], row["decode_s"]) /
                                                   row["decode_two_s"]), why + ".")
    for case, row in rows.items():
        if case.startswith("overlap"):
            add(case, "RSS < %d MB" % RSS_GOAL, row["peak_rss_mb"] < RSS_GOAL, "%.0f MB" % row["peak_rss_mb"],
                "the indexed benchmark, the batches in flight and the graph while it is built.")
    for level, bound in BANDS_GOALS.items():
        one, two = ("dedup stage + bands (%s, %s)" % (level, threads) for threads in ("1 thread", "2 threads"))
        if one in rows:
            add(one, "%d MB/s" % bound, rows[one]["mb_per_s"] >= bound, "%.0f MB/s" % rows[one]["mb_per_s"],
                "decoding alone takes %.2f s of the %.2f s." % (rows[one]["decode_s"], rows[one]["min"]))
        if one in rows and two in rows:
            ratio = in_turn(rows[one], rows[two])
            limit = [rows["dedup stage decode (%s, %s)" % (level, threads)] for threads in ("1 thread", "2 threads")]
            add(two, "1.8 x one thread", ratio >= 1.8, "%.2f x, decoding alone %.2f x" % (ratio, in_turn(*limit)),
                "%.2f s of CPU instead of %.2f s." % (rows[two]["cpu_s"], rows[one]["cpu_s"]))
    for case, row in rows.items():
        if case.startswith("parquet"):
            rate = row["size"] / row["cpu_s"] / 1e6
            add(case, "%d MB/s of CPU time" % PARQUET_GOAL, rate >= PARQUET_GOAL, "%.0f MB/s" % rate,
                "unpacking the pages is most of it.")
    for case, row in rows.items():
        if case.startswith("dedup, cleaned"):
            bound = CLEANED_GOAL * row["threads"]
            add(case, "%d MB/s" % bound, row["mb_per_s"] >= bound, "%.0f MB/s" % row["mb_per_s"],
                "the longest stages: %s." % longest(row))
        if case.startswith(("growth", "matched")):
            add(case, "state <= %d B a document" % STATE_GOAL, row["state_bytes"] <= STATE_GOAL,
                "%.1f B" % row["state_bytes"], "of the largest rank.")
            if row["documents"] >= 10_000_000 and case.startswith("growth"):
                each = row["cpu_s"] / row["documents"] * 1e6
                add(case, "%d us of CPU a document" % DOCUMENT_GOAL, each <= DOCUMENT_GOAL, "%.1f us" % each,
                    "the longest stages: %s." % longest(row))
        if ", memory " in case:
            budget = float(case.rpartition(" ")[2].rstrip("GB")) * 1000
            add(case, "RSS <= memory + 200 MB", row["peak_rss_mb"] * 1.048576 <= budget + 200,
                "%.0f MB" % row["peak_rss_mb"],
                "files that are mapped and the graph while it is built are counted too.")
        if case.startswith("train"):
            rate = row["size"] / row["cpu_s"] / 1e6
            if case.startswith("train, order 5"):
                add(case, "%d MB/s of CPU time" % TRAIN_GOAL, rate >= TRAIN_GOAL, "%.1f MB/s" % rate,
                    ", ".join("%s %.2f s" % item for item in row["seconds"].items()) + ".")
            add(case, "%.0f M tokens/s scored" % (SCORE_GOAL / 1e6), row["scored_per_s"] >= SCORE_GOAL,
                "%.2f M" % (row["scored_per_s"] / 1e6), "a search in memory for each token.")
    return found


def in_turn(one, other):
    """How many times as fast the other is: of the runs that followed each other, the median."""
    return statistics.median(slow / fast for slow, fast in zip(one["times"], other["times"]))


def longest(row):
    stages = sorted((item for item in row["seconds"].items() if item[0] != "before_store"), key=lambda item: -item[1])
    return ", ".join("%s %.2f s" % item for item in stages[:4])


def prices(rows, level):
    """What each stage of the stream costs beyond the one before it."""
    names = ["decode", "+ JSON", "+ features", "+ multiset"]
    at = [rows.get("stage %s (%s)" % (name, level)) for name in names]
    if not all(at):
        return ""
    steps = [at[0]["min"]] + [later["min"] - sooner["min"] for sooner, later in zip(at, at[1:])]
    return "stage by stage: " + ", ".join("%s %.2f s" % (name.strip("+ "), max(0, step))
                                          for name, step in zip(names, steps))


def scanner_seconds(row):
    """Seconds in the pass, the longest first."""
    return sorted(((key.partition(".")[2], value) for key, value in row["seconds"].items()
                   if key.startswith("scanner.")), key=lambda item: -item[1])


def scanners(rows):
    """What each scanner adds to the pass of the run that has them all; beside it, the same scanner's run alone."""
    row = next(row for row in rows if row["case"] == SCANNERS)
    alone = {other["case"].rpartition(" ")[2]: other for other in rows if other is not row}
    parts = scanner_seconds(row)
    whole = sum(value for _, value in parts)
    yield ("What each scanner adds to that pass over %.0f MB of text (`seconds.scanner.*` of table `run`; `overlaps` "
           "is `ngrams:`); beside it, its run alone.") % (
        row["size"] / 1e6)
    yield ""
    yield "| scanner | s | ns a byte | % of the pass | alone: s in the pass, with decoding | s of its whole run |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, value in [*parts, ("the pass", whole)]:
        other = alone.get(name)
        yield "| %s | %.2f | %.2f | %.1f | %s | %s |" % (
            name, value, value / row["size"] * 1e9, 100 * value / whole,
            "%.2f" % sum(seconds for _, seconds in scanner_seconds(other)) if other else "",
            "%.2f" % other["min"] if other else "")
    yield "| all else: indices, the portrait's file, graph.db | %.2f | %.2f | | | |" % (
        row["min"] - whole, (row["min"] - whole) / row["size"] * 1e9)


def growth(rows):
    """What a document costs, beside the smaller corpora."""
    yield ("| case | documents | text MB | wall s | us a document | peak RSS MB | state, B a document | spilled MB "
           "| removed | candidates |")
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        documents = row["documents"]
        yield "| %s | %d | %.0f | %.1f | %.2f | %.0f | %.1f | %.0f | %d | %d |" % (
            row["case"], documents, row["size"] / 1e6, row["min"], row["min"] / documents * 1e6, row["peak_rss_mb"],
            row["state_bytes"],
            row["spilled_mb"], row["removed"], row["candidates"])


def train(rows):
    """What a model takes and holds."""
    yield ("| case | MB/s of text and core | pass, counting, estimating: s | peak RSS MB | pieces | n-grams | model MB "
           "| bytes an n-gram | scoring: M tokens/s and core |")
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        yield "| %s | %.1f | %s | %.0f | %d | %d | %.0f | %.1f | %.2f |" % (
            row["case"], row["size"] / row["cpu_s"] / 1e6,
            ", ".join("%.2f" % value for value in row["seconds"].values()), row["peak_rss_mb"], row["pieces"],
            row["ngrams"],
            row["model_bytes"] / 1e6, row["model_bytes"] / row["ngrams"], row["scored_per_s"] / 1e6)


def table(rows, goal):
    yield ("| case | MB/s of text | min s | x decode alone | decode MB/s | goal: reached | documents/s | median s "
           "| CPU s | runs | peak RSS MB |")
    yield "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for row in rows:
        against = "; ".join("%s: %s" % (said, "yes" if reached else "**no**, " + value)
                            for said, reached, value, _ in goal.get(row["case"], []))
        yield "| %s | %.0f | %.3f | %.2f | %.0f | %s | %d | %.3f | %.3f | %d | %s |" % (
            row["case"], row["mb_per_s"], row["min"], row["of_decode"], row["decode_mb_per_s"], against,
            row["items_per_s"], row["median"],
            row["cpu_s"], row["n"], row.get("peak_rss_mb", ""))


def elsewhere(rows, first):
    """Of what commits rows are, and on what processors, where that is not the first row's."""
    others = list(dict.fromkeys((row["commit"], row["cpu"]) for row in rows))
    return [commit + (" (%s)" % cpu if cpu != first["cpu"] else "") for commit, cpu in others
            if (commit, cpu) != (first["commit"], first["cpu"])]


def main():
    folder = pathlib.Path(sys.argv[1])
    groups = {path.stem: [json.loads(line) for line in path.read_text().splitlines()]
              for path in sorted(folder.glob("*.jsonl"))}
    everything = [row for name in TITLES for row in groups.get(name, [])]
    if not everything:
        raise SystemExit("bench_table: no results in %s" % folder)
    first = everything[0]
    goal = goals({row["case"]: row for row in everything})
    out = ["# Speed", "", "Made by `make bench` (scripts/bench_table.py) from the JSON lines beside this file; do not "
           "edit.", "",
           "%s, %d cores, %s, kernels %s, commit %s%s." % (
               first["cpu"], first["cores"], first["compiler"], first["level"], first["commit"],
               "".join("; %s: %s" % (name, ", ".join(others)) for name in TITLES
                       if (others := elsewhere(groups.get(name, []), first)))), "",
           "`x decode alone`: the time as a multiple of what this machine needs to decode the same shards with libzstd "
           "on one thread and do nothing",
           "else, of a run and the decoding right before it, the median. It says how much of a time is leakgraph's and "
           "how much the machine's; 1 is",
           "the limit of a single thread. Cases of one thread, two threads and two ranks are run in turn, and `x one "
           "thread` is the median of these",
           "pairs; beside it stands what a second thread gives decoding alone, as cores share memory and caches.", ""]
    for name, title in TITLES.items():
        if groups.get(name):
            out += ["## " + title, "", *table(groups[name], goal), ""]
            more = {"growth": growth, "matched": growth, "scanners": scanners, "train": train}.get(name)
            if more:
                out += [*more(groups[name]), ""]
    missed = ["- %s, goal %s: %s; %s" % (case, said, value, why) for case, list_ in goal.items()
              for said, reached, value, why in list_ if not reached]
    out += ["## Not reached, and why", "", *(missed or ["Every goal was reached."]), ""]
    if (folder / "tried.md").exists():
        out += ["## What was tried", "", (folder / "tried.md").read_text()]
    (folder / "README.md").write_text("\n".join(out))
    print("table: %s" % (folder / "README.md"))


if __name__ == "__main__":
    main()
