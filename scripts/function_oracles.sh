#!/bin/bash
# The functions that `leakgraph extract` finds against those of tree-sitter's grammars, over sources of npm and Debian
# packages and of this machine: a table, by language, of how many have the same name, first line and last line.
#   scripts/function_oracles.sh [LANGUAGE...]  SAMPLE= files of each, 400 unless said; DETAIL= differences shown
#   SPEED=1 scripts/function_oracles.sh >results/functions/speed.md     how fast both extractors are
#       the second half of that file is scripts/function_pass.py's, which is appended to it
# Packages are those of scripts/lexer_oracles.sh, fetched once into node_modules.  A language whose sources are not here
# is skipped in words.
# Exit status 77, with the reason, where the parsers cannot be had; 1 when a language is below 95 %.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
kept=node_modules/.oracles

scripts/npm_packages.sh oracles $kept || exit
mapfile -t sources < <(find $kept/node_modules -maxdepth 2 -name package.json -printf '%h\n' -o -maxdepth 3 \
    -path '*/@*/package.json' -printf '%h\n' | grep -v -e tree-sitter -e /typescript -e pg-query -e pgsql | sort)
tests/oracle/debian_sources.sh node_modules/.oracles-debian || [ $? = 77 ]
node tests/oracle/functions.mjs $kept "$BUILD/leakgraph" "$@" -- "${sources[@]}" node_modules/.oracles-debian \
    /usr/share/gocode /usr/share/cargo /usr/lib/ruby
