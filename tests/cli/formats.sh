# seconds: 120
# The same documents in every format give the same digest.
. "$(dirname "$0")/common.sh"
need zstd gzip xz bzip2 tar zip

two_sets "$work/sets" --bench 100 --corpus 400 --shards 1
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml
pairs=$(sql run 'SELECT count(*) FROM edges')
[ "$pairs" -gt 20 ] || fail "only $pairs pairs in the reference"

# The corpus as one file a document, named so that their order is the records' order.
"$PYTHON" - <<'PYTHON'
import json, pathlib
pathlib.Path("tree/deep").mkdir(parents=True)
for number, line in enumerate(open("corpus-00.jsonl")):
    pathlib.Path("tree/deep/%06d.py" % number).write_text(json.loads(line)["text"])
PYTHON

mkdir forms
zstd -q corpus-00.jsonl -o forms/plain.jsonl.zst
{
    head -n 70 corpus-00.jsonl | zstd -q
    tail -n +71 corpus-00.jsonl | head -c 1000 | zstd -q
    tail -n +71 corpus-00.jsonl | tail -c +1001 | zstd -q
} >forms/frames.jsonl.zst
zstd -q -19 --long=27 corpus-00.jsonl -o forms/long.jsonl.zst
gzip -c corpus-00.jsonl >forms/plain.jsonl.gz
{ head -n 70 corpus-00.jsonl | gzip; tail -n +71 corpus-00.jsonl | gzip -9; } >forms/members.jsonl.gz
xz -c corpus-00.jsonl >forms/plain.jsonl.xz
bzip2 -c corpus-00.jsonl >forms/plain.jsonl.bz2
tail -c +1 corpus-00.jsonl | head -c -1 >forms/no-last-newline.jsonl
sed 's/$/\r/' corpus-00.jsonl >forms/crlf.jsonl
{ printf '\357\273\277'; cat corpus-00.jsonl; } >forms/bom.jsonl
sed 's/$/\n/' corpus-00.jsonl >forms/blank-lines.jsonl
cp forms/plain.jsonl.zst forms/named-wrongly.txt
cp forms/plain.jsonl.gz forms/named-not-at-all
tar -cf forms/tree.tar --sort=name tree
tar -czf forms/tree.tar.gz --sort=name tree
tar -c --sort=name tree | zstd -q >forms/tree.tar.zst
tar -cJf forms/tree.tar.xz --sort=name --format=pax tree
(cd tree && find . -name '*.py' | LC_ALL=C sort | zip -q -X ../forms/tree.zip -@)

# The same records as arrays, printed objects, a list in an object, and tables.
"$PYTHON" - <<'PYTHON'
import csv, json
records = [json.loads(line) for line in open("corpus-00.jsonl")]
json.dump(records, open("forms/array.json", "w"))
json.dump(records, open("forms/array-printed.json", "w"), indent=2)
json.dump({"version": [1, 2], "data": records, "end": {}}, open("forms/list.json", "w"), indent=1)
json.dump({"data": records, "version": 1}, open("forms/list-in-a-line.json", "w"))
with open("forms/printed.json", "w") as out:
    for record in records: print(json.dumps(record, indent=4), file=out)
names = sorted({name for record in records for name in record})
for name, dialect in (("forms/table.csv", "unix"), ("forms/table-crlf.csv", "excel"), ("forms/table.tsv", "excel-tab")):
    with open(name, "w", newline="") as out:
        writer = csv.DictWriter(out, names, dialect=dialect)
        writer.writeheader()
        writer.writerows(records)
PYTHON
for form in array.json array-printed.json list.json table.csv table.tsv; do
    zstd -q forms/$form
    gzip -k forms/$form
    xz -k forms/$form
    bzip2 -k forms/$form
done

count=0
for form in forms/* tree; do
    rm -rf other
    expect 0 "$leakgraph" run run.yaml --output other --set "datasets.corpus.files=[$form]"
    rejected=$(sql other 'SELECT count(*) FROM rejects')
    [ "$rejected" = 0 ] || fail "$form: $rejected rejected records"
    same run other || fail "$form"
    count=$((count + 1))
done
[ $count = 47 ] || fail "$count forms instead of 47"

# Names beyond ASCII, as other programs write them into archives, in the locale C.
mkdir -p named/src
cp tree/deep/000001.py named/src/größe.py
cp tree/deep/000002.py named/src/日本.py
cp tree/deep/000003.py named/src/plain.py
(cd named && "$PYTHON" -c "
import zipfile
with zipfile.ZipFile('../python.zip', 'w') as out:
    for name in ('src/größe.py', 'src/日本.py', 'src/plain.py'): out.write(name)")
if command -v git >/dev/null; then
    (cd named && git init -q && git add src && git -c user.name=a -c user.email=b commit -qm c &&
        git archive -o ../git.zip HEAD && git archive -o ../git.tar HEAD && rm -rf .git)
fi
if command -v 7z >/dev/null; then (cd named && 7z a ../7z.7z src >/dev/null); fi
if command -v jar >/dev/null; then (cd named && LC_ALL=C.UTF-8 jar cf ../jar.jar src); fi
for form in python.zip git.zip git.tar 7z.7z jar.jar; do
    [ -f $form ] || continue
    expect 0 env LC_ALL=C "$leakgraph" run run.yaml --output other --replace --set "datasets.corpus.files=[$form]" \
           --set datasets.corpus.exclude='[META-INF]'
    found=$(sql other "SELECT documents FROM splits WHERE dataset = 'corpus'")
    [ "$found" = 3 ] || fail "$form: $found documents"
    [ "$(sql other 'SELECT count(*) FROM rejects')" = 0 ] || fail "$form: $(sql other 'SELECT * FROM rejects')"
done

# format: lines: every line is a document, also a blank one.
"$PYTHON" - <<'PYTHON'
import json
with open("corpus.lines", "w") as out:
    for line in open("corpus-00.jsonl"):
        out.write(" ; ".join(json.loads(line)["text"].replace("  # step", "").split("\n")) + "\n")
PYTHON
expect 0 "$leakgraph" run run.yaml --output lines --set 'datasets.corpus.files=[corpus.lines]' \
    --set datasets.corpus.format=lines
[ "$(sql lines "SELECT documents FROM splits WHERE dataset = 'corpus'")" = 400 ] || fail "format: lines lost lines"
near="SELECT count(*) FROM edges WHERE kind IN ('exact', 'near')"
[ "$(sql lines "$near")" = "$(sql run "$near")" ] || fail "format: lines found other pairs"

# Field names: nested, renamed, and a split and a language of the record's own.
"$PYTHON" - <<'PYTHON'
import json
with open("nested.jsonl", "w") as out:
    for line in open("corpus-00.jsonl"):
        record = json.loads(line)
        out.write(json.dumps({"noise": {"text": [1, {"a": "}"}]},
                              "file": {"body": {"source": record["text"]}, "name": record["id"]}}) + "\n")
PYTHON
expect 0 "$leakgraph" run run.yaml --output nested --set 'datasets.corpus.files=[nested.jsonl]' \
       --set datasets.corpus.fields.text=file.body.source --set datasets.corpus.fields.id=file.name
same run nested

# Parquet: rows are what the same rows are as JSON lines, `tokens` too.
cat >golden.yaml <<YAML
output: golden
datasets:
  - {name: bench, role: benchmark, files: [$root/tests/golden/parquet/rows.jsonl],
     fields: {text: file.body, id: idx, repo: repo.name.full}}
  - {name: corpus, role: corpus, files: [$root/tests/golden/parquet/rows.jsonl],
     fields: {text: file.body, id: idx, repo: repo.name.full}}
near_duplicates: {view: tokens, min_tokens: 1}
YAML
expect 0 "$leakgraph" run golden.yaml
documents="SELECT group_concat(d) FROM (SELECT id || source_id || repo || path || tokens || snippet AS d FROM snippets
           WHERE dataset = 'corpus' ORDER BY id)"
[ "$(sql golden 'SELECT count(*) FROM edges')" -gt 20 ] || fail "too few pairs in the fixtures of Parquet"
count=0
for form in plain-plain-v1 snappy-dictionary-v1 gzip-length-v2 zstd-delta-v2 lz4-dictionary-v2 brotli-plain-v1; do
    form=$root/tests/golden/parquet/$form.parquet
    rm -rf other
    expect 0 "$leakgraph" run golden.yaml --output other --set "datasets.corpus.files=[$form]"
    same golden other || fail "$form"
    [ "$(sql other "$documents")" = "$(sql golden "$documents")" ] || fail "$form: other fields"
    [ "$(sql other 'SELECT count(*) FROM rejects')" = "$(sql golden 'SELECT count(*) FROM rejects')" ] ||
        fail "$form: other rejects"
    count=$((count + 1))
done
[ $count = 6 ] || fail "$count Parquet files instead of 6"
cat >cleaned.yaml <<YAML
output: cleaned
datasets:
  - {name: a, role: corpus, files: [$form], fields: {text: file.body, id: idx, repo: repo.name.full}}
dedup: {view: tokens, min_tokens: 1}
YAML
expect 0 "$leakgraph" run cleaned.yaml
zstd -dcq cleaned/clean/a/*.zst >"$work/cleaned.jsonl"
says "$work/cleaned.jsonl" \
    '^\{"id":"-5000000000","path":"src/module_2/file_0.c","repo":"bob/two","language":"c",.*"text":"int \\t ;' \
    '"language":"c","tokens":\[("[^"\\]*",)*"[^"\\]*"\],"stars":"[0-9]+","text":"'
# What dedup writes of an array printed over lines is lines.
expect 0 "$leakgraph" dedup a=forms/array-printed.json --output printed
zstd -dcq printed/clean/a/*.zst >"$work/printed.jsonl"
"$PYTHON" - "$work/printed.jsonl" <<'PYTHON' || fail "dedup of an array does not write its records as lines"
import json, sys
given = [json.loads(line) for line in open("corpus-00.jsonl")]
kept = [json.loads(line) for line in open(sys.argv[1])]
for record in kept: record.pop("duplicate_count", None)
assert len(kept) > 100 and all(record in given for record in kept)
PYTHON
expect 2 "$leakgraph" run golden.yaml --replace --output other --set "datasets.corpus.files=[$form]" \
    --set datasets.corpus.fields.text=tokens
says "$work/err" 'datasets.corpus.fields.text: column tokens is a list'
expect 2 "$leakgraph" run golden.yaml --replace --output other --set "datasets.corpus.files=[$form]" \
    --set datasets.corpus.fields.text=body
says "$work/err" 'datasets.corpus.fields.text: there is no column body; the columns are idx, file.body'

# A damaged row group is its rows' loss alone: one line in the list, all of its rows in the counts, and the records
# behind it are who they were.
"$PYTHON" - "$root/tests/golden/parquet/zstd-plain-v1.parquet" <<'PYTHON'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
def damaged(name, count):
    copy, at = bytearray(data), 0
    for _ in range(count):
        at = copy.find(b"\x28\xB5\x2F\xFD", at)
        if at < 0: break
        copy[at] ^= 0x10
    open(name, "wb").write(copy)
damaged("group.parquet", 1)
damaged("all.parquet", 10**6)
PYTHON
rm -rf other
expect 0 "$leakgraph" run golden.yaml --output other --set 'datasets.corpus.files=[group.parquet]'
[ "$(sql other "SELECT record, byte, records, reason FROM rejects WHERE dataset = 'corpus'
                LIMIT 1")" = '0|4|15|corrupt' ] || fail "a damaged row group is not listed as such"
[ "$(sql other "SELECT sum(documents + rejected) FROM splits WHERE dataset = 'corpus'")" = 40 ] ||
    fail "rows are lost in silence"
behind="SELECT group_concat(d, ' ') FROM (SELECT record || source_id || snippet AS d FROM snippets
        WHERE dataset = 'corpus' AND record >= 15 ORDER BY record)"
[ "$(sql other "$behind")" = "$(sql golden "$behind")" ] || fail "records behind a damaged row group are others"
expect 0 "$leakgraph" fsck other
expect 1 "$leakgraph" run golden.yaml --output nothing --set 'datasets.corpus.files=[all.parquet]'
says "$work/err" 'corpus: none of its 40 records could be used'
cat >unread.yaml <<YAML
output: unread
datasets:
  - {name: read, role: corpus, files: [corpus-00.jsonl]}
  - {name: unread, role: corpus, files: [$form]}
dedup: {datasets: [read]}
YAML
expect 0 "$leakgraph" run unread.yaml
says "$work/err" 'unread was not read: no pass of this run asks for it'
! grep -q 'no documents' "$work/err" || fail "a dataset that was not read is said to have no documents"

# What is not read is refused with the way to convert it, never taken for one document.
refused() {    # refused FILES TEXT...
    expect 2 "$leakgraph" run run.yaml --output refused --set "datasets.corpus.files=[\"$1\"]"
    shift
    says "$work/err" "$@"
}
echo body,id >table.csv
gzip -k table.csv
refused table.csv 'there is no column text, content or code; the columns are body,id'
refused table.csv.gz 'there is no column text'
mkdir folder
cp forms/plain.jsonl.gz tree/deep/000000.py folder
refused folder 'holds shards such as plain.jsonl.gz; say .*/folder/\*'
refused 'none/*.jsonl' "^error: --set datasets.corpus.files: no file matches 'none/\*.jsonl' \(there is no $PWD/none\)"
# A path with the characters of a pattern is itself where it exists.
cp corpus-00.jsonl 'corpus-[0].jsonl'
rm -rf other
expect 0 "$leakgraph" run run.yaml --output other --set 'datasets.corpus.files=["corpus-[0].jsonl"]'
same run other
