# Portraits and queries: the same file for any ranks, threads and kernels, and after kills; damage refused; planted
# passages found; graph.db asked.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 30 --corpus 300 --shards 4
cd "$work/sets"
printf 'portrait: {name: mine, stride: 40, fp: 0.000001}\n' >>run.yaml
sed -i 's/view: identifiers/view: identifiers, index: true/' run.yaml

# One file, whoever makes it.
expect 0 env LEAKGRAPH_KERNELS=scalar "$leakgraph" run run.yaml --quiet --threads 1
[ -s run/mine.portrait ] || fail "the run made no portrait"
[ -z "$(ls run/work | grep portrait-bits)" ] || fail "slices of the portrait were left"
expect 0 ranks 3 "$leakgraph" run run.yaml --quiet --threads 2 --output "$work/ranks"
cmp run/mine.portrait "$work/ranks/mine.portrait"
same run "$work/ranks"
# several slices
sized='portrait={name: mine, stride: 40, size: 9MB}'
expect 0 "$leakgraph" run run.yaml --quiet --threads 1 --set "$sized" --output "$work/one"
expect 0 ranks 3 "$leakgraph" run run.yaml --quiet --threads 2 --set "$sized" --output "$work/three"
cmp "$work/one/mine.portrait" "$work/three/mine.portrait"
expect 0 "$leakgraph" query "$work/three/mine.portrait" corpus-03.jsonl
says "$work/out" '^whole '
! grep -E '^(none|single)' "$work/out" || fail "slices have lost pieces"
mkdir "$work/elsewhere" && cp -p ./*.jsonl run.yaml "$work/elsewhere"
expect 0 "$leakgraph" run "$work/elsewhere/run.yaml" --quiet --output "$work/moved"
cmp run/mine.portrait "$work/moved/mine.portrait"

# Killed at any moment, and with units lost or damaged: the same file again.
cp run/mine.portrait whole.portrait
for delay in 0.01 0.03 0.05 0.08 0.12 0.2; do
    "$leakgraph" run run.yaml --quiet --output "$work/killed" >/dev/null 2>&1 & victim=$!
    sleep $delay
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
done
expect 0 "$leakgraph" run run.yaml --quiet --output "$work/killed"
cmp whole.portrait "$work/killed/mine.portrait"
rm run/mine.portrait
unit=$(ls run/work/portrait-*.unit | head -n 1)
printf X | dd of="$unit" bs=1 seek=300 conv=notrunc 2>/dev/null
rm "$(ls run/work/portrait-*.unit | tail -n 1)"
expect 0 "$leakgraph" run run.yaml --quiet
cmp whole.portrait run/mine.portrait
expect 0 "$leakgraph" fsck run --verbose
says "$work/out" '1 portraits'

# What it says of itself, and in the report.
expect 0 "$leakgraph" query run/mine.portrait --info
says "$work/out" 'kind +windows' 'width +50' 'stride +40' 'documents +300' 'rate measured' 'corpus/corpus-00\.jsonl' \
    'corpus/corpus-03\.jsonl'
expect 0 "$leakgraph" query run/mine.portrait --info --json
says run/report.md '^## Portrait' 'mine\.portrait'
"$PYTHON" - "$work/out" <<'PYTHON'
import json, sys
d, f = json.load(open(sys.argv[1])), json.load(open("run/report.json"))["portrait"]["filter"]
assert len(d["shards"]) == 4 and sum(s["insertions"] for s in d["shards"]) == d["insertions"], d
assert f["documents"] == 300 and f["stride"] == 40, f
PYTHON

# Planted: a passage of 50 + 40 - 1 characters inside a text that is not there, at every place of it; nothing in a text
# that is not there.
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(4)
noise = lambda n: "".join(random.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ\n") for _ in range(n))
texts = [json.loads(line) for line in open("corpus-01.jsonl")]
texts = [t.get("text") or t.get("content") or t.get("code") for t in texts]
texts = [t for t in texts if len(t) > 200]
with open("planted.jsonl", "w") as out, open("truth", "w") as truth:
    for i in range(60):
        t, before = random.choice(texts), noise(random.randrange(400))
        length = 89 if i % 2 else 180
        at = random.randrange(len(t) - length)
        out.write(json.dumps({"text": before + t[at:at + length] + noise(random.randrange(400))}) + "\n")
        truth.write("%d %d\n" % (len(before.encode()), len((before + t[at:at + length]).encode())))
open("noise.txt", "w").write(noise(3000))
open("short.txt", "w").write("x = 1\n")
PYTHON
expect 0 "$leakgraph" query run/mine.portrait planted.jsonl noise.txt short.txt --json
"$PYTHON" - "$work/out" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
truth = [tuple(map(int, line.split())) for line in open("truth")]
planted = [r for r in rows if r["name"].startswith("planted.jsonl:")]
assert len(planted) == 60, len(rows)
for row, (start, end) in zip(planted, truth):
    assert row["longest"] >= 50 and start <= row["from"] < row["to"] <= end, (row, start, end)
    if end - start >= 180: assert row["verdict"] == "part" and row["longest"] >= 100, row
other = {r["name"]: r["verdict"] for r in rows if r not in planted}
assert other == {"noise.txt": "none", "short.txt": "short"}, other
PYTHON
expect 3 "$leakgraph" query run/mine.portrait planted.jsonl --fail-on 1
expect 0 "$leakgraph" query run/mine.portrait noise.txt --fail-on 0
# A text of which nothing can be compared does not pass.
: >nothing.py
expect 3 "$leakgraph" query run/mine.portrait nothing.py --fail-on 50
says "$work/err" 'fail-on is inconclusive: of 1 of 1 texts nothing could be compared'
expect 0 "$leakgraph" query run/mine.portrait nothing.py
mkdir here
cp noise.txt here/noise.txt
(cd here && "$leakgraph" query ../run/mine.portrait .) >"$work/out" || fail "the folder that one is in"
says "$work/out" '^none .* \./noise\.txt$'
"$leakgraph" query run/mine.portrait <noise.txt >"$work/out"
says "$work/out" '^none .* -$'

# Other pieces, each of which says of its own corpus that all is there.
for kind in 'ngrams, n: 3' lines content; do
    expect 0 "$leakgraph" run run.yaml --replace --quiet --set "portrait={kind: $kind}"
    expect 0 "$leakgraph" query run/corpus.portrait corpus-02.jsonl --json
    mv "$work/out" "$work/${kind%%,*}"
done
"$PYTHON" - "$work" <<'PYTHON'
import json, sys
for kind in "ngrams", "lines", "content":
    rows = [json.loads(line) for line in open("%s/%s" % (sys.argv[1], kind))]
    assert len(rows) == 75, len(rows)
    for r in rows:                                          # n-grams: but for the words after the last whole stride
        wanted = "copy" if kind == "content" else "whole"
        assert r["verdict"] == wanted or (kind == "ngrams" and r["longest"] >= r["units"] - 2), r
PYTHON

# Refused: damage, a shard twice, another scheme, gaps, and what is no portrait.
cp whole.portrait damaged.portrait
printf '\377' | dd of=damaged.portrait bs=1 seek=5000 conv=notrunc 2>/dev/null
expect 1 "$leakgraph" query damaged.portrait noise.txt
says "$work/err" 'damaged\.portrait: byte 4096'
cp damaged.portrait run/mine.portrait
expect 1 "$leakgraph" fsck run
cp corpus-00.jsonl corpus-99.jsonl
expect 2 "$leakgraph" run run.yaml --quiet --output "$work/twice"
says "$work/err" 'corpus-99\.jsonl' 'corpus-00\.jsonl'
rm corpus-99.jsonl
cp whole.portrait base.portrait
extends='portrait={name: mine, stride: 40, extends: base.portrait}'
expect 2 "$leakgraph" run run.yaml --quiet --output "$work/twice" --set "$extends"
says "$work/err" 'corpus-0[0-3]\.jsonl.*in the portrait that is extended'
expect 2 "$leakgraph" run run.yaml --quiet --output "$work/twice" --set "$extends" --set portrait.width=60
says "$work/err" 'width 50'
expect 2 "$leakgraph" run run.yaml --quiet --output "$work/twice" --set portrait.stride=51
says "$work/err" 'stride'
expect 2 "$leakgraph" run run.yaml --quiet --output "$work/twice" --set portrait.fp=0.001 \
    --set portrait.extends=nowhere.portrait
expect 1 "$leakgraph" query noise.txt noise.txt
expect 2 "$leakgraph" query
expect 2 "$leakgraph" query run noise.txt --fail-on 101
says "$work/err" "such as 80 or 80%, not .101."
printf '{"text": 1}\n' >broken.jsonl
expect 1 "$leakgraph" query whole.portrait broken.jsonl
says "$work/err" 'broken\.jsonl: record 0'

# An extended portrait has both.
mkdir more && "$PYTHON" "$root/tests/cli/make_sets.py" --bench 1 --corpus 40 --shards 1 --seed 77 more >/dev/null
expect 0 "$leakgraph" run run.yaml --quiet --output "$work/extended" --set "$extends" \
    --set 'datasets.corpus.files=[more/corpus-00.jsonl]'
expect 0 "$leakgraph" query "$work/extended/mine.portrait" --info
says "$work/out" 'documents +340' 'corpus/corpus-03\.jsonl'

# graph.db: copies, layout, near duplicates by the index of the run.
expect 0 "$leakgraph" run run.yaml --replace --quiet
"$PYTHON" - <<'PYTHON'
import json
rows = [json.loads(line) for line in open("bench.jsonl")]
text = lambda r: r.get("text") or r.get("content") or r.get("code")
rows.sort(key=lambda r: -len(text(r)))
whole = text(rows[0])
open("copy.py", "w").write(whole)
open("layout.py", "w").write(whole.replace(" ", "   ") + "\n\n")
open("near.py", "w").write(whole + "\nz = one_more\n")
PYTHON
expect 0 "$leakgraph" query run copy.py layout.py near.py noise.txt --json
"$PYTHON" - "$work/out" <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
kinds = lambda name: {r["kind"] for r in rows if r["name"] == name}
assert kinds("copy.py") >= {"copy", "similar"}, rows
assert "layout" in kinds("layout.py") and "copy" not in kinds("layout.py"), rows
assert kinds("near.py") == {"similar"}, rows
assert kinds("noise.txt") == {"none"}, rows
best = max(r["set_similarity"] for r in rows if r["name"] == "near.py")
copies = [r for r in rows if r["name"] == "copy.py" and r["kind"] == "similar"]
assert 0.8 <= best < 1 and all(r["set_similarity"] == 1 for r in copies if r["set_similarity"] > best), rows
assert all(r["dataset"] in ("bench", "corpus") for r in rows if r["kind"] != "none")
PYTHON
expect 0 "$leakgraph" query run/graph.db copy.py
says "$work/out" '^copy '
"$leakgraph" query run --language python <near.py >"$work/out"
says "$work/out" '^similar '
expect 3 "$leakgraph" query run near.py --fail-on 80%

# A text of a language that the run does not have was not compared, and that is said; a slip is no language.
cp near.py near.unknown
expect 0 "$leakgraph" query run near.unknown
says "$work/out" '^none '
says "$work/err" 'near.unknown is of no known language, of which the run has no document: only copies.*--language NAME'
expect 3 "$leakgraph" query run near.unknown --fail-on 80
says "$work/err" '--fail-on is inconclusive: of 1 of 1 texts'
expect 0 "$leakgraph" query run near.unknown --language python
says "$work/out" '^similar '
[ ! -s "$work/err" ] || fail "query says: $(cat "$work/err")"
expect 2 "$leakgraph" query run near.py --language pyton
says "$work/err" '`pyton` is no language that is known; did you mean `python`'
expect 0 "$leakgraph" query run noise.txt --fail-on 0 --language python
expect 0 "$leakgraph" run run.yaml --replace --quiet --set near_duplicates.set_threshold=1 \
    --set near_duplicates.multiset_threshold=1 --set near_duplicates.report_floor=0.5 \
    --set near_duplicates.containment_threshold=off
expect 0 "$leakgraph" query run near.py --fail-on "99 %"
[ ! -s "$work/err" ] || fail "query says: $(cat "$work/err")"
says "$work/out" '^below '
expect 3 "$leakgraph" query run near.py --fail-on 50
expect 0 "$leakgraph" run run.yaml --replace --quiet --set near_duplicates.index=false
expect 0 "$leakgraph" query run near.py
says "$work/out" '^none '
says "$work/err" 'near duplicates are not looked for: .*index: true'

# After dedup alone only copies are found, and that is said.
expect 0 "$leakgraph" dedup corpus=corpus-00.jsonl copies=bench.jsonl copies2=copy.py --language python \
    --output "$work/dedup" --quiet
expect 0 "$leakgraph" query "$work/dedup" copy.py near.py
says "$work/out" '^copy .*copy\.py' '^none .*near\.py'
says "$work/err" 'only dedup ran there, so byte-equal copies alone are found'
rm "$work/dedup/graph.db"
expect 1 "$leakgraph" fsck "$work/dedup"
says "$work/out" '^FAIL .*is not finished.*leakgraph run' '^ok .* units'
! grep -q 'report\.json' "$work/out" || fail "the report of an unfinished run is looked at"

# Of many records that cannot be read the first are said, and how many there were.
for i in $(seq 30); do echo "{\"body\": \"x = $i\"}"; done >bodies.jsonl
expect 2 "$leakgraph" query run bodies.jsonl
[ "$(grep -c '^warning: bodies' "$work/err")" = 5 ] || fail "not the first 5 are said: $(cat "$work/err")"
says "$work/err" '30 records could not be read, of which the first are listed: .*--field text=body'
expect 0 "$leakgraph" query run bodies.jsonl --field text=body
