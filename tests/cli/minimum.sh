# min_tokens: chosen for each benchmark by its items, of its own where a dataset says it; said in table run, report and
# a warning; asked by query.
. "$(dirname "$0")/common.sh"
cd "$work"

# Two benchmarks: one of items with 8 features, one of 25; a corpus with 60 of either, and 40 shorter ones.
"$PYTHON" - <<'PYTHON'
import json
def write(name, texts):
    with open(name, "w") as out:
        for i, text in enumerate(texts): out.write(json.dumps({"id": i, "text": text}) + "\n")
def text(kind, i, n): return " ".join("%s%d_%d" % (kind, i, t) for t in range(n))
short, long = [text("s", i, 8) for i in range(100)], [text("l", i, 25) for i in range(100)]
write("short.jsonl", short), write("long.jsonl", long)
write("corpus.jsonl", [t + "  " for t in short[:60]] + long[:60] + [text("x", i, 4) for i in range(40)])
write("own.jsonl", [text("o", i // 2, 8) + " " * i for i in range(20)])
write("ask.jsonl", [short[0] + "\n", text("l", 0, 25) + " ", text("o", 0, 8) + "   "])
PYTHON
cat >run.yaml <<'YAML'
datasets:
  - {name: short, role: benchmark, language: text, files: short.jsonl}
  - {name: long, role: benchmark, language: text, files: long.jsonl}
  - {name: own, role: corpus, self_join: exact, language: text, files: own.jsonl}
  - {name: corpus, role: corpus, language: text, files: corpus.jsonl}
near_duplicates: {view: tokens, index: true}
graph: {store: text}
YAML

numbers() { sql "$1" "SELECT substr(key, 17), value FROM run WHERE key GLOB 'near.min_tokens.*' ORDER BY key"; }
found() { sql "$1" "SELECT source, admitted, direct FROM overlap WHERE source <> target AND split = '' AND language = ''
                    AND target = 'corpus' AND source IN ('short', 'long') ORDER BY source"; }
is() { [ "$2" = "$3" ] || fail "$1 are $2, not $3"; }

expect 0 "$leakgraph" run run.yaml --quiet --output auto
is "chosen numbers" "$(numbers auto | tr '\n' ' ')" 'corpus|8 long|20 own|20 short|8 '
is "counts" "$(found auto | tr '\n' ' ')" 'long|100|60 short|100|60 '
is "pairs of two corpora" "$(sql auto "SELECT count(*) FROM edges WHERE kind <> 'copy' AND a IN (SELECT id FROM snippets
    WHERE dataset = 'own')")" 0
says auto/report.md '^\| short +\| +8 \|'
! grep -q 'items have' "$work/err" || fail "a warning where all is compared"
expect 0 "$leakgraph" fsck auto
expect 0 ranks 3 "$leakgraph" run run.yaml --quiet --threads 1 --output ranks
same auto ranks
is "numbers of ranks" "$(numbers ranks)" "$(numbers auto)"
is "lengths" "$(sql auto "SELECT dataset, least, documents FROM lengths ORDER BY dataset, least" | tr '\n' ' ')" \
    'corpus|4|40 corpus|8|60 corpus|25|60 long|25|100 own|8|20 short|8|100 '
is "lengths of ranks" "$(sql ranks "SELECT * FROM lengths ORDER BY 1, 2")" \
    "$(sql auto "SELECT * FROM lengths ORDER BY 1, 2")"

# Another benchmark beside it changes nothing for one: alone, each is found as before.
expect 0 "$leakgraph" overlap --benchmark short=short.jsonl --corpus corpus=corpus.jsonl --language text --view tokens \
    --quiet --output alone
is "counts of one alone" "$(found alone)" 'short|100|60'

# Too high a number says so, and what another would compare.
expect 0 "$leakgraph" run run.yaml --quiet --set near_duplicates.min_tokens=20 --output twenty
is "counts with 20" "$(found twenty | tr '\n' ' ')" 'long|100|60 short|0|0 '
says "$work/err" 'warning: short: only 0 of 100 items have the 20 features .* min_tokens: 5 would compare 100'
says twenty/report.md 'min.?_tokens: 5 would compare 100'
# A benchmark's own stands above the section's; the published pipeline's number stays.
expect 0 "$leakgraph" run run.yaml --quiet --set near_duplicates.min_tokens=20 --set datasets.short.min_tokens=6 \
    --output own
is "counts with a number of its own" "$(found own)" "$(found auto)"
expect 0 "$leakgraph" run run.yaml --quiet --set compat=published --output published
is "the published number" "$(numbers published | tr '\n' ' ')" 'corpus|20 long|20 own|20 short|20 '
expect 2 "$leakgraph" run run.yaml --quiet --set datasets.corpus.min_tokens=6 --output none
says "$work/err" 'min_tokens is for a benchmark'

# Files beside functions: what to switch on is said, and not when it is on, nor of texts of other languages.
"$PYTHON" - <<'PYTHON'
import json
for language in "c", "java":
    with open(language + ".jsonl", "w") as out:
        for i in range(9): out.write(json.dumps({"text": " ".join("f%d_%d" % (i, t) for t in range(130))}) + "\n")
with open("items.jsonl", "w") as out:
    for i in range(9): out.write(json.dumps({"text": " ".join("f%d_%d" % (i, t) for t in range(25))}) + "\n")
PYTHON
files() { expect 0 "$leakgraph" overlap --benchmark items=items.jsonl --corpus files=$1.jsonl --view tokens --quiet \
    --set datasets.items.language=c --set datasets.files.language=$1 --output "files.$1" "${@:2}"; }
warning='files: half of its documents have 128 features and more, half of the items of items 25 at most'
files c
says "$work/err" "$warning.* containment_threshold: auto finds it"
files java
! grep -q 'half of its documents' "$work/err" || fail "documents that are not compared are called long"
files c --replace --set near_duplicates.containment_threshold=0.93
! grep -q 'half of its documents' "$work/err" || fail "containment is on, and is advised"
is "items in files" "$(sql files.c "SELECT contained FROM overlap WHERE source = 'items' AND target = 'files' AND
    language = ''")" 9

# A query asks each dataset by its own number: the third text is in own, where corpora take 20.
for text in 1 2 3; do
    sed -n "${text}p" ask.jsonl >one.jsonl
    expect 0 "$leakgraph" query auto one.jsonl --json --language text
    cp "$work/out" "asked.$text"
done
says asked.1 '"kind": "similar".*"dataset": "short"'
says asked.2 '"kind": "similar".*"dataset": "long"'
! grep -q '"kind": "similar"' asked.3 || fail "a document of 8 features is compared with one of a corpus"

expect 0 "$leakgraph" plan run.yaml
says "$work/out" 'below min_tokens +10\.53 %'
