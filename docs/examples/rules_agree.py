#!/usr/bin/env python3
"""Which rules flag the same items?  A table of pandas from an export: how many items each two rules share.

    leakgraph export RUN items --format jsonl > items.jsonl
    rules_agree.py items.jsonl
"""
import argparse
import sys

import pandas


def main(path):
    items = pandas.read_json(path, lines=True, dtype={"source_id": str})
    flags = items["rules"].fillna("").str.get_dummies(sep=",")
    if flags.empty:
        sys.exit("no rule flags any item")
    both = flags.T.dot(flags)                               # items that two rules flag; on the diagonal one alone
    print("items:", len(items), " leaked:", int(items["leaked"].sum()))
    print(both.to_string())
    share = both.div(both.max(axis=1), axis=0).round(2)     # of a line's rule, what the column's has too
    print("\nshare of the line's items that the column's rule has too")
    print(share.to_string())
    by_benchmark = items.groupby("dataset")["leaked"].agg(["size", "sum", "mean"]).round(3)
    print("\n" + by_benchmark.to_string())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", metavar="items.jsonl")
    main(**vars(parser.parse_args()))
