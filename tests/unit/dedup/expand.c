/* tests/unit/dedup/expand.c -- classes and links spelled out as pairs of documents, whole and as stars. */
#include "dedup/expand.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Classes {0, 2} and {1, 3, 4}, linked; 1 stays for both.  5 is as 6 in bytes, not compared otherwise.  Their ordinals
 * are 10, 20, ... */
enum { DOCUMENTS = 7 };
static const struct dedup_copy copy[DOCUMENTS] = {
    { 0, 0, { 1, 0 } }, { 1, 1, { 2, 0 } }, { 0, 2, { 1, 0 } }, { 1, 3, { 2, 9 } }, { 1, 4, { 2, 0 } },
    { 5, 5, { 4, 0 } }, { 5, 6, { 4, 0 } },
};
#define FATE(of, many, occurrences, features_, stays) \
    { .canonical = of, .size = many, .features = occurrences, .distinct = features_, .kept = stays }
static struct graph_fate fate[] = {
    FATE(1, 5, 6, 4, 0), FATE(1, 5, 7, 5, 1), FATE(1, 5, 6, 4, 0), FATE(1, 5, 7, 5, 0), FATE(1, 5, 7, 5, 1),
    FATE(5, 2, 0, 0, 1), FATE(5, 2, 0, 0, 0),
};
static uint32_t            representative[DOCUMENTS] = { 0, 1, 0, 1, 1, 5, 5 };
static uint64_t            admitted = 0x1F;
static struct dedup_link   dedup_links[] = { { .first = 10, .second = 20, .marks = DEDUP_SIMILAR, .shared = 4,
                                         .union_size = 5, .min_sum = 6, .max_sum = 7 } };
static struct dedup_result result = { .fate = fate, .admitted = &admitted, .representative = representative,
                                      .link = dedup_links, .link_count = 1 };

static int open_result(void **unused)
{
    const struct runs_options options = dedup_copies_options(NULL, 0);
    struct err                err = { 0 };

    (void)unused;
    assert_int_equal(ranked_open(&result.listed, 71), 0);
    assert_int_equal(runs_open(&result.copies, &options, &err), 0);
    for (uint64_t d = DOCUMENTS; d-- > 0;) {                /* the first of a class need not be added first */
        ranked_add(&result.listed, 10 * (d + 1));
        assert_int_equal(runs_add(result.copies, &copy[d], &err), 0);
    }
    assert_int_equal(runs_end(result.copies, &err), 0);
    return ranked_end(&result.listed);
}

static int close_result(void **unused)
{
    (void)unused;
    runs_close(result.copies);
    ranked_free(&result.listed);
    return 0;
}

static struct runs *open_runs(void)
{
    const struct runs_options options = pairs_options(NULL, 0);
    struct runs              *runs;
    struct err                err = { 0 };

    assert_int_equal(runs_open(&runs, &options, &err), 0);
    return runs;
}

/* "a-b kind" of all pairs, kinds as e(xact), n(ear), c(ontained), =(copy). */
static void assert_pairs(struct dedup_options options, const char *expected)
{
    struct runs             *runs = open_runs();
    const struct graph_edge *edge;
    size_t                   count;
    struct bytes             text = { 0 };
    struct err               err = { 0 };

    if (expand_dedup(&options, &result, runs, &err) < 0) fail_msg("%s", err.text);
    edge = runs_records(runs, &count);
    for (size_t e = 0; e < count; e++)
        assert_int_equal(bytes_printf(&text, "%s%u-%u%c", e ? " " : "", edge[e].a, edge[e].b, "enc?="[edge[e].kind]),
                         0);
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, expected);
    bytes_free(&text);
    runs_close(runs);
}

static void test_all(void **unused)
{
    (void)unused;
    assert_pairs((struct dedup_options){ .pairs_all = true, .bucket_cap = 100 },
                 "0-1n 0-2e 0-3n 0-4n 1-2n 1-3n 1-4e 2-3n 2-4n 3-4n 5-6=");
    /* the class of three is above the cap: pairs with its representative, and over the link with either one */
    assert_pairs((struct dedup_options){ .pairs_all = true, .bucket_cap = 2 },
                 "0-1n 0-2e 0-3n 0-4n 1-2n 1-3n 1-4e 5-6=");
    dedup_links[0].marks = DEDUP_FIRST_INSIDE;
    assert_pairs((struct dedup_options){ .pairs_all = true, .bucket_cap = 2 },
                 "0-1c 0-2e 0-3c 0-4c 1-2c 1-3n 1-4e 5-6=");
    dedup_links[0].marks = DEDUP_SIMILAR;
}

/* Each removed document with the one that stays; 4 is protected and 1 is that one. */
static void test_stars(void **unused)
{
    (void)unused;
    assert_pairs((struct dedup_options){ .bucket_cap = 100 }, "0-1n 1-2n 1-3n 5-6=");
    result.link_count = 0;                                  /* through others: no pair was verified */
    assert_pairs((struct dedup_options){ .bucket_cap = 100 }, "1-3n 5-6=");
    result.link_count = 1;
}

static void test_numbers(void **unused)
{
    const struct dedup_options options = { .pairs_all = true, .bucket_cap = 100 };
    struct runs               *runs = open_runs();
    const struct graph_edge   *edge;
    size_t                     count;
    struct err                 err = { 0 };

    (void)unused;
    assert_int_equal(expand_dedup(&options, &result, runs, &err), 0);
    edge = runs_records(runs, &count);
    assert_true(edge[0].shared == 4 && edge[0].union_size == 5 && edge[0].min_sum == 6 && edge[0].max_sum == 7);
    assert_true(edge[1].shared == 4 && edge[1].union_size == 4 && edge[1].min_sum == 6 && edge[1].max_sum == 6);
    runs_close(runs);
    runs = open_runs();
    dedup_links[0].second = 21;
    assert_int_equal(expand_dedup(&options, &result, runs, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "document 21 is named by another one and not there itself"));
    runs_close(runs);
    dedup_links[0].second = 20;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all), cmocka_unit_test(test_stars),
                                        cmocka_unit_test(test_numbers) };

    return cmocka_run_group_tests(tests, open_result, close_result);
}
