/* corpus/skip: which paths of a folder or an archive are passed over, and why; sums. */
#include "corpus/skip.h"

#include "corpus/dataset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_paths(void **state)
{
    static const struct { const char *path; int reason; } cases[] = {
        { "a.c", -1 }, { ".gitignore", -1 }, { "a.git/b", -1 }, { ".github/x.yml", -1 }, { "x__pycache__/a", -1 },
        { "", -1 }, { "git", -1 }, { "hg/a", -1 },
        { ".git", SKIP_VCS }, { "./.git/config", SKIP_VCS }, { "a/.hg/store/x", SKIP_VCS }, { ".svn/", SKIP_VCS },
        { "/abs/.svn/x", SKIP_VCS }, { "a//.git//b", SKIP_VCS },
        { "__pycache__/a.pyc", SKIP_CACHE }, { "a/b/__pycache__", SKIP_CACHE },
        { "gen/a.c", SKIP_EXCLUDED }, { "gen", SKIP_EXCLUDED }, { "./gen/deep/a.c", SKIP_EXCLUDED },
        { "a/b.min.js", SKIP_EXCLUDED },
        /* the outermost */
        { "gen/.git/config", SKIP_EXCLUDED }, { ".git/gen/a", SKIP_VCS }, { "__pycache__/.git/x", SKIP_CACHE },
        { ".git/__pycache__/x.min.js", SKIP_VCS }, { "deep/gen/__pycache__/a", SKIP_CACHE },
    };
    char          *exclude[] = { (char[]){ "gen" }, (char[]){ "**/*.min.js" } };
    struct dataset dataset = { .exclude = exclude, .exclude_count = 2 };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum skip_reason reason = SKIP_REASON_COUNT;
        int              got = skip_of_path(&dataset, slice_of(cases[i].path), &reason) ? (int)reason : -1;

        if (got != cases[i].reason) fail_msg("%s: %d", cases[i].path, got);
    }
}

static void test_sums(void **state)
{
    struct skips sum = { { 0 } }, more;

    (void)state;
    assert_int_equal(skips_sum(&sum), 0);
    for (size_t r = 0; r < SKIP_REASON_COUNT; r++) more.files[r] = 1ull << (8 * r);
    skips_add(&sum, &more);
    skips_add(&sum, &more);
    assert_true(skips_sum(&sum) == 2 * 0x0101010101ull);
    for (size_t r = 0; r < SKIP_REASON_COUNT; r++) assert_true(sum.files[r] == 2ull << (8 * r));
    for (size_t r = 0; r < SKIP_REASON_COUNT; r++)
        for (size_t s = 0; s < r; s++) assert_string_not_equal(skip_names[r], skip_names[s]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_paths), cmocka_unit_test(test_sums) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
