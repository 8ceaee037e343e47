/* tests/unit/config/explain.c -- one key's lines of the help, and the key that a wrong one may have meant. */
#include "config/explain.h"
#include "config/config.h"
#include "tests/unit/folder.h"

#include <stdlib.h>
#include <string.h>

/* What is said of the path begins so, has the words, and not the others. */
static void explains(const char *path, const char *begin, const char *has, const char *lacks)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    if (explain_key(path, &out, &err) < 0) fail_msg("%s: %s", path, err.text);
    assert_int_equal(bytes_append(&out, "", 1), 0);
    if (strncmp(out.at, begin, strlen(begin)) != 0 || !strstr(out.at, has) || strstr(out.at, lacks))
        fail_msg("%s: %s", path, out.at);
    assert_true(out.len > 2 && out.at[out.len - 2] == '\n' && out.at[out.len - 3] != '\n');
    bytes_free(&out);
}

static void refuses(const char *path, const char *says)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };

    assert_int_equal(explain_key(path, &out, &err), -EINVAL);
    if (!strstr(err.text, says)) fail_msg("%s: %s", path, err.text);
    assert_int_equal(out.len, 0);
}

static void test_key(void **unused)
{
    (void)unused;
    explains("datasets", "datasets:  ", "Languages that have rules", "near_duplicates:");
    explains("datasets.fields", "  fields ", "tokens stars date", "Languages");
    explains("memory", "memory  ", "several hosts", "datasets:");
    explains("output", "output ", "run folder", "compat");
    explains("near_duplicates.view", "  view ", "shingles:N", "set_threshold");
    explains("probe.models", "  models ", "    url ", "clean:");
    explains("probe.models.url", "    url ", "http", "served");
    explains("fail_on", "fail_on:", "  lost ", "Each line");        /* the last of all */
    explains("fail_on.lost", "  lost ", "read to their end", "coverage");
}

static void test_unknown(void **unused)
{
    (void)unused;
    refuses("near_duplicate", "`near_duplicate` is no key of pipeline.yaml; did you mean `near_duplicates`?; "
                              "`leakgraph help config` has all");
    refuses("zzzz", "`zzzz` is no key of pipeline.yaml; `leakgraph help config` has all");
    refuses("dedup.treshold", "`treshold` is no key of dedup; did you mean `threshold`?");
    refuses("probe.models.urll", "`urll` is no key of probe.models; did you mean `url`?");
    refuses("dedup.", "`` is no key of dedup");
    refuses("", "`` is no key of pipeline.yaml");
    refuses("Each", "is no key");
    refuses("dedup.threshold.more", "`more` is no key of dedup.threshold");
}

/* Every key that is listed is explained, by the line that begins with it, and what is explained is all of the help. */
static void test_keys(void **unused)
{
    struct bytes keys = { 0 }, all = { 0 }, sum = { 0 };
    struct err   err = { 0 };
    size_t       count = 0;

    (void)unused;
    assert_int_equal(explain_keys(false, &keys), 0);
    assert_int_equal(bytes_append(&keys, "", 1), 0);
    assert_int_equal(config_help(&all), 0);
    assert_int_equal(bytes_append(&all, "", 1), 0);
    for (char *key = strtok(keys.at, "\n"); key; key = strtok(NULL, "\n"), count++)
        if (explain_key(key, &sum, &err) < 0) fail_msg("%s: %s", key, err.text);
    assert_true(count > 15);
    assert_int_equal(bytes_append(&sum, "", 1), 0);
    for (const char *at = strstr(all.at, "\n\n") + 2, *end; *at; at = end + (*end == '\n')) {
        char *line;

        end = at + strcspn(at, "\n");
        line = strndup(at, (size_t)(end - at));
        if (*line && !strstr(sum.at, line)) fail_msg("nothing explains `%s`", line);
        free(line);
    }
    bytes_free(&sum);
    bytes_free(&all);
    bytes_free(&keys);

    assert_int_equal(explain_keys(true, &keys), 0);
    assert_int_equal(bytes_append(&keys, "", 1), 0);
    assert_non_null(strstr(keys.at, "\nnear_duplicates\nnear_duplicates.view\n"));
    assert_non_null(strstr(keys.at, "\ndatasets.fields\nnear_duplicates\n"));
    for (char *key = strtok(keys.at, "\n"); key; key = strtok(NULL, "\n"), count++)
        if (explain_key(key, &sum, &err) < 0) fail_msg("%s: %s", key, err.text);
    assert_true(count > 150);
    bytes_free(&sum);
    bytes_free(&keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_key), cmocka_unit_test(test_unknown), cmocka_unit_test(test_keys),
    };

    return cmocka_run_group_tests_name("config/explain", tests, NULL, NULL);
}
