"""Reads exports back with other programs' readers and compares them with graph.db.

    export.py tables RUN FOLDER        every thing as tsv, csv and jsonl: FOLDER/THING.FORMAT
    export.py graphs RUN FOLDER        pairs, items and removed as graphml and gexf, with networkx
    export.py sarif FILE RESULTS       what SARIF 2.1.0 requires, and how many results there are
    export.py idd RUN FILE             the published measures on the three tables against those of graph.db
"""
import csv
import json
import sqlite3
import sys

VIEWS = {"pairs": "pairs", "items": "items", "removed": "removed_documents", "clusters": "cluster_members",
         "rules": "rule_numbers"}
ORDER = {"clusters": "ORDER BY cluster, pass, snippet"}
# Columns of flags: true and false in JSON.
FLAGS = {"leaked", "admitted"}


def graph(run):
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % run, uri=True)
    database.row_factory = sqlite3.Row
    return database


def said(value):                                            # as tables of text have it
    return "" if value is None else repr(value) if isinstance(value, float) and value % 1 else \
        "%d" % value if isinstance(value, float) else str(value)


def plain(text):
    for escape, letter in (("\\t", "\t"), ("\\n", "\n"), ("\\r", "\r")):
        text = "\\\\".join(part.replace(escape, letter) for part in text.split("\\\\"))
    return text.replace("\\\\", "\\")


def unquoted(text):                                         # what keeps a spreadsheet from computing it
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in "=+-@\t\r" else text


def tables(run, folder):
    for thing, view in VIEWS.items():
        rows = graph(run).execute("SELECT * FROM %s %s" % (view, ORDER.get(thing, ""))).fetchall()
        assert rows, "no " + thing
        names = list(rows[0].keys())
        with open("%s/%s.jsonl" % (folder, thing)) as file:
            read = [json.loads(line) for line in file]
        assert [list(row.values()) for row in read] == [list(row) for row in rows], thing + ".jsonl"
        assert all(list(row) == names for row in read), thing
        assert all(isinstance(row[name], bool) for row in read for name in FLAGS & set(names)), thing
        with open("%s/%s.tsv" % (folder, thing), newline="\n") as file:
            lines = [[plain(cell) for cell in line[:-1].split("\t")] for line in file]
        assert lines == [names] + [[said(value) for value in row] for row in rows], thing + ".tsv"
        csv.field_size_limit(1 << 24)
        with open("%s/%s.csv" % (folder, thing), newline="") as file:
            lines = [[unquoted(cell) for cell in line] for line in csv.reader(file, strict=True)]
        assert lines == [names] + [[said(value) for value in row] for row in rows], thing + ".csv"
        print("%s: %d rows in 3 formats" % (thing, len(rows)))


def graphs(run, folder):
    import networkx
    for thing, (a, b) in {"pairs": ("a_", "b_"), "items": ("", "match_"), "removed": ("", "kept_")}.items():
        rows = [dict(row) for row in graph(run).execute("SELECT * FROM " + VIEWS[thing])]

        def place(row, side):
            return "%s:%s:%s" % tuple(row[side + field] for field in ("dataset", "shard", "record"))
        ends = [(place(row, a), place(row, b)) for row in rows if row[b + "dataset"]]
        nodes = {place(row, side) for row in rows for side in (a, b) if row[side + "dataset"]}
        for read, ending in ((networkx.read_graphml, "graphml"), (networkx.read_gexf, "gexf")):
            made = read("%s/%s.%s" % (folder, thing, ending))
            assert set(made.nodes) == nodes, thing
            assert {frozenset(edge[:2]) for edge in made.edges} == {frozenset(pair) for pair in ends}, thing
            assert made.number_of_edges() in (len(ends), len(set(map(frozenset, ends)))), thing
            one = next(row for row in rows if row[b + "dataset"])
            at = made.nodes[place(one, a)]
            assert at["dataset"] == one[a + "dataset"] and at["record"] == one[a + "record"], at
            assert "path" not in at or at["path"] == one[a + "path"], at
        print("%s: %d nodes, %d edges" % (thing, len(nodes), len(ends)))


def sarif(path, results):
    with open(path) as file:
        log = json.load(file)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["tool"]["driver"]["name"] == "leakgraph"
    assert len(run["results"]) == int(results), len(run["results"])
    for result in run["results"]:
        assert result["message"]["text"] and result["ruleId"] in rules, result
        assert result["level"] in ("none", "note", "warning", "error")
        for place in result["locations"] + result.get("relatedLocations", []):
            uri = place["physicalLocation"]["artifactLocation"]["uri"]
            region = place["physicalLocation"]["region"]
            assert uri and all(32 < ord(letter) < 127 and letter not in "\"<>\\^`{|}:" for letter in uri), uri
            assert region["startLine"] >= 1 and region.get("endLine", region["startLine"]) >= region["startLine"]
            assert place["logicalLocations"][0]["fullyQualifiedName"]
    print("sarif: %d results" % len(run["results"]))


def idd(run, path):
    """Hernandez Lopez et al.: a graph for each language, its nodes the snippets, its edges the duplicates."""
    tables = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    assert [row[1] for row in tables.execute("PRAGMA table_info(snippets)")] == [
        "id", "snippet", "dataset", "language", "tokens", "id_within_dataset", "split_within_dataset"]
    compared = 0
    for language, in tables.execute("SELECT DISTINCT language FROM snippets").fetchall():
        snippets = {row[0]: row[1:] for row in tables.execute(
            "SELECT id, dataset, split_within_dataset FROM snippets WHERE language = ?", (language,))}
        near = {key: set() for key in snippets}
        for a, b in tables.execute("SELECT snippet1, snippet2 FROM duplicates"):
            if a in near and b in near:
                near[a].add(b)
                near[b].add(a)
        for row in graph(run).execute("SELECT * FROM idd WHERE language = ? AND source IN (SELECT id FROM datasets "
                                      "WHERE role = 'benchmark')", (language,)):
            of = [key for key, (dataset, split) in snippets.items()
                  if dataset == row["source"] and row["split"] in ("", split)]
            found = [key for key in of if any(snippets[other][0] == row["target"] for other in near[key])]
            # connected components of what is induced on the dataset: the smallest id stands for each
            kept = {key for key in of if not any(other < key and snippets[other] == snippets[key]
                                                 for other in near[key])}
            assert (row["documents"], row["found"]) == (len(of), len(found)), tuple(row)
            assert abs(row["idd"] - 100 * len(found) / len(of)) < 1e-9, tuple(row)
            if row["split"] == "":
                kept = {key for key in of if not any(other < key and snippets[other][0] == row["source"]
                                                     for other in near[key])}
                assert row["representatives"] == len(kept), tuple(row)
                assert row["representatives_found"] == len(kept & set(found)), tuple(row)
            compared += 1
    assert compared, "nothing was compared"
    print("idd: %d rows are the same" % compared)


if __name__ == "__main__":
    {"tables": tables, "graphs": graphs, "sarif": sarif, "idd": idd}[sys.argv[1]](*sys.argv[2:])
