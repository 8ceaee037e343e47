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

scripts/npm_packages.sh oracles $kept || { [ $? = 77 ] && skip "the parsers are not here"; exit 1; }

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
