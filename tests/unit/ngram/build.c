/* tests/unit/ngram/build.c -- the table of the items' n-grams, asked for everything that the items have. */
#include "tests/unit/ngram/small_table.h"

/* Repetitions in an item, n-grams of several, an item shorter than n, one without a word. */
static const char bench[] = "{\"text\": \"a b c a b c a b\"}\n"
                            "{\"text\": \" x b c a b \"}\n"
                            "{\"text\": \"a b\"}\n"
                            "{\"text\": \"!\"}\n"
                            "{\"text\": \"w w w w w w w\"}\n"
                            "{\"text\": \"z a b c a y\"}\n";

static const struct { uint32_t words; const char *text; } expected[] = {
    { 8, "a b c a b c a b" }, { 5, "x b c a b" }, { 2, "a b" }, { 0, "!" },
    { 7, "w w w w w w w" }, { 6, "z a b c a y" },
};
enum { ENTRIES = sizeof expected / sizeof *expected };

/* The key of words by the letter: a polynomial, and the length. */
static uint64_t key_of(const uint64_t *word, uint32_t length)
{
    uint64_t sum = 0, power = 1;

    for (uint32_t i = length; i-- > 0; power *= NGRAM_BASE) sum += word[i] * power;
    sum += length * VIEW_HASH_K2;
    return sum ? sum : 1;
}

static void check_posting(uint32_t l, uint32_t g, uint32_t first, uint32_t times)
{
    const struct ngram_known *known = &made.known[g];
    size_t                    met = 0;

    for (uint64_t p = made.posting_start[known->class]; p < made.posting_start[known->class + 1]; p++) {
        if (p > made.posting_start[known->class]) assert_true(made.posting[p].line > made.posting[p - 1].line);
        if (made.posting[p].line != l) continue;
        assert_int_equal(made.posting[p].times, times);
        assert_int_equal((uint32_t)(known->base + made.posting[p].first), first);
        met++;
    }
    assert_int_equal(met, 1);
}

static size_t check_line(uint32_t l)
{
    const struct ngram_line *line = &made.line[l];
    const uint64_t          *word = made.word + made.entry[line->entry].word_at;
    size_t                   distinct = 0, number = 0;

    while (number < made.lengths && made.length[number] != line->length) number++;
    assert_true(line->count == 0 || number < made.lengths);
    for (uint32_t i = 0; i < line->count; i++) {
        const uint64_t key = key_of(word + i, line->length);
        const uint32_t g = made.gram[line->at + i];
        uint32_t       times = 0, first = UINT32_MAX;

        assert_int_equal(ngram_find(&made, key), g);
        assert_true(ngram_maybe(made.filter + made.filter_start[number], made.filter_shift[number], key));
        if (line->length < job.options->n[0]) assert_true(ngram_maybe(made.short_filter, made.short_shift, word[i]));
        for (uint32_t k = 0; k < line->count; k++) {
            if (made.gram[line->at + k] != g) continue;
            times++;
            if (first == UINT32_MAX) first = k;
        }
        check_posting(l, g, first, times);
        distinct += first == i;
    }
    assert_int_equal(line->distinct, distinct);
    return distinct;
}

static bool anchored(uint32_t g, uint32_t entry)
{
    for (const uint32_t *e = made.anchor + made.known[g].anchor; *e != UINT32_MAX; e++)
        if (*e == entry) return true;
    return false;
}

static void check(const char *settings, bool words)
{
    size_t postings = 0, of_classes = 0;

    table_open(bench, settings, false);
    assert_int_equal(made.entries, ENTRIES);
    assert_int_equal(made.lines, ENTRIES * job.options->sizes);
    for (uint32_t e = 0; e < ENTRIES; e++) {
        const struct ngram_entry *entry = &made.entry[e];

        assert_true(entry->record == e && entry->shard == 0 && entry->field == 0);
        assert_true(slice_equal((struct slice){ made.text + entry->text_at, entry->text_len },
                                slice_of(expected[e].text)));
        if (words) assert_int_equal(entry->words, expected[e].words);
        for (uint32_t w = 0; w < entry->words; w++)
            assert_true(ngram_maybe(made.word_filter, made.word_shift, made.word[entry->word_at + w]));
        for (uint32_t s = 0; s < job.options->sizes; s++) {
            const struct ngram_line *line = &made.line[e * job.options->sizes + s];

            assert_true(line->entry == e && line->n == job.options->n[s]);
            assert_int_equal(line->length, entry->words < line->n ? entry->words : line->n);
            assert_int_equal(line->count, entry->words ? entry->words - line->length + 1 : 0);
            postings += check_line((uint32_t)(line - made.line));
        }
        for (uint32_t g = 0; g < made.grams; g++) {
            uint32_t length = entry->words < 3 ? 0 : entry->words - 2 < job.options->n[0] ? entry->words - 2
                : job.options->n[0];

            assert_int_equal(anchored(g, e), words && length &&
                             g == ngram_find(&made, key_of(made.word + entry->word_at + 1, length)));
        }
    }
    for (uint32_t g = 0; g < made.grams; g++)
        of_classes += made.posting_start[made.known[g].class + 1] - made.posting_start[made.known[g].class];
    assert_int_equal(of_classes, postings);
    for (uint32_t i = 1; i < made.lengths; i++) assert_true(made.length[i] > made.length[i - 1]);
    assert_int_equal(ngram_find(&made, 12345), UINT32_MAX);
    table_close();
}

static void test_words(void **unused)
{
    (void)unused;
    check("n: [1]", true);
    check("n: [3, 5]", true);
    check("n: [2, 7, 8, 100]", true);
}

static void test_tokens(void **unused)
{
    (void)unused;
    check("n: [2, 4], unit: tokens", false);
}

/* As written: an n-gram that items write in one way is itself, one of several ways has a variant for each, with
 * postings of its own. */
static void test_variants(void **unused)
{
    static const struct { uint32_t line, i; int same_as; } way[] = {   /* same_as: an earlier row, -1: none */
        { 0, 0, -1 }, { 0, 1, -1 }, { 0, 2, 0 }, { 1, 0, -1 }, { 1, 1, 1 }, { 2, 0, 3 }, { 2, 1, -1 },
    };
    uint32_t id[7];
    size_t   variants = 0;

    (void)unused;
    /* "A b", "b A", "A b" again; "a b", and "b A" again; that "a b", and "b a" */
    table_open("{\"text\": \"A b A b\"}\n{\"text\": \"a b A\"}\n{\"text\": \"a b a\"}\n", "n: [2]", true);
    assert_true(made.lines == 3 && made.grams == 3);        /* "b" alone is where texts are anchored */
    for (size_t k = 0; k < 7; k++) {
        const struct ngram_line *line = &made.line[way[k].line];
        const uint32_t           g = made.gram[line->at + way[k].i];

        id[k] = made.gram_kept[line->at + way[k].i];
        assert_true(id[k] >= made.grams && id[k] < made.ids && !made.known[g].key);
        for (size_t j = 0; j < k; j++)
            if (way[k].same_as == (int)j) assert_int_equal(id[k], id[j]);
        if (way[k].same_as < 0)
            for (size_t j = 0; j < k; j++) assert_true(id[k] != id[j]);
        variants += way[k].same_as < 0;
        assert_int_equal(ngram_find_kept(&made, g, key_of(made.word_kept + made.entry[way[k].line].word_at +
                                                          way[k].i, 2)), id[k]);
    }
    assert_int_equal(made.ids - made.grams, variants);
    assert_true(made.line[0].distinct_kept == 2 && made.line[1].distinct_kept == 2 && made.line[2].distinct_kept == 2);
    check_posting(0, id[0], 0, 2);
    check_posting(0, id[1], 1, 1);
    check_posting(1, id[3], 0, 1);
    check_posting(2, id[3], 0, 1);
    assert_int_equal(ngram_find_kept(&made, 0, 12345), UINT32_MAX);
    table_close();
    table_open("{\"text\": \"One two\"}\n{\"text\": \"One two\"}\n", "n: [2]", true);
    assert_true(made.grams == 1 && made.ids == 1 && made.known[0].key == key_of(made.word_kept, 2));
    assert_true(made.gram_kept[0] == 0 && made.word[0] != made.word_kept[0] && made.word[1] == made.word_kept[1]);
    assert_int_equal(ngram_find_kept(&made, 0, key_of(made.word, 2)), UINT32_MAX);
    table_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words), cmocka_unit_test(test_tokens),
                                        cmocka_unit_test(test_variants) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
