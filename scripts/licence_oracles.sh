#!/bin/bash
# The licences that heads of files name against Debian's labels of them (debian/copyright, machine-readable): a table by
# label of how many have the same identifier and class, and what is taken for what.
#   scripts/licence_oracles.sh [PACKAGE...]     source packages, those below unless said; DETAIL=1 lists what differs
# They are fetched once into node_modules/.oracles-licences; one that cannot be had is left out in words.
# Exit status 77, with the reason, where none can be had; 1 when less than 90 % of the files have their label's class.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
kept=node_modules/.oracles-licences

packages="
    antlr4 box2d brotli chrony dbus dnsmasq ethtool flac glfw3 golang-github-spf13-cobra hiredis htop iproute2
    jansson jemalloc jquery json-c junit4 kmod libcommons-codec-java libcommons-io-java libdatetime-perl libdeflate
    libedit libevent libjackson2-core-java libjson-perl libjsoncpp liblog-log4perl-perl libmojolicious-perl
    libmoose-perl libpng1.6 libslf4j-java libsodium libssh2 libuninameslist libuv1 libvorbis libwww-perl
    libxml-libxml-perl libyaml libzstd lighttpd lua-cjson lua5.4 lz4 memcached mosquitto nettle nghttp2 nginx
    node-express nspr openjpeg2 openssh opus pciutils puma python-cffi r-cran-ggplot2 snappy speex tinyproxy
    tinyxml2 tmux woff2 zeromq3 zopfli
"
# shellcheck disable=SC2086
[ $# != 0 ] || set -- $packages

status=0
tests/oracle/debian_sources.sh --labels $kept "$@" || status=$?
[ $status = 0 ] || [ -n "$(ls $kept 2>/dev/null)" ] || exit $status
"${PYTHON:-python3}" tests/oracle/licences.py ${DETAIL:+--detail} "$BUILD/leakgraph" $kept
