# The exit statuses of docs/reference.md, command by command: a table of command lines, each with its status and what is
# said.  Every command has a row for each status that it can end with.
. "$(dirname "$0")/common.sh"

two_sets "$work/sets" --bench 20 --corpus 60 --shards 2
cd "$work/sets"
expect 0 "$leakgraph" run run.yaml --quiet
expect 0 "$leakgraph" train-ngram --corpus 'c=corpus-*.jsonl' --output mine.lm --order 2 --quiet
expect 0 "$leakgraph" audit inclusion --model m=ngram:mine.lm --files bench.jsonl --others 'corpus-*.jsonl' \
    --language python --output audited --quiet
cp -r run broken
printf 'no database at all, but a text that is long enough to be read as one page of it\n%0500d' 0 >broken/graph.db
mkdir unfinished empty unleaked
cp run/graph.db unleaked
"$PYTHON" -c 'import sqlite3; sqlite3.connect("unleaked/graph.db").executescript("DELETE FROM edges")'
cp -r run/work unfinished
rm unfinished/work/status-0
printf 'x' >file
sed 's/"text"/"body"/' bench.jsonl >body.jsonl
printf 'datasets: [\n' >wrong.yaml
head -c 20 mine.lm >cut.lm
for i in $(seq 0 19); do echo "{\"id\": \"b$i\", \"passed\": $((i % 2))}"; done >scores.jsonl

two="--benchmark b=bench.jsonl --corpus c=corpus-00.jsonl --language python"

model="--model m=ngram:mine.lm --files bench.jsonl --others corpus-00.jsonl --output audit-gate --language python"

# STATUS | what is said, an extended regular expression | the command line
cat >table <<'TABLE'
0|usage: leakgraph COMMAND|help
0|^fail_on:|help config
0|usage: leakgraph run|help run
2|`nonsense` is no leakgraph command|help nonsense
2|help takes one|help run more
2|`nonsense` is no leakgraph command|nonsense
2|usage: leakgraph COMMAND|
0|^leakgraph [0-9]|version
2|takes --json or no argument|version now
0|"graph_db": [0-9]|version --json
0|^  bands .*|help config dedup.bands
2|did you mean `near_duplicates`|help config near_duplicate
0|^\.SH NAME|help --man leakgraph-run.1
2|did you mean `leakgraph-run.1`|help --man leakgraph-rum.1
0|^complete -F|help --completion bash
2|no completion for the shell|help --completion tcsh
2|help does not know `--nonsense`|help --nonsense
0|digest|run run.yaml
1|file: is not a folder|run run.yaml --output file
1|file: is not a folder|run run.yaml --output file/below
1|Is a directory|run empty
2|none of its 20 records|run run.yaml --output unread --set datasets.bench.files=[body.jsonl]
2|`leakgraph help config` .*leakgraph overlap --benchmark|run
2|nowhere\.yaml: there is no such file|run nowhere.yaml
2|wrong\.yaml:2: not valid YAML|run wrong.yaml
2|run does not know `--nonsense`|run --nonsense
2|unknown key `vew` in near_duplicates; did you mean `view`|run run.yaml --set near_duplicates.vew=lines
2|no file matches|run run.yaml --set datasets.bench.files=[nowhere]
2|another configuration|run run.yaml --set near_duplicates.view=lines
3|gate fail_on\.leakage failed|run run.yaml --set fail_on.leakage=0
3|is inconclusive|run run.yaml --output short --set near_duplicates.min_tokens=9999 --set fail_on.leakage=100
0|digest|overlap $two --output overlap
1|is not a folder|overlap --benchmark b=bench.jsonl --output file
2|needs --benchmark|overlap
2|takes NAME=GLOB|overlap --benchmark bench.jsonl
3|gate fail_on\.leakage failed|overlap $two --output o --set fail_on.leakage=0%
0|digest|dedup a=bench.jsonl b=bench.jsonl --output dedup
1|is not a folder|dedup bench.jsonl --output file
2|needs a corpus|dedup
2|did you mean `longest`|dedup bench.jsonl --keep long --output wrong
2|is no store|dedup --add x=bench.jsonl --store empty
3|gate fail_on\.duplicates failed|dedup a=bench.jsonl b=bench.jsonl --output twice --set fail_on.duplicates=0
0|documents|plan run.yaml
1|Is a directory|plan empty
2|there is no such file|plan
2|from 1 to|plan run.yaml --ranks 0
2|`101%`|plan run.yaml --sample 101%
2|name the same file|train-ngram --corpus c=corpus-00.jsonl --output again/mine.lm --arpa again/mine.lm
2|corpus-00\.jsonl|train-ngram --corpus c=corpus-00.jsonl --output again/mine.lm --arpa corpus-00.jsonl
0|mine.lm|train-ngram --corpus c=corpus-00.jsonl --output again/mine.lm --order 2
1|file|train-ngram --corpus c=corpus-00.jsonl --output file/mine.lm
2|does not know `--nonsense`|train-ngram --nonsense
2|needs --output|train-ngram --corpus c=corpus-00.jsonl
2|no file matches|train-ngram --corpus c=nowhere.jsonl --output no.lm
0|probe|probe --model m=ngram:mine.lm --benchmark b=bench.jsonl --output probe
1|cut\.lm|probe --model m=ngram:cut.lm --benchmark b=bench.jsonl --output probe-cut
2|needs --model|probe
2|file that is not there|probe --model m=ngram:nowhere.lm --benchmark b=bench.jsonl --output probe-none
3|fail_on\.leakage failed|probe --model m=ngram:mine.lm $two --set fail_on.leakage=0
0|truth|membership probe
1|nowhere|membership nowhere
1|not a database|membership broken
2|one folder|membership
0|leaked|compare run --benchmark bench scores.jsonl
1|nowhere|compare nowhere --benchmark bench scores.jsonl
1|not a database|compare broken --benchmark bench scores.jsonl
2|no benchmark `nosuch`|compare run --benchmark nosuch scores.jsonl
2|files of scores are needed|compare run --benchmark bench
0|Nothing changed|diff run run/graph.db
1|nowhere|diff nowhere run
1|not finished|diff run unfinished
1|not a database|diff broken run
2|two folders|diff run
2|unknown option --nonsense|diff run run --nonsense
2|takes new-leaks=N|diff run run --fail-on 3
3|newly leaked|diff unleaked run --fail-on new-leaks=0
0|least squares|regress 'nll ~ tokens' --run probe
1|nowhere\.csv|regress 'y ~ x' --data nowhere.csv
1|not a database|regress 'nll ~ tokens' --run broken
2|formula, character 4|regress 'y ~' --run probe
2|a formula is needed|regress
0|"id": "b0"|extract --unit file bench.jsonl
1|binary|extract mine.lm
2|which files|extract
2|--unit file writes every file|extract --unit file --dedupe bench.jsonl
2|--unit file tells no functions|extract --unit file --functions exact bench.jsonl
2|no file matches|extract nowhere
0|inclusion|audit --help
0|^m-20|audit verdict audited --table untrained
1|cut\.lm|audit inclusion --model m=ngram:cut.lm --files corpus-00.jsonl --language python --output audit-cut
1|is not a folder|audit inclusion --model m=ngram:mine.lm --files bench.jsonl --language python --output file
2|which one|audit
3|fail_on\.inclusion|audit inclusion $model --set fail_on.inclusion=0 --set inclusion.test=repositories
2|file that is not there|audit inclusion --model m=ngram:nowhere.lm --files bench.jsonl --output audit-none
0|bench|show run 1
1|is no document|show run 999999999
1|nowhere|show nowhere 1
1|not finished|show unfinished 1
1|not a database|show broken 1
2|one or two documents|show run
2|unknown option --nonsense|show run 1 --nonsense
0|copy|query run bench.jsonl
1|nowhere|query nowhere bench.jsonl
1|not a database|query broken bench.jsonl
2|is needed|query
2|no file matches|query run nowhere.py
2|unknown option --nonsense|query run --nonsense
2|such as 80 or 80%|query run bench.jsonl --fail-on much
3|copy|query run bench.jsonl --fail-on 80%
2|asks about no text.*the FILEs|query run --info bench.jsonl
2|asks about no text.*--fail-on|query run --info --fail-on 10
2|stands alone|query run - bench.jsonl
0|report\.md|report run
1|nowhere|report nowhere
1|not finished|report unfinished
1|not a database|report broken
2|one folder|report
0|^pass.kind|export run pairs
0|"leaked": true|export run items --format jsonl
0|"version": "2\.1\.0"|export run items --format sarif
1|nowhere|export nowhere pairs
1|not finished|export unfinished pairs
1|not a database|export broken pairs
1|No such file|export run pairs --output nowhere/pairs.tsv
2|own graph.db|export run pairs --format tsv --output run/graph.db
2|no format ends in `.xml`|export run pairs --output pairs.xml
2|what of the run|export run
2|did you mean `items`|export run item
2|sarif cannot say clusters|export run clusters --format sarif
2|no benchmark `corpus`|export run items --benchmark corpus
2|is a file of its own|export run --format interduplication
2|unknown option --nonsense|export run pairs --nonsense
0|ok|fsck run
1|nowhere is no folder of a run|fsck nowhere
1|neither graph.db nor work/|fsck empty
0|run: ended with exit status|status run
0|died|status unfinished
1|neither graph.db nor work/|status empty
2|one folder|status
2|`clean` is no command of its own: it is a key of pipeline.yaml|clean
2|no command of its own|help clean
2|none of 20 records could be used.*--field text=body|train-ngram --corpus c=body.jsonl --output body.lm
2|its records have.*--field text=body|query run body.jsonl
1|FAIL|fsck broken
1|FAIL|fsck unfinished
2|one folder|fsck
TABLE
while IFS='|' read -r status said line; do
    eval "expect $status \"\$leakgraph\" $line"
    cat "$work/out" "$work/err" >"$work/both"
    says "$work/both" "$said"
    [ "$status" = 0 ] || [ "$status" = 3 ] || [ -s "$work/err" ] || [ "${line%% *}" = fsck ] || [ -z "$line" ] ||
        fail "status $status without a word on standard error: $line"
done <table

# Each command with each of its statuses: what only reads or explains has no gate, and nothing to fail at.
for command in $("$leakgraph" help | sed -n '/^usage/,/^`/s/^  \([a-z-]*\)  *[a-z].*/\1/p'); do
    case $command in
        help|version)              wanted='0 2' ;;
        run|overlap|dedup|probe|query|audit|diff) wanted='0 1 2 3' ;;
        *)                         wanted='0 1 2' ;;
    esac
    has=$(cut -d'|' -f1,3 table | awk -F'|' -v c="$command" '{ split($2, w, " "); if (w[1] == c) print $1 }' | sort -u |
          xargs)
    [ "$has" = "$wanted" ] || fail "the table has statuses $has of $command, not $wanted"
done
[ "$command" = help ] || fail "the list of commands was not found"

# What cannot be written is a failure, of every command that speaks.
if [ -w /dev/full ]; then
    for line in help version 'run --help' 'run run.yaml --quiet --threads 1' 'plan run.yaml' 'show run 1' 'report run' \
        'fsck run' 'query run bench.jsonl' 'diff run run'; do
        status=0
        "$leakgraph" $line >/dev/full 2>"$work/err" || status=$?
        case "$line" in *--quiet*) wanted=0 ;; *) wanted=1 ;; esac
        [ $status = $wanted ] || fail "$line to a full device: exit status $status: $(cat "$work/err")"
        [ $wanted = 0 ] || says "$work/err" 'standard output: .*No space left on device|standard output failed'
    done
fi
if [ "$(id -u)" != 0 ]; then
    mkdir locked
    chmod 500 locked
    expect 1 "$leakgraph" run run.yaml --output locked/run
    chmod 0 mine.lm
    expect 1 "$leakgraph" probe --model m=ngram:mine.lm --benchmark b=bench.jsonl --output locked-model
fi
