#!/bin/bash
# Installs the Debian packages that leakgraph needs and that are missing; touches the network only then.
#   scripts/setup.sh            install what is missing (as root, or through sudo)
#   scripts/setup.sh --check    only say what is missing; exit 1 when something is
#   scripts/setup.sh --full     also what make check-full needs
set -eu

# To build and run; to test (cmocka, curl), to make the sample and the test inputs (python3, zstd, xz, bzip2, zip,
# source text), to play several hosts (iproute2), for pages and completion (man-db, zsh, fish), for the
# Debian package (dpkg-dev, binutils), to open reports (chromium).
packages="gcc make pkg-config libc6-dev libzstd-dev libxxhash-dev libarchive-dev libisal-dev zlib1g-dev
          libopenmpi-dev openmpi-bin libyaml-dev libsqlite3-dev libcjson-dev liblz4-dev liblzma-dev
          libbz2-dev libbrotli-dev libcurl4-openssl-dev"
testing="libcmocka-dev python3 libpython3-stdlib linux-libc-dev zstd xz-utils bzip2 zip git iproute2 irstlm curl
         man-db zsh fish dpkg-dev binutils python3-jsonschema chromium"
# what only some of it needs: without it everything else is built
optional="libsvm-dev"
# for scripts/lexer_oracles.sh: parsers of Perl, R, Ruby and the shell, source text of Go and Rust; for
# scripts/learn_oracles.sh: scikit-learn and libsvm's tools; for scripts/stats_oracles.sh: SciPy and statsmodels; for
# scripts/regress_oracles.sh: lme4; for exports, what reads them: pandas, networkx, xmllint; what a package and its
# pages are held against: lintian, mandoc
full="clang libomp-dev libppi-perl r-base-core ruby shfmt golang-github-spf13-cobra-dev librust-serde-json-dev
      python3-sklearn libsvm-tools python3-scipy python3-statsmodels r-cran-lme4 python3-pandas
      python3-networkx libxml2-utils lintian mandoc"

# npm gets the library of the backend `llama`, tree-sitter, and what opens reports; where it is from elsewhere it stays
command -v npm >/dev/null || testing="$testing nodejs npm"

case ${1-} in
    --check) wanted=$packages ;;
    --full)  wanted="$packages $optional $testing $full" ;;
    "")      wanted="$packages $optional $testing" ;;
    *)       sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

# A machine without dpkg has its own names for packages: there the compiler decides.
if ! command -v dpkg-query >/dev/null; then
    [ "${1-}" = --check ] && exit 0
    echo "setup: no dpkg here; install with this system's own tools what Debian calls:" $wanted >&2
    exit 1
fi

missing=
installed=" $(dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Provides}\n' 2>/dev/null |
              awk '$1 == "ii" { for (i = 2; i <= NF; i++) printf "%s ", $i }' | tr -d ',') "
for package in $wanted; do
    case $installed in *" $package "*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

if [ "${1-}" = --check ]; then
    echo "missing Debian packages:$missing" >&2
    echo "get them with: scripts/setup.sh (or make demo, make test), or: apt-get install$missing" >&2
    exit 1
fi

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root="sudo -n"
    if ! sudo -n true 2>/dev/null; then
        as_root=
        if command -v sudo >/dev/null && [ -t 0 ]; then as_root=sudo; fi
    fi
fi
if ! command -v apt-get >/dev/null || { [ "$(id -u)" != 0 ] && [ -z "$as_root" ]; }; then
    echo "setup: missing Debian packages:$missing" >&2
    echo "setup: neither root nor sudo here; ask for: apt-get install$missing" >&2
    exit 1
fi

echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
       $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing
       } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "setup: apt-get failed; still missing:$missing" >&2
    exit 1
fi
