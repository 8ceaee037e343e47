# Every capability ends with a table on the terminal, and runs that the digest cannot tell apart have digests that do.
. "$(dirname "$0")/common.sh"
need "$PYTHON"

cd "$work"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 7 --output model.lm
sets='datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}'
alone() { printf '%s\n%s\n' "$sets" "$2" >"$1.yaml"; expect 0 "$leakgraph" run "$1.yaml" --output "$1"; }

alone ngrams 'ngrams: {n: [8, 13]}'
says "$work/out" '^n-gram rules' '^benchmark +field +corpus +items +gpt3 +palm' '^bench +text +corpus +20 +[0-9.]+ '
alone clones 'line_clones: {lines: 3}'
says "$work/out" '^line clones' "^bench +20 +$(sql clones 'SELECT count(*) FROM clone_documents') "
alone repositories 'repositories: {share: 0.3}'
says "$work/out" '^repositories of the benchmarks' '^bench +corpus +5 +5 '
alone sensitive 'sensitive: {datasets: [bench]}'
says "$work/out" '^sensitive values' '^bench +email +[0-9]+ +[0-9]+ +[0-9]+$'
alone portrait 'portrait: {width: 30}'
says "$work/out" '^portrait '
alone probe 'probe: {models: [{name: m, path: model.lm}]}
sensitive: {}'
says "$work/out" '^models: mean of each metric' '^bench +m +nll +20 +[0-9.]+$'
alone generate 'probe: {models: [{name: m, path: model.lm}]}
generate: {outputs: 12, tokens: 120}
line_clones: {lines: 3}'
says "$work/out" '^generated texts' '^m +12 +[0-9]+ ' '^memorised: outputs' '^m +12 '
alone clean 'near_duplicates: {}
clean: [{name: strict, drop: items, where: near}]'
says "$work/out" '^cleaned datasets' '^strict +removed +bench '

# Nothing of these enters the digest.
alone few 'probe: {models: [{name: m, path: model.lm}], metrics: [nll]}
portrait: {width: 30}'
says "$work/out" 'digest +[0-9a-f]{32}  of nothing' 'digest +[0-9a-f]{32}  of table probes'
alone more 'probe: {models: [{name: m, path: model.lm}], metrics: [nll, zlib]}
portrait: {width: 40}'
same few more
own() { sql "$1" "SELECT value FROM run WHERE key = 'digest.probes'"; }
[ -n "$(own few)" ] && [ "$(own few)" != "$(own more)" ] || fail "other metrics, the same digest of probes"
if command -v mpirun >/dev/null; then
    expect 0 ranks 2 "$leakgraph" run few.yaml --output few2
    [ "$(own few)" = "$(own few2)" ] || fail "digest.probes depends on the ranks"
fi
expect 0 "$leakgraph" fsck few
"$PYTHON" - few/graph.db <<'PYTHON'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("UPDATE probes SET value = value + 1")
database.commit()
PYTHON
expect 1 "$leakgraph" fsck few
says "$work/out" 'digests of all tables'
