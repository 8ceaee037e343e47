# seconds: 120
# The digest does not depend on ranks, threads, kernels, or the order in which globs are listed.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets"
cd "$work/sets"
sed -i 's/role: corpus,/role: corpus, self_join: exact,/' run.yaml
expect 0 "$leakgraph" run run.yaml
[ "$(sql run 'SELECT count(*) FROM edges')" -gt 100 ] || fail "too few pairs to compare"
tables() {
    sql "$1" "SELECT * FROM overlap ORDER BY 1, 2, 3, 4, 5"
    sql "$1" 'SELECT pass, a, b, kind FROM edges ORDER BY 1, 2, 3'
}
tables run >"$work/reference"

variant() {     # variant NAME COMMAND...
    local name=$1
    shift
    expect 0 "$@" run run.yaml --output "$name"
    same run "$name"
    tables "$name" >"$work/tables"
    cmp -s "$work/reference" "$work/tables" || fail "$name: same digest, other rows"
}

for threads in 1 2 3; do variant "threads-$threads" env OMP_NUM_THREADS=$threads "$leakgraph"; done
levels=0
for level in scalar avx2 avx512; do
    if LEAKGRAPH_KERNELS=$level "$leakgraph" version >"$work/level" 2>&1; then
        variant "kernels-$level" env LEAKGRAPH_KERNELS=$level "$leakgraph"
        levels=$((levels + 1))
    else
        echo "this machine cannot run $level"
    fi
done
[ $levels -gt 0 ] || fail "no kernel level runs"
if command -v mpirun >/dev/null; then
    for count in 1 2 3 5; do
        variant "ranks-$count" ranks $count env OMP_NUM_THREADS=$((count % 2 + 1)) "$leakgraph"
    done
fi

expect 0 "$leakgraph" run run.yaml --output globs \
       --set 'datasets.corpus.files=[corpus-04.jsonl, "corpus-0[13].jsonl", corpus-02.jsonl, corpus-00.jsonl]'
same run globs

# Another temporary folder, another current folder, other contents stored: the same findings.
mkdir elsewhere
(cd / && expect 0 env TMPDIR="$work/sets/elsewhere" "$leakgraph" run "$work/sets/run.yaml" \
    --output "$work/sets/stored" --set graph.store=none)
same run stored
[ "$(sql stored "SELECT count(*) FROM snippets WHERE snippet <> ''")" = 0 ] || fail "graph.store: none stored texts"
