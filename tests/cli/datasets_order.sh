# What the report says of each benchmark does not depend on whether benchmarks stand before the corpora or behind them:
# of a pair the document that stands first is `a`, so that items are on either side.
. "$(dirname "$0")/common.sh"

cd "$work"
cat >make.py <<'PYTHON'
import json, random

random.seed(7)
texts = [["w%d" % random.randrange(10 ** 6) for _ in range(60)] for _ in range(40)]
licences = ["MIT", "GPL-3.0-only", "Apache-2.0"]

def write(name, rows):
    with open(name + ".jsonl", "w") as file:
        for n, (words, repo, licence) in enumerate(rows):
            file.write(json.dumps({"id": "%s-%d" % (name, n), "text": " ".join(words), "repo": repo,
                                   "license": licence}) + "\n")

def changed(words):
    return words[:50] + ["changed"] + words[51:]

# item i: i % 4 copies of it in one corpus, a near one in the other where 5 divides i
copies = [(texts[i], "r%d" % (i % 3), licences[(i + k) % 3]) for i in range(40) for k in range(i % 4)]
near = [(changed(texts[i]), "n", "MIT") for i in range(0, 40, 5)]
write("first", [(text, None, None) for text in texts[:30]])
write("second", [(text, None, None) for text in texts[25:]])                # five items are in both
write("copies", copies)
write("near", near)

expected = {}
for name, own in (("first", range(30)), ("second", range(25, 40))):
    rules, how_many, repos, classes = {}, {}, {}, {}
    for i in own:
        found = ["exact"] * (i % 4 > 0) + ["near"] * (i % 5 == 0)
        documents = i % 4 + (i % 5 == 0)
        if not documents: continue
        rules[", ".join(found)] = rules.get(", ".join(found), 0) + 1
        bin_ = "1" if documents == 1 else "2-2" if documents == 2 else "3-4"
        how_many[bin_] = how_many.get(bin_, 0) + 1
        for repo, n in (("r%d" % (i % 3), i % 4), ("n", int(i % 5 == 0))):
            if n:
                items, all_ = repos.get(repo, (0, 0))
                repos[repo] = items + 1, all_ + n
        for licence in {licences[(i + k) % 3] for k in range(i % 4)} | ({"MIT"} if i % 5 == 0 else set()):
            classes[licence] = classes.get(licence, 0) + 1
    expected[name] = [rules, how_many, {repo: list(n) for repo, n in repos.items()}, classes]
json.dump(expected, open("expected.json", "w"))
PYTHON
"$PYTHON" make.py
benchmarks='  - {name: first, role: benchmark, language: python, files: [first.jsonl]}
  - {name: second, role: benchmark, language: python, files: [second.jsonl]}'
copies='  - {name: copies, role: corpus, language: python, self_join: exact, files: [copies.jsonl]}'
near='  - {name: near, role: corpus, language: python, files: [near.jsonl]}'
settings='near_duplicates: {min_tokens: 5, pairs: all}
dedup: {datasets: [copies], view: "shingles:5"}'
printf 'output: before\ndatasets:\n%s\n%s\n%s\n%s\n' "$benchmarks" "$copies" "$near" "$settings" >before.yaml
printf 'output: behind\ndatasets:\n%s\n%s\n%s\n%s\n' "$copies" "$near" "$benchmarks" "$settings" >behind.yaml
printf 'output: between\ndatasets:\n%s\n%s\n%s\n%s\n' "$copies" "$benchmarks" "$near" "$settings" >between.yaml

cat >check.py <<'PYTHON'
import json, sqlite3, sys

run, expected = sys.argv[1], json.load(open("expected.json"))
report, graph = json.load(open(run + "/report.json")), sqlite3.connect(run + "/graph.db")
said = {each["title"]: each for each in report["benchmarks"]["each"]}
for name, (rules, copies, repos, licences) in expected.items():
    each = said[name]
    found = [{row["rules"]: row["items"] for row in each["rules"]},
             {row["copies"]: row["items"] for row in each["copies"]},
             {row["repo"]: [row["items"], row["documents"]] for row in each["repositories"]},
             {row["license"]: row["items"] for row in report["licences"]["each"] if row["benchmark"] == name}]
    assert found == [rules, copies, repos, licences], (run, name, found, expected[name])
    exact = sum(items for rule, items in rules.items() if "exact" in rule)
    bins = {row["from"]: row["items"] for row in each["similarity"]}
    assert bins[1] == exact and sum(bins.values()) == sum(rules.values()), (run, name, bins)
for item, rules in graph.execute("SELECT s.source_id, group_concat(DISTINCT r.rule || ':' || r.corpus) FROM item_rules "
                                 "AS r JOIN snippets AS s ON s.id = r.item GROUP BY s.id ORDER BY s.dataset, s.id"):
    print(item, ",".join(sorted(rules.split(","))))
PYTHON
for run in before behind between; do
    expect 0 "$leakgraph" run $run.yaml
    "$PYTHON" check.py $run >$run.rules || fail "the report of $run"
done
[ "$(wc -l <before.rules)" -ge 35 ] || fail "few rules: $(wc -l <before.rules)"
cmp before.rules behind.rules || fail "rules of items, benchmarks behind the corpora"
cmp before.rules between.rules || fail "rules of items, benchmarks between the corpora"
