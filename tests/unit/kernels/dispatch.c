/* tests/unit/kernels/dispatch.c -- which level is chosen for a processor and a name. */
#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_select(void **state)
{
    static const unsigned none = 0, all = ~0u, no_wide = ~(unsigned)KERNEL_CPU_AVX512;
    (void)state;

    assert_ptr_equal(kernels_select(none, NULL), &kernels_scalar);
    assert_ptr_equal(kernels_select(all, "scalar"), &kernels_scalar);
    assert_ptr_equal(kernels_select(all, ""), kernels_all[0]);
    assert_null(kernels_select(all, "sse9"));
    assert_null(kernels_select(none, "avx2"));
    assert_null(kernels_select(all, "avx"));
    assert_non_null(kernels);
    for (const struct kernels *const *k = kernels_all; *k; k++) {
        assert_ptr_equal(kernels_select(all, (*k)->name), *k);
        assert_ptr_equal(kernels_select((*k)->need, (*k)->name), *k);
        assert_true((*k)->need || *k == &kernels_scalar);
        assert_true(!k[1] == (*k == &kernels_scalar));
    }
    if (kernels_select(all, "avx512")) {
        assert_ptr_equal(kernels_select(no_wide, NULL), kernels_select(all, "avx2"));
        assert_null(kernels_select(no_wide, "avx512"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_select) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
