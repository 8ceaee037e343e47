/* tests/unit/dedup/candidates.c -- pairs of classes that are proposed, each in the block of the worse; codes of
 * sizes. */
#include "tests/unit/dedup/world.h"

/* What a code stands for: the numbers between its bounds, which leave no gap. */
static void test_codes(void **unused)
{
    uint64_t next = 0;

    (void)unused;
    for (uint32_t code = 0; code < CODE_NONE && next < 1u << 31; code++) {
        assert_true(code_low(code) == next);
        assert_int_equal(code_of((uint32_t)code_low(code)), code);
        assert_int_equal(code_of((uint32_t)code_high(code)), code);
        assert_true(code_high(code) - code_low(code) <= code_low(code) / 128);
        next = code_high(code) + 1;
    }
    assert_true(code_of(UINT32_MAX) < CODE_NONE);
    for (uint32_t n = 1; n < 100; n++)                      /* n - ceil(0.7 n) + 1 */
        assert_int_equal(prefix_length((struct ratio){ 7, 10 }, n), n - (7 * n + 9) / 10 + 1);
    assert_int_equal(prefix_length((struct ratio){ 7, 10 }, 0), 0);
}

/* "worse-better" of all pairs, each once, ascending. */
static void assert_pairs(const char *settings, const char *const files[3], const bool *done, const char *expected)
{
    struct world      w;
    struct shuffle   *pairs = NULL;
    struct sort_item *item;
    struct bytes      text = { 0 };
    size_t            count;

    world_open(&w, settings, files);
    world_classes(&w);
    assert_int_equal(w.state.blocks, 1);
    WORLD_DO(candidates_make(&w.state, done, &pairs, err));
    WORLD_DO(shuffle_take(pairs, 0, &item, &count, err));
    for (size_t i = 0; i < count; i++)
        if (!i || item[i].key != item[i - 1].key || item[i].value != item[i - 1].value)
            assert_int_equal(bytes_printf(&text, "%s%llu-%llu", text.len ? " " : "", (unsigned long long)item[i].key,
                                          (unsigned long long)item[i].value), 0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, expected);
    bytes_free(&text);
    free(item);
    shuffle_close(pairs);
    world_close(&w);
}

static void test_pairs(void **unused)
{
    /* ids by the length of the path; 3 is a copy of 0, 4 shares one of five words with 1 */
    static const char *const files[3] = {
        "{\"text\": \"p q r s\", \"path\": \"1\"}\n{\"text\": \"q r s t\", \"path\": \"12\"}\n"
        "{\"text\": \"v w\", \"path\": \"123\"}\n{\"text\": \"s r q p\", \"path\": \"1234\"}\n"
        "{\"text\": \"q m n o\", \"path\": \"12345\"}\n", NULL, NULL };

    (void)unused;
    assert_pairs(", keep: [path], datasets: a", files, (const bool[]){ false }, "1-0");
    assert_pairs(", keep: [path], datasets: a", files, (const bool[]){ true }, "");      /* the block is done */
    assert_pairs(", keep: [path], datasets: a, min_tokens: 5", files, (const bool[]){ false }, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_codes), cmocka_unit_test(test_pairs) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
