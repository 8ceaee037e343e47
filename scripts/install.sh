#!/bin/bash
# Installs the program below a folder, or takes away what it has installed there: what make install and uninstall do.
#   scripts/install.sh PROGRAM FOLDER [PART...]   bin/leakgraph, manual pages, completion for bash, zsh and fish,
#                                                 documents; of parts in node_modules that the program was built with
#                                                 PART/lib/*.so into lib/leakgraph, and their licences
#   scripts/install.sh --remove FOLDER
# FOLDER/share/leakgraph/installed lists the files, so that another version takes away what it does not have.
set -eu
cd "$(dirname "$0")/.."
umask 022

remove() {
    local list=$1/share/leakgraph/installed file
    [ -e "$list" ] || return 1
    while read -r file; do rm -f "$1/$file"; done <"$list"
    rm -f "$list"
    # folders that are the program's own, the deepest first
    for file in share/leakgraph share/doc/leakgraph lib/leakgraph; do
        if [ -d "$1/$file" ]; then find "$1/$file" -depth -type d -empty -delete; fi
    done
}

if [ "${1-}" = --remove ] && [ $# = 2 ]; then
    remove "$2" || { echo "install: nothing of leakgraph is installed in $2" >&2; exit 1; }
    exit
fi
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
program=$1 folder=$2
shift 2
# the pages' date: that of the sources
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || true)}

put() {     # put MODE SOURCE TARGET: TARGET is below the folder
    install -D -m "$1" "$2" "$folder/$3"
    echo "$3" >>"$installed"
}

made() {    # made TARGET COMMAND...: what the command prints
    local target=$1
    shift
    "$@" >"$output"
    put 644 "$output" "$target"
}

remove "$folder" || true
installed=$(mktemp) output=$(mktemp)
trap 'rm -f "$installed" "$output"' EXIT

put 755 "$program" bin/leakgraph
for part; do
    for library in "$part"/lib/*.so; do
        # a link is for linkers
        if [ ! -f "$library" ] || [ -L "$library" ]; then continue; fi
        # $ORIGIN and, by an empty place behind it, the current folder: only the first is meant
        LC_ALL=C sed 's/\$ORIGIN:\x00/$ORIGIN\x00\x00/' "$library" >"$output"
        put 644 "$output" "lib/leakgraph/$(basename "$library")"
    done
    for licence in "$part"/LICENSE "$part"/licenses/*; do
        name=$(basename "$part")
        if [ "$licence" != "$part/LICENSE" ]; then name=$(basename "$licence"); fi
        if [ -f "$licence" ]; then put 644 "$licence" "share/doc/leakgraph/licences/${name#.}"; fi
    done
done

leakgraph=$folder/bin/leakgraph
for page in $("$leakgraph" help --man); do
    made "share/man/man${page##*.}/$page" "$leakgraph" help --man "$page"
done
if [ -e scripts/nightly.sh ]; then
    nightly_page() { scripts/nightly.sh --help | sed 's/nightly\.sh/leakgraph-nightly/' | "$leakgraph" help --man -; }
    put 755 scripts/nightly.sh bin/leakgraph-nightly
    made share/man/man1/leakgraph-nightly.1 nightly_page
fi
made share/bash-completion/completions/leakgraph "$leakgraph" help --completion bash
made share/zsh/site-functions/_leakgraph "$leakgraph" help --completion zsh
made share/fish/vendor_completions.d/leakgraph.fish "$leakgraph" help --completion fish

for document in README.md CHANGELOG.md LICENSE docs/*.md $(find docs/examples -type f); do
    put 644 "$document" "share/doc/leakgraph/$document"
done
# rules for `audit licence --rules`; what else the program knows of licences is in it
put 644 data/licence_rules.json share/leakgraph/licence_rules.json

install -D -m 644 "$installed" "$folder/share/leakgraph/installed"
echo "installed in $folder: $(wc -l <"$installed") files"
