/* tests/unit/cmd/man.c -- pages of commands, here of the two made ones of tests/unit/cmd/help.c. */
#include "cmd/man.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

static const char *page_of(const char *name, struct bytes *out)
{
    struct err err = { 0 };

    out->len = 0;
    if (man_page(name, out, &err) < 0) fail_msg("%s: %s", name, err.text);
    assert_int_equal(bytes_append(out, "", 1), 0);
    return out->at;
}

/* The page has the words in this order. */
static void has(const char *page, const char *const *words)
{
    for (; *words; words++) {
        const char *at = strstr(page, *words);

        if (!at) fail_msg("no `%s` in what is left: %s", *words, page);
        page = at + strlen(*words);
    }
}

static void test_command(void **unused)
{
    struct bytes out = { 0 };

    (void)unused;
    has(page_of("leakgraph-made-up.1", &out), (const char *const[]){
        ".TH \"LEAKGRAPH\\-MADE\\-UP\" 1 \"\" \"leakgraph ", ".SH NAME\nleakgraph\\-made\\-up \\- is made\n",
        ".SH SYNOPSIS\n\\fBleakgraph made\\-up\\fR [\\fIFILE\\fR]...\n", ".SH DESCRIPTION\nMakes \\fBit\\fR up.\n",
        ".SH OPTIONS\n.TP\n\\fB\\-\\-to\\fR \\fIDIR\\fR, \\fB\\-\\-now\\fR\nwhere to; at once\n",
        ".TP\n\\fB\\-\\-help\\fR\nthis page in short\n", ".SH EXIT STATUS\n.TP\n\\fB0\\fR\ndone\n",
        ".SH ENVIRONMENT\n", "\\fBTMPDIR\\fR\n", ".SH FILES\n",
        ".SH EXAMPLES\n.RS 4\n.nf\nleakgraph made\\-up \\-\\-to .\n",
        ".SH SEE ALSO\n.BR leakgraph (1),\n", NULL });
    has(page_of("leakgraph.1", &out), (const char *const[]){
        ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH COMMANDS\n.TP\n.BR leakgraph\\-made\\-up (1)\nis made\n",
        ".SH OPTIONS\n",
        ".SH EXIT STATUS\n", ".SH ENVIRONMENT\n", ".SH FILES\n", ".SH EXAMPLES\n", ".SH SEE ALSO\n", NULL });
    assert_null(strstr(out.at, ".SH NOTES"));
    bytes_free(&out);
}

static void test_other(void **unused)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    (void)unused;
    assert_int_equal(man_page_of(SLICE("usage: other.sh A\n       other.sh --b\nDoes it, and more.\n  --b   how\n"
                                       "Exit status: 0 it did\n"), &out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    has(out.at, (const char *const[]){ ".TH \"OTHER.SH\" 1 ", "other.sh \\- Does it\n", ".SH DESCRIPTION\nDoes it, and",
        ".SH OPTIONS\n", "\\fB\\-\\-b\\fR\nhow\n", ".SH EXIT STATUS\n0 it did\n", ".SH ENVIRONMENT\n", NULL });
    assert_int_equal(man_page_of(SLICE("nothing\n"), &out, &err), -EINVAL);
    assert_int_equal(man_page_of(SLICE(""), &out, &err), -EINVAL);
    bytes_free(&out);
}

static void test_names(void **unused)
{
    struct bytes names = { 0 }, out = { 0 };
    struct err   err = { 0 };
    size_t       count = 0;

    (void)unused;
    assert_int_equal(man_pages(&names), 0);
    assert_int_equal(bytes_append(&names, "", 1), 0);
    for (char *name = strtok(names.at, "\n"); name; name = strtok(NULL, "\n"), count++)
        assert_non_null(strstr(page_of(name, &out), ".SH NAME\n"));
    assert_int_equal(count, 5);
    assert_int_equal(man_page("leakgraph-made-up", &out, &err), -EINVAL);
    assert_string_equal(err.text, "`leakgraph-made-up` is no manual page; did you mean `leakgraph-made-up.1`?; "
                                  "`leakgraph help --man` lists them");
    assert_int_equal(man_page("leakgraph-made-up.11", &out, &err), -EINVAL);
    bytes_free(&names);
    bytes_free(&out);
}

static void test_date(void **unused)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    (void)unused;
    setenv("SOURCE_DATE_EPOCH", "86400", 1);
    assert_non_null(strstr(page_of("leakgraph.1", &out), "\" 1 \"1970-01-02\" \""));
    setenv("SOURCE_DATE_EPOCH", "now", 1);
    assert_int_equal(man_page("leakgraph.1", &out, &err), -EINVAL);
    assert_string_equal(err.text, "SOURCE_DATE_EPOCH=now is no number of seconds");
    unsetenv("SOURCE_DATE_EPOCH");
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command), cmocka_unit_test(test_other), cmocka_unit_test(test_names),
        cmocka_unit_test(test_date),
    };

    unsetenv("SOURCE_DATE_EPOCH");
    return cmocka_run_group_tests_name("cmd/man", tests, NULL, NULL);
}
