# seconds: 180
# The Java reference set: with the given tokens exactly the published tool's pairs, clusters and overlap; lexed from the
# texts at least 99 % of them in both directions.
. "$(dirname "$0")/../cli/common.sh"
need zstd
data=$root/../shared/data/java
[ -e "$data/reference_pairs.min5.tsv.zst" ] || { echo "no ../shared/data/java here"; exit 77; }

expect 0 "$leakgraph" run tests/data/java.yaml --output "$work/tokens" --set near_duplicates.pairs=all
cat "$work/out" "$work/err"
text=()
for dataset in codetrans csn-cloze-java concode quixbugs-java debian-java; do
    text+=(--set "datasets.$dataset.fields.tokens=nothing")
done
expect 0 "$leakgraph" run tests/data/java.yaml --output "$work/text" --set near_duplicates.pairs=all "${text[@]}"
cat "$work/out" "$work/err"
zstd -dc "$data/reference_pairs.min5.tsv.zst" >"$work/pairs.tsv"
zstd -dc "$data/reference_clusters.min5.tsv.zst" >"$work/clusters.tsv"

"$PYTHON" - "$work" <<'PYTHON'
import collections, sqlite3, sys
work = sys.argv[1]
wanted = {tuple(sorted(line.rstrip("\n").split("\t"))) for line in open(work + "/pairs.tsv", encoding="utf-8")}
groups = collections.defaultdict(set)
for line in open(work + "/clusters.tsv", encoding="utf-8"):
    number, name = line.rstrip("\n").split("\t")
    groups[number].add(name)
groups = {frozenset(group) for group in groups.values()}

def pairs(folder):
    database = sqlite3.connect(work + "/" + folder + "/graph.db")
    name = dict(database.execute("SELECT id, source_id FROM snippets"))
    found = {tuple(sorted((name[a], name[b])))
             for a, b in database.execute("SELECT a, b FROM edges WHERE pass = 'near' AND kind IN ('exact', 'near')")}
    clusters = collections.defaultdict(set)
    for snippet, cluster in database.execute("SELECT snippet, cluster FROM clusters WHERE pass = 'near'"):
        clusters[cluster].add(name[snippet])
    return database, found, {frozenset(cluster) for cluster in clusters.values()}

bad = 0
def check(what, got, expected):
    global bad
    print("%-60s %s" % (what, got if got == expected else "%s, expected %s" % (got, expected)))
    bad += got != expected

database, found, clusters = pairs("tokens")
check("pairs of the reference", len(wanted), 246310)
check("pairs found", len(found), len(wanted))
check("pairs missed", sorted(wanted - found)[:5], [])
check("pairs too many", sorted(found - wanted)[:5], [])
check("clusters that differ", len(clusters ^ groups), 0)
for source, split, target, expected in (("codetrans", "", "debian-java", (11794, 4036, 4051)),
                                        ("codetrans", "train", "debian-java", (10295, 3555, 3568)),
        ("codetrans", "valid", "debian-java", (499, 158, 159)), ("codetrans", "test", "debian-java", (1000, 323, 324)),
        ("csn-cloze-java", "", "debian-java", (482, 4, 4)), ("debian-java", "", "codetrans", (276188, 6839, 7301))):
    row = database.execute("SELECT documents, direct, transitive FROM overlap WHERE source = ? AND split = ? "
                           "AND target = ? AND target_split = '' "
                           "AND language = ''", (source, split, target)).fetchone()
    check("overlap of %s %s in %s" % (source, split or "all", target), row, expected)
inside = dict(database.execute("""SELECT CASE WHEN x.dataset = y.dataset THEN x.dataset ELSE min(x.dataset, y.dataset)
                                  || '-' || max(x.dataset, y.dataset) END, count(*)
    FROM edges JOIN snippets x ON x.id = a JOIN snippets y ON y.id = b WHERE kind IN ('exact', 'near') GROUP BY 1"""))
check("pairs by datasets", inside, {"debian-java": 234324, "codetrans-debian-java": 10087, "codetrans": 1747,
                                    "concode": 81, "quixbugs-java": 55,
                                    "csn-cloze-java": 8, "csn-cloze-java-debian-java": 8})

_, found, _ = pairs("text")
right = len(found & wanted)
precision, recall = right / max(len(found), 1), right / len(wanted)
print("lexed: %d pairs, precision %.5f, recall %.5f" % (len(found), precision, recall))
bad += precision < 0.99 or recall < 0.99
sys.exit(bad > 0)
PYTHON
