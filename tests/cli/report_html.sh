# seconds: 20
# report.html of a run with every capability, and of one that found nothing: well-formed, without anything that a
# browser would fetch, with every section of report.json; its SQL gives rows, the command in it the same digest.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm
cat >all.yaml <<'YAML'
output: all
datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl]}
  - {name: second, role: benchmark, language: python, splits: {train: [second.jsonl], test: [bench.jsonl]}}
  - {name: other, role: corpus, language: python, files: [more.jsonl]}
  - {name: corpus, role: corpus, self_join: exact, language: python, files: [corpus.jsonl, more.jsonl]}
fail_on: {leakage: 99}
YAML
"$PYTHON" "$root/tests/cli/subsets.py" settings >>all.yaml
expect 3 "$leakgraph" run all.yaml --threads 1
cat >empty.yaml <<'YAML'
output: empty
datasets:
  - {name: bench, role: benchmark, files: [none.jsonl]}
  - {name: corpus, role: corpus, files: [corpus.jsonl]}
near_duplicates: {}
YAML
echo '{"text": "<script>alert(1)</script> \u202e \u001b[31m", "path": "\"><img src=x onerror=x>"}' >none.jsonl
expect 0 "$leakgraph" run empty.yaml --threads 1
expect 3 "$leakgraph" run all.yaml --threads 1 --output later --set 'history={runs: all}' --set fail_on.leakage=5

# Models, two benchmarks and a truth: curves and bins.
cat >known.yaml <<'YAML'
output: known
datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl]}
  - {name: second, role: benchmark, files: [second.jsonl]}
  - {name: corpus, role: corpus, files: [corpus.jsonl]}
near_duplicates: {min_tokens: 5}
probe: {models: [{name: m, path: model.lm}, {name: n, path: model.lm}], metrics: [nll, accuracy], truth: near}
YAML
expect 0 "$leakgraph" run known.yaml --threads 1
[ "$(grep -c '<figcaption>ROC curves' known/report.html)" -ge 2 ] || fail "no ROC curves"
[ "$(grep -c '<figcaption>Items by nll' known/report.html)" -ge 2 ] || fail "no histograms"
grep -q 'FROM probe_benchmarks WHERE metric' known/report.html || fail "no query below the means"
grep -q 'direct_percent FROM leakage_within WHERE' all/report.html || fail "no query below the matrix of splits"

for run in all empty later known; do
    "$PYTHON" "$root/tests/cli/report_html.py" $run || fail "report.html of $run"
done

# report.json is as docs/report.schema.json says, which takes nothing that it does not name
for python in "$PYTHON" /usr/bin/python3 ""; do
    [ -z "$python" ] || ! "$python" -c 'import jsonschema' 2>/dev/null || break
done
if [ -n "$python" ]; then
    "$python" - "$root/docs/report.schema.json" all/report.json empty/report.json later/report.json \
        known/report.json \
        <<'PYTHON' || fail "the schema"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
check = jsonschema.Draft7Validator(schema)
for name in sys.argv[2:]:
    report = json.load(open(name))
    assert name != "later/report.json" or report["history"]["changes"] and report["history"]["trend"]
    found = [(list(e.path), e.message[:200]) for e in check.iter_errors(report)]
    assert not found, (name, found[:3])
    for where, key in ((report, "odd"), (report["compared"]["datasets"][0], "odd"), (report, "schema")):
        was = where.get(key)
        where[key] = 7
        assert not check.is_valid(report), (name, key)
        where[key] = was
        if was is None: del where[key]
    del report["compared"]["datasets"][0]["role"]
    assert not check.is_valid(report), name
PYTHON
else
    echo "no python3-jsonschema here: reports were not compared with the schema"
fi

# the commands as they are written, in a copy
cp -r all copy
(
    cd copy
    "$PYTHON" -c 'import json; print(json.load(open("report.json"))["run"]["commands"], end="")' >commands
    grep -q 'leakgraph run' commands || exit 1
    PATH=$BUILD:$PATH
    while read -r line; do
        status=0
        $line >../out 2>../err </dev/null || status=$?
        [ $status = 0 ] || [ $status = 3 ] || { cat ../err; exit 1; }           # the gate fails there as here
    done <commands
) || fail "the commands of the report"
same all again

# the page is the same again
cp all/report.html first.html
expect 0 "$leakgraph" report all
cmp all/report.html first.html || fail "another page of the same graph.db"
