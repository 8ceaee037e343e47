#!/bin/bash
# Packs what make install installs as a Debian package: what make deb does.  It takes the program as it is built; what
# it depends on comes of its libraries.
#   scripts/deb.sh BUILD VERSION [PART...]      BUILD/leakgraph_VERSION_ARCHITECTURE.deb; PART as of scripts/install.sh.
#                                               DEB_COMPRESS="-Zgzip -z1": faster; DEB_FOLDER=: not into BUILD
set -eu
cd "$(dirname "$0")/.."
umask 022
[ $# -ge 2 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd) version=$2
shift 2
for program in dpkg-deb dpkg-shlibdeps dpkg-gencontrol strip; do
    command -v $program >/dev/null || { echo "deb: no $program here: it is in dpkg-dev or binutils" >&2; exit 1; }
done
grep -q "^leakgraph ($version) " scripts/deb/changelog ||
    { echo "deb: scripts/deb/changelog does not begin with version $version" >&2; exit 1; }
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}

made=$(mktemp -d "$build/deb-XXXXXX")
trap 'rm -rf "$made"' EXIT
package=$made/debian/leakgraph doc=usr/share/doc/leakgraph
mkdir -p "$package/DEBIAN"
scripts/install.sh "$build/installed/leakgraph" "$package/usr" "$@" >/dev/null
cp scripts/deb/control scripts/deb/changelog "$made/debian/"
cd "$package"

# dpkg knows what it has installed, and licences stand in one file
rm usr/share/leakgraph/installed $doc/LICENSE
{
    cat "$OLDPWD/scripts/deb/copyright"
    for licence in $doc/licences/*; do
        [ -f "$licence" ] || continue
        printf '\nFiles: parts/%s/*\nCopyright: %s\nLicense: MIT-%s\n' "$(basename "$licence")" \
            "$(sed -n 's/^Copyright *([Cc])  *//p' "$licence" | sed '2,$s/^/ /')" "$(basename "$licence")"
        sed 's/^$/./; s/^/ /' "$licence"
    done
} >$doc/copyright
rm -rf $doc/licences
gzip -9n <"$made/debian/changelog" >$doc/changelog.gz
find usr/share/man -type f -exec gzip -9n {} +
strip --remove-section=.comment --remove-section=.note usr/bin/leakgraph
if [ -d usr/lib ]; then
    find usr/lib -name '*.so' -exec strip --strip-unneeded --remove-section=.comment --remove-section=.note {} +
fi
find . -type d -exec chmod 755 {} +

cd "$made"
dpkg-shlibdeps -Tdebian/substvars -l"$package/usr/lib/leakgraph" -S"$package" --ignore-missing-info \
    -e"$package/usr/bin/leakgraph" $(find "$package/usr/lib" -name '*.so' -printf '-e%p ' 2>/dev/null) 2>"$made/log" ||
    { cat "$made/log" >&2; exit 1; }
dpkg-gencontrol -pleakgraph -Tdebian/substvars -P"$package" -fdebian/files
(cd "$package" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum >DEBIAN/md5sums)
find "$package" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group --build ${DEB_COMPRESS:--Zxz} "$package" "${DEB_FOLDER:-$build}" >/dev/null
echo "${DEB_FOLDER:-$build}/leakgraph_${version}_$(dpkg --print-architecture).deb"
