# seconds: 240
# Every subset of the capabilities in one run, on datasets of varied roles: the tables of each are those that it makes
# alone.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm
"$PYTHON" "$root/tests/cli/subsets.py" run "$leakgraph" ${LONG:+--long}
