# snippets.id is the dataset's place and the document's number there: the same in every run over the same datasets,
# whatever was asked and however much is stored.
. "$(dirname "$0")/common.sh"
two_sets "$work/sets" --bench 60 --corpus 400 --shards 3
cd "$work/sets"
cat >datasets.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
YAML
near='near_duplicates: {min_tokens: 1, set_threshold: 0.5, multiset_threshold: 0.4}'

# runs NAME LINE...: a run over the datasets with these lines of pipeline.yaml, which fsck finds good.
runs() {
    local name=$1
    shift
    { cat datasets.yaml; printf '%s\n' "$@"; } >"$name.yaml"
    expect 0 "$leakgraph" run "$name.yaml" --output "$name" --quiet
    expect 0 "$leakgraph" fsck "$name" --verbose
    says "$work/out" '^ok +.*ids tell the dataset and the number there'
}
runs most "$near" 'graph: {store: tokens}'
runs strict 'near_duplicates: {set_threshold: 1, multiset_threshold: 1, min_tokens: 20}' 'graph: {store: none}'
runs min 'near_duplicates: {min_tokens: 60}'
runs ngrams 'ngrams: {n: [8]}'
runs dedup 'dedup: {measure: 0}'
runs other 'dedup: {measure: 0, threshold: 0.95, keep: longest}'
runs all "$near" 'dedup: {measure: 0}' 'ngrams: {n: [8]}' 'line_clones: {lines: 3}' 'repositories: {}' 'sensitive: {}'
expect 0 ranks 2 "$leakgraph" run most.yaml --output ranks --quiet --threads 2
sed -i 's/benchmark/other/; s/corpus, l/benchmark, l/; s/other/corpus/' datasets.yaml
runs roles "$near"
[ "$(sql roles 'SELECT group_concat(role) FROM datasets')" = corpus,benchmark ] || fail "the roles are not changed"

# Another dataset behind them; the same two the other way round; one added to a store later.
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus-00.jsonl --order 7 --output mine.lm --quiet
{ cat most.yaml; echo 'probe: {metrics: [], models: [{name: mine, path: mine.lm}]}'
  echo 'generate: {outputs: 30, tokens: 80, top_k: 1}'; } >generated.yaml
expect 0 "$leakgraph" run generated.yaml --output generated --quiet
expect 0 "$leakgraph" fsck generated
{ sed -n 1p most.yaml; sed -n 3p most.yaml; sed -n 2p most.yaml; sed 1,3d most.yaml; } >turned.yaml
expect 0 "$leakgraph" run turned.yaml --output turned --quiet
expect 0 "$leakgraph" fsck turned
sed '/name: corpus/d' dedup.yaml >store.yaml
expect 0 "$leakgraph" run store.yaml --output store --quiet
expect 0 "$leakgraph" dedup --add 'corpus=corpus-*.jsonl' --language python --store store --quiet
expect 0 "$leakgraph" fsck store

"$PYTHON" - <<'PYTHON'
import sqlite3

STEP = 10 ** 12

def read(run):
    database = sqlite3.connect("file:%s/graph.db?mode=ro" % run, uri=True)
    datasets = [row[0] for row in database.execute("SELECT id FROM datasets ORDER BY rowid")]
    rows = database.execute("SELECT id, dataset, id_within_dataset, source_id FROM snippets")
    found = {}
    for id, dataset, number, source in rows:
        assert id == datasets.index(dataset) * STEP + number + 1, (run, id, dataset, number)
        found[dataset, source] = id
    for table, column in (("edges", "a"), ("edges", "b"), ("clusters", "snippet"), ("clusters", "cluster"),
                          ("dedup", "snippet"), ("dedup", "canonical"), ("ngrams", "snippet"),
                          ("probe_items", "snippet")):
        lost = database.execute("SELECT count(*) FROM %s WHERE %s NOT IN (SELECT id FROM snippets)" % (table, column))
        assert lost.fetchone() == (0,), (run, table, column)
    double, pairs = database.execute("SELECT count(*) - count(DISTINCT id), count(*) FROM duplicates").fetchone()
    assert double == 0, (run, double)
    assert pairs > 0 or not database.execute("SELECT 1 FROM clusters WHERE pass = 'near'").fetchone(), run
    return found

most, stored = read("most"), set()
assert {"b0", "b59"} <= {source for dataset, source in most if dataset == "bench"}
for run in ("strict", "min", "ngrams", "dedup", "other", "all", "ranks", "roles", "generated", "store"):
    found = read(run)
    both = found.keys() & most.keys()
    assert len(both) >= 20, (run, len(both))
    other = [(key, found[key], most[key]) for key in both if found[key] != most[key]]
    assert not other, (run, other)
    stored.add(sum(dataset == "corpus" for dataset, source in found))
    if run == "generated":
        assert max(found.values()) > 2 * STEP, "no output is stored"
assert len(stored) > 4, "the runs store the same documents, whose ranks would be ids as good"

turned = read("turned")
assert turned.keys() == most.keys()
for (dataset, source), id in most.items():
    assert turned[dataset, source] == (id - STEP if dataset == "corpus" else id + STEP), (dataset, source)
PYTHON

# The ids that are shown and taken.
id=$(sql most "SELECT b FROM edges WHERE b > 1000000000000 ORDER BY b LIMIT 1")
source=$(sql most "SELECT source_id FROM snippets WHERE id = $id")
expect 0 "$leakgraph" show most "$id"
says "$work/out" "^snippet $id  corpus//" "id +$source\$"
"$PYTHON" -c 'import sqlite3, sys
print(*sqlite3.connect("most/graph.db").execute("SELECT snippet FROM snippets WHERE id = " + sys.argv[1]).fetchone(),
      end="")' "$id" >copy.py
expect 0 "$leakgraph" query most copy.py --json
says "$work/out" "\"snippet\": $id, \"dataset\": \"corpus\""
"$PYTHON" - "$id" <<'PYTHON'
import json, sqlite3
database = sqlite3.connect("file:most/graph.db?mode=ro", uri=True)
ids = {row[0] for row in database.execute("SELECT id FROM snippets")}
items = json.load(open("most/report.json"))["leaked"]["items"]
shown = {match["id"] for item in items for match in item["matches"]}
assert shown and shown <= ids and max(shown) > 10 ** 12, shown
PYTHON

# fsck tells an id that is another document's, or none's.
"$PYTHON" - <<'PYTHON'
import sqlite3
database = sqlite3.connect("ngrams/graph.db")
database.execute("UPDATE snippets SET id = 1000000 WHERE id = (SELECT max(id) FROM snippets)")
database.commit()
PYTHON
expect 1 "$leakgraph" fsck ngrams
says "$work/out" '^FAIL .*ids tell the dataset and the number there.*bench/59: 1000000 is its id, 60 expected'
