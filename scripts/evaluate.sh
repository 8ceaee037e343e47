#!/bin/bash
# `make evaluate`: what each rule of the program finds of functions planted into files of a real corpus, under a ladder
# of changes, and what it finds where there is nothing: results/evaluate/README.md and a JSON file a language.
#   scripts/evaluate.sh [LANGUAGE...]     python java; ITEMS= planted functions of each, 200 unless said
# Sources are Debian's (tests/oracle/debian_sources.sh), fetched once: functions of Django are planted into Python's own
# library, those of Guava into Commons Lang, IO and Collections.  A language whose sources are not here is skipped in
# words.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} PYTHON=${PYTHON:-python3}
sources=node_modules/.oracles-debian results=results/evaluate
python="python-django : python3.11"
java="guava-libraries : libcommons-lang3-java libcommons-io-java libcommons-collections4-java"

mkdir -p "$sources" "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
made=
for language in ${*:-python java}; do
    case $language in python | java) ;; *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
    # shellcheck disable=SC2086
    tests/oracle/debian_sources.sh $sources ${!language/:/} || [ $? = 77 ]
    side=donors donors='' hosts=''
    for package in ${!language}; do
        if [ "$package" = : ]; then side=hosts
        elif [ -e "$sources/$package" ]; then printf -v $side '%s %s' "${!side}" "$sources/$package"
        else echo "evaluate: no sources of $package" >&2
        fi
    done
    if [ -z "$donors" ] || [ -z "$hosts" ]; then
        echo "evaluate: $language is skipped: its sources are not here" >&2
        continue
    fi
    # shellcheck disable=SC2086
    "$PYTHON" scripts/evaluate/run.py --program "$BUILD/leakgraph" --work "$work" --language "$language" \
        --items "${ITEMS:-200}" --donors $donors --hosts $hosts --json "$results/$language.json"
    made="$made $results/$language.json"
done
[ -n "$made" ] || exit 77
# shellcheck disable=SC2086
"$PYTHON" scripts/evaluate/table.py $made >"$results/README.md.new"
mv "$results/README.md.new" "$results/README.md"
echo "$results/README.md"
