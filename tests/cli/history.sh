# Key history of pipeline.yaml: dated folders of a nightly job, of which each tells what changed since the last one, and
# the trend; what is missing, damaged or of others is said and counted; no result depends on it.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 30 --corpus 80 --shards 4
cd "$work/sets"
mkdir nightly later
mv corpus-02.jsonl corpus-03.jsonl later

# night DAY [OPTION...]: a run into nightly/DAY, dated so when fsck has seen it; what it said is in err.
night() {
    local day=$1
    shift
    expect 0 "$leakgraph" run run.yaml --output "nightly/$day" "$@"
    cp "$work/err" err
    expect 0 "$leakgraph" fsck "nightly/$day"
    "$PYTHON" - "nightly/$day/graph.db" "2026-01-${day}T03:00:00Z" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    database.execute("UPDATE run SET value = ? WHERE key IN ('started', 'finished')", (sys.argv[2],))
    database.execute("UPDATE history_runs SET started = ?1, finished = ?1 WHERE id = (SELECT max(id) FROM "
                     "history_runs)", (sys.argv[2],))
PYTHON
}
runs() { sql "nightly/$1" "SELECT substr(started, 9, 2), folder IS NOT NULL, compared FROM history_runs ORDER BY id" |
    xargs; }

# ---- nothing but history differs: the same digest, and the folder is not of another configuration ----
expect 0 "$leakgraph" run run.yaml --output plain --quiet
digest plain >plain.digest
expect 0 "$leakgraph" run run.yaml --output plain --set 'history={}'
says "$work/err" 'history: runs=1 .* changes=0' 'reused=[1-9]'
[ "$(digest plain)" = "$(cat plain.digest)" ] || fail "history changed the digest"
[ "$(sql plain "SELECT count(*) FROM run WHERE key GLOB 'digest.hist*' OR key GLOB 'digest.change*'")" = 0 ] ||
    fail "history has a digest of its own"
says plain/report.md '^Nothing changed since the run of ' '^## What changed since '
expect 0 "$leakgraph" fsck plain
rm -r plain
printf 'history: {runs: nightly/*, keep: 3}\n' >>run.yaml

# ---- the first night ----
night 01
says err 'history: runs=0 unfinished=0 unreadable=0 unusable=0 others=0 changes=0'
says nightly/01/report.md '^There is no earlier run to compare with\.$'
[ "$(runs 01)" = "01|0|0" ] || fail "the first night has runs $(runs 01)"

# ---- the second: a shard more; a lock, a log, an unfinished and a damaged folder beside it, the last one linked ----
mv later/corpus-02.jsonl .
mkdir -p nightly/unfinished/work nightly/damaged
touch nightly/lock nightly/log
printf 'no database' >nightly/damaged/graph.db
ln -s 01 nightly/latest
night 02
says err 'history: runs=1 unfinished=1 unreadable=1 unusable=0 others=0 changes=[1-9]' \
    'warning: history: 1 earlier run cannot be read, as .*damaged/graph\.db'
says nightly/02/report.md '^## What changed since 2026-01-01T03:00:00Z$' '^Folders without a finished run: 1\.$' \
    '^Folders that cannot be read: 1, as .*damaged/graph\.db: ' \
    '^\| corpus \| corpus-02\.jsonl \| bytes \| - \| [0-9]+ \|' \
    '^Since the run of 2026-01-01T03:00:00Z: [0-9]+ items? of benchmarks leaks? that did not\.$' '^### bench in corpus$'
[ "$(runs 02)" = "01|1|1 02|0|0" ] || fail "the second night has runs $(runs 02)"

# The report says what leakgraph diff says of the two folders.
expect 0 "$leakgraph" diff nightly/01 nightly/02 --json
"$PYTHON" - "$work/out" nightly/02/report.json nightly/02/graph.db <<'PYTHON'
import json, sqlite3, sys
diff, report = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))["history"]
for part in ("summary", "items", "changes"): assert diff[part] == report[part], (part, diff[part], report[part])
assert diff["summary"]["newly_leaked"] > 0 and not diff["changes"].get("settings"), diff["summary"]
points = report["trend"][0]["points"]
assert [point["started"][8:10] for point in points][0] == "01" and len(points) == 2, points
assert points[0]["direct_percent"] < points[1]["direct_percent"], points
database = sqlite3.connect("file:%s?mode=ro" % sys.argv[3], uri=True)
want = database.execute("SELECT direct, documents FROM overlap WHERE source = 'bench' AND target = 'corpus' AND "
                        "split = '' AND target_split = '' AND language = ''").fetchone()
got = database.execute("SELECT direct, documents FROM history_trend WHERE split = '' AND run = 2").fetchone()
assert want == got, (want, got)
PYTHON

# ---- the same night again, on three ranks: not compared with itself; the same digest and the same changes ----
tables="SELECT * FROM changes UNION ALL SELECT change, dataset, split, source_id, path, target, old_kind, new_kind, \
old_match, new_match, NULL FROM changed_items ORDER BY 1, 2, 3, 4, 5, 6, 7"
sql nightly/02 "$tables" >second
[ -s second ] || fail "the second night has no changes"
if command -v mpirun >/dev/null; then
    digest nightly/02 >second.digest
    rm -r nightly/02
    expect 0 ranks 3 "$leakgraph" run run.yaml --output nightly/02 --quiet
    [ "$(digest nightly/02)" = "$(cat second.digest)" ] || fail "another digest on three ranks"
    sql nightly/02 "$tables" | cmp - second || fail "other changes on three ranks"
    "$PYTHON" -c 'import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as d: d.execute("UPDATE run SET value = ? WHERE key = \"started\"", (sys.argv[2],))' \
        nightly/02/graph.db 2026-01-02T03:00:00Z
fi
expect 0 "$leakgraph" run run.yaml --output nightly/02
says "$work/err" 'history: runs=1 .* changes=[1-9]' 'reused=[1-9]'
night 02

# ---- old folders are removed, the trend stays; a run of another pipeline, and one without documents ----
night 03 --set near_duplicates.set_threshold=0.75
says nightly/03/report.md '^Warning: the runs had other settings \(1, below\)' \
    'set._threshold \| value \| 0\.8 \| 0\.75'
[ "$(runs 03)" = "01|1|0 02|1|1 03|0|0" ] || fail "the third night has runs $(runs 03)"
rm -r nightly/01
cat >others.yaml <<'YAML'
datasets: [{name: others, role: benchmark, files: [bench.jsonl]}]
near_duplicates: {}
YAML
expect 0 "$leakgraph" run others.yaml --output nightly/others --quiet
mv later/corpus-03.jsonl .
night 04
[ "$(runs 04)" = "01|0|0 02|1|0 03|1|1 04|0|0" ] || fail "the fourth night has runs $(runs 04)"
says err 'history: runs=3 unfinished=1 unreadable=1 unusable=0 others=1 changes='
says nightly/04/report.md '^Folders of other benchmarks: 1\.$'
night 05                                                    # three earlier ones are kept
[ "$(runs 05)" = "02|1|0 03|1|0 04|1|1 05|0|0" ] || fail "the fifth night has runs $(runs 05)"

# ---- the report is made again from graph.db alone ----
cp nightly/05/report.json before.json
rm -r nightly/04
expect 0 "$leakgraph" report nightly/05
cmp -s before.json nightly/05/report.json || {
    "$PYTHON" - before.json nightly/05/report.json <<'PYTHON'
import json, sys
before, after = (json.load(open(name)) for name in sys.argv[1:])
for part in ("items", "changes", "summary"): assert before["history"][part] == after["history"][part], part
PYTHON
}

# ---- other versions, settings that are wrong ----
"$PYTHON" -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version = 7")' nightly/05/graph.db
night 06
says err 'warning: history: 2 earlier runs cannot be read'
says nightly/06/report.md 'cannot be read: 2'
[ "$(runs 06 | tr ' ' '\n' | grep -c '|1$')" = 1 ] || fail "after another version there is nothing to compare with"
expect 2 "$leakgraph" run run.yaml --set history.runs=[]
says "$work/err" 'history.*names at least one folder|runs names at least one folder'
