# seconds: 90
# What is done is not done again, what changed is; two runs at once corrupt nothing.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --shards 6
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml
first=$(digest run)
units() { ls run/work/*.unit 2>/dev/null | wc -l; }
made=$(units)
[ "$made" -gt 6 ] || fail "$made units for six shards, a benchmark and an index"
stamp() { stat -c '%n %Y %i' run/work/*.unit | LC_ALL=C sort; }

# Again: the same, every unit reused (none is written anew), with other threads and under mpirun too.
before=$(stamp)
expect 0 env OMP_NUM_THREADS=1 "$leakgraph" run run.yaml
cat "$work/out" "$work/err" >"$work/both"
says "$work/both" 'reused'
[ "$(stamp)" = "$before" ] || fail "a second run wrote units again"
[ "$(digest run)" = "$first" ] || fail "a second run changed the digest"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml
    [ "$(stamp)" = "$before" ] && [ "$(digest run)" = "$first" ] ||
        fail "a resume with other ranks worked again or changed the digest"
fi

# A damaged unit and a lost one are noticed and made again.
victim=$(ls run/work/*.unit | head -n 1)
printf 'damage' | dd of="$victim" bs=1 seek=$(($(stat -c %s "$victim") / 2)) conv=notrunc 2>/dev/null
rm "$(ls run/work/*.unit | tail -n 1)"
expect 1 "$leakgraph" fsck run
expect 0 "$leakgraph" run run.yaml
[ "$(digest run)" = "$first" ] || fail "a damaged unit changed the digest"
expect 0 "$leakgraph" fsck run

# A changed shard is read again, the others are not; a changed option makes another result, and back again the old one.
sed -i '1d' corpus-03.jsonl
before=$(stamp)
expect 0 "$leakgraph" run run.yaml
[ "$(digest run)" != "$first" ] || fail "a changed shard was not noticed"
kept=$(printf '%s\n' "$before" | LC_ALL=C comm -12 - <(stamp) | wc -l)
[ "$kept" -ge 6 ] || fail "only $kept units outlived the change of one shard"
changed=$(digest run)
expect 0 "$leakgraph" run run.yaml --replace --set near_duplicates.min_tokens=40
[ "$(digest run)" != "$changed" ] || fail "a changed option was not noticed"
expect 0 "$leakgraph" run run.yaml --replace
[ "$(digest run)" = "$changed" ] || fail "units of two settings were mixed"

# --clean begins anew: the units of other settings are gone, and none is reused.
made=$(units)
expect 0 "$leakgraph" run run.yaml --clean
cat "$work/out" "$work/err" >"$work/both"
says "$work/both" 'reused=0'
[ "$(units)" -lt "$made" ] || fail "--clean kept $(units) of $made units"
[ "$(digest run)" = "$changed" ] || fail "--clean changed the digest"

# Two at once in one folder: both end well or the later one names the earlier; the folder is whole.
rm -rf run
"$leakgraph" run run.yaml >"$work/one" 2>&1 & one=$!
"$leakgraph" run run.yaml >"$work/two" 2>&1 & two=$!
one_status=0 two_status=0
wait $one || one_status=$?
wait $two || two_status=$?
[ $one_status = 0 ] || [ $two_status = 0 ] || { cat "$work/one" "$work/two"; fail "two runs at once: both failed"; }
for run in one two; do
    status=${run}_status
    [ "${!status}" = 0 ] || says "$work/$run" '[0-9]+'
    [ "${!status}" -le 1 ] || fail "two runs at once: exit status ${!status}"
done
[ "$(digest run)" = "$changed" ] || fail "two runs at once changed the digest"
expect 0 "$leakgraph" fsck run
[ -z "$(find run -name '*tmp*')" ] || fail "temporary files were left: $(find run -name '*tmp*')"
