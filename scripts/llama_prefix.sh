#!/bin/bash
# Makes node_modules/.llama/{include,lib}: llama.cpp's library for the model backend `llama`, as two npm packages have
# it (their versions and hashes are in package.json): the library built for x86-64 Linux, and a git bundle of the
# sources, of which only the headers are taken.
#   scripts/llama_prefix.sh     exit status 77, with the reason, where it cannot be had: everything else works
#                               without it
set -eu
cd "$(dirname "$0")/.."
prefix=node_modules/.llama
export PYTHON=${PYTHON:-python3}

skip() { echo "llama: $*; the backend is left out" >&2; exit 77; }

pins=$("$PYTHON" -c 'import json
for name, pin in json.load(open("package.json"))["llama"].items():
    print(name + "@" + pin["version"], pin["integrity"])')
[ "$pins" != "$(cat $prefix/pins 2>/dev/null)" ] || exit 0
[ "$(uname -sm)" = "Linux x86_64" ] || skip "the package is for x86-64 Linux"
for program in npm git tar; do command -v $program >/dev/null || skip "no $program here"; done

mkdir -p node_modules
made=$(mktemp -d node_modules/.llama-XXXXXX)
trap 'rm -rf "$made"' EXIT
mkdir "$made/packed" "$made/prefix" "$made/prefix/include" "$made/prefix/lib"
while read -r package integrity; do
    npm pack --loglevel=error --fetch-retries=0 --pack-destination "$made/packed" "$package" >/dev/null 2>"$made/log" ||
        skip "npm has no $package ($(grep -m 1 error "$made/log"))"
    tarball=$(ls "$made"/packed/*.tgz)
    "$PYTHON" -c 'import base64, hashlib, sys
digest = base64.b64encode(hashlib.sha512(open(sys.argv[1], "rb").read()).digest()).decode()
sys.exit(digest != sys.argv[2].split("-", 1)[1])' "$tarball" "$integrity" ||
    { echo "llama: $package is not the package of package.json" >&2; exit 1; }
    tar -xzf "$tarball" -C "$made" --wildcards 'package/bins/linux-x64/lib*.so' 2>/dev/null ||
        tar -xzf "$tarball" -C "$made" package/llama/gitRelease.bundle
    rm "$tarball"
done <<<"$pins"

# The library's own names have the version in them; the linker looks for libllama.so.
cp "$made"/package/bins/linux-x64/lib{llama.v,ggml}*.so "$made/prefix/lib/"
for name in llama ggml; do
    library=$(basename "$(ls "$made"/prefix/lib/lib$name.v*.so)")
    ln -s "$library" "$made/prefix/lib/lib$name.so"
done
git clone -q --bare "$made/package/llama/gitRelease.bundle" "$made/source" 2>"$made/log" ||
    skip "the bundle of sources cannot be read ($(tail -n 1 "$made/log"))"
git -C "$made/source" archive HEAD include ggml/include | tar -x -C "$made"
cp "$made"/include/llama.h "$made"/ggml/include/*.h "$made/prefix/include/"
git -C "$made/source" show HEAD:LICENSE >"$made/prefix/LICENSE"
echo "$pins" >"$made/prefix/pins"
rm -rf "$prefix"
mv "$made/prefix" "$prefix"
