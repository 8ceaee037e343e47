# generate: what models write is kept by blocks, so that nothing is asked twice; prompts; what cannot be.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, random
random.seed(11)
name = lambda: "".join(random.choice("abcdefghijklmnop") for _ in range(7))
text = lambda n: "import os\ndef %s():\n" % name() + "".join("    %s = %s(%s)\n" % (name(), name(), name())
                                                             for _ in range(n))
texts = [text(12), text(15), text(20)]
with open("corpus.jsonl", "w") as f:
    for t in texts: f.write(json.dumps({"text": t, "path": "a.py"}) + "\n")
with open("starts.jsonl", "w") as f:                    # what prompts are made of
    for t in ("import os\n\n\nx = 1\n", "print 'no function'\n", "def first():\n    '''open\n",
              texts[1] + "\n\ndef other(): pass\n"):
        f.write(json.dumps({"text": t, "path": "b.py"}) + "\n")
    f.write(json.dumps({"text": "def f():\n    return 1\n", "path": "C.java"}) + "\n")
PYTHON
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 7 --output mine.lm --quiet
cat >run.yaml <<YAML
output: run
datasets:
  - {name: corpus, role: corpus, files: [corpus.jsonl]}
  - {name: starts, role: corpus, files: [starts.jsonl]}
probe: {metrics: [], models: [{name: mine, path: mine.lm}]}
generate: {outputs: 41, tokens: 120, top_k: 2}
line_clones: {lines: 6}
YAML
outputs() { sha256sum <"$1/generations/mine.jsonl.zst"; }

# Again: nothing is asked, and the file is not touched, so that what the scan made of it is good.  A lost block is made
# again, and more outputs keep the whole blocks that are there.
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'generated: .* blocks=3 reused=0'
cp -r run kept
before=$(stat -c %Y.%y run/generations/mine.jsonl.zst)
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'generated: .* blocks=0 reused=3'
[ "$before" = "$(stat -c %Y.%y run/generations/mine.jsonl.zst)" ] || fail "an unchanged file was written again"
rm "$(ls run/work/outputs-*.unit | head -n 1)"
head -c 100 kept/generations/mine.jsonl.zst >run/generations/mine.jsonl.zst
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'generated: .* blocks=1 reused=2'
same run kept
[ "$(outputs run)" = "$(outputs kept)" ] || fail "a damaged file was kept"
expect 0 "$leakgraph" run run.yaml --replace --set generate.outputs=64
says "$work/err" 'generated: .* blocks=2 reused=2'
expect 0 "$leakgraph" run run.yaml --output seed --set generate.seed=2
[ "$(outputs kept)" != "$(outputs seed)" ] || fail "the seed changes nothing"

# Killed while it writes: the next one goes on, with the same outputs.
sed 's/outputs: 41, tokens: 120/outputs: 2000, tokens: 300/; s/lines: 6/lines: 1000/' run.yaml >long.yaml
"$leakgraph" run long.yaml --output long --quiet >/dev/null 2>&1 &
for _ in $(seq 500); do [ "$(ls long/work 2>/dev/null | grep -c outputs-)" -ge 3 ] && break; sleep 0.02; done
kill -9 $! 2>/dev/null || true
wait $! 2>/dev/null || true
[ ! -e long/graph.db ] || fail "the run was over before it was killed"
expect 0 "$leakgraph" run long.yaml --output long
says "$work/err" 'generated: .* reused=[1-9]'
expect 0 "$leakgraph" run long.yaml --output whole
[ "$(outputs long)" = "$(outputs whole)" ] || fail "a killed run goes on to write something else"

# Prompts: heads of Python, first lines, and the blocks of an earlier run; without a pass over corpora, of which one
# gives the prompts.
sed '/line_clones/d; /name: corpus/d' run.yaml >alone.yaml
expect 0 "$leakgraph" run alone.yaml --output heads --set generate.outputs=3 --set generate.prompt=head \
    --set generate.from=starts --set generate.temperature=0
says "$work/err" 'generated: .* prompts=1 without=4'
[ "$(sql heads "SELECT count(*), min(prompt), max(prompt) FROM generations")" = "3|0|0" ] ||
    fail "prompts: $(sql heads "SELECT prompt FROM generations")"
expect 0 "$leakgraph" fsck heads
"$PYTHON" - <<'PYTHON'
import json, sqlite3
body = "".join(l for l in json.loads(open("corpus.jsonl").readlines()[1])["text"].splitlines(True)[2:])
text, = sqlite3.connect("heads/graph.db").execute(
    "SELECT snippet FROM snippets WHERE dataset = 'generations-mine' ORDER BY record").fetchone()
assert text.lstrip("\n").startswith(body), text         # what the model was trained on, without the prompt
PYTHON
expect 0 "$leakgraph" run alone.yaml --output lines --set generate.prompt=lines --set generate.from=starts \
    --set generate.lines=2
says "$work/err" 'generated: .* prompts=5 without=0'
expect 0 "$leakgraph" run run.yaml --output blocks --set generate.prompt=blocks --set generate.from=kept
says "$work/err" "generated: .* prompts=$(sql kept "SELECT count(*) FROM clones") without=0"

# A prompt that a model cannot take is an output without text, with the reason; the others are made.
echo '{"prompt": "never asked", "sampling": {"tokens": 20},' \
    '"generated": {"text": "x", "ids": [1], "prompt_ids": [], "stopped": true}}' >recorded.jsonl
expect 0 "$leakgraph" run alone.yaml --output unanswered \
    --set 'probe.models=[{name: mine, backend: replay, path: recorded.jsonl}]' --set generate.prompt=lines \
    --set generate.from=starts --set generate.lines=2 --set generate.outputs=3
says "$work/err" 'model mine did not take the prompts of 3 of 3 outputs'
[ "$(zstd -dc unanswered/generations/mine.jsonl.zst | grep -c '"text": "", "refused": "')" = 3 ] ||
    fail "$(zstd -dc unanswered/generations/mine.jsonl.zst)"
[ "$(sql unanswered "SELECT count(*), sum(tokens) FROM generations")" = "3|0" ] || fail "outputs without an answer"

# What cannot be.
refused() { local text=$1; shift; expect 2 "$leakgraph" run run.yaml --output refused "$@"; says "$work/err" "$text"; }
refused 'from is missing' --set generate.prompt=head
refused 'no dataset is called .nobody' --set generate.prompt=head --set generate.from=nobody
refused 'folder that is not there: /.*/nobody' --set generate.prompt=blocks --set generate.from=nobody
refused 'from is for prompts' --set generate.from=corpus
refused 'temperature must be' --set generate.temperature=warm
refused 'top_p must be above 0' --set generate.top_p=0
refused 'did you mean `tokens`' --set generate.token=1
refused 'called as the outputs' --set datasets.corpus.name=generations-mine
refused 'no document of .corpus. gives a prompt' --set generate.prompt=head --set generate.from=corpus \
    --set datasets.corpus.language=java
refused 'finished run with line_clones' --set generate.prompt=blocks --set generate.from=kept/work
sed '/^probe:/d' run.yaml >none.yaml
expect 2 "$leakgraph" run none.yaml --output refused
says "$work/err" 'none.yaml:[0-9]+: .*probe.models'
