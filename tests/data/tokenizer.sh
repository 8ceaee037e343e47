# seconds: 30
# The vocabulary of a GGUF file as a tokenizer.json: the same tokens of the same texts, and the same edit similarity.
. "$(dirname "$0")/../cli/common.sh"
need zstd
models=$root/../shared/models
[ -d "$models" ] || { echo "no ../shared/models here"; exit 77; }
"$leakgraph" version | grep -q 'llama\.cpp' || { echo "built without llama.cpp"; exit 77; }

cat >"$work/convert.py" <<'PYTHON'
# Writes the byte-level BPE of a GGUF file as a tokenizer.json.
import json, struct, sys
data = open(sys.argv[1], "rb").read()
at = 24
def take(format):
    global at
    (value,) = struct.unpack_from("<" + format, data, at)
    at += struct.calcsize("<" + format)
    return value
def text():
    global at
    length = take("Q")
    at += length
    return data[at - length:at].decode()
def value(kind):
    if kind == 8: return text()
    if kind == 9:
        inner = take("I")
        return [value(inner) for _ in range(take("Q"))]
    return take("BbHhIif?0qQd"[kind] if kind < 8 else {10: "Q", 11: "q", 12: "d"}[kind])
meta = {}
for _ in range(struct.unpack_from("<Q", data, 16)[0]):
    key = text()
    meta[key] = value(take("I"))
assert meta["tokenizer.ggml.model"] == "gpt2" and meta["tokenizer.ggml.pre"] == "gpt-2", meta["tokenizer.ggml.pre"]
vocabulary = {token: number for number, token in enumerate(meta["tokenizer.ggml.tokens"])}
bpe = {"type": "BPE", "vocab": vocabulary, "merges": meta["tokenizer.ggml.merges"]}
level = {"type": "ByteLevel", "add_prefix_space": False}
json.dump({"added_tokens": [], "pre_tokenizer": level, "model": bpe}, open(sys.argv[2], "w"))
PYTHON
# Code, and what cuts words: digits, contractions, white space, scripts, what is no letter.
{
    zstd -dcq "$root/../shared/data/python/benchmarks.jsonl.zst" | sed -n "1~20p"
    { zstd -dcq "$models/fim_files.jsonl.zst" || true; } 2>/dev/null | sed -n 1,30p
    printf '{"text": "%s"}\n' "it's we'LL 12345  x\\n\\n\\t y \\r\\n 日本語 é́ 😀 ²½ ٣ \\u00a0z  " '   ' '' '\u2003a\u3000b'
} >"$work/texts.jsonl"
for model in leaky fim; do
    "$PYTHON" "$work/convert.py" "$models/$model.gguf" "$work/$model.json" || fail "$model.gguf is not read"
    "$BUILD/tests/check_tokens" "$models/$model.gguf" "$work/$model.json" <"$work/texts.jsonl" ||
        fail "$model: other tokens"
done

# The audit's edit similarity by either.
"$PYTHON" - "$work/pairs.jsonl" <<'PYTHON'
import json, sys
with open(sys.argv[1], "w") as out:
    for k in range(1, 30):
        body = ("    total = %d\n    for value in values:  # step %d\n        total += value * %d\n    return total\n"
                % (k, k, k))
        answer = body.replace("total", "sum_%d" % k)[k:]
        out.write(json.dumps({"id": str(k), "reference": body, "answer": answer}) + "\n")
PYTHON
expect 0 "$leakgraph" audit licence --pairs "$work/pairs.jsonl" --tokens llama:"$models/leaky.gguf"
mv "$work/out" "$work/llama"
expect 0 "$leakgraph" audit licence --pairs "$work/pairs.jsonl" --tokens "$work/leaky.json"
cmp "$work/out" "$work/llama" || fail "a tokenizer.json gives another edit similarity than its model"
expect 0 "$leakgraph" audit licence --pairs "$work/pairs.jsonl"
cmp -s "$work/out" "$work/llama" && fail "a model's tokens are those of the lexer"
:
