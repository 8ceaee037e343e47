/* kernels/dispatch.c -- the tables, and which of them this machine can run. */
#include "kernels/parts.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

const struct kernels kernels_scalar = {
    .name               = "scalar",
    .need               = 0,
    .classify           = classify_scalar,
    .spans              = spans_scalar,
    .json_unescape      = json_unescape_scalar,
    .json_string_check  = json_string_check_scalar,
    .json_string_end    = json_string_end_scalar,
    .json_container_end = json_container_end_scalar,
    .json_list_check    = json_list_check_scalar,
    .intersect_u32      = intersect_u32_scalar,
    .intersect_u64      = intersect_u64_scalar,
    .repeat             = repeat_scalar,
    .minhash            = minhash_scalar,
};

#if defined(__x86_64__)

const struct kernels kernels_avx2 = {
    .name               = "avx2",
    .need               = KERNEL_CPU_AVX2 | KERNEL_CPU_BMI | KERNEL_CPU_CLMUL,
    .classify           = classify_avx2,
    .spans              = spans_avx2,
    .json_unescape      = json_unescape_avx2,
    .json_string_check  = json_string_check_avx2,
    .json_string_end    = json_string_end_avx2,
    .json_container_end = json_container_end_avx2,
    .json_list_check    = json_list_check_avx2,
    .intersect_u32      = intersect_u32_avx2,
    .intersect_u64      = intersect_u64_avx2,
    .repeat             = repeat_avx2,
    .minhash            = minhash_avx2,
};

const struct kernels kernels_avx512 = {
    .name               = "avx512",
    .need               = KERNEL_CPU_AVX2 | KERNEL_CPU_BMI | KERNEL_CPU_CLMUL | KERNEL_CPU_AVX512,
    .classify           = classify_avx512,
    .spans              = spans_avx512,
    .json_unescape      = json_unescape_avx512,
    .json_string_check  = json_string_check_avx512,
    .json_string_end    = json_string_end_avx512,
    .json_container_end = json_container_end_avx512,
    .json_list_check    = json_list_check_avx512,
    .intersect_u32      = intersect_u32_avx512,
    .intersect_u64      = intersect_u64_avx512,
    .repeat             = repeat_avx512,
    .minhash            = minhash_avx512,
};

const struct kernels *const kernels_all[] = { &kernels_avx512, &kernels_avx2, &kernels_scalar, NULL };

/* Every instruction set that the compiler may use in a file is asked for, not only those whose intrinsics are written
 * there. __builtin_cpu_supports reads XCR0 too, so a system that does not save the wide registers counts as one without
 * them. */
unsigned kernels_cpu(void)
{
    unsigned eax, ebx, ecx, edx, cpu = 0;
    int lzcnt;

    __builtin_cpu_init();
    /* clang 14 has no name for it above */
    lzcnt = __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && (ecx & bit_LZCNT);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        cpu |= KERNEL_CPU_AVX2;
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && lzcnt)
        cpu |= KERNEL_CPU_BMI;
    if (__builtin_cpu_supports("pclmul"))
        cpu |= KERNEL_CPU_CLMUL;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi") &&
            __builtin_cpu_supports("avx512vbmi2"))
        cpu |= KERNEL_CPU_AVX512;
    return cpu;
}

#else

const struct kernels *const kernels_all[] = { &kernels_scalar, NULL };

unsigned kernels_cpu(void) { return 0; }

#endif

const struct kernels *kernels_select(unsigned cpu, const char *only)
{
    for (const struct kernels *const *k = kernels_all; *k; k++) {
        int named = !only || !*only || strcmp(only, (*k)->name) == 0;

        if (named && ((*k)->need & ~cpu) == 0)
            return *k;
    }
    return NULL;
}

const struct kernels *kernels = &kernels_scalar;
