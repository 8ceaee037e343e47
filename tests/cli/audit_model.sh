# audit licence with models: one that was trained on a benchmark's functions gives them away, another does not; LICO of
# both, of one that also names the licence; what was asked is not asked again.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import os, random
random.seed(5)
def word(): return "".join(random.choice("abcdefghijklmnoprstuvw") for _ in range(8))
def function():
    a, b, c, d, e = (word() for _ in range(5))
    return '''def %s(%s, %s):
    """%s by %s, then %s %s"""
    %s = %s(%s)
    for %s in %s:
        # %s goes before %s here
        if %s.%s and not %s:
            %s.%s(%s)
        elif %s.%s:
            %s = %s(%s, %s)
        else:
            %s.%s()
            continue
    if %s:
        raise %s(%s)
    return %s
''' % (a, b, c, word(), word(), word(), word(), d, word(), b, e, c, word(), word(), e, word(), d, d, word(), e,
       e, word(), d, word(), e, b, d, word(), d, word(), b, d)
licences = ["MIT", "Apache-2.0", "GPL-3.0-only", "LGPL-2.1-only"]
for folder in ("src", "said", "other"): os.mkdir(folder)
for k in range(8):
    text = function()
    head = "# SPDX-License-Identifier: %s\n" % licences[k % 4]
    open("src/f%d.py" % k, "w").write(head + text)
    open("said/f%d.py" % k, "w").write(text + "\n# The license of the function above is: MIT\n")
    open("other/f%d.py" % k, "w").write(function())
PYTHON
expect 0 "$leakgraph" audit licence --build src
mv out benchmark.jsonl
[ "$(grep -c . benchmark.jsonl)" = 8 ] || fail "the benchmark has not every function"
for model in src said other; do
    expect 0 "$leakgraph" train-ngram --corpus c="$model/*.py" --order 7 --output $model.lm --quiet
done

ask() { expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output audit \
    --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm "$@"; }
ask
says err 'knows: 16 questions asked, 0 answers were there' 'other: 8 questions asked, 0 answers were there' \
    'other: 8 answers to 8 functions, 0 strikingly similar, .* LICO 1\.000'
"$PYTHON" - <<'PYTHON'
import csv, json
rows = {row["group"]: row for row in csv.DictReader(open("audit/summary.tsv"), delimiter="\t")}
assert rows["knows"]["striking"] == "8" and rows["other"]["striking"] == "0", rows
assert rows["other"]["lico"] == "1.000" and rows["knows"]["lico"] == "0.000", rows
names = rows["names"]                                       # MIT of everything: right of 2 of 4 permissive ones
assert names["striking"] == "8" and names["permissive"] == "4" and names["copyleft"] == "4", names
assert names["accuracy_permissive"] == "0.5000" and names["accuracy_copyleft"] == "0.0000", names
assert names["lico"] == "0.143", names
report = json.load(open("audit/report.json"))
assert [row["lico"] for row in report["compliance"]["groups"]] == [0, 0.143, 1], report["compliance"]["groups"]
assert report["examples"]["answers"][0]["reference"].strip() == report["examples"]["answers"][0]["answer"].strip()
PYTHON
cp -r audit before

# Again: nothing is asked, whatever the limits; of answers that are lost, those alone.
ask --similarity 0.9
says err 'knows: 0 questions asked' 'names: 0 questions asked' 'other: 0 questions asked'
ls audit/work/licence-*.unit | sed -n 3p | xargs rm
ask
[ "$(grep -c ': 1 questions asked' err)" = 1 ] || fail "one lost answer is not one question: $(cat err)"
for file in pairs.tsv summary.tsv report.md report.json; do
    cmp audit/$file before/$file || fail "$file is another after the second run"
done

# Other threads and ranks, told what to do: the same way, other prompts.
expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output alone --threads 1 \
    --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm --quiet
cmp alone/pairs.tsv before/pairs.tsv || fail "one thread gives other answers"
[ ! -s err ] || fail "--quiet says something"
if command -v mpirun >/dev/null; then
    expect 0 ranks 2 "$leakgraph" audit licence --benchmark benchmark.jsonl --new-tokens 200 --output two --quiet \
        --model knows=ngram:src.lm --model names=ngram:said.lm --model other=ngram:other.lm
    cmp two/pairs.tsv before/pairs.tsv || fail "two ranks give other answers"
fi
expect 0 "$leakgraph" audit licence --benchmark benchmark.jsonl --output told --template instruct --new-tokens 100 \
    --model knows=ngram:src.lm
says err 'knows: 8 answers to 8 functions'

expect 1 "$leakgraph" audit licence --benchmark benchmark.jsonl --output none --model m=ngram:none.lm
says err 'none\.lm'
