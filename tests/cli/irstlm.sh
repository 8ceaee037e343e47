# A model of ours, written as ARPA, has the same perplexity to another toolkit as to us: within 0.1 %, words that
# neither knows included.
. "$(dirname "$0")/common.sh"
compile=$(command -v compile-lm || echo /usr/lib/irstlm/bin/compile-lm)
need "$compile"
source=$("$PYTHON" -c 'import os; print(os.path.dirname(os.__file__))')

for order in 2 5; do
    expect 0 "$BUILD/bench/lm" --order $order --arpa "$work/model.arpa" --text "$work/text" \
        "$source"/a*.py "$source"/c*.py "$source"/s*.py -- "$source"/b*.py "$source"/t[a-e]*.py
    ours=$(sed -n 's/^perplexity \([0-9.]*\) .*/\1/p' "$work/out")
    tokens=$(sed -n 's/^ngram 1=//p' "$work/model.arpa")
    # A word that it does not know costs log10(dub - dictionary) more there; so dub is one word more than there are.
    (cd "$work" && expect 0 "$compile" model.arpa --eval=text --dub=$((tokens + 1)))
    theirs=$(sed -n 's/^%% .* PP=\([0-9.]*\) .*/\1/p' "$work/out")
    unknown=$(sed -n 's/^%% .* Noov=\([0-9]*\) .*/\1/p' "$work/out")
    "$PYTHON" -c \
        'import sys; ours, theirs, unknown = map(float, sys.argv[1:])
sys.exit(not (unknown > 100 and abs(ours / theirs - 1) < 0.001))' \
        "$ours" "$theirs" "$unknown" ||
        fail "order $order: perplexity $ours, compile-lm says $theirs ($unknown unknown words)"
    echo "order $order: perplexity $ours, compile-lm $theirs"
done
