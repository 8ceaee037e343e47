/* tests/unit/inclusion/second.c -- what is written in a function's second half, by clone types. */
#include "inclusion/second.h"
#include "tests/unit/audit/text.h"

static struct second_reader reader;

#define HEAD "def f(a):\n    b = a\n    c = b\n"
#define TAIL "    d(b)\n    e = c + 1\n    if e:\n        return b\n    return c\n"

static void take(const char *of, struct second *out)
{
    const struct functions *functions;
    char                    text[1024] = { 0 };
    struct err              err = { 0 };

    strcpy(text, of);
    assert_int_equal(second_read(&reader, language_by_name(SLICE("python")), slice_of(text), &functions, &err), 0);
    assert_true(functions->count > 0 && functions->at[0].at == 0);
    assert_int_equal(second_take(&reader, 0, strlen(HEAD), out, &err), 0);
}

static void is(const char *written, enum clone_type want, double want_alike)
{
    struct second   one = { .room = 0 }, other = { .room = 0 };
    enum clone_type type;
    double          alike;
    struct err      err = { 0 };

    take(HEAD TAIL, &one);
    take(written, &other);
    assert_int_equal(one.first, 3);
    assert_int_equal(one.form.items, 8);
    assert_int_equal(second_compare(&one, &other, &type, &alike, &err), 0);
    assert_int_equal(type, want);
    assert_true(alike > want_alike - 1e-12 && alike < want_alike + 1e-12);
    second_free(&one);
    second_free(&other);
}

static void test_types(void **state)
{
    (void)state;
    is(HEAD TAIL, CLONE_TYPE_1, 1);
    is(HEAD "    # as before\n" TAIL "\nx = 1\ndef g():\n    pass\n", CLONE_TYPE_1, 1);     /* cut at its end */
    is(HEAD "    d(b)\n    z = c + 2\n    if z:\n        return b\n    return c\n", CLONE_TYPE_2C, 1);
    is(HEAD "    d(b)\n    e = b + 1\n    if e:\n        return b\n    return c\n", CLONE_TYPE_2, 1);
    is(HEAD "    d(b, c)\n    e = c + 1\n    if e:\n        return b\n    return c\n", CLONE_TYPE_3, 4.0 / 5);
    /* the first halves are not counted: 3 + 3 of 8 would do */
    is(HEAD "    d(b, c)\n    e = c - 1\n    if e:\n        return b\n    return c\n", CLONE_TYPES, 3.0 / 5);
    is(HEAD, CLONE_TYPES, 0);
    is(HEAD TAIL "    x()\n    y()\n", CLONE_TYPE_3, 5.0 / 7);
    is(HEAD TAIL "    x()\n    y()\n    z()\n", CLONE_TYPES, 5.0 / 8);
}

/* A function of more statements than there is room for at first. */
static void test_long(void **state)
{
    enum { STATEMENTS = 700 };
    const struct functions *functions;
    struct bytes            text = { 0 };
    struct second           one = { .room = 0 }, other = { .room = 0 };
    enum clone_type         type;
    double                  alike;
    struct err              err = { 0 };

    (void)state;
    assert_int_equal(bytes_printf(&text, HEAD), 0);
    for (int i = 0; i < STATEMENTS; i++) assert_int_equal(bytes_printf(&text, "    g(%d)\n", i), 0);
    assert_int_equal(bytes_reserve(&text, text.len + BYTES_PAD), 0);
    memset(text.at + text.len, 0, BYTES_PAD);
    assert_int_equal(second_read(&reader, language_by_name(SLICE("python")), bytes_slice(&text), &functions, &err), 0);
    assert_int_equal(second_take(&reader, 0, strlen(HEAD), &one, &err), 0);
    assert_int_equal(second_take(&reader, 0, strlen(HEAD), &other, &err), 0);
    assert_int_equal(one.form.items, 3 + STATEMENTS);
    assert_int_equal(one.first, 3);
    assert_int_equal(second_compare(&one, &other, &type, &alike, &err), 0);
    assert_int_equal(type, CLONE_TYPE_1);
    second_free(&one);
    second_free(&other);
    bytes_free(&text);
}

static int setup(void **state)
{
    struct err err = { 0 };

    (void)state;
    return second_open(&reader, &err);
}

static int teardown(void **state)
{
    (void)state;
    second_close(&reader);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_types), cmocka_unit_test(test_long) };

    return cmocka_run_group_tests(tests, setup, teardown);
}
