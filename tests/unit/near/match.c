/* tests/unit/near/match.c -- which documents of a streamed corpus match, and with what. */
#include "tests/unit/near/small_join.h"

static const char bench[] = "{\"text\": \"a b c d e\"}\n"
                            "{\"text\": \"p q\"}\n"
                            "{\"text\": \"x y z\"}\n";

static const char code[] = "{\"text\": \"a b c d e\"}\n"    /* equal */
                           "{\"text\": \"a b c d n1\"}\n"   /* 4 of 6 */
                           "{\"text\": \"d c b a\"}\n"      /* 4 of 5, and 4 of 5 */
                           "{\"text\": \"a b c d e e e e\"}\n"          /* the same words, but 5 of 8 */
                           "{\"text\": \"p q\"}\n"          /* a copy of the short one */
                           "{\"text\": \"p  q\"}\n"         /* but for white space */
                           "{\"text\": \"n1 n2 n3 n4\"}\n"
                           "{\"text\": \"c a b d\"}\n"      /* as the third: the same links */
                           "{\"text\": \"a b c d e n1 n2 n3 n4 n5\"}\n"         /* the item is inside */
                           "{\"text\": \"p q.\"}\n";        /* no copy */

struct expected { uint64_t record; uint32_t marks, shared, union_size, min_sum, max_sum; };

static void check(const char *settings, const struct expected *expected, size_t count)
{
    const struct near_row  *row;
    const struct near_link *link;
    struct pass_unit        unit;
    size_t                  rows;

    small_join(settings, bench, NULL, code);
    small_prepare();
    small_scan();
    assert_int_equal(job->benchmarks->classes, 2);          /* x y z, then a b c d e */
    row = small_rows(near_scanner(job), 1, &unit, &rows);
    link = (const void *)pass_unit_section(&unit, 0, PART_VALUES).at;
    assert_int_equal(rows, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(row[i].record, expected[i].record);
        assert_int_equal(row[i].copy_low != 0, expected[i].union_size == 0);
        if (!expected[i].union_size) {
            assert_int_equal(row[i].value_count, 0);
            continue;
        }
        assert_int_equal(row[i].value_count, 1);
        assert_int_equal(link[row[i].value_at].second, 1);
        assert_int_equal(link[row[i].value_at].marks, expected[i].marks);
        assert_int_equal(link[row[i].value_at].shared, expected[i].shared);
        assert_int_equal(link[row[i].value_at].union_size, expected[i].union_size);
        assert_int_equal(link[row[i].value_at].min_sum, expected[i].min_sum);
        assert_int_equal(link[row[i].value_at].max_sum, expected[i].max_sum);
    }
    unit_close(&unit.file);
    small_end();
}

static void test_matches(void **unused)
{
    static const struct expected plain[] = {
        { 0, NEAR_SIMILAR, 5, 5, 5, 5 }, { 2, NEAR_SIMILAR, 4, 5, 4, 5 }, { 4, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0 },
        { 7, NEAR_SIMILAR, 4, 5, 4, 5 },
    };
    static const struct expected inside[] = {
        { 0, NEAR_SIMILAR, 5, 5, 5, 5 }, { 2, NEAR_SIMILAR, 4, 5, 4, 5 }, { 3, NEAR_SECOND_INSIDE, 5, 5, 5, 8 },
        { 4, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0 }, { 7, NEAR_SIMILAR, 4, 5, 4, 5 },
        { 8, NEAR_SECOND_INSIDE, 5, 10, 5, 10 },
    };
    static const struct expected floor[] = {
        { 0, NEAR_SIMILAR, 5, 5, 5, 5 }, { 1, NEAR_ABOVE_FLOOR, 4, 6, 4, 6 }, { 2, NEAR_SIMILAR, 4, 5, 4, 5 },
        { 3, NEAR_ABOVE_FLOOR, 5, 5, 5, 8 }, { 4, 0, 0, 0, 0, 0 }, { 5, 0, 0, 0, 0, 0 },
        { 7, NEAR_SIMILAR, 4, 5, 4, 5 },
    };

    (void)unused;
    check("", plain, 5);
    check("containment_threshold: 0.9", inside, 7);
    check("report_floor: 0.6", floor, 7);
}

/* Documents too large for a similar item: with `of` of the item's 15 words among 200 others, each as often as there, or
 * once.  14 are 0.93; occurrences must reach it, too. */
static void check_held(unsigned of, bool once, bool held)
{
    static char          item[400], text[4000];
    struct pass_unit     unit;
    size_t               rows;
    const struct near_row *row;
    int                  in = 0, out = 0;

    in += sprintf(item + in, "{\"text\": \"");
    for (unsigned w = 0; w < 15; w++) in += sprintf(item + in, "w%u w%u ", w, w);
    sprintf(item + in, "\"}\n{\"text\": \"s1 s2 s3 s4 s5 s6 s7\"}\n");
    out += sprintf(text + out, "{\"text\": \"s1 s2 s3 s4 s5 s6 s7 ");
    for (unsigned w = 0; w < of; w++) out += sprintf(text + out, once ? "w%u " : "w%u w%u ", w, w);
    for (unsigned w = 0; w < 200; w++) out += sprintf(text + out, "n%u ", w);
    sprintf(text + out, "\"}\n");
    small_join("view: identifiers, containment_threshold: auto", item, NULL, text);
    small_prepare();
    small_scan();
    row = small_rows(near_scanner(job), 1, &unit, &rows);
    assert_int_equal(rows, held);
    if (held) {
        const struct near_link *link = (const void *)pass_unit_section(&unit, 0, PART_VALUES).at;

        assert_int_equal(row->value_count, 1);
        assert_int_equal(link[row->value_at].marks, NEAR_SECOND_INSIDE);
        assert_int_equal(link[row->value_at].shared, of);
    }
    unit_close(&unit.file);
    small_end();
}

static void test_held(void **unused)
{
    (void)unused;
    check_held(15, false, true);
    check_held(14, false, true);
    check_held(13, false, false);
    check_held(15, true, false);
    check_held(0, false, false);                            /* seven words of the other item are too few */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_matches), cmocka_unit_test(test_held) };

    return SMALL_KERNELS() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
