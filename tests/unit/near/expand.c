/* tests/unit/near/expand.c -- pairs of documents, against looking at every two of them. */
#include "near/expand.h"

#include "tests/unit/near/made_result.h"
#include "view/class.h"

static enum member_role role_at(const struct made_near *m, size_t d)
{
    return role_of_dataset(&m->dataset[m->document[d].dataset]);
}

/* The kind of the pair, or EDGE_KIND_COUNT. */
static uint32_t kind_of(const struct made_near *m, size_t x, size_t y, struct near_link *link)
{
    const bool bytes = m->row[x].raw.low == m->row[y].raw.low;

    *link = (struct near_link){ .shared = 20, .union_size = 20, .min_sum = MADE_TOTAL, .max_sum = MADE_TOTAL };
    if (!roles_meet(role_at(m, x), role_at(m, y))) return EDGE_KIND_COUNT;
    if (m->result.class_of[x] == NO_CLASS) {
        link->min_sum = link->max_sum = MADE_SHORT;
        return m->result.copy_of[x] == m->result.copy_of[y] ? EDGE_COPY : EDGE_KIND_COUNT;
    }
    if (m->result.class_of[x] == m->result.class_of[y]) return bytes ? EDGE_EXACT : EDGE_NEAR;
    if (!made_link_of(m, x, y, link)) return EDGE_KIND_COUNT;
    if (link->min_sum == link->max_sum) return bytes ? EDGE_EXACT : EDGE_NEAR;
    if (link->marks & NEAR_SIMILAR) return EDGE_NEAR;
    if (link->marks & NEAR_FIRST_INSIDE && role_at(m, x) == MEMBER_BENCHMARK) return EDGE_CONTAINED;
    if (link->marks & NEAR_SECOND_INSIDE && role_at(m, y) == MEMBER_BENCHMARK) return EDGE_CONTAINED;
    return link->marks & NEAR_ABOVE_FLOOR ? EDGE_BELOW : EDGE_KIND_COUNT;
}

static void expand(const struct made_near *m, struct graph_edge **edge, size_t *count, uint32_t **matches)
{
    const struct runs_options options = pairs_options(NULL, 0);
    struct runs              *runs;
    struct classes            c;
    struct err                err = { 0 };

    assert_int_equal(classes_open(&c, &m->job, &m->result, &err), 0);
    assert_int_equal(runs_open(&runs, &options, &err), 0);
    assert_int_equal(expand_pairs(&c, runs, &err), 0);
    assert_int_equal(expand_matches(&c, matches, &err), 0);
    classes_free(&c);
    runs_records(runs, count);
    *edge = calloc(*count + 1, sizeof **edge);
    assert_non_null(*edge);
    if (*count) memcpy(*edge, runs_records(runs, count), *count * sizeof **edge);
    runs_close(runs);
}

static void test_random(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct made_near  *m = made_random(seed);
        struct graph_edge *edge;
        uint32_t          *matches, expected[64] = { 0 };
        size_t             count, at = 0;

        expand(m, &edge, &count, &matches);
        for (uint32_t a = 0; a < m->result.document_count; a++) {
            for (uint32_t b = a + 1; b < m->result.document_count; b++) {
                struct near_link link;
                uint32_t         kind = kind_of(m, a, b, &link);

                if (kind == EDGE_KIND_COUNT) continue;
                assert_true(at < count && edge[at].a == a && edge[at].b == b && edge[at].kind == kind);
                assert_true(edge[at].shared == link.shared && edge[at].union_size == link.union_size);
                assert_true(edge[at].min_sum == link.min_sum && edge[at].max_sum == link.max_sum);
                at++;
                if (kind != EDGE_EXACT && kind != EDGE_NEAR) continue;
                expected[a]++;
                expected[b]++;
            }
        }
        assert_int_equal(count, at);
        for (size_t d = 0; d < m->result.document_count; d++) assert_int_equal(matches[d], expected[d]);
        free(edge);
        free(matches);
        made_free(m);
    }
}

/* Of an item's pairs the best: exact, near by similarity, contained; equal ones by the documents' order. */
static void test_best(void **unused)
{
    static const struct made_document document[] = {
        { 0, 0, 1 }, { 2, 2, 2 }, { 2, 1, 3 }, { 2, 1, 4 }, { 2, 3, 5 }, { 2, 0, 6 }, { 2, 0, 1 },
    };
    static const uint32_t best[] = { 6, 5, 2, 3, 1, 4 };    /* its own bytes, its class, 19 of 20, 17, inside */

    (void)unused;
    for (size_t most = 1; most <= 6; most++) {
        struct made_near  *m = made_near(document, 7);
        struct graph_edge *edge;
        uint32_t          *matches;
        size_t             count, found = 0;

        made_link(m, 0, 1, NEAR_SIMILAR, 19);
        made_link(m, 0, 2, NEAR_SIMILAR, 17);
        made_link(m, 0, 3, NEAR_FIRST_INSIDE, 20);
        m->options.max_matches = most;
        expand(m, &edge, &count, &matches);
        assert_int_equal(count, most);
        for (size_t e = 0; e < count; e++)
            for (size_t i = 0; i < most; i++) found += edge[e].a == 0 && edge[e].b == best[i];
        assert_int_equal(found, most);
        assert_int_equal(matches[0], 5);                    /* counted all the same */
        free(edge);
        free(matches);
        made_free(m);
    }
}

/* ---- the best pairs, against ordering all of an item's ---- */

struct ranked_pair { uint32_t document, kind; struct near_link link; bool own, same_bytes; };

static int by_rank(const void *a, const void *b)
{
    static const int     rank[EDGE_KIND_COUNT] = { [EDGE_EXACT] = 0, [EDGE_NEAR] = 0, [EDGE_CONTAINED] = 1,
                                                   [EDGE_BELOW] = 2 };
    const struct ranked_pair *x = a, *y = b;

    if (x->own != y->own) return x->own ? -1 : 1;
    if (x->own && x->same_bytes != y->same_bytes) return x->same_bytes ? -1 : 1;
    if (x->own) return (x->document > y->document) - (x->document < y->document);
    if (rank[x->kind] != rank[y->kind]) return rank[x->kind] - rank[y->kind];
    if (x->link.shared != y->link.shared) return x->link.shared > y->link.shared ? -1 : 1;
    return (x->document > y->document) - (x->document < y->document);
}

/* Which of all pairs stay: keep[a * n + b]. */
static void best_by_hand(const struct made_near *m, bool *keep)
{
    const size_t n = m->result.document_count;
    struct near_link link;

    for (size_t d = 0; d < n; d++) {
        struct ranked_pair found[64];
        size_t        count = 0;

        for (size_t e = 0; e < n; e++) {
            uint32_t kind = e == d ? EDGE_KIND_COUNT : kind_of(m, d < e ? d : e, d < e ? e : d, &link);

            if (kind == EDGE_KIND_COUNT) continue;
            found[count++] = (struct ranked_pair){ (uint32_t)e, kind, link, link.min_sum == link.max_sum,
                                              m->document[d].row->raw.low == m->document[e].row->raw.low };
        }
        qsort(found, count, sizeof *found, by_rank);
        for (size_t i = 0; role_at(m, d) == MEMBER_BENCHMARK && i < count && i < m->options.max_matches; i++)
            keep[d * n + found[i].document] = keep[found[i].document * n + d] = true;
    }
    for (size_t d = 0; d < n; d++)                          /* pairs of which no side is an item stay */
        for (size_t e = 0; e < n; e++)
            if (role_at(m, d) != MEMBER_BENCHMARK && role_at(m, e) != MEMBER_BENCHMARK) keep[d * n + e] = true;
}

static void test_best_of_random(void **unused)
{
    size_t left_out = 0;

    (void)unused;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct made_near  *m = made_random(seed);
        const size_t       n = m->result.document_count;
        bool              *keep = calloc(n * n + 1, sizeof *keep);
        struct graph_edge *edge;
        uint32_t          *matches;
        size_t             count, at = 0;
        struct near_link   link;

        assert_non_null(keep);
        m->options.max_matches = 1 + seed % 6;
        best_by_hand(m, keep);
        expand(m, &edge, &count, &matches);
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 1; b < n; b++) {
                const uint32_t kind = kind_of(m, a, b, &link);

                if (kind == EDGE_KIND_COUNT) continue;
                left_out += !keep[a * n + b];
                if (!keep[a * n + b]) continue;
                if (at == count || edge[at].a != a || edge[at].b != b || edge[at].kind != kind)
                    fail_msg("seed %llu: pair %zu is not %u and %u", (unsigned long long)seed, at, a, b);
                at++;
            }
        assert_int_equal(at, count);
        free(keep);
        free(edge);
        free(matches);
        made_free(m);
    }
    assert_true(left_out > 1000);
}

/* An item of a large class that is not its centre keeps its byte-equal one of a twin, then the centre, then the twin's
 * others. */
static void test_star_twin(void **unused)
{
    static const uint32_t best[] = { STAR_LIMIT + 1 + 7, 0, STAR_LIMIT + 1, STAR_LIMIT + 2 };

    (void)unused;
    for (size_t most = 1; most <= 4; most++) {
        struct made_near  *m = made_near(NULL, 0);
        struct graph_edge *edge;
        uint32_t          *matches;
        size_t             count, of_one = 0;

        for (uint64_t d = 0; d <= STAR_LIMIT; d++) made_document(m, (struct made_document){ 0, 0, d });
        for (uint64_t d = 0; d < 9; d++) made_document(m, (struct made_document){ 2, 1, d == 7 ? 1 : 5000 + d });
        made_link(m, 0, 1, NEAR_SIMILAR, 20);
        m->options.max_matches = most;
        expand(m, &edge, &count, &matches);
        assert_int_equal(matches[1], STAR_LIMIT + 9);
        for (size_t e = 0; e < count; e++) {
            const uint32_t other = edge[e].a == 1 ? edge[e].b : edge[e].a;
            bool           is = false;

            if (edge[e].a != 1 && edge[e].b != 1) continue;
            for (size_t i = 0; i < most; i++) is |= other == best[i];
            assert_int_equal(edge[e].kind, other == best[0] ? EDGE_EXACT : EDGE_NEAR);
            if (!is) assert_true(other == 0);               /* the centre's own best */
            of_one += is;
        }
        assert_int_equal(of_one, most);
        free(edge);
        free(matches);
        made_free(m);
    }
}

/* What the first have goes on for very many. */
static void repeat(uint32_t **array, size_t many)
{
    *array = realloc(*array, many * sizeof **array);
    assert_non_null(*array);
    for (size_t d = MADE_MOST; d < many; d++) (*array)[d] = (*array)[d % MADE_MOST];
}

/* Very many items of one class, byte-equal, in groups, or all different; as a star and with all pairs. */
static void test_many_equal(void **unused)
{
    enum { MANY = 200000, MOST = 10 };
    static const size_t kinds[] = { 1, 50, MADE_MOST };
    struct near_brief  *brief = calloc(MANY, sizeof *brief);

    (void)unused;
    assert_non_null(brief);
    for (size_t k = 0; k < 3; k++)
        for (int all = 0; all < 2; all++) {
            struct made_near  *m = made_near(NULL, 0);
            struct graph_edge *edge;
            uint32_t          *matches;
            size_t             count;

            for (size_t d = 0; d < MADE_MOST; d++) made_document(m, (struct made_document){ 0, 0, d % kinds[k] });
            for (size_t d = 0; d < MANY; d++) brief[d] = m->brief[d % MADE_MOST];
            repeat(&m->result.class_of, MANY);
            repeat(&m->result.copy_of, MANY);
            repeat(&m->result.same, MANY);
            m->result.brief = brief;
            m->result.document_count = MANY;
            m->options.max_matches = MOST;
            m->options.pairs_all = all;
            expand(m, &edge, &count, &matches);
            assert_int_equal(matches[0], MANY - 1);
            if (!all) {
                assert_int_equal(count, MANY - 1);          /* each with the centre */
                for (size_t e = 0; e < count; e++) assert_true(edge[e].a == 0 && edge[e].b == e + 1);
            } else {                                        /* the first of each kind keep the others' pairs */
                assert_in_range(count, (size_t)MANY * MOST - kinds[k] * MOST * MOST, (size_t)MANY * MOST);
                for (size_t e = 0; e < count; e++) assert_true(edge[e].kind == EDGE_EXACT);
            }
            free(edge);
            free(matches);
            made_free(m);
        }
    free(brief);
}

/* A class of 1,000 has all its pairs, one more and it is a star: to its first document, or to its first item. */
static void test_star(void **unused)
{
    (void)unused;
    for (size_t size = STAR_LIMIT; size <= STAR_LIMIT + 1; size++) {
        for (int streams = 0; streams < 2; streams++) {
            struct made_near  *m = made_near(NULL, 0);
            struct graph_edge *edge;
            uint32_t          *matches;
            size_t             count;

            for (size_t d = 0; d + (size_t)streams < size; d++)
                made_document(m, (struct made_document){ d < 2 ? 0 : 1, 0, d });
            if (streams) made_document(m, (struct made_document){ 2, 0, size });
            expand(m, &edge, &count, &matches);
            if (size > STAR_LIMIT) {
                assert_int_equal(count, STAR_LIMIT);
                for (size_t e = 0; e < count; e++) assert_true(edge[e].a == 0 && edge[e].b == e + 1);
            } else                                          /* a streamed one is compared with the two items alone */
                assert_int_equal(count, streams ? (size - 1) * (size - 2) / 2 + 2 : size * (size - 1) / 2);
            assert_int_equal(matches[0], size - 1);
            free(edge);
            free(matches);
            if (size > STAR_LIMIT && !streams) {
                m->options.pairs_all = true;
                expand(m, &edge, &count, &matches);
                assert_int_equal(count, size * (size - 1) / 2);
                free(edge);
                free(matches);
            }
            made_free(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_best),
                                        cmocka_unit_test(test_star), cmocka_unit_test(test_best_of_random),
                                        cmocka_unit_test(test_many_equal),
                                        cmocka_unit_test(test_star_twin) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
