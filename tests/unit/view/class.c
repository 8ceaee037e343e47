/* tests/unit/view/class.c -- one hash for one multiset, and keys of copies by language. */
#include "view/class.h"

#include "kernels/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static bool same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

/* No two of these are one, in either half: sizes, features and counts all tell. */
static void multisets(void **unused)
{
    static const struct { uint64_t hash[3]; uint32_t count[3]; size_t n; } sets[] = {
        { { 0 }, { 0 }, 0 }, { { 5 }, { 1 }, 1 }, { { 5 }, { 2 }, 1 }, { { 6 }, { 1 }, 1 }, { { 5, 6 }, { 1, 1 }, 2 },
        { { 5, 6 }, { 1, 2 }, 2 }, { { 5, 6 }, { 2, 1 }, 2 }, { { 5, 7 }, { 1, 2 }, 2 },
        { { 5, 6, 7 }, { 1, 1, 1 }, 3 }, { { 5, 6, 7 }, { 1, 2, 1 }, 3 }, { { 1, 2, 3 }, { 5, 6, 7 }, 3 },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct content_hash one = class_hash(sets[i].hash, sets[i].count, sets[i].n);
        uint64_t            hash[4] = { sets[i].hash[0], sets[i].hash[1], sets[i].hash[2], 99 };
        uint32_t            count[4] = { sets[i].count[0], sets[i].count[1], sets[i].count[2], 99 };

        for (size_t k = sets[i].n; k < 3; k++) hash[k] = count[k] = 77;         /* what lies behind is none of it */
        assert_true(same(one, class_hash(hash, count, sets[i].n)));
        for (size_t j = 0; j < i; j++) {
            struct content_hash other = class_hash(sets[j].hash, sets[j].count, sets[j].n);

            if (one.low == other.low || one.high == other.high) fail_msg("sets %zu and %zu", i, j);
        }
    }
}

/* Classes stand in units of runs: these values may not change. */
static void values_are_those_of_the_files(void **unused)
{
    const uint64_t      hash[] = { 1, 2, 3 };
    const uint32_t      count[] = { 1, 1, 2 };
    struct content_hash got = class_hash(hash, count, 3);

    (void)unused;
    if (got.low != 0xc9e3a36585275d57u || got.high != 0x74d3094fa2388c1cu)
        fail_msg("0x%016llxu 0x%016llxu", (unsigned long long)got.low, (unsigned long long)got.high);
}

/* Of one language, unless languages are compared: then all have one seed. */
static void copies_by_language(void **unused)
{
    const struct content_hash  raw = content_hash_raw(SLICE("a")), other = content_hash_raw(SLICE("b"));
    const struct view_language java = { .seed = 11 }, python = { .seed = 12 }, any = { .seed = 0 };

    (void)unused;
    assert_true(same(copy_hash(raw, &java), copy_hash(raw, &java)));
    assert_false(same(copy_hash(raw, &java), copy_hash(raw, &python)));
    assert_false(same(copy_hash(raw, &java), copy_hash(other, &java)));
    assert_false(same(copy_hash(raw, &any), raw));          /* a copy has not the key of its text */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multisets), cmocka_unit_test(values_are_those_of_the_files),
        cmocka_unit_test(copies_by_language),
    };

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
