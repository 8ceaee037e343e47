# Scores against what a graph says of the items, by hand and from a run: what comes out is what went in, and the run's
# rows are those that SQL gives.
. "$(dirname "$0")/common.sh"
need "$PYTHON"

cd "$work"
"$PYTHON" - <<'PYTHON'
import json, math, random
random.seed(3)
words = [a + b for a in "alpha beta gamma delta omega sigma kappa theta".split()
         for b in "One Two Six Ten Map Key".split()]
def function(name, lines):
    body = ["def %s(items, table):" % name]
    for i in range(lines):
        a, b, c = random.sample(words, 3)
        body.append("    %s_%s = table.%s(items[%d], '%s')" % (name, a, b, i % 7, c))
    return "\n".join(body + ["    return %s_done" % name]) + "\n"
items = [function("item%d" % i, 6 + i % 9) for i in range(60)]
other = [function("other%d" % i, 4 + i % 11) for i in range(300)]
write = lambda name, records: open(name, "w").writelines(json.dumps(r) + "\n" for r in records)
write("items.jsonl", [{"id": "a%d" % i, "text": t, "repo": "r%d" % (i % 12)} for i, t in enumerate(items)])
write("leaky.jsonl", [{"text": t} for t in other + items[0:30] * 2])
write("clean.jsonl", [{"text": t} for t in other])
# a family of 40 models: nll falls by 0.5 a copy, rises by 0.2 with the model's second trait; hits likewise
with open("scores.csv", "w") as out:
    out.write('"the score",copies,kind,item,hits,trials\n')
    level = [random.gauss(0, 0.5) for _ in range(50)]
    for row in range(1000):
        item, copies, kind = row % 50, random.randrange(5), random.choice(["plain", "tuned"])
        score = 3 - 0.5 * copies + 0.2 * (kind == "tuned") + level[item]
        chance = 1 / (1 + math.exp(1 - 0.4 * copies - level[item]))
        trials = random.randrange(1, 11)
        hits = sum(random.random() < chance for _ in range(trials))
        out.write("%.6f,%s,%s,i%d,%d,%d\n" % (score + random.gauss(0, 0.3), copies if row % 100 else "", kind, item,
                                              hits, trials))
PYTHON
near() {    # near KEY NAME VALUE TOLERANCE: of a coefficient or group in the JSON of the last command
    "$PYTHON" - "$work/out" "$@" <<'PYTHON'
import json, sys
told, (key, name, value, tolerance) = json.load(open(sys.argv[1])), sys.argv[2:]
rows = {row["name"]: row for row in told["coefficients"] + told["groups"]}
got = rows[name][key]
assert abs(got - float(value)) < float(tolerance), (name, key, got, value)
PYTHON
}
expect 0 "$leakgraph" regress '`the score` ~ copies + kind + (1 | item)' --data scores.csv --json
near estimate copies -0.5 0.03
near estimate 'kind[tuned]' 0.2 0.06
near deviation item 0.5 0.2
expect 0 "$leakgraph" regress '`the score` ~ copies + kind + (1 | item)' --data scores.csv
says "$work/out" '990 rows, 10 left out' '^copies .*\*\*\*' '^item ' 'differences to `plain`'
expect 0 "$leakgraph" regress 'hits/trials ~ copies + (1 | item)' --data scores.csv --json
near estimate copies 0.4 0.1
near ratio copies 1.49 0.15
expect 0 "$leakgraph" regress 'hits/trials ~ copies' --data scores.csv --link log
says "$work/out" 'ratio of chances'

# 2: the formula, the options, the columns; 1: the data.
expect 2 "$leakgraph" regress 'hits ~ copys' --data scores.csv
says "$work/err" 'did you mean `copies`'
expect 2 "$leakgraph" regress 'hits ~ copies + (copies | item)' --data scores.csv
says "$work/err" 'character 18'
expect 1 "$leakgraph" regress 'hits ~ copies' --data missing.csv
expect 1 "$leakgraph" regress 'hits ~ copies' --data scores.csv --family binomial
says "$work/err" 'it is 0 or 1, or HITS/TRIALS'
expect 1 "$leakgraph" regress 'copies ~ copies' --data scores.csv
says "$work/err" 'to its last digit'

"$PYTHON" -c 'import random; random.seed(1); print("y,x,z"); [print(i // 20, i, random.random()) for i in range(40)]' |
    tr ' ' , >apart.csv
expect 1 "$leakgraph" regress 'y ~ x + z' --data apart.csv --family binomial
says "$work/err" '`x` separates hits from misses'
expect 1 "$leakgraph" regress 'y ~ z + x' --data apart.csv --family binomial
says "$work/err" '`x` separates hits from misses'
printf 'y,x\n1, 1\n2,2\n4,2\n4, inf\n5,inf\n7, inf\n7, 1\n9, 1\n' >inf.csv
expect 2 "$leakgraph" regress 'y ~ x' --data inf.csv
says "$work/err" 'column `x` has texts, as `inf` in row 4: nearly all others are numbers'
expect 0 "$leakgraph" regress 'y ~ factor(x)' --data inf.csv
sed 's/inf/1e400/' inf.csv >large.csv
expect 2 "$leakgraph" regress 'y ~ x' --data large.csv
says "$work/err" 'column `x` has texts, as `1e400` in row 4: nearly all others are numbers'
printf 'y,x\n1, 1\n2,2\n4,4 \n5,3\n' >blanks.csv
expect 0 "$leakgraph" regress 'x ~ y' --data blanks.csv

# A run: items that are in the leaky corpus have copies there, and the leaky model knows them.
for name in leaky clean; do
    expect 0 "$leakgraph" train-ngram --corpus "$name=$name.jsonl" --order 4 --output $name.lm
done
cat >run.yaml <<'YAML'
output: run
datasets:
  - {name: items, role: benchmark, language: python, files: [items.jsonl]}
  - {name: leaky, role: corpus, language: python, files: [leaky.jsonl]}
near_duplicates: {}
probe:
  models: [{name: leaky, path: leaky.lm}, {name: clean, path: clean.lm}]
  metrics: [nll, tokens, ratio]
YAML
expect 0 "$leakgraph" run run.yaml --quiet
expect 0 "$leakgraph" regress 'nll ~ model*copies + tokens + (1 | item)' --run run --json
"$PYTHON" - "$work/out" <<'PYTHON'
import json, sys
told = json.load(open(sys.argv[1]))
rows = {row["name"]: row for row in told["coefficients"]}
assert told["rows"] == 120, told["rows"]
assert rows["copies:model[leaky]" if "copies:model[leaky]" in rows else "model[leaky]:copies"]["high"] < -0.1, rows
assert abs(rows["copies"]["estimate"]) < 0.2, rows
PYTHON
expect 0 "$leakgraph" regress '`ratio:clean` ~ copies + (1 | repo)' --run run/graph.db
says "$work/out" '60 rows' '^repo '
mv "$work/out" "$work/first"
expect 0 "$leakgraph" regress 'ratio ~ copies + (1 | repo)' --run run --query "SELECT p.value AS ratio, s.repo AS repo,
    (SELECT count(*) FROM edges WHERE a = s.id AND kind IN ('exact', 'copy') AND b > 1000000000000) AS copies
    FROM probes AS p JOIN snippets AS s ON s.id = p.snippet WHERE p.metric = 'ratio:clean'"
[ "$(sed 1,2d "$work/first")" = "$(sed 1,2d "$work/out")" ] || fail "the run's own rows are not those of SQL"
expect 2 "$leakgraph" regress 'nll ~ copis' --run run
says "$work/err" 'did you mean `copies`'
expect 0 "$leakgraph" regress --help
says "$work/out" '^Examples:'
