"""Compares a run folder with that of an unbroken run: every table of graph.db, row by row, and every output file.

    compare.py UNBROKEN RUN     prints what differs; exit status 1 when anything does

What may differ is listed here and nowhere else.
"""
import os
import re
import sqlite3
import sys

# Table `run`: when, by how many, for how long, how much room that took, and the digests of what has such values.
KEYS = r"(started|finished|ranks|threads|seconds\.[a-z_.]+|dedup\.(state|spilled|exchanged)_bytes|" \
       r"contents\.(run|shards))"
RUN_KEYS = re.compile(KEYS)
# The lines of report.md, report.json and report.html that have the same.
REPORT_LINES = re.compile(r"^\W*(div><dt>)?%s\W" % KEYS)
# The time of a shard that the run itself has written.
OWN_SHARDS = re.compile(r"generations-")
# The manifest's lines of the files that have them, and the last line, which is of all.
MANIFEST_LINES = re.compile(r"\t(graph\.db|report\.(json|md|html)|-)$")
# What is no output: the log, the pieces of the work, and what a killed process had begun to write.
NO_OUTPUT = re.compile(r"run\.log|work/.*|(.*/)?\.leakgraph-[0-9a-f]{16}\.tmp")


def tables(folder):
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % folder, uri=True)
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = {"the schema": database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()}
    for name in names:
        cursor = database.execute("SELECT rowid, * FROM \"%s\" ORDER BY rowid" % name) if name != "run" else \
            database.execute("SELECT * FROM run ORDER BY rowid")
        columns = [column[0] for column in cursor.description]
        rows = [list(row) for row in cursor]
        if name == "run":
            rows = [row for row in rows if not RUN_KEYS.fullmatch(row[0])]
        if name == "shards":
            for row in rows:
                if OWN_SHARDS.match(row[columns.index("dataset")]):
                    row[columns.index("mtime")] = None
        found[name] = rows
    return found


def files(folder):
    found = {}
    for at, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            short = os.path.relpath(path, folder)
            if NO_OUTPUT.fullmatch(short) or short == "graph.db":
                continue
            content = open(path, "rb").read()
            if short.startswith("report."):
                content = [line for line in content.split(b"\n") if not REPORT_LINES.search(line.decode())]
            if short == "manifest.tsv":
                content = [line for line in content.split(b"\n") if not MANIFEST_LINES.search(line.decode())]
            found[short] = content
    return found


def differ(what, one, other, wrong):
    if one == other:
        return
    wrong.append(what)
    print("%s differs" % what)
    if isinstance(one, list) and isinstance(other, list):
        gone = [row for row in one if row not in other]
        new = [row for row in other if row not in one]
        for mark, rows in (("-", gone), ("+", new)):
            for row in rows[:5]:
                print("  %s %.300s" % (mark, row))


def main():
    wrong = []
    for read in (tables, files):
        one, other = read(sys.argv[1]), read(sys.argv[2])
        for what in sorted(set(one) | set(other)):
            differ(what, one.get(what), other.get(what), wrong)
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
