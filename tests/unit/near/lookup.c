/* tests/unit/near/lookup.c -- the links of a document, against comparing it with every class. */
#include "tests/unit/near/made_index.h"

/* What the definition says of a query and a class: the marks, 0 for none; *link is filled. */
static uint32_t compare(const struct made_index *m, const struct lookup_query *q, uint32_t c, struct near_link *link)
{
    const struct near_options *o = &m->options;
    const struct near_index   *index = &m->index;
    uint64_t                   size = index->class_start[c + 1] - index->class_start[c], shared = 0, sum = 0, whole;
    uint32_t                   marks = 0;
    struct ratio               inside = o->containment_threshold, floor = o->report_floor;
    uint32_t                   least = q->total < index->class_total[c] ? q->total : index->class_total[c];
    bool                       corpora = !q->benchmark && !index->class_benchmark[c];

    for (size_t i = 0; i < q->known; i++)
        for (uint64_t k = index->class_start[c]; k < index->class_start[c + 1]; k++)
            if (index->class_rank[k] == q->rank[i]) {
                shared++;
                sum += q->times[i] < index->class_times[k] ? q->times[i] : index->class_times[k];
            }
    whole = q->distinct + size - shared;
    *link = (struct near_link){ .second = c, .shared = (uint32_t)shared, .union_size = (uint32_t)whole,
                                .min_sum = (uint32_t)sum,
                                .max_sum = (uint32_t)(q->total + index->class_total[c] - sum) };
    if (least < index->least || least < index->class_level[c] || least < q->level) return link->marks = 0;
    if (corpora && least < index->corpora) return link->marks = 0;
    if (shared && shared * o->set_threshold.den >= whole * o->set_threshold.num &&
        sum * o->multiset_threshold.den >= (uint64_t)link->max_sum * o->multiset_threshold.num)
        return link->marks = NEAR_SIMILAR;
    if (inside.den && q->benchmark && shared * inside.den >= (uint64_t)q->distinct * inside.num)
        marks |= NEAR_FIRST_INSIDE;
    if (inside.den && index->class_benchmark[c] && shared * inside.den >= size * inside.num)
        marks |= NEAR_SECOND_INSIDE;
    if (floor.den && shared * floor.den >= whole * floor.num && sum * floor.den >= (uint64_t)link->max_sum * floor.num)
        marks |= NEAR_ABOVE_FLOOR;
    return link->marks = marks;
}

static void check_query(const struct made_index *m, struct lookup *lookup, const struct lookup_query *q)
{
    const struct near_link *link;
    struct err              err = { 0 };
    size_t                  count, at = 0;

    assert_int_equal(lookup_run(lookup, q, &link, &count, &err), 0);
    for (uint32_t c = 0; c < m->index.classes; c++) {
        struct near_link expected;
        uint32_t         marks = compare(m, q, c, &expected);

        /* larger ones, and itself, only where one is inside the other; one that is in a class it does not belong to
         * is found from the side of the class that is inside */
        if (q->below != UINT32_MAX && c >= q->below && !(marks & NEAR_INSIDE)) continue;
        if (q->below != UINT32_MAX && c >= q->below && !(marks & NEAR_SECOND_INSIDE)) {
            at += at < count && link[at].second == c;
            continue;
        }
        if (!(marks & ~(uint32_t)NEAR_FIRST_INSIDE) && marks) {         /* found from the other side at least */
            at += at < count && link[at].second == c;
            continue;
        }
        if (!marks) continue;
        assert_true(at < count);
        assert_memory_equal(&link[at], &expected, sizeof expected);
        at++;
    }
    assert_int_equal(count, at);
}

static void check(uint64_t seed, struct near_options options, struct near_minimums minimums)
{
    struct made_index *m = made_index_of(seed, 1 + seed % MADE_DOCUMENTS, 4 + seed % (MADE_FEATURES - 4), options,
                                         minimums);
    struct lookup     *lookup;
    struct err         err = { 0 };

    assert_int_equal(lookup_open(&lookup, &m->index, &m->options, &err), 0);
    for (uint32_t c = 0; c < m->index.classes; c++) {       /* the index with itself */
        uint64_t           n = m->index.class_start[c + 1] - m->index.class_start[c];
        struct lookup_query q = { m->index.class_rank + m->index.class_start[c],
                                 m->index.class_times + m->index.class_start[c], n, (uint32_t)n,
                                 m->index.class_total[c], c, m->index.class_benchmark[c], m->index.class_level[c] };

        check_query(m, lookup, &q);
        q.below = UINT32_MAX;
        q.benchmark = false;
        check_query(m, lookup, &q);
    }
    for (int i = 0; i < 20; i++) {                          /* others, of which the index lacks some features */
        uint64_t           hash[MADE_FEATURES];
        uint32_t           times[MADE_FEATURES], rank[MADE_FEATURES], of[MADE_FEATURES], known = 0;
        struct lookup_query q = { rank, of, 0, made_features(m, MADE_FEATURES, hash, times), 0, UINT32_MAX, false,
                                  0 };

        for (uint32_t f = 0; f < q.distinct; f++) {
            q.total += times[f];
            rank[known] = dictionary_rank(&m->index.dictionary, hash[f]);
            of[known] = times[f];
            known += rank[known] != UINT32_MAX;
        }
        q.known = known;
        near_sort_ranks(rank, of, known);
        if (q.distinct) check_query(m, lookup, &q);
    }
    lookup_close(lookup);
    lookup_close(NULL);
    made_index_close(m);
}

static void test_random(void **unused)
{
    static const struct near_options options[] = {
        { .set_threshold = { 4, 5 }, .multiset_threshold = { 7, 10 } },
        { .set_threshold = { 1, 2 }, .multiset_threshold = { 1, 3 }, .containment_threshold = { 9, 10 } },
        { .set_threshold = { 3, 4 }, .multiset_threshold = { 1, 2 }, .report_floor = { 1, 4 },
          .containment_threshold = { 1, 2 } },
        { .set_threshold = { 1, 1 }, .multiset_threshold = { 1, 1 } },
    };

    (void)unused;
    for (uint64_t seed = 1; seed < 120; seed++) check(seed, options[seed % 4], (struct near_minimums){ 0 });
    for (uint64_t seed = 1; seed < 120; seed++)             /* benchmarks that need 3, others that need 12, corpora 8 */
        check(seed, options[seed % 4], (struct near_minimums){ .least = 3, .most = 12, .corpora = 8 });
}

static void test_sort(void **unused)
{
    static const size_t lengths[] = { 0, 1, 2, 63, 64, 65, 500 };
    uint32_t            rank[500], times[500];

    (void)unused;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        for (size_t i = 0; i < lengths[l]; i++) {           /* a permutation, and what belongs to each */
            rank[i] = (uint32_t)((i * 211 + 17) % 503 % 500 + (i * 211 + 17) % 503 / 500 * 1000);
            times[i] = rank[i] ^ 0x5555;
        }
        near_sort_ranks(rank, times, lengths[l]);
        for (size_t i = 0; i < lengths[l]; i++) {
            assert_true(i == 0 || rank[i - 1] <= rank[i]);
            assert_int_equal(times[i], rank[i] ^ 0x5555);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_sort) };

    return made_index_run(tests, sizeof tests / sizeof *tests);
}
