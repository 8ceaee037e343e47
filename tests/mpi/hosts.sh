# seconds: 120
# Three hosts with a rank each, connected by TCP alone: the same digest as one process, and a second run that reuses its
# units.
# The hosts are network namespaces with a name and an address of their own around a bridge that is in a fourth one;
# mpirun starts its daemons in them as it would through ssh.  This machine's own network is not touched.
. "$(dirname "$0")/../cli/common.sh"
need mpirun ip unshare

tag=lg$$
cleanup() {
    local host
    for host in 0 1 2 switch; do ip netns delete $tag-$host 2>/dev/null || true; done
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM

{ ip netns add $tag-switch && ip -n $tag-switch link add bridge type bridge &&
    ip -n $tag-switch link set bridge up; } 2>"$work/err" ||
    { echo "no network namespaces here: $(tail -n 1 "$work/err")"; exit 77; }
for host in 0 1 2; do
    ip netns add $tag-$host
    ip -n $tag-$host link add eth0 type veth peer name port$host netns $tag-switch
    ip -n $tag-switch link set port$host master bridge up
    ip -n $tag-$host address add 10.77.0.$((host + 1))/24 dev eth0
    ip -n $tag-$host link set lo up
    ip -n $tag-$host link set eth0 up
    echo "10.77.0.$((host + 1)) slots=1"
done >"$work/hosts"

# agent ADDRESS COMMAND...: in the place of ssh.
cat >"$work/agent" <<AGENT
#!/bin/bash
host=\$((\${1##*.} - 1))
shift
exec ip netns exec $tag-\$host unshare --uts bash -c 'hostname "\$0" && eval "\$1"' host\$host "\$*"
AGENT
chmod +x "$work/agent"

hosts() {
    ASAN_OPTIONS=detect_leaks=0 "$work/agent" 10.77.0.1 mpirun --hostfile "$work/hosts" --map-by node --bind-to none \
        -n 3 \
        --mca plm_rsh_agent "$work/agent" --mca btl tcp,self --mca pml ob1 --mca btl_tcp_if_include 10.77.0.0/24 \
        --mca oob_tcp_if_include 10.77.0.0/24 "$@"
}

expect 0 hosts hostname
[ "$(sort "$work/out" | tr '\n' ' ')" = "host0 host1 host2 " ] ||
    fail "the ranks are not on three hosts: $(cat "$work/out")"

two_sets "$work/sets"
cd "$work/sets"
export OMP_NUM_THREADS=1
expect 0 "$leakgraph" run run.yaml --output one
expect 0 hosts "$leakgraph" run "$PWD/run.yaml" --output "$PWD/three"
same one three

# Dedup: the same cleaned shards too.
mkdir corpus
"$BUILD/bench/make_corpus" 6000 3 4 corpus
cat >dedup.yaml <<'YAML'
output: run
datasets: [{name: corpus, language: text, files: ["corpus/*.zst"]}]
dedup: {zstd_level: 1}
YAML
expect 0 "$leakgraph" run dedup.yaml --output alone
expect 0 hosts "$leakgraph" run "$PWD/dedup.yaml" --output "$PWD/apart"
same alone apart
diff -r alone/clean apart/clean || fail "other cleaned shards on three hosts"
[ "$(sql apart "SELECT value > 0 FROM run WHERE key = 'dedup.exchanged_bytes'")" = 1 ] ||
    fail "nothing went from host to host"

# The link of a host is cut while its rank is stopped, so that nothing else can tell: rank 0 ends the job.
rank_of() { tr '\0' '\n' <"/proc/$1/environ" 2>/dev/null | sed -n 's/^OMPI_COMM_WORLD_RANK=//p'; }
processes() { grep -lzF "$PWD/cut" /proc/[0-9]*/cmdline 2>/dev/null | cut -d / -f 3; }
LEAKGRAPH_PATIENCE=2 hosts -x LEAKGRAPH_PATIENCE "$leakgraph" run "$PWD/dedup.yaml" --output "$PWD/cut" \
    >"$work/out" 2>"$work/err" </dev/null &
job=$!
until grep -qs 'ranks=3' cut/run.log; do sleep 0.01; done
for process in $(processes); do
    [ "$(rank_of "$process")" != 1 ] || kill -STOP "$process"
done
sleep 1
! grep -q 'rank 1' "$work/err" || fail "a stopped rank was taken for dead: $(cat "$work/err")"
ip -n $tag-1 link set eth0 down
for tenth in $(seq 200); do
    ! grep -q '^warning: rank [02]: rank 1 is not reached any more' "$work/err" || break
    sleep 0.1
done
for process in $(processes); do kill -KILL "$process" 2>/dev/null || true; done
kill -KILL $job 2>/dev/null || true
wait $job || true
says "$work/err" '^warning: rank [02]: rank [01] is not reached any more: .*: this rank ends too'
