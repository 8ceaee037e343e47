# The configurations of scripts/datasets read trees of the shape that the downloads leave; no network is used.
. "$(dirname "$0")/common.sh"
need gzip

mkdir -p "$work/data" "$work/scripts"
cp -r scripts/datasets "$work/scripts/datasets"
cd "$work/data"
mkdir -p codesearchnet/java/final/jsonl/{train,valid,test} codesearchnet/python/final/jsonl/{train,valid,test} \
    codetrans humaneval mbpp python-150 tl-codesum/TL-CodeSum-master/data/{train,valid,test} funcom/funcom_processed \
    bigclonebench the-stack/data/python
"$PYTHON" - <<'PYTHON'
import gzip, json, re
java = ("public int add%d(int left, int right, Counter counter) { int total = left + right; "
        "counter.note(total, left, right, journal, second, clock, minute, hour, day, month); return total; }")
python = ("def add%d(left, right, counter):\n    \"\"\"Adds.\"\"\"\n    total = left + right\n"
          "    counter.note(total, left, right, journal, second, clock, minute, hour, day, month)\n    return total\n")
for language, text in (("java", java), ("python", python)):
    for split in ("train", "valid", "test"):
        with gzip.open("codesearchnet/%s/final/jsonl/%s/%s_%s_0.jsonl.gz" % (language, split, language, split),
                       "wt") as out:
            for n in range(4):
                out.write(json.dumps({"repo": "owner/name", "path": "src/a", "func_name": "add",
                                      "original_string": text % n, "language": language,
                                      "code": text % n, "code_tokens": ["x"], "docstring": "Adds.",
                                      "docstring_tokens": ["Adds"], "sha": "0",
                                      "url": "https://example.org/%s/%s/%d" % (language, split, n), "partition": split})
                                      + "\n")
for split, count in (("train", 5), ("valid", 2), ("test", 3)):
    with open("codetrans/%s.java-cs.txt.java" % split, "w") as out:
        out.writelines(java % n + "\n" for n in range(count))
    with open("codetrans/%s.java-cs.txt.cs" % split, "w") as out: out.writelines(java % n + "\n" for n in range(count))
    with open("python-150/data_ps.declbodies.%s" % split, "w") as out:
        out.writelines("def add%d(left, right, counter): DCNL DCSP total = (left + right) DCNL DCSP if total: DCNL "
                       "DCSP DCSP counter.note(total, 'a DCSP b', left, right, journal, second, clock, minute, hour, "
                       "day, month) DCNL DCSP return total\n" % n for n in range(count))
    with open("tl-codesum/TL-CodeSum-master/data/%s/%s.token.code" % (split, split), "w") as out:
        out.writelines("%d\t%s\n" % (31356 - n, " ".join(re.findall(r"\w+|[^\w\s]", java % n))) for n in range(count))
with gzip.open("humaneval/HumanEval.jsonl.gz", "wt") as out:
    for n in range(4):
        head, body = (python % n).split("    total", 1)
        out.write(json.dumps({"task_id": "HumanEval/%d" % n, "prompt": head, "canonical_solution": "    total" + body,
                              "test": "", "entry_point": "add"}) + "\n")
with open("mbpp/mbpp.jsonl", "w") as out:
    out.writelines(json.dumps({"text": "Write a function.", "code": python % n, "task_id": n, "test_setup_code": "",
                               "test_list": [], "challenge_test_list": []}) + "\n" for n in range(6))
json.dump({str(n): java % n for n in range(11)}, open("funcom/funcom_processed/functions.json", "w"))
with open("bigclonebench/data.jsonl", "w") as out:
    out.writelines(json.dumps({"func": java % n, "idx": str(1000 + n)}) + "\n" for n in range(7))
PYTHON
cp "$root/tests/golden/datasets/the-stack.parquet" the-stack/data/python/data-00000-of-00144.parquet
convert=$work/scripts/datasets/convert.py
"$PYTHON" "$convert" humaneval humaneval/HumanEval.jsonl.gz humaneval/functions.jsonl
for split in train valid test; do
    "$PYTHON" "$convert" python-150 python-150/data_ps.declbodies.$split python-150/$split.jsonl
done
for split in train valid test; do
    "$PYTHON" "$convert" tl-codesum tl-codesum/TL-CodeSum-master/data/$split/$split.token.code tl-codesum/$split.jsonl
done
"$PYTHON" "$convert" funcom funcom/funcom_processed/functions.json funcom/functions.jsonl

tried=0
documents() {   # documents NAME EXPECTED: dataset/split=documents of its run, in order
    expect 0 "$leakgraph" run "$work/scripts/datasets/$1.yaml" --output "$work/$1"
    counted=$(sql "$work/$1" "SELECT group_concat(name, ' ')
                              FROM (SELECT dataset || '/' || split || '=' || sum(documents) AS name FROM splits
                              WHERE documents > 0 GROUP BY dataset, split ORDER BY dataset, split)")
    [ "$counted" = "$2" ] || fail "$1: $counted instead of $2"
    [ "$(sql "$work/$1" 'SELECT count(*) FROM rejects')" = 0 ] || fail "$1: rejects"
    [ "$(sql "$work/$1" "SELECT count(*) FROM edges WHERE kind IN ('exact', 'near')")" -gt 0 ] || fail "$1: no pair"
    tried=$((tried + 1))
}
documents codesearchnet 'codesearchnet/test=8 codesearchnet/train=8 codesearchnet/valid=8 '\
'codetrans/test=3 codetrans/train=5 codetrans/valid=2'
[ "$(sql "$work/codesearchnet" "SELECT count(*) FROM snippets WHERE dataset = 'codesearchnet' AND language = 'java'
                                AND source_id LIKE 'https://example.org/java/%' AND repo = 'owner/name'")" = 12 ] ||
    fail "codesearchnet: language, id or repo were not read"
documents codetrans 'codetrans-csharp/test=3 codetrans-csharp/train=5 codetrans-csharp/valid=2 '\
'codetrans-java/test=3 codetrans-java/train=5 codetrans-java/valid=2'
documents humaneval 'humaneval/=4'
[ "$(sql "$work/humaneval" "SELECT count(*) FROM snippets WHERE source_id LIKE 'HumanEval/%'
                            AND snippet LIKE 'def add%return total%'")" = 4 ] || fail "humaneval: not whole functions"
documents mbpp 'mbpp/=6'
documents python-150 'python-150/test=3 python-150/train=5 python-150/valid=2'
"$PYTHON" - python-150/train.jsonl <<'PYTHON'
import ast, json, sys
for line in open(sys.argv[1]):
    tree = ast.parse(json.loads(line)["text"])
    body = [type(node).__name__ for node in tree.body[0].body]
    assert body == ["Assign", "If", "Return"], "python-150: wrong indentation"
PYTHON
documents tl-codesum 'tl-codesum/test=3 tl-codesum/train=5 tl-codesum/valid=2'
[ "$(sql "$work/tl-codesum" "SELECT count(*) FROM snippets WHERE source_id = '31356'
                             AND snippet LIKE 'public int add0 ( int left%'")" = 3 ] ||
                                 fail "tl-codesum: number or tokens were not read"
documents funcom 'funcom/=11'
documents bigclonebench 'bigclonebench/=7'
documents the-stack 'humaneval/=4 mbpp/=6 the-stack/=5'
[ "$(sql "$work/the-stack" "SELECT count(*) FROM snippets WHERE dataset = 'the-stack' AND language = 'python'
                            AND repo = 'owner/stack' AND path = 'a.py'")" = 5 ] ||
    fail "the-stack: path, repo or language were not read"

# The Stack cannot be fetched without a login: the commands are said, and a `&&` stops there.
expect 1 bash "$work/scripts/datasets/fetch.sh" the-stack "$work/none"
says "$work/err" 'hf download' 'local-dir'
[ $tried = "$(ls "$work"/scripts/datasets/*.yaml | wc -l)" ] || fail "a configuration of scripts/datasets is not tested"
