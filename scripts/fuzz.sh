#!/bin/bash
# Fuzzes every target of tests/fuzz with libFuzzer, AddressSanitizer and UBSan; starts from the committed corpus.
#   scripts/fuzz.sh [NAME...]     FUZZ_SECONDS=60 each; needs clang
# A crash leaves its input in build-fuzz/NAME/; the fix commits it to tests/fuzz/corpus/NAME/.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
export CC=clang
command -v clang >/dev/null || { echo "fuzz: no clang here (scripts/setup.sh --full)" >&2; exit 1; }

# The library once, with coverage; each target is linked with libFuzzer's main.
flags="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
make --no-print-directory -j2 BUILD=build-fuzz EXTRA_CFLAGS="$flags" EXTRA_LDFLAGS="$flags" build-fuzz/libleakgraph.a
libraries=$(make --no-print-directory -s BUILD=build-fuzz print-libs)

failed=0
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    [ $# = 0 ] || [[ " $* " == *" ${name#fuzz_} "* ]] || continue
    folder=build-fuzz/${name#fuzz_}
    mkdir -p "$folder/found"
    # shellcheck disable=SC2086
    clang -std=c11 -D_GNU_SOURCE -O1 -g -fopenmp -Ipipeline -I. $flags -fsanitize=fuzzer \
        -o "$folder/$name" "$source" build-fuzz/libleakgraph.a $libraries
    echo "fuzz: $name for $seconds s"
    # A zstd header may ask for a window of 2 GB of address space (zstd --long=31); only real data touches
    # pages of it.
    if ! "$folder/$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=4096 \
        -max_len=65536 -print_final_stats=1 -artifact_prefix="$folder/" "$folder/found" \
        "tests/fuzz/corpus/${name#fuzz_}" >"$folder/log" 2>&1; then
        tail -n 40 "$folder/log"
        echo "fuzz: $name FAILED; its input is in $folder"
        failed=1
    else
        grep -E 'number_of_executed_units|new_units_added' "$folder/log"
    fi
done
exit $failed
