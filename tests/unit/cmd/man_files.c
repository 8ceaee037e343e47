/* tests/unit/cmd/man_files.c -- the pages on pipeline.yaml and graph.db have what the help has. */
#include "cmd/man.h"
#include "config/explain.h"
#include "tests/unit/folder.h"

#include <string.h>

static void test_yaml(void **unused)
{
    static const char *const says[] = {
        ".SH OPTIONS\n.TP\n\\fBacross_languages\\fR (false)\nthe default of ", "\n.SS datasets\na list; each item:\n",
        "\\fBname\\fR (required)\nits id in graph.db: letters, digits, \\fB.\\fR, ", "\\fBurl\\fR\nwhere it came from",
        "\n.SS near_duplicates\na pass: pairs of similar documents\n", "\\fBview\\fR (identifiers)\n",
        "\\fBmodels\\fR\na list, of each:\n.RS\n.TP\n\\fBname\\fR (required)\n",
        "\n.SS graph\n.TP\n\\fBstore\\fR (text)\n",
        ".SH EXIT STATUS\n", ".SH EXAMPLES\nIs HumanEval in a corpus?", NULL,
    };
    struct bytes out = { 0 }, keys = { 0 };
    struct err   err = { 0 };
    const char  *at;
    size_t       in = 0, back = 0;

    (void)unused;
    assert_int_equal(man_yaml(&out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    at = out.at;
    for (size_t i = 0; says[i]; i++) {
        if (!strstr(at, says[i])) fail_msg("no `%s`", says[i]);
        at = strstr(at, says[i]);
    }
    for (at = out.at; (at = strstr(at, "\n.RS")); at++) in++;
    for (at = out.at; (at = strstr(at, "\n.RE")); at++) back++;
    assert_true(in > 2 && in == back);
    assert_int_equal(explain_keys(true, &keys), 0);
    assert_int_equal(bytes_append(&keys, "", 1), 0);
    for (char *key = strtok(keys.at, "\n"); key; key = strtok(NULL, "\n")) {
        char said[80];

        snprintf(said, sizeof said, "\\fB%s\\fR", strchr(key, '.') ? strchr(key, '.') + 1 : key);
        if (!strstr(out.at, said)) {
            snprintf(said, sizeof said, "\n.SS %s\n", key);
            if (!strstr(out.at, said)) fail_msg("the page has no %s", key);
        }
    }
    bytes_free(&keys);
    bytes_free(&out);
}

static void test_graph(void **unused)
{
    static const char *const says[] = {
        ".SH DESCRIPTION\nWhat the datasets", "Columns marked * are in\n\\fBrun.digest\\fR.\n", "\n.SS datasets\n",
        "\\fBrole\\fR TEXT NOT NULL\nbenchmark | corpus\n", "View \\fBdataset_summary\\fR (dataset, role,",
        "\\fBlanguage\\fR TEXT NOT NULL\n\\&\n", "\\fBpass *\\fR TEXT NOT NULL\nnear | dedup\n", ".SH SEE ALSO\n", NULL,
    };
    struct bytes out = { 0 };
    struct err   err = { 0 };
    const char  *at;

    (void)unused;
    assert_int_equal(man_graph(&out, &err), 0);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    at = out.at;
    for (size_t i = 0; says[i]; i++) {
        if (!strstr(at, says[i])) fail_msg("no `%s`", says[i]);
        at = strstr(at, says[i]);
    }
    assert_null(strstr(out.at, "|---"));
    assert_null(strstr(out.at, "**"));
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_yaml), cmocka_unit_test(test_graph) };

    return cmocka_run_group_tests_name("cmd/man_files", tests, NULL, NULL);
}
