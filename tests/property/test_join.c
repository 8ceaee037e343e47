/* tests/property/test_join.c -- the whole join, from shards to graph, against brute force.
 *
 * Random datasets whose documents are given as small token lists, made by copying and editing earlier ones so that many
 * pairs lie on or beside the thresholds.  Edges of every kind, matches, clusters and the overlap table must be those of
 * the obvious O(n^2) program. */
#include "join_harness.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { DATASETS = 4, MOST_DOCUMENTS = 90, WORDS = 40, MOST_TOKENS = 24 };

/* Dataset 0 and 1 are benchmarks (0 has two splits), 2 a corpus joined with itself, 3 a streamed corpus. */
struct made { int dataset, split, number, tokens; unsigned char token[MOST_TOKENS]; int count[WORDS]; };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % below);
}

static struct made document[DATASETS * MOST_DOCUMENTS];
static int         document_count;

static void make_documents(void)
{
    document_count = 0;
    for (int d = 0; d < DATASETS; d++) {
        int count = 5 + (int)draw(MOST_DOCUMENTS - 5);

        for (int n = 0; n < count; n++) {
            struct made *made = &document[document_count];

            *made = (struct made){ .dataset = d, .split = d == 0 && n >= count / 2, .number = n };
            if (document_count && draw(10) < 7) {           /* an edited copy */
                *made = document[draw((unsigned)document_count)];
                made->dataset = d;
                made->split = d == 0 && n >= count / 2;
                made->number = n;
                for (unsigned edits = draw(4); edits; edits--) {
                    if (draw(2) && made->tokens < MOST_TOKENS) made->token[made->tokens++] = (unsigned char)draw(WORDS);
                    else if (made->tokens > 1) {
                        made->tokens--;
                        made->token[draw((unsigned)made->tokens + 1)] = made->token[made->tokens];
                    }
                }
            } else {
                made->tokens = (int)draw(MOST_TOKENS);
                for (int t = 0; t < made->tokens; t++) made->token[t] = (unsigned char)draw(draw(3) ? WORDS : 6);
            }
            memset(made->count, 0, sizeof made->count);
            for (int t = 0; t < made->tokens; t++) made->count[made->token[t]]++;
            document_count++;
        }
    }
}

static void write_shards(const char *dir)
{
    for (int d = 0; d < DATASETS; d++) {
        for (int split = 0; split < (d == 0 ? 2 : 1); split++) {
            char  path[256];
            FILE *file;

            snprintf(path, sizeof path, "%s/d%d-%d.jsonl", dir, d, split);
            file = fopen(path, "w");
            assert_non_null(file);
            for (int i = 0; i < document_count; i++) {
                const struct made *made = &document[i];

                if (made->dataset != d || made->split != split) continue;
                fprintf(file, "{\"id\": %d, \"text\": \"", made->number);
                for (int t = 0; t < made->tokens; t++) fprintf(file, " w%d", made->token[t]);
                fprintf(file, "\", \"tokens\": [");
                for (int t = 0; t < made->tokens; t++) fprintf(file, "%s\"w%d\"", t ? ", " : "", made->token[t]);
                fprintf(file, "]}\n");
            }
            assert_int_equal(fclose(file), 0);
        }
    }
}

/* ---- the obvious program ---- */

struct numbers { uint32_t shared, whole, min_sum, max_sum; int set_a, set_b; };

static struct numbers compare(const struct made *a, const struct made *b)
{
    struct numbers n = { 0 };

    for (int w = 0; w < WORDS; w++) {
        int x = a->count[w], y = b->count[w];

        n.shared += x && y;
        n.whole += x || y;
        n.min_sum += (uint32_t)(x < y ? x : y);
        n.max_sum += (uint32_t)(x > y ? x : y);
        n.set_a += x > 0;
        n.set_b += y > 0;
    }
    return n;
}

static bool same_text(const struct made *a, const struct made *b)
{
    return a->tokens == b->tokens && memcmp(a->token, b->token, (size_t)a->tokens) == 0;
}

static bool compared(const struct made *a, const struct made *b)
{
    return a->dataset < 2 || b->dataset < 2 || (a->dataset == 2 && b->dataset == 2);
}

/* What pairs of the benchmarks need, and those of two corpora. */
static int minimum[2], minimum_corpora;

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

/* Tokens that a pair of the datasets needs. */
static int needed(int a, int b)
{
    if (a < 2 && b < 2) return larger(minimum[a], minimum[b]);
    return a < 2 ? minimum[a] : b < 2 ? minimum[b] : minimum_corpora;
}

/* Is an item of the one inside the other, of which it has so many distinct tokens and so many in all? */
static bool inside(const struct near_options *o, const struct made *item, const struct made *holder, int distinct,
                   const struct numbers *n)
{
    if (item->dataset >= 2 || !o->containment_threshold.den) return false;
    if (!ratio_reached(o->containment_threshold, n->shared, (uint64_t)distinct)) return false;
    return !o->containment_auto || (holder->dataset >= 2 && distinct >= 8 &&
                                    100 * n->min_sum >= 93 * (uint32_t)item->tokens);
}

static bool admitted(const struct made *a)
{
    int least = smaller(minimum[0], minimum[1]);

    if (a->dataset < 2) least = minimum[a->dataset];
    if (a->dataset == 2) least = smaller(least, minimum_corpora);
    return a->tokens >= least && a->tokens > 0;
}

/* The kind of a pair, or -1. */
static int kind_of(const struct made *a, const struct made *b, const struct near_options *o, struct numbers *n)
{
    *n = compare(a, b);
    if (!compared(a, b)) return -1;
    if (smaller(a->tokens, b->tokens) < larger(1, needed(a->dataset, b->dataset)))
        return same_text(a, b) ? EDGE_COPY : -1;
    if (same_text(a, b)) return EDGE_EXACT;
    if (ratio_reached(o->set_threshold, n->shared, n->whole) &&
        ratio_reached(o->multiset_threshold, n->min_sum, n->max_sum))
        return EDGE_NEAR;
    if (inside(o, a, b, n->set_a, n) || inside(o, b, a, n->set_b, n)) return EDGE_CONTAINED;
    if (o->report_floor.den && ratio_reached(o->report_floor, n->shared, n->whole) &&
        ratio_reached(o->report_floor, n->min_sum, n->max_sum))
        return EDGE_BELOW;
    return -1;
}

static int cluster[DATASETS * MOST_DOCUMENTS];

static void spread(int from, int name, const struct near_options *o)
{
    struct numbers n;

    cluster[from] = name;
    for (int i = 0; i < document_count; i++) {
        int kind = cluster[i] < 0 && i != from ? kind_of(&document[from], &document[i], o, &n) : -1;

        if (kind == EDGE_EXACT || kind == EDGE_NEAR) spread(i, name, o);
    }
}

static bool in_part(const struct made *m, uint32_t dataset, struct slice split)
{
    char name = (char)('a' + m->split);

    return m->dataset == (int)dataset && (!split.len || (dataset == 0 ? split.at[0] == name : false));
}

static void check_overlap(const struct graph *graph, const struct near_options *o)
{
    struct numbers n;

    for (size_t r = 0; r < graph->overlap_count; r++) {
        const struct graph_overlap *row = &graph->overlaps[r];
        uint64_t documents = 0, good = 0, direct = 0, transitive = 0, copies = 0, contained = 0;

        for (int i = 0; i < document_count; i++) {
            bool hit[4] = { false };

            if (!in_part(&document[i], row->source, row->split)) continue;
            documents++;
            good += admitted(&document[i]);
            for (int j = 0; j < document_count; j++) {
                int kind;

                if (i == j || !in_part(&document[j], row->target, row->target_split)) continue;
                kind = kind_of(&document[i], &document[j], o, &n);
                hit[0] |= kind == EDGE_EXACT || kind == EDGE_NEAR;
                hit[1] |= cluster[i] == cluster[j];
                hit[2] |= kind == EDGE_COPY;
                hit[3] |= kind == EDGE_CONTAINED;
            }
            direct += hit[0], transitive += hit[1], copies += hit[2], contained += hit[3];
        }
        assert_int_equal(row->documents, documents);
        assert_int_equal(row->admitted, good);
        assert_int_equal(row->direct, direct);
        assert_int_equal(row->transitive, transitive);
        assert_int_equal(row->copies, copies);
        assert_int_equal(row->contained, contained);
    }
    assert_true(graph->overlap_count > 0);
}

/* The made document that a stored one is. */
static int made_of(const struct graph *graph, uint32_t d)
{
    for (int i = 0, number = 0; i < document_count; i++) {
        if (document[i].dataset != (int)document_of(graph, d).dataset) continue;
        if ((uint64_t)number++ == document_of(graph, d).number) return i;
    }
    fail_msg("document %u of the graph was never made", d);
    return -1;
}

static void check_all(const struct graph *graph, const struct near_options *o)
{
    bool stored[DATASETS * MOST_DOCUMENTS] = { false };
    size_t at = 0, pairs = 0;

    for (int i = 0; i < document_count; i++) cluster[i] = -1;
    for (int i = 0; i < document_count; i++)
        if (cluster[i] < 0) spread(i, i, o);

    for (int i = 0; i < document_count; i++) {
        for (int j = i + 1; j < document_count; j++) {
            struct numbers           n;
            int                      kind = kind_of(&document[i], &document[j], o, &n);
            const struct graph_edge *edge = &graph->passes[PASS_NEAR].edges[at];

            if (kind < 0) continue;
            pairs++;
            stored[i] = stored[j] = true;
            assert_true(at < graph->passes[PASS_NEAR].edge_count);
            assert_int_equal(made_of(graph, edge->a), i);
            assert_int_equal(made_of(graph, edge->b), j);
            assert_int_equal(edge->kind, kind);
            assert_int_equal(edge->shared, n.shared);
            assert_int_equal(edge->union_size, n.whole);
            assert_int_equal(edge->min_sum, n.min_sum);
            assert_int_equal(edge->max_sum, n.max_sum);
            at++;
        }
    }
    assert_int_equal(graph->passes[PASS_NEAR].edge_count, pairs);

    for (size_t d = 0, i = 0, c = 0; d < graph->document_count; d++, i++) {
        const struct graph_pass *near = &graph->passes[PASS_NEAR];
        uint64_t                 matches = 0;
        int                      members = 0;

        while (!stored[i] && document[i].dataset >= 2) i++;
        assert_int_equal(made_of(graph, (uint32_t)d), i);
        for (int j = 0; j < document_count; j++) {
            struct numbers n;
            int            kind = j == (int)i ? -1 : kind_of(&document[i], &document[j], o, &n);

            matches += kind == EDGE_EXACT || kind == EDGE_NEAR;
            members += cluster[j] == cluster[i];
        }
        assert_int_equal(document_of(graph, d).matches, matches);
        if (members < 2) {
            assert_int_equal(near->cluster[d], GRAPH_NO_DOCUMENT);
            continue;
        }
        assert_true(near->cluster[d] <= d);
        assert_int_equal(cluster[made_of(graph, near->cluster[d])], cluster[i]);
        c++;
        if (d + 1 == graph->document_count) assert_int_equal(c, near->clustered);
    }
    check_overlap(graph, o);
}

/* ---- bounded edges ---- */

struct ranked { int other, kind; struct numbers n; };

static int ranked_order(const void *a, const void *b)
{
    static const int rank[EDGE_KIND_COUNT] = { [EDGE_EXACT] = 0, [EDGE_COPY] = 0, [EDGE_NEAR] = 1, [EDGE_CONTAINED] = 2,
                                               [EDGE_BELOW] = 3 };
    const struct ranked *x = a, *y = b;
    uint64_t             left, right;

    if (rank[x->kind] != rank[y->kind]) return rank[x->kind] - rank[y->kind];
    left = (uint64_t)x->n.shared * y->n.whole, right = (uint64_t)y->n.shared * x->n.whole;
    if (rank[x->kind] && left != right) return left > right ? -1 : 1;
    left = (uint64_t)x->n.min_sum * y->n.max_sum, right = (uint64_t)y->n.min_sum * x->n.max_sum;
    if (rank[x->kind] && left != right) return left > right ? -1 : 1;
    return x->other - y->other;
}

/* The best pairs of every benchmark item, all pairs of two others; counts as without the bound. */
static void check_bounded(const struct graph *graph, const struct near_options *o)
{
    static bool   kept[DATASETS * MOST_DOCUMENTS][DATASETS * MOST_DOCUMENTS];
    struct ranked pair[DATASETS * MOST_DOCUMENTS];
    size_t        at = 0;

    memset(kept, 0, sizeof kept);
    for (int i = 0; i < document_count; i++) cluster[i] = -1;
    for (int i = 0; i < document_count; i++)
        if (cluster[i] < 0) spread(i, i, o);
    check_overlap(graph, o);
    for (int i = 0; i < document_count; i++) {
        size_t count = 0;

        for (int j = 0; j < document_count; j++) {
            pair[count] = (struct ranked){ .other = j };
            pair[count].kind = i == j ? -1 : kind_of(&document[i], &document[j], o, &pair[count].n);
            if (pair[count].kind < 0) continue;
            if (document[i].dataset >= 2 && document[j].dataset >= 2) kept[i][j] = true;
            count++;
        }
        qsort(pair, count, sizeof *pair, ranked_order);
        for (size_t p = 0; p < count && p < o->max_matches && document[i].dataset < 2; p++)
            kept[i][pair[p].other] = kept[pair[p].other][i] = true;
    }
    for (int i = 0; i < document_count; i++) {
        for (int j = i + 1; j < document_count; j++) {
            if (!kept[i][j]) continue;
            assert_true(at < graph->passes[PASS_NEAR].edge_count);
            assert_int_equal(made_of(graph, graph->passes[PASS_NEAR].edges[at].a), i);
            assert_int_equal(made_of(graph, graph->passes[PASS_NEAR].edges[at].b), j);
            at++;
        }
    }
    assert_int_equal(graph->passes[PASS_NEAR].edge_count, at);
    for (size_t d = 0; d < graph->document_count; d++) {
        uint64_t matches = 0;
        int      me = made_of(graph, (uint32_t)d);

        for (int j = 0; j < document_count; j++) {
            struct numbers n;
            int            kind = j == me ? -1 : kind_of(&document[me], &document[j], o, &n);

            matches += kind == EDGE_EXACT || kind == EDGE_NEAR;
        }
        assert_int_equal(document_of(graph, d).matches, matches);
    }
}

/* ---- both together ---- */

/* own: of the datasets d0 and d1; NULL: near says it for all. */
static void run_and_check(const char *dir, const char *near, const int *own, bool all_pairs)
{
    struct joined joined;
    char          yaml[2048], out[300], key[2][40] = { "", "" };

    snprintf(out, sizeof out, "%s/out", dir);
    for (int d = 0; own && d < 2; d++) snprintf(key[d], sizeof key[d], "min_tokens: %d, ", own[d]);
    snprintf(yaml, sizeof yaml,
             "datasets:\n"
             "  - {name: d0, role: benchmark, language: text, %ssplits: {a: [%s/d0-0.jsonl], b: [%s/d0-1.jsonl]}}\n"
             "  - {name: d1, role: benchmark, language: text, %sfiles: [%s/d1-0.jsonl]}\n"
             "  - {name: d2, role: corpus, self_join: exact, language: text, files: [%s/d2-0.jsonl]}\n"
             "  - {name: d3, role: corpus, language: text, files: [%s/d3-0.jsonl]}\n"
             "near_duplicates: {%s%s}\n", key[0], dir, dir, key[1], dir, dir, dir,
             strstr(near, "auto") ? "" : "view: tokens, ", near);
    joined_open(&joined, yaml, out);
    minimum_corpora = (int)near_task(&joined.config)->options.min_tokens;
    for (int d = 0; d < 2; d++) minimum[d] = own ? own[d] : minimum_corpora;
    if (all_pairs) check_all(&joined.build.graph, &near_task(&joined.config)->options);
    else check_bounded(&joined.build.graph, &near_task(&joined.config)->options);
    joined_close(&joined);
}

static char directory[] = "/tmp/leakgraph-join-XXXXXX";

static void join_equals_brute_force(void **unused)
{
    static const char *const settings[] = {
        "min_tokens: 5, pairs: all, max_matches: 100000",
        "min_tokens: 1, set_threshold: 0.5, multiset_threshold: 0.4, pairs: all, max_matches: 100000",
        "min_tokens: 3, containment_threshold: 0.75, pairs: all, max_matches: 100000",
        "min_tokens: 4, report_floor: 0.5, pairs: all, max_matches: 100000",
        ("min_tokens: 2, set_threshold: 0.9, containment_threshold: 0.6, report_floor: 0.3, "
         "pairs: all, max_matches: 100000"),
        "min_tokens: 1, set_threshold: 1, multiset_threshold: 1, pairs: all, max_matches: 100000",
        "min_tokens: 5, containment_threshold: auto, pairs: all, max_matches: 100000",
        ("min_tokens: 2, set_threshold: 0.9, containment_threshold: auto, report_floor: 0.3, "
         "pairs: all, max_matches: 100000"),
    };

    (void)unused;
    for (int round = 0; round < 8; round++) {
        make_documents();
        write_shards(directory);
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
            run_and_check(directory, settings[s], NULL, true);
    }
}

/* Benchmarks that need different numbers, below and above that of the corpora. */
static void own_minimums_equal_brute_force(void **unused)
{
    static const int own[][2] = { { 3, 9 }, { 9, 3 }, { 12, 14 }, { 2, 2 }, { 7, 12 } };
    static const char *const settings[] = {
        "min_tokens: 9, containment_threshold: auto, pairs: all, max_matches: 100000",
        "min_tokens: 7, set_threshold: 0.6, multiset_threshold: 0.5, pairs: all, max_matches: 100000",
        ("min_tokens: 8, set_threshold: 0.8, containment_threshold: 0.6, report_floor: 0.3, "
         "pairs: all, max_matches: 100000"),
    };

    (void)unused;
    for (int round = 0; round < 8; round++) {
        make_documents();
        write_shards(directory);
        for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++)
            for (size_t m = 0; m < sizeof own / sizeof own[0]; m++)
                run_and_check(directory, settings[s], own[m], true);
    }
}

static void bounded_edges_are_the_best(void **unused)
{
    (void)unused;
    for (int round = 0; round < 8; round++) {
        make_documents();
        write_shards(directory);
        run_and_check(directory, "min_tokens: 2, set_threshold: 0.6, multiset_threshold: 0.5, max_matches: 3", NULL,
                      false);
        run_and_check(directory, "min_tokens: 2, set_threshold: 0.6, containment_threshold: 0.6, max_matches: 1",
                      NULL, false);
        run_and_check(directory, "min_tokens: 6, set_threshold: 1, multiset_threshold: 1, containment_threshold: 0.8, "
                                 "report_floor: 0.4, max_matches: 2", NULL, false);
        run_and_check(directory, "min_tokens: 2, set_threshold: 1, containment_threshold: auto, max_matches: 2", NULL,
                      false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(join_equals_brute_force),
                                        cmocka_unit_test(own_minimums_equal_brute_force),
                                        cmocka_unit_test(bounded_edges_are_the_best) };
    const char *seed = getenv("SEED");
    char        command[128];
    int         failed;

    state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    printf("seed=%llu\n", (unsigned long long)state);
    if (!mkdtemp(directory)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command) == 0 ? failed : 1;
}
