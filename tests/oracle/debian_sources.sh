#!/bin/bash
# Real sources of languages that npm has few of, from Debian's archive: unpacks packages into FOLDER, one folder each,
# and keeps the files of the language that the package is fetched for.
#   tests/oracle/debian_sources.sh FOLDER [PACKAGE...]      all of them unless said
#   tests/oracle/debian_sources.sh --labels FOLDER PACKAGE...   any source packages, all of their files, with their
#                                                           debian/copyright and without the folder of the archive
# (scripts/lexer_oracles.sh, scripts/function_oracles.sh, scripts/evaluate.sh, scripts/licence_oracles.sh)
# apt-get checks what it fetches against the archive's signed lists, which it keeps in FOLDER/.apt: neither root nor a
# changed apt configuration is needed.  A package that cannot be had is named and left out.
set -eu
labels=
[ "${1-}" != --labels ] || { labels=yes; shift; }
folder=$1
shift
only=" $* "
suite=bookworm
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# package, `source` or `binary`, extensions that are kept
packages="
jq                   source  c,h
redis                source  c,h
fmtlib               source  cc,h
leveldb              source  cc,h
golang-github-spf13-cobra-dev binary go
golang-google-grpc-dev binary go
php-twig             binary  php
phpunit              binary  php
postgis              source  sql
postgresql-15        source  sql
r-cran-shiny         source  R
r-cran-ggplot2       source  R
r-cran-mass          source  R
rcpp                 source  R
haskell-aeson        source  hs
haskell-cabal-install source hs
haskell-hakyll       source  hs
haskell-hledger      source  hs
haskell-lens         source  hs
agda                 source  hs
xmonad               source  hs
scala                source  scala
rails                source  rb
antlr4               source  java
commons-math3        source  java
guava-libraries      source  java
libapache-poi-java   source  java
libcommons-collections4-java source java
libcommons-io-java   source  java
libcommons-lang3-java source java
lucene4.10           source  java
lucene8              source  java
python-django        source  py
python3.11           source  py
libmojolicious-perl  source  pm,pl,t
debhelper            source  pm,pl,t
dracut               source  sh
git                  source  sh
awesome              binary  lua
lua-busted           binary  lua
lua-copas            binary  lua
lua-http             binary  lua
lua-ldoc             binary  lua
lua-lgi              binary  lua
lua-penlight         binary  lua
luakit               binary  lua
prosody              binary  lua
elpa-ess             binary  jl
gmsh-doc             binary  jl
librust-bat-dev      binary  jl
scite                binary  jl
texlive-publishers-doc binary jl
vim-julia            binary  jl
"

if [ -n "$labels" ]; then packages=$(printf '%s source *\n' "$@"); fi

for program in apt-get dpkg-deb; do
    command -v $program >/dev/null || { echo "debian_sources: no $program here" >&2; exit 77; }
done
[ -e $keyring ] || { echo "debian_sources: no $keyring here" >&2; exit 77; }

apt=$(realpath -m "$folder")/.apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$folder/.fetched"
for kind in deb deb-src; do echo "$kind [signed-by=$keyring] http://deb.debian.org/debian $suite main"; done \
    >"$apt/sources.list"
cat >"$apt/conf" <<END
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt";
APT::Sandbox::User "";
Acquire::Retries "0";
END
export APT_CONFIG=$apt/conf

fetch() { # PACKAGE KIND: into .fetched; of a source package only what is unpacked, by the hashes of the lists
    local uri name size hash
    rm -rf "$folder/.fetched"
    mkdir "$folder/.fetched"
    cd "$folder/.fetched"
    if [ "$2" = binary ]; then apt-get download -qq "$1"; return; fi
    apt-get source -qq --print-uris "$1" >.uris || return 1
    while read -r uri name size hash; do
        case $name in *.debian.tar.*) [ -n "$labels" ] || continue ;; *.asc | *.dsc) continue ;; esac
        /usr/lib/apt/apt-helper -qq download-file "$(tr -d "'" <<<"$uri")" "$name" "$hash" || return 1
    done <.uris
}

unpack() { # INTO: what was fetched; a source package's orig.tar is its source, its debian.tar is not
    local archive into
    mkdir -p "$1"
    for archive in "$folder"/.fetched/*; do
        case $archive in
            *.deb)                    dpkg-deb -x "$archive" "$1" ;;
            *.debian.tar.*)           [ -z "$labels" ] || tar -xf "$archive" -C "$1" debian/copyright ;;
            *.asc)                    ;;
            *.tar.*)                  into=$1
                                      case $archive in
                                          *.orig-*.tar.*) into=${archive##*.orig-} into=$1/${into%%.tar.*} ;;
                                      esac
                                      mkdir -p "$into"
                                      tar -xf "$archive" -C "$into" ${labels:+--strip-components=1} ;;
        esac
    done
}

updated=
while read -r package kind extensions; do
    [ -n "$package" ] && [ ! -e "$folder/$package" ] || continue
    case $only in "  " | *" $package "*) ;; *) continue ;; esac
    if [ -z "$updated" ]; then
        apt-get update -qq >"$apt/log" 2>&1 || { echo "debian_sources: $(grep -m 1 ^E "$apt/log")" >&2; exit 77; }
        updated=yes
    fi
    if ! (fetch "$package" "$kind") >"$apt/log" 2>&1; then
        echo "debian_sources: Debian has no $package for us ($(grep -m 1 ^E: "$apt/log" || true))" >&2
        continue
    fi
    made=$folder/.unpacked
    rm -rf "$made"
    unpack "$made"
    names=$(sed 's/[^,]*/-name *.&/g; s/,/ -o /g' <<<"$extensions")
    set -f
    # shellcheck disable=SC2086
    [ "$extensions" = '*' ] || find "$made" -type f ! \( $names \) -delete
    set +f
    find "$made" -type l -delete
    find "$made" -type d -empty -delete
    [ -e "$made" ] || { echo "debian_sources: $package has no file of $extensions" >&2; continue; }
    mv "$made" "$folder/$package"
done <<<"$packages"
rm -rf "$folder/.fetched" "$folder/.unpacked" "$apt"
