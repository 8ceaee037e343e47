/* tests/unit/pass/part.c -- strings of a part's heap, the keys of units, and units there and back. */
#include "passing.h"

#include "licence/licence.h"

static void strings_in_the_heap(void **unused)
{
    struct part        part = { 0 };
    struct heap_string s;

    (void)unused;
    assert_int_equal(part_add_string(&part, SLICE("abc"), &s), 0);
    assert_true(s.at == 0 && s.len == 3);
    assert_int_equal(part_add_string(&part, SLICE(""), &s), 0);
    assert_true(s.at == 3 && s.len == 0);
    assert_int_equal(part_add_string(&part, SLICE("d\0e"), &s), 0);
    assert_true(s.at == 3 && s.len == 3);
    assert_true(slice_equal(bytes_slice(&part.section[PART_HEAP]), SLICE("abcd\0e")));
    bytes_free(&part.section[PART_HEAP]);
    part.section[PART_HEAP].len = NO_STRING - 3;            /* a place must fit 32 bits, and not be NO_STRING */
    assert_int_equal(part_add_string(&part, SLICE("abc"), &s), -ENOMEM);
    assert_int_equal(s.len, NO_STRING);
}

static void fields_in_the_heap(void **unused)
{
    struct part        part = { 0 };
    struct record      record = { .json = true };
    struct heap_string s;

    (void)unused;
    assert_int_equal(part_add_field(&part, &record, FIELD_ID, &s), 0);
    assert_int_equal(s.len, NO_STRING);                     /* the record has none */
    record.raw[FIELD_ID] = SLICE("null");
    assert_int_equal(part_add_field(&part, &record, FIELD_ID, &s), 0);
    assert_int_equal(s.len, NO_STRING);
    record.raw[FIELD_ID] = SLICE("\"\"");
    assert_int_equal(part_add_field(&part, &record, FIELD_ID, &s), 0);
    assert_true(s.at == 0 && s.len == 0);
    record.raw[FIELD_ID] = SLICE("17");
    record.raw[FIELD_PATH] = SLICE("\"a\\u00e9\"");
    assert_int_equal(part_add_field(&part, &record, FIELD_ID, &s), 0);
    assert_true(s.at == 0 && s.len == 2);
    assert_int_equal(part_add_field(&part, &record, FIELD_PATH, &s), 0);
    assert_true(s.at == 2 && s.len == 3);
    assert_true(slice_equal(bytes_slice(&part.section[PART_HEAP]), SLICE("17a\xC3\xA9")));
    bytes_free(&part.section[PART_HEAP]);
}

static void assert_licence(const struct record *record, const char *text, const char *expected, uint32_t from)
{
    struct record          with = *record;
    struct licensing       licensing = { 0 };
    const struct document  document = { .record = &with, .licensing = &licensing };

    with.text = slice_of(text);
    for (int twice = 0; twice < 2; twice++) {               /* for another part too, when the text has been read */
        struct part        part = { 0 };
        struct heap_string s;
        uint32_t           source;
        struct slice       got;

        assert_int_equal(part_add_licence(&part, &document, &s, &source), 0);
        got = heap_slice(part.section[PART_HEAP].at, s);
        if (source != from || !slice_equal(got, slice_of(expected)) || !got.at != !expected)
            fail_msg("`%.*s' from %u", (int)got.len, got.at ? got.at : "", source);
        bytes_free(&part.section[PART_HEAP]);
    }
}

/* The field's where it names one, as it is written; else the text's; else what the field has. */
static void licences(void **unused)
{
    static const char mit[] = "# License: MIT\n";
    struct record     record = { .json = true };

    (void)unused;
    assert_licence(&record, "", NULL, LICENCE_UNSAID);
    assert_licence(&record, mit, "MIT", LICENCE_IN_TEXT);
    record.raw[FIELD_LICENSE] = SLICE("\"gpl-3.0\"");
    assert_licence(&record, mit, "gpl-3.0", LICENCE_IN_FIELD);
    record.raw[FIELD_LICENSE] = SLICE("\"proprietary\"");
    assert_licence(&record, mit, "proprietary", LICENCE_IN_FIELD);
    record.raw[FIELD_LICENSE] = SLICE("\"none\"");
    assert_licence(&record, mit, "MIT", LICENCE_IN_TEXT);
    assert_licence(&record, "", "none", LICENCE_IN_FIELD);
    record.raw[FIELD_LICENSE] = SLICE("[]");
    assert_licence(&record, mit, "MIT", LICENCE_IN_TEXT);
    record.raw[FIELD_LICENSE] = SLICE("\"\"");
    assert_licence(&record, "", "", LICENCE_UNSAID);
}

static void holders(void **unused)
{
    const struct record   none = { .text = SLICE("no") },
                          file = { .text = SLICE("// Copyright (c) 2001 A B\n// Copyright 2002 C D\nint f;\n") },
                          function = { .text = SLICE("int f;\n") };
    struct licensing      licensing = { 0 };
    const struct document documents[] = { { .record = &function, .file = &file, .licensing = &licensing },
                                          { .record = &file, .licensing = &licensing } };
    struct part           part = { 0 };
    struct heap_string    s;

    (void)unused;
    for (int twice = 0; twice < 2; twice++) {
        const struct document document = { .record = &none, .licensing = &licensing };

        assert_int_equal(part_add_holders(&part, &document, &s), 0);
        assert_int_equal(s.len, NO_STRING);
    }
    licensing.holders_known = false;                        /* another record */
    assert_int_equal(part_add_string(&part, SLICE("abc"), &s), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(part_add_holders(&part, &documents[i], &s), 0);
        assert_true(slice_equal(heap_slice(part.section[PART_HEAP].at, s), SLICE("A B; C D")));
    }
    bytes_free(&part.section[PART_HEAP]);
    bytes_free(&licensing.holders);
}

static void paths_once_a_record(void **unused)
{
    struct part            part = { 0 };
    struct record          record = { .json = true, .number = 3 };
    const struct part_path *path;

    (void)unused;
    assert_int_equal(part_add_path(&part, &record), 0);     /* it has none */
    record.raw[FIELD_PATH] = SLICE("\"\"");
    assert_int_equal(part_add_path(&part, &record), 0);
    assert_int_equal(part.section[PART_PATHS].len, 0);
    for (record.number = 4; record.number < 6; record.number++) {
        record.raw[FIELD_PATH] = record.number == 4 ? SLICE("\"a/b\"") : SLICE("\"c\"");
        assert_int_equal(part_add_path(&part, &record), 0);
        assert_int_equal(part_add_path(&part, &record), 0);
    }
    assert_int_equal(part.section[PART_PATHS].len, 2 * sizeof *path);
    path = (const struct part_path *)(const void *)part.section[PART_PATHS].at;
    assert_true(path[0].record == 4 && path[1].record == 5);
    assert_true(slice_equal(heap_slice(part.section[PART_HEAP].at, path[0].path), SLICE("a/b")));
    assert_true(slice_equal(heap_slice(part.section[PART_HEAP].at, path[1].path), SLICE("c")));
    bytes_free(&part.section[PART_HEAP]);
    bytes_free(&part.section[PART_PATHS]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_in_the_heap), cmocka_unit_test(fields_in_the_heap),
        cmocka_unit_test(licences), cmocka_unit_test(holders), cmocka_unit_test(paths_once_a_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
