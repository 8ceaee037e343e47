# seconds: 180
# All scanners in one pass over the Java sets, and some of HumanEval.  Items are planted in known ways: whole, inside,
# reformatted, renamed, cut.  Every rule must find exactly those that it should (the table is in scanners.py), and
# nothing of what was not planted.
. "$(dirname "$0")/../cli/common.sh"
need zstd
data=$(cd "$root/.." && pwd)/shared/data/java
[ -e "$data/reference_pairs.min5.tsv.zst" ] || { echo "no ../shared/data/java here"; exit 77; }

"$PYTHON" tests/data/scanners.py plant "$data" "$work"
sed "s|LEAKGRAPH_DATA|$data|g; s|LEAKGRAPH_PLANTED|$work|g" tests/data/scanners.yaml >"$work/all.yaml"
expect 0 "$leakgraph" run "$work/all.yaml" --output "$work/all"
expect 0 "$leakgraph" fsck "$work/all"

# The other normalisation of lines, on the items alone.
cat >"$work/simian.yaml" <<YAML
output: simian
datasets:
  - {name: items, role: benchmark, files: [items.jsonl]}
  - {name: planted, role: corpus, files: [planted.jsonl, planted.tar]}
  - {name: noise, role: corpus, files: [noise.jsonl]}
line_clones: {lines: 6, normalisation: simian}
YAML
expect 0 "$leakgraph" run "$work/simian.yaml" --output "$work/simian"
expect 0 "$leakgraph" query "$work/all/corpus.portrait" "$work/items.jsonl" --json
mv "$work/out" "$work/portrait.jsonl"
"$PYTHON" tests/data/scanners.py score "$data" "$work" || fail "rules and table differ"
