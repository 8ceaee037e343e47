# seconds: 120
# rest: makes a package and installs it
# make deb: the package is one that lintian takes, says what it depends on, and, unpacked or installed, runs; removed,
# it leaves nothing.
. "$(dirname "$0")/common.sh"
need make dpkg-deb dpkg-shlibdeps dpkg-gencontrol strip
[ "$BUILD" = "$root/build" ] || { echo "tried with the plain build alone"; exit 77; }

compress="-Zgzip -z1"       # xz takes longer than all that is tried here
built="BUILD=build -o build/leakgraph -o build/installed/leakgraph"
expect 0 env "DEB_COMPRESS=$compress" "DEB_FOLDER=$work" make --no-print-directory $built deb
version=$(sed -n 's/^VERSION := //p' Makefile)
package=$work/leakgraph_${version}_$(dpkg --print-architecture).deb
says "$work/out" "^$package\$"

says scripts/deb/changelog "^leakgraph \\($version\\) "
[ "$(dpkg-deb -f "$package" Version)" = "$version" ] || fail "the package is of another version"
dpkg-deb -f "$package" Depends >"$work/depends"
says "$work/depends" 'libsqlite3-0' 'libopenmpi|libmpich' 'libzstd1' 'libarchive13' 'libcurl4'
dpkg-deb -x "$package" "$work/unpacked"
dpkg-deb -e "$package" "$work/control"
(cd "$work/unpacked" && md5sum --quiet -c ../control/md5sums) || fail "md5sums are of other files"
[ "$(wc -l <"$work/control/md5sums")" = "$(find "$work/unpacked" -type f | wc -l)" ] || fail "md5sums lack files"
copyright=$work/unpacked/usr/share/doc/leakgraph/copyright
says "$copyright" '^License: Apache-2.0$' 'common-licenses/Apache-2.0'
"$leakgraph" version --json >"$work/parts"
! grep -q '"llama": true' "$work/parts" || [ ! -d "$work/unpacked/usr/lib/leakgraph" ] ||
    says "$copyright" '^License: MIT-llama$' '^Copyright: .*ggml authors$'
! grep -q '"tree_sitter": true' "$work/parts" || says "$copyright" '^License: MIT-tree-sitter-java$'

runs() {    # runs FOLDER: the program below it works, and its pages and completion are there
    expect 0 "$1/bin/leakgraph" version
    says "$work/out" "^leakgraph $version " 'libcurl [1-9]'
    expect 0 "$1/bin/leakgraph" run "$work/sets/run.yaml" --output "$work/sets/$(basename "$1")" --quiet
    expect 0 "$1/bin/leakgraph" fsck "$work/sets/$(basename "$1")"
    gzip -dc "$1/share/man/man1/leakgraph-run.1.gz" >"$work/page"
    says "$work/page" '^\.SH NAME$'
    [ -s "$1/share/bash-completion/completions/leakgraph" ] || fail "no completion in $1"
    ! ldd "$1/bin/leakgraph" | grep -F -e "not found" -e "$root" || fail "a library is not in the package"
}
two_sets "$work/sets" --bench 20 --corpus 50 --shards 1
runs "$work/unpacked/usr"

if [ -n "$LONG" ] && command -v lintian >/dev/null; then
    lintian --fail-on error,warning --allow-root "$package" >"$work/lintian" 2>&1 ||
        fail "lintian: $(cat "$work/lintian")"
fi

# Twice the same, byte for byte.
if [ -n "$LONG" ]; then
    mkdir "$work/again"
    expect 0 env "DEB_COMPRESS=$compress" "DEB_FOLDER=$work/again" make --no-print-directory $built deb
    cmp "$package" "$work/again/$(basename "$package")" || fail "packing twice is not the same"
fi

# Into this machine and out again, where that may be done and disturbs nobody's; else into a folder by dpkg.
if [ "$(id -u)" != 0 ]; then
    echo "not root: the package was unpacked and run, not installed"
    exit 77
fi
if dpkg -s leakgraph >/dev/null 2>&1 || command -v leakgraph >/dev/null; then
    echo "a leakgraph is installed here: the package was unpacked and run, not installed"
    exit 77
fi
trap 'dpkg --purge leakgraph >/dev/null 2>&1; rm -rf "$work"' EXIT
status=0
dpkg -i "$package" >"$work/out" 2>&1 || status=$?
if [ $status != 0 ] && grep -q 'dependency problems\|lock' "$work/out"; then
    echo "dpkg cannot install here now: $(grep -m 1 'depend\|lock' "$work/out")"
    exit 77
fi
[ $status = 0 ] || fail "dpkg -i: $(cat "$work/out")"
runs /usr
! man -w man >/dev/null 2>&1 || man -w leakgraph-run >/dev/null || fail "man finds no page"
dpkg -L leakgraph | while read -r path; do [ ! -f "$path" ] || echo "$path"; done >"$work/files"
expect 0 dpkg --purge leakgraph
while read -r path; do [ ! -e "$path" ] || fail "$path stays"; done <"$work/files"
