# audit licence: answers beside functions, without a model; lines, folder, groups, what is refused.
. "$(dirname "$0")/common.sh"

"$PYTHON" - "$work" <<'PYTHON'
import json, sys
work = sys.argv[1]
def body(k):
    return ("    total = %d\n    for x in values:\n        # step %d of the sum\n        if x > %d and x < limit:\n"
            "            total += x * %d\n        elif x == %d:\n            total -= weight_%d(x)\n        else:\n"
            "            continue\n    if total < 0:\n        raise ValueError('negative %d')\n    return total\n"
            % (k, k, k, k, k, k, k))
licences = ["MIT", "GPL-3.0-only", "Apache-2.0", "MPL-2.0"]
with open(work + "/seen.jsonl", "w") as seen, open(work + "/unseen.jsonl", "w") as unseen:
    for k in range(1, 13):
        head = "def f%d(values, limit):\n" % k
        row = {"id": "f%d" % k, "reference": body(k), "prompt": head, "signature": head, "license": licences[k % 4]}
        seen.write(json.dumps(dict(row, generated="Sure:\n```python\n" + head + body(k) + "```\n",
                                   reply="It is under the %s license." % licences[k % 4 if k % 2 else 0])) + "\n")
        short = "    return sum(v for v in values if v < limit)\n"
        unseen.write(json.dumps(dict(row, answer=short, reply=None)) + "\n")
PYTHON

expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl"
[ "$(grep -c . "$work/out")" = 13 ] || fail "not a line each"
[ "$(awk -F'\t' '$10 == 1' "$work/out" | wc -l)" = 12 ] || fail "what was copied is not striking"
says "$work/err" "seen: 12 answers to 12 functions, 12 strikingly similar" "tokens of Python's lexer"
mv "$work/out" "$work/lines"

# Its folder goes, whatever ends it, and nothing goes on there.
for _ in $(seq 400); do cat "$work/seen.jsonl"; done >"$work/many.jsonl"
mkdir "$work/aside"
for signal in INT TERM KILL; do
    TMPDIR="$work/aside" "$PYTHON" - "$leakgraph" "$work" $signal <<'PYTHON' || fail "SIG$signal: $(cat "$work/err")"
import glob, os, signal, subprocess, sys, time
leakgraph, work, name = sys.argv[1:]
with open(work + "/err", "w") as said:
    run = subprocess.Popen([leakgraph, "audit", "licence", "--pairs", work + "/many.jsonl"],
                           stdout=subprocess.DEVNULL, stderr=said)
while not glob.glob(work + "/aside/*/run.log"):
    assert run.poll() is None, "ended before it was stopped"
    time.sleep(0.01)
run.send_signal(getattr(signal, "SIG" + name))
assert run.wait() == -getattr(signal, "SIG" + name), run.returncode
for _ in range(1000):
    if not os.listdir(work + "/aside"): break
    time.sleep(0.01)
assert not os.listdir(work + "/aside"), os.listdir(work + "/aside")
PYTHON
    ! grep -q 'goes on' "$work/err" || fail "SIG$signal: it says that it goes on"
done
TMPDIR="$work/aside" expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --quiet
[ -z "$(ls "$work/aside")" ] || fail "its folder stays"

# A folder: the same lines, a line a group, the report; groups are compared with the first.
expect 0 "$leakgraph" audit licence --pairs seen="$work/seen.jsonl" --pairs unseen="$work/unseen.jsonl" \
    --output "$work/study"
head -13 "$work/study/pairs.tsv" | cmp - "$work/lines" || fail "pairs.tsv is other than the lines"
says "$work/study/summary.tsv" '^unseen	12	12	0	0\.00	.*1\.000$' '^seen	12	12	12	100\.00	'
says "$work/out" '^seen +12 +12 +12 ' 'graph .*/study/graph.db'
expect 0 "$leakgraph" fsck "$work/study"
says "$work/study/manifest.tsv" '	pairs\.tsv$' '	summary\.tsv$'
cp "$work/study/summary.tsv" "$work/summary"
expect 0 "$leakgraph" audit licence --pairs seen="$work/seen.jsonl" --pairs unseen="$work/unseen.jsonl" \
    --output "$work/study"
cmp "$work/study/summary.tsv" "$work/summary" || fail "the same command again has another summary.tsv"
expect 0 "$leakgraph" fsck "$work/study"
# Neither what it reads nor a file of somebody else is written over.
expect 2 "$leakgraph" audit licence --pairs "$work/study/pairs.tsv" --output "$work/study" --replace
says "$work/err" 'pairs.tsv: .*choose another --output'
mkdir "$work/mine"
echo mine >"$work/mine/summary.tsv"
expect 2 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --output "$work/mine"
says "$work/err" 'summary.tsv: is there, and manifest.tsv does not name it'
[ "$(cat "$work/mine/summary.tsv")" = mine ] || fail "a file of somebody else was written over"
says "$work/study/report.md" 'Licence compliance' 'largest similarity' 'The most alike' 'Mann-Whitney'
"$PYTHON" - "$work/study" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1] + "/report.json"))
told = report["compliance"]
groups = {row["answers_of"]: row for row in told["models"]}
assert groups["seen"]["striking"] == 12 and groups["unseen"]["striking"] == 0, groups
# of 12: 3 MIT (right), 6 GPL or MPL with odd numbers right, Apache told as MIT
right = groups["seen"]
assert right["permissive"] == 6 and right["copyleft"] == 6, right
differ = [row for row in told["populations"] if row["metric"] == "largest similarity"]
assert differ[0]["delta"] == 1 and differ[0]["level"] == "large" and float(differ[0]["p"]) < 0.001, differ
assert told["distribution"][0]["0.9"] == 12 and told["limits"][1]["lines"] == 12, told
assert len(told["cases"]) == 10 and "# step 1 of" in told["cases"][0]["answer"], told["cases"][:2]
rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1] + "/summary.tsv")]
seen = dict(zip(rows[0], rows[1]))
acc_p, acc_c = float(seen["accuracy_permissive"]), float(seen["accuracy_copyleft"])
assert abs(float(seen["lico"]) - (0 + 2 * acc_p + 4 * acc_c) / 7) < 0.0006, seen
PYTHON

# A gate of LICO: seen names 2 of 3 licences wrong; what is not defined does not pass.  All is written all the same.
lico=$(awk -F'\t' '$1 == "seen" { print $11 }' "$work/study/summary.tsv")
for limit in "$lico:0" "0.999:3" "1:3"; do
    expect "${limit#*:}" "$leakgraph" audit licence --pairs "$work/seen.jsonl" --output "$work/gate" --quiet \
        --fail-on "${limit%:*}"
    cmp "$work/gate/pairs.tsv" "$work/lines" || fail "--fail-on ${limit%:*}: other lines"
done
says "$work/err" "gate fail_on.lico_short failed: .* are what the LICO of seen, $lico, is short of 1"
expect 0 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --fail-on 1
expect 3 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --fail-on 0 --compat published --quiet
says "$work/err" 'gate fail_on.lico_short is inconclusive: .*unseen has no LICO'
expect 3 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --pairs "$work/seen.jsonl" --fail-on 0.999 --quiet
expect 3 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --pairs "$work/seen.jsonl" --quiet \
    --set fail_on.striking=99
says "$work/err" 'fail_on.striking failed: 100.00 % of the functions asked have a strikingly similar answer of seen'
expect 0 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --quiet --set fail_on.striking=0
expect 2 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --fail-on 1.5
says "$work/err" 'takes a number from 0 to 1'
expect 2 "$leakgraph" audit licence --build "$work" --fail-on 1
expect 2 "$leakgraph" audit licence --build "$work" --output "$work/none"
says "$work/err" '--build writes the benchmark to standard output'
for ignored in '--comments off' '--similarity 0.5' '--threads 2' --verify --clean '--set memory=1GB'; do
    # shellcheck disable=SC2086 # an option and its value
    expect 2 "$leakgraph" audit licence --build "$work" $ignored
    says "$work/err" "${ignored%% *} is of answers, which --build has not"
done
says "$work/err" 'is of answers'

# The limits, each by itself.
none() { awk -F'\t' '$10 == 1' "$work/out" | grep -q . && fail "$1 lets something through"; :; }
for limit in "--similarity 1" "--comments 1" "--lines 12" "--complexity 6"; do
    expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --quiet $limit
    none "$limit"
done
sed 's/# step/step/g' "$work/seen.jsonl" >"$work/bare.jsonl"
expect 0 "$leakgraph" audit licence --pairs "$work/bare.jsonl"
none "an answer without a comment"
expect 0 "$leakgraph" audit licence --pairs "$work/bare.jsonl" --comments off
[ "$(awk -F'\t' '$10 == 1' "$work/out" | wc -l)" = 12 ] || fail "--comments off asks for comments"
expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --compat published --lines 12 --complexity 9
[ "$(awk -F'\t' '$10 == 1' "$work/out" | wc -l)" = 12 ] || fail "published asks for lines or complexity"
expect 0 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --compat published
says "$work/err" 'LICO not defined'
expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --asked 4187 --output "$work/asked"
says "$work/asked/summary.tsv" '^seen	12	4187	12	0\.29	'

# The field that --field says is the reference, also beside one of that name; a dot reaches into an object.
sed 's/"reference": /"reference": "    return 0\\n", "solution": /' "$work/seen.jsonl" >"$work/solution.jsonl"
sed 's/"solution": \("[^"]*"\)/"of": {"solution": \1}/' "$work/solution.jsonl" >"$work/inside.jsonl"
cut -f 2- "$work/lines" >"$work/same"
for field in solution:solution inside:of.solution; do
    expect 0 "$leakgraph" audit licence --pairs "$work/${field%:*}.jsonl" --field "text=${field#*:}"
    cut -f 2- "$work/out" | cmp - "$work/same" || fail "--field text=${field#*:}: other lines"
done
expect 0 "$leakgraph" audit licence --pairs "$work/solution.jsonl"
none "a reference that is not the one"

# Rules of a file: a name with a version is no word by itself there.
expect 0 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --rules data/licence_rules.json
awk -F'\t' '$11 == "GPL-3.0-only" && $13 != ""' "$work/out" | grep -q . && fail "GPL-3.0-only is told by bare words"
[ "$(awk -F'\t' '$11 == "MIT" && $14 == 1' "$work/out" | wc -l)" = 3 ] || fail "rules do not tell MIT"

# Edits over a model's tokens.
expect 0 "$leakgraph" train-ngram --corpus mine="$work/seen.jsonl" --field text=reference --output "$work/mine.lm"
expect 0 "$leakgraph" audit licence --pairs "$work/unseen.jsonl" --tokens ngram:"$work/mine.lm"
says "$work/err" 'edits are counted over ngram:'
# The same of a model that is not there: StarCoder's way of cutting with a small vocabulary.
"$PYTHON" - tests/golden/tokenizer/golden.json "$work" <<'PYTHON'
import json, sys
golden, work = json.load(open(sys.argv[1])), sys.argv[2]
form = dict(golden["forms"]["starcoder"])
form["model"] = golden["models"][form["model"]]
json.dump(form, open(work + "/tokenizer.json", "w"))
json.dump(dict(form, model={"type": "WordPiece"}), open(work + "/pieces", "w"))
# Eleven digits are a token each, and one word of the lexer's.
row = {"id": "a", "reference": "x = 12345678901", "answer": "x = 12345678902"}
open(work + "/digits.jsonl", "w").write(json.dumps(row) + "\n")
PYTHON
edit() {
    awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "edit") at = i } NR == 2 { print $at }' "$work/out"
}
expect 0 "$leakgraph" audit licence --pairs "$work/digits.jsonl"
[ "$(edit)" = 0.666667 ] || fail "edits over the lexer's tokens: $(edit)"
for tokens in "$work/tokenizer.json" json:"$work/tokenizer.json"; do
    expect 0 "$leakgraph" audit licence --pairs "$work/digits.jsonl" --tokens "$tokens"
    says "$work/err" "edits are counted over $tokens"
    [ "$(edit)" = 0.933333 ] || fail "edits over a tokenizer's tokens: $(edit)"
done
expect 1 "$leakgraph" audit licence --pairs "$work/digits.jsonl" --tokens json:"$work/pieces"
says "$work/err" 'pieces: a `model` of type WordPiece is not read'
expect 2 "$leakgraph" audit licence --pairs "$work/digits.jsonl" --tokens "$work/none.json"
says "$work/err" 'names a file that is not there: .*none.json'
expect 2 "$leakgraph" audit licence --pairs "$work/digits.jsonl" --tokens "$work/pieces"
says "$work/err" 'takes llama:FILE, ngram:FILE or a tokenizer.json'

# A benchmark: functions of a corpus with their licences; what was copied from it is found again.
mkdir "$work/src"
cp tests/golden/licence_build/mixed.py "$work/src/a.py"
sed 's/^# SPDX.*/# no word of it/; s/mixed/other/' tests/golden/licence_build/mixed.py >"$work/src/b.py"
echo 'int main(void) { return 0; }' >"$work/src/c.c"
expect 0 "$leakgraph" audit licence --build "$work/src"
says "$work/err" '1 functions of 2 Python files' '1 files without a licence' '1 files in other languages'
"$PYTHON" - "$work/out" "$work/copied.jsonl" <<'PYTHON'
import json, sys
(line,) = open(sys.argv[1])
row = json.loads(line)
assert row["license"] == "MIT" and row["license_type"] == "permissive" and row["reused"] == 1, row
prompt = row["prompt"]
assert prompt.startswith("import os\n\n\n") and prompt.endswith('the large ones twice."""\n'), prompt
assert row["reference"].startswith("    total = 0\n") and row["complexity"] == 6 and row["lines"] == 12, row
open(sys.argv[2], "w").write(json.dumps(dict(row, answer=row["reference"], reply="MIT")) + "\n")
PYTHON
expect 0 "$leakgraph" audit licence --pairs "$work/copied.jsonl"
says "$work/err" '1 strikingly similar, licence right of 1 of 1; LICO 0\.857'
expect 0 "$leakgraph" audit licence --build "$work/src" --complexity 6 --quiet
[ ! -s "$work/out" ] || fail "--complexity says nothing to --build"
# What a parser cannot read is left out, or cut by text as the released code does.
mkdir "$work/broken"
{ cat tests/golden/licence_build/mixed.py; printf '\nx = = 1\n'; } >"$work/broken/a.py"
if "$leakgraph" version | grep -q tree-sitter; then
    expect 0 "$leakgraph" audit licence --build "$work/broken"
    says "$work/err" '0 functions of 1 Python files' '1 files not parsed'
    expect 0 "$leakgraph" audit licence --build "$work/broken" --compat published
    says "$work/err" '[1-9] functions of 1 Python files' '1 files that a parser cannot read were cut by text'
    says "$work/out" 'large ones twice' '"license": "MIT"'
fi
# Of what a model has seen nothing is left: its functions with other names in places, too.
mkdir "$work/known" "$work/none"
sed 's/total/amount/' tests/golden/licence_build/mixed.py >"$work/known/k.py"
printf 'def other(a, b):\n    """Another one."""\n    while a < b:\n        a, b = b %% 7, a * 3\n    return [a, b]\n' \
    >"$work/none/n.py"
expect 0 "$leakgraph" audit licence --build "$work/src" --unlike "$work/known"
says "$work/err" '^[^ ]*.*0 functions of 2 Python files' '1 like others'
[ ! -s "$work/out" ] || fail "what is like others is in the benchmark"
expect 0 "$leakgraph" audit licence --build "$work/src" --unlike "$work/none"
says "$work/err" '1 functions of 2 Python files'
expect 2 "$leakgraph" audit licence --build "$work/src" --unlike "$work/src/c.c"
says "$work/err" 'unlike has no file in Python'
expect 2 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --unlike "$work/none"
expect 2 "$leakgraph" audit licence --build "$work/src" --unlike "$work/none" --likeness 0
expect 2 "$leakgraph" audit licence --build "$work/src" --likeness 0.5
says "$work/err" 'likeness is of --unlike'

# Refused: what is no answer, no file, no rule.
{ head -n 1 "$work/seen.jsonl"; echo '{"reference": "x", "answer": 1}'; echo '{"reference": "y", "reply": []}'
} >"$work/bad.jsonl"
expect 1 "$leakgraph" audit licence --pairs "$work/bad.jsonl"
says "$work/err" 'bad\.jsonl: record 1: `answer` is no string' 'bad\.jsonl: record 2: `reply` is no string' \
    '2 records could not be read'
[ "$(grep -c . "$work/out")" = 2 ] || fail "the answer that is one has no line"
expect 2 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --asked 3
says "$work/err" 'has more answers than the 3 functions of `asked`'
echo '{"a": 1}' >"$work/rules.json"
expect 2 "$leakgraph" audit licence --pairs "$work/seen.jsonl" --rules "$work/rules.json"
says "$work/err" '`a` is no object'
expect 2 "$leakgraph" audit
expect 2 "$leakgraph" audit license
says "$work/err" 'did you mean .licence'
