#!/bin/bash
# audit licence with a served model: settings of the server by --http, a key that is nowhere written, a rerun that asks
# nothing; what is refused.
. "$(dirname "$0")/common.sh"

completions_server
asked() { completions_stats requests; }
export TEST_HTTP_KEY=sk-test-0123456789

"$PYTHON" - "$work/benchmark.jsonl" <<'PYTHON'
import json, sys
with open(sys.argv[1], "w") as out:
    for i in range(24):
        head = "def item_%d(values):\n    \"\"\"Adds %d and %d.\"\"\"\n" % (i, i, i * 7)
        out.write(json.dumps({"id": str(i), "prompt": head, "signature": "def item_%d(values):" % i, "license": "MIT",
                              "reference": "    return values[%d] + values[%d]\n" % (i, i * 7)}) + "\n")
PYTHON
ask() {
    "$leakgraph" audit licence --benchmark "$work/benchmark.jsonl" --model "toy=http:http://127.0.0.1:$port/keyed/v1" \
        --new-tokens 16 --output "$work/out.d" "$@"
}
expect 0 ask --http key_env=TEST_HTTP_KEY --http concurrency=32 --http retries=1
says "$work/err" '24 questions asked'
[ "$(wc -l <"$work/out.d/pairs.tsv")" = 25 ] || fail "not every function has a line"
[ "$(asked)" -ge 24 ] || fail "the server was hardly asked"
expect 2 ask --http key_env=TEST_HTTP_KEY
says "$work/err" 'another configuration'
expect 0 ask --http key_env=TEST_HTTP_KEY --replace
says "$work/err" " 0 questions asked, 24 answers were there"
[ "$(asked)" -lt 24 ] || fail "answers that are there were asked for again"         # opening a model asks a few things
! grep -rqF "$TEST_HTTP_KEY" "$work/out.d" "$work/err" "$work/out" || fail "the key is written"

rm -r "$work/out.d"
expect 1 ask --http retries=0
says "$work/err" 'key'
expect 2 ask --http url=http://127.0.0.1:1/v1
says "$work/err" 'http takes KEY=VALUE of a server'
expect 2 ask --http key_envy=A
says "$work/err" 'did you mean .key_env.'
expect 2 ask --http key_env
expect 2 "$leakgraph" audit licence --pairs "$work/benchmark.jsonl" --http retries=1
says "$work/err" 'http is of --model'
expect 2 "$leakgraph" audit licence --benchmark "$work/benchmark.jsonl" --model toy=replay:none --output "$work/no" \
    --http retries=1
says "$work/err" 'http is of --model NAME=http:URL'
