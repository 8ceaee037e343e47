/* corpus/parquet_pages: when texts go to a dictionary and when not, where pages end, what the footer is told. */
#include "corpus/parquet_pages.h"
#include "tests/unit/corpus/parquet_put.h"

#include <stdio.h>
#include <stdlib.h>

struct world { struct parquet_field field; struct parquet_pages pages; struct bytes dictionary, footer; };

static void open_world(struct world *w, enum parquet_type type, bool optional)
{
    struct err err = { 0 };

    *w = (struct world){ .field = { "c", type, optional } };
    w->pages.field = &w->field;
    assert_int_equal(packer_open(&w->pages.packer, 1, &err), 0);
}

static void end_group(struct world *w)
{
    struct thrift_writer out = { .out = &w->footer };
    struct err           err = { 0 };

    w->footer.len = 0;
    assert_int_equal(parquet_pages_end(&w->pages, 4, &w->dictionary, &out, &err), 0);
}

static void close_world(struct world *w)
{
    packer_close(w->pages.packer);
    parquet_pages_free(&w->pages);
    bytes_free(&w->dictionary);
    bytes_free(&w->footer);
}

/* Values that the page's head promises, page by page. */
static size_t page_values(const struct bytes *packed, int64_t values[8])
{
    const unsigned char *at = (const unsigned char *)packed->at;
    struct thrift        t = { .at = at, .end = at + packed->len };
    size_t               count = 0;

    while (t.at < t.end) {
        struct thrift_field field = { 0 }, inner = { 0 };
        int64_t             bytes = 0, other;

        while (thrift_next_field(&t, &field)) {
            if (field.id == 3) thrift_take_int(&t, &field, &bytes);
            else if (field.id == 5) {
                while (thrift_next_field(&t, &inner))
                    thrift_take_int(&t, &inner, inner.id == 1 ? &values[count] : &other);
            } else thrift_skip(&t, field.type);
        }
        assert_false(t.broken);
        t.at += bytes;
        count++;
    }
    return count;
}

static void test_repeated_texts(void **state)
{
    struct world w;
    struct err   err = { 0 };
    int64_t      values[8];
    char         text[32];

    (void)state;
    open_world(&w, PARQUET_BYTE_ARRAY, false);
    for (int i = 0; i < 50000; i++) {
        snprintf(text, sizeof text, "name %d", i % 300);
        assert_int_equal(parquet_pages_text(&w.pages, slice_of(text), &err), 0);
    }
    end_group(&w);
    assert_true(w.pages.indexed && !w.pages.direct && w.dictionary.len > 0);
    assert_int_equal(w.pages.known.count, 300);
    assert_int_equal(page_values(&w.pages.packed, values), 3);
    assert_true(values[0] == 20000 && values[1] == 20000 && values[2] == 10000);
    assert_true(w.pages.packed.len < 3000);                 /* 50,000 indices of which each is the last one's next */
    parquet_pages_reset(&w.pages);
    end_group(&w);
    assert_true(!w.pages.indexed && !w.dictionary.len && !w.pages.packed.len);
    close_world(&w);
}

/* The dictionary overflows in the midst of a page: that ends, and the others have their texts. */
static void test_overflow(void **state)
{
    struct world w;
    struct err   err = { 0 };
    char        *text = malloc(1000);
    int64_t      values[8];

    (void)state;
    assert_non_null(text);
    open_world(&w, PARQUET_BYTE_ARRAY, true);
    memset(text, 'x', 1000);
    for (unsigned i = 0; i < 1500; i++) {
        for (unsigned d = 0, rest = i; d < 7; d++, rest /= 10) text[d] = (char)('0' + rest % 10);
        assert_int_equal(parquet_pages_text(&w.pages, (struct slice){ text, 1000 }, &err), 0);
    }
    end_group(&w);
    assert_true(w.pages.indexed && w.pages.direct && w.pages.beyond);
    assert_int_equal(page_values(&w.pages.packed, values), 2);
    assert_true(values[0] == (1 << 20) / 1004 && values[0] + values[1] == 1500);
    close_world(&w);
    free(text);
}

static void test_nulls(void **state)
{
    struct world w;
    struct err   err = { 0 };

    (void)state;
    open_world(&w, PARQUET_BYTE_ARRAY, true);
    for (int i = 0; i < 100; i++) assert_int_equal(parquet_pages_null(&w.pages, &err), 0);
    end_group(&w);
    assert_true(w.pages.nulls == 100 && w.pages.values == 100);
    assert_int_equal(w.dictionary.len, 0);                  /* of nothing */
    close_world(&w);
}

/* Is the bound, as 8 bytes, in the footer? */
static bool told(const struct world *w, double value)
{
    return memmem(w->footer.at, w->footer.len, &value, sizeof value) != NULL;
}

static void test_bounds(void **state)
{
    struct world w;
    struct err   err = { 0 };

    (void)state;
    open_world(&w, PARQUET_DOUBLE, true);
    assert_int_equal(parquet_pages_real(&w.pages, 0.25, &err), 0);
    assert_int_equal(parquet_pages_real(&w.pages, 0.0, &err), 0);
    end_group(&w);
    assert_true(told(&w, 0.25) && told(&w, -0.0));
    parquet_pages_reset(&w.pages);
    assert_int_equal(parquet_pages_real(&w.pages, 0.25, &err), 0);
    assert_int_equal(parquet_pages_real(&w.pages, strtod("nan", NULL), &err), 0);
    end_group(&w);
    assert_false(told(&w, 0.25));                           /* nothing is said beside a NaN */
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated_texts), cmocka_unit_test(test_overflow), cmocka_unit_test(test_nulls),
        cmocka_unit_test(test_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
