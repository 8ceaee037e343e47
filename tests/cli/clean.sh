# What a rule names is gone and listed, everything else is there byte for byte; ranks, threads and a resume change
# nothing; what a run cannot answer is refused.
. "$(dirname "$0")/common.sh"
need zstd

cd "$work"
"$PYTHON" - <<'PYTHON'
import gzip, json, os, random
random.seed(6)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key Row Set".split()]
def function(prefix, lines):
    body = ["def %s_main(items, table):" % prefix]
    for i in range(lines):
        a, b, c = random.sample(words, 3)
        body.append("    %s_%s = table.%s(items[%d], '%s')" % (prefix, a, b, i, c))
    return "\n".join(body + ["    return %s_done" % prefix])
items = {name: function(name, 14) for name in "exact near cut absent other".split()}
items["tab\there"] = function("tabbed", 14)
lines = []
for name, text in items.items():
    if name == "absent":
        lines.append('{ "id":"absent",  "text" : %s , "more": [1.50, {"x":null}], "caf\\u00e9": "é"}'
                     % json.dumps(text))
    else: lines.append(json.dumps({"id": name, "text": text}))
open("bench-a.jsonl", "w").write("\n".join(lines[:4] + ["no JSON"]) + "\n")
gzip.open("bench-b.jsonl.gz", "wt").write("\n".join(lines[4:]))                     # no line feed at the end
filler = lambda n: "\n".join("%s.%s(%s, %d)" % (random.choice(words), random.choice(words), random.choice(words),
                                                random.randrange(9**6)) for _ in range(n))
planted = {"exact": items["exact"], "near": items["near"].replace("near_done", "near_end"),
           "tabbed": items["tab\there"],
           "cut": filler(30) + "\n" + "\n".join(items["cut"].split("\n")[3:9]) + "\n" + filler(30)}
corpus = [json.dumps(dict({"id": name, "text": text}, **({"path": "src/exact.py"} if name == "exact" else {})))
          for name, text in planted.items()] + [json.dumps({"id": "filler%d" % i, "text": filler(12)})
                                                for i in range(40)]
random.shuffle(corpus)
open("corpus-1.jsonl", "w").write("\n".join(corpus[:20]) + "\n")
open("corpus-2.jsonl", "w").write("\n".join(corpus[20:]) + "\n")
gone = lambda lines, names: "".join(line + "\n" for line in lines if json.loads(line)["id"] not in names)
for path, text in {
    "strict/bench/bench-a": gone(lines[:4], {"exact", "near", "cut"}),
    "strict/bench/bench-b": gone(lines[4:], {"tab\there"}),
    "ends/bench/bench-a+1": gone(lines, {"cut"}),
    "corpus/corpus/corpus-1+1": gone(corpus, {"exact", "near", "tabbed"}),
}.items():
    os.makedirs(os.path.dirname("want/" + path), exist_ok=True)
    open("want/" + path, "w").write(text)
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: ["bench-*"]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
near_duplicates: {view: identifiers}
ngrams: {n: [8, 13]}
line_clones: {}
clean:
  - {name: strict, drop: items, where: near or gpt3_13gram, shard_size: 0}
  - {name: ends, dataset: bench, where: "not near and clone >= 6 and llama3_8gram > 0.1"}
  - {name: corpus, drop: documents, where: near, level: 1}
YAML

unpacked() {    # unpacked RUN: its cleaned shards are what they should be
    local file
    for file in $(cd want && find . -type f); do
        zstd -qdc "$1/cleaned/$file.jsonl.zst" | cmp - "want/$file" || fail "$1: $file"
    done
    [ "$(find "$1/cleaned" -name '*.zst' | wc -l)" = 4 ] || fail "$1 has other files: $(find "$1/cleaned")"
}
sums() { (cd "$1/cleaned" && find . -type f | sort | xargs sha256sum); }

expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
unpacked run
[ "$(head -n 1 run/cleaned/strict.removed.tsv)" = "$(printf %s 'dataset	shard	record	number	source_id	path	' \
    'kept_dataset	kept_number	kept_shard	kept_record	kept_path	kind	similarity	why')" ] ||
    fail "strict: $(cat run/cleaned/strict.removed.tsv)"
[ "$(tail -n +2 run/cleaned/strict.removed.tsv | cut -f 1,4,5,12,14)" = "bench	0	exact	exact	near; gpt3_13gram
bench	1	near	near	near; gpt3_13gram
bench	2	cut	ngram	gpt3_13gram
bench	5	tab\\x09here	exact	near; gpt3_13gram" ] || fail "strict: $(cat run/cleaned/strict.removed.tsv)"
[ "$(cut -f 5,12,14 run/cleaned/ends.removed.tsv | tail -n +2)" = \
    "cut	ngram	not near; clone >= 6; llama3_8gram > 0.1" ] || fail "ends: $(cat run/cleaned/ends.removed.tsv)"
[ "$(cut -f 5 run/cleaned/corpus.removed.tsv | sort | tr '\n' ' ')" = 'exact near source_id tabbed ' ] ||
    fail "corpus: $(cat run/cleaned/corpus.removed.tsv)"
# What each was matched with, as graph.db has it: record and number of the other document, its path, the similarity.
"$PYTHON" - <<'PYTHON' || fail "what was matched"
import csv, json, sqlite3
db = sqlite3.connect("run/graph.db")
lines = {"%s" % name: [l for l in open(name, encoding="utf-8")] for name in ("corpus-1.jsonl", "corpus-2.jsonl")}
rows = {name: list(csv.DictReader(open("run/cleaned/%s.removed.tsv" % name), delimiter="\t", quoting=csv.QUOTE_NONE))
        for name in ("strict", "corpus")}
for row in rows["strict"] + rows["corpus"]:
    here, there = [db.execute("SELECT id, id_within_dataset FROM snippets WHERE dataset = ? AND shard = ? AND "
                              "record = ?", (row[k + "dataset"], row[k + "shard"], row[k + "record"])).fetchone()
                   for k in ("", "kept_")]
    assert row["kept_dataset"] == ("corpus" if row["dataset"] == "bench" else "bench"), row
    if row["kind"] == "ngram":                          # of a document that graph.db need not store
        there_id = json.loads(lines[row["kept_shard"]][int(row["kept_record"])])["id"]
        assert there_id == "cut" and row["similarity"] == "", row
        continue
    assert int(row["number"]) == here[1] and int(row["kept_number"]) == there[1], row
    pair = db.execute("SELECT kind, set_similarity FROM snippet_pairs WHERE pass = 'near' AND snippet = ? AND "
                      "other = ?", (here[0], there[0])).fetchone()
    assert pair[0] == row["kind"] and "%.6f" % pair[1] == row["similarity"], (row, pair)
assert [r["kept_path"] for r in rows["strict"]][0] == "src/exact.py", rows["strict"]
assert [r["path"] for r in rows["corpus"] if r["source_id"] == "exact"] == ["src/exact.py"], rows["corpus"]
PYTHON

# The same everywhere; from its units too, and from the resolved configuration.
first=$(sums run)
expect 0 env OMP_NUM_THREADS=3 "$leakgraph" run run.yaml --output threads
[ "$(sums threads)" = "$first" ] || fail "threads"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks
    [ "$(sums ranks)" = "$first" ] || fail "ranks"
fi
rm "$(ls run/work/cleaned-*.unit | head -n 1)" run/cleaned/strict/bench/bench-a.jsonl.zst
expect 0 "$leakgraph" run run.yaml
[ "$(sums run)" = "$first" ] || fail "a resumed run"
expect 0 "$leakgraph" run run/config.resolved.yaml --output again
[ "$(sums again)" = "$first" ] || fail "the resolved configuration"

# Another rule in the same folder leaves nothing of the one before.
expect 0 "$leakgraph" run run.yaml --replace --set 'clean=[{name: strict, dataset: bench, where: matches > 99}]'
zstd -qdc run/cleaned/strict/bench/bench-a+1.jsonl.zst | cmp - <(head -n 4 bench-a.jsonl && zcat bench-b.jsonl.gz &&
                                                                 echo) ||
    fail "a rule that removes nothing"
[ "$(cd run/cleaned && find . -type f | sort | tr '\n' ' ')" = \
    "./strict.removed.tsv ./strict/bench/bench-a+1.jsonl.zst " ] ||
    fail "files of other rules: $(find run/cleaned -type f)"
expect 0 "$leakgraph" fsck run
[ "$(wc -l <run/cleaned/strict.removed.tsv)" = 1 ] || fail "a rule that removes nothing has a list"

# Pairs that graph.db may not have all of.
expect 2 "$leakgraph" run run.yaml --output few --set near_duplicates.max_matches=1
says "$work/err" 'strict.*may not have all'
expect 0 "$leakgraph" run run.yaml --output few --set near_duplicates.max_matches=1 \
    --set 'clean=[{name: strict, where: matches}]'
[ "$(tail -n +2 few/cleaned/strict.removed.tsv | wc -l)" = 3 ] || fail "matches: $(cat few/cleaned/strict.removed.tsv)"

# Settings that cannot be.
refused() {
    expect 2 "$leakgraph" run run.yaml --output none --set "clean=$1"
    says "$work/err" "$2"
}
refused '[{name: x, where: neer}]' 'at byte 1.*neer.*did you mean .near'
refused '[{name: x, where: near or}]' 'at byte 8: a column'
expect 2 "$leakgraph" run run.yaml --output none --set 'clean=[{name: x, where: contained}]' \
    --set near_duplicates.containment_threshold=off
says "$work/err" 'contained. needs near_duplicates.containment_threshold'
refused '[{name: x, drop: documents, where: near or clone}]' 'clone. is known of benchmark items only'
refused '[{name: x, drop: documents, where: not near}]' 'nothing was found'
refused '[{name: ../x, where: near}]' 'name: must be letters'
refused '[{name: x, where: near}, {name: x, where: exact}]' 'is there twice'
refused '[{name: x, dataset: corpus, where: near}]' 'is no benchmark'
refused '[{name: x, dataset: bensh, where: near}]' 'did you mean .bench'
refused '[{name: x, wher: near}]' 'wher'
refused '{name: x}' 'must be a list'
expect 2 "$leakgraph" run run.yaml --output none --set 'ngrams.n=[8]'
says "$work/err" 'gpt3_13gram. needs ngrams with 13'
