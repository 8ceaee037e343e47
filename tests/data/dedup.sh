# seconds: 180
# The Java reference set, word 5-grams, threshold 0.7: every pair that is found is one of the truth, at least 99 % of
# the truth are found by LSH and by the default method, all of it by the exact method; a self-measured recall that does
# not contradict the true one.
. "$(dirname "$0")/../cli/common.sh"
need zstd
data=$root/../shared/data/java
[ -e "$data/exact_5gram_pairs.j0.7.tsv.zst" ] || { echo "no ../shared/data/java here"; exit 77; }
zstd -dc "$data/exact_5gram_pairs.j0.7.tsv.zst" >"$work/pairs.tsv"

run() {     # run NAME OPTION...: with the seconds that it took
    local name=$1 started
    shift
    started=$(date +%s%N)
    expect 0 "$leakgraph" run tests/data/dedup.yaml --output "$work/$name" --quiet "$@"
    echo "$name: $((($(date +%s%N) - started) / 1000000)) ms"
}
run auto --set dedup.method=auto
run lsh --set dedup.method=lsh
run exact --set dedup.method=exact --set dedup.bucket_cap=1000000

"$PYTHON" - "$work" <<'PYTHON'
import sqlite3, sys
work = sys.argv[1]
truth = {}
for line in open(work + "/pairs.tsv", encoding="utf-8"):
    a, b, jaccard = line.rstrip("\n").split("\t")
    truth[min(a, b), max(a, b)] = float(jaccard)
bad = len(truth) != 249553

for method, recall_wanted in (("auto", 0.99), ("lsh", 0.99), ("exact", 1.0)):
    database = sqlite3.connect("%s/%s/graph.db" % (work, method))
    name = dict(database.execute("SELECT id, source_id FROM snippets"))
    found = {}
    for a, b, similarity in database.execute(
        "SELECT a, b, set_similarity FROM edges WHERE pass = 'dedup' AND kind IN ('exact', 'near')"):
        found[min(name[a], name[b]), max(name[a], name[b])] = similarity
    said = dict(database.execute("SELECT key, value FROM run WHERE key LIKE 'dedup.%' OR key LIKE 'seconds.%'"))
    right = found.keys() & truth.keys()
    precision, recall = len(right) / max(len(found), 1), len(right) / len(truth)
    apart = sum(abs(found[pair] - truth[pair]) > 1e-6 for pair in right)
    print("%-5s %d pairs, precision %.6f, recall %.6f, %d candidates, measured on itself %s of %s pairs, %s of %s "
          "mutants; %s" % (
        method, len(found), precision, recall, int(said["dedup.candidates"]), said["dedup.sample_found"],
        said["dedup.sample_pairs"],
        said["dedup.mutants_found"], said["dedup.mutants"],
        ", ".join("%s %.2f s" % (key[8:], float(value)) for key, value in said.items() if key.startswith("seconds."))))
    if precision < 1 or recall < recall_wanted or apart:
        print("FAILED: wanted precision 1, recall %s, equal similarities (%d differ)" % (recall_wanted, apart))
        print("missed:", sorted(truth.keys() - found.keys())[:5], "too many:", sorted(found.keys() - truth.keys())[:5])
        bad = True
    # The sample's recall is a binomial draw: five standard deviations beside the true one at most.
    sample, hits = int(said["dedup.sample_pairs"]), int(said["dedup.sample_found"])
    if sample and abs(hits - sample * recall) > 5 * max(1, (sample * recall * (1 - recall)) ** 0.5):
        print("FAILED: %d of %d sampled pairs found, but %.4f of all" % (hits, sample, recall))
        bad = True
    if not sample or not int(said["dedup.mutants"]):
        print("FAILED: recall was not measured")
        bad = True

    # Star: the documents that stay are far from each other along every edge, and a removed one has an edge to the one
    # it repeats.
    wrong = database.execute("""SELECT count(*) FROM edges e JOIN dedup x ON x.snippet = e.a
                                JOIN dedup y ON y.snippet = e.b
                                 WHERE e.pass = 'dedup' AND x.kept AND y.kept""").fetchone()[0]
    loose = database.execute("""SELECT count(*) FROM dedup d WHERE NOT d.kept AND NOT EXISTS
        (SELECT 1 FROM edges WHERE pass = 'dedup' AND a = min(d.snippet, d.canonical)
        AND b = max(d.snippet, d.canonical))""").fetchone()[0]
    if wrong or loose:
        print("FAILED: %d edges between documents that stay, %d removed documents without an edge to theirs"
              % (wrong, loose))
        bad = True
sys.exit(bad)
PYTHON
