#!/usr/bin/env python3
"""The leak experiment with a pair of real models, of which one had benchmark items in its training data, so many
copies of each.

usage: leak_pair.py LEAKGRAPH MODELS BENCHMARKS.jsonl.zst OUT [REPORT.md]

MODELS holds leaky.gguf, clean.gguf and items.jsonl (id, copies); the items' texts are those of the benchmarks.  Both
models are asked about every item, and go on greedily from each one's first lines; printed are the area under the ROC
curve by metric and number of copies, against items that were never there, the slope of NLL by copies, and how many
outputs repeat lines of the items.
"""

import json
import pathlib
import sqlite3
import subprocess
import sys

import leak_experiment as known

# lines of an item that are given; lines in a row that are a repetition; tokens of an output
HEAD, BLOCK, TOKENS = 4, 3, 160


def items_write(models, benchmarks, path):
    text = {}
    for line in subprocess.run(["zstd", "-dcq", benchmarks], check=True, capture_output=True).stdout.splitlines():
        record = json.loads(line)
        text[record["id"]] = record["text"]
    items = [json.loads(line) for line in (models / "items.jsonl").open(encoding="utf-8")]
    with path.open("w", encoding="utf-8") as out:
        for item in items:
            out.write(json.dumps({"id": item["id"], "language": "python", "copies": item["copies"],
                                  "text": text[item["id"]]}) + "\n")
    return items


def sections(models):
    return "probe:\n" + "%s" + "  models:\n" + "".join(
        "    - {name: %s, backend: llama, path: %s}\n" % (name, json.dumps(str(models / (name + ".gguf"))))
        for name in ("leaky", "clean"))


def carry_out(leakgraph, out, name, role, rest):
    path = out / (name + ".yaml")
    path.write_text("output: %s\ndatasets:\n  - {name: items, role: %s, language: python, files: [%s]}\n%s" %
                    (json.dumps(str(out / name)), role, json.dumps(str(out / "items.jsonl")), rest), encoding="utf-8")
    known.run(leakgraph, "run", path, "--quiet")
    return sqlite3.connect("file:%s?mode=ro" % (out / name / "graph.db"), uri=True)


def values_of(database):
    values = {}
    for model, metric, item, value in database.execute(
            "SELECT m.name, p.metric, s.source_id, p.value FROM probes AS p JOIN models AS m ON m.id = p.model "
            "JOIN snippets AS s ON s.id = p.snippet"):
        values.setdefault((model, metric.split(":")[0]), {})[item] = value
    return values


def repeated(database, items):
    """Outputs, and those with a run of an item's lines, by model and copies of the item that the output goes on
    from."""
    lines = ["| copies | outputs of each | leaky: that repeat | clean: that repeat |", "| ---: | ---: | ---: | ---: |"]
    asked = "SELECT record FROM clone_documents WHERE dataset = 'generations-' || ?"
    with_lines = {model: {row[0] for row in database.execute(asked, (model,))} for model in ("leaky", "clean")}
    for copies in sorted({item["copies"] for item in items}):
        of = {number for number, item in enumerate(items) if item["copies"] == copies}
        lines.append("| %d | %d | %d | %d |" % (copies, len(of), len(of & with_lines["leaky"]),
                                                len(of & with_lines["clean"])))
    return "\n".join(lines)


FORMULA = "nll ~ model + model:copies + log(tokens) + (1 | item)"


def slopes(leakgraph, values, items, path):
    """The mixed model of NLL on copies: how it is told, and each model's slope with its interval."""
    with path.open("w", encoding="utf-8") as out:
        for item in items:
            for model in ("clean", "leaky"):
                of = {metric: values[model, metric].get(item["id"]) for metric in ("nll", "tokens")}
                out.write(json.dumps(dict(of, model=model, item=item["id"], copies=item["copies"])) + "\n")
    said = [subprocess.run([leakgraph, "regress", FORMULA, "--data", path] + more, check=True, capture_output=True,
                           text=True).stdout for more in ([], ["--json"])]
    return said[0], {c["name"]: c for c in json.loads(said[1])["coefficients"]}


def main(leakgraph, models, benchmarks, out, report):
    out.mkdir(parents=True, exist_ok=True)
    items = items_write(models, benchmarks, out / "items.jsonl")
    database = carry_out(leakgraph, out, "probe", "benchmark", sections(models) % "  truth: field copies\n")
    values = values_of(database)
    database.close()
    regression, slope = slopes(leakgraph, values, items, out / "regress.jsonl")
    of_leaky, of_clean = slope["model[leaky]:copies"], slope["model[clean]:copies"]
    database = carry_out(leakgraph, out, "generate", "corpus", sections(models) % "  metrics: []\n" +
                         "generate: {from: items, prompt: lines, lines: %d, outputs: %d, tokens: %d, temperature: 0}\n"
                         "line_clones: {lines: %d}\n" % (HEAD, len(items), TOKENS, BLOCK))
    outputs = repeated(database, items)
    database.close()
    members = {name: [i["id"] for i in items if i["copies"] == copies] for name, copies, edited in known.GROUPS
               if not edited}
    members["2 and more"] = [i["id"] for i in items if i["copies"] >= 2]
    members["none"] = [i["id"] for i in items if not i["copies"]]
    leaky, leaky_table = known.table(values, members, "leaky")
    clean, clean_table = known.table(values, members, "clean")
    text = ("# A benchmark that leaked into a small transformer\n\n"
            "Two models of 2 M parameters (GGUF, backend `llama`), %d items: half were in the leaky one's training "
            "data, once, twice, four or eight "
            "times; the clean one saw none.\nAUC is of a group against the items that were never there (0.5: as by "
            "chance).\n\n## The leaky model\n\n%s\n\n"
            "`ratio` is ln PPL of the clean model over ln PPL of this one.\n\n## The clean model\n\n%s\n\n"
            "## NLL by copies\n\n"
            "Each copy takes %.3f (95 %% interval %.3f to %.3f) from the leaky model's NLL; of the clean one's the "
            "slope is %.3f (%.3f to %.3f).\nThe rows are each item's two answers:\n\n```\n%s```\n\n"
            "## What they repeat\n\n"
            "Each model went on from the first %d lines of every item, always with the most probable token, for %d "
            "tokens; an output repeats when %d lines in a row are lines of an item.\n\n%s\n\n"
            "Made by `make experiment-leak` where the models are.\n" % (
                len(items), leaky_table, clean_table, -of_leaky["estimate"], -of_leaky["high"], -of_leaky["low"],
                of_clean["estimate"], of_clean["low"], of_clean["high"], regression, HEAD, TOKENS, BLOCK, outputs))
    print(text)
    if report:
        report.write_text(text, encoding="utf-8")
    wrong = ["%s of the leaky model: AUC %.3f with 8 copies" % (metric, leaky[metric]["8 copies"])
             for metric in known.METRICS
             if metric != "suspicious" and not leaky[metric]["8 copies"] >= 0.9]
    wrong += ["%s of the clean model: AUC %.3f is not near 0.5" % (metric, clean[metric]["2 and more"])
              for metric in known.NEAR_HALF if not 0.35 <= clean[metric]["2 and more"] <= 0.65]
    if not of_leaky["high"] < 0 or not of_clean["low"] < 0 < of_clean["high"]:
        wrong.append("slopes of NLL by copies: %s, %s" % (of_leaky, of_clean))
    for line in wrong:
        print("leak_pair:", line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        raise SystemExit(__doc__.split("\n\n")[1])
    raise SystemExit(main(sys.argv[1], pathlib.Path(sys.argv[2]).absolute(), sys.argv[3],
                          pathlib.Path(sys.argv[4]).absolute(),
                          pathlib.Path(sys.argv[5]) if len(sys.argv) == 6 else None))
