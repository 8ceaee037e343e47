/* tests/unit/dedup/verify.c -- what is a pair, at the thresholds and beside them; links committed and loaded. */
#include "dedup/fetch.h"
#include "tests/unit/dedup/world.h"

/* Features [from, to), each once, or as often as count says. */
static struct fetched document(uint64_t ordinal, uint64_t from, uint64_t to, const uint32_t *count)
{
    static uint64_t hash[4][16];
    static int      next;
    struct fetched  made = { .ordinal = ordinal };
    uint64_t       *at = hash[next++ % 4];

    for (uint64_t f = from; f < to; f++) {
        at[f - from] = f;
        made.features.total += count ? count[f - from] : 1;
    }
    made.features.hash = at, made.features.count = count, made.features.distinct = (uint32_t)(to - from);
    return made;
}

static void test_decide(void **unused)
{
    static const uint32_t twice[] = { 2, 2, 2, 2 }, mixed[] = { 1, 3, 1, 3 };
    struct dedup_options  o = { .threshold = { 1, 2 } };
    struct dedup_link     link;

    (void)unused;
    assert_true(pair_decide(&o, document(9, 0, 3, NULL), document(4, 1, 4, NULL), &link));     /* 2 of 4 */
    assert_true(link.first == 4 && link.second == 9 && link.shared == 2 && link.union_size == 4 && link.min_sum == 2 &&
                link.max_sum == 4 && link.marks == DEDUP_SIMILAR);
    assert_false(pair_decide(&o, document(9, 0, 3, NULL), document(4, 2, 5, NULL), &link));    /* 1 of 5 */
    assert_false(pair_decide(&o, document(9, 0, 2, NULL), document(4, 0, 5, NULL), &link));    /* 2 of 5 */

    /* occurrences: 0..3 twice each and 1, 3, 1, 3 times: min 1 + 2 + 1 + 2, max 2 + 3 + 2 + 3 */
    o.multiset_threshold = (struct ratio){ 3, 5 };
    assert_true(pair_decide(&o, document(1, 0, 4, twice), document(2, 0, 4, mixed), &link));
    assert_true(link.min_sum == 6 && link.max_sum == 10 && link.first == 1);
    o.multiset_threshold = (struct ratio){ 61, 100 };
    assert_false(pair_decide(&o, document(1, 0, 4, twice), document(2, 0, 4, mixed), &link));
    /* where one has each feature once, the shared ones are what both have */
    o.multiset_threshold = (struct ratio){ 1, 2 };
    assert_true(pair_decide(&o, document(1, 0, 4, twice), document(2, 0, 4, NULL), &link));
    assert_true(link.min_sum == 4 && link.max_sum == 8);

    /* the worse may be inside the better, not the other way round */
    o = (struct dedup_options){ .threshold = { 9, 10 }, .containment = { 2, 3 } };
    assert_true(pair_decide(&o, document(5, 0, 3, NULL), document(6, 1, 9, NULL), &link));
    assert_int_equal(link.marks, DEDUP_FIRST_INSIDE);
    assert_true(pair_decide(&o, document(6, 0, 3, NULL), document(5, 1, 9, NULL), &link));
    assert_int_equal(link.marks, DEDUP_SECOND_INSIDE);
    assert_false(pair_decide(&o, document(5, 1, 9, NULL), document(6, 0, 3, NULL), &link));
    assert_false(pair_decide(&o, document(5, 0, 3, NULL), document(6, 2, 9, NULL), &link));
    assert_true(pair_decide(&o, document(5, 0, 3, NULL), document(6, 0, 3, NULL), &link));
    assert_int_equal(link.marks, DEDUP_SIMILAR | DEDUP_FIRST_INSIDE);
}

static void test_links(void **unused)
{
    struct world  w;
    struct links  links;
    struct err    err = { 0 };

    (void)unused;
    /* in the order of preference: p q r s, then q r s t (3 of 5 with it), then s t u (of 6: 1; of 5: 2) */
    world_open(&w, ", keep: [path]", (const char *const[3]){
        "{\"text\": \"s t u\", \"path\": \"ccc\"}\n{\"text\": \"q r s t\", \"path\": \"bb\"}\n"
        "{\"text\": \"p q r s\", \"path\": \"a\"}\n", NULL, NULL });
    world_links(&w);
    assert_int_equal(w.state.blocks, 1);
    assert_int_equal(links_load(&w.state, 0, &links, &err), 1);
    assert_int_equal(links.count, 1);
    assert_true(links.id[0].worse == 1 && links.id[0].better == 0);
    assert_true(links.link[0].first == 1 && links.link[0].second == 2 && links.link[0].shared == 3 &&
                links.link[0].union_size == 5);
    assert_true(links.candidates >= 1);
    unit_close(&links.file);
    assert_int_equal(stage_clear(w.r.stage, &err), 0);
    assert_int_equal(links_load(&w.state, 0, &links, &err), 0);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_decide), cmocka_unit_test(test_links) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
