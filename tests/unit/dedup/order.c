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
        const uint64_t ordinal = w.state.place[id];

        order[id] = (char)('a' + ordinal);
        assert_int_equal(w.state.id_of[ordinal], id);
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
    for (uint64_t id = 1; id < 4; id++) assert_true(low[w.state.place[id - 1]] < low[w.state.place[id]]);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_criteria), cmocka_unit_test(test_first),
                                        cmocka_unit_test(test_hash) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
