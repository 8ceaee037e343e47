# seconds: 30
# rest: eleven runs over three hundred shards
# Many small shards are written as few, none empty, with the same records in the same order as one by one; the same for
# any ranks and threads, again and after additions; splits and datasets stay apart; large ones stay alone.
. "$(dirname "$0")/common.sh"
need zstd

# 300 shards of 0 to 4 records each, some packed; every fourth has nothing of its own, so nothing stays of it.
"$PYTHON" - "$work" <<'PYTHON'
import gzip, json, os, random, sys
work = sys.argv[1]
random.seed(4)
record = lambda n: json.dumps({"id": n, "text": " ".join("w%d" % ((n * 17 + i) % 9973) for i in range(30))}) + "\n"
os.makedirs(work + "/in/deep")
for shard in range(300):
    own = [shard * 8 + i for i in range(shard % 5)]
    text = "".join(record(n) for n in ([1, 2, 9] if shard % 4 == 3 else own + [1] * (shard % 2)))
    name = work + "/in/" + ("deep/" if 100 <= shard < 120 else "") + "p-%03d.jsonl" % shard
    if shard % 7: open(name, "w").write(text)
    else: gzip.open(name + ".gz", "wt").write(text)
open(work + "/large.jsonl", "w").write("".join(record(100000 + 40 * n) for n in range(900)))
open(work + "/bench.jsonl", "w").write("".join(record(n) for n in (1, 8, 9, 16, 80)))
PYTHON
cd "$work"
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: small, role: corpus, language: text, splits: {
      test: ["in/p-00*"], train: ["in/p-0[1-9]*", "in/p-[12]*", "in/deep/*", large.jsonl]}}
  - {name: bench, role: benchmark, language: text, files: [bench.jsonl]}
dedup: {datasets: [small], keep: [path], zstd_level: 1}
near_duplicates: {view: "shingles:5", min_tokens: 1}
clean:
  - {name: kept, drop: documents, where: near or copies, level: 1}
YAML
lines() { (cd "$1" && find . -name '*.zst' | LC_ALL=C sort | xargs zstd -qdc); }
sums() { (cd "$1" && find clean lists cleaned -type f | LC_ALL=C sort | xargs sha256sum); }
count() { find "$1" -name '*.zst' | wc -l; }
none_empty() {
    local file
    for file in $(find "$1" -name '*.zst'); do
        [ -n "$(zstd -qdc "$file" | head -c 1)" ] || fail "$file is empty"
    done
}

# ---- one by one, all together, and something between ----
expect 0 "$leakgraph" run run.yaml --output one --set dedup.shard_size=0 --set clean.kept.shard_size=0
[ "$(count one/clean)" -gt 100 ] || fail "one by one: $(count one/clean)"
[ ! -e one/clean/small/in/p-011.jsonl.zst ] || fail "nothing stays of p-011, which has a file"
expect 0 "$leakgraph" run run.yaml
(cd run && find clean cleaned -name '*.zst' | LC_ALL=C sort) >files
cmp files - <<'FILES' || fail "files: $(cat files)"
clean/small/in/deep/p-100+290.jsonl.zst
clean/small/in/p-000+9.jsonl.zst
cleaned/kept/small/in/deep/p-100+290.jsonl.zst
cleaned/kept/small/in/p-000+9.jsonl.zst
FILES
few="--set dedup.shard_size=20KB --set clean.kept.shard_size=20KB"
expect 0 "$leakgraph" run run.yaml --output few $few
for folder in clean cleaned; do
    [ "$(count few/$folder)" -gt 4 ] && [ "$(count few/$folder)" -lt 30 ] || fail "few/$folder: $(count few/$folder)"
    lines one/$folder >one.$folder
    for run in one run few; do
        none_empty $run/$folder
        lines $run/$folder | LC_ALL=C sort | cmp - <(LC_ALL=C sort one.$folder) || fail "$run/$folder: other records"
    done
    # train is one stretch of the sorted names, and so it has the same order; test is another one
    for part in "deep/*" "p-[1-9]*" "p-0[1-9]*"; do (cd one/$folder && find . -path "*in/$part" | LC_ALL=C sort); done |
        sort -u >train
    (cd one/$folder && xargs zstd -qdc <../../train && zstd -qdc $(find . -name 'large*')) >want
    zstd -qdc $(find run/$folder -type f -path '*deep*') | cmp - want || fail "run/$folder: another order"
    (cd few/$folder && zstd -qdc $(find . -name '*.zst' ! -name 'p-00*' | LC_ALL=C sort)) | cmp - want ||
        fail "few/$folder: another order"
done
cmp few/clean/small/large.jsonl.zst one/clean/small/large.jsonl.zst || fail "a large shard is written otherwise"
for run in run few; do
    same one $run
    expect 0 "$leakgraph" fsck $run
    cmp <(zstd -qdc one/lists/small.tsv.zst) <(zstd -qdc $run/lists/small.tsv.zst) || fail "$run: another list"
done

# ---- every kept record can be followed: shard and number there, file and line there ----
"$PYTHON" - few <<'PYTHON'
import gzip, json, sqlite3, subprocess, sys
run = sys.argv[1]
database = sqlite3.connect(run + "/graph.db")
gone = {"dedup_shards": {}, "cleaned_shards": {}}
for shard, record in database.execute("SELECT s.shard, s.record FROM dedup AS d JOIN snippets AS s ON s.id = d.snippet "
                                      "WHERE d.kept = 0"):
    gone["dedup_shards"].setdefault(shard, set()).add(record)
for shard, record in database.execute("SELECT shard, record FROM cleaned_documents"):
    gone["cleaned_shards"].setdefault(shard, set()).add(record)
for table in gone:
    files, met = {}, 0
    for shard, kept, file, first in database.execute("SELECT shard, kept, file, file_record FROM " + table):
        lines = (gzip.open if shard.endswith(".gz") else open)(shard, "rt").read().split("\n")[:-1]
        stay = [json.loads(line) for n, line in enumerate(lines) if n not in gone[table].get(shard, ())]
        assert len(stay) == kept and (file is None) == (not stay) == (first is None), (table, shard, kept, file)
        if not file: continue
        if file not in files:
            text = subprocess.run(["zstd", "-qdc", run + "/" + file], check=True, stdout=subprocess.PIPE).stdout
            files[file] = [json.loads(line) for line in text.decode().split("\n")[:-1]]
        for n, record in enumerate(stay):
            written = dict(files[file][first + n])
            written.pop("duplicate_count", None)
            assert written == record, (table, shard, n, file, first)
            met += 1
    assert met == sum(len(lines) for lines in files.values()) > 400, (table, met)
PYTHON

# ---- any ranks and threads; again; what is missing comes back ----
sums few >few.sums
expect 0 env OMP_NUM_THREADS=3 "$leakgraph" run run.yaml --output threads $few
sums threads | cmp - few.sums || fail "three threads"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks $few
    sums ranks | cmp - few.sums || fail "three ranks"
    same few ranks
    expect 0 ranks 2 "$leakgraph" run run.yaml --output ranks $few
    sums ranks | cmp - few.sums || fail "two ranks after three"
fi
rm few/graph.db "$(find few/clean -name '*+*' | sort | sed -n 2p)" "$(find few/cleaned -name '*+*' | sort | sed -n 2p)"
expect 0 "$leakgraph" run run.yaml --output few $few
sums few | cmp - few.sums || fail "a file that was missing"
expect 0 "$leakgraph" run run.yaml --output few --replace
sums few | cmp - <(sums run) || fail "another size in the same folder"

# ---- what was written is an input like any other, and a store ----
expect 0 "$leakgraph" dedup again='run/clean/small/**/*.zst' --language text --output again --keep path
[ "$(sql again 'SELECT sum(removed) FROM splits')" = 0 ] || fail "what was deduplicated is not"
mkdir june
for number in 1 2 3; do
    echo "{\"id\": \"june$number\", \"text\": \"one two three four five $number\"}"
done >june/a.jsonl
sed 's/five/six seven/' june/a.jsonl >june/b.jsonl
sed -n 1,5p large.jsonl >june/c.jsonl
expect 0 "$leakgraph" dedup --add june='june/*.jsonl' --store again --language text
[ "$(ls again/clean/june)" = a+2.jsonl.zst ] || fail "--add: $(find again/clean)"
none_empty again/clean
expect 0 "$leakgraph" fsck again
