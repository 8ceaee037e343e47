# Places tell their documents: the path and the line of what line clones, n-grams and sensitive strings found, and of
# what could not be read, in a folder, in archives and in JSON lines; the same with more ranks.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import io, json, os, random, tarfile, zipfile
random.seed(3)
word = lambda: "".join(random.choice("abcdefgh") for _ in range(6))
line = lambda: "    %s = %s(%s)" % (word(), word(), word())
shared = [line() for _ in range(10)]
files = {}
for n in range(40): files["src/deep/f%02d.py" % n] = [line() for _ in range(30)]
files["src/deep/f17.py"][11:11] = shared                        # it begins in line 12
files["src/deep/f21.py"][5:5] = ["# mail jane.roe@corp-mail.org"]
files["src/deep/f30.py"][6:6] = ["# jane.roe@corp-mail.org"]
odd = b"text = \xff\n"
with open("bench.jsonl", "w") as out:
    out.write(json.dumps({"id": "own", "path": "exam/q1.py", "text": "\n".join([line()] * 2 + shared)}) + "\n")
    out.write(json.dumps({"id": "none", "text": "\n".join(line() for _ in range(20))}) + "\n")
packed, tar = zipfile.ZipFile("corpus.zip", "w", zipfile.ZIP_DEFLATED), tarfile.open("corpus.tar.gz", "w:gz")
lines = open("corpus.jsonl", "w")
for path, text in sorted([(p, "\n".join(t).encode()) for p, t in files.items()] + [("src/odd.py", odd)]):
    os.makedirs(os.path.dirname("tree/" + path), exist_ok=True)
    open("tree/" + path, "wb").write(text)
    packed.writestr(path, text)
    entry = tarfile.TarInfo(path)
    entry.size = len(text)
    tar.addfile(entry, io.BytesIO(text))
    if text != odd: lines.write(json.dumps({"text": text.decode(), "path": path}) + "\n")
lines.write('{"path": "src/odd.py", "text": \n')
packed.close(), tar.close(), lines.close()
for name in "tree", "corpus.zip", "corpus.tar.gz", "corpus.jsonl":
    with open(name.replace(".", "_") + ".yaml", "w") as out: out.write("""
output: run_%s
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, utf8: reject, files: [%s]}
line_clones: {}
ngrams: {n: [8, 13]}
sensitive: {datasets: [bench, corpus]}
graph: {store: none}
""" % (name.replace(".", "_"), name))
PYTHON

for form in tree corpus_zip corpus_tar_gz corpus_jsonl; do
    expect 0 "$leakgraph" run $form.yaml
    run=run_$form
    [ "$(sql $run "SELECT DISTINCT path, line FROM clone_places WHERE dataset = 'corpus'")" = 'src/deep/f17.py|12' ] &&
        [ "$(sql $run "SELECT DISTINCT path, line FROM clone_places WHERE dataset = 'bench'")" = 'exam/q1.py|3' ] ||
        fail "$form: places of blocks: $(sql $run 'SELECT * FROM clone_places')"
    [ "$(sql $run 'SELECT path, corpus, block_lines, block_path, block_line FROM clone_documents')" = \
        'exam/q1.py|corpus|10|src/deep/f17.py|12' ] &&
        [ "$(sql $run 'SELECT path, first_line, last_line FROM clone_spans')" = 'exam/q1.py|3|12' ] ||
        fail "$form: documents with blocks: $(sql $run 'SELECT * FROM clone_documents')"
    [ "$(sql $run "SELECT DISTINCT source_id, run_path, run_line FROM ngrams AS g JOIN snippets AS s ON s.id = g.snippet
                   WHERE found = longest_run AND found > 0")" = 'own|src/deep/f17.py|12' ] ||
        fail "$form: the longest run: $(sql $run 'SELECT * FROM ngrams')"
    [ -z "$(sql $run "SELECT * FROM ngrams WHERE run_shard IS NULL AND ifnull(run_path, run_line) IS NOT NULL")" ] ||
        fail "$form: no run, and a place"
    [ "$(sql $run "SELECT path, line FROM sensitive WHERE dataset = 'corpus'")" = 'src/deep/f21.py|6' ] ||
        fail "$form: sensitive: $(sql $run 'SELECT * FROM sensitive')"
    says $run/report.md 'src/deep/f17\.py:12' 'exam/q1\.py:3'
    if [ $form = corpus_jsonl ]; then
        [ "$(sql $run 'SELECT count(*), path FROM rejects')" = '1|' ] ||
            fail "$form: $(sql $run 'SELECT * FROM rejects')"
    else
        [ "$(sql $run 'SELECT path FROM rejects')" = src/odd.py ] || fail "$form: $(sql $run 'SELECT * FROM rejects')"
        says $run/report.md 'src/odd\.py'
    fi
    expect 0 "$leakgraph" fsck $run
done
expect 0 ranks 3 "$leakgraph" run tree.yaml --output other
for table in clone_places clone_documents clone_spans ngrams sensitive rejects; do
    [ "$(sql other "SELECT * FROM $table")" = "$(sql run_tree "SELECT * FROM $table")" ] || fail "ranks: $table"
done

# Every such place leads to its text, which graph.db does not store: by path, path and line, shard and record.
declare -A shard=([tree]=tree [corpus_zip]=corpus.zip [corpus_tar_gz]=corpus.tar.gz [corpus_jsonl]=corpus.jsonl)
for form in tree corpus_zip corpus_tar_gz corpus_jsonl; do
    run=run_$form
    for name in src/deep/f17.py src/deep/f17.py:12 "${shard[$form]}:17" "${shard[$form]}:17:12" \
                "corpus:${shard[$form]}:17" corpus:17; do
        expect 0 "$leakgraph" show $run "$name"
        says "$work/out" "corpus:${shard[$form]}:17  not stored" 'record 17'
        sed '1,/^$/d' "$work/out" | diff - <(cat tree/src/deep/f17.py; echo) >/dev/null ||
            fail "$form: the text of $name"
    done
    expect 0 "$leakgraph" show $run exam/q1.py src/deep/f17.py:12
    says "$work/out" '^snippet 1 ' 'f17\.py' '^@@' "^ $(sed -n 12p tree/src/deep/f17.py | sed 's/[().]/\\&/g')"
    expect 0 "$leakgraph" show $run "${shard[$form]}:40"
    says "$work/out" 'could not be used'
    expect 1 "$leakgraph" show $run "${shard[$form]}:41"
    expect 0 "$leakgraph" show $run/graph.db src/deep/f17.py       # the file instead of its folder
    # what no table has is looked for in the datasets
    for name in src/deep/f16.py src/deep/f16.py:3 corpus:16; do
        expect 0 "$leakgraph" show $run "$name"
        says "$work/out" "corpus:${shard[$form]}:16  not stored"
        sed '1,/^$/d' "$work/out" | diff - <(cat tree/src/deep/f16.py; echo) >/dev/null ||
            fail "$form: the text of $name"
    done
    expect 0 "$leakgraph" show $run bench:none
    says "$work/out" 'bench\.jsonl:1 |^snippet '
    expect 1 "$leakgraph" show $run src/deep/f99.py
done

# Beside files that are passed over too, a number and a path lead to the document.
mkdir -p some
for n in 1 2 3; do printf 'text %s\n' $n $n $n >some/$n.py; printf '\0\1\2' >some/$n.bin; done
cat >some.yaml <<'YAML'
output: some_run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: s, role: corpus, language: python, files: [some]}
near_duplicates: {}
graph: {store: none}
YAML
expect 0 "$leakgraph" run some.yaml
expect 0 "$leakgraph" show some_run s:2
says "$work/out" '3\.py'
expect 1 "$leakgraph" show some_run s:3

# One path in two places: both are named.  A shard that is another one, or gone, is said to be so.
"$PYTHON" - <<'PYTHON'
rows = open("corpus.jsonl").readlines()
open("twice.jsonl", "w").writelines(rows[17:18] + rows[3:5] + rows[17:18])
PYTHON
sed 's/corpus\.jsonl/twice.jsonl/; s/run_corpus_jsonl/twice/' corpus_jsonl.yaml >twice.yaml
expect 0 "$leakgraph" run twice.yaml
expect 1 "$leakgraph" show twice src/deep/f17.py
says "$work/err" 'several documents: corpus:twice\.jsonl:0, corpus:twice\.jsonl:3'
touch twice.jsonl
expect 0 "$leakgraph" show twice twice.jsonl:3
says "$work/out" "$(sed -n 30p tree/src/deep/f17.py | sed 's/[().]/\\&/g')"
sed -i 's/src/Src/' twice.jsonl
expect 0 "$leakgraph" show twice twice.jsonl:3
says "$work/out" 'has changed since the run: its content'
echo >>twice.jsonl
expect 0 "$leakgraph" show twice twice.jsonl:3
says "$work/out" 'has changed since the run: [0-9]+ bytes'
rm twice.jsonl
expect 0 "$leakgraph" show twice twice.jsonl:3
says "$work/out" 'not to be read: .*twice\.jsonl'
