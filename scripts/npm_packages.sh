#!/bin/bash
# Packages of npm as package.json pins them (versions and hashes): unpacks those of one of its keys into
# FOLDER/node_modules, once.
#   scripts/npm_packages.sh KEY FOLDER     (scripts/lexer_oracles.sh, function_oracles.sh, tree_library.sh)
# Exit status 77, with the reason, where they cannot be had.
set -eu
export PYTHON=${PYTHON:-python3}
key=$1 kept=$2

skip() { echo "npm_packages: $*" >&2; exit 77; }

command -v "$PYTHON" >/dev/null || skip "no python3 here"
pins=$("$PYTHON" -c 'import json, sys
for name, pin in json.load(open("package.json"))[sys.argv[1]].items():
    print(name + "@" + pin["version"], pin["integrity"])' "$key")
for program in npm tar; do command -v $program >/dev/null || skip "no $program here"; done
if [ "$pins" != "$(cat $kept/pins 2>/dev/null)" ]; then
    mkdir -p node_modules
    made=$(mktemp -d "node_modules/.$key-XXXXXX")
    trap 'rm -rf "$made"' EXIT
    mkdir "$made/packed"
    while read -r package integrity; do
        npm pack --loglevel=error --fetch-retries=0 --pack-destination "$made/packed" "$package" >/dev/null \
            2>"$made/log" || skip "npm has no $package ($(grep -m 1 error "$made/log"))"
        tarball=$(ls "$made"/packed/*.tgz)
        "$PYTHON" -c 'import base64, hashlib, sys
digest = base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode()
sys.exit(digest != sys.argv[2].split("-", 1)[1])' "$tarball" "$integrity" ||
            { echo "npm_packages: $package is not the package of package.json" >&2; exit 1; }
        folder=$made/node_modules/${package%@*}
        mkdir -p "$folder"
        tar -xzf "$tarball" -C "$folder" --strip-components=1 --exclude="*/prebuilds"
        rm "$tarball"
    done <<<"$pins"
    echo '{}' >"$made/package.json"
    echo "$pins" >"$made/pins"
    rm -rf "$kept"
    mv "$made" "$kept"
fi
