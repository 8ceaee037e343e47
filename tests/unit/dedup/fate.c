/* tests/unit/dedup/fate.c -- the unit that holds an ordinal; fates committed and loaded. */
#include "tests/unit/dedup/world.h"

/* Of units without documents the last wins, so that a document is never looked for in an empty one. */
static void test_find(void **unused)
{
    static const uint64_t  documents[] = { 3, 0, 0, 1, 5, 0 };
    struct catalogue_unit  unit[6] = { { 0 } };
    const struct catalogue catalogue = { .unit = unit, .count = 6, .documents = 9 };
    uint64_t               first = 0;

    (void)unused;
    for (size_t u = 0; u < 6; first += documents[u++]) unit[u] = (struct catalogue_unit){ .first = first,
                                                                                          .documents = documents[u] };
    for (size_t u = 0, ordinal = 0; u < 6; u++)
        for (uint64_t i = 0; i < documents[u]; i++) assert_int_equal(catalogue_find(&catalogue, ordinal++), u);
}

static void test_commit(void **unused)
{
    static const struct dedup_fate fate[] = { { 1, 2, 3, 1, 1, 7, 8 }, { 4, 5, 6, 0, 0, 0, 0 } };
    struct world                   w;
    struct fate_unit               loaded;
    struct err                     err = { 0 };

    (void)unused;
    world_open(&w, "", (const char *const[3]){ "{\"text\": \"one\"}\n{\"text\": \"two\"}\n", NULL, NULL });
    world_columns(&w);
    w.job.fate_key = (struct unit_key){ 7, 8 };
    assert_int_equal(fate_load(&w.job, &w.state.catalogue, 0, &loaded, &err), -EIO);
    assert_non_null(strstr(err.text, "a.jsonl: what became of its documents was damaged or has disappeared"));
    assert_int_equal(fate_commit(&w.job, 0, fate, 2, &err), 0);
    assert_int_equal(fate_load(&w.job, &w.state.catalogue, 0, &loaded, &err), 0);
    assert_int_equal(loaded.count, 2);
    assert_memory_equal(loaded.fate, fate, sizeof fate);
    unit_close(&loaded.file);
    w.job.fate_key.low++;                                   /* of other settings */
    assert_int_equal(fate_load(&w.job, &w.state.catalogue, 0, &loaded, &err), -EIO);
    assert_int_equal(fate_commit(&w.job, 0, fate, 1, &err), 0);
    assert_int_equal(fate_load(&w.job, &w.state.catalogue, 0, &loaded, &err), -EBADMSG);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_find), cmocka_unit_test(test_commit) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
