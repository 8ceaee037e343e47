# Repositories of a benchmark in two versions of a corpus, by name and by content, counted by hand; the same on ranks,
# again, and after another scanner.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
def write(path, rows):
    with open(path, "w") as out:
        for row in rows: out.write(json.dumps(row) + "\n")
def code(seed, lines=12): return "".join("value_%s_%d = compute_%s(%d)\n" % (seed, i, seed, i) for i in range(lines))
def near(seed): return code(seed).replace("value_%s_3" % seed, "renamed")
write("bench.jsonl", [
    {"id": "a1", "repo": "Acme/Tool", "text": code("a1")}, {"id": "a2", "repo": "acme/tool", "text": code("a2")},
    {"id": "a3", "repo": "https://github.com/ACME/tool.git", "text": code("a3")},
    {"id": "a4", "repo": "acme/tool/", "text": code("a4")},
    {"id": "a5", "repo": "acme/tool", "text": " \n\n"},                              # white space alone: nobody's
    {"id": "o1", "repo": "old/name", "text": code("o1")},
    {"id": "l1", "repo": "lost/gone", "text": code("l1")},
    {"id": "s1", "repo": "lost/shared", "text": code("a1")},                         # also a file of acme/tool
    {"id": "n1", "text": code("n1")},                                                # no repository
    {"id": "p1", "path": "org/byPath/src/x.py", "text": code("p1")}])
write("v1.jsonl", [
    {"repo": "ACME/tool", "text": code("a1")}, {"repo": "acme/tool", "text": "x = 1\n"},        # a1 exact at home
    {"repo": "vendor/copy", "text": code("a2")}, {"repo": "vendor/copy", "text": code("a2")},   # a2 elsewhere, twice
    # a3 elsewhere, other white space
    {"repo": "vendor/copy", "text": code("a3").replace("\n", "\n\n")},
    {"text": code("a3").replace("\n", "\n  ")},                                                 # and under no name
    {"repo": "new/name", "text": "y = 2\n"},
    {"repo": "third/party", "text": near("l1")},                                                # near, with pass near
    {"text": " \n\n"}, {"text": code("n1")}])
write("v2.jsonl", [{"repo": "git@host.org:Other/Place.git", "text": code("o1")},
                   {"path": "./ORG/bypath/y.py", "text": "z = 3\n"}, {"repo": "lost", "text": "q\n"}])
open("renames.tsv", "w").write("# old, new\nOld/Name\tmiddle/name\nmiddle/name\tnew/name\n")
open("run.yaml", "w").write("""
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: v1, role: corpus, language: python, files: [v1.jsonl]}
  - {name: v2, role: corpus, language: python, files: [v2.jsonl]}
repositories: {renames: renames.tsv, path_components: 2}
""")
PYTHON
rows() {
    sql "$1" "SELECT corpus, repo, by_name, by_content, documents, files, exact, near, elsewhere FROM repositories
              ORDER BY 1, 2"
}
copies() { sql "$1" "SELECT corpus, repo, other_repo, exact, near FROM repository_copies ORDER BY rowid"; }

expect 0 "$leakgraph" run run.yaml
[ "$(rows run)" = 'v1|acme/tool|1|1|2|4|2|1|2
v1|lost/gone|0|0|0|1|0|0|0
v1|lost/shared|0|1|0|1|1|0|1
v1|new/name|1|0|1|1|0|0|0
v1|org/bypath|0|0|0|1|0|0|0
v2|acme/tool|0|0|0|4|0|0|0
v2|lost/gone|0|0|0|1|0|0|0
v2|lost/shared|0|0|0|1|0|0|0
v2|new/name|0|1|0|1|1|0|1
v2|org/bypath|1|0|1|1|0|0|0' ] || fail "repositories: $(rows run)"
[ "$(copies run)" = 'v1|acme/tool|vendor/copy|1|1
v1|acme/tool||0|1
v1|lost/shared|acme/tool|1|0
v2|new/name|other/place|1|0' ] || fail "copies: $(copies run)"
expect 0 "$leakgraph" fsck run
reference_sql "$PWD/run/graph.db" repositor
cp -r run changed
sqlite3 changed/graph.db 'UPDATE repositories SET documents = documents + 1 WHERE rowid = 1' 2>/dev/null ||
    "$PYTHON" -c \
    'import sqlite3; d = sqlite3.connect("changed/graph.db")
d.execute("UPDATE repositories SET documents = documents + 1 WHERE rowid = 1"); d.commit()'
expect 1 "$leakgraph" fsck changed
says "$work/out" 'FAIL *digest'
says run/report.md 'acme/tool' '40\.00 %' 'vendor/copy'
[ "$(sql run 'SELECT sum(documents) FROM splits')" = 23 ] ||
    fail "documents: $(sql run 'SELECT sum(documents) FROM splits')"

# Any ranks, any threads; the resolved file from another folder.
expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks --threads 2
same run ranks
mkdir -p other
expect 0 env --chdir=other "$leakgraph" run ../run/config.resolved.yaml --output ../resolved
same run resolved
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'units=3 reused=3'

# Pass near tells what is nearly equal instead: l1 with one name renamed, not the white space of a3, which its view
# passes over, so a3 too.
expect 0 "$leakgraph" run run.yaml --output near --set near_duplicates.min_tokens=5 \
    --set near_duplicates.set_threshold=0.8
[ "$(sql near "SELECT exact, near, elsewhere FROM repositories WHERE corpus = 'v1'
               AND repo = 'lost/gone'")" = '0|1|1' ] || fail "near: $(rows near)"
[ "$(sql near "SELECT exact, near, elsewhere FROM repositories WHERE corpus = 'v1'
               AND repo = 'acme/tool'")" = '2|1|2' ] || fail "near: $(rows near)"
expect 0 "$leakgraph" fsck near
expect 0 ranks 2 "$leakgraph" run run.yaml --output near2 --set near_duplicates.min_tokens=5 \
    --set near_duplicates.set_threshold=0.8
same near near2
[ "$(sql near "SELECT count(*) FROM run WHERE key
               IN ('seconds.scanner.near', 'seconds.scanner.repositories', 'seconds.scanner.shared')")" = 3 ] ||
    fail "no seconds of scanners"

# A scanner that is switched on later reads the shards again, but the units of the other are not made anew: 1 collected,
# 2 scanned for pairs, 2 for passages and 2 for renamed items.
sed '/^repositories/d' run.yaml >alone.yaml
expect 0 "$leakgraph" run alone.yaml --output later --set near_duplicates.min_tokens=5 \
    --set near_duplicates.set_threshold=0.8
[ "$(sql later 'SELECT count(*) FROM repositories')" = 0 ] || fail "repositories without the key"
expect 0 "$leakgraph" run run.yaml --replace --output later --set near_duplicates.min_tokens=5 \
    --set near_duplicates.set_threshold=0.8
says "$work/err" 'units=9 reused=7'
same near later

# Names that are no UTF-8 are one where graph.db cannot tell them apart, and no copies of each other.
"$PYTHON" - <<'PYTHON'
import io, tarfile
for corpus in 0, 1:
    with tarfile.open(("bench.tar", "corpus.tar")[corpus], "w", encoding="latin-1", format=tarfile.GNU_FORMAT) as tar:
        for path, text in ("J\xe4rg/x/a.py", b"a = 1\n"), ("J\xf6rg/x/b.py", b"b = 2\n"), ("vendor/x/b.py", b"b = 2\n"):
            info = tarfile.TarInfo(path.replace("\xe4", "\xf6") if corpus else path)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
PYTHON
cat >bytes.yaml <<'YAML'
output: bytes
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.tar]}
  - {name: v1, role: corpus, language: python, files: [corpus.tar]}
repositories: {path_components: 2}
YAML
expect 0 "$leakgraph" run bytes.yaml
[ "$(sql bytes 'SELECT hex(repo), documents, files, exact, elsewhere FROM repositories')" = '6AEFBFBD72672F78|2|2|2|1
76656E646F722F78|1|1|1|1' ] ||
    fail "names of bytes: $(sql bytes 'SELECT hex(repo), documents, files, exact, elsewhere FROM repositories')"
expect 0 "$leakgraph" fsck bytes

# Where no record names a repository the gate says how one is named.
printf '{"id": "n1", "text": "def f(a):\\n    return a + 1\\n"}\n' >nameless.jsonl
expect 3 "$leakgraph" run run.yaml --output nameless --set 'datasets.0.files=nameless.jsonl' \
    --set fail_on.repositories=0
says "$work/err" 'no record of a benchmark names its repository .datasets\.NAME\.fields says'

# Links that are more than `memory` count as those that are not.
"$PYTHON" - <<'PYTHON'
import json
def write(path, count, repo, own):
    with open(path, "w") as out:
        for i in range(count):
            words = ["value_%d" % w for w in range(30)]
            words[15] = "%s%d" % (own, i)
            out.write(json.dumps({"repo": repo, "text": " = ".join(words)}) + "\n")
write("items.jsonl", 200, "acme/items", "own")
write("others.jsonl", 100, "vendor/others", "other")
PYTHON
cat >links.yaml <<'YAML'
datasets:
  - {name: items, role: benchmark, language: python, files: [items.jsonl]}
  - {name: others, role: corpus, language: python, files: [others.jsonl]}
near_duplicates: {min_tokens: 5}
repositories: {}
YAML
expect 0 "$leakgraph" run links.yaml --output links
expect 0 "$leakgraph" run links.yaml --output spilled --set memory=4MB
[ "$(sql spilled 'SELECT near FROM repositories')" = 200 ] || fail "near: $(sql spilled 'SELECT * FROM repositories')"
same links spilled

# Mistakes: a list that is none, names in a circle, a file that is not there, a benchmark that is a corpus.
printf 'one\n' >renames.tsv
expect 2 "$leakgraph" run run.yaml --output wrong
says "$work/err" 'renames.tsv:1: a line must be'
printf 'a/b\tc/d\nc/d\ta/b\n' >renames.tsv
expect 2 "$leakgraph" run run.yaml --output wrong
says "$work/err" 'in a circle'
printf 'a/b\tc/d\nA/B\te/f\n' >renames.tsv
expect 2 "$leakgraph" run run.yaml --output wrong
says "$work/err" 'renames.tsv:2: this name is renamed'
expect 2 "$leakgraph" run run.yaml --output wrong --set repositories.renames=nowhere.tsv
says "$work/err" 'renames names a file that is not there: /.*/nowhere.tsv'
: >renames.tsv
expect 2 "$leakgraph" run run.yaml --output wrong --set repositories.benchmarks=v1
says "$work/err" '.v1. has not .role: benchmark'
expect 0 "$leakgraph" run run.yaml --output plain
[ "$(sql plain "SELECT by_name || by_content FROM repositories WHERE repo = 'new/name'")" = '' ] ||
    fail "renamed without a list"
[ "$(sql plain "SELECT by_name || by_content FROM repositories WHERE repo = 'old/name' AND corpus = 'v1'")" = 00 ] ||
    fail "an empty list of renames"
