/* export/format: which format takes which thing; numbers as they are written. */
#include "export/format.h"

#include "tests/unit/export/exported.h"

static void test_takes(void **state)
{
    static const struct { const char *format, *thing; bool takes; } cases[] = {
        { "tsv", "rules", true }, { "parquet", "clusters", true }, { "graphml", "pairs", true },
        { "gexf", "removed", true }, { "graphml", "clusters", false }, { "gexf", "rules", false },
        { "sarif", "items", true }, { "sarif", "pairs", true }, { "sarif", "removed", false },
        { "sarif", "clusters", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(export_format_takes(export_format_find(cases[i].format), export_thing_find(cases[i].thing)),
                         cases[i].takes);
    assert_null(export_format_find("xml"));
    for (size_t i = 0; export_formats[i]; i++)
        assert_true(!(export_formats[i]->flags & EXPORT_NODES) == !export_formats[i]->node);
}

static void assert_appended(struct bytes *out, const char *expected)
{
    assert_int_equal(bytes_append(out, "", 1), 0);
    assert_string_equal(out->at, expected);
    out->len = 0;
}

static void test_numbers(void **state)
{
    static const struct { double real; const char *text; } reals[] = {
        { 0.1, "0.1" }, { 8 / 9.0, "0.8888888888888888" }, { 1, "1" }, { 5e-324, "4.94065645841247e-324" },
        { -0.0, "-0" },
    };
    static const struct { int64_t number; const char *text; } numbers[] = {
        { 0, "0" }, { -1, "-1" }, { INT64_MAX, "9223372036854775807" }, { INT64_MIN, "-9223372036854775808" },
    };
    struct bytes out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        assert_int_equal(export_append_real(&out, reals[i].real), 0);
        assert_appended(&out, reals[i].text);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal(export_append_integer(&out, numbers[i].number), 0);
        assert_appended(&out, numbers[i].text);
    }
    assert_int_equal(export_append_place(&out, SLICE("c"), SLICE("a:b"), 7), 0);
    assert_appended(&out, "c:a:b:7");
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_takes), cmocka_unit_test(test_numbers) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
