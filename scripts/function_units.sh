#!/bin/bash
# What of public benchmarks is in whole source packages, by the unit that is compared: files, functions inside them,
# both, and functions that `leakgraph extract` has cut out beforehand, told
# by tokens and, where that is built in, by a parser.  Into results/functions/README.md.
#   scripts/function_units.sh     BENCHMARKS= folder with java/*.jsonl.zst and python/*.jsonl.zst (../shared/data)
# The packages are Debian's (tests/oracle/debian_sources.sh); one that cannot be had is named and left out.
# Exit status 77, with the reason, where there are no benchmarks or no sources.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build} PYTHON=${PYTHON:-python3}
benchmarks=$(realpath -m "${BENCHMARKS:-../shared/data}")
sources=$PWD/node_modules/.oracles-debian results=results/functions
java="antlr4 commons-math3 guava-libraries libapache-poi-java libcommons-collections4-java libcommons-io-java
      libcommons-lang3-java lucene4.10 lucene8"
python="python-django python3.11"

[ -d "$benchmarks/java" ] || {
    echo "function_units: no benchmarks in $benchmarks; BENCHMARKS= says where they are" >&2
    exit 77
}
mkdir -p "$sources" $results
# shellcheck disable=SC2086
tests/oracle/debian_sources.sh "$sources" $java $python || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# configuration LANGUAGE CORPUS UNIT: on standard output; texts are compared, not the tokens that some records have.
configuration() {
    local set
    echo "datasets:"
    for set in codetrans csn-cloze concode quixbugs benchmarks; do
        compgen -G "$benchmarks/$1/$set*.jsonl.zst" >/dev/null || continue
        echo "  - {name: $set, role: benchmark, language: $1, files: \"$benchmarks/$1/$set*.jsonl.zst\"," \
             "fields: {tokens: nothing}}"
    done
    echo "  - {name: debian, role: corpus, unit: $3, files: [$2]}"
    echo "near_duplicates: {}"
}

cut() {     # LANGUAGE NAME: the functions in LANGUAGE.jsonl as documents
    configuration "$1" "$work/$1.jsonl" file >"$work/$1-$2.yaml"
    "$BUILD/leakgraph" run "$work/$1-$2.yaml" --quiet --output "$work/$1-$2" >/dev/null 2>&1
}

for language in java python; do
    folders=
    for package in ${!language}; do
        [ ! -e "$sources/$package" ] || folders="$folders${folders:+, }$sources/$package"
    done
    [ -n "$folders" ] || continue
    for unit in file function auto; do
        configuration $language "$folders" $unit >"$work/$language-$unit.yaml"
        "$BUILD/leakgraph" run "$work/$language-$unit.yaml" --quiet --output "$work/$language-$unit" >/dev/null 2>&1
    done
    # shellcheck disable=SC2086
    "$BUILD/leakgraph" extract --quiet ${folders//, / } >"$work/$language.jsonl"
    cut $language cut
    # shellcheck disable=SC2086
    if "$BUILD/leakgraph" extract --functions exact --quiet ${folders//, / } >"$work/$language.jsonl"; then
        cut $language exact
    fi
done
"$PYTHON" scripts/function_units.py "$work" >$results/README.md.new
mv $results/README.md.new $results/README.md
echo "$results/README.md"
