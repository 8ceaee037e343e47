/* tests/unit/dedup/wanted.c -- the documents of pairs and of links, by their ordinals. */
#include "tests/unit/dedup/world.h"

#define DOCUMENT(text, path) "{\"text\": \"" text "\", \"path\": \"" path "\"}\n"

/* Ids by the length of paths: ordinals 3, 1, 0, 2, 4.  1 and 0 are similar, 4 and 3. */
static const char *const files[3] = { DOCUMENT("p q r", "123") DOCUMENT("q r s", "12"), DOCUMENT("x y z", "1234"),
                                      DOCUMENT("a b c", "1") DOCUMENT("b c d", "12345") };

static void assert_wanted(const struct wanted *wanted, const char *expected)
{
    for (uint64_t ordinal = 0; ordinal < 5; ordinal++)
        if (is_wanted(wanted, ordinal) != (expected[ordinal] == 'x'))
            fail_msg("%s: document %llu", expected, (unsigned long long)ordinal);
}

static void test_pairs(void **unused)
{
    struct world    w;
    struct wanted   wanted;
    struct shuffle *pairs;
    bool            done[] = { false };

    (void)unused;
    world_open(&w, ", keep: [path]", files);
    world_classes(&w);
    assert_int_equal(w.state.blocks, 1);
    WORLD_DO(candidates_make(&w.state, done, &pairs, err));
    for (int round = 0; round < 2; round++) {               /* the pairs stay where they are */
        WORLD_DO(wanted_open(&wanted, &w.state, err));
        WORLD_DO(wanted_pairs(&wanted, pairs, done, false, err));
        assert_wanted(&wanted, "xx.xx");
        wanted_mark(&wanted, 2);
        wanted_mark(&wanted, 2);
        assert_wanted(&wanted, "xxxxx");
        wanted_close(&wanted);
    }
    /* a block that is done has links alone */
    WORLD_DO(links_make(&w.state, pairs, done, err));
    done[0] = true;
    for (int linked = 0; linked < 2; linked++) {
        WORLD_DO(wanted_open(&wanted, &w.state, err));
        WORLD_DO(wanted_pairs(&wanted, linked ? NULL : pairs, done, linked, err));
        assert_wanted(&wanted, linked ? "xx.xx" : ".....");
        wanted_close(&wanted);
    }
    shuffle_close(pairs);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_pairs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
