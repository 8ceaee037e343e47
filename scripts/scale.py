#!/usr/bin/env python3
"""What a run over 8 TB would take on eight hosts of 64 cores: a model made of what is measured here, and its check with
64 ranks.  Markdown on standard output.

usage: scale.py [BUILD [DATA]]      as  scripts/scale.py >results/scale/README.md

DATA (data/bench) and BUILD/bench/make_corpus are what scripts/bench.sh has made. Rates are those of one rank with one
thread: of a quarter of its shards, less those of one small shard; but of a row of `compare` that of a corpus whose
documents are all like items (make_corpus): real ones have few, and what the report takes is of items, not of rows.
What ranks give each other is counted with 8 ranks over that quarter, and with 8 and 16 over SHARDS small shards of
DOCUMENTS records (192 of 20). The latter foretell the bytes of 32 and 64 ranks, which then run over the same shards,
with more ranks than cores, and have to give the same digest. Exit status 1 where one does not.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

SHARDS, DOCUMENTS = int(os.environ.get("SHARDS", "192")), int(os.environ.get("DOCUMENTS", "20"))
MEASURED, FORETOLD = (1, 2, 4, 8, 16), (32, 64)
HOSTS, CORES, TEXT, NETWORK, DISK = 8, 64, 8e12, 1.25e9, 2e9
TASKS = {"compare": {"near_duplicates": {}, "graph": {"store": "none"}},
         "deduplicate": {"dedup": {"write": "none", "measure": 0}, "graph": {"store": "none"}}}
ROWS = {"compare": (300_600, 900, 3)}                           # documents, in clusters of so many; items of a cluster

Run = collections.namedtuple("Run", "digest cpu peak sent text read work wall store alone rows")

DIVIDED = ("collect", "index", "join", "scan")                  # stages of `compare` in which all ranks work

# deduplicate reads the shards of candidates again, at this size all
PASSES = {"deduplicate": 2}


def compress(path, lines):
    subprocess.run(["zstd", "-q", "-3", "-f", "-o", str(path)], check=True, input=b"".join(lines))


def cut(folder, data):
    """The first records of the corpus as small shards."""
    lines = []
    for shard in sorted((data / "shards").glob("*.jsonl.zst")):
        decoded = subprocess.run(["zstd", "-dcq", str(shard)], check=True, stdout=subprocess.PIPE).stdout
        lines += decoded.splitlines(keepends=True)
        if len(lines) >= SHARDS * DOCUMENTS:
            break
    (folder / "shards").mkdir()
    for shard in range(SHARDS):
        compress(folder / "shards" / ("%03d.jsonl.zst" % shard), lines[shard * DOCUMENTS:(shard + 1) * DOCUMENTS])


def configure(folder, name, task, shards, bench):
    datasets = [{"name": "corpus", "role": "corpus", "files": [str(shard) for shard in shards]}]
    if task == "compare":
        datasets.insert(0, {"name": "bench", "role": "benchmark", "files": [str(bench.absolute())]})
    (folder / (name + ".yaml")).write_text(json.dumps({"datasets": datasets, **TASKS[task]}))


def run(program, folder, name, ranks):
    output = folder / ("%s-%d" % (name, ranks))
    launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    started = time.monotonic()
    process = subprocess.run(launcher + [program, "run", str(folder / (name + ".yaml")), "--threads", "1", "--output",
                                         str(output)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    wall = time.monotonic() - started
    done = re.search(r"^done: (.*)$", process.stdout, re.M)
    if process.returncode or not done:
        raise SystemExit("scale: %s on %d ranks failed:\n%s" % (name, ranks, process.stdout[-2000:]))
    said = dict(re.findall(r"(\w+)=([\d.]+)", done.group(1)))
    with sqlite3.connect(output / "graph.db") as database:
        stored = dict(database.execute("SELECT key, value FROM run"))
        rows = sum(database.execute("SELECT count(*) FROM " + table).fetchone()[0]
                   for table in ("snippets", "edges", "dedup", "rejects"))
    database.close()
    work = sum(path.stat().st_size for path in (output / "work").rglob("*") if path.is_file())
    return Run(stored["digest"], float(said["cpu"]), float(said["peak_rss"]), int(said["sent"]), int(said["text"]),
               int(said["bytes"]), work, wall, float(said["wall"]) - float(stored["seconds.before_store"]),
               float(said["wall"]) - sum(float(stored.get("seconds." + stage, 0)) for stage in DIVIDED), rows)


def least(program, folder, name):
    """On one rank: of three runs the least that it took, as other work only adds to that."""
    all_runs = []
    for _ in range(3):
        shutil.rmtree(folder / (name + "-1"), ignore_errors=True)
        all_runs.append(run(program, folder, name, 1))
    return all_runs[0]._replace(**{field: min(getattr(one, field) for one in all_runs)
                                   for field in ("cpu", "store", "alone")})


def row_seconds(program, made, folder, task):
    """What rank 0 takes alone for a row: to find it in the units, to store it, to report; None: the shards tell."""
    if task not in ROWS:
        return None
    documents, together, alike = ROWS[task]
    for name, count, members in (("corpus", documents, together), ("bench", documents // together * alike, alike)):
        (folder / name).mkdir()
        subprocess.run([made, str(count), "1", "8", str(folder / name), str(members)], check=True)
    configure(folder, task + "-rows", task, sorted((folder / "corpus").glob("*.zst")), folder / "bench" / "*.zst")
    one = least(program, folder, task + "-rows")
    return one.alone / one.rows


def parts(runs):
    """Of the bytes that R ranks give each other: those that go to a rank by their hash, so that (R - 1) / R of them
    leave, and those that each further rank costs; from 8 ranks and 16.  Fewer ranks more often have both documents of
    a pair by chance, and a few of the largest documents are most of what is fetched."""
    eight, sixteen = (7 / 8, 7, runs[8].sent), (15 / 16, 15, runs[16].sent)
    by_rank = (sixteen[2] - eight[2] * sixteen[0] / eight[0]) / (sixteen[1] - eight[1] * sixteen[0] / eight[0])
    by_rank = max(0, by_rank)
    return (sixteen[2] - sixteen[1] * by_rank) / sixteen[0], by_rank


def foretell(by_hash, by_rank, ranks):
    return by_hash * (ranks - 1) / ranks + by_rank * (ranks - 1)


def check(task, runs, model):
    print("\n### %s: %d shards, %.0f MB of text\n" % (task, SHARDS, runs[1].text / 1e6))
    print("| ranks | digest | given to each other, MB | foretold, MB | CPU, s | largest rank, MB |")
    print("|" + " --- |" * 6)
    for ranks, one in runs.items():
        foretold = "%.2f" % (foretell(*model, ranks) / 1e6) if ranks in FORETOLD else ""
        print("| %d | %s | %.2f | %s | %.1f | %.0f |" % (
            ranks, "the same" if one.digest == runs[1].digest else "ANOTHER", one.sent / 1e6, foretold, one.cpu,
            one.peak))
    return all(one.digest == runs[1].digest for one in runs.values())


def hours(seconds):
    return "%.1f h" % (seconds / 3600) if seconds >= 3600 else "%.0f min" % (seconds / 60)


def scale(task, one, large, by_byte, by_rank, row):
    """The parts of a run over TEXT, each by itself: none is hidden behind another.  What it takes to begin, and to
    write an empty graph.db, is the same for any text: what the large run has more than that of one shard is
    multiplied; row: seconds of one, if these are to be taken."""
    ranks, factor = HOSTS * CORES, TEXT / (large.text - one.text)
    computing = (large.cpu - large.store) - (one.cpu - one.store)
    storing, rows = max(0, large.store - one.store), large.rows - one.rows
    storing = rows * row if row else storing
    read, work = (large.read - one.read) * PASSES.get(task, 1), large.work - one.work
    sent = foretell(by_byte * TEXT, by_rank, ranks)
    leaves = sent * (ranks - CORES) / (ranks - 1) / HOSTS
    print("| %s | %.0f | %s | %.2f TB: %s | %.1f TB: %s | %.2f TB: %s | %.0f M rows: %s |" % (
        task, (large.text - one.text) / computing / 1e6, hours(computing * factor / ranks), sent / 1e12,
        hours(leaves / NETWORK), read * factor / 1e12, hours(read * factor / HOSTS / DISK),
        work * factor / 1e12, hours(work * factor / HOSTS / DISK), rows * factor / 1e6, hours(storing * factor)))


def main():
    program = os.path.abspath((sys.argv[1] if len(sys.argv) > 1 else "build") + "/leakgraph")
    data = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "data/bench")
    if not (data / "corpus.json").exists():
        raise SystemExit("scale: no %s: scripts/bench.sh makes it" % (data / "corpus.json"))
    large = sorted(path.absolute() for path in (data / "shards").glob("*.jsonl.zst"))[::4]
    made = os.path.abspath((sys.argv[1] if len(sys.argv) > 1 else "build") + "/bench/make_corpus")
    runs, models, begun, rates, by_byte, row, right = {}, {}, {}, {}, {}, {}, True
    with tempfile.TemporaryDirectory(prefix="leakgraph-scale.") as name:
        folder = pathlib.Path(name)
        cut(folder, data)
        small = sorted((folder / "shards").glob("*"))
        for task in TASKS:
            configure(folder, task + "-small", task, small, data / "bench.jsonl")
            configure(folder, task + "-large", task, large, data / "bench.jsonl")
            configure(folder, task + "-one", task, small[:1], data / "bench.jsonl")
            runs[task] = {ranks: run(program, folder, task + "-small", ranks) for ranks in MEASURED + FORETOLD}
            models[task] = parts(runs[task])
            rates[task] = least(program, folder, task + "-large")
            begun[task] = least(program, folder, task + "-one")
            by_hash = (run(program, folder, task + "-large", 8).sent - 7 * models[task][1]) / (7 / 8)
            by_byte[task] = max(0, by_hash) / rates[task].text
            row[task] = row_seconds(program, made, folder, task)
    print(HEAD % {"hosts": HOSTS, "cores": CORES, "text": TEXT / 1e12, "network": NETWORK / 1e9, "disk": DISK / 1e9})
    for task in TASKS:
        scale(task, begun[task], rates[task], by_byte[task], models[task][1], row[task])
    print(CHECK % {"cores": os.cpu_count()}, end="")
    for task in TASKS:
        right &= check(task, runs[task], models[task])
    print("\nFor each byte of text ranks give each other %s bytes, and each further rank is\ngiven %s MB." % (
        " and ".join("%.4f (%s)" % (by_byte[task], task) for task in TASKS),
        " and ".join("%.2f" % (models[task][1] / 1e6) for task in TASKS)))
    return 0 if right else 1


HEAD = """# Scale: %(text).0f TB on %(hosts)d hosts of %(cores)d cores

Made by `scripts/scale.py`: times of one core of this machine, and bytes counted, times the size. Kernel sources stand
for the text. `compare` looks for a benchmark of 10,000 functions cut from them, so that a document in ten is stored:
what rank 0 writes into graph.db, one row after the other, goes with the matches, and a benchmark that is in one
document of ten thousand has a thousandth of it; what a row takes, the report included, is measured with 300,600
documents that are each like three items. `deduplicate` is without cleaned shards and without the measurement of its
recall, for which every rank gets the sketches of 1,000 documents and the features of those that others look like, 20
MB here at most; it reads the shards of candidates twice, and their features lie in work/ while they are compared,
which is not counted: where a tenth of the text is in candidates as much again. A network of %(network).2f GB/s and a
disk of %(disk).0f GB/s a host are assumptions: times go with them.

| run | MB/s a core | all cores | given to each other | read | written to work/ | graph.db, rank 0 |
| --- | --- | --- | --- | --- | --- | --- |"""

CHECK = """
Not in the table: waiting for the last shard at the end (shards are dealt one at a time), and the memory of what rank 0
holds and orders of all matches (`leakgraph plan` forecasts it).

## The check: up to 64 ranks over small shards

On %(cores)d cores, so that times say nothing; what has to be the same is, and bytes are counted by the program
(`sent=` on its last line).  Foretold from 8 and 16 ranks.
"""

if __name__ == "__main__":
    sys.exit(main())
