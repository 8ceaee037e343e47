# docs/graph.db.md and docs/pipeline.yaml.md are what the program prints; and graph.db has the tables and columns that
# are told of, no others.
. "$(dirname "$0")/common.sh"
need "$PYTHON"

scripts/docs.sh "$leakgraph" "$work"
for name in graph.db.md pipeline.yaml.md; do
    diff -u "docs/$name" "$work/$name" || fail "docs/$name is old: make docs"
done

printf 'int main(void) { return 0; }\n' > "$work/a.c"
cat > "$work/p.yaml" <<YAML
output: $work/run
datasets:
  - {name: files, role: benchmark, format: lines, files: $work/a.c}
near_duplicates: {min_tokens: 1}
YAML
expect 0 "$leakgraph" run "$work/p.yaml" --quiet
"$PYTHON" - "$work/run/graph.db" "$work/graph.db.md" <<'PYTHON'
import re, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
told = {}
for line in open(sys.argv[2]):
    heading, row = re.match(r"## (\w+)$", line), re.match(r"\| (\w+)( \\\*)? \| ([A-Z ]+)", line)
    view = re.match(r"View \*\*(\w+)\*\* \(([^)]*)\)", line)
    if heading: table = told.setdefault(heading.group(1), [])
    elif row: table.append((row.group(1), row.group(3).strip()))
    elif view: told[view.group(1)] = [(name.strip('"'), "") for name in view.group(2).split(", ")]
told = {name: columns for name, columns in told.items() if columns}        # a heading may have views alone
there = {}
for (name, kind) in database.execute("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view')"):
    there[name] = []
    for _, column, declared, full, _, key in database.execute('PRAGMA table_info("%s")' % name):
        words = [declared] + ["NOT NULL"] * full + ["PRIMARY KEY"] * key
        there[name].append((column, " ".join(words) if kind == "table" else ""))
told["models"] = [(name, words.replace(" UNIQUE", "")) for name, words in told["models"]]
assert len(told) > 25 and told == there, [name for name in set(told) | set(there) if told.get(name) != there.get(name)]
PYTHON
