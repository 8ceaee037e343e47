# leakgraph plan: counts that are exact when everything is read, the S-curve, warnings, JSON; nothing is written.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 60 --corpus 400 --shards 4
cd "$work/sets"
sed -n 1,4p corpus-00.jsonl >>corpus-03.jsonl               # byte-equal copies
echo '{"text": "x"}' >>corpus-01.jsonl                      # no shingle
echo 'no record' >>corpus-02.jsonl
cat >dedup.yaml <<YAML
output: planned
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
dedup: {datasets: [corpus], threshold: 0.8, write: none}
YAML

# number KEY: a number of the plan in $work/out; names of members joined by dots.
number() {
    "$PYTHON" - "$work/out" "$1" <<'PYTHON'
import json, sys
value = json.load(open(sys.argv[1]))
for key in sys.argv[2].split("."):
    value = value[int(key)] if isinstance(value, list) else value[key]
print("%.12g" % value if isinstance(value, (int, float)) else value)
PYTHON
}
is() { local is; is=$(number "$1"); [ "$is" = "$2" ] || fail "$1 is $is, not $2"; }

# What the records hold, counted by another program: words, shingles, exact prefixes of classes, copies.
expected() {    # expected THRESHOLD: a line `documents empty copies classes records median`
    "$PYTHON" - "$1" <<'PYTHON'
import fractions, glob, json, re, sys
threshold = fractions.Fraction(sys.argv[1])
documents = empty = copies = records = 0
texts, classes, sizes = set(), set(), []
for path in sorted(glob.glob("corpus-*.jsonl")):
    for line in open(path, "rb"):
        try:
            text = json.loads(line)["text"].encode()
        except ValueError:
            continue
        words = re.findall(rb"[A-Za-z0-9_\x80-\xff]+", text)
        shingles = [tuple(words[i:i + 5]) for i in range(len(words) - 4)]
        documents += 1
        copies += text in texts
        texts.add(text)
        sizes.append(len(set(shingles)))
        if not shingles:
            empty += 1
        elif tuple(sorted(shingles)) not in classes:
            classes.add(tuple(sorted(shingles)))
            records += sizes[-1] - -(-threshold.numerator * sizes[-1] // threshold.denominator) + 1
print(documents, empty, copies, len(classes), records, sorted(sizes)[(len(sizes) + 1) // 2 - 1])
PYTHON
}
read -r documents empty copies classes records median < <(expected 0.8)
[ "$copies" -ge 4 ] && [ "$empty" -ge 1 ] || fail "the set has no copies or no document without a shingle"

expect 0 "$leakgraph" plan dedup.yaml --json --set dedup.method=exact
is dedup.exact 1
is datasets.1.documents "$documents"
is datasets.1.rejected 1
is datasets.1.bytes "$(cat corpus-*.jsonl | wc -c)"
is dedup.documents "$documents"
is dedup.without_feature "$empty"
is dedup.copies "$copies"
is dedup.prefix_documents "$classes"
is dedup.records_prefix "$records"
is dedup.records_lsh 0
is dedup.features.p50 "$median"
is dedup.exchanged_bytes 0
"$PYTHON" - "$(number dedup.candidates_least)" "$classes" <<'PYTHON' || fail "no candidates, or more than all pairs"
import sys
pairs, classes = float(sys.argv[1]), int(sys.argv[2])
sys.exit(not 0 < pairs < classes * (classes - 1) / 2)
PYTHON
expect 0 "$leakgraph" plan dedup.yaml --json --set dedup.method=exact --ranks 4 --sample 100
is dedup.exchanged_bytes "$("$PYTHON" -c "print('%.12g' % ($records * 16 * 3 / 4))")"
is dedup.state_bytes_rank "$("$PYTHON" -c "print('%.12g' % ($documents * 32 / 4))")"
is dedup.matched_bytes_most "$("$PYTHON" -c "print('%.12g' % ($documents * 36))")"

# All by bands: as many records as classes have bands; what does not fit the memory is spilled.
expect 0 "$leakgraph" plan dedup.yaml --json --set dedup.method=lsh --set dedup.bands=20 --set dedup.rows=8 \
    --set memory=1KB
"$PYTHON" - "$(number dedup.records_lsh)" "$(number dedup.band_documents)" "$(number dedup.spilled_bytes)" \
    "$(number dedup.records_prefix)" <<'PYTHON' || fail "records by bands"
import sys
lsh, documents, spilled, prefix = (float(x) for x in sys.argv[1:])
sys.exit(not (documents > 300 and lsh == 20 * documents and spilled == 16 * (lsh + prefix)))
PYTHON
"$PYTHON" - "$(number dedup.curve.5.found)" <<'PYTHON' || fail "the curve at 0.8 is not 1 - (1 - 0.8^8)^20"
import sys
sys.exit(abs(float(sys.argv[1]) - (1 - (1 - 0.8 ** 8) ** 20)) > 1e-9)
PYTHON

# The warning for a setting that misses much at its own threshold, for wasted hashes, for containment; none for what is
# chosen.
expect 0 "$leakgraph" plan dedup.yaml
! grep -q warning "$work/out" || fail "a warning for the default: $(grep warning "$work/out")"
says "$work/out" '^corpus +corpus +4 .* 100 % +[0-9]+ ' 'S-curve' 'This is a forecast'
expect 0 "$leakgraph" plan dedup.yaml --set dedup.bands=9 --set dedup.rows=13
says "$work/out" '^warning: 9 bands of 13 rows miss 60\.. %'
expect 0 "$leakgraph" plan dedup.yaml --json --set dedup.bands=9 --set dedup.rows=13
is dedup.warnings.0 "$(number dedup.warnings.0 | grep '9 bands of 13 rows miss')"
expect 0 "$leakgraph" plan dedup.yaml --set dedup.bands=20 --set dedup.rows=8 --set dedup.hashes=200
says "$work/out" '^warning: 40 of 200 hashes are wasted'
expect 0 "$leakgraph" plan dedup.yaml --set dedup.containment=0.9
says "$work/out" '^warning: candidates '
expect 0 "$leakgraph" plan dedup.yaml --set dedup.method=exact --set dedup.bands=9 --set dedup.rows=13
! grep -q 'rows miss' "$work/out" || fail "bands are warned of that are not used"

# near_duplicates: who is resident, and what that takes.
expect 0 "$leakgraph" plan run.yaml
says "$work/out" '^  resident +bench$' '^  streamed +corpus$' 'residents need'
! grep -qE '^.{101}' "$work/out" || fail "a line of more than 100 columns"
expect 0 "$leakgraph" plan run.yaml --json
is near_duplicates.resident.0 bench
is near_duplicates.streamed.0 corpus
is datasets.0.documents 60

# clones: the functions that a run collects, and a warning where they are more than memory may hold.
cat >clones.yaml <<'YAML'
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
clones: {min_tokens: 5, min_lines: 2, within: [corpus]}
YAML
expect 0 "$leakgraph" plan clones.yaml
says "$work/out" '^  in benchmarks +[0-9,]+, which need .* on every rank, of ' '^  within +corpus: [0-9,]+, which need'
expect 0 "$leakgraph" run clones.yaml --output clones --quiet
expect 0 "$leakgraph" plan clones.yaml --json --set memory=1KB
is clones.within.0.functions "$(sql clones "SELECT value FROM run WHERE key = 'clone_types.functions.corpus'")"
is clones.warnings.0 "$(number clones.warnings.0 | grep 'functions of corpus need about .* the run would end')"
expect 1 "$leakgraph" run clones.yaml --output clones --quiet --set memory=1KB
says "$work/err" 'clones: functions of the benchmarks need about'

# More than is read whole: a part of every shard, and a forecast near the truth.
"$PYTHON" - <<'PYTHON'
import json, random
words = ["w%d" % i for i in range(3000)]
generator = random.Random(1)
lines = [json.dumps({"text": " ".join(generator.choices(words, k=generator.randint(100, 400)))}) + "\n"
         for _ in range(1500)]
for shard in range(12):
    with open("big-%02d.jsonl" % shard, "w") as out:
        out.write("".join(lines[shard * 100:] + lines[:shard * 100]))
PYTHON
expect 0 "$leakgraph" plan dedup.yaml --json --set 'datasets.corpus.files=["big-*.jsonl"]' --set dedup.method=lsh
is dedup.exact 0
"$PYTHON" - "$(number datasets.1.documents)" "$(number datasets.1.bytes_read)" "$(number datasets.1.bytes)" \
    <<'PYTHON' || fail "the forecast is far from the truth"
import sys
documents, read, size = (float(x) for x in sys.argv[1:])
sys.exit(not (abs(documents - 18000) < 500 and 16 << 20 <= read < size))
PYTHON
rm big-*.jsonl

# Mistakes; several ranks, of which one speaks; and nothing was written.
expect 0 "$leakgraph" plan --help
! grep -qE '^.{101}' "$work/out" || fail "a line of the help is longer than 100 columns"
expect 2 "$leakgraph" plan dedup.yaml --set dedup.treshold=1
says "$work/err" treshold threshold
expect 2 "$leakgraph" plan dedup.yaml --sample 200
expect 2 "$leakgraph" plan dedup.yaml --ranks 0
expect 2 "$leakgraph" plan dedup.yaml --clean
expect 2 "$leakgraph" plan dedup.yaml run.yaml
expect 2 "$leakgraph" plan dedup.yaml --set 'datasets.corpus.files=[missing-*.jsonl]'
if command -v mpirun >/dev/null; then
    expect 0 ranks 2 "$leakgraph" plan dedup.yaml --json --set dedup.method=exact
    is ranks 2
    is dedup.records_prefix "$records"
fi
[ ! -e planned ] && [ ! -e run ] || fail "plan has written a run folder"
