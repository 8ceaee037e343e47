# seconds: 180
# rest: a browser, and a thousand items
# Reports in a real browser: of no leaked item, of one, of a thousand (hostile ones among them), and of a run with every
# capability; in the long rounds of a hundred thousand, of the demonstration and of the Java set too.
. "$(dirname "$0")/common.sh"
need node npm
browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] || { echo "no chromium here"; exit 77; }
packages=$root/node_modules/.browser
status=0
scripts/npm_packages.sh browser "$packages" || status=$?
[ $status = 0 ] || { echo "playwright-core and axe-core cannot be had"; exit $status; }

reports=()
made() {    # made ITEMS: a run in which all of so many items leak
    mkdir "$work/$1"
    "$PYTHON" tests/browser/make_leaks.py "$1" "$work/$1"
    expect 0 "$leakgraph" run "$work/$1/run.yaml" --output "$work/$1/run" --quiet
    reports+=("$1 items=$work/$1/run/report.html:$1")
}
made 0
made 1
made 1000

mkdir "$work/all"
cd "$work/all"
"$PYTHON" "$root/tests/cli/subsets.py" make
expect 0 "$leakgraph" train-ngram --corpus corpus=corpus.jsonl --order 3 --output model.lm
{
    echo 'output: run'
    echo 'datasets:'
    echo '  - {name: bench, role: benchmark, language: python, splits: {train: [second.jsonl], test: [bench.jsonl]}}'
    echo '  - {name: corpus, role: corpus, self_join: exact, language: python, files: [corpus.jsonl, more.jsonl]}'
    "$PYTHON" "$root/tests/cli/subsets.py" settings
} >run.yaml
expect 0 "$leakgraph" run run.yaml --quiet
reports+=("every capability=$work/all/run/report.html")
cd "$root"

if [ -n "$LONG" ]; then
    made 100000
    mkdir "$work/data"
    "$PYTHON" scripts/make_sample.py --seed 5 "$work/data/sample" >/dev/null
    cp pipeline.yaml "$work/pipeline.yaml"
    expect 0 "$leakgraph" run "$work/pipeline.yaml" --output "$work/demo" --quiet
    reports+=("demo=$work/demo/report.html")
    if [ -d ../shared/data/java ]; then
        expect 0 "$leakgraph" run tests/data/java.yaml --output "$work/java" --quiet
        reports+=("Java=$work/java/report.html")
    fi
fi

[ -z "$LONG" ] && limit=160 || limit=900
timeout --kill-after=5 $limit node tests/browser/report.mjs "$packages" "$browser" "${reports[@]}" || fail "see above"
