# The worked example of a capability (docs/examples/capability) is part of a program that has one line more in its
# table: settings, pass, table, digest, report, gate, help, fsck, a resume and other ranks.
. "$(dirname "$0")/common.sh"
marked=$BUILD/tests/leakgraph-marked
diff <(sed -n '/^#define CAPABILITIES/,/^$/p' pipeline/config/capabilities.c) \
     <(sed -n '/^#define CAPABILITIES/,/^$/p' "$BUILD/example/capabilities.c") >"$work/lines" &&
    fail "the table of the example has no line more"
[ "$(grep -c '^[<>] *CAPABILITY(marked)' "$work/lines")" = 1 ] || fail "the table differs by more than a line"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
with open("a.jsonl", "w") as out:
    for i in range(100):
        text = "# licence: MIT\r\n" if i % 4 == 0 else "  # licence: MIT" if i % 10 == 1 else "x # licence: MIT\n"
        out.write(json.dumps({"text": "def f%d():\n" % i + text}) + "\n")
with open("b.jsonl", "w") as out:
    out.write('{"text": "# licence: MIT"}\n{"text": ""}\n{"text": 1}\n')
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: a, role: corpus, files: [a.jsonl]}
  - {name: b, role: benchmark, files: [b.jsonl]}
marked: {line: "# licence: MIT"}
YAML
expect 0 "$marked" run run.yaml
says out '^marked  a  35 of 100 documents' '^marked  b  1 of 2 documents'
[ "$(sql run "SELECT * FROM marked ORDER BY rowid")" = "a|100|35
b|2|1" ] || fail "table marked: $(sql run "SELECT * FROM marked")"
says run/report.md 'Documents with the line' '35\.0'
says run/config.resolved.yaml '^marked:' 'line: "# licence: MIT"'
expect 0 "$marked" fsck run
ranks 2 "$marked" run run.yaml --output two
same run two
expect 3 "$marked" run run.yaml --set fail_on.marked=40
says err 'gate fail_on.marked failed: 50.00 % of b have the line, more than 40 %'
expect 0 "$marked" run run.yaml --set fail_on.marked=60
expect 2 "$marked" run run.yaml --set marked.line=' '
says err 'line must have something'
expect 2 "$marked" run run.yaml --set marked.lien=x
says err 'did you mean `line`'
expect 0 "$marked" help config
says out '^marked:  '
# the program itself does not know it
expect 2 "$leakgraph" run run.yaml
says err 'unknown key `marked`'
