#!/usr/bin/env python3
"""Writes the datasets that leakgraph cannot read as they are as JSON lines with `id` and `text`.

usage: convert.py humaneval|python-150|tl-codesum|funcom INPUT OUTPUT
"""

import gzip
import json
import os
import re
import sys


def humaneval(path):
    """A problem is a signature with a docstring, and its body: together one function."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield record["task_id"], record["prompt"] + record["canonical_solution"]


def python_150(path):
    """One function a line: DCNL is a newline; DCSP at the start of a line a level of indentation, elsewhere a space of
    a string."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for number, line in enumerate(file):
            lines = []
            for part in line.rstrip("\n").split("DCNL"):
                levels, rest = re.fullmatch(r"((?:\s*DCSP(?=\s|$))*) ?(.*)", part, re.S).groups()
                lines.append("    " * levels.count("DCSP") + re.sub(r"\s?\bDCSP\b\s?", " ", rest).rstrip())
            yield number, "\n".join(lines) + "\n"


def tl_codesum(path):
    """One method a line: its number, a tab, its tokens with spaces between; literals are _NUM, _STR and _BOOL."""
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        for line in file:
            number, code = line.rstrip("\r\n").split("\t", 1)
            yield number, code


def funcom(path):
    """One object {number: method}."""
    with open(path, encoding="utf-8") as file:
        methods = json.load(file)
    for number in sorted(methods, key=int):
        yield number, methods[number]


def main():
    readers = {"humaneval": humaneval, "python-150": python_150, "tl-codesum": tl_codesum, "funcom": funcom}
    if len(sys.argv) != 4 or sys.argv[1] not in readers:
        sys.exit(__doc__.strip())
    part = sys.argv[3] + ".part"
    with open(part, "w", encoding="utf-8") as out:
        for identifier, text in readers[sys.argv[1]](sys.argv[2]):
            out.write(json.dumps({"id": identifier, "text": text}) + "\n")
    os.replace(part, sys.argv[3])


if __name__ == "__main__":
    main()
