# train-ngram: what it says and refuses; the same file for any ranks, threads, memory and kernels, and after kills; ARPA
# written and read back.
. "$(dirname "$0")/common.sh"

"$PYTHON" - "$work" <<'PYTHON'
import json, random, sys
random.seed(7)
words = ["return", "if", "x", "self", "value_%d", "\n    ", " = ", "(", ")", ":", "caf\u00e9", "\t", "1"]
for shard in range(4):
    with open("%s/c%d.jsonl" % (sys.argv[1], shard), "w") as out:
        for i in range(160):
            text = "".join(random.choice(words[:random.choice((4, 13))]).replace("%d", str(random.randrange(500)))
                           + random.choice(("", " ")) for _ in range(random.randrange(150)))
            out.write(json.dumps({"code": text}) + "\n")
            if i == 100 and shard == 2:
                out.write('{"code": "cut off\n{"nothing": 1}\n')
PYTHON
mkdir "$work/here"
cd "$work/here"
mv "$work"/c*.jsonl .
train=(train-ngram --corpus 'c=c*.jsonl' --field text=code)

# What it says; rejects are listed; nothing is left but the model.
expect 0 "$leakgraph" "${train[@]}" --output made/a.lm --threads 1 --arpa made/a.arpa
says "$work/out" '^documents +640 used, 2 rejected' '^pieces +[0-9]+$' '^vocabulary +[0-9]+$' '^2-grams' '^5-grams' \
    '^seconds +pass [0-9.]+, counting [0-9.]+, estimating' '^rejects'
says made/a.lm.rejects.tsv '^c	c2\.jsonl	101	[0-9]+	invalid-json	' '^c	c2\.jsonl	102	[0-9]+	missing-field	'
[ "$(wc -l <made/a.lm.rejects.tsv)" = 3 ] || fail "not two rejects"
[ "$(ls made | tr '\n' ' ')" = "a.arpa a.lm a.lm.rejects.tsv " ] || fail "left behind: $(ls made)"

# One file, whoever makes it.
expect 0 env LEAKGRAPH_KERNELS=scalar "$leakgraph" "${train[@]}" --output b.lm --threads 3 --memory 1KB --quiet
[ ! -s "$work/out" ] || fail "--quiet says something"
cmp made/a.lm b.lm
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" "${train[@]}" --output c.lm --threads 2 --memory 100KB
    cmp made/a.lm c.lm
    cmp made/a.lm.rejects.tsv c.lm.rejects.tsv
    expect 0 ranks 2 "$leakgraph" "${train[@]}" --output c.lm --threads 1
    cmp made/a.lm c.lm
fi

# Units of the pass serve another model; its own are gone.
expect 0 "$leakgraph" "${train[@]}" --output d.lm --work kept
units=$(ls kept/work | LC_ALL=C sort)
[ "$(echo "$units" | grep -c '^train-.*unit$')" = 4 ] || fail "kept: $units"
expect 0 "$leakgraph" "${train[@]}" --output e.lm --work kept --order 3 --smoothing witten-bell --min-count 2
[ "$(ls kept/work | LC_ALL=C sort)" = "$units" ] || fail "another order made other units of the pass: $(ls kept/work)"
expect 0 "$leakgraph" "${train[@]}" --output f.lm --order 3 --smoothing witten-bell --min-count 2
cmp e.lm f.lm
! cmp -s d.lm e.lm || fail "order and smoothing change nothing"
cmp made/a.lm d.lm

# A damaged and a lost unit are made again; a changed shard is read again.
unit=$(ls kept/work/train-* | head -n 1)
printf X | dd of="$unit" bs=1 seek=300 conv=notrunc 2>/dev/null
rm "$(ls kept/work/train-* | tail -n 1)"
expect 0 "$leakgraph" "${train[@]}" --output d.lm --work kept
cmp made/a.lm d.lm
sed -i 1d c3.jsonl
expect 0 "$leakgraph" "${train[@]}" --output d.lm --work kept
! cmp -s made/a.lm d.lm || fail "a changed shard was not noticed"
expect 0 "$leakgraph" "${train[@]}" --output a.lm
cmp a.lm d.lm

# Killed at any moment, with hardly any memory so that there are many: the same file in the end, and no other before it.
for delay in 0.02 0.05 0.1 0.15 0.2 0.3 0.4; do
    "$leakgraph" "${train[@]}" --output killed.lm --threads 2 --memory 1KB --quiet >/dev/null 2>&1 & victim=$!
    sleep $delay
    kill -9 $victim 2>/dev/null || true
    wait $victim 2>/dev/null || true
    [ ! -e killed.lm ] || cmp a.lm killed.lm
done
expect 0 "$leakgraph" "${train[@]}" --output killed.lm --threads 1
cmp a.lm killed.lm
[ ! -e killed.lm.work ] || fail "the work folder is left: $(ls killed.lm.work/work)"

# ARPA: what is read back is the model, but for the last digits of its numbers.
expect 0 "$leakgraph" train-ngram --from-arpa made/a.arpa --output read.lm
says "$work/out" '^vocabulary +[0-9]+$' '^5-grams' '^model +read\.lm'
[ "$(stat -c %s read.lm)" = "$(stat -c %s made/a.lm)" ] || fail "another size after ARPA"
sed 's/^\\2-grams:/\\7-grams:/' made/a.arpa >broken.arpa
expect 1 "$leakgraph" train-ngram --from-arpa broken.arpa --output none.lm
says "$work/err" 'broken\.arpa: line [0-9]+'
expect 1 "$leakgraph" train-ngram --from-arpa missing.arpa --output none.lm
cp made/a.arpa source.arpa
ln -s source.arpa linked.arpa
for output in source.arpa ./source.arpa linked.arpa; do
    expect 2 "$leakgraph" train-ngram --from-arpa source.arpa --output $output
    says "$work/err" '--output and --from-arpa name the same file'
    cmp made/a.arpa source.arpa
done

# Of what is there a model gives way to a model, a text to a text, and nothing else to either.
cp c0.jsonl notes.jsonl
cp a.lm a.before
for option in "--output notes.jsonl" "--output other.lm --arpa notes.jsonl" "--output other.lm --arpa a.lm"; do
    expect 2 "$leakgraph" "${train[@]}" $option
    says "$work/err" 'would replace (notes\.jsonl|a\.lm), which is no (model of n-grams|ARPA text)$'
done
expect 2 "$leakgraph" train-ngram --from-arpa made/a.arpa --output notes.jsonl
cmp c0.jsonl notes.jsonl
cmp a.lm a.before
[ ! -e other.lm ] || fail "a model was made all the same"
expect 0 "$leakgraph" "${train[@]}" --output read.lm --arpa source.arpa --quiet

# No document, which takes no model's place; and documents without a byte.
: >empty.jsonl
echo '{"nothing": 1}' >none.jsonl
cp a.lm kept.lm
expect 1 "$leakgraph" train-ngram --corpus e=empty.jsonl --output kept.lm
says "$work/err" 'the corpora have no records'
expect 1 "$leakgraph" train-ngram --corpus e=none.jsonl --output kept.lm
says "$work/err" 'none of 1 records could be used'
says kept.lm.rejects.tsv 'missing-field'
cmp a.lm kept.lm
[ "$(ls -d kept.lm*)" = "kept.lm
kept.lm.rejects.tsv" ] || fail "left behind: $(ls -d kept.lm*)"
echo '{"text": ""}' >empty.jsonl
expect 0 "$leakgraph" train-ngram --corpus e=empty.jsonl --output empty.lm
says "$work/out" '^documents +1 used' '^pieces +0$'

# 2: the user's mistake.
expect 2 "$leakgraph" train-ngram
expect 2 "$leakgraph" train-ngram --corpus c=c0.jsonl
says "$work/err" 'needs --output'
expect 2 "$leakgraph" train-ngram --output x.lm
expect 2 "$leakgraph" train-ngram --output x.lm --corpus c0.jsonl
says "$work/err" 'NAME=GLOB'
expect 2 "$leakgraph" train-ngram --output x.lm --corpus c=nothing-here
expect 2 "$leakgraph" "${train[@]}" --output x.lm --order 8
says "$work/err" 'order.*2 to 7'
expect 2 "$leakgraph" "${train[@]}" --output x.lm --memory much
expect 2 "$leakgraph" "${train[@]}" --output x.lm --smoothing good-turing
expect 2 "$leakgraph" "${train[@]}" --output x.lm --from-arpa made/a.arpa
expect 2 "$leakgraph" "${train[@]}" --output x.lm --field code
expect 2 "$leakgraph" "${train[@]}" --output
expect 2 "$leakgraph" "${train[@]}" --output x.lm --nonsense 3
says "$work/err" 'nonsense'
# ... also where it would be met only when all is done
mkdir folder
: >file
for name in '' folder new/ none/new/; do
    expect 2 "$leakgraph" "${train[@]}" --output "$name"
    says "$work/err" '--output (is empty|names a file, and .* is a folder)'
    expect 2 "$leakgraph" "${train[@]}" --output x.lm --arpa "$name"
    says "$work/err" '--arpa (is empty|names a file, and .* is a folder)'
done
expect 1 "$leakgraph" "${train[@]}" --output x.lm --arpa file/x.arpa
says "$work/err" 'file: is not a folder'
[ "$(ls -d folder* new* none 2>/dev/null)$(ls folder)" = folder ] || fail "left behind: $(ls -d folder* new* none)"
expect 0 "$leakgraph" "${train[@]}" --output deep/a.lm --arpa deeper/down/a.arpa --quiet
says deeper/down/a.arpa '^ngram 5='
expect 0 "$leakgraph" train-ngram --help
says "$work/out" '^usage: leakgraph train-ngram'
[ "$(ls -d x.lm* none.lm* 2>/dev/null)" = "" ] || fail "a refused command left something: $(ls -d x.lm* none.lm*)"
