# seconds: 40
# inclusion with a server: as many requests at once as the settings say, nothing lost when it is busy, fails or is cut
# off, and after a kill nobody is asked again but for the files that were under way.  LONG: 100 repositories of 20 files
# at 32 requests at once.
. "$(dirname "$0")/common.sh"
cd "$work"
repositories=15 files=4 requests=8
[ -z "$LONG" ] || repositories=100 files=20 requests=32
export COMPLETIONS_WAIT=$([ "$LONG" ] && echo 0.2 || echo 0.05)
completions_server
stats() { completions_stats "$@"; }

"$PYTHON" - $repositories $files <<'PYTHON'
import json, random, sys
random.seed(3)
repositories, files = map(int, sys.argv[1:])
def word(): return "".join(random.choice("abcdefghijklmnoprstuvw") for _ in range(7))
with open("files.jsonl", "w") as out:
    for r in range(repositories):
        for f in range(files):
            a, b, c, d = (word() for _ in range(4))
            text = "class %s:\n    # %s and %s\n    def %s(self):\n        %s = '%s of %s'\n        return %s\n" % (
                a.title(), b, c, d, b, c, d, b)
            out.write(json.dumps({"text": text, "path": "src/%d.py" % f, "repo": "o/r%d" % r, "id": "%d-%d" % (r, f),
                                  "split": "known" if r % 2 else "new"}) + "\n")
PYTHON
cat >run.yaml <<YAML
datasets:
  - {name: files, role: corpus, language: python, files: [files.jsonl]}
probe:
  models:
    - {name: busy, backend: http, url: "http://127.0.0.1:$port/busy/v1", concurrency: $requests}
  metrics: []
inclusion: {from: files, trained: known, others: new, per_category: 1, tokens: 24}
YAML
answers="SELECT f.path, f.repo, a.role, a.line, a.wanted, a.output, a.score FROM inclusion_answers AS a
         JOIN inclusion_files AS f ON f.id = a.file ORDER BY a.rowid"

stats requests >/dev/null
started=$(date +%s%N)
expect 0 "$leakgraph" run run.yaml --output whole --threads 2
took=$((($(date +%s%N) - started) / 1000000))
says err "inclusion: models=1 files=$((repositories * files)) asked=$((repositories * files)) reused=0"
sql whole "$answers" >answers
questions=$(grep -c . answers)
read -r asked answered most <<<"$(stats requests answered flying_max)"
[ "$questions" -ge $((repositories * files * 4)) ] || fail "only $questions elements of the files"
tried=$((answered - questions))                             # what the server can do is found out first
[ $tried -ge 0 ] && [ $tried -le 4 ] || fail "$answered answers to $questions questions"
[ "$asked" -gt "$answered" ] || fail "no request failed"
[ "$most" = $requests ] || fail "$most requests at once instead of $requests"
! sql whole "SELECT 1 FROM inclusion_answers WHERE score IS NULL" | grep -q . || fail "a question without an answer"
echo "$questions questions, $asked requests, $most at once: $took ms; the server alone takes" \
    "$("$PYTHON" -c "print('%d ms' % ($asked * $COMPLETIONS_WAIT * 1000 / $requests))")"

# Killed twice on the way: the same answers; what was answered is asked again only of files that were not whole.
for part in 3 2; do
    timeout -s KILL $(printf '%d.%03d' $((took / part / 1000)) $((took / part % 1000))) \
        "$leakgraph" run run.yaml --output killed --threads 2 >/dev/null 2>&1 || true
done
expect 0 "$leakgraph" run run.yaml --output killed --threads 2
read -r asked answered <<<"$(stats requests answered)"
sql killed "$answers" | cmp - answers || fail "other answers after kills"
[ $((answered - questions)) -le $((3 * tried + 2 * 6 * requests)) ] ||
    fail "$answered answers to $questions questions: more than the files under way at two kills"
expect 0 "$leakgraph" run run.yaml --output killed --replace
says err "asked=0 reused=$((repositories * files))"
[ "$(stats requests)" -le 4 ] || fail "what was answered was asked again"

# Several ranks share the requests.
expect 0 ranks 2 "$leakgraph" run run.yaml --output ranks --quiet
sql ranks "$answers" | cmp - answers || fail "two ranks say something else"
[ "$(stats flying_max)" -le $requests ] || fail "two ranks ask more at once"
