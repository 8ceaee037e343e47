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
for table in clone_places ngrams sensitive rejects; do
    [ "$(sql other "SELECT * FROM $table")" = "$(sql run_tree "SELECT * FROM $table")" ] || fail "ranks: $table"
done
