#!/bin/bash
# `make check-full`: what is too long for every change.  One line a step; stops at the first that fails.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh --full
jobs=$(nproc)

step() { echo "== $*"; }

step "gcc: every test, long rounds"
make --no-print-directory -j"$jobs" tests CC=gcc
scripts/layers.sh
scripts/unit_tests.sh
tests/run --long

step "every kernel level"
for level in scalar avx2 avx512; do
    if LEAKGRAPH_KERNELS=$level build/leakgraph version >/dev/null 2>&1; then
        LEAKGRAPH_KERNELS=$level tests/run unit/ property/ cli/
    else
        echo "this machine cannot run $level"
    fi
done

step "clang: warnings are errors, every test"
make --no-print-directory -j"$jobs" tests CC=clang BUILD=build-clang
tests/run --build build-clang

# Leaks are looked for wherever MPI is not started (tests/run switches that off for ranks).
step "AddressSanitizer and UBSan"
make --no-print-directory -j"$jobs" tests SAN=address CC=gcc
ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 tests/run --build build-asan

# gcc's OpenMP library is not instrumented and gives false reports; clang's is known to the sanitizer.
step "ThreadSanitizer"
make --no-print-directory -j"$jobs" tests SAN=thread CC=clang
TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1 tests/run --build build-tsan unit/ property/ cli/

step "fuzzing"
scripts/fuzz.sh
echo "check-full: all steps passed"
