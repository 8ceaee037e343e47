# The command line: help, exit statuses, and messages that name file, line and the nearest known word.
. "$(dirname "$0")/common.sh"

expect 0 "$leakgraph" help
commands=$(sed -n '/^usage/,/^`/s/^  \([a-z-]*\)  .*/\1/p' "$work/out")
for command in run overlap dedup membership show query report fsck version help; do
    says "$work/out" "^  $command "
done
for command in $commands; do
    expect 0 "$leakgraph" $command --help
    says "$work/out" "^usage: leakgraph $command"
done
expect 0 "$leakgraph" --help
expect 0 "$leakgraph" help config
says "$work/out" datasets near_duplicates set_threshold min_tokens max_matches self_join fail_on '^dedup:' \
    shingle_backoff 'compat +none +bands, rows'
expect 0 "$leakgraph" version
says "$work/out" '^leakgraph [0-9]+\.[0-9]+\.[0-9]+ \(.+\)$' '^kernels +(scalar|avx2|avx512)$'
version=$(sed -n 's/^VERSION := //p' Makefile)
says "$work/out" "^leakgraph $version "

# 2: the user's mistake.
expect 2 "$leakgraph"
expect 2 "$leakgraph" rnu
says "$work/err" 'rnu' '\brun\b'
expect 2 "$leakgraph" run --nonsense
says "$work/err" nonsense
expect 2 "$leakgraph" run --set
expect 2 "$leakgraph" run --threads none pipeline.yaml
expect 2 "$leakgraph" run one.yaml two.yaml
expect 2 "$leakgraph" version now
expect 2 "$leakgraph" show
expect 2 "$leakgraph" overlap --output "$work/none"
expect 2 "$leakgraph" overlap --benchmark x.jsonl --output "$work/none"
expect 2 "$leakgraph" overlap --benchmark bench=x.jsonl --corpus bench=y.jsonl --output "$work/none"
expect 2 "$leakgraph" overlap --benchmark bench=x.jsonl --output "$work/none"
says "$work/err" 'bench' 'x\.jsonl'

# dedup: options are keys of the file, and a corpus is GLOB or NAME=GLOB.
expect 2 "$leakgraph" dedup --output "$work/none"
says "$work/err" 'needs a corpus'
expect 2 "$leakgraph" dedup --threshold
expect 2 "$leakgraph" dedup --nonsense x.jsonl
says "$work/err" nonsense
wrong() {       # wrong PATTERN ARGUMENT...: exit status 2 and a message that says PATTERN
    local pattern=$1
    shift
    expect 2 "$leakgraph" dedup "$@" --output "$work/none"
    says "$work/err" "$pattern"
}
wrong '^error: --threshold 2: `2`' x.jsonl --threshold 2
wrong '^error: --keep .*`biggest`' x.jsonl --keep path,biggest
wrong '^error: --protect: .*`y`' x=x.jsonl --protect y
wrong '^error: --level .*`20`' x.jsonl --level 20
wrong '^error: --compat .*`nemo`' x.jsonl --compat nemo
wrong '^error: --view .*`words`' x.jsonl --view words
wrong 'dataset missing-data:' "$work/missing-data/*.jsonl"         # named after its folder
wrong 'dataset missing:' "$work/missing.jsonl.zst"                 # or the file
wrong 'dataset missing-2:' missing="$root/Makefile" "$work/missing/*.zst"
wrong 'dataset mine:' mine="$work/missing.jsonl"
[ ! -e "$work/none" ] || fail "a wrong command line made its run folder"

two_sets "$work/sets" --bench 20 --corpus 50 --shards 1
cd "$work/sets"

mistake() {     # mistake TEXT PATTERN...: run.yaml with the line TEXT added is a usage error that says PATTERNs
    { cat run.yaml; echo "$1"; } >wrong.yaml
    shift
    expect 2 "$leakgraph" run wrong.yaml
    says "$work/err" "$@"
    [ ! -e run ] || fail "a run with a wrong file made its run folder"
}
mistake 'near_duplicate: {}' 'wrong\.yaml:6' 'near_duplicates'
mistake 'outptu: x' 'wrong\.yaml:6' 'outptu' 'output'
mistake 'graph: {stroe: text}' 'wrong\.yaml:6' 'stroe' 'store'
mistake 'graph: {store: everything}' 'wrong\.yaml:6' 'everything'
mistake 'fail_on: {leakage: 500}' 'wrong\.yaml:6' 'leakage'
mistake 'output: again' 'wrong\.yaml:6' 'output'
mistake 'dedup: {protect: [bench, corpse]}' 'wrong\.yaml:6' 'corpse' 'corpus'
mistake 'fail_on: {duplicates: 5}' 'wrong\.yaml:6' 'dedup'
mistake '  : [' 'wrong\.yaml:6'
mistake $'graph:\n\tstore: text' 'wrong\.yaml:7: a tab where YAML wants blanks'
mistake 'graph: {store: tok}' 'one of: none, text, tokens; did you mean `tokens`\?'
mistake 'dedup: {protect: [ben]}' 'did you mean `bench`\?'
mistake 'ngram: {}' 'did you mean `ngrams`\?'
mistake 'fail_on: {leak: 5}' 'did you mean `leakage`\?'
mistake 'fail_on: {leakage: 101%}' '`101%` is neither a percentage'
for set in near_duplicates.treshold=1 near_duplicates.set_threshold=2 near_duplicates.set_threshold=0 \
    near_duplicates.view=wordz \
           datasets.bench.role=testing datasets.nobody.language=c min_tokens=5 near_duplicates.min_tokens=-1; do
    expect 2 "$leakgraph" run run.yaml --set "$set"
    says "$work/err" "${set##*.}|${set%%=*}"
done
grep -v near_duplicates run.yaml >nothing.yaml
expect 2 "$leakgraph" run nothing.yaml
says "$work/err" near_duplicates
expect 2 "$leakgraph" run /dev/null
head -c 3000 /dev/urandom >noise.yaml
expect 2 "$leakgraph" run noise.yaml

expect 2 "$leakgraph" run absent.yaml
says "$work/err" 'absent\.yaml: there is no such file'
expect 2 "$leakgraph" run run.yaml --set 'datasets.bench.files=[missing-*.jsonl]'
says "$work/err" 'bench' 'missing-'

# The roles swapped: a corpus that is far smaller than the benchmark.
head -n 5 corpus-00.jsonl >few.jsonl
expect 0 "$leakgraph" overlap --benchmark big=corpus-00.jsonl --corpus little=few.jsonl --output swapped
says "$work/err" '^warning: big is a benchmark of .*, little a corpus of 5 .*are the roles swapped'
expect 0 "$leakgraph" overlap --benchmark big=corpus-00.jsonl --corpus same=corpus-00.jsonl --output swapped --replace
! grep -q 'roles swapped' "$work/err" || fail "datasets of one size are called swapped"

# 1: the machine's.
expect 1 "$leakgraph" run run.yaml --output "$work/sets/bench.jsonl"
expect 1 "$leakgraph" report "$work/nowhere"
says "$work/err" nowhere
expect 1 "$leakgraph" fsck "$work/nowhere"

# 0, and the kernel level that this machine cannot run is a usage error, not a crash.
expect 0 "$leakgraph" run run.yaml --quiet
expect 2 env LEAKGRAPH_KERNELS=sse9 "$leakgraph" run run.yaml
says "$work/err" 'LEAKGRAPH_KERNELS' 'sse9'
for file in graph.db report.md report.json config.resolved.yaml run.log; do
    [ -s "run/$file" ] || fail "the run folder has no $file"
done

# The resolved configuration is a configuration, and the same one.
cp run/config.resolved.yaml resolved.yaml
expect 0 "$leakgraph" run resolved.yaml --output "$work/sets/again"
same run again
expect 0 "$leakgraph" fsck run
expect 0 "$leakgraph" report run
expect 0 "$leakgraph" show run 1
says "$work/out" bench
edge=$(sql run "SELECT a || ' ' || b FROM edges ORDER BY a, b LIMIT 1")
expect 0 "$leakgraph" show run ${edge:?the two sets share nothing}
expect 1 "$leakgraph" show run 999999999
rm -f "$work/sets/run/graph.db"
expect 1 "$leakgraph" fsck run

# No line of any help is longer than 100 columns.
for command in $commands; do "$leakgraph" $command --help; done >"$work/help"
{ "$leakgraph" help; "$leakgraph" help config; } >>"$work/help"
! grep -nE '^.{101}' "$work/help" || fail "a line of the help is longer than 100 columns"
says "$work/help" LEAKGRAPH_PATIENCE 'else content' 'python' 'passages of a$'

# Fatal errors are labelled so, once; a bad OMP_NUM_THREADS is one.
expect 2 env OMP_NUM_THREADS=many "$leakgraph" run run.yaml --output threads
says "$work/err" '^error: OMP_NUM_THREADS.*many'
[ "$(grep -c '^error:' "$work/err")" = 1 ] || fail "said more than once: $(cat "$work/err")"
expect 0 env OMP_NUM_THREADS=2,1 "$leakgraph" run run.yaml --output threads --quiet
says threads/run.log 'datasets=2 shards=[0-9]' 'joined: ' 'stored: ' 'done: '

# The folder of a run: not finished, of another configuration, of somebody else.
rm threads/graph.db
expect 1 "$leakgraph" show threads 1
says "$work/err" 'not finished'
expect 1 "$leakgraph" report threads
says "$work/err" 'not finished'
expect 0 "$leakgraph" run run.yaml --output threads --quiet
! grep -q another "$work/err" || fail "the same configuration is called another"
expect 2 "$leakgraph" run run.yaml --output threads --quiet --set near_duplicates.min_tokens=30
says "$work/err" 'another configuration .*--replace'
rm -r threads/work
expect 2 "$leakgraph" run run.yaml --output threads
says "$work/err" 'threads.*--clean'
expect 0 "$leakgraph" run run.yaml --output threads --clean --quiet

# The resolved configuration means the same anywhere, also in a folder whose name would be a glob.
mkdir "$work/sets/odd[1]*" && cp bench.jsonl corpus-00.jsonl run.yaml "$work/sets/odd[1]*"
expect 0 "$leakgraph" run "odd[1]*/run.yaml" --output "$work/odd" --quiet
cd /
expect 0 "$leakgraph" run "$work/odd/config.resolved.yaml" --output "$work/odder" --quiet
same "$work/odd" "$work/odder"
cd "$work/sets"

# Data that was not compared, or not read, is said; a benchmark without a readable record fails.
expect 0 "$leakgraph" run run.yaml --output languages --set datasets.bench.language=text
says "$work/err" 'bench is text, corpus is python'
says languages/report.md 'bench is text, corpus is python'
printf '{"x": 1}\n{"x": 2}\n' >fieldless.jsonl
expect 1 "$leakgraph" run run.yaml --output fieldless --set 'datasets.bench.files=[fieldless.jsonl]'
says "$work/err" '^warning: bench: 2 of 2 records.*missing-field' '^error: benchmark bench: none of its 2 records'

# Where the text stands elsewhere: the fields that there are, and the option to write, which is the same everywhere.
"$PYTHON" - <<'PYTHON'
import json
records = [json.loads(line) for line in open("bench.jsonl")]
with open("named.jsonl", "w") as out:
    for i, record in enumerate(records):
        print(json.dumps({"task_id": "T/%d" % i, "canonical_solution": record["text"], "test": "x"}), file=out)
PYTHON
expect 2 "$leakgraph" run run.yaml --output named --set 'datasets.bench.files=[named.jsonl]'
[ ! -s "$work/out" ] || fail "a run without a benchmark prints $(cat "$work/out")"
says "$work/err" "none of its .* no record has a text in its field 'text', 'content' or 'code'; its records have: \
canonical_solution, task_id, test; write fields: \{text: canonical_solution\} \(or --field bench.text=canonical" \
    'no "text", "content" or "code"; it has task_id, canonical_solution, test'
option='--field bench.text=canonical_solution --field bench.id=task_id'
expect 0 "$leakgraph" run run.yaml --output named --set 'datasets.bench.files=[named.jsonl]' $option --clean
[ "$(sql named "SELECT source_id FROM snippets WHERE dataset = 'bench' AND record = 3")" = T/3 ] || fail "--field id"
expect 0 "$leakgraph" overlap --benchmark bench=named.jsonl --corpus corpus=corpus-00.jsonl --output named2 $option
[ "$(sql named2 'SELECT sum(rejected) FROM splits')" = 0 ] || fail "overlap --field"
expect 0 "$leakgraph" plan run.yaml --set 'datasets.bench.files=[named.jsonl]' $option
field='--field text=canonical_solution'
expect 0 "$leakgraph" dedup a=named.jsonl --output named3 $field
sed 's/canonical_solution/body/' named.jsonl >body.jsonl
expect 0 "$leakgraph" dedup --add b=body.jsonl --store named3 --field text=body
[ "$(sql named3 "SELECT sum(rejected) FROM splits")" = 0 ] || fail "dedup --add --field"
expect 0 "$leakgraph" train-ngram --corpus a=named.jsonl --corpus b=body.jsonl $field --field b.text=body --output n.lm
says "$work/out" ' 0 rejected'
expect 0 "$leakgraph" probe --model m=ngram:n.lm --benchmark bench=named.jsonl --output named4 --metrics nll $field
expect 0 "$leakgraph" query named named.jsonl $field
says "$work/out" '^copy .*bench//3  named.jsonl:3$'
for command in run plan overlap dedup train-ngram probe query; do
    expect 0 "$leakgraph" $command --help
    says "$work/out" '^ +--field '
done
expect 2 "$leakgraph" run run.yaml --field txt=code
says "$work/err" '--field takes \[DATASET.\]NAME=FIELD, as text=code: there is no such name in `txt=code`'
expect 2 "$leakgraph" run run.yaml --field other.text=code
says "$work/err" 'has no item `other`'

# Interrupted: it says how to go on, and dies by the signal.
"$PYTHON" - <<'PYTHON' &
import fcntl, time
lock = open("run/work/lock", "r+")
fcntl.flock(lock, fcntl.LOCK_EX)
open("held", "w").close()
time.sleep(20)
PYTHON
holder=$!
for _ in $(seq 200); do [ -e held ] && break; sleep 0.05; done
"$leakgraph" run run.yaml >"$work/out" 2>"$work/err" & victim=$!
for _ in $(seq 200); do grep -q '^waiting' "$work/err" && break; sleep 0.05; done
kill -TERM $victim
status=0
wait $victim || status=$?
kill $holder
[ $status = 143 ] || fail "a run ended by SIGTERM has exit status $status"
says "$work/err" '^interrupted; the same command goes on where it was$'

# A slip in a language's name would be a language of its own, that nothing is compared with.
printf '{"text": "a = 1"}\n' >"$work/one.jsonl"
expect 2 "$leakgraph" overlap --benchmark "b=$work/one.jsonl" --language pyton --output "$work/slip"
says "$work/err" 'language: `pyton` is no language that is known; did you mean `python`'
expect 2 "$leakgraph" dedup "$work/one.jsonl" --language jav --output "$work/slip"
[ ! -e "$work/slip" ] || fail "a run of a language that is not known wrote something"
