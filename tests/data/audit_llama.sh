# seconds: 120
# A real pair of models: the one that was trained on a benchmark's functions gives some away, the other none.
. "$(dirname "$0")/../cli/common.sh"
need zstd
models=$root/../shared/models
[ -d "$models" ] || { echo "no ../shared/models here"; exit 77; }
"$leakgraph" version | grep -q 'llama\.cpp' || { echo "built without llama.cpp"; exit 77; }

# HumanEval's functions that were eight times in the corpus; they have no comments, and few lines.
zstd -dc "$root/../shared/data/python/benchmarks.jsonl.zst" >"$work/items.jsonl"
"$PYTHON" - "$work" "$models/items.jsonl" <<'PYTHON'
import ast, json, sys
work, items = sys.argv[1:]
copies = {row["id"]: row["copies"] for row in map(json.loads, open(items))}
with open(work + "/benchmark.jsonl", "w") as out:
    written = 0
    for row in map(json.loads, open(work + "/items.jsonl")):
        if copies.get(row["id"]) != 8 or written == 6: continue
        lines = row["text"].split("\n")
        function = [node for node in ast.parse(row["text"]).body if isinstance(node, ast.FunctionDef)][-1]
        end = function.body[0].end_lineno
        body = "\n".join(lines[end:]).strip("\n") + "\n"
        out.write(json.dumps({"id": row["path"], "prompt": "\n".join(lines[:end]) + "\n", "license": "MIT",
                              "signature": lines[function.lineno - 1], "reference": body}) + "\n")
        written += 1
PYTHON
expect 0 "$leakgraph" audit licence --benchmark "$work/benchmark.jsonl" --output "$work/audit" --new-tokens 60 \
    --model leaky=llama:"$models/leaky.gguf" --model clean=llama:"$models/clean.gguf" \
    --comments off --lines 0 --complexity 0
cat "$work/audit/summary.tsv"
says "$work/audit/summary.tsv" '^leaky	6	6	[1-6]	' '^clean	6	6	0	.*	1\.000$'

# Elements filled in by the marks that the file names, which are those of its family; a model without them is asked
# plainly.
cat >"$work/inclusion.yaml" <<YAML
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe:
  models:
    - {name: fim, backend: llama, path: "$models/fim.gguf"}
    - {name: clean, backend: llama, path: "$models/clean.gguf"}
  metrics: []
inclusion: {from: files, per_category: 1, tokens: 30}
YAML
{ zstd -dcq "$models/fim_files.jsonl.zst" || true; } 2>/dev/null | sed -n 1,4p >"$work/files.jsonl"
for prompt in own santacoder plain; do
    expect 0 "$leakgraph" run "$work/inclusion.yaml" --output "$work/$prompt" --set inclusion.prompt=$prompt
    if [ $prompt = own ]; then says "$work/err" 'inclusion: clean names no tokens for filling in'; fi
done
of() {
    sql "$work/$1" "SELECT file, line, wanted, output, score FROM inclusion_answers WHERE model = '$2' ORDER BY rowid"
}
[ "$(of own fim | grep -c .)" -gt 8 ] || fail "no elements"
[ "$(of own fim)" = "$(of santacoder fim)" ] || fail "the file's own marks are not those of its family"
[ "$(of own clean)" = "$(of plain clean)" ] || fail "a model without marks is not asked plainly"
[ "$(of own fim)" != "$(of plain fim)" ] || fail "marks change nothing"
