# fail_on: exit status 3 when a gate that the user set was passed, 0 when not; the result is whole either way.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 60 --corpus 200 --shards 2
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml
leaked=$(sql run "SELECT 100.0 * direct / documents FROM overlap WHERE source = 'bench' AND target = 'corpus' AND split = '' AND target_split = '' AND language = ''")
above=$("$PYTHON" -c "print('%.2f' % min(100, $leaked + 1))")
below=$("$PYTHON" -c "print('%.2f' % ($leaked - 1))")
expect 0 "$leakgraph" run run.yaml --output above --set fail_on.leakage="$above"
expect 3 "$leakgraph" run run.yaml --output below --set fail_on.leakage="$below"
says "$work/err" 'leakage' 'bench'
same run below
expect 0 "$leakgraph" fsck below

echo 'not a record' >>corpus-01.jsonl
expect 0 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=50
expect 3 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=0.01
says "$work/err" rejects
if command -v mpirun >/dev/null; then
    expect 3 ranks 2 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=0.01
fi
