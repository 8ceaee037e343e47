/* tests/unit/dedup/apart.c -- documents of the same bytes whose features differ, by their languages. */
#include "tests/unit/dedup/world.h"

static void assert_apart(const char *settings, const char *const files[3], uint64_t apart)
{
    struct world w;
    struct err   err = { 0 };

    world_open(&w, settings, files);
    world_classes(&w);
    assert_int_equal(apart_count(&w.state, &err), 0);
    if (w.job.stats.apart != apart) fail_msg("%s: %llu", settings, (unsigned long long)w.job.stats.apart);
    world_close(&w);
}

#define DOCUMENT(text, language) "{\"text\": \"" text "\", \"language\": \"" language "\"}\n"

static void test_apart(void **unused)
{
    static const char *const files[3] = {
        DOCUMENT("p q r", "python") DOCUMENT("p q r", "python") DOCUMENT("r q p", "java") DOCUMENT("", "java"),
        DOCUMENT("p q r", "java") DOCUMENT("r q p", "java") DOCUMENT("", "python"), DOCUMENT("p q r", "c") };
    static const char *const alike[3] = { DOCUMENT("p q", "c") DOCUMENT("p q", "c"), DOCUMENT("q p", "go"), "" };

    (void)unused;
    /* of four `p q r` two are of one language; an empty text is nobody's copy */
    assert_apart(", min_tokens: 1, across_languages: false", files, 2);
    assert_apart(", min_tokens: 9, across_languages: false", files, 2);
    assert_apart(", min_tokens: 1, across_languages: true", files, 0);
    assert_apart(", across_languages: false", alike, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_apart) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
