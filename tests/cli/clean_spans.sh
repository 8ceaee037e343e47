# Of items and of documents only the lines are cut that both have, everything else stays byte for byte, bytes that are
# no UTF-8 too; lists, graph.db and report tell what is gone; no pass but the one that the rule needs has to run;
# records of Parquet are cut like others.
. "$(dirname "$0")/common.sh"
need zstd

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, os, random
random.seed(11)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key Row Set".split()]
def lines(n):
    return ["    %s.%s(%s, %d)" % (random.choice(words), random.choice(words), random.choice(words),
                                   random.randrange(9**6)) for _ in range(n)]
raw = lambda text, end: json.dumps(text, ensure_ascii=False).replace("\\n", end)
a, b, c, d = lines(20), lines(20), lines(8), lines(12)
# Lines 4 to 10 of one; 1 to 6 and 12 to 20 of two, to its end; all of three, of which nothing is left; none of four.
# A blank line inside a block goes with it.
a[6] = ""
bench = [("one", "a", a, [(4, 10)]), ("two", "b", b, [(1, 6), (12, 20)]), ("three", "c", c, [(1, 8)]),
         ("four", "", d, [])]
def keep(text, spans): return [line for i, line in enumerate(text, 1) if not any(f <= i <= l for f, l in spans)]
def record(name, text, end):
    return b'{ "id" : "' + name.encode() + b'", "bad":"\xff\xfe", "text":' + raw(
        text, end).encode() + b',"n":[1.50 ,{}]}\n'
def text_of(name, kept, whole): return "\n".join(kept) + ("\n" if kept and not whole else "")
os.makedirs("want")
endings = {"one": "\\u000a", "two": "\\r\\n", "three": "\\n", "four": "\\n"}
with open("bench.jsonl", "wb") as f, open("want/bench", "wb") as w:
    for name, _, text, spans in bench:
        f.write(record(name, "\n".join(text), endings[name]))
        last = spans and spans[-1][1] == len(text)
        if keep(text, spans): w.write(record(name, text_of(name, keep(text, spans), not last), endings[name]))
head, tail = lines(9), lines(9)
corpus = [("x", head + a[3:10] + tail, [(10, 16)]), ("y", b[0:6] + lines(5) + b[11:20], [(1, 6), (12, 20)]),
          ("z", c[:4] + lines(3), []), ("w", c, [(1, 8)]), ("v", lines(30), [])]
with open("corpus.jsonl", "wb") as f, open("want/corpus", "wb") as w:
    for name, text, spans in corpus:
        f.write(record(name, "\n".join(text), "\\n"))
        last = spans and spans[-1][1] == len(text)
        if keep(text, spans): w.write(record(name, text_of(name, keep(text, spans), not last), "\\n"))
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
line_clones: {}
clean:
  - {name: items, drop: spans, dataset: bench, where: clone}
  - {name: docs, drop: spans, dataset: corpus, where: clone}
  - {name: long, drop: spans, dataset: corpus, where: clone > 8}
  - {name: gone, drop: items, where: clone >= 6}
YAML
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
zstd -qdc run/cleaned/items/bench/bench.jsonl.zst | cmp - want/bench || fail "items"
zstd -qdc run/cleaned/docs/corpus/corpus.jsonl.zst | cmp - want/corpus || fail "documents"
[ "$(tail -n +2 run/cleaned/items.cut.tsv | cut -f 1-5,7-8,10,12,14,16)" = \
"bench	bench.jsonl	0	0	one	corpus	0	0	clone	4-10	clone
bench	bench.jsonl	1	1	two	corpus	1	1	clone	1-6,12-20	clone
bench	bench.jsonl	2	2	three	corpus	3	3	clone	1-8	clone; nothing is left" ] || fail "$(cat run/cleaned/items.cut.tsv)"
[ "$(tail -n +2 run/cleaned/docs.cut.tsv | cut -f 4,5,7-10,12,14,16)" = "0	x	bench	0	bench.jsonl	0	clone	10-16	clone
1	y	bench	1	bench.jsonl	1	clone	1-6,12-20	clone
3	w	bench	2	bench.jsonl	2	clone	1-8	clone; nothing is left" ] || fail "$(cat run/cleaned/docs.cut.tsv)"
[ "$(tail -n +2 run/cleaned/long.cut.tsv | cut -f 5,16)" = "y	clone > 8" ] || fail "$(cat run/cleaned/long.cut.tsv)"
[ "$(tail -n +2 run/cleaned/gone.removed.tsv | cut -f 5 | tr '\n' ' ')" = "one two three " ] ||
    fail "$(cat run/cleaned/gone.removed.tsv)"
[ "$(sql run 'SELECT output, kind, dataset, documents, removed, cut, spans FROM cleaned
              ORDER BY rowid')" = "items|cut|bench|4|1|2|3
docs|cut|corpus|5|1|2|3
long|cut|corpus|5|0|1|2
gone|removed|bench|4|3|0|0" ] || fail "$(sql run 'SELECT * FROM cleaned')"
[ "$(sql run 'SELECT c.bytes - c.removed_bytes - (SELECT sum(length(d.snippet)) - sum(ifnull(r.bytes, 0))
              FROM snippets AS d LEFT JOIN cleaned_documents AS r
    ON r.output = c.output AND r.record = d.record) FROM cleaned AS c WHERE c.dataset = "bench"')" = "0
0" ] || fail "bytes of text"
says run/report.md 'Cleaned datasets' '\| items \| cut \| bench ' 'cleaned/items.cut.tsv'
"$PYTHON" - <<'PYTHON' || fail "report.json"
import json
part = json.load(open("run/report.json"))["cleaned"]
assert [r["list"] for r in part["places"]] == ["cleaned/items.cut.tsv", "cleaned/docs.cut.tsv", "cleaned/long.cut.tsv",
                                               "cleaned/gone.removed.tsv"], part
assert part["outputs"][0]["cut"] == 2 and part["outputs"][3]["left"] == 1, part
assert part["reasons"][0]["why"] == "clone" and part["reasons"][0]["documents"] == 2, part
PYTHON

# The same everywhere, and from units.
sums() { (cd "$1/cleaned" && find . -type f | sort | xargs sha256sum); }
first=$(sums run)
expect 0 env OMP_NUM_THREADS=3 "$leakgraph" run run.yaml --output threads
[ "$(sums threads)" = "$first" ] || fail "threads"
same run threads
if command -v mpirun >/dev/null; then
    expect 0 ranks 2 "$leakgraph" run run.yaml --output ranks
    [ "$(sums ranks)" = "$first" ] || fail "ranks"
    same run ranks
fi
for unit in run/work/cleaned-*.unit; do rm "$unit" && break; done
rm run/graph.db run/cleaned/docs/corpus/corpus.jsonl.zst
expect 0 "$leakgraph" run run.yaml
[ "$(sums run)" = "$first" ] || fail "resumed"
[ "$(sql run 'SELECT count(*) FROM cleaned_documents')" = 10 ] || fail "resumed: rows"
expect 0 "$leakgraph" run run/config.resolved.yaml --output again
[ "$(sums again)" = "$first" ] || fail "the resolved configuration"

# Alone: n-grams without the join, and what they say is what they say beside it.
expect 0 "$leakgraph" run run.yaml --output alone --set 'line_clones={normalisation: exact}' \
    --set 'ngrams={n: [8, 13]}' --set 'clean=[{name: g, where: gpt3_13gram}]'
expect 0 "$leakgraph" fsck alone
expect 0 "$leakgraph" run run.yaml --output beside --set 'near_duplicates={}' --set 'ngrams={n: [8, 13]}' \
    --set 'clean=[{name: g, where: gpt3_13gram}, {name: all, where: clone >= 0}]'
# a rule that removes everything says so
says "$work/err" 'all removed all 4 documents of bench'
cmp alone/cleaned/g.removed.tsv beside/cleaned/g.removed.tsv || fail "n-grams alone"
[ "$(wc -l <alone/cleaned/g.removed.tsv)" = 4 ] || fail "n-grams alone: $(cat alone/cleaned/g.removed.tsv)"
rows='SELECT s.dataset, s.id_within_dataset, s.source_id, s.xxh128, s.xxh128_squeezed, s.snippet, s.language,
             r.gpt3_13gram, r.llama3_8gram FROM snippets AS s JOIN ngram_rules AS r ON r.snippet = s.id'
[ "$(sql alone "$rows")" = "$(sql beside "$rows")" ] || fail "the items that n-grams store"

# Items of Parquet are removed and cut as those of JSON lines are.
head -n 60 "$root/tests/golden/parquet/rows.jsonl" >half.jsonl
for kind in jsonl parquet; do
    [ $kind = jsonl ] && file=$root/tests/golden/parquet/rows.jsonl ||
        file=$root/tests/golden/parquet/zstd-plain-v1.parquet
    cat >$kind.yaml <<YAML
datasets:
  - {name: bench, role: benchmark, files: [$file], fields: {text: file.body, id: idx}}
  - {name: half, role: corpus, files: [half.jsonl], fields: {text: file.body, id: idx}}
near_duplicates: {min_tokens: 1}
line_clones: {lines: 2}
clean:
  - {name: near, where: near}
  - {name: cut, drop: spans, dataset: bench, where: clone}
YAML
    expect 0 "$leakgraph" run $kind.yaml --output $kind
done
cut -f 1,3-5,14 jsonl/cleaned/near.removed.tsv | cmp - <(cut -f 1,3-5,14 parquet/cleaned/near.removed.tsv) ||
    fail "Parquet: removed"
cmp <(cut -f 1,3- jsonl/cleaned/cut.cut.tsv) <(cut -f 1,3- parquet/cleaned/cut.cut.tsv) || fail "Parquet: cut"
[ "$(wc -l <parquet/cleaned/near.removed.tsv)" -gt 5 ] && [ "$(wc -l <parquet/cleaned/cut.cut.tsv)" -gt 5 ] ||
    fail "Parquet: too few: $(cat parquet/cleaned/*.tsv)"
"$PYTHON" - <<'PYTHON' || fail "Parquet: texts"
import glob, json, subprocess
def texts(run, name, path):
    data = subprocess.run(["zstd", "-qdc", glob.glob("%s/cleaned/%s/bench/*.zst" % (run, name))[0]],
                          stdout=subprocess.PIPE, check=True).stdout
    return [path(json.loads(line)) for line in data.decode().splitlines()]
for name in "near", "cut":
    a, b = texts("jsonl", name, lambda r: r["file"]["body"]), texts("parquet", name, lambda r: r["text"])
    a = [t for t in a if t is not None]
    assert a == b and len(a) > 3, (name, len(a), len(b))
PYTHON

# Settings that cannot be.
refused() {
    expect 2 "$leakgraph" run run.yaml --output none --set "clean=[$1]" "${@:3}"
    says "$work/err" "$2"
}
refused '{name: x, drop: spans, where: clone}' 'dataset: must say of which dataset'
refused '{name: x, drop: spans, dataset: corpus, where: clone or near}' 'near.*by .clone. alone' \
    --set 'near_duplicates={}'
refused '{name: x, drop: spans, dataset: corpus, where: clone < 9}' 'nothing was found'
refused '{name: x, where: near}' 'near. needs near_duplicates'
refused '{name: x, where: matches or clone}' 'matches. needs near_duplicates'
refused '{name: x, drop: spans, dataset: bench, where: clone}' 'self: true' --set line_clones.self=true
refused '{name: x, drop: items}' 'where: at byte 1: a column'
refused '{name: x, where: clone >= 1e999}' 'at byte 10'
refused "{name: x, where: clone >= $(printf '9%.0s' $(seq 400))}" 'at byte 10: .*too large'
refused '{name: x, where: clone, base: 5}' 'base: is for subsets'

# Results are no inputs: the next run would remove what it is about to read.
expect 2 "$leakgraph" run run.yaml --set 'datasets.bench.files=[run/cleaned/items/**/*.zst]'
says "$work/err" 'is a result in the run folder itself'
