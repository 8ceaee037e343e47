# The leaky and the non-leaky subset: as many documents of each language, one base, duplicates in the one and others in
# the other; the same everywhere; another seed draws others; too few documents are told in numbers.
. "$(dirname "$0")/common.sh"
need zstd

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(8)
def text(names): return " ".join("%s = %s + 1;" % (n, n) for n in names)
def fresh(prefix, i): return ["%s_%d_%d" % (prefix, i, k) for k in range(20)]
# 18 of 22: 0.818
def swap(names, tag): return ["%s_%s_%d" % (tag, names[0], k) if k < 2 else n for k, n in enumerate(names)]
def swap_end(names, tag): return ["%s_%s_%d" % (tag, names[0], k) if k >= 18 else n for k, n in enumerate(names)]
items, others, rows = [], [], []
for language, alone, duplicates in ("java", 60, 7), ("python", 40, 5):
    for i in range(alone): rows.append(("alone", language, fresh("alone_" + language, i)))
    for i in range(duplicates):
        names = fresh("dup_" + language, i)
        items.append((language, names))
        rows.append(("dup", language, swap(names, "near") if i % 2 else names))
    # In `other` is what is like an item, and the document is like the item alone: a duplicate of `other` through a
    # cluster only.
    names = fresh("chain_" + language, 0)
    items.append((language, swap(names, "middle")))
    others.append((language, swap_end(swap(names, "middle"), "far")))
    rows.append(("chain", language, names))
random.shuffle(rows)
with open("csn-1.jsonl", "w") as a, open("csn-2.jsonl", "w") as b:
    for i, (kind, language, names) in enumerate(rows):
        (a if i < 70 else b).write(json.dumps({"id": "%s-%s-%d" % (kind, language, i), "language": language,
                                               "text": text(names)}) + "\n")
    b.write("no JSON\n")
for name, part in ("items", items), ("other", others):
    open(name + ".jsonl", "w").write("".join(json.dumps({"id": i, "language": l, "text": text(n)}) + "\n"
                                             for i, (l, n) in enumerate(part)))
PYTHON
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: items, role: benchmark, files: [items.jsonl]}
  - {name: other, role: benchmark, files: [other.jsonl]}
  - {name: csn, role: corpus, files: ["csn-*.jsonl"]}
near_duplicates: {view: identifiers}
clean:
  - {name: pre, subsets: csn, base: 20}
YAML
ids() { zstd -qdc "$1"/*.zst | "$PYTHON" -c 'import json, sys
for line in sys.stdin: print(json.loads(line)["id"])'; }
count() { ids "$1" | grep -c -e "$2" || true; }

expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" fsck run
for subset in leaky nonleaky; do
    ids run/cleaned/pre/$subset/csn >$subset
    [ "$(sort -u $subset | wc -l)" = 54 ] || fail "$subset: $(wc -l <$subset) documents"
    [ "$(grep -c java $subset)" = 28 ] || fail "$subset: java"
    cut -f 5,15 run/cleaned/pre.$subset.tsv | tail -n +2 | sort >$subset.list
    cut -f 1 $subset.list | cmp - <(sort $subset) || fail "$subset: its list"
    grep 'base$' $subset.list >$subset.base
done
[ "$(grep -c '^dup\|^chain' leaky)" = 14 ] && [ "$(grep -c 'duplicate$' leaky.list)" = 14 ] ||
    fail "leaky has not all duplicates"
[ "$(grep -c '^alone' nonleaky)" = 54 ] && [ "$(grep -c 'replacement$' nonleaky.list)" = 14 ] ||
    fail "nonleaky has duplicates"
[ "$(wc -l <leaky.base)" = 40 ] && cmp leaky.base nonleaky.base || fail "the base is not the same"
[ "$(sql run 'SELECT kind, documents, documents - removed FROM cleaned ORDER BY rowid')" = "leaky|114|54
nonleaky|114|54" ] || fail "$(sql run 'SELECT * FROM cleaned')"
[ "$(cut -f 12,15 run/cleaned/pre.leaky.tsv | grep -c '^\(exact\|near\)	duplicate$')" = 14 ] &&
    [ "$(cut -f 7,12,15 run/cleaned/pre.nonleaky.tsv | grep -c '^		')" = 54 ] ||
    fail "what duplicates were matched with: $(cat run/cleaned/pre.leaky.tsv)"
says run/report.md 'cleaned/pre.leaky.tsv' 'cleaned/pre/nonleaky/'
# A shuffle: the base is no beginning of the file.
grep -h -o 'alone-java-[0-9]*' csn-1.jsonl csn-2.jsonl | head -n 20 | sort |
    cmp -s - <(grep -o 'alone-java-[0-9]*' leaky.base | sort) && fail "not shuffled"

sums() { (cd "$1/cleaned" && find . -type f | sort | xargs sha256sum); }
first=$(sums run)
expect 0 env OMP_NUM_THREADS=3 "$leakgraph" run run.yaml --output threads
[ "$(sums threads)" = "$first" ] || fail "threads"
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks
    [ "$(sums ranks)" = "$first" ] || fail "ranks"
fi
for unit in run/work/cleaned-*.unit run/work/drawn-*.unit; do rm "$unit" && break; done
rm -r run/cleaned/pre/leaky
expect 0 "$leakgraph" run run.yaml
[ "$(sums run)" = "$first" ] || fail "resumed"
expect 0 "$leakgraph" run run/config.resolved.yaml --output again
[ "$(sums again)" = "$first" ] || fail "the resolved configuration"

# Drawn are the same documents however they are cut into shards; others with another seed.
cat csn-1.jsonl csn-2.jsonl >whole.jsonl
expect 0 "$leakgraph" run run.yaml --output whole --set 'datasets.csn.files=[whole.jsonl]'
ids whole/cleaned/pre/nonleaky/csn | cmp - nonleaky || fail "one shard draws others"
expect 0 "$leakgraph" run run.yaml --output seed --set 'clean.pre.seed=7'
ids seed/cleaned/pre/nonleaky/csn | cmp -s - nonleaky && fail "another seed draws the same"

# Duplicates of one benchmark, directly or through a cluster.
expect 0 "$leakgraph" run run.yaml --output against --set clean.pre.against=other
[ "$(count against/cleaned/pre/leaky/csn '^\(dup\|chain\)')" = 0 ] ||
    [ "$(grep -c 'duplicate$' against/cleaned/pre.leaky.tsv)" = 0 ] || fail "against other, directly"
expect 0 "$leakgraph" run run.yaml --output through --set clean.pre.against=other --set clean.pre.transitive=true
[ "$(grep -c 'duplicate$' through/cleaned/pre.leaky.tsv)" = 2 ] &&
    [ "$(count through/cleaned/pre/leaky/csn '^chain')" = 2 ] || fail "against other, through clusters"

# Too few.
expect 2 "$leakgraph" run run.yaml --output few --set clean.pre.base=36
says "$work/err" \
    'python: 40 documents have no duplicates, and base \(36\).*duplicates \(6\) needs 42: a base of at most 34'

refused() {
    expect 2 "$leakgraph" run run.yaml --output none --set "clean=[$1]" "${@:3}"
    says "$work/err" "$2"
}
refused '{name: x, subsets: csn}' 'base: must say'
refused '{name: x, subsets: cns, base: 5}' 'subsets: no dataset is called .cns.; did you mean .csn.'
refused '{name: x, subsets: csn, base: 5, against: itmes}' 'against: no dataset.*did you mean .items.'
refused '{name: x, subsets: csn, base: 5, against: csn}' 'must be another dataset'
refused '{name: x, subsets: csn, base: 5, where: near}' 'not dropped by a rule'
refused '{name: x, subsets: csn, base: 5, dataset: csn}' 'subsets names the dataset'
