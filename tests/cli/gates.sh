# fail_on: exit status 3 when a gate that the user set failed or is inconclusive, 0 when it passed; the result is
# whole either way.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 60 --corpus 200 --shards 2
cd "$work/sets"
sed -i 's/^near_duplicates: {/&renamed: off, /' run.yaml          # made by a few rules, they are each other, renamed
expect 0 "$leakgraph" run run.yaml
leaked=$(sql run "SELECT 100.0 * direct / documents FROM overlap WHERE source = 'bench' AND target = 'corpus'
                  AND split = '' AND target_split = '' AND language = ''")
above=$("$PYTHON" -c "print('%.2f' % min(100, $leaked + 1))")
below=$("$PYTHON" -c "print('%.2f' % ($leaked - 1))")
expect 0 "$leakgraph" run run.yaml --output above --set fail_on.leakage="$above"
expect 3 "$leakgraph" run run.yaml --output below --set fail_on.leakage="$below"
says "$work/err" 'leakage' 'bench'
same run below
expect 0 "$leakgraph" fsck below

echo 'not a record' >>corpus-01.jsonl
expect 0 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=50
expect 3 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=0.01
says "$work/err" rejects
if command -v mpirun >/dev/null; then
    expect 3 ranks 2 "$leakgraph" run run.yaml --output rejects --set fail_on.rejects=0.01
fi

# Contained documents count when the user asked for them, and a document once: the gate is at their share.
contained() {
    "$leakgraph" run run.yaml --output "$1" --set near_duplicates.containment_threshold=0.5 --set fail_on.leakage="$2"
}
expect 0 contained held 100
in=$(sql held "SELECT count(DISTINCT x.id) FROM snippets x JOIN edges e ON x.id IN (e.a, e.b)
               JOIN snippets y ON y.id = e.a + e.b - x.id
               WHERE x.dataset = 'bench' AND y.dataset = 'corpus' AND e.kind IN ('exact', 'near', 'contained')")
all=$(sql held "SELECT sum(documents) FROM splits WHERE dataset = 'bench'")
direct=$(sql held "SELECT direct FROM overlap WHERE source = 'bench' AND target = 'corpus' AND split = ''
                   AND target_split = '' AND language = ''")
[ "$in" -gt "$direct" ] && [ "$in" -lt "$all" ] ||
    fail "the sets do not tell the gates apart: $in contained or direct, $direct direct, $all in all"
expect 3 contained held "$("$PYTHON" -c "print('%.3f' % (100 * ($in - 0.5) / $all))")"
says "$work/err" 'leakage'
expect 0 contained held "$("$PYTHON" -c "print('%.3f' % (100 * ($in + 0.5) / $all))")"
expect 0 contained held 100
says "$work/out" contained
says held/report.md "\($in of $all documents\) are in corpus"

# Ten documents, two of them copies: 20 % are removed, and only more than the limit is too much.
for i in 1 2 3 4 5 6 7 8 1 2; do echo "{\"text\": \"document $i of ${i}0 with ${i}1 words of ${i}2 its own\"}"; done \
    >copies.jsonl
expect 0 "$leakgraph" dedup copies.jsonl --dry-run --output copies --set fail_on.duplicates=20
says "$work/out" '^copies +all +10 +2 +20\.00 +8 ' 'digest'
[ ! -e copies/clean ] || fail "a dry run wrote shards"
expect 3 "$leakgraph" dedup copies.jsonl --dry-run --output copies --set fail_on.duplicates=19.9
says "$work/err" 'fail_on\.duplicates failed: dedup removed 20\.00 %'

# A gate that looked at nothing, or at too little, does not pass: each of these had status 0 for `leakage: 1` once.
gate() { "$leakgraph" run run.yaml --output gated --replace --set fail_on.leakage="$1" "${@:2}"; }
cd "$root" && two_sets "$work/again" --bench 60 --corpus 200 --shards 2
cd "$work/again"
expect 0 gate 100
says "$work/out" '^gate fail_on\.leakage passed: [0-9.]+ % of bench is in corpus, at most 100 %'
[ "$(sql gated "SELECT value FROM run WHERE key = 'gates'")" = passed ] || fail "table run has no outcome"
says gated/report.md '^## Gates' '\| leakage \| passed \|'
says gated/report.json '"outcome":[[:space:]]*"passed"'
expect 0 gate 100 --quiet
[ ! -s "$work/out" ] || fail "--quiet printed"

inconclusive() {
    expect 3 "$@"
    says "$work/err" "fail_on\\.leakage is inconclusive: $why"
    [ "$(sql gated "SELECT value FROM run WHERE key = 'gates'")" = inconclusive ] || fail "$why: another outcome"
    expect 0 "$leakgraph" fsck gated
}
: >empty.jsonl
why='corpus: no document could be read' inconclusive gate 100 --set 'datasets.corpus.files=[empty.jsonl]'
why='nothing was compared' inconclusive gate 100 --set datasets.corpus.language=go --set datasets.bench.language=java
why='[0-9]+ of 60 were compared' inconclusive gate 100 --set near_duplicates.min_tokens=40
expect 0 gate 100 --set near_duplicates.min_tokens=40 --set fail_on.coverage=0
zstd -q --rm corpus-00.jsonl && size=$(stat -c %s corpus-00.jsonl.zst)
head -c $((size * 6 / 100)) corpus-00.jsonl.zst >cut && mv cut corpus-00.jsonl.zst
why='corpus: shards not read to their end: 1 of 2' inconclusive gate 100 --set 'datasets.corpus.files=[corpus-*]'
expect 0 gate 100 --set 'datasets.corpus.files=[corpus-*]' --set fail_on.lost=100

# All short items are copies: that is leakage.
for i in $(seq 30); do echo "{\"text\": \"short = $i\"}"; done >short.jsonl
expect 3 "$leakgraph" overlap --benchmark short=short.jsonl --corpus copies=short.jsonl --output short \
    --set fail_on.leakage=99
says "$work/err" 'fail_on\.leakage failed: 100\.00 % of short is in copies' '30 of 30 compared'

# A corpus of which hardly a record could be used is no corpus; nor is one for dedup.
for i in $(seq 40); do echo "{\"nothing\": \"x$i\"}"; done >unusable.jsonl
head -n 1 corpus-01.jsonl >>unusable.jsonl
why='corpus: 1 of 41 records could be used' inconclusive gate 100 --set 'datasets.corpus.files=[unusable.jsonl]'
expect 3 "$leakgraph" dedup unusable.jsonl --output unusable --set fail_on.duplicates=50
says "$work/err" 'fail_on\.duplicates is inconclusive: 1 of 41 were compared'

# A corpus of which one document is long enough to be compared.
for i in $(seq 40); do echo "{\"text\": \"x = $i\", \"language\": \"python\"}"; done >small.jsonl
head -n 1 corpus-01.jsonl >>small.jsonl
why='corpus: 1 of 41 documents are long enough' inconclusive gate 100 --set 'datasets.corpus.files=[small.jsonl]' \
    --set datasets.corpus.language=python

# A corpus that is nearly all of another language, with a few documents of the benchmark's, has met most of it no more
# than one that has none; the languages are named.
why='nothing was compared: bench is java, and corpus is go: 0 of its [0-9]+ documents' inconclusive gate 100 \
    --set datasets.corpus.language=go --set datasets.bench.language=java
"$PYTHON" - <<'PYTHON'
import json
records = [json.loads(line) for line in open("corpus-01.jsonl")]
with open("mixed.jsonl", "w") as out:
    for i in range(400):
        record = dict(records[i % len(records)], id=str(i), language="java" if i else "python")
        record["text"] += "\n# %d\n" % i
        out.write(json.dumps(record) + "\n")
with open("texts.jsonl", "w") as out:
    for line in open("bench.jsonl"):
        out.write(json.dumps(dict(json.loads(line), language="text")) + "\n")
PYTHON
mixed() { "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus "corpus=$1" --output gated --replace \
    --set datasets.bench.language=python --set fail_on.leakage=99 "${@:2}"; }
why='bench is python, and corpus is java and python: 1 of its 400 documents' inconclusive mixed mixed.jsonl
expect 0 mixed mixed.jsonl --set fail_on.coverage=0

# The same bytes taken for another language are no pair: they are counted, said, and the gate does not pass.
cat corpus-01.jsonl texts.jsonl >both.jsonl
expect 3 mixed both.jsonl --set datasets.bench.min_tokens=5
says "$work/err" 'corpus: 60 of its documents have the same bytes as items of another language.*set `language:`' \
    'fail_on\.leakage is inconclusive: 60 documents of corpus have the same bytes as items, but another language'
[ "$(sql gated "SELECT value FROM run WHERE key = 'near.apart.corpus'")" = 60 ] || fail "they are not counted"
expect 3 mixed both.jsonl --set datasets.bench.min_tokens=5 --set across_languages=true
says "$work/err" 'have the same bytes as items of another language'
expect 3 mixed both.jsonl --set datasets.bench.min_tokens=5 --set datasets.corpus.language=python
says "$work/err" 'fail_on\.leakage failed: 100\.00 %'
! grep -q 'another language' "$work/err" || fail "documents of one language are called apart"

# Files that are no text that can be read are said, and a folder that is mostly such files is in doubt.
mkdir files
for i in 1 2 3; do printf 'a\0b\0' >"files/$i.py"; done
cp "$root/tests/cli/views.py" files/
expect 3 mixed files
says "$work/err" 'corpus: 3 of 4 files and records were passed over as binary.*25\.0 %' '; 3 binary files passed over\)'

# A small dataset that is lost is not hidden by a large one.
for i in $(seq 3); do echo "{\"nothing\": $i}"; done >lost.jsonl
head -n 2 bench.jsonl >>lost.jsonl
expect 3 "$leakgraph" overlap --benchmark bench=lost.jsonl --corpus corpus=corpus-01.jsonl --output lost \
    --set fail_on.rejects=40
says "$work/err" 'fail_on\.rejects failed: 60\.000 % of the records of bench were rejected'

# What is added to a store is measured by itself.
expect 0 "$leakgraph" dedup store=corpus-01.jsonl --output store --quiet
cp bench.jsonl again.jsonl
expect 3 "$leakgraph" dedup --add twice=bench.jsonl --add again=again.jsonl --store store --set fail_on.duplicates=40
says "$work/err" 'fail_on\.duplicates failed: dedup removed [5-9][0-9]\.[0-9]* % of the documents that were added' \
    '120 of 120 compared'

# A corpus whose texts are shorter than an n-gram of the items has none, whatever it is made of.
for i in $(seq 300); do echo "{\"text\": \"x = $i\"}"; done >brief.jsonl
sed '/near_duplicates/d; /^output/d' run.yaml >ngrams.yaml
echo 'ngrams: {}' >>ngrams.yaml
expect 3 "$leakgraph" run ngrams.yaml --output ngrams --set 'datasets.corpus.files=[brief.jsonl]' \
    --set fail_on.gpt3_13gram=50
says "$work/err" 'fail_on\.gpt3_13gram is inconclusive: corpus: [0-9]+ of 300 documents are long enough'
expect 0 "$leakgraph" run ngrams.yaml --output ngrams --replace --set 'datasets.corpus.files=[corpus-01.jsonl]' \
    --set fail_on.gpt3_13gram=100
