# What a leak does to scores: groups by what a run found, pass@k, seeds and layers, every format, hostile input.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
def code(i, n=12): return "def f%d():\n" % i + "".join("    v%d_%d = w%d_%d\n" % (i, j, i, j) for j in range(n))
items = [{"id": "B/%d" % i, "text": code(i), "split": "test" if i >= 4 else "train"} for i in range(8)]
def lines(name, rows):
    with open(name, "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
lines("bench.jsonl", items)
# Items 4 to 7 are in the corpus, two of them from copyleft code; item 7 alone has a repository there.
lines("corpus.jsonl", [{"id": "c%d" % i, "text": code(i), "license": "GPL-3.0-only" if i < 6 else "MIT"}
                       for i in range(4, 8)] + [{"id": "d%d" % i, "text": code(100 + i)} for i in range(40)])
# By hand: clean 1, 2, 3, 4, leaked 5, 6, 7, 10.
lines("rows.jsonl", [{"id": "B/%d" % i, "model": "m", "x": [1, 2, 3, 4, 5, 6, 7, 10][i]} for i in range(8)])
# pass@2 of 4 tries of which 0, 1, 2 or 4 pass: 0, 0.5, 1 - 1/6, 1.
passed = [0, 1, 2, 4, 4, 4, 2, 1]
lines("tries.jsonl", [{"task_id": "B/%d" % i, "passed": t < passed[i]} for i in range(8) for t in range(4)])
with open("eval_results.json", "w") as file:
    json.dump({"date": "d", "hash": "h", "eval": {"B/%d" % i: [
        {"task_id": "B/%d" % i, "solution": "", "base_status": "pass", "plus_status": "pass" if i > 3 else "fail"}]
        for i in range(8)}}, file, indent=1)
with open("details.json", "w") as file:
    json.dump({str(i): [[t, {"task_id": i, "passed": t < passed[i], "completion_id": t}] for t in range(4)]
               for i in range(8)}, file)
with open("metrics.json", "w") as file:
    json.dump({"humaneval": {"pass@1": 0.5}, "config": {"model": "m"}}, file)
lines("samples_b.jsonl", [{"doc_id": i, "doc": {"task_id": "B/%d" % i}, "target": "t", "resps": [["r"]],
                           "filtered_resps": ["r"], "filter": f, "exact_match": float(i > 3)}
                          for i in range(8) for f in ("strict", "none")])
with open("predictions.txt", "w") as file:
    json.dump(["int a", "b", "c d", "d"], file)
with open("references.txt", "w") as file:
    json.dump(["int a", "b", "c d", "x"], file)
with open("generations.json", "w") as file:
    json.dump([["int a", "no"], ["b", "b"], ["no", "no"], ["x", "no"]], file)
lines("seeds.jsonl", [{"id": "B/%d" % i, "model": "n", "model_kind": kind, "seed": seed, "layer": layer,
                       "x": (10 if kind == "leaky" else 0) + layer * (2 if kind == "leaky" else 1) + seed}
                      for kind in ("non-leaky", "leaky") for layer in (1, 2, 3) for seed in (1, 2) for i in range(8)])
lines("hostile.jsonl", [{"id": "B/%d" % i, "x": i} for i in range(8)] +
      [{"id": "a" * (1 << 20), "x": 1}, {"id": "<script>\x1b[31m\n# x", "x": 1}, {"id": "B/9", "x": 1}, {"id": "B/1"}])
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl], fields: {split: split}}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
near_duplicates: {min_tokens: 5}
YAML
expect 0 "$leakgraph" run run.yaml --quiet
compare() { expect 0 "$leakgraph" compare run --benchmark bench "$@"; }

# The answer first: 2.5 and 7, 4.75 of all; U is 16 of 16 pairs, 2 of 70 orders.
compare rows.jsonl
says out '^4 of 8 items of bench leaked \(rule: leaked\)\.$' \
    '^m, x: on clean items the model scores 2\.5 \(.* 4 items\), on leaked ones 7 \(.*; 4 items\); leaked ' \
    'leaked less clean is 4\.5 \(.* to .*; p 0\.029\); the published number, 4\.75, would ' \
    'would be 2\.5 without the leak\. With 4 clean items the interval is worth little\.$' \
    '^\| m \| - \| - \| x \| 16 \| 0\.02857 \| yes \| 0\.02857 \|'
[ "$(grep -n '^## ' out | head -1)" = "3:## Answer" ] || fail "the answer does not stand first"
mv out first
compare rows.jsonl --json
"$PYTHON" - <<'PYTHON'
import json
told = json.load(open("out"))
groups = {row["items_of"]: row for row in told["scores"]["groups"]}
assert groups["full"]["mean"] == 4.75 and groups["dup"]["mean"] == 7 and groups["non_dup"]["items"] == 4, groups
effect = told["differences"]["effects"][0]
assert effect["difference"] == 4.5 and effect["low"] < 4.5 < effect["high"] and effect["delta"] == 1, effect
assert abs(told["tests"]["tests"][0]["permutation"] - 2 / 70) < 1e-12
assert told["matching"]["counts"]["leaked"] == 4 and not told["matching"]["strangers"]
PYTHON
printf '{"id": "B/%s", "x": %s}\n' 0 1 1 2 2 3 4 1 5 2 6 4 7 null >noise.jsonl
compare noise.jsonl
says out '^x, with a score at 6 of 8 items: on clean items .* 3 items\), on leaked ones .* 3 items\); leaked' \
    'leaked less clean is 0\.3333 \(.*\), which may be chance; the published number is 2\.167, that of '
OMP_NUM_THREADS=1 compare rows.jsonl
cmp first out || fail "the answer depends on threads"

# Any rule of the run; a split alone.
compare rows.jsonl --leaked 'from_strong_copyleft'
says out '^2 of 8 items' 'on leaked ones 5\.5 '
compare rows.jsonl --leaked 'near and not from_permissive'
says out '^2 of 8 items'
compare rows.jsonl --split test --leaked 'not near'
says out '^0 of 4 items of bench, split test leaked \(rule: not near\)\. No item leaked' \
    '^m, x: no item with a score leaked: 7 '
says out '- of none: 4'
expect 2 "$leakgraph" compare run --benchmark bench rows.jsonl --leaked in_repository
says err 'needs repositories, which this run has not; it has near, '

# pass@k by hand: clean 0, .5, 5/6, 1; leaked 1, 1, 5/6, .5.
for file in tries.jsonl details.json; do
    compare m="$file" --metric pass@2 --csv
    says out '^model,seed,dup,non_dup,full$' '^m,,83\.33333333,58\.33333333,70\.83333333$'
done
compare m=tries.jsonl --csv --metric pass@1
says out '^m,,68\.75,43\.75,56\.25$'
compare tries.jsonl
says out '^pass\\@1: on clean'
grep -q 'pass\\@10' out && fail "pass@10 of four tries"

# Each format.
compare m=eval_results.json
says out '^m, plus pass\\@1: on clean items the model scores 0 .*, on leaked ones 100 ' '^m, base pass\\@1: .* 100 '
compare m=samples_b.jsonl
says out '^m, exact\\_match,strict: on clean items the model scores 0 ' '^m, exact\\_match: ' '- of items: 16'
compare --split train --references references.txt m=predictions.txt --metric exact --metric bleu --leaked 'not near'
says out '^m, exact: every item with a score leaked: 75 ' '^m, bleu: .*: 36\.07 ' \
    'by their place among the items, from 0'
compare --split train --references references.txt m=generations.json --metric exact --csv
says out '^m,,,50,50$'
gzip -c rows.jsonl >rows.gz
compare rows.gz --csv
says out '^m,,7,2\.5,4\.75$'
expect 2 "$leakgraph" compare run --benchmark bench metrics.json
says err 'metrics\.json: has scores of whole benchmarks, and none of items'

# Seeds, kinds and layers: kinds are 10 + layer apart, at every item.
compare seeds.jsonl --tables
says out '^\| n \| 1 \| x \| full \| leaky \| 2 \| 13\.5 \| 0\.5 \| non-leaky \| 2 \| 2\.5 \| 0\.5 \| no \|$' \
    '^\| n \| 3 \| x \| dup \| leaky \| non-leaky \| 13 \|' '^\| n \| - \| x \| non\\_dup \| 3 \| 1 \| 10 \|' \
    '^\| n \| leaky \| x \| full \| 3 \| 2 \| 11\.5 \|'
compare seeds.jsonl --csv
says out '^model,seed,dup,non_dup,full,model_kind,layer$' '^n,2,14,14,14,leaky,1$'
[ "$(wc -l <out)" = 13 ] || fail "not a line a run"

# Whatever an id is, it is counted and shown; what is no JSON is named by its line.
compare hostile.jsonl
says out '- of none: 3' '^\| hostile\.jsonl \| 11 \| B/9 \|$' \
    '^\| hostile\.jsonl \| 10 \| &lt;script&gt;\\\\x1b\\\[31m\\\\x0a# x \|$'
[ "$(wc -c <out)" -lt 20000 ] || fail "an id is shown as a whole"
grep -q '<script>' out && fail "HTML"
wrong() {       # wrong PATTERN TEXT: a file of this text
    printf '%s' "$2" >wrong.jsonl
    expect 1 "$leakgraph" compare run --benchmark bench wrong.jsonl
    says err "wrong.jsonl: $1"
}
wrong 'line 2: is no JSON' '{"id": "B/0", "x": 1}
{"id": "B/1", "x": 1
{"id": "B/2", "x": 1}
'
wrong 'line 1: is no JSON \(NaN' '{"id": "B/0", "x": NaN}
{"id": "B/1", "x": 1}'
wrong 'line 2: is no JSON object' '{"id": "B/0", "x": 1}
7'
wrong 'is empty' ''
printf '{"id": "B/0"}\n{"id": "B/1", "y": null}\n' >none.jsonl
compare none.jsonl
says out 'No item has a score: there is nothing to compare' '- items with rows: 2' '- without: 6'
printf '{"id": "C/x", "x": 1}\n{"id": "C/y", "x": 2}\n' >strange.jsonl
expect 2 "$leakgraph" compare run --benchmark bench m=rows.jsonl m2=strange.jsonl
says err 'strange\.jsonl: none of its rows is of an item of bench: its ids are like `B/0`'
# Where nothing was compared, nothing is clean.
sed 's/min_tokens: 5/min_tokens: 1000/; s/output: run/output: long/' run.yaml >long.yaml
expect 0 "$leakgraph" run long.yaml --quiet
expect 2 "$leakgraph" compare long --benchmark bench rows.jsonl --leaked near
says err 'of 8 items of bench none was compared for `near`'
expect 2 "$leakgraph" compare run --benchmark other rows.jsonl
says err 'has no benchmark `other`; it has bench'
expect 2 "$leakgraph" compare run --benchmark corpus rows.jsonl
expect 1 "$leakgraph" compare none --benchmark bench rows.jsonl
expect 1 "$leakgraph" compare run --benchmark bench missing.jsonl
says err 'missing\.jsonl'
