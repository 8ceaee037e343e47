/* tests/unit/inclusion/half.c -- which functions are asked for, where they are cut, what published code compares. */
#include "inclusion/half.h"
#include "tests/unit/audit/text.h"

static struct audit_reader     reader;
static struct inclusion_halves halves;
static struct bytes            room;
static struct slice            text;

static void find(const char *language, const char *of, bool published, uint32_t most)
{
    struct err err = { 0 };

    room.len = 0;
    assert_int_equal(bytes_append_slice(&room, slice_of(of)), 0);
    assert_int_equal(bytes_reserve(&room, room.len + BYTES_PAD), 0);
    memset(room.at + room.len, 0, BYTES_PAD);
    text = bytes_slice(&room);
    assert_int_equal(half_find(&reader, language_by_name(slice_of(language)), text, published, most, &halves, &err), 0);
}

static struct slice part(size_t from, size_t to) { return (struct slice){ text.at + from, to - from }; }

static void test_halves(void **state)
{
    (void)state;
    find("python", "def f(a):\n x = 1\n # c\n return x", true, 0);
    assert_int_equal(halves.count, 1);
    expect_slice(half_shown(text, halves.at, true), "def f(a):\n x = 1");
    expect_slice(part(halves.at->middle, halves.at->end), " # c\n return x");

    find("python", "def one(): return 2", true, 0);
    assert_int_equal(halves.count, 1);
    expect_slice(half_shown(text, halves.at, true), "");
    expect_slice(part(halves.at->middle, halves.at->end), "def one(): return 2");

    find("python", "x = 1\n\nclass A:\n    @old\n    def f(self):\n        a = 1\n        return a\n\n", true, 0);
    assert_int_equal(halves.count, 1);                      /* three lines: one and two; with its indentation */
    assert_int_equal(halves.at->line, 5);
    expect_slice(half_shown(text, halves.at, true), "    def f(self):");
    expect_slice(part(halves.at->middle, halves.at->end), "        a = 1\n        return a");
}

/* The line feed between the halves is lost, white space before the first is left out. */
static void test_compared(void **state)
{
    struct bytes made = { 0 };

    (void)state;
    find("python", "class A:\n    def f(a):\n        x = 1\n        # c\n        return x\n", true, 0);
    assert_int_equal(half_original(text, halves.at, &made), 0);
    expect_slice(bytes_slice(&made), "def f(a):\n        x = 1        # c\n        return x");
    made.len = 0;
    assert_int_equal(half_generated(text, halves.at, SLICE("\n        return 2"), &made), 0);
    expect_slice(bytes_slice(&made), "def f(a):\n        x = 1\n        return 2");
    find("python", "    def one(): return 2", true, 0);
    made.len = 0;
    assert_int_equal(half_original(text, halves.at, &made), 0);
    expect_slice(bytes_slice(&made), "    def one(): return 2");
    made.len = 0;
    assert_int_equal(half_generated(text, halves.at, SLICE(" \n x"), &made), 0);
    expect_slice(bytes_slice(&made), "x");
    bytes_free(&made);
}

static void test_published(void **state)
{
    struct bytes many = { 0 };
    static const char *const names[] = { "a", "e", "b", "c" };

    (void)state;
    /* outer ones first; none that is async; none of a text that Python's tokenizer does not read */
    find("python", "def a():\n    def b():\n        def c():\n            pass\n    async def d():\n        pass\n"
         "def e():\n    pass\n", true, 1);
    assert_int_equal(halves.count, 4);
    for (size_t i = 0; i < 4; i++) expect_slice(part(halves.at[i].head + 4, halves.at[i].head + 5), names[i]);
    find("python", "def a():\n    pass\nx = (\n", true, 0);
    assert_int_equal(halves.count, 0);
    find("java", "class A { int f() { return 1; } }", true, 0);
    assert_int_equal(halves.count, 0);

    for (size_t spaces = 2045; spaces <= 2046; spaces++) {  /* and two others, which makes a piece more */
        many.len = 0;
        assert_int_equal(bytes_printf(&many, "def f(a):%*s#\n\treturn 1%c", (int)spaces, "", 0), 0);
        find("python", many.at, true, 0);
        assert_int_equal(halves.count, spaces == 2045);
    }
    bytes_free(&many);
}

static const char java[] = "class A {\n    int f(int a) {\n        int b = a;\n        b++;\n        b++;\n"
                           "        b--;\n        b += 2;\n        b += 3;\n        b -= 4;\n        b *= 5;\n"
                           "        return b;\n    }\n"
                           "    int g() {\n        return 1;\n    }\n}\n";

static void test_exact(void **state)
{
    struct bytes many = { 0 };
    size_t       first;

    (void)state;
    find("java", java, false, 0);                           /* the other one is too short */
    assert_int_equal(halves.count, 1);
    expect_slice(half_shown(text, halves.at, false), "    int f(int a) {\n        int b = a;\n        b++;\n        "
                 "b++;\n        b--;");
    assert_true(strncmp(text.at + halves.at->middle, "        b += 2;\n", 16) == 0);
    assert_true(text.at[halves.at->end - 1] == '}');

    for (int i = 0; i < 6; i++)
        assert_int_equal(bytes_printf(&many, "def f%d(a):\n    b = %d\n\n    c(1)\n    c(2)\n    c(3)\n    c(4)\n    "
                                      "c(5)\n    c(6)\n    return b\n\n", i, i), 0);
    assert_int_equal(bytes_append(&many, "", 1), 0);
    find("python", many.at, false, 0);
    assert_int_equal(halves.count, 6);
    for (size_t i = 0; i < 6; i++) assert_int_equal(halves.at[i].line, 1 + 11 * i);
    find("python", many.at, false, 2);
    assert_int_equal(halves.count, 2);
    assert_true(halves.at[0].at < halves.at[1].at);
    first = halves.at[0].at;
    find("python", many.at, false, 2);
    assert_int_equal(halves.at[0].at, first);
    find("text", "def f", false, 0);
    assert_int_equal(halves.count, 0);
    bytes_free(&many);
}

static int teardown(void **state)
{
    (void)state;
    half_free(&halves);
    audit_reader_free(&reader);
    bytes_free(&room);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_halves), cmocka_unit_test(test_compared),
                                        cmocka_unit_test(test_published), cmocka_unit_test(test_exact) };

    return cmocka_run_group_tests(tests, NULL, teardown);
}
