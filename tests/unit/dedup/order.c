/* tests/unit/dedup/order.c -- ids are places in the order of preference, for each criterion, protection and what was
 * added. */
#include "tests/unit/dedup/world.h"

static const char *const files[3] = {
    /* bytes, stars, date, path */
    ("{\"text\": \"aa aa aa\", \"stars\": 3, \"path\": \"xx\"}\n"
     "{\"text\": \"bb bb\", \"stars\": 10, \"date\": \"2020-05-01\"}\n"),
    "{\"text\": \"cc cc cc cc\", \"date\": \"2020-05-01T10:00:00Z\", \"path\": \"x\"}\n",
    "{\"text\": \"dd\", \"stars\": -1, \"date\": \"2019-12-31\", \"path\": \"xxx\"}\n",
};

/* Ordinals by id; a letter is a document. */
static void assert_order(const char *settings, const char *expected)
{
    struct world w;
    char         order[8] = "";

    world_open(&w, settings, files);
    world_order(&w);
    assert_int_equal(own_ids(&w.state), 4);
    for (uint64_t id = 0; id < 4; id++) {
        const uint64_t ordinal = own_place(&w.state, id);

        order[id] = (char)('a' + ordinal);
        assert_int_equal(own_id_of(&w.state, ordinal), id);
    }
    if (strcmp(order, expected) != 0) fail_msg("%s: %s, not %s", settings, order, expected);
    world_close(&w);
}

static void test_criteria(void **unused)
{
    (void)unused;
    assert_order(", keep: [longest]", "cabd");
    assert_order(", keep: [stars, longest]", "badc");       /* 10, 3, -1, none */
    assert_order(", keep: [newest, longest]", "cbda");      /* 10 o'clock, that day, 2019, none */
    assert_order(", keep: [path, longest]", "cadb");        /* the shorter; none: last */
    assert_order(", keep: [dataset, longest]", "abcd");
    assert_order(", keep: [dataset, longest], datasets: [c, b, a]", "dcab");
}

static void test_first(void **unused)
{
    (void)unused;
    assert_order(", keep: [longest], protect: c", "dcab");
    assert_order(", keep: [longest], protect: [a, c]", "abdc");
    assert_order(", keep: [longest], added: [b, c]", "abcd");           /* what was there stays preferred */
    assert_order(", keep: [longest], added: [b, c], protect: c", "abcd");
}

/* What no criterion tells apart: the smaller content hash. */
static void test_hash(void **unused)
{
    struct world    w;
    static uint64_t low[4];

    (void)unused;
    world_open(&w, ", keep: [stars], datasets: a", (const char *const[3]){
        "{\"text\": \"q\"}\n{\"text\": \"w\"}\n{\"text\": \"e\"}\n{\"text\": \"r\"}\n", NULL, NULL });
    world_order(&w);
    for (int i = 0; i < 4; i++) low[i] = content_hash_raw((struct slice){ &"qwer"[i], 1 }).low;
    for (uint64_t id = 1; id < 4; id++) assert_true(low[own_place(&w.state, id - 1)] < low[own_place(&w.state, id)]);
    world_close(&w);
}

/* ---- many, in little memory ---- */

enum { MANY = 9000, SAME = 50 };

struct made { uint32_t stars; uint64_t low, ordinal; };

static int made_compare(const void *a, const void *b)
{
    const struct made *x = a, *y = b;

    if (x->stars != y->stars) return x->stars > y->stars ? -1 : 1;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : 1;
}

/* Nearly all have no stars, which takes a whole key, so that they are told apart by what is behind it; texts repeat, so
 * that their place decides.  Slices end within units and go beyond them, and the records do not fit memory. */
static void test_many(void **unused)
{
    static const size_t counts[] = { 3, MANY - 200, 197 };
    static struct made  made[MANY];
    struct bytes        text[3] = { { 0 }, { 0 }, { 0 } };
    struct world        w;
    uint64_t            ordinal = 0;

    (void)unused;
    for (int f = 0; f < 3; f++)
        for (size_t i = 0; i < counts[f]; i++, ordinal++) {
            char word[32];

            snprintf(word, sizeof word, "w%d", (int)(ordinal % (MANY / SAME)));
            made[ordinal] = (struct made){ ordinal % 1000 == 7 ? (uint32_t)(ordinal / 1000 + 1) : 0,
                                           content_hash_raw(slice_of(word)).low, ordinal };
            assert_int_equal(bytes_printf(&text[f], "{\"text\": \"%s\"", word), 0);
            if (made[ordinal].stars)
                assert_int_equal(bytes_printf(&text[f], ", \"stars\": %u", made[ordinal].stars), 0);
            assert_int_equal(bytes_append(&text[f], "}\n", 2), 0);
        }
    for (int f = 0; f < 3; f++) assert_int_equal(bytes_append(&text[f], "", 1), 0);
    qsort(made, MANY, sizeof *made, made_compare);
    world_open(&w, ", keep: [stars]", (const char *const[3]){ text[0].at, text[1].at, text[2].at });
    w.r.run.memory = 1;
    world_order(&w);
    assert_true(w.job.stats.spilled_bytes > 0);
    assert_int_equal(own_ids(&w.state), MANY);
    for (uint64_t id = 0; id < MANY; id++) {
        assert_int_equal(own_place(&w.state, id), made[id].ordinal);
        assert_int_equal(own_id_of(&w.state, made[id].ordinal), id);
    }
    world_close(&w);
    for (int f = 0; f < 3; f++) bytes_free(&text[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_criteria), cmocka_unit_test(test_first),
                                        cmocka_unit_test(test_hash), cmocka_unit_test(test_many) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
