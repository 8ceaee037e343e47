#!/bin/bash
# The lexer's identifiers against those of other parsers (the TypeScript compiler, tree-sitter's grammars, clang's raw
# tokens, Ripper, PPI, R, shfmt, PostgreSQL's scanner), over sources of npm and Debian packages and of this machine: a
# table, by language, of how many files have the same.
#   scripts/lexer_oracles.sh [LANGUAGE...]     SAMPLE= files of each, 400 unless said; DETAIL= files shown that differ
# Packages of npm, with versions and hashes, are those of package.json, those of Debian stand in
# tests/oracle/debian_sources.sh; they are fetched once into node_modules/.oracles and .oracles-debian.  A language
# whose parser or sources are not here is skipped in words.
# Exit status 77, with the reason, where they cannot be had; 1 when a language is below its bar.
set -eu
cd "$(dirname "$0")/.."
export PYTHON=${PYTHON:-python3}
BUILD=${BUILD:-build} CC=${CC:-gcc}
kept=node_modules/.oracles

skip() { echo "lexer_oracles: $*; nothing is compared" >&2; exit 77; }

pins=$("$PYTHON" -c 'import json
for name, pin in json.load(open("package.json"))["oracles"].items():
    print(name + "@" + pin["version"], pin["integrity"])')
for program in node npm tar; do command -v $program >/dev/null || skip "no $program here"; done
if [ "$pins" != "$(cat $kept/pins 2>/dev/null)" ]; then
    mkdir -p node_modules
    made=$(mktemp -d node_modules/.oracles-XXXXXX)
    trap 'rm -rf "$made"' EXIT
    mkdir "$made/packed"
    while read -r package integrity; do
        npm pack --loglevel=error --fetch-retries=0 --pack-destination "$made/packed" "$package" >/dev/null \
            2>"$made/log" || skip "npm has no $package ($(grep -m 1 error "$made/log"))"
        tarball=$(ls "$made"/packed/*.tgz)
        "$PYTHON" -c 'import base64, hashlib, sys
digest = base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode()
sys.exit(digest != sys.argv[2].split("-", 1)[1])' "$tarball" "$integrity" ||
            { echo "lexer_oracles: $package is not the package of package.json" >&2; exit 1; }
        folder=$made/node_modules/${package%@*}
        mkdir -p "$folder"
        tar -xzf "$tarball" -C "$folder" --strip-components=1
        rm "$tarball"
    done <<<"$pins"
    echo '{}' >"$made/package.json"
    echo "$pins" >"$made/pins"
    rm -rf "$kept"
    mv "$made" "$kept"
fi

mkdir -p "$BUILD/tests"
# shellcheck disable=SC2046
$CC -std=c11 -D_GNU_SOURCE -O2 -fopenmp -Ipipeline -I. -o "$BUILD/tests/identifiers" tests/oracle/identifiers.c \
    "$BUILD/libleakgraph.a" $(make --no-print-directory -s BUILD="$BUILD" print-libs)
# The parsers' own packages are no sources: their grammars' tests are of other languages than their names say.
mapfile -t sources < <(find $kept/node_modules -maxdepth 2 -name package.json -printf '%h\n' -o -maxdepth 3 \
    -path '*/@*/package.json' -printf '%h\n' | grep -v -e tree-sitter -e /typescript -e pg-query -e pgsql | sort)
python_library=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
tests/oracle/debian_sources.sh node_modules/.oracles-debian || [ $? = 77 ]
node tests/oracle/compare.mjs $kept "$BUILD/tests/identifiers" "$@" -- "${sources[@]}" node_modules/.oracles-debian \
    /usr/include "$python_library" /usr/share/gocode /usr/share/cargo /usr/share/perl /usr/lib/ruby
