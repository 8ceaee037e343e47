#!/usr/bin/env python3
"""Compares two graph.db table by table: scripts/compare_graphs.py OLD NEW

Every table of either is read, its rows sorted (but for their order nothing is left out) and compared; of table run,
times, versions and what names the folder of the run are passed over.  One line a table; exit status 1 when any
differs."""
import sqlite3
import sys

# Rows of table run that differ between two runs of the same configuration on the same data.
VOLATILE = ("seconds.", "started", "finished", "commit", "version", "configuration", "ranks", "threads", "kernels",
            "dedup.state_bytes", "dedup.spilled_bytes", "dedup.exchanged_bytes", "contents.run", "contents.shards")


def rows(database, table):
    columns = [row[1] for row in database.execute('PRAGMA table_info("%s")' % table)]
    found = database.execute('SELECT %s FROM "%s"' % (", ".join('"%s"' % c for c in columns), table)).fetchall()
    if table == "run":
        found = [row for row in found if not row[0].startswith(VOLATILE)]
    return columns, sorted(found, key=lambda row: [(value is not None, str(type(value)), value) for value in row])


def main():
    old, new = (sqlite3.connect("file:%s?mode=ro" % path, uri=True) for path in sys.argv[1:3])
    kind = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    names = [{row[0] for row in database.execute(kind)} for database in (old, new)]
    bad = 0
    for table in sorted(names[0] | names[1]):
        if table not in names[0] or table not in names[1]:
            print("%-24s only in the %s" % (table, "first" if table in names[0] else "second"))
            bad += 1
            continue
        (a_columns, a), (b_columns, b) = rows(old, table), rows(new, table)
        if a_columns != b_columns:
            print("%-24s other columns: %s / %s" % (table, a_columns, b_columns))
            bad += 1
        elif a != b:
            odd = sorted(set(map(repr, a)) ^ set(map(repr, b)))[:6]
            print("%-24s %d / %d rows, not equal: %s" % (table, len(a), len(b), "; ".join(odd)))
            bad += 1
        else:
            print("%-24s %d rows" % (table, len(a)))
    return bad > 0


sys.exit(main())
