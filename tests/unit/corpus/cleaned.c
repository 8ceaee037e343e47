/* tests/unit/corpus/cleaned.c -- values that can stand in a list. */
#include "corpus/cleaned.h"

#include "tests/unit/folder.h"

static void test_values(void **unused)
{
    static const struct { struct slice value; const char *written; } rows[] = {
        { SLICE(""), "" }, { SLICE("plain \xC3\xA9"), "plain \xC3\xA9" },
        { SLICE("a\tb\nc\\d"), "a\\x09b\\x0Ac\\x5Cd" },
        { SLICE("\xFFx\xC3"), "\\xFFx\\xC3" }, { SLICE("\x7F\0\x1F "), "\\x7F\\x00\\x1F " },
    };
    struct bytes out = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        out.len = 0;
        assert_int_equal(cleaned_value(&out, rows[i].value), 0);
        if (!slice_equal(bytes_slice(&out), slice_of(rows[i].written))) fail_msg("%.*s", (int)out.len, out.at);
    }
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
