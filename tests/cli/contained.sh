# Functions that lie in files are found with the defaults, the gate counts them; what auto leaves out.
. "$(dirname "$0")/common.sh"
cd "$work"

# 20 functions with 13 names and more; 6 of them stand word by word in a file among 40 others.  Two of 7 names do too.
"$PYTHON" - <<'PYTHON'
import json
def function(name, words):
    names = ["%s_%d" % (name, i) for i in range(words)]
    return "def %s(%s):\n%s    return %s\n" % (name, ", ".join(names[:3]), "".join(
        "    %s = %s + %s\n" % t for t in zip(names[3:], names[2:], names[1:])), names[-1])
def file(n, inside): return "".join(function("own%d_%d" % (n, k), 9) + inside * (k == 3) for k in range(12))
items = [function("task%d" % i, 12) for i in range(20)] + [function("short%d" % i, 6) for i in range(2)]
with open("functions.jsonl", "w") as out:
    for i, text in enumerate(items): out.write(json.dumps({"id": i, "text": text}) + "\n")
with open("files.jsonl", "w") as out:
    for n in range(40):
        out.write(json.dumps({"id": n, "text": file(n, items[n] if n < 6 else items[14 + n] if n < 8 else "")}) + "\n")
with open("functions20.jsonl", "w") as out:
    for i, text in enumerate(items[:20]): out.write(json.dumps({"id": i, "text": text}) + "\n")
PYTHON
run() { "$leakgraph" overlap --benchmark "functions=$1" --corpus files=files.jsonl --language python \
    --set near_duplicates.renamed=off "${@:2}"; }         # made by one rule, all of them are each other, renamed
counted() { sql "$1" "SELECT direct, contained FROM overlap WHERE source = 'functions' AND target = 'files' AND
    split = '' AND target_split = '' AND language = ''"; }
is() { [ "$2" = "$3" ] || fail "$1 are $2, not $3"; }

expect 3 run functions20.jsonl --output found --set fail_on.leakage=1
is "functions in files" "$(counted found)" '0|6'
says "$work/err" 'fail_on\.leakage failed: 30\.00 % of functions is in files'
says "$work/out" 'contained' '^functions .* 6 '
is "pairs" "$(sql found "SELECT x.source_id, y.source_id FROM edges AS e JOIN snippets AS x ON x.id = e.a JOIN snippets
    AS y ON y.id = e.b WHERE e.kind = 'contained' ORDER BY 1" | tr '\n' ' ')" '0|0 1|1 2|2 3|3 4|4 5|5 '
# The report shows the place in the file, and the lines there, though they do not differ.
says found/report.md '^@@ \+ is lines 33 to 43 of 107: where the other.s tokens are @@$' '^ def task0\(task0_0, '
says found/config.resolved.yaml 'containment_threshold: auto'
is "setting" "$(sql found "SELECT value FROM run WHERE key = 'near.containment_threshold'")" auto
! grep -q 'half of its documents' "$work/err" || fail "a warning where all items are looked for"
expect 0 "$leakgraph" fsck found
expect 3 ranks 2 "$leakgraph" run found/config.resolved.yaml --quiet --threads 1 --output again
same found again

# off, another view and the published pipeline look for none: the gate passes.
for set in near_duplicates.containment_threshold=off near_duplicates.view=lines compat=published; do
    expect 0 run functions20.jsonl --quiet --replace --output none --set fail_on.leakage=1 \
        --set fail_on.coverage=0 --set datasets.files.unit=file --set near_duplicates.passages=off --set "$set"
    is "functions in files with $set" "$(counted none)" '0|0'
    says none/config.resolved.yaml 'containment_threshold: off'
done

# Too few names for auto, not for a number; that is said where it is a tenth of the items.
expect 0 run functions.jsonl --quiet --output short --set near_duplicates.min_tokens=5
is "functions in files by auto" "$(counted short)" '0|6'
expect 0 run functions.jsonl --quiet --output number --set near_duplicates.min_tokens=5 \
    --set near_duplicates.containment_threshold=0.93
is "functions in files by a number" "$(counted number)" '0|8'
head -n 21 functions.jsonl | tail -n 7 >some.jsonl
expect 0 run some.jsonl --quiet --output some --set near_duplicates.min_tokens=5 --set datasets.files.unit=file
says "$work/err" 'files: half of its documents .* the 1 of 7 that have fewer than 8 distinct features are not'

# Names that are all there, but not as often.
"$PYTHON" - <<'PYTHON'
import json
names = ["n%d" % i for i in range(9)]
with open("often.jsonl", "w") as out: out.write(json.dumps({"text": " + ".join(names * 3)}) + "\n")
with open("files.jsonl", "w") as out:
    out.write(json.dumps({"text": " + ".join(names + ["m%d" % i for i in range(60)])}) + "\n")
PYTHON
expect 0 run often.jsonl --quiet --output often
is "items of rarer names" "$(counted often)" '0|0'
expect 0 run often.jsonl --quiet --replace --output often --set near_duplicates.containment_threshold=1
is "items of the same names" "$(counted often)" '0|1'
