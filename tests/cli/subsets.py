"""Runs every subset of the capabilities and compares the tables of each with those of the capability alone.

    subsets.py make           writes small datasets into the current folder
    subsets.py licensed       prints those of bench.jsonl as functions that models may be asked for
    subsets.py settings [KEY={...}]...  prints every capability as YAML, those named with settings of their own
    subsets.py run LEAKGRAPH  runs the subsets, a third of those of middling size; every second one with other roles and
                              datasets; --long: all of them, each with both
"""
import itertools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

SETTINGS = {
    "near_duplicates": "{min_tokens: 5, containment_threshold: 0.9}",
    "dedup": "{threshold: 0.7, min_tokens: 5, measure: 0}",
    "ngrams": "{n: [8, 13]}",
    "line_clones": "{lines: 3}",
    "clones": "{min_tokens: 5, min_lines: 3, within: [corpus]}",
    "repositories": "{share: 0.3}",
    "portrait": "{width: 30, datasets: [corpus]}",
    "sensitive": "{datasets: [bench, corpus]}",
    "probe": "{models: [{name: m, path: model.lm}], datasets: [bench], order: {shards: 2, items: 2, permutations: 1}}",
}

# What each capability owns.
TABLES = {
    "near_duplicates": ["SELECT a, b, kind, shared, \"union\", min_sum, max_sum FROM edges WHERE pass = 'near'",
                        "SELECT snippet, cluster FROM clusters WHERE pass = 'near'", "SELECT * FROM overlap",
                        "SELECT kind, similarity, a, a_source_id, b, b_source_id FROM pairs WHERE pass = 'near'",
                        "SELECT cluster, snippet, source_id FROM cluster_members WHERE pass = 'near'",
                        "SELECT id, matches, copies, alike FROM items WHERE matches",
                        "SELECT * FROM rule_numbers WHERE kind = 'pairs'"],
    "dedup": ["SELECT a, b, kind, shared, \"union\", min_sum, max_sum FROM edges WHERE pass = 'dedup'",
              "SELECT snippet, cluster FROM clusters WHERE pass = 'dedup'", "SELECT * FROM dedup",
              "SELECT dataset, split, language, removed, removed_bytes FROM splits",
              "SELECT * FROM removed_documents WHERE output = 'dedup'"],
    "ngrams": ["SELECT * FROM ngrams", "SELECT * FROM ngram_rules", "SELECT * FROM rule_numbers WHERE kind = 'ngrams'",
               "SELECT * FROM item_rules WHERE rule GLOB '*gram'"],
    "line_clones": ["SELECT * FROM clones", "SELECT * FROM clone_places", "SELECT * FROM clone_documents",
                    "SELECT * FROM clone_spans"],
    "clones": ["SELECT * FROM clone_pairs", "SELECT * FROM clone_items", "SELECT * FROM clone_functions",
               "SELECT * FROM clone_links", "SELECT kind, similarity, a, a_line, b_shard, b_record, b_line, b_line_end "
               "FROM pairs WHERE kind GLOB 'type *'"],
    "repositories": ["SELECT * FROM repositories", "SELECT * FROM repository_copies"],
    "portrait": ["SELECT * FROM run WHERE key GLOB 'portrait.*'"],
    "sensitive": ["SELECT * FROM sensitive"],
    "probe": ["SELECT * FROM models", "SELECT * FROM probe_items", "SELECT * FROM probes", "SELECT * FROM probe_gaps",
              "SELECT * FROM probe_orders", "SELECT * FROM probe_distribution"],
}
EVERYWHERE = ["SELECT dataset, split, shard, bytes, xxh3, records, rejected, whole, lost, missing, rejected_bytes "
              "FROM shards", "SELECT * FROM rejects", "SELECT * FROM skipped",
              "SELECT dataset, split, language, documents, rejected, bytes FROM splits",
              "SELECT id AS dataset, url, role FROM datasets"]

LAYOUTS = [
    """datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
""",
    """datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl]}
  - {name: second, role: benchmark, language: python, splits: {train: [second.jsonl], test: [bench.jsonl]}}
  - {name: corpus, role: corpus, self_join: exact, language: python, files: [corpus.jsonl, more.jsonl]}
  - {name: other, role: corpus, files: [more.jsonl]}
""",
]


def make():
    random.seed(7)
    names = [a + "_" + b for a in "read write parse build merge split".split()
             for b in "item line node page row".split()]

    def function(n):
        body = ["def %s_%d(%s, %s):" % (random.choice(names), n, *random.sample(names, 2))]
        for _ in range(random.randint(4, 9)):
            a, b, c = random.sample(names, 3)
            body.append("    %s = %s(%s, %d)" % (a, b, c, random.randint(0, 99)))
        return "\n".join(body + ["    return %s" % random.choice(names)]) + "\n"

    made = [function(n) for n in range(60)]
    for i in range(0, 60, 7):
        made[i] += "# mail jane%d@corp-mail.org\n" % i
    renamed = [text.replace("item", "thing", 1) for text in made]

    def write(name, texts, repo):
        with open(name + ".jsonl", "w") as out:
            for i, text in enumerate(texts):
                out.write(json.dumps({"id": "%s-%d" % (name, i), "text": text, "repo": "%s/r%d" % (repo, i % 5),
                                      "path": "lib/%d.py" % i}) + "\n")
            out.write("{\"text\": 1}\n")

    write("bench", made[:20], "acme")
    write("second", renamed[5:15] + made[20:25] + made[20:22], "acme")
    write("corpus", made[:8] + renamed[10:16] + ["import os\n" + "".join(made[16:19])] + made[25:45], "acme")
    write("more", made[:4] + made[30:35] + made[45:], "other")


def licensed():
    for line in list(open("bench.jsonl"))[:8]:
        row = json.loads(line)
        head, body = row["text"].split("\n", 1)
        print(json.dumps({"text": body, "reference": body, "prompt": head + "\n", "signature": head, "license": "MIT"}))


def yaml(layout, keys, where, history):
    text = "output: run\n" + LAYOUTS[layout] + ("history: {runs: last}\n" if history else "")
    text += "".join("%s: %s\n" % (key, SETTINGS[key]) for key in keys)
    return text + ("clean: [{name: strict, drop: items, where: \"%s\"}]\n" % where if where else "")


def settings(own):
    """Every capability as YAML: what tests want that have "every capability on"."""
    asked = {**SETTINGS, **dict(word.split("=", 1) for word in own)}
    return "".join("%s: %s\n" % pair for pair in asked.items())


def rule(keys):
    """What `clean` may ask in this subset; None: nothing."""
    columns = (("near_duplicates", "near"), ("ngrams", "palm_8gram"), ("line_clones", "clone >= 3"))
    parts = [column for key, column in columns if key in keys]
    return " or ".join(parts) or None


def refused(keys):
    """ngrams, clones, probe and clean need the items in graph.db, which dedup alone does not store."""
    lone = "dedup" in keys and "near_duplicates" not in keys
    return lone and any(key in keys for key in ("ngrams", "clones", "probe"))


def run(program, layout, keys, where, history=False):
    """With history beside the run before, which is another subset."""
    if os.path.exists("run/graph.db"):
        shutil.rmtree("last", ignore_errors=True)
        os.rename("run", "last")
    shutil.rmtree("run", ignore_errors=True)
    with open("run.yaml", "w") as out:
        out.write(yaml(layout, keys, where, history))
    done = subprocess.run([program, "run", "run.yaml", "--quiet", "--threads", "2"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


def tables(keys):
    database = sqlite3.connect("file:run/graph.db?mode=ro", uri=True)
    queries = EVERYWHERE + [query for key in keys for query in TABLES[key]]
    found = {query: sorted(database.execute(query).fetchall(), key=repr) for query in queries}
    found["history"] = database.execute("SELECT count(*), (SELECT count(*) FROM changes WHERE part = 'settings') "
                                        "FROM history_runs").fetchone()
    found["clean"] = sorted(database.execute("SELECT * FROM cleaned").fetchall() +
                            database.execute("SELECT * FROM cleaned_documents").fetchall(), key=repr)
    return found


def read_by(found):
    """The datasets that were read: a shard that was has a checksum."""
    return {row[0] for row in found[EVERYWHERE[0]] if row[4] != "0000000000000000"}


def alone(keys):
    """The least subset in which the capability finds what it finds in `keys`: repositories look at near pairs."""
    return {key: (key, "near_duplicates") if key == "repositories" and "near_duplicates" in keys else (key,)
            for key in keys}


def main():
    if sys.argv[1] == "make":
        return make()
    if sys.argv[1] == "licensed":
        return licensed()
    if sys.argv[1] == "settings":
        return print(settings(sys.argv[2:]), end="")
    program, long = sys.argv[2], "--long" in sys.argv
    reference, bad, ran, no = {}, 0, 0, 0

    def known(layout, keys):
        if (layout, keys) not in reference:
            status, said = run(program, layout, keys, None)
            if status:
                sys.exit("alone, %s of layout %d ends with %d: %s" % (keys, layout, status, said))
            reference[layout, keys] = tables(keys)
        return reference[layout, keys]

    order = list(SETTINGS)
    subsets = [s for size in range(1, len(order) + 1) for s in itertools.combinations(order, size)]
    for number, keys in enumerate(subsets):
        if not long and 2 < len(keys) < len(order) - 1 and number % 3:
            continue                                        # most faults are between two
        for layout in (0, 1) if long else (number % 2,):
            # a lone probe reads no corpus, and says so
            if keys == ("probe",) or refused(keys):
                status, said = run(program, layout, keys, None)
                no += 1
                if status != 2:
                    bad += 1
                    print("%s of layout %d ends with %d, not refused: %s" % (keys, layout, status, said))
                continue
            where = rule(keys) if "dedup" not in keys or "near_duplicates" in keys else None
            history = number % 9 == 0
            status, said = run(program, layout, keys, where, history)
            ran += 1
            if status:
                bad += 1
                print("%s of layout %d ends with %d: %s" % (keys, layout, status, said))
                continue
            found = tables(keys)
            for key, least in alone(keys).items():
                if key == "probe":
                    least = ("sensitive", "probe")          # beside one that reads the corpus
                wanted = known(layout, least)
                # what is read beside a probe may read more than what stands beside it here
                read = read_by(wanted) & read_by(found) if key == "probe" else read_by(wanted)
                for query in EVERYWHERE + TABLES[key]:
                    one, other = ([row for row in rows if query not in EVERYWHERE or row[0] in read]
                                  for rows in (found[query], wanted[query]))
                    if one != other:
                        bad += 1
                        odd = [row for row in one if row not in other][:2]
                        print("%s of layout %d: %s has %d rows, alone %d; %s" %
                              (keys, layout, query, len(one), len(other), odd))
            if history and ran > 1 and (found["history"][0] < 2 or not found["history"][1]):
                bad += 1
                print("%s of layout %d: history has %d runs and %d settings that changed" %
                      (keys, layout, *found["history"]))
            if where and not found["clean"]:
                bad += 1
                print("%s of layout %d: clean did nothing" % (keys, layout))
    empty = [query for (layout, keys), found in reference.items() if layout == 1
             for query in sum((TABLES[k] for k in keys), []) if not found[query] and "gaps" not in query]
    print("%d subsets ran, %d were refused as they should be, %d differences, tables that are always empty: %s" %
          (ran, no, bad, empty or "none"))
    return bad > 0 or bool(empty)


sys.exit(main())
