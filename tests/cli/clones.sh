# line_clones: outputs of a model against a corpus, by itself and beside the join; the same with any ranks, threads and
# kernels.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(7)
word = lambda: "".join(random.choice("abcdefgh") for _ in range(6))
line = lambda: "    %s = %s(%s)" % (word(), word(), word())
corpus = [[line() for _ in range(random.randint(20, 80))] for _ in range(300)]
block_a, block_b = [line() for _ in range(8)], [line() for _ in range(7)]
corpus[3][10:10] = block_a                                      # A three times, B once
corpus[3].extend(block_a)
corpus[200][5:5] = block_a
corpus[299].extend(block_b)                                     # at the very end of the corpus
outputs = [[line() for _ in range(30)] for _ in range(40)]
outputs[5][12:12] = block_a
outputs[9][0:0] = block_a
outputs[39].extend(block_b)                                     # at the very end of the log
outputs[20][4:4] = [l.upper().replace("(", " ( ") for l in corpus[50][2:12]]   # simian alone
outputs[21][4:4] = corpus[51][2:7]                              # five lines: too few
outputs[22][4:4] = corpus[52][2:5] + ["# a line between"] + corpus[52][5:9]    # neither half is long enough
for i, part in enumerate((corpus[:150], corpus[150:])):
    with open("corpus-%d.jsonl" % i, "w") as f:
        for d in part: f.write(json.dumps({"text": "\n".join(d), "path": "x.py"}) + "\n")
with open("outputs.jsonl", "w") as f:
    for n, d in enumerate(outputs):
        f.write(json.dumps({"text": "\r\n".join(d) + "  \n", "id": "out%d" % n, "path": "x.py"}) + "\n")
PYTHON
cat >run.yaml <<YAML
output: run
datasets:
  - {name: outputs, role: benchmark, language: python, files: [outputs.jsonl]}
  - {name: corpus, role: corpus, language: python, files: ["corpus-*.jsonl"]}
line_clones: {}
YAML

blocks() { sql "$1" "SELECT length, small_count, corpus_count FROM clones ORDER BY length" | paste -sd' '; }
found() { sql "$1" "SELECT source_id FROM clone_documents ORDER BY record" | paste -sd' '; }

expect 0 "$leakgraph" run run.yaml
[ "$(blocks run)" = "7|1|1 8|2|3" ] || fail "blocks: $(blocks run)"
[ "$(found run)" = "out5 out9 out39" ] || fail "outputs: $(found run)"
[ "$(sql run "SELECT shared_lines, lines FROM clone_documents WHERE source_id = 'out5'")" = "8|38" ] ||
    fail "shared lines"
places="outputs|outputs.jsonl|5|13 outputs|outputs.jsonl|9|1 corpus|corpus-0.jsonl|3|11"
places="$places corpus|corpus-0.jsonl|3|$(sql run "SELECT max(line) FROM clone_places WHERE record = 3")"
places="$places corpus|corpus-1.jsonl|50|6"
[ "$(sql run "SELECT p.dataset, p.shard, p.record, p.line FROM clone_places AS p JOIN clones AS c ON c.id = p.clone
              WHERE c.length = 8" | paste -sd' ')" = "$places" ] ||
    fail "places: $(sql run "SELECT * FROM clone_places")"
[ "$(sql run "SELECT sum(records), sum(rejected) FROM shards")" = "340|0" ] ||
    fail "records: $(sql run "SELECT * FROM shards")"
expect 0 "$leakgraph" fsck run
says run/report.md 'Blocks of lines' 'Spearman' 'x\.py:11, x'
"$PYTHON" -c \
    'import json; part = json.load(open("run/report.json"))["line_clones"]
assert [b["length"] for b in part["blocks"]] == [8, 7], part'

# Case and spacing: simian sees them through, exact does not.
expect 0 "$leakgraph" run run.yaml --output simian --set line_clones.normalisation=simian
[ "$(found simian)" = "out5 out9 out20 out39" ] || fail "simian: $(found simian)"
# What the outputs repeat among themselves, without the corpus.
expect 0 "$leakgraph" run run.yaml --output self --set line_clones.self=true
[ "$(blocks self)" = "8|2|0" ] || fail "self: $(blocks self)"
! grep -q 'no documents' "$work/err" || fail "corpora that were not to be read are missed"
expect 0 "$leakgraph" fsck self
# Shorter blocks.
expect 0 "$leakgraph" run run.yaml --output five --set line_clones.lines=4
[ "$(found five)" = "out5 out9 out21 out22 out39" ] || fail "four lines: $(found five)"

# Whatever does the work, and again over what is there.
for kernels in scalar avx2; do
    LEAKGRAPH_KERNELS=$kernels expect 0 "$leakgraph" run run.yaml --output other --clean --threads 3
    same run other
done
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks
    same run ranks
fi
rm run/graph.db "$(ls run/work/clones-*.unit | head -n 1)"
expect 0 "$leakgraph" run run.yaml
same other run

# Less memory than the outputs' index takes: in passes, with the same results, again over what is there, and from the
# outputs alone.
expect 0 "$leakgraph" run run.yaml --output passes --set memory=200KiB
says "$work/err" 'line clones: .* [0-9]* passes, each reads the corpora'
same other passes
rm passes/graph.db "$(ls passes/work/clones-*.unit | head -n 1)"
expect 0 "$leakgraph" run run.yaml --output passes --set memory=200KiB --threads 3
same other passes
expect 0 "$leakgraph" run run.yaml --output self-passes --set line_clones.self=true --set memory=200KiB
same self self-passes
if command -v mpirun >/dev/null; then
    expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks --clean --set memory=200KiB
    same run ranks
fi

# Beside the join: one store of documents, the same blocks.
expect 0 "$leakgraph" run run.yaml --output both --set near_duplicates.min_tokens=5
[ "$(blocks both)" = "7|1|1 8|2|3" ] || fail "beside the join: $(blocks both)"
expect 0 "$leakgraph" fsck both
sqlite_edit() {
    "$PYTHON" -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute(sys.argv[2]); d.commit()' \
        "$1/graph.db" "$2"
}
sqlite_edit both "UPDATE clones SET corpus_count = corpus_count + 1 WHERE length = 7"
expect 1 "$leakgraph" fsck both

expect 2 "$leakgraph" run run.yaml --output wrong --set line_clones.normalisation=exakt
expect 2 "$leakgraph" run run.yaml --output wrong --set datasets.outputs.role=corpus
says "$work/err" 'role: benchmark'
expect 1 "$leakgraph" run run.yaml --output small --set memory=1KiB
says "$work/err" 'line_clones: record' 'memory'
