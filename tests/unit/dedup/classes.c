/* tests/unit/dedup/classes.c -- equal multisets of features are one class, equal bytes where there are none. */
#include "tests/unit/dedup/world.h"

static void assert_classes(const char *settings, const char *const files[3], const char *representatives,
                           uint64_t copies)
{
    struct world w;

    world_open(&w, settings, files);
    world_classes(&w);
    for (uint64_t id = 0; id < own_ids(&w.state); id++) {
        const uint64_t of = own_representative(&w.state, id);

        if (of != (uint64_t)(representatives[id] - '0')) fail_msg("%s: id %llu is of class %llu", settings,
                                                                  (unsigned long long)id, (unsigned long long)of);
        assert_int_equal(!!(own_id_of(&w.state, own_place(&w.state, id)) & ID_COPY), of != id);
        assert_int_equal(own_id_of(&w.state, own_place(&w.state, id)) & ~ID_COPY, id);
    }
    assert_int_equal(own_ids(&w.state), strlen(representatives));
    assert_int_equal(w.job.stats.copies, copies);
    assert_int_equal(w.job.stats.classes, strlen(representatives) - copies);
    world_close(&w);
}

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

static void test_classes(void **unused)
{
    /* ids by the length of the path; 1, 3: as 0 in another order; 2: once more a word; 5: as 4, in bytes */
    static const char *const files[3] = {
        DOCUMENT("p q r", "1") DOCUMENT("r. q. p", "12") DOCUMENT("p q r p", "123"), DOCUMENT("q r p", "1234"),
        DOCUMENT("z", "12345") DOCUMENT("z", "123456") DOCUMENT("z ", "1234567") };

    (void)unused;
    assert_classes(", keep: [path]", files, "0020444", 4);
    /* documents of one word are compared as bytes alone: z and `z ` differ */
    assert_classes(", keep: [path], min_tokens: 2", files, "0020446", 3);
    assert_classes(", keep: [path], min_tokens: 9", files, "0123446", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_classes) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
