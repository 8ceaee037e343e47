#!/usr/bin/env python3
"""From which repositories does a benchmark leak, and under which licences?  Python's own sqlite3 suffices.

    leaks_by_repository.py RUN BENCHMARK
"""
import argparse
import sqlite3
import sys

QUERY = """
    SELECT ifnull(match_repo, '(none named)') AS repo, ifnull(match_license, '?') AS license, count(*) AS items,
           sum(copies > 0) AS verbatim, round(avg(match_similarity), 3) AS similarity
    FROM items WHERE dataset = ? AND leaked GROUP BY 1, 2 ORDER BY items DESC, repo LIMIT 20"""


def main(run, benchmark):
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % run, uri=True)
    leaked, items = database.execute("SELECT sum(leaked), count(*) FROM items WHERE dataset = ?",
                                     (benchmark,)).fetchone()
    if not items:
        sys.exit("%s: no benchmark of that name in %s" % (benchmark, run))
    print("%d of %d items of %s leaked (%.1f %%)" % (leaked, items, benchmark, 100 * leaked / items))
    print("%-40s %-20s %6s %9s %s" % ("best match in", "licence", "items", "verbatim", "similarity"))
    for row in database.execute(QUERY, (benchmark,)):
        print("%-40s %-20s %6d %9d %s" % row)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="RUN")
    parser.add_argument("benchmark", metavar="BENCHMARK")
    main(**vars(parser.parse_args()))
