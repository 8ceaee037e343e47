# licences: those of records and of texts, from the table that is compiled in to graph.db, report, show and extract.
. "$(dirname "$0")/common.sh"

"$PYTHON" scripts/licence_table.py >"$work/table.c" || fail "no table of data/licences.json"
cmp "$work/table.c" pipeline/licence/table.c || fail "pipeline/licence/table.c is not data/licences.json as C"

# Four functions that are in files: with a field, with a header, with both, with neither; and a fifth as a whole file.
cd "$work"
"$PYTHON" - <<'PYTHON'
import json
GPL = ("# Copyright (C) 2001-2004 Jane Doe <jane@doe.org>\n# This program is free software; you can redistribute it "
       "and/or modify it under the\n# terms of the GNU General Public License as published by the Free Software "
       "Foundation;\n# either version 2 of the License, or (at your option) any later version.\n\n")
def function(i):
    return "def total_%d(rows, limit_%d):\n" % (i, i) + "".join(
        "    value_%d_%d = rows[%d] + limit_%d * scale_%d\n" % (i, k, k, i, k) for k in range(12)) + "    return rows\n"
items = [function(i) for i in range(5)]
others = "".join("\n\ndef other_%d(a):\n    return a + %d\n" % (k, k) for k in range(30))
with open("bench.jsonl", "w") as file:
    for i, item in enumerate(items):
        file.write(json.dumps({"id": "item-%d" % i, "text": item}) + "\n")
with open("corpus.jsonl", "w") as file:
    for i, item in enumerate(items):
        record = {"id": "file-%d" % i, "path": "f%d.py" % i, "text": item + others if i < 4 else GPL + item}
        if i in (1, 2):
            record["text"] = GPL + record["text"]
        if i in (0, 2):
            record["license"] = "MIT"
        file.write(json.dumps(record) + "\n")
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
near_duplicates: {min_tokens: 5}
clones: {types: [1]}
YAML
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run

# The field wins, the text is asked where there is none; of a function that is found it is its file's.
[ "$(sql run "SELECT path, license, license_class FROM function_pairs ORDER BY path")" = "f0.py|MIT|permissive
f1.py|GPL-2.0-or-later|strong copyleft
f2.py|MIT|permissive
f3.py||" ] || fail "licences of files with functions"
[ "$(sql run "SELECT DISTINCT path, license, license_class FROM clone_pairs WHERE path < 'f4' ORDER BY 1")" = \
    "$(sql run "SELECT path, license, license_class FROM function_pairs ORDER BY path")" ] || fail "licences of clones"
[ "$(sql run "SELECT license, license_class, license_from, holders FROM snippets WHERE path = 'f4.py'")" = \
    "GPL-2.0-or-later|strong copyleft|text|Jane Doe" ] || fail "the licence of a document"
[ "$(sql run "SELECT class, items, only FROM leak_classes ORDER BY class")" = "none|1|1
permissive|2|2
strong copyleft|2|2" ] || fail "classes: $(sql run "SELECT * FROM leak_classes")"
says run/report.md 'Licences of the leaked documents' 'bench +\| GPL-2.0-or-later +\| strong copyleft +\| +2 +\| +40.00'
expect 0 "$leakgraph" show run corpus:file-4
says out 'licence +GPL-2.0-or-later \(strong copyleft, as its text says\)' 'holders +Jane Doe'

# No digest has licences in it.
cp -r run.yaml other.yaml
sed -i 's/^output: run/output: other/; s/corpus.jsonl/plain.jsonl/' other.yaml
sed 's/"license": "MIT"/"license": "GPL-3.0"/' corpus.jsonl >plain.jsonl
expect 0 "$leakgraph" run other.yaml
same run other

# extract asks once a file, in lines of functions and of files.
printf '# SPDX-License-Identifier: Apache-2.0 OR MIT\ndef f(a):\n    return a\n\ndef g(a):\n    return a\n' >two.py
printf 'def h(a):\n    return a\n' >plain.py
expect 0 "$leakgraph" extract --quiet two.py plain.py
[ "$(grep -c '"license": "Apache-2.0 OR MIT", "license_class": "permissive"' out)" = 2 ] || fail "extract: $(cat out)"
[ "$(grep -c licens out)" = 2 ] || fail "extract: a licence of nothing"
expect 0 "$leakgraph" extract --quiet --unit file two.py
says out '"license_class": "permissive"'
