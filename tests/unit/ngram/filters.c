/* tests/unit/ngram/filters.c -- bitmaps never say no of what items have, and seldom yes of anything else. */
#include "tests/unit/ngram/small_table.h"

#include "base/bits.h"

enum { WORDS = 2000 };

/* 8 bytes from a word's first one on may be read. */
static struct slice padded(const char *word)
{
    static char room[64];

    snprintf(room, sizeof room, "%s", word);
    return slice_of(room);
}

static void test_filters(void **unused)
{
    static char items[16 * WORDS];
    size_t      len = (size_t)sprintf(items, "{\"text\": \""), wrong = 0, number = 0;

    (void)unused;
    for (int w = 0; w < WORDS; w++) len += (size_t)sprintf(items + len, "w%d ", w);
    sprintf(items + len, "\"}\n{\"text\": \"in short\"}\n");
    table_open(items, "n: [3, 5]", false);
    assert_int_equal(made.entry[0].words, WORDS);
    for (uint32_t w = 0; w < WORDS + 2; w++)
        assert_true(ngram_maybe(made.word_filter, made.word_shift, made.word[w]));
    assert_true(ngram_maybe(made.short_filter, made.short_shift, made.word[WORDS]));
    for (uint64_t k = 1; k <= WORDS; k++) wrong += ngram_maybe(made.word_filter, made.word_shift, k * VIEW_HASH_K1);
    assert_in_range(wrong, 0, WORDS / 8);                   /* a bit of 16 is set, at most */
    for (wrong = 0; number < made.lengths; number++)
        for (uint64_t k = 1; k <= WORDS; k++)
            wrong += ngram_maybe(made.filter + made.filter_start[number], made.filter_shift[number],
                                 k * VIEW_HASH_K1);
    assert_in_range(wrong, 0, made.lengths * WORDS / 8);
    assert_non_null(made.heads);
    assert_true(bits_has(made.heads, ngram_head(padded("w77"))) && bits_has(made.heads, ngram_head(padded("IN"))));
    assert_false(bits_has(made.heads, ngram_head(padded("another"))));
    table_close();
    table_open(items, "n: [2], unit: tokens", false);       /* tokens have no head */
    assert_null(made.heads);
    table_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_filters) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
