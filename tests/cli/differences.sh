# How a pair is shown: a method on one line beside its formatted twin, and a short text inside of a long one.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
body = ["int total(int[] values) {", "int sum = 0;", "for (int i = 0; i < values.length; i++) {",
        "if (values[i] > limit) {", "sum += scale(values[i], offset);", "}", "}", "return sum;", "}"]
inside = " ".join("int helper%d(int a%d) { return call%d(a%d); }\n" % (i, i, i, i) for i in range(40))
one = " ".join(body)
tall = "\n".join(body)
with open("bench.jsonl", "w") as out:
    out.write(json.dumps({"text": one, "path": "a.java"}) + "\n")
with open("corpus.jsonl", "w") as out:
    out.write(json.dumps({"text": tall.replace("offset", "shift"), "path": "twin.java"}) + "\n")
    out.write(json.dumps({"text": inside + tall + "\n" + inside, "path": "long.java"}) + "\n")
open("run.yaml", "w").write("""
datasets:
  - {name: bench, role: benchmark, files: [bench.jsonl], language: java}
  - {name: corpus, role: corpus, files: [corpus.jsonl], language: java}
near_duplicates: {min_tokens: 5, view: tokens, set_threshold: 0.7, containment_threshold: 0.9}
""")
PYTHON
expect 0 "$leakgraph" run run.yaml --output run
expect 0 "$leakgraph" show run bench//0 corpus//0
says "$work/out" '^@@ both are shown in one layout'
says "$work/out" '^!            sum \+= scale\(values\[i\], \[-offset-\]\{\+shift\+\}\);$'
expect 0 "$leakgraph" show run bench//0 corpus//1
says "$work/out" '^contained'
says "$work/out" '^@@ \+ is lines 41 to 49 of 89: where'
says run/report.md '\[-offset-\]\{\+shift\+\}'
