#!/bin/bash
# `http` in a whole run: probes of a served model, on one rank and on two; a rerun that asks nothing; a budget that ends
# a run and lets the next go on; a key that is nowhere written.
. "$(dirname "$0")/common.sh"

completions_server
asked() { completions_stats requests; }
export TEST_HTTP_KEY=sk-test-0123456789

"$PYTHON" - "$work/items.jsonl" <<'PYTHON'
import json, sys
with open(sys.argv[1], "w") as out:
    for i in range(12):
        text = "def item_%d(values):\n    return values[%d] + values[%d]  # caf\u00e9 \U0001F600\n" % (i, i, i * 7)
        out.write(json.dumps({"id": str(i), "text": text}) + "\n")
PYTHON
cat >"$work/run.yaml" <<YAML
datasets:
  - {name: items, role: benchmark, files: [items.jsonl]}
probe:
  models:
    - {name: toy, backend: http, url: "http://127.0.0.1:$port/keyed/v1", key_env: TEST_HTTP_KEY, cache: cache,
       retries: 1}
  metrics: [tokens, nll, perplexity, min_k]
YAML

expect 0 "$leakgraph" run "$work/run.yaml" --output "$work/one" --quiet
[ "$(asked)" -ge 12 ] || fail "the server was hardly asked"
[ "$(sql "$work/one" "SELECT count(*) FROM probes WHERE metric = 'nll'")" = 12 ] || fail "not every item has a value"
expect 0 ranks 2 "$leakgraph" run "$work/run.yaml" --output "$work/two" --quiet
[ "$(asked)" = 0 ] || fail "answers that are kept were asked for again"
same "$work/one" "$work/two"
values="SELECT * FROM probes ORDER BY 1, 2, 3"
[ "$(sql "$work/one" "$values")" = "$(sql "$work/two" "$values")" ] || fail "values depend on ranks"

# Without the cache's answers, a little at a time.
rm -r "$work/cache"
expect 1 "$leakgraph" run "$work/run.yaml" --output "$work/three" --quiet --set probe.models.0.budget=400
says "$work/err" 'budget of 400 tokens'
expect 0 "$leakgraph" run "$work/run.yaml" --output "$work/three" --quiet
same "$work/one" "$work/three"

TEST_HTTP_KEY=sk-another expect 1 "$leakgraph" run "$work/run.yaml" --output "$work/four" --quiet \
    --set "probe.models.0.cache=$work/other"
says "$work/err" 'refuses the key'
if grep -rl -e sk-test -e sk-another "$work"; then fail "a key is written"; fi
