# seconds: 150
# rest: a run for each number of ranks and threads, each kernel, each memory
# Neither the digest nor a byte of the cleaned shards depends on ranks, threads, kernels or memory.
. "$(dirname "$0")/common.sh"
need zstd

cd "$work"
mkdir corpus
"$BUILD/bench/make_corpus" 30000 7 5 corpus
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: first, language: text, files: ["corpus/part-000[01].jsonl.zst"]}
  - {name: second, language: text, files: ["corpus/part-000[234].jsonl.zst"]}
dedup: {method: lsh, keep: [dataset, stars, longest], zstd_level: 1, shard_size: 4MB}
graph: {store: none}
YAML
written() { (cd "$1" && find clean lists -type f | LC_ALL=C sort | xargs sha256sum); }
expect 0 "$leakgraph" run run.yaml
written run >"$work/reference"
[ "$(wc -l <"$work/reference")" -eq 5 ] || fail "cleaned shards are missing: $(cat "$work/reference")"
[ "$(sql run "SELECT count(*) FROM edges WHERE pass = 'dedup' AND kind = 'near'")" -gt 1000 ] ||
    fail "too few pairs to compare"
hot=$(sql run "SELECT value FROM run WHERE key = 'dedup.hot_buckets'")

variant() {     # variant NAME COMMAND...
    local name=$1
    shift
    expect 0 "$@"
    same run "$name"
    written "$name" >"$work/bytes"
    cmp -s "$work/reference" "$work/bytes" ||
        fail "$name: same digest, other files: $(diff "$work/reference" "$work/bytes")"
    [ "$(sql "$name" "SELECT value FROM run WHERE key = 'dedup.hot_buckets'")" = "$hot" ] ||
        fail "$name: another number of hot buckets"
    rm -rf "$name/work" "$name/clean"
}

for threads in 1 3; do
    variant "threads-$threads" env OMP_NUM_THREADS=$threads "$leakgraph" run run.yaml --output "threads-$threads"
done
levels=0
for level in scalar avx2 avx512; do
    if LEAKGRAPH_KERNELS=$level "$leakgraph" version >"$work/level" 2>&1; then
        variant "kernels-$level" env LEAKGRAPH_KERNELS=$level "$leakgraph" run run.yaml --output "kernels-$level"
        levels=$((levels + 1))
    else
        echo "this machine cannot run $level"
    fi
done
[ $levels -gt 0 ] || fail "no kernel level runs"

variant memory "$leakgraph" run run.yaml --output memory --set memory=16MB
[ "$(sql memory "SELECT value FROM run WHERE key = 'dedup.spilled_bytes'")" -gt 0 ] ||
    fail "nothing was spilled with memory: 16MB"
[ "$(sql run "SELECT value FROM run WHERE key = 'dedup.spilled_bytes'")" = 0 ] ||
    fail "something was spilled without need"
if command -v mpirun >/dev/null; then
    for count in 1 2 3 5; do
        variant "ranks-$count" ranks $count env OMP_NUM_THREADS=$((count % 2 + 1)) "$leakgraph" run run.yaml \
            --output "ranks-$count" \
            --set memory=$((count % 2 * 1000 + 16))MB
    done
fi

# Another method, hot buckets, components: each by itself the same on one and on three ranks.
if command -v mpirun >/dev/null; then
    for options in "method=exact cluster=component" "method=auto bucket_cap=20 pairs=star" \
        "method=lsh containment=0.9 bucket_cap=5"; do
        set -- --set graph.store=none --set memory=16MB
        for option in $options; do set -- "$@" --set "dedup.$option"; done
        rm -rf one three
        expect 0 "$leakgraph" run run.yaml --output one "$@"
        expect 0 ranks 3 env OMP_NUM_THREADS=1 "$leakgraph" run run.yaml --output three "$@"
        same one three
        written one >"$work/one-bytes"
        written three >"$work/three-bytes"
        cmp -s "$work/one-bytes" "$work/three-bytes" || fail "$options: other files on three ranks"
        [ "$(digest one)" != "$(digest run)" ] || fail "$options: changes nothing"
    done
fi
