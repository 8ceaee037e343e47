# What folders and archives hold beside sources is passed over and counted: no reject, no record.
. tests/cli/common.sh
cd "$work"

"$PYTHON" - <<'PYTHON'
import json, os, tarfile, zipfile
def text(name): return " ".join("%s%d" % (name, i) for i in range(40)) + "\n"
def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    open(path, "wb").write(data)
put("./items.jsonl", json.dumps({"id": 1, "text": text("a")}).encode() + b"\n")
put("./outside.py", text("o").encode())
put("./plain.py", text("q").encode())
for path in "a.py deep/b.py deep/er/c.py zz.py".split():
    put("tree/" + path, text(path[-4:][0]).encode())
put("tree/.gitignore", text("i").encode())                  # hidden, but a source
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
put("tree/logo.png", PNG)                                   # between documents: numbers are taken
put("tree/deep/logo.png", PNG)
for path in ".git/config .git/objects/ab/cd .git/hooks/deep/x .hg/store .svn/entries deep/.git".split():
    put("tree/" + path, text("v").encode())
for path in "__pycache__/a.pyc deep/__pycache__/b.pyc deep/__pycache__/c.py".split():
    put("tree/" + path, text("p").encode())
for path in "gen/one.py gen/two.py gen/__pycache__/x.py".split():
    put("tree/" + path, text("g").encode())
os.mkdir("plain")
links = {"link.py": "a.py", "deep/folder": "..", "out": "../outside.py", "dangling.py": "nothing",
         ".git/link": "config"}
for name, to in links.items(): os.symlink(to, "tree/" + name)
with tarfile.open("tree.tar", "w") as out: out.add("tree", arcname=".")
with tarfile.open("tree.tgz", "w:gz") as out: out.add("tree", arcname="")
with zipfile.ZipFile("tree.zip", "w") as out:
    for folder, folders, files in os.walk("tree"):
        for name in sorted(folders + files):
            path = os.path.join(folder, name)
            info = zipfile.ZipInfo(os.path.relpath(path, "tree"))
            info.create_system = 3
            if os.path.islink(path):
                info.external_attr = 0o120777 << 16
                out.writestr(info, os.readlink(path))
            elif os.path.isfile(path):
                info.external_attr = 0o100644 << 16
                out.writestr(info, open(path, "rb").read())
# nothing but what is passed over, behind the last document or without one
with tarfile.open("last.tar", "w") as out:
    out.add("tree/a.py", arcname="a.py")
    out.add("tree/.git", arcname="z/.git")
with tarfile.open("none.tar", "w") as out: out.add("tree/.git", arcname=".git")
os.mkdir("links")
os.symlink("../outside.py", "links/one.py")
PYTHON
cat >run.yaml <<'YAML'
output: out
datasets:
  - {name: items, role: benchmark, language: python, files: [items.jsonl]}
  - {name: code, role: corpus, exclude: [gen], files: [tree]}
near_duplicates: {}
fail_on: {rejects: 0}
YAML

# ---- the counts, the numbers and the gate, whatever the form and the ranks ----
counts='binary=2 cache=3 excluded=3 link=4 vcs=7 '
numbers="SELECT group_concat(id_within_dataset || ' ' || replace(path, './', '')) FROM snippets
         WHERE dataset = 'code'"
for form in tree tree.tar tree.tgz tree.zip; do
    for n in 1 3; do
        out=out$n.$form
        expect 0 ranks $n "$leakgraph" run run.yaml --quiet --output "$out" --set "datasets.code.files=[$form]"
        got=$(sql "$out" "SELECT reason || '=' || files || ' ' FROM skipped WHERE dataset = 'code' ORDER BY reason")
        [ "$(tr -d '\n' <<<"$got")" = "$counts" ] || fail "$form, $n ranks: $got"
        got=$(sql "$out" "SELECT records, rejected, skipped FROM shards WHERE dataset = 'code'")
        [ "$got" = "5|0|19" ] || fail "$form, $n ranks: $got in shards"
        got=$(sql "$out" "SELECT sum(documents), sum(rejected), sum(skipped) FROM splits WHERE dataset = 'code'")
        [ "$got" = "5|0|19" ] || fail "$form, $n ranks: $got in splits"
        [ "$(sql "$out" 'SELECT count(*) FROM rejects')" = 0 ] || fail "$form: rejects"
        [ "$(sql "$out" "$numbers")" = "1 a.py" ] || fail "$form: $(sql "$out" "$numbers")"
        [ $form = tree.zip ] || same out1.tree "$out"
        expect 0 "$leakgraph" fsck "$out"
    done
done
says out3.tree/report.md 'passed over' '^\| code +\| vcs +\| +7 \|' '^\| code +\| binary +\| +2 \|'
# a second time from its units
expect 0 "$leakgraph" run run.yaml --quiet --output out1.tree.tar --set 'datasets.code.files=[tree.tar]'
[ "$(sql out1.tree.tar "SELECT skipped FROM shards WHERE dataset = 'code'")" = 19 ] || fail "lost on resume"

# ---- pass dedup alone, and beside the join ----
expect 0 ranks 3 "$leakgraph" dedup code=tree --output alone --quiet
[ "$(sql alone 'SELECT group_concat(reason || files) FROM skipped')" = binary2,link4,vcs7,cache4 ] ||
    fail "dedup: $(sql alone 'SELECT * FROM skipped')"
[ "$(sql alone 'SELECT sum(documents), sum(skipped) FROM splits')" = "7|17" ] || fail "dedup: splits"
expect 0 "$leakgraph" fsck alone
expect 0 "$leakgraph" run run.yaml --quiet --output both --set 'dedup.datasets=[code]' --set dedup.write=lists
[ "$(sql both "SELECT skipped FROM shards WHERE dataset = 'code'")" = 19 ] || fail "both passes: not counted once"

# ---- the last of an archive, and nothing else ----
for form in last.tar none.tar; do
    expect 0 "$leakgraph" run run.yaml --output $form.out --set "datasets.code.files=[$form]"
    [ "$(sql $form.out "SELECT reason || files FROM skipped")" = vcs4 ] ||
        fail "$form: $(sql $form.out 'SELECT * FROM skipped')"
    expect 0 "$leakgraph" fsck $form.out
done
says none.tar.out/report.md 'code has no documents: all 4 files were passed over'

# ---- named by the user: followed, and a reject ----
expect 3 "$leakgraph" run run.yaml --output named --set 'datasets.code.files=[tree/link.py, tree/logo.png]'
[ "$(sql named "SELECT shard || '|' || records || '|' || rejected FROM shards WHERE dataset = 'code'" | tr '\n' ' ')" \
    = "link.py|1|0 logo.png|1|1 " ] || fail "named: $(sql named 'SELECT * FROM shards')"
[ "$(sql named "SELECT reason || ' ' || detail FROM rejects")" = "invalid-utf8 binary" ] || fail "named: rejects"
[ "$(sql named 'SELECT count(*) FROM skipped')" = 0 ] || fail "named: skipped"
expect 2 "$leakgraph" run run.yaml --output named --set 'datasets.code.files=[links]' --set 'datasets.code.exclude=[]'
says "$work/err" "no file matches 'links' \(in .*links all of 1 are passed over: links"

# ---- what is asked of a folder or taken from it says how many, not which; what is trained on it, nothing ----
for form in tree tree.tar; do
    expect 0 "$leakgraph" query out1.tree $form
    says "$work/out" a.py
    says "$work/err" '7 texts; 17 files passed over \(2 binary, 4 link, 7 vcs, 4 cache\)'
    if grep -q 'logo\|\.git/' "$work/out" "$work/err"; then fail "query tells of what is passed over"; fi
    expect 0 "$leakgraph" extract --unit file $form
    says "$work/err" '7 records of 7 files; .* not told; 17 files passed over \(2 binary, 4 link, 7 vcs, 4 cache\)'
done
expect 0 "$leakgraph" query out1.tree plain.py
if grep -q 'passed over' "$work/err"; then fail "query says that nothing was passed over"; fi
expect 1 "$leakgraph" query out1.tree tree/logo.png
if grep -q 'passed over' "$work/err"; then fail "what is named is passed over"; fi
expect 0 "$leakgraph" train-ngram --corpus c=tree --output m.lm --order 2
[ ! -e m.lm.rejects.tsv ] || fail "train: $(cat m.lm.rejects.tsv)"

# A member of an archive that holds records itself is no document: it is told, with what to do.
mkdir inner inner/data
cp tree/a.py inner/a.py
{ echo '{"id": 1, "text": "a"}'; echo '{"id": 2, "text": "b"}'; } >inner/data/train.jsonl
echo '{"input": "a"}' >inner/data/fixture.jsonl             # no records: it has no text
echo '{"name": "a", "files": [{"text": "a b"}]}' >inner/package.json
tar -cf inner.tar inner
cat >inner.yaml <<'YAML'
output: records
datasets:
  - {name: items, role: benchmark, files: [items.jsonl]}
  - {name: corpus, role: corpus, files: [inner.tar]}
near_duplicates: {}
YAML
expect 0 "$leakgraph" run inner.yaml
found=$(sql records "SELECT sum(documents) FROM splits WHERE dataset = 'corpus'")
[ "$found" = 3 ] || fail "$found documents of an archive"
found=$(sql records 'SELECT reason, path, detail FROM rejects')
[ "$found" = 'records|inner/data/train.jsonl|JSON lines, whose records are read only of a file that `files` names' ] ||
    fail "records in an archive: $found"
expect 0 "$leakgraph" fsck records

# However it is written and called, and whatever the archive.
mkdir many
echo '[{"id": 1, "text": "int a;"}, {"id": 2, "text": "int b;"}]' >many/array.json
printf 'id,text\n1,int a;\n2,int b;\n' >many/table.csv
echo '{"id": 1, "text": "int a;"}' >many/LINES.JSONL
gzip <many/LINES.JSONL >many/LINES.NDJSON.GZ
echo '[{"code": "AD", "name": "a country"}]' >many/countries.json
tar -cf many.tar many
(cd many && python3 -m zipfile -c ../many.zip ./*)
for archive in many.tar many.zip; do
    expect 0 "$leakgraph" run inner.yaml --set output="$archive.out" --set datasets.corpus.files="[$archive]"
    found=$(sql "$archive.out" "SELECT group_concat(what, ', ') FROM (SELECT substr(detail, 1, instr(detail, ',') - 1)
        AS what FROM rejects WHERE reason = 'records' ORDER BY path)")
    [ "$found" = 'JSON lines, packed JSON lines, a JSON array, CSV' ] || fail "$archive: $found"
    found=$(sql "$archive.out" "SELECT sum(documents) FROM splits WHERE dataset = 'corpus'")
    [ "$found" = 1 ] || fail "$archive: $found documents"
done
# A file that is named is read whatever the case of its ending.
cp many/table.csv TABLE.CSV
expect 0 "$leakgraph" run inner.yaml --set output=table --set datasets.corpus.files='[TABLE.CSV]'
found=$(sql table "SELECT sum(documents) FROM splits WHERE dataset = 'corpus'")
[ "$found" = 2 ] || fail "TABLE.CSV: $found documents"
