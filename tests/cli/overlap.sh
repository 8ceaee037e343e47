# `leakgraph overlap` is `run` without a file, and splits and counts come out right on a case counted by hand.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets"
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus 'corpus=corpus-*.jsonl' --language python \
    --output other
same run other
expect 0 "$leakgraph" overlap --benchmark bench=bench.jsonl --corpus 'corpus=corpus-*.jsonl' --language python \
    --output many --min-tokens 60
[ "$(sql many 'SELECT count(*) FROM edges')" -lt "$(sql run 'SELECT count(*) FROM edges')" ] ||
    fail "--min-tokens changed nothing"

# Counted by hand: t1 and t2 are one text, c1 differs from them by one name of twelve (11 of 13: above the thresholds),
# c2 by three of twelve (9 of 15: below), c3 is a copy of the short s1.
"$PYTHON" - <<'PYTHON'
import json
names = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda_ mu".split()
def text(*names): return "\n".join("%s = %s" % (name, name) for name in names) + "\n"
def write(path, rows):
    with open(path, "w") as out:
        for key, split, body in rows: out.write(json.dumps({"id": key, "split": split, "text": body}) + "\n")
write("hand-bench.jsonl", [("t1", "train", text(*names)), ("t2", "test", text(*names)), ("s1", "test", "x = y\n"),
                           ("u1", "test", text(*["own_%d" % i for i in range(12)]))])
write("hand-corpus.jsonl", [("c1", "", text(*names[:-1], "nu")), ("c2", "", text(*names[:-3], "nu", "xi", "omicron")),
                            ("c3", "", "x = y\n")])
open("broken.jsonl", "w").write('{"text": "a"}\n{"text"\n')
PYTHON
expect 0 "$leakgraph" overlap --benchmark bench=hand-bench.jsonl --corpus corpus=hand-corpus.jsonl --language python \
    --output hand
edges=$(sql hand "SELECT a.source_id || ' ' || b.source_id || ' ' || kind || ' ' || shared || ' ' || \"union\" || ' ' ||
                         min_sum || ' ' || max_sum
                  FROM edges JOIN snippets a ON a.id = edges.a JOIN snippets b ON b.id = edges.b WHERE pass = 'near'
                  ORDER BY 1")
[ "$edges" = "s1 c3 copy 2 2 2 2
t1 c1 near 11 13 22 26
t1 t2 exact 12 12 24 24
t2 c1 near 11 13 22 26" ] || fail "pairs: $edges"
row() {
    sql hand "SELECT documents, admitted, direct, transitive, copies FROM overlap WHERE source = '$1' AND split = '$2'
              AND target = '$3' AND target_split = '$4' AND language = ''"
}
[ "$(row bench '' corpus '')" = '4|3|2|2|1' ] || fail "bench in corpus: $(row bench '' corpus '')"
[ "$(row bench test corpus '')" = '3|2|1|1|1' ] || fail "bench test in corpus: $(row bench test corpus '')"
[ "$(row bench test bench train)" = '3|2|1|1|0' ] || fail "test in train: $(row bench test bench train)"
[ "$(row corpus '' bench '')" = '3|2|1|1|1' ] || fail "corpus in bench: $(row corpus '' bench '')"
[ "$(sql hand 'SELECT count(*) FROM duplicates')" = 3 ] || fail "duplicates is not all pairs of the one cluster"

# What is not exact twice: thresholds moved by SQL, and the containment of a function in a file.
expect 0 "$leakgraph" run run.yaml --output floor --set near_duplicates.report_floor=0.5
kinds="SELECT count(*) FROM edges WHERE kind IN ('exact', 'near')"
[ "$(sql floor "$kinds")" = "$(sql run "$kinds")" ] ||
    fail "report_floor changed the pairs above the thresholds"
[ "$(sql floor "SELECT count(*) FROM edges WHERE kind = 'below'")" -gt 0 ] || fail "report_floor reported nothing below"
