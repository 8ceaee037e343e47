/* base/err: codes go through, contexts go before the text, and no text is too long for it. */
#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_set(void **state)
{
    struct err err = { 0 };

    (void)state;
    assert_int_equal(err_set(&err, -EIO, "%s: byte %d", "a.zst", 7), -EIO);
    assert_int_equal(err.code, -EIO);
    assert_string_equal(err.text, "a.zst: byte 7");
    assert_int_equal(err_set(&err, -EINVAL, "again"), -EINVAL);                 /* nothing of the first is left */
    assert_string_equal(err.text, "again");
    assert_int_equal(err_memory(&err, 18446744073709551615u, "a table"), -ENOMEM);
    assert_int_equal(err.code, -ENOMEM);
    assert_string_equal(err.text, "out of memory (18446744073709551615 bytes for a table)");
}

static void test_write(void **state)
{
    (void)state;
    assert_int_equal(err_of_write(ENOSPC), -ENOSPC);
    assert_int_equal(err_of_write(EDQUOT), -ENOSPC);
    assert_int_equal(err_of_write(ENOMEM), -ENOMEM);
    assert_int_equal(err_of_write(EACCES), -EIO);
}

static void test_add(void **state)
{
    struct err err = { 0 };

    (void)state;
    err_set(&err, -EBADMSG, "record 3 is %s", "100% bad");
    assert_int_equal(err_add(&err, "shard %d", 12), -EBADMSG);
    assert_int_equal(err.code, -EBADMSG);
    assert_string_equal(err.text, "shard 12: record 3 is 100% bad");            /* the old text is no format */
    assert_int_equal(err_add(&err, "dataset %s", "d"), -EBADMSG);
    assert_string_equal(err.text, "dataset d: shard 12: record 3 is 100% bad");
}

/* Texts around the size of the field: cut, terminated, and nothing behind is touched. */
static void test_long(void **state)
{
    enum { ROOM = sizeof ((struct err *)0)->text };
    char long_text[2 * ROOM + 1];

    (void)state;
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    for (int len = ROOM - 4; len < ROOM + 4; len++) {
        struct { struct err err; char behind[8]; } field = { .behind = "kept" };
        size_t cut = len < ROOM ? (size_t)len : ROOM - 1;

        assert_int_equal(err_set(&field.err, -EIO, "%.*s", len, long_text), -EIO);
        assert_int_equal(strlen(field.err.text), cut);
        assert_int_equal(err_add(&field.err, "ab"), -EIO);
        assert_int_equal(strlen(field.err.text), cut + 4 < ROOM ? cut + 4 : ROOM - 1);
        assert_memory_equal(field.err.text, "ab: xxx", 7);
        assert_int_equal(err_add(&field.err, "%.*s", len, long_text), -EIO);
        assert_memory_equal(field.err.text, long_text, cut);
        if (len + 2 < ROOM) assert_string_equal(field.err.text + cut, len + 2 == ROOM - 1 ? ": " : len + 3 == ROOM - 1
                                                ? ": a" : ": ab");
        assert_true(strlen(field.err.text) < ROOM);
        assert_string_equal(field.behind, "kept");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_set), cmocka_unit_test(test_write),
                                        cmocka_unit_test(test_add), cmocka_unit_test(test_long) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
