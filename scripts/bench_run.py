#!/usr/bin/env python3
"""Runs the cases of `make bench` and writes one JSON line a case to RESULTS/*.jsonl.

usage: bench_run.py BUILD DATA RESULTS

A row: case, level (kernels), size (bytes of text), n (runs), min and median (seconds of wall time), mb_per_s (size over the
fastest run), items_per_s (documents), cpu_s (the least CPU time of a run: what a busy machine distorts least), peak_rss_mb (of the
largest process), cpu, compiler, commit.
"""

import json
import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 3


def machine(build):
    text = subprocess.run([build + "/leakgraph", "version"], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^(compiler|kernels) +(.*)$", text, re.M))
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return {"level": found["kernels"], "cpu": cpu.group(1) if cpu else os.uname().machine, "cores": len(os.sched_getaffinity(0)),
            "compiler": found["compiler"], "commit": re.search(r"\((.*)\)", text).group(1)}


def timed(command, environment):
    """Seconds, seconds of CPU, peak resident kilobytes of the largest process, standard output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=errors, stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit("bench: %s\n%s" % (" ".join(map(str, command)), errors.read().decode(errors="replace")))
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, out.read().decode(errors="replace")


class Bench:
    def __init__(self, build, data, results):
        self.build, self.data, self.results = build, pathlib.Path(data), pathlib.Path(results)
        self.machine = machine(build)
        self.results.mkdir(parents=True, exist_ok=True)

    def row(self, case, size, documents, times, cpu, peak=None, **more):
        best = min(times)
        row = {"case": case, "size": size, "items_per_s": round(documents / best), "mb_per_s": round(size / best / 1e6, 1),
               "n": len(times), "min": round(best, 4), "median": round(statistics.median(times), 4),
               "cpu_s": round(min(cpu), 4), **self.machine, **more}
        if peak:
            row["peak_rss_mb"] = round(peak / 1024, 1)
        print("%-40s %9.1f MB/s %8.3f s %s" % (case, row["mb_per_s"], best, "%7.1f MB" % row["peak_rss_mb"] if peak else ""), flush=True)
        return row

    def write(self, name, rows):
        part = self.results / (name + ".jsonl.part")
        part.write_text("".join(json.dumps(row) + "\n" for row in rows))
        part.rename(self.results / (name + ".jsonl"))

    def end_to_end(self, case, size, documents, arguments, threads=1, ranks=0):
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks else []
        times, cpus, peaks, digest, edges = [], [], [], None, 0
        for _ in range(RUNS):
            output = tempfile.mkdtemp(prefix="leakgraph-bench.")
            seconds, cpu, peak, _ = timed(launcher + [self.build + "/leakgraph", *arguments, "--output", output, "--quiet"],
                                     {"OMP_NUM_THREADS": str(threads)})
            database = sqlite3.connect(output + "/graph.db")
            digest = database.execute("SELECT value FROM run WHERE key = 'digest'").fetchone()[0]
            edges = database.execute("SELECT count(*) FROM edges").fetchone()[0]
            database.close()
            shutil.rmtree(output)
            times.append(seconds)
            cpus.append(cpu)
            peaks.append(peak)
        return self.row(case, size, documents, times, cpus, max(peaks), threads=threads, ranks=ranks or 1, digest=digest, edges=edges)

    def overlap(self):
        size = json.loads((self.data / "corpus.json").read_text())
        rows = []
        for name, glob, threads, ranks in (("8 shards, 1 thread", "shards/*.zst", 1, 0), ("8 shards, 2 threads", "shards/*.zst", 2, 0),
                                           ("8 shards, 2 ranks", "shards/*.zst", 1, 2), ("single shard, 1 thread", "single/*.zst", 1, 0),
                                           ("single shard, 2 threads", "single/*.zst", 2, 0)):
            if ranks and not shutil.which("mpirun"):
                continue
            arguments = ["overlap", "--benchmark", "bench=%s" % (self.data / "bench.jsonl"), "--corpus", "corpus=%s" % (self.data / glob)]
            rows.append(self.end_to_end("overlap, " + name, size["text_bytes"], size["documents"], arguments, threads, ranks))
        if len({row["digest"] for row in rows if "8 shards" in row["case"]}) != 1:
            raise SystemExit("bench: the runs differ in their digest")
        self.write("overlap", rows)

    def stages(self):
        size = json.loads((self.data / "corpus.json").read_text())
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        runs = [timed(["zstd", "-qt", *shards], {}) for _ in range(RUNS)] if shutil.which("zstd") else []
        rows = [self.row("zstd -t (its program, decoding only)", size["json_bytes"], size["documents"], *zip(*(run[:2] for run in runs)))] if runs else []
        for level in dict.fromkeys((self.machine["level"], "scalar")):
            seconds = {}
            for _ in range(RUNS):
                for line in timed([self.build + "/bench/stages", "c", *shards], {"LEAKGRAPH_KERNELS": level})[3].splitlines():
                    stage, wall, cpu, *_ = line.split("\t")
                    seconds.setdefault(stage, []).append((float(wall), float(cpu)))
            for stage, runs in seconds.items():
                rows.append(self.row("stage %s (%s)" % (stage, level), size["text_bytes"], size["documents"], *zip(*runs)) | {"level": level})
        self.write("stages", rows)

    def java(self):
        folder = pathlib.Path("../shared/data/java")
        if not folder.is_dir():
            print("java: no ../shared/data here")
            return
        text = [word for dataset in ("codetrans", "csn-cloze-java", "concode", "quixbugs-java", "debian-java")
                for word in ("--set", "datasets.%s.fields.tokens=nothing" % dataset)]
        size = 0
        for path in folder.glob("*.jsonl.zst"):
            with subprocess.Popen(["zstd", "-qdc", str(path)], stdout=subprocess.PIPE) as process:
                size += sum(len(json.loads(line)["text"].encode()) for line in process.stdout)
        rows = [self.end_to_end("java set, all pairs, %d thread%s" % (threads, "s"[:threads - 1]), size, 290597,
                                ["run", "tests/data/java.yaml", *text], threads) for threads in (1, 2)]
        self.write("java", rows)


def main():
    bench = Bench(*sys.argv[1:])
    bench.overlap()
    bench.stages()
    bench.java()


if __name__ == "__main__":
    main()
