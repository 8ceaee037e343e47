# Files as people have them: globs that match nothing, files under several names, files that benchmark and corpus share.
. tests/cli/common.sh
cd "$work"

"$PYTHON" - <<'PYTHON'
import json, os
os.makedirs("corpus/deep")
os.makedirs("empty")
def write(path, names):
    with open(path, "w") as out:
        for name in names:
            text = " ".join("%s%d" % (name, i) for i in range(40))
            out.write(json.dumps({"id": name, "text": text, "path": name + ".py"}) + "\n")
write("items.jsonl", ["a", "b", "c"])
write("corpus/one.jsonl", ["a", "x", "y"])
write("corpus/deep/two.jsonl", ["b", "z"])
os.symlink("one.jsonl", "corpus/zagain.jsonl")
os.link("corpus/deep/two.jsonl", "corpus/hard.jsonl")
os.symlink("deep", "corpus/linked")
os.symlink("../items.jsonl", "corpus/leak.jsonl")
PYTHON
cat >run.yaml <<'YAML'
output: once
datasets:
  - {name: items, role: benchmark, language: python, files: [items.jsonl]}
  - name: code
    role: corpus
    language: python
    files:
      - corpus/one.jsonl
      - corpus/deep/two.jsonl
near_duplicates: {}
YAML

# ---- a glob that matches nothing is told with its line and key ----
sed 's|corpus/deep/two|corpus/deep/three*|' run.yaml >none.yaml
expect 2 "$leakgraph" run none.yaml
says "$work/err" \
    "^error: none.yaml:9: datasets.code.files: no file matches 'corpus/deep/three\*.jsonl' \(looked in $PWD/corpus/deep"
sed 's|corpus/deep/two.jsonl|empty/*|' run.yaml >none.yaml
expect 2 "$leakgraph" run none.yaml
says "$work/err" "none.yaml:9: datasets.code.files: no file matches 'empty/\*' \(looked in $PWD/empty, which is empty\)"
sed 's|files: \[items.jsonl\]|splits: {test: [empty]}|' run.yaml >none.yaml
expect 2 "$leakgraph" run none.yaml
says "$work/err" "none.yaml:3: datasets.items.splits.test: no file matches 'empty' .*which is empty"
expect 2 "$leakgraph" overlap --benchmark a='nowhere/*.jsonl' --corpus b=corpus/one.jsonl --output none
says "$work/err" "dataset a: no file matches '.*nowhere/.*there is no .*nowhere"

# ---- a file under several names is read once, on any ranks ----
expect 0 "$leakgraph" run run.yaml --quiet
names='datasets.code.files=[corpus/one.jsonl, "corpus/[oz]*.jsonl", ./corpus/one.jsonl, "corpus/deep/*", '
names+='"corpus/linked/*", corpus/deep/two.jsonl]'
for n in 1 3; do
    expect 0 ranks $n "$leakgraph" run run.yaml --output "often$n" --set "$names"
    [ "$(grep -c 'warning: dataset code: 5 of its 7 files are reached by a second name' "$work/err")" = 1 ] ||
        fail "$(cat "$work/err")"
    same once "often$n"
done
expect 0 "$leakgraph" run run.yaml --output hard --quiet \
    --set 'datasets.code.files=[corpus/one.jsonl, corpus/hard.jsonl, corpus/deep/two.jsonl]'
says "$work/err" '1 of its 3 files is reached'
[ "$(sql hard "SELECT sum(records) FROM shards WHERE dataset = 'code'")" = 5 ] ||
    fail "a hard link was read twice"

# ---- the benchmark among the corpus ----
expect 0 ranks 3 "$leakgraph" run run.yaml --output leak --set 'datasets.code.files=["corpus/*.jsonl"]'
says "$work/err" \
    'warning: benchmark items and corpus code have 1 file in common, which will count as leaked: .*/(items|leak).jsonl'
says leak/run.log 'benchmark items and corpus code have 1 file in common'

