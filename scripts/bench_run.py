#!/usr/bin/env python3
"""Runs the cases of `make bench` and writes one JSON line a case to RESULTS/*.jsonl.

usage: bench_run.py BUILD DATA RESULTS [PART...]

Every case is measured beside the limit that this machine sets to it: between its runs the same shards are only
decoded, on one thread (tests/bench/stages.c --decode); beside runs of two threads or ranks also on two, as the cores of
a machine share its memory and its caches.  A case has three runs, fewer where they take more than MORE_RUNS_FOR
seconds, so that a slow machine ends too.

A row: case, level (kernels), size (bytes of text), n (runs), min and median (seconds of wall time), mb_per_s (size
over the fastest run), items_per_s (documents), cpu_s (the least CPU time of a run: what a busy machine distorts
least), decode_s and decode_mb_per_s (the fastest decoding alone, in bytes decoded), decode_two_s (that on two
threads), of_decode (a run's seconds over those of the decoding before it, the median), times (of the runs, which cases
that are compared with each other have in turn), peak_rss_mb (of the largest process), cpu, compiler, commit; of whole
runs also work_mb (what they leave in work/), digest, edges and the seconds of each stage; of dedup also documents,
removed, candidates, state_bytes (of memory a document, of the largest rank) and spilled_mb; of trainings also pieces,
ngrams (different ones of all orders), model_bytes, and scored_per_s (tokens).
"""

import json
import math
import os
import pathlib
import random
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 3
MORE_RUNS_FOR = 40
FEW_ITEMS = 164                                                 # as many as HumanEval has
COPIES = 16
HUGE_COPIES = 4
LONGER = "%d items, the corpus %d times" % (FEW_ITEMS, COPIES)
GROWTH_DISK = 1600                                              # bytes of shards and of work/ for a document, at most
MATCHED_DISK = 1100                                             # and of graph.db; documents are short there


def machine(build):
    text = subprocess.run([build + "/leakgraph", "version"], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r"^(compiler|kernels) +(.*)$", text, re.M))
    cpu = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return {"level": found["kernels"], "cpu": cpu.group(1) if cpu else os.uname().machine,
            "cores": len(os.sched_getaffinity(0)),
            "compiler": found["compiler"], "commit": re.search(r"\((.*)\)", text).group(1)}


def timed(command, environment):
    """Seconds, seconds of CPU, peak resident kilobytes of the largest process, standard output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=errors, stdin=subprocess.DEVNULL,
                                   env={**os.environ, **environment})
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

    def runs(self, cases=1):
        """Numbers of the runs of so many cases in turn: three, or those that begin while there is time."""
        started = time.monotonic()
        for number in range(RUNS):
            if number == 0 or time.monotonic() - started < MORE_RUNS_FOR * cases:
                yield number

    def decode(self, shards, threads=1):
        """Seconds and bytes of decoding the shards and nothing else."""
        _, wall, _, decoded, *_ = timed([self.build + "/bench/stages", "--decode", "text", *shards],
                                        {"OMP_NUM_THREADS": str(threads)})[3].split("\t")
        return float(wall), int(decoded)

    def row(self, case, size, documents, times, cpu, limits, peak=None, **more):
        best, limit = min(times), min(limits)
        row = {"case": case, "size": size, "documents": documents, "items_per_s": round(documents / best),
               "mb_per_s": round(size / best / 1e6, 1),
               "n": len(times), "min": round(best, 4), "median": round(statistics.median(times), 4),
               "cpu_s": round(min(cpu), 4), "decode_s": round(limit[0], 4),
               "decode_mb_per_s": round(limit[1] / limit[0] / 1e6, 1),
               "of_decode": round(statistics.median(time / pair[0] for time, pair in zip(times, limits)), 2),
               "times": [round(time, 4) for time in times], **self.machine, **more}
        if peak:
            row["peak_rss_mb"] = round(peak / 1024, 1)
        print("%-40s %8.1f MB/s %8.3f s %6.2f x decode alone (%.0f MB/s) %s" % (
            case, row["mb_per_s"], best, row["of_decode"], row["decode_mb_per_s"],
            "%7.1f MB" % row["peak_rss_mb"] if peak else ""), flush=True)
        return row

    def write(self, name, rows):
        part = self.results / (name + ".jsonl.part")
        part.write_text("".join(json.dumps(row) + "\n" for row in rows))
        part.rename(self.results / (name + ".jsonl"))

    def once(self, measured):
        """One run of a case, behind the decoding that it is compared with."""
        threads, ranks = measured["threads"], measured["ranks"]
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks else []
        measured["limits"].append(self.decode(measured["shards"]))
        if threads * max(1, ranks) == 2:
            measured["both"].append(self.decode(measured["shards"], 2)[0])
        output = tempfile.mkdtemp(prefix="leakgraph-bench.")
        seconds, cpu, peak, _ = timed(launcher + [self.build + "/leakgraph", *measured["arguments"],
                                                  "--output", output, "--quiet"],
                                      {"OMP_NUM_THREADS": str(threads)})
        database = sqlite3.connect(output + "/graph.db")
        said = dict(database.execute("SELECT key, value FROM run"))
        if measured["dataset"]:
            measured["size"] = database.execute("SELECT sum(bytes), sum(documents) FROM splits WHERE dataset = ?",
                                                (measured["dataset"],)).fetchone()
        database.close()
        log = pathlib.Path(output, "run.log").read_text()
        measured["edges"] = int(re.search(r"stored: .* pairs=(\d+)", log).group(1))
        measured["work"] = sum(path.stat().st_size for path in pathlib.Path(output, "work").rglob("*")
                               if path.is_file())
        shutil.rmtree(output)
        if not measured["times"] or seconds < min(measured["times"]):
            measured["best"] = said
        measured["times"].append(seconds)
        measured["cpus"].append(cpu)
        measured["peaks"].append(peak)

    def case(self, case, arguments, shards, size=None, threads=1, ranks=0, dataset=None):
        """A case of whole runs; its size is the bytes of text and the documents: without one, those of the dataset, or
        all that the run counts."""
        return {"case": case, "arguments": arguments, "shards": shards, "size": size, "threads": threads,
                "ranks": ranks, "dataset": dataset, "times": [], "cpus": [], "peaks": [], "limits": [], "both": []}

    def in_turn(self, *cases):
        """Rows of cases that are compared with each other: a run of each, then the next of each."""
        for _ in self.runs(len(cases)):
            for measured in cases:
                self.once(measured)
        return [self.measured_row(measured) for measured in cases]

    def end_to_end(self, *case, **more):
        return self.in_turn(self.case(*case, **more))[0]

    def measured_row(self, measured):
        said = measured["best"]
        stages = {key.split(".", 1)[1]: round(float(value), 4) for key, value in said.items()
                  if key.startswith("seconds.")}
        text, documents = measured["size"] or (int(said["text_bytes"]), int(said["records"]))
        more = {"decode_two_s": round(min(measured["both"]), 4)} if measured["both"] else {}
        if "dedup.documents" in said:
            count = {name: int(said["dedup." + name])
                     for name in ("documents", "removed", "candidates", "state_bytes", "spilled_bytes")}
            more |= {"removed": count["removed"], "candidates": count["candidates"],
                     "state_bytes": round(count["state_bytes"] / max(1, count["documents"]), 1),
                     "spilled_mb": round(count["spilled_bytes"] / 1e6, 1)}
        return self.row(measured["case"], text, documents, measured["times"], measured["cpus"], measured["limits"],
                        max(measured["peaks"]), threads=measured["threads"], ranks=measured["ranks"] or 1,
                        work_mb=round(measured["work"] / 1e6, 1), digest=said["digest"], edges=measured["edges"],
                        seconds=stages, **more)

    def few(self):
        """The first items of the benchmark."""
        path = self.data / "few.jsonl"
        with open(self.data / "bench.jsonl") as whole:
            path.write_text("".join(line for line, _ in zip(whole, range(FEW_ITEMS))))
        return path

    def longer(self):
        """The corpus COPIES times, in as many more shards: what a run takes to start weighs less."""
        folder, part = self.data / "longer", self.data / "longer.part"
        if folder.is_dir() and len(list(folder.iterdir())) == COPIES * len(list((self.data / "shards").iterdir())):
            return
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        for shard in (self.data / "shards").glob("*.zst"):
            for copy in range(COPIES):
                shutil.copyfile(shard, part / ("%d-%s" % (copy, shard.name)))
        part.rename(folder)

    def overlap(self):
        size = json.loads((self.data / "corpus.json").read_text())
        rows = []
        self.few()
        self.longer()
        for name, bench, glob in (("8 shards", "bench.jsonl", "shards/*.zst"),
                                  ("single shard", "bench.jsonl", "single/*.zst"),
                                  ("%d items" % FEW_ITEMS, "few.jsonl", "shards/*.zst"),
                                  (LONGER, "few.jsonl", "longer/*.zst")):
            arguments = ["overlap", "--benchmark", "bench=%s" % (self.data / bench),
                         "--corpus", "corpus=%s" % (self.data / glob)]
            shards, times = sorted(map(str, self.data.glob(glob))), COPIES if glob.startswith("longer") else 1
            found = self.in_turn(*(
                self.case("overlap, %s, %s" % (name, kind), arguments, shards,
                          (size["text_bytes"] * times, size["documents"] * times), threads, ranks)
                for kind, threads, ranks in (("1 thread", 1, 0), ("2 threads", 2, 0), ("2 ranks", 1, 2))
                if not ranks or shutil.which("mpirun")))
            if len({row["digest"] for row in found}) > 1:
                raise SystemExit("bench: the runs differ in their digest")
            rows += found
        self.write("overlap", rows)

    def stages(self):
        size = json.loads((self.data / "corpus.json").read_text())
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        rows = []
        if shutil.which("zstd"):
            limits, runs = [], []
            for _ in self.runs():
                limits.append(self.decode(shards))
                runs.append(timed(["zstd", "-qt", *shards], {})[:2])
            rows.append(self.row("zstd -t (its program, decoding only)", size["json_bytes"], size["documents"],
                                 *zip(*runs), limits))
        for level in dict.fromkeys((self.machine["level"], "scalar")):
            found = {}
            for _ in self.runs() if level == self.machine["level"] else range(1):
                for line in timed([self.build + "/bench/stages", "c", *shards],
                                  {"LEAKGRAPH_KERNELS": level})[3].splitlines():
                    stage, wall, cpu, decoded, *_ = line.split("\t")
                    found.setdefault(stage, []).append((float(wall), float(cpu), int(decoded)))
            limits = [(wall, decoded) for wall, _, decoded in found["decode"]]
            for stage, runs in found.items():
                walls, cpus, _ = zip(*runs)
                rows.append(self.row("stage %s (%s)" % (stage, level), size["text_bytes"], size["documents"], walls,
                                     cpus, limits) | {"level": level})
        self.write("stages", rows)

    JAVA = ("codetrans", "csn-cloze-java", "concode", "quixbugs-java", "debian-java")

    def java_shards(self):
        folder = pathlib.Path("../shared/data/java")
        if not folder.is_dir():
            print("java: no ../shared/data here")
        return sorted(str(path) for name in self.JAVA for path in folder.glob(name + "-*.jsonl.zst"))

    def java(self):
        text = [word for name in self.JAVA for word in ("--set", "datasets.%s.fields.tokens=nothing" % name)]
        shards = self.java_shards()
        if not shards:
            return
        self.write("java", self.in_turn(*(self.case("java set, all pairs, %d thread%s" % (threads, "s"[:threads - 1]),
                                                    ["run", "tests/data/java.yaml", *text], shards, threads=threads)
                                          for threads in (1, 2))))

    def dedup_java(self):
        shards, rows = self.java_shards(), []
        if not shards:
            return
        for name, options in (("writes nothing", ("write=none",)),
                              ("cleaned shards, level 1", ("write=shards", "zstd_level=1")),
                              ("lsh alone", ("method=lsh",)), ("exact", ("method=exact",))):
            arguments = ["run", "tests/data/dedup.yaml",
                         *(word for option in options for word in ("--set", "dedup." + option))]
            rows += self.in_turn(*(self.case("java set, dedup, %s, %d thread%s" % (name, threads, "s"[:threads - 1]),
                                             arguments, shards, threads=threads)
                                   for threads in ((1, 2) if options[0].startswith("write") else (2,))))
        self.write("dedup_java", rows)

    SCANNERS = {"near": "near_duplicates: {}", "overlaps": "ngrams: {n: [8, 13]}", "clones": "line_clones: {}",
                "repositories": "repositories: {}",
                "portrait": "portrait: {}"}

    def scanners(self):
        """Every question in one pass, then each of them alone, on one thread."""
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        rows = []
        with tempfile.NamedTemporaryFile("w", prefix="leakgraph-bench.", suffix=".yaml") as config:
            for name in ("all", *self.SCANNERS):
                config.seek(0)
                config.truncate()
                config.write("output: unused\ndatasets:\n")
                for dataset, role, glob in (("bench", "benchmark", "bench.jsonl"),
                                            ("corpus", "corpus", "shards/*.zst")):
                    config.write("  - {name: %s, role: %s, files: [%s]}\n"
                                 % (dataset, role, json.dumps(str(self.data.absolute() / glob))))
                config.write("graph: {store: none}\n")
                config.write("".join(key + "\n" for scanner, key in self.SCANNERS.items() if name in ("all", scanner)))
                config.flush()
                case = "all scanners, 1 thread" if name == "all" else "alone, 1 thread: " + name
                rows.append(self.end_to_end(case, ["run", config.name], shards, dataset="corpus"))
            for case, bench in (("near and n-grams of %d items, 1 thread" % FEW_ITEMS, self.few()),
                                ("near and n-grams of 85,000 items that share nothing, 1 thread", self.strangers())):
                config.seek(0)
                config.truncate()
                config.write("output: unused\ndatasets:\n"
                             "  - {name: bench, role: benchmark, language: c, files: [%s]}\n"
                             "  - {name: corpus, role: corpus, files: [%s]}\ngraph: {store: none}\n"
                             "ngrams: {n: [8, 13]}\nnear_duplicates: {}\n"
                             % (json.dumps(str(bench.absolute())),
                                json.dumps(str(self.data.absolute() / "shards/*.zst"))))
                config.flush()
                rows.append(self.end_to_end(case, ["run", config.name], shards, dataset="corpus"))
        self.write("scanners", rows)

    def strangers(self):
        """85,000 items of 60 words that no corpus has: numbered names between the words that every C file has."""
        path, generator = self.data / "strangers.jsonl", random.Random(2)
        common = "if return int ( ) { } ; = + struct const char for static".split()
        with open(path, "w") as out:
            for number in range(85_000):
                words = (generator.choice(common) if generator.random() < 0.5 else "q%dx%d" % (
                    number, generator.randrange(40)) for _ in range(60))
                out.write(json.dumps({"id": number, "text": " ".join(words)}) + "\n")
        return path

    def outputs(self):
        """500 outputs of some 512 tokens: every third one stitched from runs of lines of the corpus, the others noise
        of its words."""
        path, generator = self.data / "outputs.jsonl", random.Random(1)
        with open(self.data / "bench.jsonl") as bench:
            texts = [json.loads(line)["text"].split("\n") for line in bench]
        words = [word for lines in texts[::20] for line in lines for word in line.split()]
        with open(path, "w") as out:
            for number in range(500):
                lines = []
                while sum(map(len, lines)) < 2000:
                    source = generator.choice(texts)
                    at = generator.randrange(len(source))
                    if number % 3 == 0: lines += source[at:at + generator.randint(4, 20)]
                    else: lines.append("    " + " ".join(generator.choices(words, k=generator.randint(1, 8))))
                out.write(json.dumps({"id": "output%d" % number, "text": "\n".join(lines)}) + "\n")
        return path

    def clones(self):
        """Blocks of lines that outputs of a model share with the source text, with both normalisations, on one
        thread."""
        shards, rows = sorted(map(str, (self.data / "shards").glob("*.zst"))), []
        with tempfile.NamedTemporaryFile("w", prefix="leakgraph-bench.", suffix=".yaml") as config:
            config.write("output: unused\ndatasets:\n  - {name: outputs, role: benchmark, language: c, files: [%s]}\n"
                         % json.dumps(str(self.outputs().absolute())))
            config.write("  - {name: corpus, role: corpus, files: [%s]}\nline_clones: {}\n"
                         % json.dumps(str(self.data.absolute() / "shards/*.zst")))
            config.flush()
            for normalisation in ("exact", "simian"):
                rows.append(self.end_to_end("line clones, 500 outputs, " + normalisation,
                                            ["run", config.name, "--set", "line_clones.normalisation=" + normalisation],
                                            shards, dataset="corpus"))
        self.write("clones", rows)

    def dedup_stages(self):
        size = json.loads((self.data / "corpus.json").read_text())
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        rows = []
        for level in ("avx512", "avx2", "scalar"):
            if subprocess.run([self.build + "/leakgraph", "version"], env={**os.environ, "LEAKGRAPH_KERNELS": level},
                              capture_output=True).returncode:
                continue
            found = {1: {}, 2: {}}
            for _ in self.runs(2) if level != "scalar" else range(1):
                for threads, stages in found.items():
                    text = timed([self.build + "/bench/stages", "--bands", "c", *shards],
                                 {"LEAKGRAPH_KERNELS": level, "OMP_NUM_THREADS": str(threads)})[3]
                    for line in text.splitlines():
                        stage, wall, cpu, decoded, *_ = line.split("\t")
                        stages.setdefault(stage, []).append((float(wall), float(cpu), int(decoded)))
            for threads, stages in found.items():
                limits = [(wall, decoded) for wall, _, decoded in stages["decode"]]
                for stage, runs in stages.items():
                    walls, cpus, _ = zip(*runs)
                    case = "dedup stage %s (%s, %d thread%s)" % (stage, level, threads, "s"[:threads - 1])
                    rows.append(self.row(case, size["text_bytes"], size["documents"], walls, cpus, limits)
                                | {"level": level})
        self.write("dedup_stages", rows)

    def dedup(self):
        """Cleaned shards of the source text, end to end."""
        size = json.loads((self.data / "corpus.json").read_text())
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        rows = self.in_turn(*(self.case("dedup, writes nothing, %d thread%s" % (threads, "s"[:threads - 1]),
                                        ["dedup", "corpus=%s" % (self.data / "shards/*.zst"), "--dry-run", "--set",
                                         "graph.store=none"], shards, (size["text_bytes"], size["documents"]), threads)
                              for threads in (1, 2)))
        for level, threads in ((3, 1), (3, 2), (1, 2)):
            arguments = ["dedup", "corpus=%s" % (self.data / "shards/*.zst"), "--level", str(level),
                         "--set", "graph.store=none"]
            case = "dedup, cleaned shards, level %d, %d thread%s" % (level, threads, "s"[:threads - 1])
            rows.append(self.end_to_end(case, arguments, shards, (size["text_bytes"], size["documents"]), threads))
        if len({row["digest"] for row in rows}) != 1:
            raise SystemExit("bench: the runs of dedup differ in their digest")
        self.write("dedup", rows)

    def parquet_made(self):
        """The size of the Parquet files, which are made the first time, or None where the packages of package.json are
        missing."""
        told, codecs = self.data / "parquet.json", ("zstd", "snappy")
        if told.exists():
            return json.loads(told.read_text())
        shards = sorted(map(str, (self.data / "shards").glob("*.zst")))
        files = ["%s=%s" % (codec, self.data / ("corpus-%s.parquet" % codec)) for codec in codecs]
        try:
            with subprocess.Popen(["zstd", "-dcq", *shards], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as text:
                made = subprocess.run(
                    ["node", "--max-old-space-size=8000", "scripts/bench_parquet.mjs", "300000000", *files],
                    stdin=text.stdout, capture_output=True, text=True)
                text.stdout.close()
        except FileNotFoundError:
            return None
        if made.returncode:
            return None
        size = dict(zip(("text_bytes", "documents"), map(int, made.stdout.split())))
        told.write_text(json.dumps(size))
        return size

    def huge(self):
        """One very large file, which is divided among ranks: of Parquet, of plain lines, of zstd in many frames."""
        size, single, rows = json.loads((self.data / "corpus.json").read_text()), \
            sorted(map(str, (self.data / "single").glob("*.zst"))), []
        for what, name, command in (
                ("Parquet file", "huge.parquet", [self.build + "/bench/make_parquet", str(HUGE_COPIES), *single]),
                ("file of plain lines", "huge.jsonl", ["zstd", "-dqf", *single * HUGE_COPIES, "-o"]),
                ("file of zstd in frames of 8 MB", "huge.jsonl.zst",
                 ["pzstd", "-qf", str(self.data / "huge.jsonl"), "-o"])):
            path, part = self.data / name, self.data / (name + ".part")
            if not path.exists():
                subprocess.run([*command, str(part)], check=True)
                part.rename(path)
            arguments = ["overlap", "--benchmark", "bench=%s" % self.few(), "--corpus", "corpus=%s" % path]
            found = self.in_turn(*(
                self.case("overlap, 164 items, one %s, %s" % (what, kind), arguments, [str(path)],
                          (size["text_bytes"] * HUGE_COPIES, size["documents"] * HUGE_COPIES), threads, ranks)
                for kind, threads, ranks in (("1 thread", 1, 0), ("2 threads", 2, 0), ("2 ranks", 1, 2),
                                             ("4 ranks", 1, 4))
                if not ranks or shutil.which("mpirun")))
            if len({row["digest"] for row in found}) > 1:
                raise SystemExit("bench: the runs differ in their digest")
            rows += found
        self.write("huge", rows)

    def parquet(self):
        """Parquet read and nothing else."""
        size, rows = self.parquet_made(), []
        if not size:
            print("parquet: skipped, its files cannot be made here without node and `npm ci --ignore-scripts`",
                  flush=True)
            return
        for codec in ("zstd", "snappy"):
            command = [self.build + "/bench/stages", "--decode", "text", str(self.data / ("corpus-%s.parquet" % codec))]
            runs = [timed(command, {"OMP_NUM_THREADS": "1"})[3].split("\t") for _ in range(RUNS)]
            walls, cpus = [float(run[1]) for run in runs], [float(run[2]) for run in runs]
            rows.append(self.row("parquet, %s, read alone" % codec, size["text_bytes"], size["documents"], walls, cpus,
                                 [(wall, size["text_bytes"]) for wall in walls]))
        self.write("parquet", rows)

    def synthetic(self, name, documents, disk, *members):
        """Shards of make_corpus, made when they are not there; None where they, and what a run makes of them, have no
        room."""
        folder = self.data / name
        free = min(shutil.disk_usage(place).free for place in (self.data, tempfile.gettempdir()))
        if documents > 10_000_000 and free < documents * disk:
            print("%s skipped, %d GB of disk are wanted" % (name, documents * disk / 1e9))
            return None
        if not folder.is_dir():
            part = self.data / "synthetic.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            timed([self.build + "/bench/make_corpus", str(documents), "1", "32", str(part), *members], {})
            part.rename(folder)
        return folder

    def deduplicated(self, case, folder, memory, pairs):
        arguments = ["dedup", "corpus=%s/*.zst" % folder, "--dry-run", "--set", "dedup.pairs=" + pairs,
                     "--set", "graph.store=none", "--set", "memory=" + memory]
        return self.end_to_end("%s, memory %s" % (case, memory), arguments, sorted(map(str, folder.glob("*.zst"))),
                               threads=2)

    def growth(self):
        """Synthetic corpora with known clusters: what a document costs must not grow with their number."""
        rows = []
        for documents in (100_000, 1_000_000, 10_000_000, 30_000_000):
            folder = self.synthetic("synthetic-%d" % documents, documents, GROWTH_DISK)
            if not folder:
                continue
            for memory in ("1GB", "2GB"):
                rows.append(self.deduplicated("growth, %g M documents" % (documents / 1e6), folder, memory, "star"))
                self.write("growth", rows)                  # the next takes long
            if len({row["digest"] for row in rows[-2:]}) != 1:
                raise SystemExit("bench: the budget changes the digest")
            if documents > 10_000_000:
                shutil.rmtree(folder)

    def matched(self):
        """Every document has pairs, four for each: what rank 0 takes to put them together."""
        rows = []
        for documents in (5_000_000, 50_000_000):
            folder = self.synthetic("matched-%d" % documents, documents, MATCHED_DISK, "9")
            if not folder:
                continue
            rows.append(self.deduplicated("matched, %g M documents, %g M pairs" % (documents / 1e6, documents / 250e3),
                                          folder, "2GB", "all"))
            if rows[-1]["edges"] != documents // 9 * 36 + math.comb(documents % 9, 2):
                raise SystemExit("bench: %d pairs were found" % rows[-1]["edges"])
            self.write("matched", rows)
            shutil.rmtree(folder)

    def leaked(self):
        """Every document of the corpus is like three or four items: the report is of millions of pairs."""
        rows, copies = [], 900
        # of one seed a cluster has the same three near ones, and every fourth item is a copy of its first
        for documents, alike, memory in ((2_999_700, 3, "1GB"), (50_000_400, 4, "2GB")):
            items = documents // copies * alike
            folder = self.synthetic("leaked-%d" % documents, documents, MATCHED_DISK, str(copies))
            benchmark = folder and self.synthetic("items-%d" % items, items, MATCHED_DISK, str(alike))
            if not benchmark:
                continue
            millions = round(documents / 1e6)
            rows.append(self.end_to_end(
                "leaked, %d M documents, %d M pairs, memory %s" % (millions, millions * alike, memory),
                ["overlap", "--benchmark", "items=%s/*.zst" % benchmark, "--corpus", "corpus=%s/*.zst" % folder,
                 "--set", "graph.store=none", "--set", "memory=" + memory],
                sorted(map(str, folder.glob("*.zst"))), threads=2))
            found, inside = rows[-1]["edges"], alike * (alike - 1) // 2     # pairs of the items of a cluster
            if found != alike * documents + items // alike * inside:
                raise SystemExit("bench: %d pairs were found" % found)
            self.write("leaked", rows)                          # the next takes long
            if documents > 10_000_000:
                shutil.rmtree(folder)

    def scoring(self, order):
        """Tokens a second and core that a model of Python files gives to others (tests/bench/lm.c)."""
        files = sorted(map(str, pathlib.Path(os.__file__).parent.glob("*.py")))
        text = timed([self.build + "/bench/lm", "--order", str(order), *files[::2], "--", *files[1::2]],
                     {"OMP_NUM_THREADS": "1"})[3]
        return int(re.search(r"tokens/s=(\d+)", text).group(1))

    def trained(self, case, shard, order, **more):
        """A row of whole trainings on one thread, from the shard to the file."""
        times, cpus, peaks, limits = [], [], [], []
        for _ in self.runs():
            limits.append(self.decode([shard]))
            with tempfile.TemporaryDirectory(prefix="leakgraph-bench.") as folder:
                seconds, cpu, peak, text = timed([self.build + "/leakgraph", "train-ngram", "--corpus", "c=" + shard,
                                                  "--order", str(order), "--threads", "1",
                                                  "--output", folder + "/model.lm"], {})
                size = os.stat(folder + "/model.lm").st_size
            times.append(seconds)
            cpus.append(cpu)
            peaks.append(peak)
        documents, megabytes = re.search(r"^documents +(\d+) used.* ([0-9.]+) MB", text, re.M).groups()
        return self.row(case, round(float(megabytes) * 1e6), int(documents), times, cpus, limits, max(peaks), threads=1,
                        pieces=int(re.search(r"^pieces +(\d+)", text, re.M).group(1)), model_bytes=size,
                        ngrams=sum(map(int, re.findall(r"^(?:vocabulary|\d-grams) +(\d+)", text, re.M))),
                        seconds={name: float(value) for name, value in
                                 re.findall(r"(pass|counting|estimating) ([0-9.]+)", text)}, **more)

    def train(self):
        """Models of n-grams of one shard, and scoring with one of that order."""
        shard, rows = str(self.data / "shards/corpus-0.jsonl.zst"), []
        for order in (3, 5, 7):
            rows.append(self.trained("train, order %d, 1 thread" % order, shard, order,
                                     scored_per_s=self.scoring(order)))
        self.write("train", rows)

    def train_peers(self):
        """Models of the benchmark's items beside irstlm's: the same pieces, which it is given as text, cut already."""
        tool, items, rows = shutil.which("tlm", path=os.environ["PATH"] + ":/usr/lib/irstlm/bin"), \
            str(self.data / "bench.jsonl"), []
        if not tool:
            print("train_peers: skipped, there is no irstlm here (Debian's package irstlm)", flush=True)
            (self.results / "train_peers.jsonl").unlink(missing_ok=True)
            return
        for order in (3, 5):
            ours = self.trained("leakgraph, order %d" % order, items, order)
            rows.append(ours)
            with tempfile.TemporaryDirectory(prefix="leakgraph-bench.") as folder:
                times, cpus, peaks, limits = [], [], [], []
                with open(folder + "/text", "wb") as text:
                    subprocess.run([self.build + "/bench/pieces", items], stdout=text, check=True)
                for _ in self.runs():
                    limits.append(self.decode([items]))
                    seconds, cpu, peak, _ = timed([tool, "-tr=%s/text" % folder, "-n=%d" % order, "-lm=msb", "-ps=no",
                                                   "-o=%s/model.arpa" % folder], {})
                    times.append(seconds)
                    cpus.append(cpu)
                    peaks.append(peak)
                with open(folder + "/model.arpa", encoding="utf-8", errors="replace") as model:
                    head = "".join(line for line, _ in zip(model, range(order + 3)))
                ngrams = sum(map(int, re.findall(r"^ngram +\d+= *(\d+)", head, re.M)))
            if abs(ngrams - ours["ngrams"]) > ours["ngrams"] / 1000:
                raise SystemExit("bench: tlm has %d n-grams of the same pieces, not %d" % (ngrams, ours["ngrams"]))
            rows.append(self.row("irstlm's tlm, order %d" % order, ours["size"], ours["documents"], times, cpus, limits,
                                 max(peaks), threads=1, ngrams=ngrams))
        self.write("train_peers", rows)


def main():
    bench = Bench(*sys.argv[1:4])
    for part in sys.argv[4:] or ("overlap", "scanners", "clones", "stages", "java", "dedup_java", "dedup_stages",
                                 "dedup", "parquet", "huge", "growth", "matched", "leaked", "train", "train_peers"):
        getattr(bench, part)()


if __name__ == "__main__":
    main()
