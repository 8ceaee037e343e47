# A file that begins with more blank lines than a unit has: all readers of it have the same units, however many they are
# and however much each goes through at a time.
. "$(dirname "$0")/common.sh"
cd "$work"

"$PYTHON" - <<'PYTHON'
import json
with open("lines.jsonl", "w") as file:
    file.write("\n" * (66 << 20))
    for i in range(2100):       # few words, so that it is reading that takes long
        file.write(json.dumps({"text": " ".join("%s%d" % (letter * 4096, i // 2) for letter in "abcdefghijklmnop")}))
        file.write("\n")
PYTHON

for threads in 1 9; do
    expect 0 "$leakgraph" dedup corpus=lines.jsonl --output $threads --dry-run --set graph.store=none \
        --set dedup.min_tokens=1 --threads $threads
    [ "$(sql $threads "SELECT sum(documents), sum(removed) FROM splits")" = "2100|1050" ] ||
        fail "$threads: the documents"
    ls $threads/work | grep -c '^columns-' >$threads.units
done
[ "$(digest 1)" = "$(digest 9)" ] || fail "another digest of nine threads"
cmp 1.units 9.units || fail "other units"
[ "$(cat 1.units)" -ge 3 ] || fail "one reader would do: $(cat 1.units) units"
