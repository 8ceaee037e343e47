/* tests/unit/portrait/check.c -- the portraits of a run's folder: each is looked at, each damaged one is told. */
#include "portrait/check.h"
#include "tests/unit/portrait/world.h"

#include "base/bytes.h"

/* Lines as "name: wrong; ". */
static void line(void *context, const char *name, const char *wrong)
{
    assert_int_equal(bytes_printf(context, "%s%s%s; ", name, wrong ? ": " : "", wrong ? wrong : ""), 0);
}

static int verify(const char *dir, struct bytes *heard)
{
    const struct check_report report = { .line = line, .context = heard };
    struct err                err = { 0 };
    int                       failed;

    heard->len = 0;
    failed = portrait_verify(dir, &report, &err);
    assert_int_equal(bytes_append(heard, "", 1), 0);
    assert_int_equal(err.code, 0);
    return failed;
}

static void test_verify(void **state)
{
    struct world                 *w = *state;
    const struct portrait_options options = { .scheme = { PORTRAIT_LINES, 1, 1 }, .fp = { 1, 100 },
                                              .name = (char *)(uintptr_t)"a", .extends = (char *)(uintptr_t)"" };
    struct portrait_options       other = options;
    struct bytes                  heard = { 0 };
    struct err                    err = { 0 };
    char                          path[PATH];
    FILE                         *file;

    assert_int_equal(verify("/nowhere/at/all", &heard), 0);
    assert_int_equal(verify(w->root, &heard), 0);           /* there is none */
    assert_string_equal(heard.at, "");
    other.name = (char *)(uintptr_t)"b";
    assert_int_equal(make(w, &options, w->shards, &err), 0);
    assert_int_equal(make(w, &other, w->shards, &err), 0);
    assert_int_equal(verify(w->root, &heard), 0);
    assert_string_equal(heard.at, "2 portraits; ");

    snprintf(path, sizeof path, "%s/b.portrait", w->root);
    file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 200, SEEK_SET), 0);
    assert_int_equal(fputc(0xAA, file), 0xAA);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(verify(w->root, &heard), 1);
    assert_true(strncmp(heard.at, "portraits: ", 11) == 0);
    assert_non_null(strstr(heard.at, "b.portrait: byte 0: the checksum of the head does not fit"));
    assert_null(strstr(heard.at, "a.portrait"));
    bytes_free(&heard);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_verify, set_up, tear_down) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
