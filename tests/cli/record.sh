# The script that records a model of transformers: its plans are those of the metrics, and what it writes of a model
# that stands in for one is read whole.
. "$(dirname "$0")/common.sh"
script=$root/scripts/record_transformers.py

expect 0 "$PYTHON" "$script" --help
says "$work/out" "--accuracy N,STARTS"
expect 2 "$PYTHON" "$script" --model m --output "$work/none"
echo '{"text": "x"}' >"$work/texts"
without_torch='import runpy, sys
sys.modules["torch"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")'
expect 1 "$PYTHON" -c "$without_torch" "$script" --model m --output "$work/none" "$work/texts"
says "$work/err" "needs torch and transformers"
[ ! -e "$work/none" ] || fail "a recording was begun without a model"

cat >"$work/check.py" <<'PYTHON'
import importlib.util, itertools, json, math, sys
spec = importlib.util.spec_from_file_location("record", sys.argv[1])
r = importlib.util.module_from_spec(spec)
spec.loader.exec_module(r)

# Strided NLL (the guide's loop), and starts for the published lengths.
assert r.chunks(1300, 1024, 512, True) == [(0, 1024, 1), (512, 1300, 1024)]
assert r.chunks(2500, 1024, 512, True) == [(0, 1024, 1), (512, 1536, 1024), (1024, 2048, 1536), (1536, 2500, 2048)]
assert r.chunks(1024, 1024, 512) == [(0, 1024, 1)] and r.chunks(1025, 1024, 0) == [(0, 1024, 1), (1, 1025, 1024)]
assert r.chunks(1025, 1024, 512, True) == [(0, 1024, 1), (512, 1025, 1024)]
assert r.chunks(5000, 0, 512) == [(0, 5000, 1)] and r.chunks(1, 1024, 512) == r.chunks(0, 1024, 512) == []
for tokens in range(2, 40):
    for context in range(2, 12):
        for stride, published in itertools.product(range(context + 3), (False, True)):
            plan = r.chunks(tokens, context, stride, published)
            scored = [i for begin, end, first in plan for i in range(first, end)]
            assert len(scored) == len(set(scored)) and all(end - begin <= context for begin, end, _ in plan)
            assert stride >= context or scored == list(range(1, tokens))
            assert published or plan[-1][0] == max(tokens - context, 0)
assert r.starts(6, 0, 5, 5) == [] and r.starts(7, 0, 5, 5) == [2] * 5 and r.starts(20, 0, 5, 5) == [2, 5, 8, 11, 15]
assert r.collapsed("\n\na\n\n\nb\n") == "\na\nb\n" and r.lower("\u0130A\u03a3 \u00dc\u1e9e") == "ia\u03c3 \u00fc\u00df"
assert r.line_windows("1\n2\n3\n4\n5\n6") == [
    "1\n2\n3\n4\n5\n6"] and r.line_windows("1\n2\n3\n4\n5\n6\n") == ["1\n2\n3\n4\n5\n6", "2\n3\n4\n5\n6\n"]
assert r.pieces_of(["a", "\u0120b", "\u00c3", "\u00a9"], "a b\u00e9") == [b"a", b" b", b"\xc3", b"\xa9"]
assert r.pieces_of(["\u2581a", "\u2581b", "<0xC3>", "<0xA9>"], "a b\u00e9") == [b"a", b" b", b"\xc3", b"\xa9"]
assert r.pieces_of(["x"], "y") is None
decay = r.sampling_of({"tokens": 3, "temperature": 1, "decay_from": 10, "decay_tokens": 3})
assert [r.temperature_at(decay, step) for step in range(5)] == [10, 7, 4, 1, 1]
assert r.number(1e-12, -1) == 0 and r.number(-1.5, -1) == -1.5

class Bytes:
    """Every byte is a token, as probable as its value says."""
    def tokenize(self, text):
        data = text.encode("utf-8", "surrogateescape")
        return (None if b"?" in data else [bytes([b]) for b in data]), list(data)
    def score(self, ids, first):
        return [(math.nan if i == ord("!") else -i / 256, -2.0, 1.0) for i in ids[first:]]
    def generate(self, prompt, sampling):
        ids = list(prompt.encode("utf-8", "surrogateescape"))
        return {"pieces": [b"\xe2"] * sampling["tokens"], "ids": [0xe2] * sampling["tokens"], "prompt_ids": ids,
                "stopped": False}

texts = [("t:1", "def F(x):\n\n    return x\n" * 3), ("t:2", "\u00e9\u20ac and \udcff"), ("t:3", "why?"),
         ("t:4", "no!"), ("t:1", "def F(x):\n\n    return x\n" * 3)]
said = []
with open(sys.argv[2], "wb") as output:
    counts = r.record(Bytes(), texts, [("p:1", "go", {"tokens": 2, "temperature": 0.5})], output, 8, 4, False, True,
                      (5, 5), said.append)
lines = [json.loads(line.decode("utf-8", "surrogateescape")) for line in open(sys.argv[2], "rb")]
assert counts[0] == len(lines) and counts[1] == len(said) and len(said) == 2, (counts, said)
asked = [line.get("text") for line in lines if "text" in line]
assert len(asked) == len(set(asked)) and texts[0][1] in asked and r.lower(r.collapsed(texts[0][1])) in asked
for line in lines:
    if "text" in line:
        scored = [i for w in line["windows"] for i in range(w["from"], w["end"])]
        assert scored == list(range(1, len(line["tokens"]))) and line["context"] == 8
        assert all(len(w["logprobs"]) == len(w["means"]) == len(w["deviations"]) == w["end"] - w["from"]
                   for w in line["windows"])
assert sum("prompt" in line for line in lines) == 5
print("%d lines" % len(lines))

# For leakgraph probe: texts that are longer than a window and a window of lines.
texts = ["def F(x):\n\n    return x\n" * 3, "\u00c9t\u00e9 = 1\n\n\n" + "\n".join("x%d = X" % i for i in range(9))]
with open(sys.argv[3], "wb") as output:
    assert r.record(Bytes(), [("t", text) for text in texts], [], output, 24, 0, False, True, (5, 5), print)[1] == 0
with open(sys.argv[4], "w") as output:
    output.writelines(json.dumps({"text": text}) + "\n" for text in texts)
PYTHON
expect 0 "$PYTHON" "$work/check.py" "$script" "$work/recorded.jsonl" "$work/model.jsonl" "$work/bench.jsonl"
lines=$(sed -n 's/ lines$//p' "$work/out")
# Of what is written no line is passed over, and every text and prompt is found again.
expect 0 "$BUILD/tests/fuzz_replay" "$work/recorded.jsonl"
[ -s "$work/recorded.jsonl" ] && [ "$lines" -gt 10 ] || fail "$lines lines"
! grep -q "passed over" "$work/err" || fail "$(cat "$work/err")"

# What was recorded is all that the metrics ask for, and no more than that is answered.
metrics=tokens,nll,nll_windows,nll_weighted,perplexity,lowercase,zlib,window,min_k,min_k_pp
metrics+=,accuracy,edit,rouge,suspicious
probe() {
    expect 0 "$leakgraph" probe --model "m=replay:$work/model.jsonl" --benchmark "b=$work/bench.jsonl" \
        --output "$work/$1" --metrics $metrics --set "probe.stride=$2"
}
probe whole auto
[ "$(sql "$work/whole" "SELECT count(*), count(DISTINCT metric) FROM probes")" = "28|14" ] ||
    fail "$(sql "$work/whole" "SELECT snippet, metric, value FROM probes"; cat "$work/err")"
probe other 5
sql "$work/other" "SELECT metric FROM probes" | grep -qx nll && fail "a loss of windows that were not recorded"
says "$work/other/report.md" "not recorded"
