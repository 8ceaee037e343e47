#!/usr/bin/env python3
"""The leak experiment: what metrics of a language model say of items that were in its training data, by the number of
copies there.

usage: leak_experiment.py LEAKGRAPH OUT [REPORT.md]

OUT holds what leak_data.py made.  Two n-gram models are trained, one on OUT/leaky.jsonl, one on OUT/clean.jsonl; one
run puts the items to both and looks for them in the leaky corpus; and for every metric the area under the ROC curve is
printed, of items with so many copies, or with an edited one that the run finds as a near duplicate, against those that
are in neither corpus: of the leaky model, and of the clean model, which saw none.  Exit status 1 when a metric does
not tell what it should.
"""

import json
import pathlib
import sqlite3
import subprocess
import sys

METRICS = ["nll", "nll_windows", "nll_weighted", "perplexity", "lowercase", "zlib", "window", "min_k", "min_k_pp",
           "accuracy", "edit", "rouge", "suspicious", "ratio"]
SMALLER = {"nll", "nll_windows", "nll_weighted", "perplexity", "window"}       # the better a text is known
GROUPS = [("1 copy", 1, 0), ("2 copies", 2, 0), ("4 copies", 4, 0), ("8 copies", 8, 0), ("edited", 0, 1)]

# What is asked of the metrics of the leaky model: the least AUC with two copies or more, and with one.  zlib and
# lowercase also tell what kind of text it is; n-gram accuracy and its variants are asked at five places alone, and all
# five at once are rarely met.
LEAST = dict.fromkeys(METRICS, 0.95) | {"lowercase": 0.85, "zlib": 0.9, "accuracy": 0.85, "edit": 0.85, "rouge": 0.85,
                                        "suspicious": 0.5}
NEAR_HALF = ["nll", "nll_windows", "nll_weighted", "perplexity", "window", "min_k", "min_k_pp"]  # of the clean model


def auc(inside, outside, metric):
    """How often a value of the first list shows more than one of the second, ties a half."""
    sign = -1 if metric in SMALLER else 1
    wins = sum((sign * a > sign * b) + (a == b) / 2 for a in inside for b in outside)
    return wins / (len(inside) * len(outside)) if inside and outside else float("nan")


def run(*command):
    print("+", " ".join(map(str, command)), flush=True)
    subprocess.run(list(map(str, command)), check=True)


def measure(leakgraph, out):
    for name in "leaky", "clean":
        run(leakgraph, "train-ngram", "--corpus", "%s=%s" % (name, out / (name + ".jsonl")),
            "--output", out / (name + ".lm"), "--quiet")
    run(leakgraph, "probe", "--model", "leaky=ngram:%s" % (out / "leaky.lm"),
        "--model", "clean=ngram:%s" % (out / "clean.lm"),
        "--benchmark", "items=%s" % (out / "items.jsonl"), "--corpus", "leaky=%s" % (out / "leaky.jsonl"),
        "--output", out / "run", "--quiet")


def read(out):
    """Values by (model, metric) and item; items found in the corpus, by kind of the pair; and what is true of the
    items."""
    database = sqlite3.connect("file:%s?mode=ro" % (out / "run" / "graph.db"), uri=True)
    values, found = {}, {}
    for model, metric, item, value in database.execute(
            "SELECT m.name, p.metric, s.source_id, p.value FROM probes AS p JOIN models AS m ON m.id = p.model "
            "JOIN snippets AS s ON s.id = p.snippet"):
        values.setdefault((model, metric.split(":")[0]), {})[item] = value
    for item, kind in database.execute("SELECT s.source_id, e.kind FROM edges AS e "
                                       "JOIN snippets AS s ON s.id IN (e.a, e.b) WHERE s.dataset = 'items'"):
        found.setdefault(item, set()).add(kind)
    items = {record["id"]: record for record in map(json.loads, (out / "items.jsonl").open(encoding="utf-8"))}
    return values, found, items


def table(values, members, model):
    """AUC by metric and group, and the same as a table; groups without members are left out."""
    groups = [name for name, _, _ in GROUPS if members.get(name)] + ["2 and more"]
    means = [name for name in ("8 copies", "edited", "none") if members.get(name)]
    lines = ["| metric | " + " | ".join(groups + ["mean: " + name for name in means]) + " |",
             "| --- |" + " ---: |" * len(groups + means)]
    areas = {}
    for metric in METRICS:
        value = values.get((model, metric), {})
        of = {name: [value[item] for item in group if item in value] for name, group in members.items()}
        areas[metric] = {name: auc(of[name], of["none"], metric) for name in of if name != "none"}
        mean = ["%.3f" % (sum(of[name]) / len(of[name])) if of[name] else "-" for name in means]
        lines.append("| %s | %s |" % (metric, " | ".join(["%.3f" % areas[metric][name] for name in groups] + mean)))
    return areas, "\n".join(lines)


def check(leaky, clean, edited_found, edited):
    wrong = []
    for metric in METRICS:
        if not leaky[metric]["2 and more"] >= LEAST[metric]:
            wrong.append("%s of the leaky model: AUC %.3f of items with two copies and more, less than %.2f"
                         % (metric, leaky[metric]["2 and more"], LEAST[metric]))
    for metric in NEAR_HALF:
        if not 0.35 <= clean[metric]["2 and more"] <= 0.65:
            wrong.append("%s of the clean model: AUC %.3f is not near 0.5" % (metric, clean[metric]["2 and more"]))
        between = clean[metric]["edited"] < leaky[metric]["edited"] < leaky[metric]["8 copies"]
        if not between or not leaky[metric]["edited"] > 0.6:
            wrong.append("%s of the leaky model: AUC %.3f of edited items is not between"
                         % (metric, leaky[metric]["edited"]))
    if edited_found < 0.6 * edited:
        wrong.append("the scan found %d of %d edited items as near duplicates" % (edited_found, edited))
    return wrong


def main(leakgraph, out, report):
    measure(leakgraph, out)
    values, found, items = read(out)
    members = {name: [i for i, r in items.items() if (r["copies"], r["edited"]) == (copies, edited)]
               for name, copies, edited in GROUPS}
    members["2 and more"] = [i for i, r in items.items() if r["copies"] >= 2]
    members["none"] = [i for i, r in items.items() if not r["copies"] and not r["edited"]]
    copied = [i for i, r in items.items() if r["copies"]]
    exact = sum(bool(found.get(i, set()) & {"exact", "copy"}) for i in copied)
    edited = members["edited"]
    members["edited"] = [i for i in edited if "near" in found.get(i, set())]
    stray = sum(bool(found.get(i)) for i in members["none"])
    leaky, leaky_table = table(values, members, "leaky")
    clean, clean_table = table(values, members, "clean")
    text = ("# A benchmark that leaked\n\n%d functions are the items; a tenth each is in the leaky training data once, "
            "twice, four and eight times, a tenth once with other names and "
            "comments, half not at all.\nThe scan found %d of %d copied items, %d of %d edited ones as near "
            "duplicates, which are the group \"edited\" below, and %d of the %d others. "
            "AUC is of a group against the items that are in neither corpus (0.5: as by chance).\n\n"
            "## The model trained on the leaky corpus\n\n%s\n\n`ratio` is ln PPL of the clean model over ln PPL of "
            "this one.\n\n"
            "## The model trained without the items\n\n%s\n\nIts `ratio` is the other's, turned round.\n\n"
            "Made by `make experiment-leak`.\n" %
            (len(items), exact, len(copied), len(members["edited"]), len(edited), stray, len(members["none"]),
             leaky_table, clean_table))
    print(text)
    if report:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(text, encoding="utf-8")
    wrong = check(leaky, clean, len(members["edited"]), len(edited))
    if exact < len(copied):
        wrong.append("the scan found %d of %d copied items" % (exact, len(copied)))
    for line in wrong:
        print("leak_experiment:", line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__.split("\n\n")[1])
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]) if len(sys.argv) == 4 else None))
