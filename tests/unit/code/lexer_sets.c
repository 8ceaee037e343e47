/* tests/unit/code/lexer_sets.c -- what the classes say of a byte is what the operators of its row say. */
#include "tokens.h"

static void gaps(void **unused)
{
    size_t single = 0, longer = 0;

    (void)unused;
    for (size_t i = 0; language_at(i); i++) {
        struct lexer_sets sets;

        lexer_sets_make(&sets, language_at(i));
        for (unsigned c = 0; c < 256; c++) {
            const bool blank = c && strchr(" \t\n\v\f\r", (int)c);

            assert_int_equal(sets.gap[c] == GAP_BLANK, blank);
            if (byteset_has(&sets.stray, (uint8_t)c)) assert_int_equal(sets.gap[c], GAP_OTHER);
            if (sets.gap[c] == GAP_BLANK || sets.gap[c] == GAP_OTHER) continue;
            single += sets.gap[c] == GAP_SINGLE;
            longer += sets.gap[c] == GAP_LONGER;
            for (unsigned d = 1; d < 256; d++) {
                if (sets.gap[c] == GAP_LONGER && sets.gap[d] != GAP_BLANK) continue;
                for (unsigned e = ' '; e < 0x7F; e++) {
                    const char text[] = { (char)c, (char)d, (char)e, (char)c };

                    if (operator_length(language_at(i), text, sizeof text) != 1)
                        fail_msg("%s: %.3s", language_name(language_at(i)), text);
                }
            }
        }
    }
    assert_true(single > 0 && longer > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gaps) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
