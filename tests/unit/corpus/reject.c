/* corpus/reject: rejects are kept in order, and nothing hostile gets through their texts. */
#include "corpus/reject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_paths(void **state)
{
    struct reject_list list = { 0 };

    (void)state;
    assert_int_equal(reject_add(&list, 0, 0, 1, REJECT_CORRUPT, "a"), 0);
    assert_int_equal(reject_set_path(&list, SLICE("a/b.c")), 0);
    assert_int_equal(reject_add(&list, 1, 0, 1, REJECT_CORRUPT, "b"), 0);
    assert_int_equal(reject_add(&list, 2, 0, 1, REJECT_CORRUPT, "c"), 0);
    assert_int_equal(reject_set_path(&list, SLICE("\xFF")), 0);
    assert_true(list.at[0].path_at == 0 && list.at[0].path_len == 5 && list.at[1].path_len == 0);
    assert_true(list.at[2].path_at == 5 && list.at[2].path_len == 1);
    assert_memory_equal(list.paths.at, "a/b.c\xFF", 6);
    reject_list_clear(&list);
    assert_int_equal(reject_add(&list, 3, 0, 1, REJECT_CORRUPT, "d"), 0);
    assert_true(list.count == 1 && list.paths.len == 0 && list.at[0].path_len == 0);
    reject_list_free(&list);
}

static void test_add(void **state)
{
    enum { COUNT = 1000, SKIPS = (COUNT - 1 - REJECT_BINARY) / REJECT_REASON_COUNT + 1 };
    struct reject_list list = { 0 };

    (void)state;
    assert_int_equal(reject_records(list.at, list.count), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        assert_int_equal(reject_add(&list, i, i * i, 3 * i, (enum reject_reason)(i % REJECT_REASON_COUNT), "number %d",
                                    (int)i), 0);
    assert_int_equal(list.count, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        char want[32];

        snprintf(want, sizeof want, "number %d", (int)i);
        assert_int_equal(list.at[i].record, i);
        assert_int_equal(list.at[i].byte, i * i);
        assert_int_equal(list.at[i].records, 1);
        assert_true(list.at[i].bytes == 3 * i && list.at[i].missing == 0);
        assert_int_equal(list.at[i].reason, i % REJECT_REASON_COUNT);
        assert_string_equal(list.at[i].detail, want);
    }
    list.at[7].records = 100;                               /* a row group */
    assert_int_equal(reject_records(list.at, list.count), COUNT + 99 - SKIPS);
    assert_int_equal(reject_records(list.at, 7), 7);
    assert_true(reject_is_skip(&list.at[REJECT_BINARY]) && !reject_is_skip(&list.at[REJECT_BINARY - 1]));
    reject_list_free(&list);
    assert_true(!list.at && !list.count && !list.room);
    reject_list_free(&list);
}

static void test_detail(void **state)
{
    struct reject_list list = { 0 };
    char               every[257], text[201];

    (void)state;
    for (int i = 1; i < 256; i++) every[i - 1] = (char)i;
    every[255] = '\0';
    for (size_t at = 0; at < 255; at += 50) {
        assert_int_equal(reject_add(&list, 0, 0, 1, REJECT_CORRUPT, "%.50s", every + at), 0);
        for (size_t i = 0; i < 50 && at + i < 255; i++) {
            unsigned char was = (unsigned char)every[at + i];

            assert_int_equal(list.at[list.count - 1].detail[i], was >= ' ' && was <= '~' ? was : '?');
        }
    }
    memset(text, 'x', sizeof text - 1);
    for (int len = 81; len < 87; len++) {                  /* around the room for it */
        const struct reject *reject;

        assert_int_equal(reject_add(&list, 0, 0, 1, REJECT_CORRUPT, "%.*s", len, text), 0);
        reject = &list.at[list.count - 1];
        assert_int_equal(strlen(reject->detail), len < 83 ? len : 83);
    }
    reject_list_free(&list);
}

/* Names stand in reports and files: each reason has one, and its own. */
static void test_names(void **state)
{
    (void)state;
    for (int i = 0; i < REJECT_REASON_COUNT; i++) {
        assert_non_null(reject_names[i]);
        assert_true(*reject_names[i]);
        assert_int_equal(strlen(reject_names[i]), strspn(reject_names[i], "abcdefghijklmnopqrstuvwxyz-8"));
        for (int j = 0; j < i; j++) assert_string_not_equal(reject_names[i], reject_names[j]);
    }
    assert_string_equal(reject_names[REJECT_INVALID_UTF8], "invalid-utf8");
    assert_string_equal(reject_names[REJECT_MISSING_FIELD], "missing-field");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_add), cmocka_unit_test(test_paths),
                                        cmocka_unit_test(test_detail), cmocka_unit_test(test_names) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
