/* tests/unit/cmd/roff.c -- what roff would read as its own is text, and lines stay short. */
#include "cmd/roff.h"
#include "tests/unit/folder.h"

#include <string.h>

typedef int roff_put(struct bytes *out, struct slice text);

static void puts_as(roff_put *put, const char *text, const char *roff)
{
    struct bytes out = { 0 };

    assert_int_equal(put(&out, slice_of(text)), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, roff);
    bytes_free(&out);
}

static void test_escapes(void **unused)
{
    (void)unused;
    puts_as(roff_text, ".TH is no macro", "\\&.TH is no macro\n");
    puts_as(roff_text, "'br is none", "\\(aqbr is none\n");
    puts_as(roff_text, "a\\nb \\fB --set ~ ^ \"x\"", "a\\enb \\efB \\-\\-set \\(ti \\(ha \\(dqx\\(dq\n");
    puts_as(roff_text, "first\n.second", "first\n.br\n\\&.second\n");
    puts_as(roff_text, "  of   any\n\n  blanks ", "of any\n.br\nblanks\n");
    puts_as(roff_text, "", "");
    puts_as(roff_text, "Tülu", "Tülu\n");
    puts_as(roff_word, ".1 - '", ".1 \\- \\(aq");
}

static void test_code(void **unused)
{
    (void)unused;
    puts_as(roff_text, "say `a b` and `c`.", "say \\fBa b\\fR and \\fBc\\fR.\n");
    puts_as(roff_text, "one ` alone", "one \\(ga alone\n");
    puts_as(roff_text, "`a` and ` alone", "\\fBa\\fR and \\(ga alone\n");
    puts_as(roff_text, "`.a`", "\\fB.a\\fR\n");
}

static void test_terms(void **unused)
{
    (void)unused;
    puts_as(roff_term, "--set KEY=VALUE", "\\fB\\-\\-set\\fR \\fIKEY\\fR=\\fIVALUE\\fR");
    puts_as(roff_term, "[--field [DATASET.]NAME=FIELD]...",
            "[\\fB\\-\\-field\\fR [\\fIDATASET\\fR.]\\fINAME\\fR=\\fIFIELD\\fR]...");
    puts_as(roff_term, "--words prose|space", "\\fB\\-\\-words\\fR \\fBprose\\fR|\\fBspace\\fR");
    puts_as(roff_term, "[pipeline.yaml]...", "[\\fBpipeline.yaml\\fR]...");
    puts_as(roff_term, "...", "\\&...");
    puts_as(roff_term, "- a", "\\- \\fBa\\fR");
}

/* No source line of text is longer than 80 bytes, whatever the words; one that begins with a dot is never a macro. */
static void test_fills(void **unused)
{
    struct bytes text = { 0 }, out = { 0 };
    size_t       lines = 0, words = 0;

    (void)unused;
    for (int i = 1; i < 400; i++)
        assert_int_equal(bytes_printf(&text, "%.*s `-%d`. ", i % 23 + 1, ".-\\'`.x.x.x.x.x.x.x.x.x", i), 0);
    assert_int_equal(roff_text(&out, bytes_slice(&text)), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    for (const char *at = out.at; *at; at += strcspn(at, "\n") + 1, lines++) {
        assert_true(strcspn(at, "\n") <= 80);
        assert_true(*at != '.' && *at != '\'');
    }
    assert_true(lines > 50);
    for (const char *at = out.at; (at = strstr(at, "\\-")); at++) words++;
    assert_true(words >= 399);
    bytes_free(&text);
    bytes_free(&out);
}

static void test_lines(void **unused)
{
    struct bytes out = { 0 };

    (void)unused;
    puts_as(roff_lines, "sh -c 'a'\n  .b\n.c", ".PP\n.RS 4\n.nf\nsh \\-c \\(aqa\\(aq\n  .b\n\\&.c\n.fi\n.RE\n");
    assert_int_equal(roff_section(&out, "SS", SLICE("a-b")), 0);
    assert_int_equal(roff_paragraph(&out), 0);              /* none behind a title */
    assert_int_equal(roff_text(&out, SLICE("one")), 0);
    assert_int_equal(roff_paragraph(&out), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    assert_string_equal(out.at, ".SS a\\-b\none\n.PP\n");
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escapes), cmocka_unit_test(test_code),  cmocka_unit_test(test_terms),
        cmocka_unit_test(test_fills),   cmocka_unit_test(test_lines),
    };

    return cmocka_run_group_tests_name("cmd/roff", tests, NULL, NULL);
}
