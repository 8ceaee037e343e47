# seconds: 90
# Items that are no functions are found where they stand in longer documents: verbatim, in other layout, with a changed
# word; not what only has the same words.  Where, in headline, gate, show, clean; decoys; the same for any ranks; off.
. "$(dirname "$0")/common.sh"
cd "$work"

# 30 snippets of statements in a language without told functions.  Documents: 5 have one each as it is, 5 one in another
# layout, 5 one with one name changed, 5 one with its lines in another order, 20 have none.
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(5)
words = [a + b for a in ("load", "user", "page", "cache", "node", "edge", "file", "score") for b in
         ("Count", "Id", "s", "Max", "Of", "Next")]
def snippet(n): return ["%s = %s %s + %s" % tuple(random.sample(words, 4)) for _ in range(n)]
items = [snippet(7) for _ in range(30)]
with open("bench.jsonl", "w") as out:
    for i, lines in enumerate(items): out.write(json.dumps({"id": "b%d" % i, "text": "\n".join(lines)}) + "\n")
    for i in range(4): out.write(json.dumps({"id": "s%d" % i, "text": snippet(1)[0]}) + "\n")
with open("files.jsonl", "w") as out:
    for d in range(40):
        inside, before = list(items[d % 30]), snippet(20)
        if 5 <= d < 10: inside = [line.replace(" + ", "\n     +   ") for line in inside]
        if 10 <= d < 15: inside[3] = inside[3].replace(inside[3].split()[2], "other")
        if 15 <= d < 20: inside = random.sample(" ".join(inside).split(), len(" ".join(inside).split()))
        if d >= 20: inside = []
        text = "\n".join(before + inside + snippet(20)) + "\n"
        out.write(json.dumps({"id": "f%d" % d, "path": "src/m%d.hs" % d, "text": text}) + "\n")
PYTHON
cat >run.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, language: haskell, files: [bench.jsonl]}
  - {name: files, role: corpus, language: haskell, files: [files.jsonl]}
near_duplicates: {min_tokens: 3, containment_threshold: off}
YAML

expect 0 "$leakgraph" run run.yaml --output found
says out '^passages: ' '^bench +files +34 +30 +15 +44\.12 +15$'
places=$(sql found "SELECT source_id, place, line_end FROM passage_places ORDER BY item" | tr '\n' ' ')
expected=
for i in 0 1 2 3 4; do expected+="b$i|src/m$i.hs:21|27 "; done
for i in 5 6 7 8 9; do expected+="b$i|src/m$i.hs:21|34 "; done
[ "${places:0:${#expected}}" = "$expected" ] || fail "places: $places"
[ "$(sql found "SELECT count(*) FROM passage_places WHERE source_id IN ('b10', 'b11', 'b12', 'b13', 'b14') AND share
    BETWEEN 0.8 AND 0.99")" = 5 ] || fail "a changed word"
[ "$(sql found "SELECT contained, direct FROM benchmark_leakage WHERE target = 'files'")" = "15|0" ] ||
    fail "the headline"
says found/report.md '15 are contained in a document of it' '4 items are too short' 'src/m0\.hs:21'
says found/report.md 'unrelated pairs .* 0 reached the threshold'
[ "$(sql found "SELECT decoys, tested, reached FROM passage_chance")" = "30|1200|0" ] || fail "decoys: $(sql found \
    "SELECT * FROM passage_chance")"
expect 0 "$leakgraph" fsck found
expect 0 "$leakgraph" show found bench:b1
says out '^  contained  1\.000  files:src/m1\.hs:21$'
expect 0 "$leakgraph" show found src/m1.hs
says out '^  contained  1\.000  [0-9]+  bench//1  files:src/m1\.hs:21$'

# Items that near does not compare are looked for all the same.
expect 0 "$leakgraph" run run.yaml --output short --quiet --set near_duplicates.min_tokens=1000
[ "$(sql short "SELECT count(*) FROM passage_places")" = "$(sql found "SELECT count(*) FROM passage_places")" ] ||
    fail "items below min_tokens"

# Gates see it; rules of clean ask it.
expect 3 "$leakgraph" run run.yaml --output found --set fail_on.leakage=44
says err 'leakage failed: 44\.12 % of bench is in files'
expect 3 "$leakgraph" run run.yaml --output found --quiet --set fail_on.passages=44
expect 0 "$leakgraph" run run.yaml --output found --quiet --set fail_on.leakage=45 --set fail_on.passages=45
expect 0 "$leakgraph" run run.yaml --output clean --quiet \
    --set 'clean=[{name: strict, drop: items, where: in_passages}]'
[ "$(zstdcat clean/cleaned/strict/bench/*.zst | grep -c .)" = 19 ] || fail "items cleaned"

# The same for any ranks and threads, after a lost unit, with pairs beside the database, and of what is printed.
expect 0 "$leakgraph" run run.yaml --output one --threads 1 --quiet
same found one
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks --threads 2 --quiet
    same found ranks
fi
rm one/work/passage_rows-* one/graph.db
expect 0 "$leakgraph" run run.yaml --output one --quiet
same found one
expect 0 "$leakgraph" run found/config.resolved.yaml --output again --quiet
same found again
expect 0 "$leakgraph" run run.yaml --output self --quiet --set datasets.files.self_join=exact
[ "$(sql self "SELECT * FROM passages")" = "$(sql found "SELECT * FROM passages")" ] || fail "with self_join"

# Other views have runs of their own; off, and the published pipeline, look for none.
for view in tokens lines shingles:5; do
    expect 0 "$leakgraph" run run.yaml --output "${view%:*}" --quiet --set "near_duplicates.view=$view"
    [ "$(sql "${view%:*}" "SELECT count(*) FROM passage_items AS i JOIN snippets AS s ON s.id = i.item WHERE s.source_id
        IN ('b0', 'b1', 'b2', 'b3', 'b4')")" = 5 ] || fail "passages of $view"
    [ "$(sql "${view%:*}" "SELECT reached FROM passage_chance")" = 0 ] || fail "decoys of $view"
done
for set in near_duplicates.passages=off compat=published; do
    expect 0 "$leakgraph" run run.yaml --output off --replace --quiet --set fail_on.coverage=0 --set fail_on.leakage=0 \
        --set "$set"
    [ "$(sql off "SELECT count(*) FROM passages")" = 0 ] || fail "passages with $set"
    ! grep -q '^## Passages' off/report.md || fail "a report of passages with $set"
done
expect 2 "$leakgraph" run run.yaml --output off --replace --set near_duplicates.passages=off \
    --set 'clean=[{name: strict, drop: items, where: in_passages}]'
says err 'near_duplicates\.passages'
expect 2 "$leakgraph" run run.yaml --output no --set near_duplicates.passages=0

# max_matches: of many documents the best are kept and all are counted.
for i in 1 2 3; do cat files.jsonl; done >more.jsonl
expect 0 "$leakgraph" run run.yaml --output most --quiet --set near_duplicates.max_matches=2 \
    --set 'datasets.files.files=[more.jsonl]'
[ "$(sql most "SELECT DISTINCT documents FROM passage_items")" = 3 ] || fail "counts of documents"
[ "$(sql most "SELECT count(*) FROM passages")" = 30 ] || fail "documents that are kept"
