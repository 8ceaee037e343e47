# seconds: 90
# What a user sees of dedup: the records that stay, untouched and in order, with their duplicate_count; which copy
# stays; what is protected; lists; documents too short to compare; exit statuses.
. "$(dirname "$0")/common.sh"
need zstd

# Words w(seed, count); a record's own spelling of its JSON must survive, so it is written in several ways.
"$PYTHON" - "$work" <<'PYTHON'
import json, os, random, sys
work = sys.argv[1]

def w(seed, count):
    generator = random.Random(seed)
    return ["%s%d" % (generator.choice(("load", "item", "node", "cache")), generator.randrange(300))
            for _ in range(count)]

def text(seed, count=80, last=None):
    words = w(seed, count)
    return " ".join(words[:-1] + [last or words[-1]])

def put(name, records):
    os.makedirs(os.path.dirname(work + "/" + name) or ".", exist_ok=True)
    with open(work + "/" + name, "w", encoding="utf-8") as out:
        for number, record in enumerate(records):
            line = json.dumps(record, ensure_ascii=number % 2 == 0,
                              separators=((",", ":"), (", ", ": "), (" ,  ", " : "))[number % 3])
            out.write(line + ("" if number % 4 else " ") + "\n")

# Five families; in each the record that a policy prefers is marked.  Near copies differ in their last word.
put("one/a.jsonl", [
    {"id": "near-short", "text": text(1), "extra": {"deep": [1, 2.50, None]}, "path": "x.py"},
    {"id": "alone", "text": text(2), "path": "alone.py", "name": "gr\u00fc\u00df \u2028 \U0001f600"},
    {"id": "near-long", "text": text(1, last="a_much_longer_word"), "path": "a/long/path.py"},
    {"id": "copy-1", "text": text(3), "path": "copies/1.py"},
    {"id": "short-1", "text": "two words"},
    {"id": "short-2", "text": "other words"},
])
put("one/sub/b.jsonl", [
    {"id": "copy-2", "text": text(3), "path": "c/2.py"},
    {"id": "near-mid", "text": text(1, last="longer_word"), "path": "p.py"},
    {"id": "short-3", "text": "two words"},
    {"id": "copy-3", "text": text(3), "path": "copies/33.py"},
    {"id": "far", "text": " ".join(w(1, 80)[:30] + w(9, 50))},
    {"id": "unreadable"},
])
put("keep/first.jsonl",
    [{"id": "dataset", "text": text(5, last="o"), "path": "p/pp", "stars": 3, "date": "2020-01-01"}])
put("keep/second.jsonl", [
    {"id": "longest", "text": text(5, last="ooooooooooo"), "path": "p/ppp", "stars": 2, "date": "2019-12-31T10:00:00Z"},
    {"id": "stars", "text": text(5, last="oo"), "path": "p/pppp", "stars": 40, "date": "2020-01-02"},
    {"id": "newest", "text": text(5, last="ooo"), "path": "p/ppppp", "stars": 9, "date": "2021-02-01"},
    {"id": "path", "text": text(5, last="oooo"), "path": "p", "date": "2018"},
    {"id": "nothing", "text": text(5, last="ooooo")},
])
put("split/test.jsonl", [
    {"id": "t1", "text": text(11)}, {"id": "t2", "text": text(11)}, {"id": "t3", "text": text(12)},
])
put("split/train.jsonl", [
    {"id": "r1", "text": text(12, last="a_longer_last_word_than_any")}, {"id": "r2", "text": text(13)},
    {"id": "r3", "text": text(13)}, {"id": "r4", "text": text(11)},
])
put("tongues.jsonl", [
    {"id": "l1", "text": text(21), "language": "java"}, {"id": "l2", "text": text(21), "language": "go"},
    {"id": "l3", "text": "two", "language": "go"},
    {"id": "l4", "text": "two", "language": "java"},
])
put("cut.jsonl", [{"id": "cut", "text": " ".join(w(31, 80)[:70])}, {"id": "whole", "text": text(31)}])
PYTHON
cd "$work"

# cleaned FOLDER FILE...: ids of the cleaned records, with their duplicate_count.  Every line must be the input's, but
# for that last member.
cleaned() {
    "$PYTHON" - "$@" <<'PYTHON'
import json, re, subprocess, sys
folder = sys.argv[1]
for pair in sys.argv[2:]:
    source, name = pair.split("=")
    lines = {json.loads(line)["id"]: line.rstrip("\n") for line in open(source, encoding="utf-8")}
    order = list(lines)
    last = -1
    for line in subprocess.run(["zstd", "-qdc", "%s/clean/%s.jsonl.zst" % (folder, name)], check=True,
                               capture_output=True).stdout.decode().split("\n")[:-1]:
        record = json.loads(line)
        count = re.search(r',\s*"duplicate_count"\s*:\s*(\d+)\s*\}\s*$', line)
        body = line[:count.start()].rstrip() if count else line.rstrip()
        wanted = lines[record["id"]].rstrip()
        if body != (wanted[:-1].rstrip() if count else wanted):
            sys.exit("record %s is changed: %s" % (record["id"], line))
        if order.index(record["id"]) <= last:
            sys.exit("record %s is out of order" % record["id"])
        last = order.index(record["id"])
        print(record["id"] + (":" + count.group(1) if count else ""), end=" ")
PYTHON
}
stays() {   # stays WANTED FOLDER SOURCE=FILE...
    local wanted=$1 got
    shift
    got=$(cleaned "$@") || fail "$1: $got"
    [ "$got" = "$wanted " ] || fail "$1: \`$got' stay, not \`$wanted'"
}

# ---- the cleaned shards of one corpus ----
cat one/a.jsonl one/sub/b.jsonl >one.jsonl
expect 0 "$leakgraph" dedup 'one=one/**/*.jsonl' --language text --output plain
stays 'alone near-long:3 short-1:2 short-2 copy-2:3 far' plain one.jsonl=one/a+1
[ "$(find plain/clean -type f | wc -l)" = 1 ] || fail "other files: $(find plain/clean -type f)"
expect 0 "$leakgraph" dedup 'one=one/**/*.jsonl' --language text --output each --set dedup.shard_size=0
stays 'alone near-long:3 short-1:2 short-2 copy-2:3 far' each one/a.jsonl=one/a one/sub/b.jsonl=one/sub/b
[ "$(find each/clean -type f | wc -l)" = 2 ] || fail "other files: $(find each/clean -type f)"
same plain each
expect 0 "$leakgraph" fsck plain
reference_sql "$PWD/plain/graph.db" dedup
[ "$(sql plain "SELECT value FROM run WHERE key = 'dedup.removed'")" = 5 ] || fail "dedup.removed"
[ "$(sql plain 'SELECT sum(removed), sum(documents), sum(rejected) FROM splits')" = "5|11|1" ] ||
    fail "splits: $(sql plain 'SELECT * FROM splits')"
[ "$(sql plain "SELECT kind, count(*) FROM edges WHERE pass = 'dedup' GROUP BY kind
                ORDER BY kind" | tr '\n' ' ')" = "copy|1 exact|3 near|3 " ] ||
    fail "edges: $(sql plain "SELECT * FROM edges")"
[ "$(sql plain "SELECT s.source_id, c.source_id, cluster_size, kept FROM dedup d JOIN snippets s ON s.id = d.snippet
                JOIN snippets c ON c.id = canonical
                 WHERE s.source_id LIKE 'near-%' ORDER BY 1" |
                     tr '\n' ' ')" = "near-long|near-long|3|1 near-mid|near-long|3|0 near-short|near-long|3|0 " ] ||
                     fail "table dedup"
[ "$(sql plain "SELECT count(DISTINCT cluster), count(*) FROM clusters WHERE pass = 'dedup'")" = "2|6" ] ||
    fail "clusters: copies enter none"

# ---- again, with other settings, in the same folder: what is not written any more goes ----
expect 0 "$leakgraph" dedup --replace 'one=one/**/*.jsonl' --language text --output plain --lists
[ -z "$(find plain/clean -type f 2>/dev/null)" ] || fail "--lists left cleaned shards"
[ "$(zstd -qdc plain/lists/one.tsv.zst | tail -n +2 | wc -l)" = 5 ] || fail "--lists does not name the five removed"
zstd -qdc plain/lists/one.tsv.zst | grep -q near-short || fail "--lists does not name near-short"
[ "$(zstd -qdc plain/lists/one.tsv.zst | head -1 | cut -f 9-)" = \
    "kept_shard	kept_record	kept_path	kind	similarity" ] ||
    fail "the list's first line is $(zstd -qdc plain/lists/one.tsv.zst | head -1)"
[ "$(zstd -qdc plain/lists/one.tsv.zst | tail -n +2 | cut -f 12 | sort | uniq -c | tr -s ' \n' ' ')" = \
    "$(sql plain "SELECT count(*) || ' ' || e.kind FROM dedup AS d JOIN edges AS e ON e.pass = 'dedup' AND e.a =
                  min(d.snippet, d.canonical) AND e.b = max(d.snippet, d.canonical) WHERE d.kept = 0 GROUP BY e.kind
                  ORDER BY e.kind" | sed 's/^/ /' | tr -d '\n') " ] ||
    fail "the list's kinds are not those of the pairs"
expect 0 "$leakgraph" dedup 'one=one/**/*.jsonl' --language text --output dry --dry-run
[ -z "$(find dry/clean dry/lists -type f 2>/dev/null)" ] || fail "--dry-run wrote $(find dry/clean dry/lists -type f)"
same plain dry
expect 0 "$leakgraph" dedup --replace 'one=one/**/*.jsonl' --language text --output each --dry-run
[ -z "$(find each/clean each/lists -type f 2>/dev/null)" ] ||
    fail "--dry-run left $(find each/clean each/lists -type f)"
expect 0 "$leakgraph" fsck each

# ---- which copy stays ----
for policy in dataset longest stars newest path; do
    expect 0 "$leakgraph" dedup first=keep/first.jsonl second=keep/second.jsonl --language text --keep $policy \
        --output "keep-$policy"
    stays_in=second keeps=keep/second.jsonl=second/second
    [ $policy != dataset ] || { stays_in=first keeps=keep/first.jsonl=first/first; }
    both=$(cleaned "keep-$policy" $keeps)
    [ "$(ls "keep-$policy/clean")" = $stays_in ] || fail "--keep $policy: $(find "keep-$policy/clean")"
    [ "$both" = "$policy:6 " ] || fail "--keep $policy keeps \`$both'"
done
expect 0 "$leakgraph" dedup second=keep/second.jsonl first=keep/first.jsonl --language text --keep dataset,stars \
    --output turned
[ "$(cleaned turned keep/second.jsonl=second/second)" = "stars:6 " ] ||
    fail "the order of datasets is not that of the line"

# ---- train against test ----
expect 0 "$leakgraph" dedup train=split/train.jsonl test=split/test.jsonl --language text --protect test \
    --output split-out
[ "$(cleaned split-out split/test.jsonl=test/test | sed 's/:[0-9]*//g')" = "t1 t2 t3 " ] ||
    fail "the protected test split lost records"
train=$(cleaned split-out split/train.jsonl=train/train)
case $train in "r2:2 "|"r3:2 ") ;; *) fail "train: $train" ;; esac
expect 0 "$leakgraph" dedup test=split/test.jsonl train=split/train.jsonl --language text --keep dataset,longest \
    --output drop
[ "$(sql drop "SELECT dataset, removed FROM splits ORDER BY 1" | tr '\n' ' ')" = "test|1 train|3 " ] ||
    fail "drop train where it repeats test: $(sql drop 'SELECT * FROM splits')"

# ---- languages; containment ----
expect 0 "$leakgraph" dedup t=tongues.jsonl --output tongues
[ "$(sql tongues 'SELECT sum(removed) FROM splits')" = 0 ] || fail "two languages were compared"
expect 3 "$leakgraph" dedup t=tongues.jsonl --output tongues --set fail_on.duplicates=10
says "$work/err" 'warning: dedup met [12] documents? with the same bytes as one of another language.*across_languages' \
    'fail_on\.duplicates is inconclusive: [12] documents have the same bytes as one of another language'
expect 0 "$leakgraph" dedup t=tongues.jsonl --output across --set dedup.across_languages=true
! grep -q 'same bytes' "$work/err" || fail "copies that were found are called apart"
[ "$(sql across 'SELECT sum(removed) FROM splits')" = 2 ] ||
    fail "across_languages: $(sql across 'SELECT * FROM splits')"
expect 0 "$leakgraph" dedup cut.jsonl --language text --method lsh --threshold 0.9 --output whole
[ "$(sql whole 'SELECT sum(removed) FROM splits')" = 0 ] || fail "removed below the threshold"
expect 0 "$leakgraph" dedup cut.jsonl --language text --method lsh --threshold 0.9 --set dedup.containment=0.95 \
    --output contained
[ "$(sql contained "SELECT kind, shared, \"union\" FROM edges")" = "contained|66|76" ] ||
    fail "containment: $(sql contained 'SELECT * FROM edges')"
[ "$(cleaned contained cut.jsonl=cut/cut)" = "whole:2 " ] || fail "what is inside another document stays"

# ---- beside near_duplicates: both passes in one graph ----
cat >both.yaml <<'YAML'
output: both
datasets:
  - {name: test, role: benchmark, language: text, files: [split/test.jsonl]}
  - {name: train, role: corpus, language: text, files: [split/train.jsonl]}
near_duplicates: {view: "shingles:5", set_threshold: 0.7, multiset_threshold: 0.5, min_tokens: 1}
dedup: {datasets: [train], write: lists}
fail_on: {duplicates: 30}
YAML
expect 0 "$leakgraph" run both.yaml
[ "$(sql both "SELECT pass, count(*) FROM edges GROUP BY pass ORDER BY pass" | tr '\n' ' ')" = "dedup|1 near|4 " ] ||
    fail "both passes: $(sql both "SELECT * FROM edges")"
expect 0 "$leakgraph" fsck both
expect 3 "$leakgraph" run both.yaml --set fail_on.duplicates=20
says "$work/err" 'duplicates'
expect 0 "$leakgraph" fsck both

# ---- splits that the records name are told apart in the report ----
"$PYTHON" - <<'PYTHON'
import json
with open("named.jsonl", "w") as out:
    for number, split in enumerate(("test", "train", "train")):
        out.write(json.dumps({"id": number, "split": split, "path": "longer"[number:],
                              "text": "one two three four five six seven"}) + "\n")
PYTHON
expect 0 "$leakgraph" dedup named=named.jsonl --keep path --dry-run --output named
says named/report.md '^\| named \| test \| named \| train \| 1 \| 100.00 % \|$' \
    '^\| named \| train \| named \| train \| 1 \| 50.00 % \|$' '^- seconds.measure: '

# ---- what a run has written is no input of the same folder: it would be removed ----
expect 0 "$leakgraph" dedup own=one/a.jsonl --output own
expect 2 "$leakgraph" dedup own='own/clean/own/*.zst' --output own
says "$work/err" 'own/clean/own/a.jsonl.zst.*run folder itself.*--output'
[ -s own/clean/own/a.jsonl.zst ] || fail "a refused run removed its input"

# ---- usage ----
expect 0 "$leakgraph" dedup --help
says "$work/out" 'CORPUS' '--protect'
expect 2 "$leakgraph" dedup
expect 2 "$leakgraph" dedup 'nothing/*.jsonl' --output bad
refused() {     # refused KEY VALUE TEXT...
    local key=$1 value=$2
    shift 2
    expect 2 "$leakgraph" run both.yaml --output bad --set "dedup.$key=$value"
    says "$work/err" "$@"
}
refused threshold 0 threshold
refused threshold 1.5 threshold
refused view shingle:5 shingles
refused keep '[longst]' longest
refused keep '[path, path]' twice
refused method lhs lsh
refused datasets '[trian]' train
refused protect '[test]' protect
refused bands 20 rows
refused bands '20' 'bands'
refused zstd_level 20 zstd_level
refused bucket_cap 1 bucket_cap
refused shard_size small 'size such as'
refused treshold 0.5 threshold
expect 2 "$leakgraph" run both.yaml --output bad --set dedup.bands=64 --set dedup.rows=9
[ ! -e bad/graph.db ] || fail "a refused setting made a graph"
