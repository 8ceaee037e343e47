# Sourced by the scripts of tests/cli, tests/kill and tests/fault; not a test.
# Gives a scratch folder $work (removed at the end), and words to run the program and to look at its result.
set -eu
LONG=${LONG-}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
BUILD=$(cd "${BUILD:-build}" && pwd)
PYTHON=${PYTHON:-python3}
leakgraph=$BUILD/leakgraph
work=$(mktemp -d "${TMPDIR:-/tmp}/leakgraph-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [ "$(id -u)" = 0 ]; then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi

fail() { echo "FAILED: $*"; exit 1; }

# expect STATUS COMMAND...: runs it with output in $work/out and $work/err; any other exit status ends the test.
expect() {
    local wanted=$1 status=0
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status = "$wanted" ] || {
        echo "FAILED: exit status $status instead of $wanted: $*"
        tail -n 20 "$work/out" "$work/err"
        exit 1
    }
}

# says FILE TEXT...: every TEXT (an extended regular expression) is in the file.
says() {
    local file=$1 text
    shift
    for text in "$@"; do
        grep -qE -e "$text" "$file" && continue
        echo "FAILED: \`$text' is not in $(basename "$file"):"
        tail -n 20 "$file"
        exit 1
    done
}

# sql FOLDER STATEMENT: rows of a run's graph.db, columns separated by |.
sql() {
    "$PYTHON" - "$1/graph.db" "$2" <<'PYTHON'
import sqlite3, sys
for row in sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True).execute(sys.argv[2]):
    print("|".join("" if value is None else str(value) for value in row))
PYTHON
}

digest() { sql "$1" "SELECT value FROM run WHERE key = 'digest'"; }

# same FOLDER FOLDER: the two runs found the same, and not nothing.
same() {
    local a b
    a=$(digest "$1") b=$(digest "$2")
    [ -n "$a" ] || fail "$1 has no digest"
    [ "$a" = "$b" ] || fail "digest $b in $(basename "$2") is not $a of $(basename "$1")"
}

# ranks N COMMAND...: under mpirun.  Leaks are not looked for there: Open MPI keeps memory until exit.
ranks() {
    local count=$1
    shift
    ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe --bind-to none -n "$count" "$@"
}

need() {    # need PROGRAM...: skips the test when one is missing
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || { echo "no $program here"; exit 77; }
    done
}

# two_sets FOLDER [OPTION...]: a benchmark and a corpus that share documents, FOLDER/bench.jsonl and
# FOLDER/corpus-NN.jsonl, and FOLDER/run.yaml that joins them.
two_sets() {
    local folder=$1
    shift
    "$PYTHON" tests/cli/make_sets.py "$@" "$folder"
    cat >"$folder/run.yaml" <<YAML
output: $folder/run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
near_duplicates: {view: identifiers}
YAML
}

# Runs the SQL blocks of docs/reference.md on a database: those on tables that begin with WORD, or, for `near`, those on
# the tables that every run fills.
reference_sql() {  # DATABASE near|dedup|repositor|ngram|probe|sensitive|memoris|inclusion|inclusion_clone|compliance
    "$PYTHON" - "$1" "$2" "$root/docs/reference.md" <<'PYTHON'
import re, sqlite3, sys
def kind(block):
    found = re.search(r"FROM (dedup|repositor|ngram|probe|sensitive|memoris|inclusion_clone|inclusion|compliance)",
                      block)
    return found.group(1) if found else "near"
blocks = [block for block in re.findall(r"```sql\n(.*?)```", open(sys.argv[3]).read(), re.S)
          if kind(block) == sys.argv[2]]
assert blocks, "docs/reference.md has no SQL for " + sys.argv[2]
database = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
for block in blocks:
    rows = database.execute(block).fetchall()
    assert rows, "a query of docs/reference.md gives no row:\n" + block
    print(rows[:5])
PYTHON
}

# completions_server: tests/unit/completions_server.py serves completions at 127.0.0.1:$port until the test ends.
completions_server() {
    export no_proxy='*'
    exec 3> >(exec "$PYTHON" "$root/tests/unit/completions_server.py" 2>"$work/server" >"$work/port")
    for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.05; done
    port=$(cat "$work/port")
}

# completions_stats FIELD...: what the server counted since the last time.
completions_stats() {
    "$PYTHON" -c 'import json, sys, urllib.request as u
told = json.load(u.build_opener(u.ProxyHandler({})).open(sys.argv[1]))
print(*(told[field] for field in sys.argv[2:]))' "http://127.0.0.1:$port/stats" "$@"
}
