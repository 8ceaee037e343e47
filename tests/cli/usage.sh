# The command line: help, exit statuses, and messages that name file, line and the nearest known word.
. "$(dirname "$0")/common.sh"

expect 0 "$leakgraph" help
for command in run overlap show report fsck version help; do
    says "$work/out" "^ *$command "
    expect 0 "$leakgraph" $command --help
    [ $command = help ] || says "$work/out" "^[Uu]sage: leakgraph $command"
    expect 0 "$leakgraph" help
done
expect 0 "$leakgraph" --help
expect 0 "$leakgraph" help config
says "$work/out" datasets near_duplicates set_threshold min_tokens max_matches self_join fail_on
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
expect 1 "$leakgraph" overlap --benchmark bench=x.jsonl --output "$work/none"
says "$work/err" 'bench' 'x\.jsonl'

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
mistake '  : [' 'wrong\.yaml:6'
for set in near_duplicates.treshold=1 near_duplicates.set_threshold=2 near_duplicates.set_threshold=0 near_duplicates.view=wordz \
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

# 1: the machine's.
status=0
"$leakgraph" run absent.yaml 2>"$work/err" || status=$?
[ $status = 1 ] || [ $status = 2 ] || fail "a missing file gave exit status $status"
says "$work/err" 'absent\.yaml'
expect 1 "$leakgraph" run run.yaml --set 'datasets.bench.files=[missing-*.jsonl]'
says "$work/err" 'bench' 'missing-'
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
