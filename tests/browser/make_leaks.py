"""A benchmark of which every item leaks, and its corpus, for reports of any size.

    make_leaks.py ITEMS FOLDER     writes FOLDER/bench.jsonl, FOLDER/corpus.jsonl and FOLDER/run.yaml

Of ten items five are in the corpus as they are, three with a word changed, two inside a file; every tenth twice.  The
first ones are hostile: markup, scripts, escapes of terminals, direction marks and a long line, wherever a text can be.
"""
import json
import sys

count, folder = int(sys.argv[1]), sys.argv[2]
WORDS = "alpha beta gamma delta theta kappa lambda sigma omega count total index value buffer cursor".split()
LICENCES = ["MIT", "Apache-2.0", "GPL-3.0-only", "BSD-3-Clause", None]
CANARY = "window.leakgraph_canary = 1"
HOSTILE = ["<script>%s</script>" % CANARY, "</script><script>%s</script>" % CANARY, "<svg onload='%s'>" % CANARY,
           "<img src=x onerror=\"%s\">" % CANARY, "\x1b[2J\x1b]0;title\x07", "\u202eexe.txt\u202c", "--><!--<![CDATA[",
           "${%s}{{%s}}" % (CANARY, CANARY), "x" * 1000000, "'\"`;\\ =cmd|' /C calc'!A0"]


def function(i, changed=""):
    names = ["%s_%d_%s" % (WORDS[(i + k) % len(WORDS)], i, "abcdefghijkl"[k]) for k in range(12)]
    lines = ["def task_%d(%s):" % (i, ", ".join(names[:3]))]
    lines += ["    %s = %s + %s * %d" % (names[k], names[k - 1], names[k - 2], k) for k in range(3, 12)]
    if changed:
        lines[6] = "    %s = %s - %s" % (names[8], changed, names[6])
    return "\n".join(lines + ["    return " + names[11], ""])


def wrapped(i):
    other = "".join("def own_%d_%d(first, second):\n    return first %% %d + second\n\n\n" % (i, k, k + 2)
                    for k in range(6))
    return other + function(i) + "\n\n" + other.replace("own_", "more_")


with open(folder + "/bench.jsonl", "w") as bench, open(folder + "/corpus.jsonl", "w") as corpus:
    for i in range(count):
        hostile = HOSTILE[i] if i < len(HOSTILE) and count >= len(HOSTILE) else ""
        text = function(i) + ("# %s\n" % hostile if hostile else "")
        short = hostile[:200]
        bench.write(json.dumps({
            "id": "task-%06d%s" % (i, short), "path": "src/tasks/%d/task_%d.py%s" % (i // 1000, i, short),
            "split": ["train", "test"][i % 4 == 0], "text": text}) + "\n")
        copy = (text, function(i, "changed_word"), wrapped(i))[[0, 0, 1, 0, 2, 0, 1, 0, 1, 2][i % 10]]
        for n in range(1 + (i % 10 == 0)):
            corpus.write(json.dumps({
                "id": "file-%d-%d%s" % (i, n, short),
                "path": "project-%d/lib/module_%d_%d.py%s" % (i % 97, i, n, short),
                "repo": "owner-%d/project-%d%s" % (i % 13, i % 97, short), "license": short or LICENCES[i % 5],
                "text": copy + ("# copy %d\n" % n if n else "")}) + "\n")

with open(folder + "/run.yaml", "w") as out:
    out.write("""output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: corpus, role: corpus, language: python, files: [corpus.jsonl]}
near_duplicates: {view: identifiers, renamed: off}
""")
