# seconds: 120
# The lexer against real token lists: Python in both modes, Java with the tokens that its records carry.
. "$(dirname "$0")/../cli/common.sh"
need zstd
data=$root/../shared/data
compare() {     # compare LANGUAGE MODE FILE...
    echo "$1 $2"
    zstd -dc "${@:3}" | "$BUILD/tests/check_lexer" "$1" "$2" || fail "$1, $2: below the bar"
}
compare python default "$data/python/lexer_golden.jsonl.zst"
compare python published "$data/python/lexer_golden.jsonl.zst"
# All Java shards take minutes; one of the eight, and every benchmark, is a check for each change.
if [ -n "$LONG" ]; then
    compare java default "$data"/java/*.jsonl.zst
else
    compare java default "$data"/java/codetrans-*.jsonl.zst "$data"/java/con*.jsonl.zst "$data"/java/csn*.jsonl.zst \
            "$data"/java/quixbugs*.jsonl.zst "$data"/java/debian-java-3.jsonl.zst
fi
