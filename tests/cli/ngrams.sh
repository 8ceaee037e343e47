# Planted items are found by exactly the rules that should find them, negatives by none; ranks, threads, kernels and a
# resume change nothing.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(4)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta lambda zeta".split()
         for b in "One Two Six Ten Map Key Row Set".split()]
def function(prefix, lines):
    body = ["def %s_main(items, table):" % prefix]
    for i in range(lines):
        a, b, c = random.sample(words, 3)
        body.append("    %s_%s = table.%s(items[%d], '%s')" % (prefix, a, b, i, c))
    return "\n".join(body + ["    return %s_done" % prefix])
items = {name: function(name, 14) for name in "verbatim cut indented renamed moved absent1 absent2 edited".split()}
items["short12"] = ("short_a = short_b(short_c, short_d) + short_e(short_f, short_g) - "
                    "short_h(short_i, short_j) * short_k + short_l")
items["tiny"] = "tiny_x = tiny_y"
items["empty"] = "()"
filler = lambda n: "\n".join("%s.%s(%s, %d)" % (random.choice(words), random.choice(words), random.choice(words),
                                                random.randrange(9**6)) for _ in range(n))
lines = items["verbatim"].split("\n")
planted = {
    "verbatim": items["verbatim"],
    "cut": "\n".join(items["cut"].split("\n")[3:10]),
    "indented": "\n".join("\t\t" + line.replace("    ", "\t").replace(", ", ",")
                          for line in items["indented"].split("\n")),
    "renamed": items["renamed"].replace("renamed_", "other_").replace("items", "rows").replace("table", "grid"),
    "moved": "# in another file\nclass Box:\n" + items["moved"],
    "edited": "\n".join(line + ("  # changed" if i % 4 == 3 else "")
                        for i, line in enumerate(items["edited"].split("\n"))),
    "short12": "x" + items["short12"] + "y",
    "tiny": items["tiny"],
}
with open("bench.jsonl", "w") as out:
    for name, text in items.items():
        out.write(json.dumps({"id": name, "text": text, "prompt": "please " + name,
                              "notes": {"test": text if name == "moved" else None}}) + "\n")
shards = [[] for _ in range(4)]
for i in range(160): shards[i % 4].append(filler(6 + i % 9))
for i, (name, text) in enumerate(planted.items()):
    shards[i % 4].insert(3 * i, filler(5) + "\n" + text + "\n" + filler(4))
shards[1].append(planted["verbatim"] + " again\n" + planted["verbatim"])
for i, texts in enumerate(shards):
    with open("corpus-%d.jsonl" % i, "w") as out:
        for n, text in enumerate(texts): out.write(json.dumps({"id": "%d-%d" % (i, n), "text": text}) + "\n")
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
near_duplicates: {view: identifiers}
ngrams: {n: [8, 13]}
YAML
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
reference_sql "$PWD/run/graph.db" ngram

# By a count in Python the edits leave 74.7 % of the 8-grams and 82.2 % of the windows; the first and the last of the 12
# words of short12 are cut off from longer ones. id, then GPT-3, PaLM, Tulu 3, substring, windows, Qwen.
rules=$(sql run "SELECT source_id, gpt3_13gram, palm_8gram, tulu3_8gram, exact_substring, windows50, qwen_lcs
                 FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet ORDER BY 1")
[ "$rules" = "absent1|0|0|0|0|0|0
absent2|0|0|0|0|0|0
cut|1|0|0|0|0|0
edited|1|1|1|0|1|1
empty||||||
indented|1|1|1|0|0|1
moved|1|1|1|1|1|1
renamed|0|0|0|0|0|0
short12||0|1|1|1|
tiny||||||
verbatim|1|1|1|1|1|1" ] || { echo "$rules"; fail "rules"; }
# Gates and tables say the same, of all eleven items, though a rule is asked of eight to ten.
expect 0 "$leakgraph" run run.yaml --output gated --set 'fail_on={gpt3_13gram: 100, palm_8gram: 100, tulu3_8gram: 100,
    exact_substring: 100, windows50: 100, qwen_lcs: 100, coverage: 0}'
percents=$(sql gated "SELECT gate, round(percent, 2) FROM gates ORDER BY gate")
[ "$percents" = "exact_substring|27.27
gpt3_13gram|45.45
palm_8gram|36.36
qwen_lcs|36.36
tulu3_8gram|45.45
windows50|36.36" ] || { echo "$percents"; fail "gates"; }
for said in "rule, round(percent, 2) FROM rule_numbers WHERE kind = 'ngrams' AND percent IS NOT NULL ORDER BY rule" \
    "'exact_substring', round(exact_substring_percent, 2) FROM ngram_contamination UNION ALL SELECT 'gpt3_13gram',
    round(gpt3_13gram_percent, 2) FROM ngram_contamination UNION ALL SELECT 'palm_8gram', round(palm_8gram_percent, 2)
    FROM ngram_contamination UNION ALL SELECT 'qwen_lcs', round(qwen_lcs_percent, 2) FROM ngram_contamination UNION ALL
    SELECT 'tulu3_8gram', round(tulu3_8gram_percent, 2) FROM ngram_contamination UNION ALL SELECT 'windows50',
    round(windows50_percent, 2) FROM ngram_contamination"; do
    [ "$(sql gated "SELECT $said")" = "$percents" ] || { sql gated "SELECT $said"; fail "tables of other percentages"; }
done
# What is shorter than n, on demand: as one n-gram.
expect 0 "$leakgraph" run run.yaml --output whole --set ngrams.short=whole
[ "$(sql whole "SELECT source_id, gpt3_13gram, palm_8gram, tulu3_8gram, qwen_lcs, round(idf_weighted, 2)
                FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet
                WHERE source_id IN ('empty', 'short12', 'tiny') ORDER BY 1")" = "empty|0|0|0|0|
short12|0|0|1|0|0.56
tiny|1|1|1|1|1.0" ] || { sql whole "SELECT * FROM ngram_rules"; fail "short: whole"; }
row() {
    sql run "SELECT $2 FROM ngrams AS g JOIN snippets AS s ON s.id = g.snippet WHERE source_id = '$1' AND n = ${3:-13}
         AND folded = 0"
}
[ "$(row verbatim 'found = ngrams, documents, longest_run = ngrams, run_shard, run_record, lcs = lcs_of')" = \
  '1|2|1|corpus-0.jsonl|0|1' ] || fail "verbatim: $(row verbatim '*')"
[ "$(row verbatim 'occurrences = 3 * distinct_ngrams, max_frequency')" = '1|2' ] ||
    fail "verbatim is three times in two documents: $(row verbatim 'occurrences, distinct_ngrams, max_frequency')"
[ "$(row short12 'short, ngrams, words' 8)" = '0|5|12' ] && [ "$(row short12 'short, ngrams, words')" = '1|1|12' ] ||
    fail "an item of 12 words: $(row short12 'n, short, ngrams, words')"
[ "$(row empty 'short, ngrams, words, found')" = '1|0|0|0' ] || fail "an item without words: $(row empty '*')"
says run/report.md 'What the published n-gram rules say' 'Where the rules agree'

# Another case: found by n-grams, not by bytes.
"$PYTHON" - <<'PYTHON'
import json
text = "The Quick brown_Fox jumps OVER 13 lazy dogs and Runs to the End of THIS line"
open("case-bench.jsonl", "w").write(json.dumps({"text": text}) + "\n")
open("case-corpus.jsonl", "w").write(json.dumps({"text": "- " + text.swapcase() + "\n"}) + "\n")
PYTHON
sed 's/\[bench.jsonl\]/[case-bench.jsonl]/; s/"corpus-\*.jsonl"/case-corpus.jsonl/; /near_dup/d' run.yaml >case.yaml
for case in keep fold source; do
    expect 0 "$leakgraph" run case.yaml --output "$case" --set "ngrams.case=$case"
    [ "$(sql "$case" "SELECT group_concat(folded || n || (found > 0), ' ') FROM ngrams")" = "$(
        case "$case" in keep) echo 080 0130 ;; fold) echo 181 1131 ;; *) echo 080 0130 181 1131 ;; esac)" ] ||
        fail "case $case: $(sql "$case" 'SELECT * FROM ngrams')"
    sql "$case" "SELECT gpt3_13gram, palm_8gram, llama3_8gram, tulu3_8gram, exact_substring, qwen_lcs FROM ngram_rules"
done >cases
# GPT-3, Tulu 3 and the substring are of texts in lower case in their sources.
[ "$(cat cases)" = '0|0|0.0|0|0|0
1|1|1.0|1|1|1
1|0|0.0|1|1|0' ] || fail "case: $(cat cases)"

# Qwen: a document with a short run and the same words otherwise is told, beside one with a long run and much else.
"$PYTHON" - <<'PYTHON'
import json
item = ["w%d" % i for i in range(60)]
spread = item[:13] + [w for i, w in enumerate(item[13:]) for w in ([w, "x%d" % i] if i % 8 == 0 else [w])]
half = item[:34] + ["y%d" % i for i in range(200)]
write = lambda name, texts: open(name, "w").write("".join(json.dumps({"text": " ".join(t)}) + "\n" for t in texts))
write("case-bench.jsonl", [item])
write("case-corpus.jsonl", [half, spread, item[20:33]])
PYTHON
expect 0 "$leakgraph" run case.yaml --output qwen
[ "$(sql qwen "SELECT lcs, lcs_of, run_record, qwen_lcs FROM ngrams JOIN ngram_rules USING (snippet) WHERE n = 13
                  AND folded = 0")" = \
  '34|60|0|1' ] || fail "qwen: $(sql qwen "SELECT lcs, lcs_of, run_record, qwen_lcs FROM ngrams JOIN ngram_rules
                                           USING (snippet)")"

# decon: different 5-grams, weighed by their frequency among items, that one document has; the example of
# docs/definitions.md. Of the second item two documents have one each of its three rare 5-grams.
cat >case-bench.jsonl <<'JSON'
{"id": "x", "text": "a b c d e f"}
{"id": "y", "text": "A b c d e g h i a b c d e"}
{"id": "z", "text": "q a b c d e"}
{"id": "short", "text": "a b c d"}
JSON
printf '{"text": "%s"}\n' '- A B C D E F' 'c d e g h' 'b c d e g!' >case-corpus.jsonl
expect 0 "$leakgraph" run case.yaml --output decon --set 'ngrams.n=[5, 8]'
decon() { sql "$1" "SELECT source_id, round(decon_5gram, 6) FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet
                    ORDER BY 1"; }
# y: a b c d e weighs nothing and stands there twice; the other seven 5-grams weigh ln 3, of which a document has one
[ "$(decon decon)" = 'short|
x|1.0
y|0.142857
z|0.0' ] || fail "decon: $(decon decon)"
expect 0 "$leakgraph" run case.yaml --output decon-keep --set 'ngrams.n=[5, 8]' --set ngrams.case=keep
[ "$(decon decon-keep | head -n 2 | tail -n 1)" = 'x|0.0' ] || fail "decon, case: keep: $(decon decon-keep)"

# Boilerplate: what more than one document has does not count with max_df; both numbers are kept, and no unit is made
# anew.
first=$(digest run)
before=$(stat -c '%n %Y %i' run/work/*.unit)
expect 0 "$leakgraph" run run.yaml --replace --set ngrams.max_df=1 --set ngrams.cap=2
[ "$(stat -c '%n %Y %i' run/work/*.unit)" = "$before" ] || fail "max_df made units anew"
[ "$(row verbatim 'found = ngrams, rare, covered_rare, occurrences = 2 * distinct_ngrams')" = '1|0|0|1' ] ||
    fail "max_df: $(row verbatim '*')"
[ "$(sql run "SELECT gpt3_13gram, palm_8gram FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet
              WHERE source_id IN ('verbatim', 'moved') ORDER BY source_id")" = '1|1
0|0' ] || fail "rules with max_df"
expect 0 "$leakgraph" run run.yaml --replace
[ "$(digest run)" = "$first" ] || fail "the digest did not come back"

# The same everywhere.
expect 0 env OMP_NUM_THREADS=3 "$leakgraph" run run.yaml --output threads
same run threads
expect 0 env LEAKGRAPH_KERNELS=scalar "$leakgraph" run run.yaml --output scalar
same run scalar
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks
    same run ranks
fi
rm "$(ls run/work/overlaps-*.unit | head -n 1)"
expect 0 "$leakgraph" run run.yaml
[ "$(digest run)" = "$first" ] || fail "a lost unit changed the digest"

# Fields of an item are kept apart; one that no record has is told.
expect 0 "$leakgraph" run run.yaml --output fields \
    --set 'ngrams.fields={question: prompt, test: notes.test, body: ~, none: nowhere}' --set 'ngrams.n=[2, 8]'
says "$work/err" 'no record of bench has a text in its field .nowhere. .fields.none.'
[ "$(sql fields "SELECT field, count(*) FROM ngram_rules GROUP BY field ORDER BY field")" = 'body|11
question|11
test|1' ] || fail "fields: $(sql fields 'SELECT field, count(*) FROM ngram_rules GROUP BY 1')"
[ "$(sql fields "SELECT count(*) FROM ngrams WHERE field = 'question' AND found > 0")" = 0 ] ||
    fail "prompts were found"
[ "$(sql fields "SELECT exact_substring FROM ngram_rules WHERE field = 'test'")" = 1 ] ||
    fail "a nested field was not found"
expect 0 "$leakgraph" run fields/config.resolved.yaml --output again
same fields again
# The same of a table: fields are further columns, found where the corpus has them as its texts; what is no text is
# told.
rows=$root/tests/golden/parquet
cat >table.yaml <<YAML
output: lines
datasets:
  - {name: bench, role: benchmark, language: c, files: [$rows/rows.jsonl], fields: {text: file.body, id: idx}}
  - {name: corpus, role: corpus, language: c, files: [$rows/rows.jsonl], fields: {text: path}}
ngrams: {n: [2, 3], fields: {place: path, owner: repo.name.full, body: ~}}
YAML
expect 0 "$leakgraph" run table.yaml
[ "$(sql lines "SELECT field, count(*), sum(found = ngrams) FROM ngrams WHERE NOT folded
              GROUP BY field ORDER BY field")" = 'body|70|8
owner|70|0
place|56|56' ] ||
    fail "fields of lines: $(sql lines "SELECT field, count(*), sum(found = ngrams) FROM ngrams GROUP BY field
                                        ORDER BY field")"
for form in snappy-dictionary-v1 zstd-plain-v2; do
    expect 0 "$leakgraph" run table.yaml --replace --output table --set "datasets.bench.files=[$rows/$form.parquet]"
    [ ! -s "$work/err" ] || ! grep -q 'no record of' "$work/err" || fail "$form: $(cat "$work/err")"
    same lines table
done
expect 2 "$leakgraph" run table.yaml --replace --output table --set "datasets.bench.files=[$rows/$form.parquet]" \
    --set 'ngrams.fields={list: tokens}'
says "$work/err" 'datasets.bench: column tokens, which ngrams.fields names, is a list'
expect 0 "$leakgraph" run run.yaml --output tokens --set ngrams.unit=tokens
[ "$(sql tokens "SELECT palm_8gram, exact_substring FROM ngram_rules AS r JOIN snippets AS s ON s.id = r.snippet
                 WHERE source_id = 'indented'")" = '1|' ] || fail "tokens"

# Settings that cannot be.
for bad in 'ngrams.n=[0]' 'ngrams.n=[8, 8]' 'ngrams.n=[101]' 'ngrams.n=[]' 'ngrams.fields=[prompt]' \
    'ngrams.unit=chars' 'ngrams.maxdf=3' 'ngrams.short=drop' 'ngrams={unit: tokens, case: fold}'; do
    expect 2 "$leakgraph" run run.yaml --set "$bad"
    says "$work/err" 'ngrams'
done
