/* tests/unit/dedup/rewrite_kept.c -- what lists say of the document that stays, in whatever unit it lies. */
#include "dedup/rewrite.h"
#include "tests/unit/dedup/world.h"

#include <zstd.h>

/* The last five columns of a list's lines, from the second line on. */
static void assert_kept(const struct world *w, const char *name, const char *expected)
{
    struct bytes packed = { 0 }, told = { 0 };
    char         path[128], text[2048], *line, *place;
    size_t       len;

    snprintf(path, sizeof path, "%s/lists/%s.tsv.zst", w->r.output, name);
    read_file(path, &packed);
    len = ZSTD_decompress(text, sizeof text - 1, packed.at, packed.len);
    assert_false(ZSTD_isError(len));
    text[len] = '\0';
    line = strtok_r(text, "\n", &place);
    while ((line = strtok_r(NULL, "\n", &place))) {
        for (int tabs = 0; tabs < 8; tabs++) line = strchr(line, '\t') + 1;
        assert_int_equal(bytes_printf(&told, "%s\n", line), 0);
    }
    assert_int_equal(bytes_append(&told, "", 1), 0);
    assert_string_equal(told.at, expected);
    bytes_free(&packed);
    bytes_free(&told);
}

static void test_kinds(void **unused)
{
    struct world w;

    (void)unused;
    world_open(&w, ", keep: [longest], min_tokens: 2, containment: 1, write: lists", (const char *const[3]){
        "{\"text\": \"p q r s\", \"path\": \"x/p\"}\n{\"no\": 1}\n{\"text\": \"k\"}\n"
        "{\"text\": \"a b c d e f g\", \"path\": \"y\"}\n",
        "{\"text\": \"p q r s\"}\n{\"text\": \"k\"}\n{\"text\": \"q p r\"}\n{\"text\": \"c a b\"}\n",
        "{\"text\": \"d e f g\"}\n{\"text\": \"d e f g\"}\n" });       /* so that a, b and c are rare */
    WORLD_DO(dedup_run(&w.job, err));
    assert_kept(&w, "a", "");
    assert_kept(&w, "b", "a.jsonl\t0\tx/p\texact\t1.000000\n"
                         "a.jsonl\t2\t\tcopy\t1.000000\n"
                         "a.jsonl\t0\tx/p\tnear\t0.750000\n"
                         "a.jsonl\t3\ty\tcontained\t0.428571\n");
    world_close(&w);
}

/* A chain: the last is like the one between, which is like the one that stays. */
static void test_indirect(void **unused)
{
    struct world w;

    (void)unused;
    world_open(&w, ", keep: [longest], cluster: component, write: lists", (const char *const[3]){
        "{\"text\": \"a b c d e f g h\"}\n{\"text\": \"a b c d i\"}\n{\"text\": \"a b c d e i\"}\n", NULL, NULL });
    WORLD_DO(dedup_run(&w.job, err));
    assert_kept(&w, "a", "a.jsonl\t0\t\tindirect\t0.444444\na.jsonl\t0\t\tnear\t0.555556\n");
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_indirect) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
