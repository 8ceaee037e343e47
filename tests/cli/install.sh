# rest: installs everything, twice
# make install and make uninstall: what is installed runs without the checkout, with manual pages and completion, twice
# the same, and nothing of it stays.
. "$(dirname "$0")/common.sh"
need make readelf
[ "$BUILD" = "$root/build" ] || { echo "tried with the plain build alone"; exit 77; }

# What is built is taken as it is, also while other tests use it.
built="BUILD=build -o build/leakgraph -o build/installed/leakgraph"
install() { expect 0 make --no-print-directory $built "$@" PREFIX=/opt/lg "DESTDIR=$work/to here"; }

install install
to="$work/to here/opt/lg"
says "$work/out" '^installed in .*/to here/opt/lg: [0-9]+ files$'
[ -x "$to/bin/leakgraph" ] || fail "the program is not there"
if [ -e scripts/nightly.sh ]; then
    [ -x "$to/bin/leakgraph-nightly" ] || fail "the nightly job is not there"
    says "$to/share/man/man1/leakgraph-nightly.1" '^leakgraph\\-nightly \\- ' '^\.SH OPTIONS$'
fi
for file in bin/leakgraph lib/leakgraph/*.so; do
    if [ ! -e "$to/$file" ]; then continue; fi
    path=$(readelf -d "$to/$file" | sed -n 's/.*R.*PATH.*\[\(.*\)\]/\1/p')
    case $path in "" | '$ORIGIN' | '$ORIGIN/../lib/leakgraph') ;; *) fail "$file looks for libraries in $path" ;; esac
done

# Where it can be, the checkout is hidden from the program; it runs in a folder of its own either way.
two_sets "$work/sets" --bench 20 --corpus 50 --shards 1
expect 0 "$leakgraph" run "$work/sets/run.yaml" --output "$work/sets/built" --quiet
hidden=
if unshare -m mount -t tmpfs none "$root" 2>/dev/null; then hidden=yes; fi
away() {    # away COMMAND...: run in the data's folder with an empty environment
    local clean=(env -i PATH=/usr/bin:/bin "HOME=$work")
    if [ "$(id -u)" = 0 ]; then clean+=(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1); fi
    cd "$work/sets"
    if [ -n "$hidden" ]; then
        expect 0 unshare -m sh -c 'mount -t tmpfs none "$1" && shift && exec "$@"' sh "$root" "${clean[@]}" "$@"
    else
        expect 0 "${clean[@]}" "$@"
    fi
    cd "$root"
}
away "$to/bin/leakgraph" version --json
cp "$work/out" "$work/version"
"$leakgraph" version --json | cmp - "$work/version" || fail "what is installed is another version"
away ldd "$to/bin/leakgraph"
! grep -F -e "not found" -e "$root" "$work/out" || fail "a library is not installed"
away "$to/bin/leakgraph" run run.yaml --quiet
same "$work/sets/built" "$work/sets/run"
away "$to/bin/leakgraph" fsck run
away "$to/bin/leakgraph" report run
away "$to/bin/leakgraph" show run 1
[ ! -e "$to/lib/leakgraph" ] || ls "$to"/lib/leakgraph/libggml-cpu-*.so >/dev/null || fail "llama.cpp has no backend"

# Manual pages where man looks for them, and completion as the program prints it.
while read -r page; do
    [ -s "$to/share/man/man${page##*.}/$page" ] || fail "no $page"
    ! command -v man >/dev/null || MANPATH="$to/share/man" man -w "${page##*.}" "${page%.*}" >/dev/null 2>&1 ||
        fail "man does not find $page"
done < <("$leakgraph" help --man)
"$leakgraph" help --completion bash | cmp - "$to/share/bash-completion/completions/leakgraph" || fail "bash"
"$leakgraph" help --completion zsh | cmp - "$to/share/zsh/site-functions/_leakgraph" || fail "zsh"
"$leakgraph" help --completion fish | cmp - "$to/share/fish/vendor_completions.d/leakgraph.fish" || fail "fish"
cmp LICENSE "$to/share/doc/leakgraph/LICENSE" || fail "the licence is not there"

# Again: the same files, byte for byte.  A file of an older version goes.
cp -r "$to" "$work/first"
echo bin/leakgraph-old >>"$to/share/leakgraph/installed"
touch "$to/bin/leakgraph-old"
install install
diff -r "$work/first" "$to" || fail "installing twice is not the same"

# Everything goes but what others put there.
touch "$to/share/doc/leakgraph/mine" "$to/bin/mine"
install uninstall
[ "$(cd "$to" && find . -type f | sort)" = $'./bin/mine\n./share/doc/leakgraph/mine' ] || fail "$(find "$to" -type f)"
expect 2 make --no-print-directory $built uninstall PREFIX=/opt/lg "DESTDIR=$work/to here"
says "$work/err" 'nothing of leakgraph is installed in .*/to here/opt/lg'
