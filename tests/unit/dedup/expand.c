/* tests/unit/dedup/expand.c -- classes and links spelled out as pairs of documents, whole and as stars. */
#include "dedup/expand.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* Classes {0, 2} and {1, 3, 4}, linked; 1 stays for both.  5 is as 6 in bytes, not compared otherwise. */
static struct dedup_document document[] = {
    { 10, { 1, 0 }, 0, 1 }, { 20, { 2, 0 }, 1, 1 }, { 30, { 1, 0 }, 0, 1 }, { 40, { 2, 9 }, 1, 1 },
    { 50, { 2, 0 }, 1, 1 }, { 60, { 4, 0 }, 5, 0 }, { 70, { 4, 0 }, 5, 0 },
};
static struct graph_fate fate[] = {
    { 1, 5, 6, 4, false }, { 1, 5, 7, 5, true }, { 1, 5, 6, 4, false }, { 1, 5, 7, 5, false }, { 1, 5, 7, 5, true },
    { 5, 2, 0, 0, true }, { 5, 2, 0, 0, false },
};
static uint64_t listed[] = { 1ull << 10 | 1ull << 20 | 1ull << 30 | 1ull << 40 | 1ull << 50 | 1ull << 60, 1ull << 6 };
static uint32_t before[] = { 0, 6 };
static struct dedup_link   dedup_links[] = { { .first = 10, .second = 20, .marks = DEDUP_SIMILAR, .shared = 4,
                                         .union_size = 5, .min_sum = 6, .max_sum = 7 } };
static struct dedup_result result = { .document = document, .document_count = 7, .fate = fate, .listed = listed,
                                      .before = before, .catalogue = { .documents = 71 }, .link = dedup_links,
                                      .link_count = 1 };

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

    return cmocka_run_group_tests(tests, NULL, NULL);
}
