#!/bin/bash
# Says which lines of code, scripts and settings are longer than 120 characters; exit 1 when there is one.  What tests
# compare with or feed in, and what is written by a run, is as it is.
set -eu
cd "$(dirname "$0")/.."

# A UTF-8 locale, so that characters are counted.  Outside a repository (a release, say) there is no list of files.
export LC_ALL=C.UTF-8
git rev-parse --git-dir >/dev/null 2>&1 || { echo "line_length: no git repository here, nothing is checked"; exit 0; }

mapfile -t files < <(git ls-files '*.c' '*.h' '*.sh' '*.py' '*.sql' '*.mjs' '*.yaml' Makefile tests/run .ci/run \
    ':!tests/golden' ':!tests/fuzz/corpus' ':!results')
for file in "${files[@]}"; do [ ! -f "$file" ] || present+=("$file"); done
long=$(grep -HnE '^.{121,}' "${present[@]}" | cut -d : -f 1,2 || true)
if [ -n "$long" ]; then
    printf '%s: more than 120 characters\n' $long
    exit 1
fi
echo "line_length: ${#present[@]} files keep to 120 characters"
