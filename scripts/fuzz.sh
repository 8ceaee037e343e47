#!/bin/bash
# Fuzzes every target of tests/fuzz with libFuzzer, AddressSanitizer and UBSan; starts from the committed corpus.
#   scripts/fuzz.sh [NAME...]     FUZZ_SECONDS=60 each, as many at a time as there are processors; needs clang
# A crash leaves its input in build-fuzz/NAME/; the fix commits it to tests/fuzz/corpus/NAME/.
# CCACHE=ccache compiles through that program.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}
export CC="${CCACHE:+$CCACHE }clang"
command -v clang >/dev/null || { echo "fuzz: no clang here (scripts/setup.sh --full)" >&2; exit 1; }

# The library once, with coverage; each target is linked with libFuzzer's main.
flags="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
mkdir -p build-fuzz
make --no-print-directory -j"$(nproc)" BUILD=build-fuzz EXTRA_CFLAGS="$flags" EXTRA_LDFLAGS="$flags" \
    build-fuzz/libleakgraph.a >build-fuzz/log 2>&1 || { tail -n 40 build-fuzz/log; exit 1; }
libraries=$(make --no-print-directory -s BUILD=build-fuzz print-libs)

fuzz() {    # fuzz NAME: its exit status; what it found stands in its log
    local folder=build-fuzz/$1
    # A zstd header may ask for a window of 2 GB of address space (zstd --long=31); only real data touches pages of it.
    "$folder/fuzz_$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=4096 -max_len=65536 \
        -print_final_stats=1 -artifact_prefix="$folder/" "$folder/found" "tests/fuzz/corpus/$1" >"$folder/log" 2>&1
}

names=()
for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    name=${name#fuzz_}
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    names+=("$name")
    mkdir -p "build-fuzz/$name/found"
    # shellcheck disable=SC2086
    $CC -std=c11 -D_GNU_SOURCE -O1 -g -fopenmp -Ipipeline -I. $flags -fsanitize=fuzzer \
        -o "build-fuzz/$name/fuzz_$name" "$source" build-fuzz/libleakgraph.a $libraries
done
[ ${#names[@]} != 0 ] || { echo "fuzz: no target of that name" >&2; exit 2; }

# One thread each: two targets beside each other do not wait for one another's.
export OMP_NUM_THREADS=1
declare -A running=()
failed=0
finish() {
    local process status=0 name
    wait -n -p process || status=$?
    name=${running[$process]}
    unset "running[$process]"
    if [ $status != 0 ]; then
        tail -n 40 "build-fuzz/$name/log"
        echo "fuzz: $name FAILED; its input is in build-fuzz/$name"
        failed=1
    else
        echo "fuzz: $name, $seconds s:" $(sed -n 's/^stat::\(number_of_executed_units\|new_units_added\): */\1 /p' \
            "build-fuzz/$name/log")
    fi
}
for name in "${names[@]}"; do
    [ ${#running[@]} -lt "$(nproc)" ] || finish
    fuzz "$name" &
    running[$!]=$name
done
while [ ${#running[@]} != 0 ]; do finish; done
exit $failed
