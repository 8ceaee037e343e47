# seconds: 40
# A store that is extended: the same as a run over everything that names what was added; old documents as they were;
# only what is new compared; what is refused; kills.
. "$(dirname "$0")/common.sh"
need zstd

# Families of similar texts, shared by a, b and c; what b and c have is longer, so `keep: longest` would prefer it.
"$PYTHON" - "$work" <<'PYTHON'
import json, random, sys
random.seed(5)
for later, letter in enumerate("abc"):
    for shard in range(2):
        with open("%s/%s-%d.jsonl" % (sys.argv[1], letter, shard), "w") as out:
            for number in range(150):
                family = random.Random(random.randrange(200))
                words = ["w%d" % family.randrange(500) for _ in range(60)]
                for _ in range(random.randrange(4)):
                    words[random.randrange(60)] = "changed%d" % random.randrange(20)
                words += ["longer"] * (later * random.randrange(2))
                out.write(json.dumps({"code": " ".join(words), "id": "%s%d-%d" % (letter, shard, number)}) + "\n")
            out.write(json.dumps({"code": "a b", "id": "%s%d-short" % (letter, shard)}) + "\n")
PYTHON
cd "$work"
cat >scratch.yaml <<'YAML'
output: scratch
datasets:
  - {name: a, language: text, files: ["a-*.jsonl"], fields: {text: code}}
  - {name: b, language: text, files: ["b-*.jsonl"], fields: {text: code}}
  - {name: c, language: text, files: ["c-*.jsonl"], fields: {text: code}}
dedup: {added: [b, c], zstd_level: 1}
YAML
written() { (cd "$1" && find clean lists -type f | LC_ALL=C sort | xargs sha256sum); }
equal() {       # equal FOLDER FOLDER WHAT: the same digest, cleaned shards and lists
    same "$1" "$2"
    written "$1" >one
    written "$2" >two
    [ "$(wc -l <one)" -ge 4 ] || fail "$3: too few files: $(cat one)"
    cmp -s one two || fail "$3: $(diff one two)"
}
first() {       # first FOLDER OPTION...: a store of a alone
    local folder=$1
    shift
    expect 0 "$leakgraph" dedup 'a=a-*.jsonl' --language text --level 1 --set 'datasets.a.fields={text: code}' \
        --output "$folder" --quiet "$@"
}
add() { "$leakgraph" dedup --add "$1=$1-*.jsonl" --store "$2" --language text; }
# missing OLD NEW: lines of OLD that NEW has not
missing() { LC_ALL=C comm -23 <(LC_ALL=C sort "$1") <(LC_ALL=C sort "$2"); }
units() { (cd "$1/work" && stat -c '%n %i %Y' columns-*.unit links-*.unit); }
fates() {
    sql "$1" "SELECT s.dataset, s.id_within_dataset, d.kept, c.dataset, c.id_within_dataset FROM dedup d
              JOIN snippets s ON s.id = d.snippet
              JOIN snippets c ON c.id = d.canonical WHERE s.dataset IN ($2)"
}

# ---- one after the other, as all at once; buckets above the cap too ----
for options in "method=lsh bucket_cap=5" "method=exact bucket_cap=2"; do
    set --
    for option in $options; do set -- "$@" --set "dedup.$option"; done
    rm -rf store both all
    first store "$@"
    units store >units-a
    fates store "'a'" >fates-a
    [ "$(grep -c '|0|' fates-a)" -gt 20 ] || fail "$options: too few documents were removed: $(cat fates-a)"

    expect 0 add b store
    says "$work/err" 'extending the store' ' units=4 reused=2 '
    ! grep -q 'another configuration' "$work/err" || fail "a store that is extended is not replaced"
    expect 0 "$leakgraph" run scratch.yaml --quiet --output both "$@" --set 'dedup.datasets=[a, b]' \
        --set 'dedup.added=[b]'
    equal both store "$options: b added"
    units store >units-b
    [ -z "$(missing units-a units-b)" ] || fail "$options: old units were made anew: $(missing units-a units-b)"
    [ "$(wc -l <units-b)" -gt "$(wc -l <units-a)" ] || fail "$options: no units of b"
    fates store "'a', 'b'" >fates-b
    [ -z "$(missing fates-a fates-b)" ] || fail "$options: b changed old documents: $(missing fates-a fates-b)"
    [ "$(grep -c '^b|.*|0|a|' fates-b)" -gt 20 ] ||
        fail "$options: longer texts of b do not go for those of a: $(cat fates-b)"
    ! grep '^a|.*|b|' fates-b || fail "$options: a document of a goes for one of b"

    expect 0 add c store
    expect 0 "$leakgraph" run scratch.yaml --quiet --output all "$@"
    equal all store "$options: c added"
    units store >units-c
    fates store "'a', 'b', 'c'" >fates-c
    [ -z "$(missing units-b units-c)" ] || fail "$options: units of a and b were made anew: $(missing units-b units-c)"
    [ -z "$(missing fates-b fates-c)" ] || fail "$options: c changed old documents: $(missing fates-b fates-c)"
    expect 0 "$leakgraph" fsck store
done
[ "$(sql store "SELECT value FROM run WHERE key = 'dedup.hot_buckets'")" -gt 0 ] || fail "no bucket was above the cap"
says store/config.resolved.yaml 'added: \[b, c\]'
[ "$(sql store "SELECT value FROM run WHERE key = 'dedup.added'")" = 2 ] || fail "dedup.added in table run"

# ---- the same command again; several at once, with settings of their own ----
expect 0 add c store
says "$work/err" ' reused=6 '
equal all store "c added twice"
sed 's/"code"/"body"/' c-0.jsonl >d-0.jsonl
rm -rf store
first store
cp -r store several
expect 0 add b store
expect 0 "$leakgraph" dedup --add 'c=c-*.jsonl' --add 'd=d-*.jsonl' --store store --language text \
    --set datasets.d.fields.text=body --set memory=1GB --quiet
together=
! command -v mpirun >/dev/null || together='ranks 3'
expect 0 $together "$leakgraph" dedup --add 'b=b-0.jsonl' --add 'c=c-*.jsonl' --add 'd=d-*.jsonl' --add 'b=b-1.jsonl' \
    --store several --language text \
    --set 'datasets.d.fields={text: body}' --quiet
equal store several "one after the other, and at once on three ranks"
[ "$(sql store "SELECT documents - removed FROM splits WHERE dataset = 'd'")" = 0 ] ||
    fail "d repeats c: $(sql store 'SELECT * FROM splits')"

# ---- what is refused leaves the store as it is ----
digest store >before
refused() {     # refused TEXT OPTION...
    local text=$1
    shift
    expect 2 "$leakgraph" dedup "$@"
    says "$work/err" "$text"
}
new=(--add 'e=b-*.jsonl' --store store)
refused 'has a dataset `b` already; give the new shards another name' --add 'b=c-*.jsonl' --store store
refused 'has a dataset `a` already' --add 'a=a-*.jsonl' --store store
refused 'has a dataset `b` already' --add 'b=b-0.jsonl' --add 'b=b-1.jsonl' --store store --language java
for option in '--view lines' '--threshold 0.8' '--method exact' '--keep path' '--protect b' --lists '--level 3'; do
    refused 'a store has one scheme' "${new[@]}" $option
done
for set in dedup.threshold=0.8 datasets.a.language=java datasets.e={} output=elsewhere across_languages=true; do
    refused 'a store has one scheme' "${new[@]}" --set "$set"
done
refused '--clean' "${new[@]}" --clean
refused '--output' "${new[@]}" --output elsewhere
refused 'is neither added nor an option' "${new[@]}" b-1.jsonl
refused 'needs --store' --add 'e=b-*.jsonl'
refused 'needs --add' --store store
refused 'is no store.*config.resolved.yaml' --add 'e=b-*.jsonl' --store nowhere
refused "dataset e: no file matches .*/nothing-.*jsonl" --add 'e=nothing-*.jsonl' --store store
[ ! -e nowhere ] && [ ! -e elsewhere ] || fail "what was refused made a folder"
cat >near.yaml <<'YAML'
datasets: [{name: a, role: benchmark, language: text, files: [a-0.jsonl]}]
near_duplicates: {}
YAML
expect 0 "$leakgraph" run near.yaml --output near --quiet
refused 'is no store.*no `dedup`' --add 'e=b-*.jsonl' --store near
echo '{"text": "a b c d"}' >written.jsonl
expect 0 "$leakgraph" train-ngram --corpus w=written.jsonl --output w.lm --quiet
cat >wrote.yaml <<'YAML'
datasets: [{name: w, role: corpus, files: [written.jsonl]}]
near_duplicates: {}
dedup: {}
probe: {metrics: [], models: [{name: w, path: w.lm}]}
generate: {outputs: 1, tokens: 5}
YAML
expect 0 "$leakgraph" run wrote.yaml --output wrote --quiet
refused 'wrote cannot be extended: .*written by that run itself' --add 'e=b-*.jsonl' --store wrote
cp b-0.jsonl a-new.jsonl
refused 'a-new.jsonl is new' "${new[@]}"
rm a-new.jsonl
ln b-1.jsonl e-1.jsonl
echo 'p q r s t' >few1.txt
echo 't s r q p' >few2.txt
refused '`b` and `e` have 1 file in common: .*e-1.jsonl' --add 'e=e-*.jsonl' --store store --language text
refused '`e` and `f` have 2 files in common' --add 'e=few*.txt' --add 'f=few*.txt' --store store --language text
rm e-1.jsonl
mv a-1.jsonl away
refused 'shard a-1.jsonl of dataset `a` is gone|`b` has other shards|b-0.jsonl is new' "${new[@]}"
mv away a-1.jsonl
digest store | cmp -s - before || fail "what was refused changed the store"

# ---- what other capabilities say of datasets stays, however many are added at once ----
head -n 3 b-0.jsonl >few.jsonl
cat >beside.yaml <<'YAML'
output: beside
datasets:
  - {name: a, role: benchmark, language: text, files: ["a-0.jsonl"], fields: {text: code}}
dedup: {datasets: [a], zstd_level: 1}
sensitive: {}
YAML
expect 0 "$leakgraph" run beside.yaml --quiet
set --
for number in $(seq 40); do
    cp few.jsonl "few$number.jsonl"
    set -- "$@" --add "few$number=few$number.jsonl"
done
expect 0 "$leakgraph" dedup "$@" --store beside --language text --quiet
grep -A 1 '^sensitive:' beside/config.resolved.yaml | grep -qx '  datasets: \[a\]' ||
    fail "sensitive: $(grep -A 1 '^sensitive:' beside/config.resolved.yaml)"

# ---- kill -9 while it is extended ----
rm -rf store both
first store
mv store fresh
expect 0 "$leakgraph" run scratch.yaml --quiet --output both --set 'dedup.datasets=[a, b]' --set 'dedup.added=[b]'
cp -r fresh store
started=$(date +%s%N)
expect 0 add b store
length=$((($(date +%s%N) - started) / 1000000))
kills=0
for part in 1 2 3 4; do
    moment=$((length * part / 5))
    rm -rf store
    cp -r fresh store
    "$leakgraph" dedup --add 'b=b-*.jsonl' --store store --language text >"$work/log" 2>&1 </dev/null &
    job=$!
    sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
    ! kill -9 $job 2>/dev/null || kills=$((kills + 1))
    wait $job 2>/dev/null || true
    expect 0 add b store
    equal both store "killed after $moment of $length ms"
done
[ $kills -gt 0 ] || fail "nothing was killed"
