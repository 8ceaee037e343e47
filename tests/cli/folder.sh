# One folder, one run: results of another configuration are not replaced unless it is said; what changes no result is no
# other configuration; config.resolved.yaml runs again as it is, from anywhere, into the same folder.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 20 --corpus 60 --shards 2
cd "$work/sets"
results() {
    (cd "$1" && find . -path ./work -prune -o -type f ! -name run.log -print | sort | xargs -d '\n' sha256sum)
}
settings() { sed -n '/^output:/d; p' "$1/config.resolved.yaml"; }

# Another threshold is refused, says what differs, and touches nothing.
expect 0 "$leakgraph" run run.yaml --quiet
results run >before
expect 2 "$leakgraph" run run.yaml --quiet --set near_duplicates.set_threshold=60%
says "$work/err" '^error: .*run holds the results of another configuration ' 'choose another --output' \
    'or replace them with --replace$' '\(near_duplicates: there `set_threshold: 0\.8`, here `set_threshold: 0\.6`\)'
[ "$(results run)" = "$(cat before)" ] || fail "a refused run changed the folder"
expect 2 "$leakgraph" run run.yaml --quiet --set datasets.corpus.max_ratio=9
says "$work/err" '\(datasets\.corpus: there `max_ratio: 1000`, here `max_ratio: 9`\)'
expect 2 "$leakgraph" overlap --benchmark 'bench=bench.jsonl' --corpus 'corpus=corpus-*.jsonl' --output run
says "$work/err" 'another configuration.*--replace'

# --replace replaces, and uses the pieces that fit; --clean implies it.
expect 0 "$leakgraph" run run.yaml --set near_duplicates.set_threshold=60% --replace
says "$work/err" 'replacing the results of another configuration'
says run/config.resolved.yaml '^  set_threshold: 0\.6$'
expect 0 "$leakgraph" run run.yaml --set near_duplicates.set_threshold=60%
! grep -q another "$work/err" || fail "the same configuration is called another"
expect 0 "$leakgraph" run run.yaml --quiet --clean
settings run >same
says run/config.resolved.yaml '^  set_threshold: 0\.8$'

# Limits of gates, memory and threads are no other configuration: all is used again, and the gate answers.
expect 3 "$leakgraph" run run.yaml --set fail_on.leakage=0 --set memory=1GB --threads 3
says "$work/err" '^done: .* units=([0-9]+) reused=\1 ' 'gate fail_on.leakage failed'
! grep -q another "$work/err" || fail "a gate is called another configuration"
expect 0 "$leakgraph" run run.yaml --quiet

# Nor are new shards of the same datasets.
cp corpus-00.jsonl corpus-07.jsonl
expect 0 "$leakgraph" run run.yaml
says "$work/err" '^done: .* reused=[1-9]'
[ "$(settings run)" = "$(cat same)" ] || fail "a new shard changed the configuration"
rm corpus-07.jsonl

# What a killed run left is nobody's result.
rm -rf killed
cp -r run killed
rm killed/graph.db killed/report.* killed/config.resolved.yaml
expect 0 "$leakgraph" run run.yaml --quiet --output killed --set near_duplicates.min_tokens=30

# Results by which a dataset could not be read are nothing that would be lost.
sed 's/"text"/"body"/' bench.jsonl >body.jsonl
expect 2 "$leakgraph" run run.yaml --quiet --output unread --set 'datasets.bench.files=[body.jsonl]'
[ -s unread/config.resolved.yaml ] || fail "there is nothing to replace"
expect 0 "$leakgraph" run run.yaml --output unread --set 'datasets.bench.files=[body.jsonl]' --field bench.text=body
says "$work/err" 'replacing the results of a configuration by which a dataset could not be read'

# The resolved configuration, with every kind of pass: from the root folder it goes into the same folder, is the same
# configuration to the byte, makes nothing anew and gives the same digest.
expect 0 "$leakgraph" train-ngram --corpus 'corpus=corpus-*.jsonl' --order 3 --output model.lm --quiet
cat >all.yaml <<'YAML'
output: ./results/all
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
near_duplicates: {min_tokens: 5, containment_threshold: 90%}
dedup: {datasets: [corpus], threshold: 70 %, min_tokens: 5, measure: 0}
ngrams: {n: [8, 13]}
line_clones: {lines: 3}
repositories: {share: 30%}
portrait: {width: 30}
sensitive: {datasets: [bench, corpus]}
probe: {models: [{name: mine, path: model.lm}], datasets: [bench]}
generate: {outputs: 4, tokens: 30, language: python}
clean: [{name: strict, drop: items, where: "near or palm_8gram"}]
fail_on: {duplicates: 100 %}
YAML
units() { (cd "$1/work" && stat -c '%n %Y.%y' -- *.unit | sort); }
expect 0 "$leakgraph" run all.yaml --quiet
cp -r results/all first
units results/all >units-first
stat -c %Y.%y results/all/generations/* >generations-first
hash_of() { sql "$1" "SELECT value FROM run WHERE key = 'configuration_hash'"; }
cd /
expect 0 "$leakgraph" run "$work/sets/results/all/config.resolved.yaml"
cd "$work/sets"
! grep -qE 'another|replacing' "$work/err" || fail "the resolved configuration is called another: $(cat "$work/err")"
says "$work/err" '^done: .* units=([0-9]+) reused=\1 ' 'generated: .* blocks=0 reused=[1-9]'
cmp first/config.resolved.yaml results/all/config.resolved.yaml
[ "$(hash_of first)" = "$(hash_of results/all)" ] || fail "another hash of the same configuration"
same first results/all
[ "$(units results/all)" = "$(cat units-first)" ] ||
    fail "units were made anew: $(units results/all | diff units-first - | head -n 5)"
[ "$(stat -c %Y.%y results/all/generations/*)" = "$(cat generations-first)" ] || fail "outputs were written again"
for part in clean cleaned generations; do diff -r first/$part results/all/$part || fail "$part is not what it was"; done
cmp first/*.portrait results/all/*.portrait
expect 0 "$leakgraph" fsck results/all

# An output folder that a listing of the datasets would reach is refused before anything is there, whatever writes it.
mkdir -p tree/src
cp corpus-00.jsonl tree/a.jsonl
echo 'def add(a, b): return a + b' >tree/src/a.py
expect 2 "$leakgraph" dedup tree/src --output tree/src/out
says "$work/err" "dataset src: .*tree/src' would read the results, too.*choose an --output outside it" \
    "--set 'datasets.src.exclude=\[out\]'"
expect 2 "$leakgraph" dedup tree/src --output tree/src
expect 2 "$leakgraph" dedup 'tree/**/*.jsonl.zst' a=tree/a.jsonl --output tree/out
ln -s src tree/link
expect 2 "$leakgraph" overlap --benchmark a=tree/a.jsonl --corpus src=tree/link --output tree/src/out
expect 2 "$leakgraph" overlap --benchmark 'a=tree/*' --output tree/out
expect 2 "$leakgraph" run run.yaml --set 'datasets.corpus.files=[tree/src]' --set output=tree/src/run
expect 2 "$leakgraph" train-ngram --corpus src=tree/src --output tree/src/model.lm
[ -z "$(find tree -newer tree/src/a.py -type f)" ] && [ ! -e tree/src/out ] || fail "a refused run wrote something"
expect 0 "$leakgraph" dedup 'tree/*.jsonl' --output tree/out --quiet
expect 0 "$leakgraph" dedup tree/src --output tree/src/out --quiet --set 'datasets.src.exclude=[out]'
expect 0 "$leakgraph" dedup tree/src --output tree/src/out --quiet --set 'datasets.src.exclude=[out]'
[ "$(sql tree/src/out 'SELECT sum(documents) FROM splits')" = 1 ] || fail "results were read"
