/* sensitive/random: entropy, pairs of neighbours counted by hand, words counted. */
#include "sensitive/key.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_entropy(struct slice text, double bits)
{
    if (fabs(sensitive_entropy(text) - bits) > 1e-12) fail_msg("%.17g bits", sensitive_entropy(text));
}

static void test_entropy(void **state)
{
    char all[256];

    (void)state;
    for (int i = 0; i < 256; i++) all[i] = (char)i;
    assert_entropy((struct slice){ all, 256 }, 8);
    assert_entropy((struct slice){ all, 1 }, 0);            /* a NUL is a byte as any other */
    assert_entropy((struct slice){ all + 127, 2 }, 1);      /* and so is one with the sign bit */
    assert_entropy((struct slice){ NULL, 0 }, 0);
    assert_entropy(SLICE("aab"), log2(3) - 2.0 / 3);
    assert_entropy(SLICE("abcc"), 1.5);
    assert_entropy(SLICE("aaaaaaab"), -7.0 / 8 * log2(7.0 / 8) + 3.0 / 8);
}

/* Pairs that count, and those of them that are natural: below 60 % it is gibberish. */
static void test_gibberish(void **state)
{
    static const struct { const char *text; bool gibberish; } rows[] = {
        { "", false }, { "x", false },                      /* no pair */
        { "aaaaqx", false },                                /* aa aa aa | aq qx: 60 % */
        { "aaaqxq", true },                                 /* aa aa | aq qx xq: 40 % */
        { "abcd", false }, { "1234", false }, { "890", true },     /* counts on, but 9 and 0 do not */
        { "zyxw", true }, { "13", true },
        { "a1", true }, { "1a", true },                     /* a letter beside a digit */
        { "th", false }, { "tq", true }, { "TH", false }, { "Th", false },      /* in any case */
        { "qX", false },                                    /* a capital after a small letter ends the word */
        { "QX", true }, { "Qx", true },
        { "q-x", false }, { "q_1", false }, { "q\xC3\xA9x", false },            /* and so does all that is no letter */
        { "q-qx-th", true },                                /* qx | th: 50 % of two */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sensitive_is_gibberish(slice_of(rows[i].text)) != rows[i].gibberish) fail_msg("`%s`", rows[i].text);
    assert_false(sensitive_is_gibberish((struct slice){ "thx", 2 }));           /* nothing behind the end */
}

static void test_mentions(void **state)
{
    (void)state;
    assert_int_equal(sensitive_mentions(SLICE("SHA sha Sha-1, shah"), "sha"), 4);
    assert_int_equal(sensitive_mentions(SLICE("aaaa"), "aa"), 3);               /* they may overlap */
    assert_int_equal(sensitive_mentions(SLICE("sh"), "sha"), 0);
    assert_int_equal(sensitive_mentions((struct slice){ "sha", 2 }, "sha"), 0);
    assert_int_equal(sensitive_mentions(SLICE(""), "sha"), 0);
    assert_int_equal(sensitive_mentions(SLICE("\x53ha"), "sha"), 1);
    assert_int_equal(sensitive_mentions(SLICE("\x93ha @HA"), "sha"), 0);        /* | 0x20 is for capitals alone */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_entropy), cmocka_unit_test(test_gibberish),
                                        cmocka_unit_test(test_mentions) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
