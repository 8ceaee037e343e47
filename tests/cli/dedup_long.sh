# seconds: 40
# Long documents, of which no features are kept: the same pairs, numbers and lists as of a run that keeps all of them
# (method exact), whatever ranks and threads; a run that goes on makes again what it needs.
. "$(dirname "$0")/common.sh"
need zstd

cd "$work"
mkdir made corpus
"$BUILD/bench/make_corpus" 6000 5 3 made
for shard in made/*.zst; do     # five words for each, so that most documents are long and as similar as they were
    zstd -dcq "$shard" | sed -E 's/^(.*"text": ?")([^"]*)(".*)$/\1\n\2\n\3/' |
        awk 'NR % 3 == 2 { gsub(/[^ ]+/, "& &a &b &c &d") } { printf "%s", $0 } NR % 3 == 0 { print "" }' |
        zstd -q >"corpus/$(basename "$shard")"
done
cat >run.yaml <<'YAML'
output: run
datasets: [{name: corpus, language: text, files: ["corpus/*.zst"]}]
dedup: {measure: 1000000, bucket_cap: 100000, write: lists}
graph: {store: none}
YAML
fact() { sql "$1" "SELECT value FROM run WHERE key = 'dedup.$2'"; }
pairs() {       # pairs RUN: what is said of every pair of different features
    sql "$1" 'SELECT x.id_within_dataset, y.id_within_dataset, shared, "union", min_sum, max_sum
        FROM edges JOIN snippets x ON x.id = a JOIN snippets y ON y.id = b WHERE kind = '"'near'"
}
lists() { zstd -dcq "$1"/lists/*.tsv.zst; }
units() { find "$1/work" -name "$2-*" | wc -l; }

expect 0 "$leakgraph" run run.yaml --output brief
expect 0 "$leakgraph" run run.yaml --output whole --set dedup.method=exact
[ "$(fact brief records_lsh)" -gt 1000 ] || fail "no document is long"
[ $(($(fact whole verified))) -gt 1000 ] || fail "too few pairs"
# The sample is all documents: an exact comparison of all, by sketches in the one and by prefixes in the other.
[ "$(fact brief sample_pairs)" = "$(fact whole verified)" ] ||
    fail "$(fact brief sample_pairs) pairs by sketches, $(fact whole verified) by exact prefixes"
[ "$(fact brief sample_found)" = "$(fact brief verified)" ] || fail "found pairs are not those that were verified"
pairs brief >brief.pairs
pairs whole >whole.pairs
LC_ALL=C sort brief.pairs >brief.sorted
LC_ALL=C sort whole.pairs >whole.sorted
[ -z "$(LC_ALL=C comm -23 brief.sorted whole.sorted)" ] ||
    fail "pairs that are others where features were kept: $(LC_ALL=C comm -23 brief.sorted whole.sorted | head -3)"
[ $(($(wc -l <brief.pairs) * 100)) -ge $(($(wc -l <whole.pairs) * 99)) ] || fail "too few pairs were found"
[ "$(find brief/work -name 'columns-*' -printf '%s\n' | paste -sd+ | bc)" -lt \
    "$(find whole/work -name 'columns-*' -printf '%s\n' | paste -sd+ | bc)" ] || fail "columns are not smaller"
[ "$(units brief features)$(units brief wanted)" = 00 ] || fail "features stay when nothing is compared any more"

# ---- occurrences; components, whose documents need not be pairs ----

for options in "multiset_threshold=0.75" "cluster=component"; do
    rm -rf one two three
    expect 0 "$leakgraph" run run.yaml --output one --set "dedup.$options" --set dedup.measure=10
    expect 0 "$leakgraph" run run.yaml --output two --set "dedup.$options" --set dedup.measure=10 \
        --set dedup.method=exact
    [ "$(fact one verified)" != "$(fact brief verified)" ] || [ "$options" = cluster=component ] ||
        fail "$options changes nothing"
    pairs one | LC_ALL=C sort >one.sorted
    pairs two | LC_ALL=C sort >two.sorted
    [ -z "$(LC_ALL=C comm -23 one.sorted two.sorted)" ] || fail "$options: other pairs than where features were kept"
    # of documents that go for the same one the same is said: shard, record, kept shard and record, kind, similarity
    for run in one two; do lists $run | cut -f 1,2,9,10,12,13 | LC_ALL=C sort >$run.list; done
    LC_ALL=C join -t '|' <(cut -f 1-4 one.list | LC_ALL=C sort) <(cut -f 1-4 two.list | LC_ALL=C sort) >both.list
    [ "$(wc -l <both.list)" -gt 500 ] || fail "$options: the lists have hardly a line in common"
    [ "$(LC_ALL=C comm -12 one.list two.list | wc -l)" = "$(wc -l <both.list)" ] ||
        fail "$options: of the same documents lists say something else: $(LC_ALL=C comm -3 one.list two.list | head -4)"
    [ "$options" != cluster=component ] || grep -q indirect one.list || fail "no document of a component is indirect"
    if command -v mpirun >/dev/null; then
        expect 0 ranks 3 env OMP_NUM_THREADS=1 "$leakgraph" run run.yaml --output three --set "dedup.$options" \
            --set dedup.measure=10 --set memory=16MB
        same one three
        cmp -s <(lists one) <(lists three) || fail "$options: other lists on three ranks"
    fi
done

# ---- a run that goes on ----

reference=$(digest brief)
again() {       # again WHAT: the run is as it was
    expect 0 "$leakgraph" run run.yaml --output brief
    [ "$(digest brief)" = "$reference" ] || fail "$1: another digest"
    [ "$(units brief features)$(units brief wanted)" = 00 ] || fail "$1: features stay"
}
# The first block of links is gone, with all that follows: of its pairs alone features are made.
rm -f "$(find brief/work -name 'links-*' | LC_ALL=C sort | head -1)" brief/work/fate-* brief/work/stats-*
again "links are missing"
# What a killed run of other settings has left goes, too.
cp "$(find brief/work -name 'columns-*.unit' | head -1)" brief/work/features-0123456789abcdef.unit
# All links are there: features are made for the sample.
rm -f brief/work/fate-* brief/work/stats-*
again "fates are missing"
[ "$(fact brief sample_pairs)" = "$(fact whole verified)" ] || fail "the sample has other pairs when a run goes on"

# ---- added to ----

# Long documents that nothing is like: their shards are not read again, or it would be noticed that one is another now.
mkdir alone
for i in $(seq 60); do
    echo "{\"text\": \"$(seq -s ' ' -f "x${i}y%g" 400)\"}"
done >alone/old.jsonl
echo "{\"text\": \"$(seq -s ' ' -f 'new%g' 400)\"}" >new.jsonl
expect 0 "$leakgraph" dedup old='alone/*.jsonl' --output store --language text --dry-run
[ "$(fact store records_lsh)" -gt 0 ] || fail "the documents that nothing is like are not long"
touch -r alone/old.jsonl time
printf z | dd of=alone/old.jsonl bs=1 seek=20 conv=notrunc 2>/dev/null
touch -r time alone/old.jsonl
expect 0 "$leakgraph" dedup --add new=new.jsonl --store store --language text
[ "$(fact store documents)" = 61 ] || fail "the new document was not added"
