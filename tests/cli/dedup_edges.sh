# dedup where there is little or nothing: no records, only rejects, no features, all equal, more ranks than documents.
# And units whose numbers do not fit are named, also when their checksum does.
. "$(dirname "$0")/common.sh"

"$PYTHON" - "$work" <<'PYTHON'
import json, random, sys
generator = random.Random(5)

def put(name, records):
    with open("%s/%s.jsonl" % (sys.argv[1], name), "w") as out:
        for record in records:
            out.write((record if record[0] in "{[" else json.dumps({"text": record})) + "\n")

put("empty", [])
put("bad", ["{nope", "[]", '{"a": 1}'])
put("one", [" ".join("w%d" % generator.randrange(99) for _ in range(50))])
put("short", ["a", "a", "b", "a b", "a b"])
put("equal", [" ".join("w%d" % i for i in range(60))] * 3000)
put("chain", [" ".join("w%d" % i for i in range(at, at + 100)) + tail
              for at, tail in ((0, " a_word_that_makes_it_the_longest"), (10, ""), (20, ""))])
put("template", [" ".join("own%d" % n if i == 70 else "w%d" % i for i in range(150)) for n in range(600)])
PYTHON
cd "$work"

# join NAME WANTED CORPUS...: dataset, documents, rejects and documents removed, on one rank; the same on three.
# `status` is the exit status.
status=0
join() {
    local name=$1 wanted=$2 found
    shift 2
    expect $status "$leakgraph" dedup "$@" --output "$name" --quiet
    found=$(sql "$name" "SELECT dataset, sum(documents), sum(rejected), sum(removed) FROM splits GROUP BY dataset
                         ORDER BY dataset" | tr '\n' ' ')
    [ "$found" = "$wanted" ] || fail "$name: $found instead of $wanted"
    command -v mpirun >/dev/null || return 0
    OMP_NUM_THREADS=1 expect $status ranks 3 "$leakgraph" dedup "$@" --output "$name-3" --quiet
    same "$name" "$name-3"
    diff -r "$name/clean" "$name-3/clean" || fail "$name: cleaned shards of three ranks"
}

join nothing "e|0|0|0 " e=empty.jsonl
status=1 join rejects "b|0|3|0 e|0|0|0 o|1|0|0 " b=bad.jsonl o=one.jsonl e=empty.jsonl
join equal "o|1|0|0 q|3000|0|2999 s|5|0|2 " q=equal.jsonl o=one.jsonl s=short.jsonl

# Texts of one template meet in every band, in buckets below the cap: 3 MB of pairs, as many times as there are bands if
# each were written again.
expect 0 "$leakgraph" dedup t=template.jsonl --output template --quiet
[ "$(sql template "SELECT sum(removed) FROM splits")" = 599 ] || fail "a template's copies"
[ "$(sql template "SELECT value FROM run WHERE key = 'dedup.candidates'")" = 179700 ] || fail "pairs of a template"
[ "$(sql template "SELECT value FROM run WHERE key = 'dedup.hot_buckets'")" = 0 ] ||
    fail "the template's buckets are above the cap"
expect 0 "$leakgraph" dedup t=template.jsonl --output template-64MB --quiet --set memory=64MB
expect 1 "$leakgraph" dedup t=template.jsonl --output template-1KB --quiet --set memory=1KB
says err 'dedup: tables of what is sorted need about 16 MB in memory, more than `memory` \(0 MB a rank\): raise'
same template template-64MB
spilled=$(sql template-64MB "SELECT value FROM run WHERE key = 'dedup.spilled_bytes'")
[ "$spilled" = 0 ] || fail "$spilled bytes are spilled for 3 MB of pairs"

# A tool's settings take its clusters: of a chain of three, whose ends are not similar, one stays.  What is said stays.
for tool in datatrove text-dedup bigcode; do
    expect 0 "$leakgraph" dedup c=chain.jsonl --output "chain-$tool" --quiet --compat "$tool"
    expect 0 "$leakgraph" dedup c=chain.jsonl --output "star-$tool" --quiet --compat "$tool" --set dedup.cluster=star
    [ "$(sql "chain-$tool" "SELECT sum(removed) FROM splits") $(sql "star-$tool" "SELECT sum(removed) FROM splits")" = \
      "2 1" ] || fail "$tool: a chain"
done
expect 0 "$leakgraph" dedup c=chain.jsonl --output chain --quiet
[ "$(sql chain "SELECT sum(removed) FROM splits")" = 1 ] || fail "a chain without a tool's settings"

# Pairs of both passes, those of near_duplicates more than `memory`, where all that it has is stored and a corpus that
# only dedup looks at comes first.
"$PYTHON" - <<'PYTHON'
import json
def write(path, rows):
    with open(path, "w") as out:
        for row in rows: out.write(json.dumps({"text": " ".join(row)}) + "\n")
write("first.jsonl", [["q%d_%d" % (i // 3, w) for w in range(30)] for i in range(30)])
write("alike.jsonl", [["s%d" % w if w != 30 else "own%d" % i for w in range(60)] for i in range(420)])
PYTHON
cat >both.yaml <<'YAML'
datasets:
  - {name: first, role: corpus, language: text, files: [first.jsonl]}
  - {name: alike, role: benchmark, language: text, files: [alike.jsonl]}
near_duplicates: {view: tokens, set_threshold: 0.8, multiset_threshold: 0.7}
dedup: {datasets: [first, alike], threshold: 0.9, view: tokens}
YAML
expect 0 "$leakgraph" run both.yaml --output both
expect 0 "$leakgraph" run both.yaml --output less --set memory=16MB
[ "$(sql less "SELECT count(*) FROM edges WHERE pass = 'near'")" = $((420 * 419 / 2)) ] || fail "not all pairs"
same both less

# What the settings of a tool miss is warned of once, after the run.
expect 0 "$leakgraph" dedup s=short.jsonl --output short --compat datatrove
[ "$(grep -c 'warning: .* miss .*at the threshold' err)" = 1 ] || fail "14 bands of 8 rows are warned of: $(cat err)"

# Numbers of a unit of columns that would be an allocation's size or a loop's end; the checksum is made to fit.
"$PYTHON" -c 'import ctypes; ctypes.CDLL("libxxhash.so.0")' 2>/dev/null || exit 0
for damage in "0 18446744073709551615" "0 4611686018427387904" "5 9223372036854775809"; do
    rm -rf broken
    cp -a short broken
    rm -rf broken/work/[!c]* broken/graph.db
    "$PYTHON" - broken/work/columns-*.unit $damage <<'PYTHON'
import ctypes, struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
struct.pack_into("<Q", data, struct.unpack_from("<Q", data, 64)[0] + 8 * int(sys.argv[2]), int(sys.argv[3]))
hash = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
hash.restype = ctypes.c_uint64
body = bytes(data[:56] + data[64:])
struct.pack_into("<Q", data, 56, hash(body, ctypes.c_size_t(len(body))))
open(sys.argv[1], "wb").write(data)
PYTHON
    expect 1 "$leakgraph" dedup s=short.jsonl --output broken --quiet --compat datatrove
    says err "a unit of .*(does not fit together|does not have the expected layout)"
done
