#!/bin/bash
# Makes node_modules/.tree/{include,lib/libtree.a}: tree-sitter and the grammars of the 14 languages whose functions
# `exact` finds, built from the C sources in their npm packages (all under the MIT licence; versions and hashes are in
# package.json).  The Makefile takes it when it is there.
#   scripts/tree_library.sh     CC= another compiler than cc
# Exit status 77, with the reason, where it cannot be had: everything else works without it.
set -eu
cd "$(dirname "$0")/.."
export PYTHON=${PYTHON:-python3} CC=${CC:-cc}
prefix=node_modules/.tree
sources=node_modules/.tree-sources

skip() { echo "tree: $*; functions: exact is left out" >&2; exit 77; }

command -v "$PYTHON" >/dev/null || skip "no $PYTHON here"
pins=$("$PYTHON" -c 'import json
for name, pin in json.load(open("package.json"))["trees"].items(): print(name + "@" + pin["version"])')
[ "$pins" != "$(cat $prefix/pins 2>/dev/null)" ] || exit 0
command -v ${CC%% *} >/dev/null || skip "no ${CC%% *} here"
scripts/npm_packages.sh trees $sources || { [ $? = 77 ] && skip "the sources are not here"; exit 1; }

made=$(mktemp -d node_modules/.tree-XXXXXX)
trap 'rm -rf "$made"' EXIT
mkdir "$made/objects" "$made/prefix" "$made/prefix/include" "$made/prefix/lib" "$made/prefix/licenses"
core=$sources/node_modules/tree-sitter/vendor/tree-sitter
cp -r $core/lib/include/tree_sitter "$made/prefix/include/"

# A grammar is a folder src with parser.c and perhaps scanner.c; the largest come first, for all cores to end at once.
{
    echo "$core/lib/src/lib.c -I$core/lib/include -I$core/lib/src"
    find $sources/node_modules -path '*/src/parser.c' ! -path '*/vendor/*' -printf '%s %p\n' | sort -rn |
    cut -d' ' -f2 | while read -r parser; do
        folder=$(dirname "$parser")
        echo "$parser -I$folder"
        [ ! -f "$folder/scanner.c" ] || echo "$folder/scanner.c -I$folder"
    done
} | awk -v objects="$made/objects" '{ printf "-o %s/%d.o %s\n", objects, NR, $0 }' |
    xargs -P "$(nproc)" -L 1 $CC -std=c11 -D_GNU_SOURCE -O2 -fPIC -DNDEBUG -w -c
ar rcs "$made/prefix/lib/libtree.a" "$made"/objects/*.o

for license in $(find $sources/node_modules -maxdepth 3 -name LICENSE); do
    name=${license#"$sources"/node_modules/}
    name=${name%/LICENSE}
    cp "$license" "$made/prefix/licenses/${name//\//-}"
done
echo "$pins" >"$made/prefix/pins"
rm -rf "$prefix" "$sources"
mv "$made/prefix" "$prefix"
