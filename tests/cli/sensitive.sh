# Sensitive strings that were planted: found, counted, looked for verbatim in corpora, and nowhere shown; the same on
# ranks and again.
. "$(dirname "$0")/common.sh"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json
r16, h16 = "q7Xz9Kp2Vw4Jt6Mb", "9f3b07c1e8a25d64"
npm, hexes, aws = "npm_" + 2 * r16 + "a4Zt", h16 + "b1e7402f", "AKIA" + r16.upper()
def write(path, rows):
    with open(path, "w") as out:
        for row in rows: out.write(json.dumps({"text": row}) + "\n")
write("bench.jsonl", [
    "mail jane.roe@corp-mail.org or <jane.roe@corp-mail.org>\n",              # twice in one document
    "jane.roe@corp-mail.org\nnobody@never-seen.net\n",
    "someone@example.com is left out, and so are 10.0.0.7, 192.0.2.7, AKIA" "I44QH8DHBEXAMPLE and nvcc 11.3.244.8\n",
    "the server is 93.184.216.34, not 10.1.2.3\n",
    "token = '%s'\nsecret = \"%s\"\n" % (npm, hexes),
    "key %s\n" % aws,
    "nothing here\n"])
write("a.jsonl", ["xjane.roe@corp-mail.orgx\n", "jane.roe@corp-mail.orgjane.roe@corp-mail.org\n", "x" + npm + "y\n"]
      + ["filler text %d\n" % i for i in range(500)])
write("b.jsonl", ["193.184.216.345 " + hexes.upper() + "\n", "JANE.ROE@corp-mail.org " + aws[:-1] + "\n",
                  "own: root@corpus-host.org\n"])
open("run.yaml", "w").write("""
output: run
datasets:
  - {name: bench, role: benchmark, language: python, files: [bench.jsonl]}
  - {name: v1, role: corpus, files: [a.jsonl]}
  - {name: v2, role: corpus, files: [b.jsonl]}
sensitive: {}
""")
values = [npm, hexes, aws, "jane.roe", "corp-mail", "never-seen", "93.184.216", "10.0.0.7", "someone@", "corpus-host"]
open("values", "w").write("\n".join(values) + "\n")
PYTHON
rows() {
    sql "$1" "SELECT dataset, kind, pattern, masked, occurrences, documents, corpus_occurrences, corpus_documents,
                     shard, record, byte FROM sensitive ORDER BY rowid"
}

# hides FOLDER: no value is in any of its files; in the shards they are.
grep -qaF -f values bench.jsonl || fail "nothing is planted"
hides() {
    if grep -rlaF -f values "$1"; then fail "values are shown in $1"; fi
}

expect 0 "$leakgraph" run run.yaml
[ "$(rows run)" = 'bench|email||j…g (22)|3|2|3|2|bench.jsonl|0|5
bench|email||n…t (21)|1|1|0|0|bench.jsonl|1|23
bench|ip||9…4 (13)|1|1|1|1|bench.jsonl|3|14
bench|key|aws|A…B (20)|1|1|0|0|bench.jsonl|5|4
bench|key|hex|9…f (24)|1|1|0|0|bench.jsonl|4|61
bench|key|npm|n…t (40)|1|1|1|1|bench.jsonl|4|9' ] || fail "rows: $(rows run)"
hides run
if grep -aF -f values "$work/out" "$work/err"; then fail "values are shown on the terminal"; fi
says run/report.md 'Sensitive strings' 'j…g \(22\)' 'npm'
says run/report.json '"sensitive"' 'corpus_occurrences'
[ "$(sql run "SELECT xxh128 FROM sensitive WHERE kind = 'ip'")" != '' ] || fail "no hash"
[ "$(sql run 'SELECT sum(documents) FROM splits')" = 513 ] ||
    fail "documents: $(sql run 'SELECT sum(documents) FROM splits')"
expect 0 "$leakgraph" fsck run
cp -r run changed
"$PYTHON" -c \
    'import sqlite3; d = sqlite3.connect("changed/graph.db")
d.execute("UPDATE sensitive SET corpus_occurrences = corpus_occurrences + 1 WHERE rowid = 1"); d.commit()'
expect 1 "$leakgraph" fsck changed
says "$work/out" 'FAIL *digest'
reference_sql "$PWD/run/graph.db" sensitive

# Any ranks, any threads, the resolved file, and again.
expect 0 ranks 3 "$leakgraph" run run.yaml --output ranks --threads 2
same run ranks
hides ranks
[ "$(rows ranks)" = "$(rows run)" ] || fail "ranks: $(rows ranks)"
expect 0 "$leakgraph" run run/config.resolved.yaml --output resolved
same run resolved
expect 0 "$leakgraph" run run.yaml
says "$work/err" 'units=3 reused=3'

# What is left out by default, and one kind alone.
expect 0 "$leakgraph" run run.yaml --output more --set sensitive.local=true --set sensitive.example=true
[ "$(sql more "SELECT kind, count(*) FROM sensitive GROUP BY kind")" = 'email|3
ip|4
key|4' ] || fail "more: $(rows more)"
hides more
expect 0 "$leakgraph" run run.yaml --output ip --set sensitive.kinds=ip
[ "$(sql ip "SELECT DISTINCT kind FROM sensitive")" = ip ] || fail "one kind: $(rows ip)"

# A corpus's own strings, not looked for anywhere; beside another pass, with the texts left out of graph.db.
expect 0 "$leakgraph" run run.yaml --output own --set 'sensitive.datasets=[bench, v2]'
[ "$(sql own "SELECT masked, occurrences, corpus_occurrences FROM sensitive WHERE dataset = 'v2'
              AND kind = 'email'")" = 'J…g (22)|1|
r…g (20)|1|' ] || fail "own: $(rows own)"
[ "$(sql own "SELECT corpus_occurrences FROM sensitive WHERE dataset = 'bench' AND pattern = 'npm'")" = 1 ] ||
    fail "beside a corpus: $(rows own)"
says own/report.md 'Not looked for in corpora'
expect 0 "$leakgraph" fsck own
expect 0 ranks 2 "$leakgraph" run run.yaml --output own2 --set 'sensitive.datasets=[bench, v2]'
same own own2
expect 0 "$leakgraph" run run.yaml --output near --set near_duplicates.min_tokens=1 --set graph.store=none
[ "$(rows near)" = "$(rows run)" ] || fail "beside near_duplicates: $(rows near)"
if grep -laF -f values near/graph.db near/report.* near/run.log; then fail "values are shown in near"; fi
expect 0 "$leakgraph" run run.yaml --output texts --set near_duplicates.min_tokens=1
says "$work/err" 'sensitive: graph.db has texts'

# Where a report shows texts, of other passes, the values in them are masked too.
"$PYTHON" - <<'PYTHON'
import json
text = "# by jane.roe@corp-mail.org, 93.184.216.34\n" + "".join("value_%d = compute(%d, other)\n" % (i, i)
                                                                for i in range(12))
for name in "shown", "shares": open(name + ".jsonl", "w").write(json.dumps({"text": text}) + "\n")
PYTHON
sed 's/bench.jsonl/shown.jsonl/; s/\[a.jsonl/[shares.jsonl/' run.yaml >shown.yaml
printf 'near_duplicates: {}\nline_clones: {}\n' >>shown.yaml
expect 0 "$leakgraph" run shown.yaml --output shown
says shown/report.md 'by j…g \(22\), 9…4 \(13\)'
if grep -laF -f values shown/report.html shown/report.md shown/report.json shown/run.log; then
    fail "values are shown in reports of other passes"
fi

# So are names, whatever a report makes of them: places of functions, titles of items, columns of splits, repositories.
"$PYTHON" - <<'PYTHON'
import json
r16 = "q7Xz9Kp2Vw4Jt6Mb"
names = ["npm_" + 2 * r16 + "a4Zt", "jane.roe@corp-mail.org", "93.184.216.34", "AKIA" + r16.upper()]
def rows(path, head):
    with open(path, "w") as out:
        for i, name in enumerate(names):
            text = head + "".join("def %s_%d(a, b):\n    total = a + %d\n    for x in range(total):\n"
                                  "        print(x, total)\n    return total\n" % (word, i, i)
                                  for word in ("share", "commit", "plain"))
            for split in name, "other":
                out.write(json.dumps({"path": name, "split": split, "repo": "own/" + name, "text": text}) + "\n")
rows("names.jsonl", "")
rows("named.jsonl", "import x\n")
open("values", "a").write(names[3].lower() + "\n")
PYTHON
sed 's/bench.jsonl/names.jsonl/; s/\[a.jsonl/[named.jsonl/' run.yaml >names.yaml
printf 'near_duplicates: {min_tokens: 5}\nclones: {}\nrepositories: {}\n' >>names.yaml
expect 0 "$leakgraph" run names.yaml --output names
# shows FILE...: a value is there, in Markdown too, which has signs before some of its bytes.
shows() { cat "$@" | tr -d '\\' | grep -aoF -f values | head -20 | grep .; }
if shows names/report.html names/report.md names/report.json names/run.log; then
    fail "names that are values are shown"
fi
says names/report.md 'n…t \(40\)#share' 'own/a…b \(20\)' 'of these, in: .*j…g \(22\)'
says names/report.json '"title":.*"bench/j…g \(22\)/2"'

# Whatever stands beside them: folders and other names with words of hashes and versions, lines, the configuration.
# Datasets called by a key are keys of settings and columns of a model's scores.
"$PYTHON" - <<'PYTHON'
import json
names = open("values").read().split("\n")
npm, aws, ip, mail = names[0], names[2], "93.184.216.34", "jane.roe@corp-mail.org"
paths = ["usr/share/" + aws + "/x.py", "commits/" + npm + ".py", "android/" + ip + "/x.py", "home/" + mail + "//x.py",
         ip + "#L10-L20", mail + "#L3", "http://" + ip + "/x.py", "usr/share/y.py"]
def rows(path, head):
    with open(path, "w") as out:
        for i, name in enumerate(paths):
            text = head + "".join("def f%d_%s(a, b):\n    total = a + %d\n    for x in range(total):\n"
                                  "        print(x, total)\n    return total\n" % (i, w, i) for w in ("be", "ce"))
            out.write(json.dumps({"path": name, "id": name, "repo": "shark/" + aws, "text": text}) + "\n")
rows("beside.jsonl", "")
rows("shard-0.jsonl", "import x\n")
open("beside.yaml", "w").write("""
output: beside
datasets:
  - {name: %s, role: benchmark, language: python, files: [beside.jsonl]}
  - {name: model, role: benchmark, language: python, files: [beside.jsonl]}
  - {name: corp, role: corpus, language: python, files: [shard-0.jsonl]}
near_duplicates: {min_tokens: 5}
sensitive: {}
clones: {}
line_clones: {lines: 3}
dedup: {}
probe: {models: [{name: m, path: m.lm}, {name: %s, path: m.lm}]}
""" % (aws, aws))
PYTHON
expect 0 "$leakgraph" train-ngram --corpus c=shard-0.jsonl --order 3 --output m.lm
expect 0 "$leakgraph" run beside.yaml
if shows beside/report.html beside/report.md beside/report.json; then fail "values in names are shown"; fi
expect 3 "$leakgraph" run beside.yaml --set fail_on.leakage=10
if shows "$work/err" beside/run.log; then fail "what a gate says shows values in names"; fi
head -n 1 shard-0.jsonl >shard-1.jsonl
sed 's/shard-0/shard-1/' beside.yaml >before.yaml
expect 0 "$leakgraph" run before.yaml --output before
for how in "" --json; do        # what is posted every night
    expect 0 "$leakgraph" diff before beside $how
    if shows "$work/out"; then fail "diff $how shows values in names"; fi
    says "$work/out" 'A…B \(20\)' 'usr/share/y.py'
done
says beside/report.md '\| model \| A…B \(20\) \| model \|' 'name: A…B \(20\)'
says beside/report.json '"near.min_tokens.A…B \(20\)":' '"model, 2":'

# Mistakes.
expect 2 "$leakgraph" run run.yaml --output wrong --set sensitive.kinds=phone
says "$work/err" 'they are email, ip and key, not .phone'
expect 2 "$leakgraph" run run.yaml --output wrong --set sensitive.datasets=nowhere
says "$work/err" 'no dataset is called .nowhere'
expect 2 "$leakgraph" run run.yaml --output wrong --set sensitive.reveal=true
says "$work/err" 'reveal'
