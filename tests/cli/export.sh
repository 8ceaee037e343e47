# Exports: every thing in every format, read back by other programs; the published tables; hostile names; refusals.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 60 --corpus 300 --shards 2
cd "$work/sets"
cat >hostile.jsonl <<'JSON'
{"id": "=cmd()", "path": "a\tb\nc\rd\"e\",<f>&g\\h", "repo": "@x/y", "text": "TEXT"}
{"id": "\u001b[31m\u202e", "path": "]]><!--\u0000\uffff\u0085\u2028é😀", "repo": "-1+1", "text": "TEXT"}
JSON
"$PYTHON" - <<'PYTHON'
import json
text = json.dumps(json.loads(open("bench.jsonl").readline())["text"])[1:-1]
lines = open("hostile.jsonl").read().replace("TEXT", text)
lines += json.dumps({"id": "long", "path": "p" * (1 << 20), "text": json.loads('"%s"' % text)}) + "\n"
open("hostile.jsonl", "wb").write(lines.encode().replace(b"]]>", b"]]>\xff\xc3("))
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl], fields: {split: split}}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"], self_join: exact}
  - {name: hostile, role: corpus, language: python, files: [hostile.jsonl]}
near_duplicates: {view: identifiers, functions: fast}
ngrams: {n: [8, 13]}
dedup: {threshold: 0.7, min_tokens: 5, measure: 0, datasets: [corpus]}
clean:
  - {name: without, drop: documents, dataset: corpus, where: near}
fail_on: {leakage: 100}
YAML
expect 0 "$leakgraph" run run.yaml --quiet

for thing in pairs items removed clusters rules; do
    for format in tsv csv jsonl parquet; do
        "$leakgraph" export run $thing --format $format >$thing.$format
        expect 0 "$leakgraph" export run $thing --output again.$format
        cmp $thing.$format again.$format || fail "$thing as $format differ the second time"
    done
done
"$PYTHON" "$root/tests/cli/export.py" tables run .
for thing in pairs items removed; do
    for format in graphml gexf; do "$leakgraph" export run $thing --format $format >$thing.$format; done
done
if command -v xmllint >/dev/null; then xmllint --huge --noout ./*.graphml ./*.gexf || fail "that is no XML"
else echo "no xmllint here"; fi
if "$PYTHON" -c 'import networkx' 2>/dev/null; then "$PYTHON" "$root/tests/cli/export.py" graphs run .
else echo "no networkx here"; fi
for thing in items pairs; do
    "$leakgraph" export run $thing --format sarif >$thing.sarif
    "$PYTHON" "$root/tests/cli/export.py" sarif $thing.sarif \
        "$(sql run "SELECT count(*) FROM $([ $thing = items ] && echo 'items WHERE leaked' ||
            echo "pairs WHERE pass <> 'dedup' AND kind <> 'below'")")"
done
# Parquet by another reader, where npm_packages.sh has fetched it.
readers=$root/node_modules/.readers/node_modules
if command -v node >/dev/null && [ -d "$readers/@duckdb" ]; then
    node "$root/tests/cli/export.mjs" "$readers" . pairs items removed clusters rules || fail "DuckDB reads other rows"
else echo "no DuckDB here: scripts/npm_packages.sh readers node_modules/.readers"; fi

# ---- the published tables ----
expect 0 "$leakgraph" export run --format interduplication --output interduplication.db
"$PYTHON" "$root/tests/cli/export.py" idd run interduplication.db

# ---- metadata, beside the database ----
expect 0 "$leakgraph" export run --format datasette --output run/metadata.json
"$PYTHON" -c 'import json; json.load(open("run/metadata.json"))'
expect 0 "$leakgraph" fsck run

# ---- what is chosen ----
[ "$("$leakgraph" export run items --benchmark bench --leaked --columns source_id --no-header | sort)" = \
  "$(sql run "SELECT source_id FROM leaked_items WHERE dataset = 'bench'" | sort)" ] || fail "leaked ids differ"
[ "$("$leakgraph" export run pairs --benchmark bench --dataset corpus --kind exact --columns a --no-header | wc -l)" = \
  "$(sql run "SELECT count(*) FROM pairs WHERE kind = 'exact' AND a_dataset = 'bench' AND b_dataset = 'corpus'")" ] ||
    fail "other pairs"

# ---- where it goes ----
"$leakgraph" export run pairs | head -1 >/dev/null          # nobody listens any more
status=0
"$leakgraph" export run pairs >/dev/full 2>err || status=$?
[ $status = 1 ] || fail "a full disk ends with $status"
says err 'standard output'
# A limit on the length of files is an error, and no signal: nothing of the file stays.
mkdir short
expect 1 sh -c 'ulimit -f 1; exec "$0" export run pairs --format jsonl --output short/pairs.jsonl' "$leakgraph"
says "$work/err" 'short/pairs\.jsonl: cannot write: File too large'
[ -z "$(ls -A short)" ] || fail "a file that was not finished stayed"
"$PYTHON" - "$leakgraph" <<'PYTHON'
import os, pty, subprocess, sys
leader, terminal = pty.openpty()
done = subprocess.run([sys.argv[1], "export", "run", "pairs", "--format", "parquet"], stdout=terminal,
                      stderr=subprocess.PIPE)
assert done.returncode == 2 and b"not for a terminal: --output FILE" in done.stderr, done
PYTHON
