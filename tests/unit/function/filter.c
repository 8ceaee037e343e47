/* tests/unit/function/filter.c -- no document is left out that has a run of features like a class, against asking the
 * index for every run. */
#include "function/filter.h"
#include "tests/unit/near/made_index.h"

enum { LENGTH = 40 };

/* Has one of the runs of the features a link? */
static bool any_run(const struct made_index *m, struct lookup *lookup, const uint64_t *feature, size_t count)
{
    static uint64_t hash[LENGTH], spare[LENGTH];
    static uint32_t times[LENGTH], rank[LENGTH], known_times[LENGTH];
    struct err      err = { 0 };

    for (size_t from = 0; from < count; from++)
        for (size_t to = from + 1; to <= count; to++) {
            const struct near_link *link;
            size_t                  links, distinct, known = 0;

            memcpy(hash, feature + from, (to - from) * sizeof *hash);
            distinct = view_multiset(hash, times, to - from, spare);
            for (size_t i = 0; i < distinct; i++) {
                rank[known] = dictionary_rank(&m->index.dictionary, hash[i]);
                known_times[known] = times[i];
                known += rank[known] != DICTIONARY_NONE;
            }
            near_sort_ranks(rank, known_times, known);
            assert_int_equal(lookup_run(lookup, &(struct lookup_query){
                rank, known_times, known, (uint32_t)distinct, (uint32_t)(to - from), UINT32_MAX, false, 0 },
                             &link, &links, &err), 0);
            if (links) return true;
        }
    return false;
}

/* Features of some class in some order, with others between and around, or any. */
static size_t draw_document(struct made_index *m, uint64_t features, uint64_t *feature)
{
    const size_t count = made_draw(m, LENGTH);
    size_t       at = made_draw(m, LENGTH / 2), d = made_draw(m, m->count);

    for (size_t i = 0; i < count; i++) feature[i] = made_feature(made_draw(m, 6 * features));
    for (size_t i = 0; i < m->row[d].distinct && made_draw(m, 8); i++)
        for (uint32_t k = 0; k < m->times[d][i] && at < count; k++, at += made_draw(m, 8) ? 1 : 2)
            if (made_draw(m, 12)) feature[at] = m->hash[d][i];
    return count;
}

static bool may(struct function_filter *filter, struct knower *knower, const uint64_t *feature, size_t count)
{
    struct err   err = { 0 };
    struct known known;

    assert_int_equal(knower_ask(knower, (struct feature_list){ feature, count }, &known, &err), 0);
    return function_filter_may(filter, &known);
}

static void check(struct near_options options, uint64_t features, unsigned expected_out)
{
    unsigned out = 0, in = 0, wrong = 0;

    for (uint64_t seed = 0; seed < 12; seed++) {
        struct made_index      *m = made_index(seed, MADE_DOCUMENTS, features, options);
        struct function_filter *filter;
        struct lookup          *lookup;
        struct knower          *knower;
        struct err              err = { 0 };
        uint64_t                feature[LENGTH];

        assert_int_equal(lookup_open(&lookup, &m->index, &m->options, &err), 0);
        assert_int_equal(knower_open(&knower, &m->index.dictionary, &err), 0);
        assert_int_equal(function_filter_open(&filter, &m->index, &m->options, &err), 0);
        for (unsigned round = 0; round < 60; round++) {
            const size_t count = draw_document(m, features, feature);
            const bool   has = any_run(m, lookup, feature, count);
            const bool   passes = may(filter, knower, feature, count);

            if (has && !passes) fail_msg("seed %d round %d: left out", (int)seed, (int)round);
            in += has;
            out += !passes;
            wrong += passes && !has;
        }
        function_filter_close(filter);
        knower_close(knower);
        lookup_close(lookup);
        made_index_close(m);
    }
    if (in < 20 || out < expected_out) fail_msg("%u have a link, %u are left out, %u are not", in, out, wrong);
}

static void test_runs(void **unused)
{
    const struct ratio high = { 4, 5 }, low = { 1, 2 }, one = { 1, 1 }, most = { 93, 100 }, zero = { 0, 1 };
    const struct near_options similar = { .set_threshold = high, .multiset_threshold = { 7, 10 } };
    struct near_options       o;

    (void)unused;
    check(similar, MADE_FEATURES, 100);
    o = similar, o.report_floor = low;
    check(o, MADE_FEATURES, 20);
    o = similar, o.containment_threshold = most;
    check(o, MADE_FEATURES, 100);
    o.containment_auto = true;
    check(o, MADE_FEATURES, 100);
    o = similar, o.containment_threshold = low;
    check(o, MADE_FEATURES, 10);
    o = similar, o.set_threshold = o.multiset_threshold = one;
    check(o, 6, 20);
    o = similar, o.multiset_threshold = zero;
    check(o, MADE_FEATURES, 100);
    o = similar, o.set_threshold = low, o.multiset_threshold = high;
    check(o, MADE_FEATURES, 50);
}

/* A class of many features around each place of a long document: the work has an end, and the document passes. */
static void test_work(void **unused)
{
    enum { LONG = 200000 };
    const struct near_options options = { .set_threshold = { 4, 5 }, .multiset_threshold = { 1, 1000 } };
    struct made_index        *m = made_index(1, MADE_DOCUMENTS, MADE_FEATURES, options);
    uint64_t                 *feature = malloc(LONG * sizeof *feature);
    struct function_filter   *filter;
    struct knower            *knower;
    struct err                err = { 0 };

    (void)unused;
    assert_non_null(feature);
    for (size_t i = 0; i < LONG; i++) feature[i] = made_feature(i % MADE_FEATURES == 0 ? 1000 : i % MADE_FEATURES);
    assert_int_equal(knower_open(&knower, &m->index.dictionary, &err), 0);
    assert_int_equal(function_filter_open(&filter, &m->index, &m->options, &err), 0);
    assert_true(may(filter, knower, feature, LONG));
    assert_false(may(filter, knower, feature, 0));
    knower_close(knower);
    function_filter_close(filter);
    function_filter_close(NULL);
    made_index_close(m);
    free(feature);
}

/* A document has a third of a large class, the features by which one that contains it is told among them: each of these
 * asks for the whole class, which would be 10^11 steps. */
static void test_class_once(void **unused)
{
    enum { LARGE = 1 << 19, PART = LARGE / 3 };
    const struct near_options options = { .set_threshold = { 4, 5 }, .multiset_threshold = { 1, 1000 },
                                          .containment_threshold = { 1, 5 } };
    struct made_index        *m = calloc(1, sizeof *m);
    uint64_t                 *hash = malloc(2 * LARGE * sizeof *hash);
    uint32_t                 *times = malloc(LARGE * sizeof *times);
    struct function_filter   *filter;
    struct knower            *knower;
    struct err                err = { 0 };

    (void)unused;
    assert_true(m && hash && times);
    for (size_t i = 0; i < LARGE; i++) {
        hash[i] = (i + 1) << 40;
        times[i] = 1;
    }
    m->options = options;
    m->row[0] = (struct near_row){ .distinct = LARGE, .total = LARGE, .class_low = 1, .copy_low = 1 };
    m->document[0] = (struct index_document){ &m->row[0], hash, times, true, true, 0 };
    m->count = 1;
    made_build(m);
    assert_int_equal(knower_open(&knower, &m->index.dictionary, &err), 0);
    assert_int_equal(function_filter_open(&filter, &m->index, &m->options, &err), 0);
    assert_true(may(filter, knower, hash, PART));           /* a fifth is enough */
    assert_false(may(filter, knower, hash, LARGE / 6));
    m->options.containment_threshold = (struct ratio){ 2, 5 };
    function_filter_close(filter);
    assert_int_equal(function_filter_open(&filter, &m->index, &m->options, &err), 0);
    for (size_t i = 0; i < PART; i++) hash[LARGE + i] = hash[i];
    assert_false(may(filter, knower, hash + LARGE, PART));
    knower_close(knower);
    function_filter_close(filter);
    made_index_close(m);
    free(hash);
    free(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_runs), cmocka_unit_test(test_work),
                                        cmocka_unit_test(test_class_once) };

    return made_index_run(tests, sizeof tests / sizeof tests[0]);
}
