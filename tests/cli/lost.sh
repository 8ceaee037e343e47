# Lost bytes: a shard that is cut or damaged is not whole, its bytes count in fail_on.rejects, on any number of ranks.
. "$(dirname "$0")/common.sh"
need zstd gzip

two_sets "$work/sets" --bench 60 --corpus 1000 --shards 2
cd "$work/sets"
"$PYTHON" - >>corpus-00.jsonl <<'PYTHON'
import json, random
generator = random.Random(5)
for number in range(12000):
    words = " ".join("w%06x = %d" % (generator.getrandbits(24), number) for _ in range(20))
    print(json.dumps({"id": "many-%d" % number, "text": words}))
PYTHON
zstd -q corpus-00.jsonl -o whole.zst
size=$(stat -c %s whole.zst)
corpus='datasets.corpus.files=[whole.zst, corpus-01.jsonl]'
expect 0 "$leakgraph" run run.yaml --output whole --set "$corpus" --set fail_on.rejects=0
[ "$(sql whole 'SELECT sum(whole), sum(lost), sum(missing), sum(rejected_bytes) FROM shards')" = '3|0|0|0' ] ||
    fail "whole shards are not: $(sql whole 'SELECT * FROM shards')"

# Cut after 6 %: one reject of thousands of records.  The frame says how long it was.
head -c $((size * 6 / 100)) whole.zst >cut.zst
corpus='datasets.corpus.files=[cut.zst]'
expect 3 "$leakgraph" run run.yaml --output cut --set "$corpus" --set fail_on.rejects=1
says "$work/err" 'fail_on\.rejects failed: corpus lost 9[0-9]\.[0-9]+ % of its bytes to damage'
! grep -qE 'failed: [0-9.]+ % of the records' "$work/err" || fail "records alone would be enough"
[ "$(sql cut "SELECT whole, lost * 100 / (bytes + missing) >= 90, bytes FROM shards WHERE dataset = 'corpus'")" = \
    "0|1|$((size * 6 / 100))" ] || fail "what is lost is not told: $(sql cut 'SELECT * FROM shards')"
[ "$(sql cut "SELECT count(*), sum(records) FROM rejects WHERE bytes > 0 AND missing > 0")" = '1|1' ] ||
    fail "rejects: $(sql cut 'SELECT * FROM rejects')"
expect 0 "$leakgraph" fsck cut
says cut/report.md 'cut\.zst.*' 'shards not whole'
if command -v mpirun >/dev/null; then
    expect 3 ranks 3 "$leakgraph" run run.yaml --output ranks --threads 2 --set "$corpus" --set fail_on.rejects=1
    for table in shards rejects; do
        [ "$(sql ranks "SELECT * FROM $table")" = "$(sql cut "SELECT * FROM $table")" ] ||
            fail "$table differs on three ranks: $(sql ranks "SELECT * FROM $table")"
    done
    same cut ranks
fi

# fsck adds up what rejects say.
for change in 'UPDATE shards SET lost = lost + 1 WHERE lost > 0' 'UPDATE shards SET whole = 1' \
    'UPDATE rejects SET bytes = bytes - 1' 'UPDATE shards SET rejected_bytes = 7'; do
    rm -rf changed
    cp -r cut changed
    "$PYTHON" -c "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])" \
        changed/graph.db "$change"
    expect 1 "$leakgraph" fsck changed
    says "$work/out" 'whole|listed'
done

# A gzip does not tell how long it was: it is not whole.  A plain file is not when its last line ends in the middle.
gzip -c corpus-00.jsonl | head -c 20000 >cut.gz
head -c 20000 corpus-00.jsonl >cut.jsonl
{ head -n 3 corpus-00.jsonl; echo '{"body": 1}'; } >rejected.jsonl
for name in cut.gz cut.jsonl rejected.jsonl; do
    expect 0 "$leakgraph" run run.yaml --output other --replace --set "datasets.corpus.files=[$name]"
    found=$(sql other "SELECT whole, lost > 0, missing, rejected_bytes FROM shards WHERE dataset = 'corpus'")
    case $name in
    rejected.jsonl) [ "$found" = '1|0|0|11' ] || fail "$name: $found" ;;
    *) [ "$found" = '0|1|1|0' ] || fail "$name: $found" ;;
    esac
    expect 0 "$leakgraph" fsck other
done

# A stream that stops being one: what was decoded is read, what lies behind is told and counted.
for pack in bzip2 lz4; do
    command -v $pack >/dev/null || continue
    rm -rf behind.*
    head -n 300 corpus-00.jsonl | $pack -c >behind.first
    for tail in zeros garbage damaged; do
        case $tail in
        zeros) head -c 4000 /dev/zero ;;
        garbage) echo 'this is no stream' ;;
        damaged) sed -n '301,600p' corpus-00.jsonl | $pack -c | { printf X; tail -c +2; } ;;
        esac >behind.tail
        cat behind.first behind.tail >behind.packed
        expect 0 "$leakgraph" run run.yaml --output other --replace --set 'datasets.corpus.files=[behind.packed]'
        found=$(sql other "SELECT whole, lost, records FROM shards WHERE dataset = 'corpus'")
        [ "${found#*|*|}" = 301 ] && [ "${found%%|*}" = 0 ] || fail "$pack, $tail: $found"
        lost=${found#*|} lost=${lost%|*} behind=$(stat -c %s behind.tail)
        [ "$lost" -le "$behind" ] && [ "$lost" -ge $((behind - 4)) ] || fail "$pack, $tail: $lost of $behind lost"
        expect 0 "$leakgraph" fsck other
    done
done
