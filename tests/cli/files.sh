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

# ---- what is left out: shards, files of folders, members of archives ----
"$PYTHON" - <<'PYTHON'
import os, shutil, tarfile
def text(name): return " ".join("%s%d" % (name, i) for i in range(40)) + "\n"
for path in "src/a.py src/tests/t.py src/deep/tests/u.py src/deep/b.min.py src/.venv/v.py build/c.py top.py".split():
    os.makedirs(os.path.dirname("tree/" + path), exist_ok=True)
    open("tree/" + path, "w").write(text(os.path.basename(path)[0]))
with tarfile.open("tree.tar", "w") as out:
    out.add("tree", arcname=".")
shutil.copytree("tree", "small")
for path in "src/tests src/deep/tests src/.venv build".split(): shutil.rmtree("small/" + path)
os.remove("small/src/deep/b.min.py")
PYTHON
cat >tree.yaml <<'YAML'
output: small
datasets:
  - {name: items, role: benchmark, language: python, files: [items.jsonl]}
  - {name: code, role: corpus, files: [small]}
near_duplicates: {}
YAML
expect 0 "$leakgraph" run tree.yaml --quiet --output all --set 'datasets.code.files=[tree]'
expect 0 "$leakgraph" run tree.yaml --quiet --output without
[ "$(digest all)" != "$(digest without)" ] || fail "nothing is left out"
exclude='datasets.code.exclude=["**/tests", "**/*.min.py", build, "src/.[v]*/**"]'
for n in 1 3; do
    for form in tree tree.tar; do
        expect 0 ranks $n "$leakgraph" run tree.yaml --quiet --output "left$n.$form" \
            --set "datasets.code.files=[$form]" --set "$exclude"
        same without "left$n.$form"
    done
done
# Units of the whole are not taken for those of a part, nor back.
expect 0 "$leakgraph" run tree.yaml --quiet --output all --set 'datasets.code.files=[tree.tar]' --clean
expect 0 "$leakgraph" run tree.yaml --replace --quiet --output all --set 'datasets.code.files=[tree.tar]' \
    --set "$exclude"
same without all
says all/config.resolved.yaml '^    exclude: \["\*\*/tests", "\*\*/\*\.min\.py", build, '
expect 0 "$leakgraph" run run.yaml --output part --quiet --set 'datasets.code.files=["corpus/**/*.jsonl"]' \
    --set 'datasets.code.exclude=[deep, "[hz]*", leak.jsonl]'
[ "$(sql part "SELECT group_concat(shard) FROM shards WHERE dataset = 'code'")" = one.jsonl ] ||
    fail "shards are not left out"
expect 2 "$leakgraph" run run.yaml --output part --set 'datasets.code.exclude=["**"]'
says "$work/err" 'dataset code: `exclude` leaves out all'
expect 2 "$leakgraph" run run.yaml --output part --set 'datasets.code.exclude=[/abs]'
says "$work/err" 'each item of `exclude` must be a glob that starts below'
