#!/bin/bash
# `make check-full`: what is too long for every change.  Each step says what it is and how long it took; one that fails
# is named again at the end, and the others run all the same.
#   scripts/check_full.sh [STEP...]     gcc kernels clang address thread kills oracles fuzz; all unless said
# kills is the part of gcc that kills ranks and lets calls fail: it mostly waits, and runs beside the steps after gcc.
# oracles and fuzz only compute: they run beside all others, at the lowest priority.
# CCACHE=ccache compiles through that program; FUZZ_SECONDS= for each fuzz target, 15 unless said.
set -u
cd "$(dirname "$0")/.."
all="gcc kernels clang address thread kills oracles fuzz"
for step in "$@"; do
    case " $all " in *" $step "*) ;; *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;; esac
done
scripts/setup.sh --full || exit 1
scripts/llama_prefix.sh || [ $? = 77 ] || exit 1
scripts/tree_library.sh || [ $? = 77 ] || exit 1
scripts/npm_packages.sh readers node_modules/.readers || [ $? = 77 ] || exit 1
gcc="${CCACHE:+$CCACHE }gcc" clang="${CCACHE:+$CCACHE }clang"

build() { make --no-print-directory -j"$(nproc)" tests "$@" >"$log" 2>&1 || { tail -n 40 "$log"; return 1; }; }

# Every test but those of kills, with the long rounds of the random ones.
step_gcc() {
    build CC="$gcc" && make --no-print-directory check-text && tests/run --long unit/ property/ fuzz/ mpi/ data/ cli/
}

step_kills() { tests/run --long kill/ fault/; }

# The level that the program picks by itself was tested before.
step_kernels() {
    local level failed=0 best
    best=$(build/leakgraph version | sed -n 's/^kernels *//p')
    for level in scalar avx2 avx512; do
        if [ "$level" = "$best" ]; then
            echo "$level: skipped, this machine's own level, which step gcc tests"
        elif LEAKGRAPH_KERNELS=$level build/leakgraph version >/dev/null 2>&1; then
            echo "$level:"
            LEAKGRAPH_KERNELS=$level tests/run unit/ property/ cli/overlap cli/dedup cli/ngrams cli/clones || failed=1
        else
            echo "$level: skipped, this machine cannot run it"
        fi
    done
    return $failed
}

# The lexer and the functions against other languages' own parsers; without a network there are none.  The classifiers
# against scikit-learn and libsvm's tools, tests against SciPy and statsmodels, regressions against lme4, licences
# against Debian's labels.
step_oracles() {
    build CC="$gcc" || return 1
    scripts/element_oracles.sh || return 1
    scripts/learn_oracles.sh || [ $? = 77 ] || return 1
    scripts/stats_oracles.sh || [ $? = 77 ] || return 1
    scripts/regress_oracles.sh || [ $? = 77 ] || return 1
    scripts/members_oracles.sh || [ $? = 77 ] || return 1
    scripts/lexer_oracles.sh
    local status=$?
    [ $status != 0 ] || scripts/function_oracles.sh || status=$?
    [ $status != 0 ] || scripts/licence_oracles.sh || status=$?
    [ $status != 77 ] || { echo "skipped: see above"; return 0; }
    return $status
}

# Warnings are errors; and memory that is not zero when it comes from malloc.
step_clang() {
    build CC="$clang" BUILD=build-clang && MALLOC_PERTURB_=85 tests/run --build build-clang \
        unit/ property/ fuzz/ mpi/ data/ cli/
}

# Leaks are looked for wherever MPI is not started (tests/run switches that off for ranks).
step_address() {
    local failed=0 rest
    build SAN=address CC="$gcc" || return 1
    for rest in "" --rest; do
        ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
            tests/run --build build-asan $rest || failed=1
    done
    return $failed
}

# gcc's OpenMP library is not instrumented and gives false reports; clang's is known to the sanitizer.
step_thread() {
    build SAN=thread CC="$clang" && TSAN_OPTIONS=ignore_noninstrumented_modules=1:allocator_may_return_null=1 \
        tests/run --build build-tsan unit/ property/ cli/
}

step_fuzz() { FUZZ_SECONDS=${FUZZ_SECONDS:-15} scripts/fuzz.sh; }

take() {    # STEP: whether it passed
    local began=$SECONDS status=0
    echo "== $1"
    step_$1 || status=$?
    echo "== $1 took $(((SECONDS - began + 30) / 60)) min"
    return $status
}

log=$(mktemp)
beside=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$log" "$beside"' EXIT
wrong=
build CC="$gcc" || exit 1

# apart PRIORITY STEP...: those of them that are asked for, one after the other, beside what comes after this.
apart() {
    local priority=$1
    shift
    (
        renice -n "$priority" $BASHPID >/dev/null
        log=$beside/log-$1
        for step; do
            case " $steps " in *" $step "*) take $step >"$beside/$step" 2>&1 || touch "$beside/$step.wrong" ;; esac
        done
    ) &
}

steps=${*:-$all}
apart 19 oracles fuzz
for step in $steps; do
    # gcc's own tests come first, so that a fault is seen soon and kills are not late
    [ "$step" = gcc ] || [ -n "${killing:-}" ] || { apart 0 kills; killing=1; }
    case $step in kills | oracles | fuzz) ;; *) take $step || wrong="$wrong $step" ;; esac
done
wait
for step in kills oracles fuzz; do
    [ ! -e "$beside/$step" ] || cat "$beside/$step"
    [ ! -e "$beside/$step.wrong" ] || wrong="$wrong $step"
done
if [ -n "$wrong" ]; then
    echo "check-full: failed after $((SECONDS / 60)) min:$wrong"
    exit 1
fi
echo "check-full: all steps passed, in $((SECONDS / 60)) min"
