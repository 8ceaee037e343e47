#!/bin/bash
# Does a model that learned a benchmark by heart give it away?  Asks two models for the functions of HumanEval, of which
# one has seen half and the other none.
#   scripts/audit_licence.sh LEAKY CLEAN BENCHMARKS.jsonl.zst ITEMS.jsonl [OUT]
# LEAKY, CLEAN: GGUF files.  BENCHMARKS: records with id, path, text, of which those with dataset `humaneval` are taken.
# ITEMS: id and copies, how often LEAKY has seen each.  OUT: results/audit/licence.
#   TOKENS=100   of an answer, at most
# HumanEval's functions are short and have no comments: these limits are not asked.  They are under MIT.
# Writes OUT/run (graph.db, report.md), and says how many answers are strikingly similar, by copies.
set -eu
leaky=$(realpath "${1:?a model that has seen them}") clean=$(realpath "${2:?a model that has not}")
benchmarks=$(realpath "${3:?records}") items=$(realpath "${4:?copies of the records}")
cd "$(dirname "$0")/.."
out=${5:-results/audit/licence}
leakgraph=${BUILD:-build}/leakgraph
PYTHON=${PYTHON:-$([ -x /usr/bin/python3 ] && echo /usr/bin/python3 || echo python3)}
mkdir -p "$out"

zstd -dcq "$benchmarks" | "$PYTHON" -c '
import ast, json, sys
copies = {row["id"]: row["copies"] for row in map(json.loads, open(sys.argv[1]))}
for row in map(json.loads, sys.stdin):
    if row["dataset"] != "humaneval": continue
    lines = row["text"].split("\n")
    function = [node for node in ast.parse(row["text"]).body if isinstance(node, ast.FunctionDef)][-1]
    end = function.body[0].end_lineno
    print(json.dumps({
        "id": "%d/%s" % (copies[row["id"]], row["path"]), "prompt": "\n".join(lines[:end]) + "\n", "license": "MIT",
        "signature": lines[function.lineno - 1], "reference": "\n".join(lines[end:]).strip("\n") + "\n"}))
' "$items" >"$out/benchmark.jsonl"

"$leakgraph" audit licence --benchmark "$out/benchmark.jsonl" --output "$out/run" --replace \
    --model leaky=llama:"$leaky" --model clean=llama:"$clean" \
    --new-tokens "${TOKENS:-100}" --comments off --lines 0 --complexity 0

"$PYTHON" - "$out/run/graph.db" <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
print("copies\t" + "\t".join(row[0] for row in database.execute("SELECT answers_of FROM compliance_models")))
for copies in (0, 1, 2, 4, 8):
    rows = database.execute("SELECT sum(striking), count(*), sum(refused) FROM compliance_answers AS a JOIN "
                            "compliance_functions AS f ON f.id = a.function WHERE f.name GLOB ? GROUP BY answers_of "
                            "ORDER BY min(a.rowid)", ["%d/*" % copies])
    print("%d\t" % copies + "\t".join("%d of %d" % (striking, count) + (", %d refused" % refused if refused else "")
                                      for striking, count, refused in rows))
PYTHON
