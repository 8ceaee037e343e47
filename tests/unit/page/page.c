/* tests/unit/page/page.c -- the frame: one file that names no other, a policy that lets nothing else in, and hostile
 * text that stays text. */
#include "page/page.h"
#include "base/sha256.h"
#include "page/assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *page_of(const struct report_document *document)
{
    struct bytes out = { 0 };

    assert_int_equal(page_html(document, &out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    return out.at;
}

static size_t count(const char *page, const char *text)
{
    size_t n = 0;

    for (const char *at = page; (at = strstr(at, text)); at++) n++;
    return n;
}

static void names_hash(const char *page, struct slice asset)
{
    char hash[SHA256_BASE64], wanted[80];

    sha256_base64(asset, hash);
    snprintf(wanted, sizeof wanted, " 'sha256-%s'", hash);
    assert_int_equal(count(page, wanted), 1);
}

static int widget_render(const void *data, const char *id, struct bytes *out)
{
    (void)data, (void)id;
    return bytes_append_slice(out, SLICE("<p>widget</p>"));
}

static const struct report_widget widget = { widget_render, { ".w { }", 6 }, { "/*w*/", 5 } };

static void test_frame(void **unused)
{
    struct report_document d;
    char                  *page;

    (void)unused;
    report_open(&d, "What <i>");
    report_paragraph(&d, report_section(&d, d.root, "a", SLICE("Section A")), "text");
    report_widget(&d, d.root, "w1", SLICE(""), &widget, NULL);
    report_widget(&d, d.root, "w2", SLICE(""), &widget, NULL);
    page = page_of(&d);
    assert_int_equal(strncmp(page, "<!DOCTYPE html>\n<html lang=\"en\">", 32), 0);
    assert_int_equal(count(page, "<title>What &lt;i&gt;</title>"), 1);
    assert_int_equal(count(page, "default-src 'none'"), 1);
    names_hash(page, asset_page_css());
    names_hash(page, asset_page_js());
    names_hash(page, widget.style);
    names_hash(page, widget.script);
    assert_int_equal(count(page, "<p>widget</p>"), 2);
    assert_int_equal(count(page, "<style>.w { }</style>"), 1);              /* once, for both */
    assert_int_equal(count(page, "<script>/*w*/</script>"), 1);
    assert_int_equal(count(page, "<script"), 2);
    assert_int_equal(count(page, "<main"), 1);
    assert_int_equal(count(page, "<h1>"), 1);
    assert_int_equal(count(page, "src="), 0);
    assert_int_equal(count(page, "<link"), 1);
    assert_int_equal(count(page, "href=\"http"), 0);
    free(page);
    report_close(&d);
}

/* What ends an element cannot be in a file that stands in one. */
static void test_assets(void **unused)
{
    const struct slice asset[] = { asset_page_css(), asset_page_js() };

    (void)unused;
    for (size_t i = 0; i < 2; i++) {
        assert_true(asset[i].len > 1000);
        assert_null(memmem(asset[i].at, asset[i].len, "</", 2));
        assert_null(memmem(asset[i].at, asset[i].len, "<!--", 4));
        assert_null(memmem(asset[i].at, asset[i].len, "//", 2));             /* no address of anything */
        assert_null(memmem(asset[i].at, asset[i].len, "@import", 7));
        assert_null(memmem(asset[i].at, asset[i].len, "url(", 4));
    }
}

/* A page with hostile texts has the tags of one with plain texts, and no other. */
static size_t tags_of(const char *text)
{
    static const struct report_column columns[] = { { "name", "name" } };
    struct report_document            d;
    struct report_node               *section, *table;
    const char                       *body;
    char                             *page;
    size_t                            tags;

    report_open(&d, text);
    report_paragraph(&d, d.root, "%s", text);
    section = report_section(&d, d.root, "s", slice_of(text));
    table = report_table(&d, section, "t", columns, 1);
    report_row(&d, table, (const struct report_cell[]){ report_cell_name(slice_of(text)) });
    report_row(&d, table, (const struct report_cell[]){ report_cell_text(slice_of(text)) });
    report_sql(&d, table, slice_of(text));
    report_row(&d, report_facts(&d, section, "f", columns, 1),
               (const struct report_cell[]){ report_cell_text(slice_of(text)) });
    report_code(&d, section, "c", slice_of(text), slice_of(text), slice_of(text));
    page = page_of(&d);
    body = strstr(page, "<body>");
    assert_non_null(body);
    tags = count(body, "<");
    assert_int_equal(count(page, "\x1b"), 0);
    assert_int_equal(count(page, "\xe2\x80\xae"), 0);
    free(page);
    report_close(&d);
    return tags;
}

static void test_hostile(void **unused)
{
    static const char *const hostile[] = {
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title></head><body onload=x>",
        "<svg><style>*{}</style></svg>", "</code></pre></details>", "&lt;script&gt;", "\x1b[2J\x1b]0;t\x07",
        "\xe2\x80\xaereversed\xe2\x80\xac", "\xff\xfe\xc0\x80", "javascript:alert(1)", "<!-- -->", "]]>",
        "' onclick='x",
    };
    const size_t plain = tags_of("plain");
    char        *line = malloc((1 << 20) + 1);

    (void)unused;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) assert_int_equal(tags_of(hostile[i]), plain);
    assert_non_null(line);
    memset(line, '<', 1 << 20);
    line[1 << 20] = 0;
    assert_int_equal(tags_of(line), plain);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame), cmocka_unit_test(test_assets), cmocka_unit_test(test_hostile),
    };

    return cmocka_run_group_tests_name("page/page", tests, NULL, NULL);
}
