# Inter-dataset duplication, the published end-to-end example: shares of whole datasets, representatives, what is found
# of a corpus, and what a deleted snippet takes along.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
d1, d2, d3 = "a b c d e f g h i j", "a b c d e f g h i k", "a b c d e f g h l k"
z, w, small = "z1 z2 z3 z4 z5 z6", "w1 w2 w3 w4 w5 w6", "s1 s2 s3 s4"
def write(name, rows):
    with open(name, "w") as file:
        file.writelines(json.dumps({"text": t, "split": s}) + "\n" for s, t in rows)
write("tlc.jsonl", [("train", d2), ("test", d3), ("test", z), ("test", w), ("train", w), ("test", small)])
write("csn.jsonl", [("", d1), ("", z), ("", small)] + [("", "x%d y%d u%d v%d t%d" % ((i,) * 5)) for i in range(97)])
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: tlc, role: benchmark, language: python, files: [tlc.jsonl], fields: {split: split}}
  - {name: csn, role: corpus, language: python, files: [csn.jsonl]}
near_duplicates: {min_tokens: 5}
YAML
expect 0 "$leakgraph" run run.yaml
says out '^tlc +csn +all +6 +5 +2 +33\.33 +0 +1 +3 +50\.00$'
expect 0 "$leakgraph" fsck run

is() { [ "$1" = "$2" ] || fail "$1 instead of $2"; }
views="SELECT split, documents, found, idd, representatives, representatives_found, round(idd_of_representatives, 2)
       FROM idd WHERE source = 'tlc' AND language = '' ORDER BY split"
# d2 and d3 are one cluster with d1, w and w are one: four documents stand for six.
is "$(sql run "$views")" "|6|3|50.0|4|2|50.0
test|4|2|50.0|3|1|33.33
train|2|1|50.0|1|1|100.0"
is "$(sql run "SELECT found, idd, ifnull(representatives, '-') FROM idd WHERE source = 'csn'
               AND language = 'python'")" "2|2.0|-"
is "$(sql run "SELECT dataset, split, cluster = snippet, members FROM representatives")" "tlc|train|1|2
tlc|test|1|1
tlc|test|1|2
csn||0|1
csn||0|1"
# Of the corpus snippets has three documents of a hundred: two were found, 2 % and not 67.
is "$(sql run "SELECT * FROM all_documents WHERE dataset = 'csn'")" "csn||python|100|3"
is "$(sql run "SELECT found, found_percent FROM found_elsewhere WHERE dataset = 'csn'")" "2|2.0"
is "$(sql run "SELECT sum(found), sum(documents) FROM found_elsewhere WHERE dataset = 'tlc'")" "3|6"

# A deleted snippet takes its own pairs along, no others: not even the smallest of a cluster, which gives it its name.
pairs="SELECT snippet1, snippet2 FROM duplicates ORDER BY 1, 2"
before=$(sql run "$pairs")
is "$(wc -l <<<"$before")" 5
"$PYTHON" - run/graph.db <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("PRAGMA foreign_keys = ON")
    database.execute("DELETE FROM snippets WHERE id = 1")
PYTHON
is "$(sql run "$pairs")" "$(grep -v '^1|' <<<"$before")"
