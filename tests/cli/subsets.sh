# seconds: 240
# rest: a run for each subset of the capabilities, 227 of them
# Every subset of the capabilities in one run, on datasets of varied roles: the tables of each are those that it makes
# alone.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm
"$PYTHON" "$root/tests/cli/subsets.py" run "$leakgraph" ${LONG:+--long}
