# leakgraph diff: two runs between which a benchmark and a corpus changed, each change reported exactly; with and
# without own ids; a run with itself; damaged and absent folders.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 30 --corpus 80 --shards 2
cd "$work/sets"
printf 'fail_on: {leakage: 30}\n' >>run.yaml
expect 0 "$leakgraph" run run.yaml --output "$work/old" --quiet

# diff_json OLD NEW: into $work/json, which is as the schema says.
diff_json() {
    expect 0 "$leakgraph" diff "$1" "$2" --json
    cp "$work/out" "$work/json"
    "$PYTHON" "$root/tests/cli/schema.py" "$root/docs/diff.schema.json" "$work/json" ||
        fail "the answer is not as docs/diff.schema.json says"
}

# ---- nothing changed ----
expect 0 "$leakgraph" diff "$work/old" "$work/old/graph.db" --fail-on new-leaks=0
says "$work/out" '^Nothing changed\.$'
grep -q '^Warning' "$work/out" && fail "a warning about a run and itself"
diff_json "$work/old" "$work/old"
expect 0 "$leakgraph" run run.yaml --output "$work/again" --threads 1 --set memory=1GiB --set fail_on.leakage=30 --quiet
diff_json "$work/old" "$work/again"
"$PYTHON" - "$work/json" <<'PYTHON'
import json, sys
told = json.load(open(sys.argv[1]))
assert {key: len(rows) for key, rows in told["changes"].items() if key != "title"} == {"settings": 1}, told["changes"]
assert told["changes"]["settings"][0]["name"] == "memory", told
assert not any(rows for key, rows in told["items"].items() if key != "title"), told["items"]
PYTHON

# ---- items inserted, removed, edited; a shard more; a setting; a gate ----
# change IDS: what the datasets are afterwards; ids: as they were, none, or numbers of places
change() {
    "$PYTHON" - "$1" <<'PYTHON'
import json, sys
def read(name):
    return [json.loads(line) for line in open(name)]
def write(name, rows):
    with open(name, "w") as out:
        for place, row in enumerate(rows):
            if sys.argv[1] != "own": row.pop("id", None)
            if sys.argv[1] == "numbers": row["id"] = str(place)
            out.write(json.dumps(row) + "\n")
rows = read("first.jsonl")
for row in rows: row.pop("split", None)
write("before.jsonl", [dict(row) for row in rows])
leaks = {json.loads(line)["text"] for line in list(open("corpus-00.jsonl")) + list(open("corpus-01.jsonl"))}
copied = [row for row in rows if row["text"] in leaks]
clean = [row for row in rows if row["id"] in ("b1", "b2", "b15", "b20", "b25")]
assert copied and not any(row["text"] in leaks for row in clean)
gone = copied[0]
after = [dict(row) for row in rows if row is not gone]
after.insert(0, {**rows[0], "id": "front", "text": "def front(alpha, beta):\n    gamma = alpha.delta(beta)\n"
                 "    for one in gamma: epsilon(one, zeta)\n    return eta(theta, iota, kappa, lam, mu, nu, xi)\n"})
edited = next(row for row in after if row["id"] == "b25")
edited["text"] += "    edited = another(third, fourth)\n"
write("after.jsonl", after)
with open("corpus-02.jsonl", "w") as out:
    for row in clean[:4]: out.write(json.dumps({"text": row["text"], "path": "new/%s.py" % row["id"]}) + "\n")
    out.write(json.dumps({"text": edited["text"], "path": "new/edited.py"}) + "\n")
    out.write(json.dumps({"text": after[0]["text"], "path": "new/front.py"}) + "\n")
json.dump({"gone": gone["text"], "clean": [row["text"] for row in clean[:4]]}, open("known.json", "w"))
PYTHON
}
mv bench.jsonl first.jsonl
for ids in own none numbers; do
    rm -f corpus-02.jsonl
    change $ids
    mv corpus-02.jsonl more
    cp before.jsonl bench.jsonl
    expect 0 "$leakgraph" run run.yaml --output "$work/$ids-old" --quiet
    cp after.jsonl bench.jsonl
    cp more corpus-02.jsonl
    expect 3 "$leakgraph" run run.yaml --output "$work/$ids-new" --quiet --set near_duplicates.report_floor=0.5
    diff_json "$work/$ids-old" "$work/$ids-new"
    "$PYTHON" - "$work/json" $ids "$work/$ids-new/graph.db" <<'PYTHON'
import json, sqlite3, sys
told, ids = json.load(open(sys.argv[1])), sys.argv[2]
database = sqlite3.connect("file:%s?mode=ro" % sys.argv[3], uri=True)
known = json.load(open("known.json"))
items, changes = told["items"], told["changes"]
def text(row):
    found = database.execute("SELECT snippet FROM snippets WHERE dataset = 'bench' AND source_id = ?", (row["id"],))
    return found.fetchone()[0]
newly = items["newly_leaked"]
assert sorted(map(text, newly)) == sorted(known["clean"]), newly
assert all(row["new_kind"] == "exact" and row["new_alike"] == 1 and row["target"] == "corpus" for row in newly), newly
assert all(row["new_match"].startswith("corpus/corpus-02.jsonl:") and " new/" in row["new_match"] for row in newly)
assert items["no_longer_leaked"] == [] and items["moved"] == [], items
assert [text(row)[:9] for row in items["added"]] == ["def front"], items["added"]
assert len(items["removed"]) == 1 and items["removed"][0]["old_kind"] == "exact", items["removed"]
assert len(items["edited"]) == 1 and "another(third" in text(items["edited"][0]), items["edited"]
assert items["edited"][0]["old_kind"] is None and items["edited"][0]["new_kind"] == "exact", items["edited"]
if ids == "own":
    assert [row["id"] for row in newly] == ["b1", "b2", "b15", "b20"], newly
    assert items["added"][0]["id"] == "front" and items["edited"][0]["id"] == "b25"
assert told["summary"]["new_leaks"] == 6 and told["summary"]["changed"], told["summary"]
counted = {row["measure"]: row["new"] for row in changes["items"] if row["dataset"] == "bench" and not row["other"]}
assert counted == {"added": 1, "removed": 1, "edited": 1}, counted
direct = [row for row in changes["leakage"] if row["measure"] == "direct" and not row.get("split")]
assert len(direct) == 1 and direct[0]["change"] == 5 and direct[0]["points"] > 16, direct     # 6 more, 1 gone
assert [(row["name"], row["old"]) for row in changes["shards"] if row["dataset"] == "corpus"] == \
    [("corpus-02.jsonl", None)], changes["shards"]
assert {row["measure"] for row in changes["shards"] if row["dataset"] == "bench"} == {"bytes", "content"}
documents = [row for row in changes["documents"] if row["dataset"] == "corpus" and row["measure"] == "documents"]
assert [(row["old"], row["new"], row["change"]) for row in documents] == [(80, 86, 6)], documents
assert [(row["name"], row["old"], row["new"]) for row in changes["settings"]] == \
    [("near_duplicates.report_floor", "off", 0.5)], changes["settings"]
assert ("passed", "failed") in [(row["old"], row["new"]) for row in changes["gates"]], changes["gates"]
assert "program" not in changes, changes["program"]
PYTHON
    expect 3 "$leakgraph" diff "$work/$ids-old" "$work/$ids-new" --fail-on new-leaks=5
    says "$work/out" '^Warning: the runs had other settings \(1, below\)' \
        '^bench in corpus: 4 newly leaked, 1 added, 1 removed, 1 edited\.$'
    expect 0 "$leakgraph" diff "$work/$ids-old" "$work/$ids-new" --fail-on new-leaks=6
    # the way back
    diff_json "$work/$ids-new" "$work/$ids-old"
    "$PYTHON" - "$work/json" <<'PYTHON'
import json, sys
told = json.load(open(sys.argv[1]))
assert {key: len(rows) for key, rows in told["items"].items() if key != "title"} == {
    "newly_leaked": 0, "no_longer_leaked": 4, "added": 1, "removed": 1, "edited": 1, "moved": 0}, told["items"]
assert told["summary"]["new_leaks"] == 1, told["summary"]
PYTHON
done

# ---- long lists: twenty for a person, --all ----
printf '{"text": "one = two(three)"}\n' >other.jsonl
other="--quiet --set datasets.corpus.files=[other.jsonl] --set fail_on.leakage=off"
expect 0 "$leakgraph" run run.yaml --output "$work/few" $other
cp bench.jsonl other.jsonl
expect 0 "$leakgraph" run run.yaml --output "$work/many" $other
expect 0 "$leakgraph" diff "$work/few" "$work/many"
says "$work/out" '^10 rows more: --all shows them, --json has them\.$'
expect 0 "$leakgraph" diff "$work/few" "$work/many" --all
grep -q 'rows more' "$work/out" && fail "--all leaves rows out"
[ "$(grep -c '^| bench | all | .* | corpus | exact | 1.000 |' "$work/out")" = 30 ] ||
    fail "--all does not list 30 items"

# ---- pairs that graph.db leaves out: a star of 1,200 equal documents has one pair of the second item ----
"$PYTHON" - <<'PYTHON'
import json
text = "def same(alpha, beta):\n    gamma = alpha.delta(beta)\n    for one in gamma: epsilon(one, zeta)\n" \
    "    return eta(theta, iota, kappa, lam, mu, nu, xi)\n"
with open("two.jsonl", "w") as out:
    for name in "ab": out.write(json.dumps({"id": name, "text": text}) + "\n")
with open("copies.jsonl", "w") as out:
    for _ in range(1200): out.write(json.dumps({"text": text}) + "\n")
PYTHON
printf '{"text": "one = two(three)"}\n' >other.jsonl
star="--quiet --set datasets.bench.files=[two.jsonl] --set fail_on.leakage=off"
expect 0 "$leakgraph" run run.yaml --output "$work/none" $star --set 'datasets.corpus.files=[other.jsonl]'
expect 0 "$leakgraph" run run.yaml --output "$work/star" $star --set 'datasets.corpus.files=[copies.jsonl]'
expect 3 "$leakgraph" diff "$work/none" "$work/star" --fail-on new-leaks=2
says "$work/out" '^Items of bench were not compared: graph\.db of the new run does not keep all pairs'
expect 0 "$leakgraph" run run.yaml --output "$work/all" $star --set 'datasets.corpus.files=[copies.jsonl]' \
    --set near_duplicates.pairs=all
expect 3 "$leakgraph" diff "$work/none" "$work/all" --fail-on new-leaks=1
says "$work/out" '^bench in corpus: 2 newly leaked\.$'
expect 0 "$leakgraph" diff "$work/none" "$work/all" --fail-on new-leaks=2

# ---- runs that look for no pairs ----
grep -v '^near_duplicates' run.yaml >ngrams.yaml
printf 'ngrams: {}\n' >>ngrams.yaml
expect 0 "$leakgraph" run ngrams.yaml --output "$work/ngrams" --quiet --set fail_on.leakage=off
expect 3 "$leakgraph" diff "$work/ngrams" "$work/ngrams" --fail-on new-leaks=0
says "$work/out" '^Items of bench were not compared: neither run looked for pairs\.$'

# ---- an item contained in a file, of which max_matches keeps no pair there, as better ones are elsewhere ----
"$PYTHON" - <<'PYTHON'
import json
text = open("two.jsonl").readline()
text = json.loads(text)["text"]
wide = text + "".join(f"def other{i}(alpha{i}, beta{i}):\n    return gamma{i}(delta{i}, alpha{i})\n" for i in range(40))
with open("one.jsonl", "w") as out: out.write(json.dumps({"id": "a", "text": text}) + "\n")
with open("three.jsonl", "w") as out:
    for i in range(3): out.write(json.dumps({"text": text + f"    more{i}\n"}) + "\n")
with open("file.jsonl", "w") as out: out.write(json.dumps({"text": wide}) + "\n")
PYTHON
printf '%s\n' "datasets:" "  - {name: bench, role: benchmark, language: python, files: [one.jsonl]}" \
    "  - {name: copies, role: corpus, language: python, files: [three.jsonl]}" \
    "  - {name: files, role: corpus, language: python, files: [other.jsonl]}" \
    "near_duplicates: {containment_threshold: 0.9, max_matches: 2}" >kept.yaml
# cut NAME SETTING...: what differs when the file is there
cut() {
    local name="$1"

    shift
    expect 0 "$leakgraph" run kept.yaml --output "$work/$name.old" --quiet "$@"
    set -- "$@" --set 'datasets.files.files=[file.jsonl]'
    expect 0 "$leakgraph" run kept.yaml --output "$work/$name.new" --quiet "$@"
    expect 3 "$leakgraph" diff "$work/$name.old" "$work/$name.new" --fail-on new-leaks=0
}
off='--set datasets.files.unit=file --set near_duplicates.passages=off'
cut cut $off
says "$work/out" '^Items of bench were not compared: graph\.db of the new run does not keep all pairs'
cut kept $off --set near_duplicates.max_matches=4
says "$work/out" '^bench in files: 1 newly leaked\.$'
cut inside                                                  # it is found as a function, too
says "$work/out" '^bench in files: 1 newly leaked\.$'

# ---- what is no run ----
cp -r "$work/old" "$work/damaged"
dd if=/dev/zero of="$work/damaged/graph.db" bs=4096 seek=1 count=400 conv=notrunc 2>/dev/null
expect 1 "$leakgraph" diff "$work/old" "$work/damaged"
says "$work/err" 'damaged/graph\.db|malformed'
cp -r "$work/old" "$work/unsaid"
"$PYTHON" - "$work/unsaid/graph.db" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("UPDATE run SET value = 'a: [' WHERE key = 'configuration'")
PYTHON
expect 1 "$leakgraph" diff "$work/old" "$work/unsaid"
says "$work/err" 'unsaid/graph\.db, configuration:2: not valid YAML'
expect 1 "$leakgraph" diff "$work/old" "$work/absent"
says "$work/err" 'absent/graph\.db: No such file'
cp -r "$work/old" "$work/older"
"$PYTHON" -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 7")' \
    "$work/older/graph.db"
expect 1 "$leakgraph" diff "$work/older" "$work/old"
says "$work/err" 'has version 7 of the format, this program reads version'
