#!/usr/bin/env python3
"""Prints the JSON schema of report.json (docs/report.schema.json): report_schema.py REPORT.json...

It is made of reports of runs that have all capabilities between them: what is in one is allowed, nothing else is.
Columns of tables are required; sections are there when their capability ran.  tests/cli/report_html.sh checks reports
against it, so a section or column that is added shows there.
"""
import json
import pathlib
import sys

VERSION = 1
# Whose members are named by the data: settings, splits, benchmarks.
OPEN = {"run", "run.settings", "splits.matrix.[].direct_percent.[]", "probes.accuracy.[]", "probes.nll.[]",
        "probes.relative_nll.[].matrix.[]"}


# Beside a table of which rows are left out, how many it has.
CUT = {"type": "object", "properties": {"all": {"type": "number"}, "shown": {"type": "number"}},
       "required": ["all", "shown"], "additionalProperties": False}


def merge(into, value, path):
    """Notes which types stand at a place, and what is in them."""
    kind = ("null" if value is None else "boolean" if isinstance(value, bool) else "number"
            if isinstance(value, (int, float)) else "string" if isinstance(value, str) else "array"
            if isinstance(value, list) else "object")
    into.setdefault("types", set()).add(kind)
    if kind == "array":
        for item in value:
            merge(into.setdefault("items", {}), item, path + ".[]")
    if kind == "object":
        into["seen"] = into.get("seen", 0) + 1
        for key, child in value.items():
            place = into.setdefault("members", {}).setdefault(key, {"times": 0})
            place["times"] += 1
            merge(place, child, (path + "." if path else "") + key)


def schema(of, path):
    types = set(of.get("types", ()))
    if "number" in types or types == {"null"}:
        types |= {"null", "number"} if "number" in types else {"number", "string"}
    if types == {"string"} or types == {"null", "string"}:
        types |= {"null"}
    out = {"type": sorted(types)[0] if len(types) == 1 else sorted(types)}
    if "array" in types:
        out["items"] = schema(of["items"], path + ".[]") if "items" in of else {}
    if "object" in types:
        members = of.get("members", {})
        if path in OPEN:
            out["additionalProperties"] = {"type": ["null", "number", "string", "object"]}
        else:
            out["properties"] = {key: schema(members[key], (path + "." if path else "") + key)
                                 for key in sorted(members)}
            out["required"] = sorted(key for key in members if members[key]["times"] == of["seen"])
            if any("array" in member["types"] for member in members.values()):
                out["patternProperties"] = {"_rows$": CUT}
            out["additionalProperties"] = False
    return out


def history():
    """Section `history`: what `leakgraph diff --json` says, whose schema is written by hand, and the trend; and the
    definitions that the former refers to."""
    file = pathlib.Path(__file__).resolve().parent.parent / "docs" / "diff.schema.json"
    diff = json.loads(file.read_text(encoding="utf-8"))
    parts = {key: dict(diff["properties"][key]) for key in ("runs", "summary", "items", "changes")}
    del parts["runs"]["minItems"]                           # none before the first
    percent = {"type": ["null", "number"]}
    point = {"started": {"type": "string"}, "version": {"type": "string"}, "gates": {"type": ["null", "string"]},
             "documents": {"type": "number"}, "direct_percent": percent, "contained_percent": percent,
             "transitive_percent": percent}
    trend = {"title": {"type": "string"},
             "points": {"type": "array", "items": {"type": "object", "properties": point, "required": sorted(point),
                                                   "additionalProperties": False}}}
    parts.update(title={"type": "string"}, trend={
        "type": "array", "items": {"type": "object", "properties": trend, "required": sorted(trend),
                                   "additionalProperties": False}})
    return {"type": "object", "properties": parts, "required": ["title"]}, diff["$defs"]


def main(names):
    whole = {}
    for name in names:
        with open(name, encoding="utf-8") as file:
            report = json.load(file)
        if report.get("schema") == VERSION:
            merge(whole, report, "")
    out = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "report.json of leakgraph",
           "$comment": "version %d; made by scripts/report_schema.py" % VERSION}
    out.update(schema(whole, ""))
    out["properties"]["schema"] = {"const": VERSION}
    out["properties"]["history"], out["$defs"] = history()
    json.dump(out, sys.stdout, indent=1, sort_keys=False)
    print()


main(sys.argv[1:])
