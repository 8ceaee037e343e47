/* tests/unit/pass/paths.c -- paths of a few records, from the units of a scanner that kept more of them. */
#include "passing.h"

#include "pass/paths.h"

static int kept_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    (void)scanner, (void)err;
    return part_add_path(part, document->record);
}

static int kept_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared, (void)err;
    *out = calloc(1, sizeof **out);
    assert_non_null(*out);
    **out = (struct scanner){ .document = kept_document, .close = keeper_close };
    return 0;
}

static const struct content files[] = {
    { "a0.jsonl", "{\"text\": \"x\", \"path\": \"a/0\"}\n{\"text\": \"x\"}\n{\"text\": \"x\", \"path\": \"a/2\"}\n" },
    { "b0.jsonl", "{\"text\": \"x\", \"path\": \"b/0\"}\n" },
};

static void of_those_wanted(void **unused)
{
    struct passing             g;
    struct paths               paths = { 0 };
    const struct pass_scanner *scanner;

    (void)unused;
    passing_open(&g, files, 2);
    passing_must(&g, pass_add(&g.pass, (struct pass_scanner){ .kind = "kept", .needs = PASS_RECORDS,
                                                              .open = kept_open }, &g.err));
    scanner = &g.pass.scanner[0];
    passing_must(&g, pass_stream(&g.pass, g.shards.count, &g.err));

    passing_must(&g, paths_read(&paths, &g.told, scanner, &g.err));     /* none */
    assert_true(paths.count == 0 && !paths_find(&paths, 0, 0).at);
    assert_int_equal(paths_want(&paths, 1, 0), 0);
    assert_int_equal(paths_want(&paths, 0, 2), 0);
    assert_int_equal(paths_want(&paths, 0, 1), 0);
    assert_int_equal(paths_want(&paths, 0, 2), 0);
    assert_int_equal(paths_want(&paths, 0, 7), 0);
    passing_must(&g, paths_read(&paths, &g.told, scanner, &g.err));
    assert_int_equal(paths.count, 4);
    assert_true(slice_equal(paths_find(&paths, 0, 2), SLICE("a/2")));
    assert_true(slice_equal(paths_find(&paths, 1, 0), SLICE("b/0")));
    assert_null(paths_find(&paths, 0, 1).at);               /* it has none */
    assert_null(paths_find(&paths, 0, 7).at);               /* there is no such record */
    assert_null(paths_find(&paths, 0, 0).at);               /* nobody wanted it */
    paths_free(&paths);

    assert_int_equal(paths_want(&paths, 1, 0), 0);
    passing_clear(&g);
    assert_int_equal(paths_read(&paths, &g.told, scanner, &g.err), -EIO);       /* its unit is gone */
    paths_free(&paths);
    passing_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_those_wanted) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
