/* tests/unit/dedup/tables.c -- pass dedup in the graph: a result made by hand, every pair and row against the
 * obvious program. */
#include "tests/unit/sample_graph.h"
#include "tests/unit/dedup/fate_of.h"

#include "dedup/tables.h"
#include "graph/check.h"
#include "dedup/expand.h"
#include "graph/read.h"
#include "graph/store.h"

#include <errno.h>

enum { DATASETS = 3, MOST = 3000, MOST_CLASSES = MOST, LANGUAGES = 2 };

static uint64_t seed;

/* A document, and the class of documents that it is of.  Class c is of language c % 2, admitted unless c % 7 is 3. */
struct made {
    struct dataset        dataset[DATASETS];
    struct dataset_split  split[DATASETS];
    struct shard          shard[DATASETS];
    struct shard_list     shards;
    uint32_t              member[DATASETS];
    struct dedup_options  options;
    struct run run;
    struct dedup_job      job;
    struct dedup_result   result;
    struct dedup_row      row[MOST];
    struct part_group     group[DATASETS][LANGUAGES];
    struct unit_header    header;                           /* of all units: one part */
    struct slice          section[DATASETS][1 + PART_SECTIONS];
    uint32_t              part_first[DATASETS][2];
    struct column_unit    unit[DATASETS];                   /* one a dataset */
    struct catalogue_unit catalogue[DATASETS];
    struct dedup_fate     fate_of[MOST];                    /* by ordinal */
    uint64_t              ordinal[MOST];                    /* of those that are not alone */
    struct graph_fate     fate[MOST];
    uint64_t              admitted[MOST / 64 + 1];
    struct dedup_link     link[MOST];
    size_t                link_count;
    struct dedup_cell     cell[DATASETS * LANGUAGES];
    struct dedup_shard    read[DATASETS];
    struct dedup_reject   reject[1];
    uint64_t              first[DATASETS];
    uint32_t              class_of[MOST], rank[MOST];       /* by ordinal; the smaller rank is preferred */
    /* ordinals: a class's own, and the one that stays for it */
    uint32_t              best[MOST_CLASSES], canonical[MOST_CLASSES];
    bool                  linked[MOST_CLASSES];
    size_t                count, classes;
    struct sample         random;
};

static char made_heap[] = "id-of-a-document/path/of/it.java" "train" "x/y" "java" "python";

static bool class_admitted(uint32_t c) { return c % 7 != 3; }

static void made_datasets(struct made *m, size_t per)
{
    static char *const names[] = { "codetrans", "code", "stack" }, *const splits[] = { "train", "", "x/y" },
        *const shards[] = { "a.jsonl", "b.zst", "c\xff" };

    for (uint32_t d = 0; d < DATASETS; d++) {
        m->split[d].name = splits[d];
        m->dataset[d] = (struct dataset){ .name = names[d], .url = names[d], .role = d ? ROLE_CORPUS : ROLE_BENCHMARK,
                                          .splits = &m->split[d], .split_count = 1 };
        m->shard[d] = (struct shard){ .dataset = d, .name = shards[d], .path = shards[d], .bytes = 1000 };
        m->read[d] = (struct dedup_shard){ .documents = per, .rejected = d == 1, .xxh3 = 77 + d };
        m->first[d] = d * per;
        m->member[d] = d;
        for (uint32_t l = 0; l < LANGUAGES; l++)
            m->cell[d * LANGUAGES + l] = (struct dedup_cell){ .dataset = d, .split = slice_of(splits[d]), .language = l
                                                              ? SLICE("python") : SLICE("java"), .rejected = d == 1 &&
                                                                  l };
    }
    m->reject[0] = (struct dedup_reject){ 1, { .record = 0, .records = 1, .reason = REJECT_INVALID_JSON }, NULL };
    m->shards = (struct shard_list){ .at = m->shard, .count = DATASETS };
    m->count = DATASETS * per;
}

/* Links between classes, each once, and who stays: in the order of preference a class joins the first kept class that
 * it is linked with. */
static void made_links(struct made *m, size_t links)
{
    uint32_t order[MOST_CLASSES];
    size_t   n = 0;

    for (size_t l = 0; l < links; l++) {
        uint32_t a = (uint32_t)sample_random(&m->random, m->classes),
            b = (uint32_t)sample_random(&m->random, m->classes);
        uint64_t first, second;
        size_t   at = 0;

        if (a == b || !class_admitted(a) || !class_admitted(b) || m->best[a] == UINT32_MAX || m->best[b] == UINT32_MAX)
            continue;
        first = m->best[a] < m->best[b] ? m->best[a] : m->best[b];
        second = m->best[a] < m->best[b] ? m->best[b] : m->best[a];
        while (at < n && (m->link[at].first < first || (m->link[at].first == first && m->link[at].second < second)))
            at++;
        if (at < n && m->link[at].first == first && m->link[at].second == second) continue;
        memmove(&m->link[at + 1], &m->link[at], (n++ - at) * sizeof m->link[0]);
        m->link[at] = (struct dedup_link){ .first = first, .second = second, .marks = l % 5 ? DEDUP_SIMILAR
                                           : DEDUP_FIRST_INSIDE, .shared = (uint32_t)l + 1, .union_size = 900,
                                               .min_sum = 5,
                                           .max_sum = 1000 };
        m->linked[a] = m->linked[b] = true;
    }
    for (uint32_t c = 0; c < m->classes; c++) {
        size_t at = c;

        m->canonical[c] = m->best[c];
        for (; at > 0 && m->best[c] != UINT32_MAX && (m->best[order[at - 1]] == UINT32_MAX ||
                                                      m->rank[m->best[order[at - 1]]] > m->rank[m->best[c]]); at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    for (size_t i = 0; i < m->classes && m->best[order[i]] != UINT32_MAX; i++) {
        for (size_t k = 0; k < i && m->canonical[order[i]] == m->best[order[i]]; k++) {
            uint32_t x = m->best[order[i]], y = m->best[order[k]];

            for (size_t l = 0; l < n && m->canonical[order[k]] == y; l++)
                if ((m->link[l].first == x && m->link[l].second == y) ||
                    (m->link[l].first == y && m->link[l].second == x))
                    m->canonical[order[i]] = y;
        }
    }
    m->link_count = n;
}

/* A unit of columns a dataset. */
static void made_units(struct made *m, size_t per)
{
    static const uint32_t splits[DATASETS][2] = { { 32, 5 }, { 0, 0 }, { 37, 3 } };

    m->header = (struct unit_header){ .documents = per, .parts = 1 };
    for (uint32_t d = 0; d < DATASETS; d++) {
        struct slice *section = &m->section[d][1];

        m->group[d][0] = (struct part_group){ splits[d][0], splits[d][1], 40, 4, 0, 0, 0 };
        m->group[d][1] = (struct part_group){ splits[d][0], splits[d][1], 44, 6, 0, 0, 0 };
        section[PART_ROWS] = (struct slice){ (const char *)&m->row[m->first[d]], per * sizeof m->row[0] };
        section[PART_HEAP] = SLICE(made_heap);
        section[PART_GROUPS] = (struct slice){ (const char *)m->group[d], sizeof m->group[d] };
        m->part_first[d][1] = (uint32_t)per;
        m->unit[d] = (struct column_unit){ .file = { .file = { .section = m->section[d] }, .header = &m->header },
                                           .part_first = m->part_first[d], .documents = per };
        m->catalogue[d] = (struct catalogue_unit){ .first = m->first[d], .documents = per, .shard = d };
    }
    m->result.unit = m->unit;
    m->result.catalogue = (struct catalogue){ .unit = m->catalogue, .count = DATASETS, .documents = m->count,
                                              .dataset_first = m->first };
}

/* Where documents are named, as places. */
static void made_places(struct made *m)
{
    struct dedup_result *result = &m->result;

    assert_int_equal(ranked_end(&result->listed), 0);
    result->fate = m->fate;
    result->admitted = m->admitted;
    for (size_t d = 0; d < result->listed.count; d++) {
        m->fate[d].canonical = ranked_place(&result->listed, m->fate_of[m->ordinal[d]].canonical);
        assert_true(m->fate[d].canonical != RANKED_NONE);
    }
}

/* What pairs are made from; a graph gives it back. */
static void made_pairs(struct made *m)
{
    const struct runs_options options = dedup_copies_options(NULL, 0);
    struct dedup_result      *result = &m->result;
    struct err                err = { 0 };

    result->link = m->link;
    result->link_count = m->link_count;
    result->representative = malloc((result->listed.count + 1) * sizeof *result->representative);
    assert_non_null(result->representative);
    assert_int_equal(runs_open(&result->copies, &options, &err), 0);
    for (uint32_t d = 0; d < result->listed.count; d++) {
        const struct dedup_copy copy = { ranked_place(&result->listed, m->fate_of[m->ordinal[d]].representative), d,
                                         m->row[m->ordinal[d]].raw };

        result->representative[d] = copy.representative;
        assert_int_equal(runs_add(result->copies, &copy, &err), 0);
    }
    assert_int_equal(runs_end(result->copies, &err), 0);
}

static void made_documents(struct made *m)
{
    size_t members[MOST_CLASSES] = { 0 }, size[MOST] = { 0 }, n = 0;

    assert_int_equal(ranked_open(&m->result.listed, m->count), 0);
    for (size_t i = 0; i < m->count; i++) {
        members[m->class_of[i]]++;
        size[m->canonical[m->class_of[i]]]++;
    }
    for (size_t i = 0; i < m->count; i++) {
        const uint32_t     c = m->class_of[i], d = (uint32_t)(i / (m->count / DATASETS)), canonical = m->canonical[c];
        struct dedup_cell *cell = &m->cell[d * LANGUAGES + c % LANGUAGES];
        /* the others are protected */
        bool               removed = canonical != i && sample_random(&m->random, 10) != 0;

        cell->documents++;
        cell->admitted += class_admitted(c);
        cell->bytes += 100;
        cell->removed += removed;
        m->read[d].removed += removed;
        cell->removed_bytes += removed ? 100u : 0u;
        if (members[c] < 2 && !m->linked[c]) continue;
        m->row[i] = (struct dedup_row){ .record = i - m->first[d] + (d == 1),
                                        .raw = { class_admitted(c) ? i % 3 : 0, c }, .total = class_admitted(c) ? 40 + c
                                            : 0,
                                        .distinct = class_admitted(c) ? 20 + c : 0, .admitted = class_admitted(c),
                                            .group = c % LANGUAGES, .source_id = { 0, i % 4 ? 16 : NO_STRING },
                                        .path = { 16, 16 }, .repo = { 0, NO_STRING }, .license = { 0, NO_STRING },
                                            .text = { 3, i % 5 ? 9 : NO_STRING } };
        m->fate_of[i] = (struct dedup_fate)FATE(m->best[c], canonical, (uint32_t)size[canonical], removed);
        ranked_add(&m->result.listed, i);
        m->ordinal[n] = i;
        m->admitted[n / 64] |= (uint64_t)class_admitted(c) << n % 64;
        m->fate[n] = (struct graph_fate){ .features = m->row[i].total, .distinct = m->row[i].distinct };
        m->fate[n].size = (uint32_t)size[canonical] & GRAPH_CLUSTER_MOST;
        m->fate[n++].kept = !removed;
    }
    made_places(m);
}

/* `per` documents in each dataset; class of the i-th of them: a number below `classes`, small ones more often. */
static struct made *made_open(uint64_t random, size_t per, size_t classes, size_t links)
{
    struct made *m = calloc(1, sizeof *m);

    assert_non_null(m);
    m->random.random = random;
    m->classes = classes;
    made_datasets(m, per);
    for (size_t c = 0; c < classes; c++) m->best[c] = UINT32_MAX;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t swap = (uint32_t)sample_random(&m->random, i + 1);

        m->rank[i] = m->rank[swap];
        m->rank[swap] = i;
        m->class_of[i] = (uint32_t)sample_random(&m->random, 1 + sample_random(&m->random, classes));
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (m->best[m->class_of[i]] == UINT32_MAX || m->rank[i] < m->rank[m->best[m->class_of[i]]])
            m->best[m->class_of[i]] = i;
    made_units(m, per);
    made_links(m, links);
    made_documents(m);
    m->options = (struct dedup_options){ .pairs_all = true, .bucket_cap = 1000 };
    m->run = (struct run){ .datasets = m->dataset, .dataset_count = DATASETS, .shards = &m->shards,
                           .store_text = true };
    m->job = (struct dedup_job){ .run = &m->run, .member = m->member, .member_count = DATASETS,
                                 .options = &m->options };
    m->result.cell = m->cell;
    m->result.cell_count = DATASETS * LANGUAGES;
    m->result.shard = m->read;
    m->result.reject = m->reject;
    m->result.reject_count = 1;
    return m;
}

static void add(struct graph_build *build, struct made *m)
{
    struct err err = { 0 };

    made_pairs(m);
    if (graph_add_dedup(build, &m->job, &m->result, &err) < 0) fail_msg("%s", err.text);
}

static void made_close(struct made *m)
{
    ranked_free(&m->result.listed);
    free(m);
}

/* ---- pairs ---- */

static size_t members_of_class(const struct made *m, uint32_t c)
{
    size_t n = 0;

    for (size_t i = 0; i < m->count; i++) n += m->class_of[i] == c;
    return n;
}

/* The pair of two documents (by ordinal) that belongs in edges; false: none. */
static bool pair_of(const struct made *m, uint64_t x, uint64_t y, const size_t *members, struct graph_edge *out)
{
    const uint32_t           a = m->class_of[x], b = m->class_of[y];
    const struct dedup_link *link = NULL;
    bool                     best = m->best[a] == x || m->best[b] == y;
    const struct dedup_fate *of_x = &m->fate_of[x], *of_y = &m->fate_of[y];
    const struct dedup_row  *row = &m->row[x];
    bool                     kept = (of_x->removed && of_x->canonical == y) ||
        (of_y->removed && of_y->canonical == x);

    for (size_t l = 0; l < m->link_count; l++)
        if ((m->link[l].first == m->best[a] && m->link[l].second == m->best[b]) ||
            (m->link[l].first == m->best[b] && m->link[l].second == m->best[a]))
            link = &m->link[l];
    if (a != b && !link) return false;
    if (!m->options.pairs_all && !kept) return false;
    if (m->options.pairs_all && !best) {
        if (members[a] > m->options.bucket_cap || members[b] > m->options.bucket_cap) return false;
        if (a == b ? members[a] > 1000 : members[a] * members[b] > 1000000) return false;
    }
    if (a == b)
        *out = (struct graph_edge){ .kind = !class_admitted(a) ? EDGE_COPY : x % 3 == y % 3
                                    ? EDGE_EXACT : EDGE_NEAR, .shared = row->distinct, .union_size = row->distinct,
                                    .min_sum = row->total, .max_sum = row->total };
    else
        *out = (struct graph_edge){ .kind = link->marks & DEDUP_SIMILAR ? EDGE_NEAR : EDGE_CONTAINED,
                                    .shared = link->shared, .union_size = 900, .min_sum = 5, .max_sum = 1000 };
    return true;
}

static void check_pairs(struct made *m)
{
    const struct dedup_result *result = &m->result;
    const struct graph_pass   *pass;
    struct graph_build         build = { 0 };
    size_t                     at = 0, members[MOST_CLASSES];

    add(&build, m);
    pass = &build.graph.passes[PASS_DEDUP];
    for (uint32_t c = 0; c < m->classes; c++) members[c] = members_of_class(m, c);
    for (uint32_t a = 0; a < result->listed.count; a++) {
        for (uint32_t b = a + 1; b < result->listed.count; b++) {
            struct graph_edge edge;

            if (!pair_of(m, m->ordinal[a], m->ordinal[b], members, &edge)) continue;
            edge.a = a;
            edge.b = b;
            assert_true(at < pass->edge_count);
            assert_memory_equal(&pass->edges[at], &edge, sizeof edge);
            at++;
        }
    }
    assert_int_equal(pass->edge_count, at);
    graph_build_free(&build);
}

static void test_pairs(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 12; round++) {
        struct made *m = made_open(seed + round, 5 + round * 10, 4 + round * 8, round * 12);

        check_pairs(m);
        m->options.bucket_cap = 3;                          /* classes of more are stars, and their links */
        check_pairs(m);
        m->options.pairs_all = false;
        check_pairs(m);
        made_close(m);
    }
}

/* Two classes so large that neither their own pairs nor those of their link are spelled out. */
static void test_large_classes(void **state)
{
    struct made       *m = made_open(seed, 800, 2, 40);
    struct graph_build build = { 0 };
    size_t             first = members_of_class(m, 0), second = members_of_class(m, 1);

    (void)state;
    assert_int_equal(first + second, 2400);
    m->options.bucket_cap = 5000;
    assert_true(first > 1000 && m->link_count == 1);
    add(&build, m);
    if (second <= 1000 && first * second <= LINK_PAIRS_MAX)
        assert_int_equal(build.graph.passes[PASS_DEDUP].edge_count,
                         first - 1 + second * (second - 1) / 2 + first * second);
    else
        assert_int_equal(build.graph.passes[PASS_DEDUP].edge_count,
                         first - 1 + (second > 1000 ? second - 1 : second * (second - 1) / 2) + first + second - 1);
    graph_build_free(&build);
    made_close(m);
}

/* ---- rows ---- */

static void told(void *context, const char *check, const char *wrong)
{
    (void)context;
    if (wrong) fail_msg("%s: %s", check, wrong);
}

/* Written, read back: the same digest, and nothing for fsck to find. */
static void write_and_check(struct graph *graph, const char *path)
{
    const struct graph_setting settings[] = { { "dedup.cluster", SLICE("star") },
                                              { "near.view", SLICE("identifiers") } };
    const struct check_report  report = { told, NULL };
    char                       digest[33], again[33], made[33];
    struct err                 err = { 0 };

    graph->settings = settings;
    graph->setting_count = graph->passes[PASS_NEAR].edges ? 2 : 1;
    assert_int_equal(graph_digest(graph, digest, &err), 0);
    for (uint64_t limit = 0; limit < 2000000; limit += 1000000) {           /* pairs aside, then inside */
        strcpy(made, limit ? digest : "");
        if (store_write(graph, capability_tables(), path, made, limit, 2, &err) < 0 ||
            graph_digest_file(path, capability_tables(), again, &err) < 0)
            fail_msg("%s", err.text);
        assert_string_equal(digest, again);
        assert_string_equal(digest, made);
        if (check_graph(path, capability_tables(), &report, &err) < 0) fail_msg("%s", err.text);
    }
    graph->settings = NULL;
    graph->setting_count = 0;
}

static uint64_t count(const char *path, const char *sql)
{
    struct err err = { 0 };
    sqlite3   *db;
    uint64_t   value = 0;

    if (graph_open(&db, path, &err) < 0 || graph_count(db, sql, &value, &err) < 0) fail_msg("%s: %s", sql, err.text);
    graph_close(db);
    return value;
}

/* Of every cluster and document: what the tables say and what was made. */
static void check_rows(const struct made *m, const struct graph *graph, const uint32_t *place)
{
    const struct graph_pass *pass = &graph->passes[PASS_DEDUP];
    size_t                   clustered = 0, in_one = 0;

    for (size_t i = 0; i < m->result.listed.count; i++) {
        const uint64_t               ordinal = m->ordinal[i];
        const struct dedup_fate     *of = &m->fate_of[ordinal];
        const struct dedup_row      *row = &m->row[ordinal];
        const uint32_t               dataset = (uint32_t)(ordinal / (m->count / DATASETS));
        const struct graph_fate     *fate = &graph->fates[place[i]];
        struct graph_document        scratch;
        const struct graph_document *document = graph_document_at(graph, place[i], &scratch), *canonical;
        uint32_t                     fellows = 0, smallest = UINT32_MAX;

        assert_int_equal(document->dataset, dataset);
        assert_int_equal(document->number, ordinal - m->first[dataset]);
        assert_int_equal(document->record, row->record);
        assert_true(slice_equal(document->split, slice_of(m->split[dataset].name)));
        assert_true(slice_equal(document->language, m->class_of[ordinal] % LANGUAGES ? SLICE("python")
                                : SLICE("java")));
        assert_int_equal(fate->size, of->size);
        assert_int_equal(fate->kept, !of->removed);
        assert_int_equal(fate->features, row->total);
        assert_int_equal(fate->distinct, row->distinct);
        canonical = graph_document_at(graph, fate->canonical, &scratch);
        assert_int_equal(m->first[canonical->dataset] + canonical->number, of->canonical);
        for (size_t k = 0; k < m->result.listed.count; k++) {
            if (m->fate_of[m->ordinal[k]].canonical != of->canonical || !m->row[m->ordinal[k]].admitted) continue;
            fellows++;
            if (smallest == UINT32_MAX) smallest = place[k];
        }
        assert_int_equal(pass->cluster[place[i]], fellows < 2 || !row->admitted ? GRAPH_NO_DOCUMENT : smallest);
        clustered += fellows >= 2 && row->admitted;
    }
    assert_int_equal(pass->clustered, clustered);
    for (size_t i = 0; i < graph->document_count; i++) in_one += pass->cluster[i] != GRAPH_NO_DOCUMENT;
    assert_int_equal(in_one, clustered);
}

static void test_alone(void **state)
{
    char     folder[64], path[80];
    uint32_t place[MOST];

    (void)state;
    for (uint32_t i = 0; i < MOST; i++) place[i] = i;
    sample_folder(folder);
    snprintf(path, sizeof path, "%s/graph.db", folder);
    for (uint64_t round = 0; round < 5; round++) {
        struct made       *m = made_open(seed + round, 5 + round * 30, 4 + round * 25, round * 30);
        struct graph_build build = { 0 };

        m->options.pairs_all = round % 2;
        add(&build, m);
        assert_int_equal(build.graph.document_count, m->result.listed.count);
        check_rows(m, &build.graph, place);
        write_and_check(&build.graph, path);
        assert_int_equal(count(path, "SELECT count(*) FROM dedup"), m->result.listed.count);
        assert_int_equal(count(path, "SELECT count(*) FROM snippets WHERE source_id NOT IN ('id-of-a-document', shard "
                                     "|| ':' || record) OR path <> '/path/of/it.java' OR repo IS NOT NULL"), 0);
        assert_int_equal(count(path, "SELECT count(*) FROM snippets WHERE snippet NOT IN ('', 'of-a-docu') OR "
                                     "xxh128_squeezed IS NOT NULL"), 0);
        assert_int_equal(count(path, "SELECT count(*) FROM snippets AS s WHERE matches <> (SELECT count(*) FROM edges "
                                     "WHERE kind IN ('exact', 'near') AND s.id IN (a, b))"), 0);
        assert_int_equal(count(path, "SELECT sum(documents) FROM splits"), m->count);
        graph_build_free(&build);
        made_close(m);
    }
    sample_folder_remove(folder);
}

/* What pass near made of the same datasets: all documents of the benchmark, two of the corpora, two pairs. */
static void near_make(struct graph_build *build, const struct made *m)
{
    const uint32_t         per = (uint32_t)(m->count / DATASETS), n = per + 2;
    struct graph_dataset  *dataset = graph_build_own(build, calloc(DATASETS, sizeof *dataset));
    struct graph_shard    *shard = graph_build_own(build, calloc(DATASETS, sizeof *shard));
    struct graph_split    *split = graph_build_own(build, calloc(DATASETS * LANGUAGES, sizeof *split));
    struct graph_reject   *reject = graph_build_own(build, calloc(1, sizeof *reject));
    struct graph_document *document = graph_build_own(build, calloc(n, sizeof *document));
    struct runs_options    pairs = pairs_options(NULL, 0);
    uint32_t              *cluster;
    struct err             err = { 0 };

    cluster = graph_build_own(build, malloc(n * sizeof *cluster));
    assert_true(dataset && shard && split && reject && document && cluster);
    for (uint32_t d = 0; d < DATASETS; d++) {
        dataset[d] = (struct graph_dataset){ slice_of(m->dataset[d].name), SLICE(""), d == 0, false };
        shard[d] = (struct graph_shard){ .dataset = d, .whole = -1, .split = slice_of(m->split[d].name),
                                         .name = slice_of(m->shard[d].name), .records = per + (d == 1),
                                             .rejected = d == 1 };
    }
    for (size_t c = 0; c < DATASETS * LANGUAGES; c++)
        split[c] = (struct graph_split){ .dataset = m->cell[c].dataset, .split = m->cell[c].split,
                                         .language = m->cell[c].language, .documents = m->cell[c].documents,
                                         .rejected = m->cell[c].rejected, .bytes = 1,
                                         .removed = -1, .removed_bytes = -1 };
    reject[0] = graph_reject_of(1, 1, &m->reject[0].reject, NULL, 0);
    graph_shard_add_reject(&shard[1], &m->reject[0].reject);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = i < per ? 0 : i - per + 1, number = i < per ? i : per / 2;

        document[i] = (struct graph_document){ .dataset = d, .shard = d, .number = number, .record = number + (d == 1),
                                               .split = slice_of(m->split[d].name),
                                               .language = m->class_of[d * per + number] % LANGUAGES ? SLICE("python")
                                                   : SLICE("java"), .source_id = SLICE("near"),
                                               .features = 10, .distinct = 5, .admitted = true };
    }
    assert_int_equal(runs_open(&build->near_pairs, &pairs, &err), 0);
    assert_int_equal(runs_add(build->near_pairs, &(struct graph_edge){ 0, per, EDGE_NEAR, 4, 6, 8, 12 }, &err), 0);
    assert_int_equal(runs_add(build->near_pairs, &(struct graph_edge){ 1, per + 1, EDGE_NEAR, 4, 5, 8, 12 },
                              &err), 0);
    assert_int_equal(runs_end(build->near_pairs, &err), 0);
    document[0].matches = document[1].matches = document[per].matches = document[per + 1].matches = 1;
    memset(cluster, 0xFF, n * sizeof *cluster);             /* of none: GRAPH_NO_DOCUMENT */
    for (uint32_t i = 0; i < 4; i++) cluster[i < 2 ? i : per + i - 2] = i % 2;
    build->graph = (struct graph){ .datasets = dataset, .dataset_count = DATASETS, .shards = shard,
                                   .shard_count = DATASETS, .splits = split, .split_count = DATASETS * LANGUAGES,
                                   .rejects = reject, .reject_count = 1, .documents = document, .document_count = n,
                                   .passes[PASS_NEAR] = { .cluster = cluster, .clustered = 4 } };
    assert_int_equal(pairs_give(&build->graph.passes[PASS_NEAR], build->near_pairs, NULL, &err), 0);
}

static void test_both(void **state)
{
    char folder[64], path[80];

    (void)state;
    sample_folder(folder);
    snprintf(path, sizeof path, "%s/graph.db", folder);
    for (uint64_t round = 0; round < 5; round++) {
        struct made       *m = made_open(seed + round, 5 + round * 30, 4 + round * 25, round * 30);
        struct graph_build build = { 0 };
        uint32_t           place[MOST];
        size_t             per = m->count / DATASETS, stored = 0;

        near_make(&build, m);
        add(&build, m);
        for (size_t i = 0, k = 0; i < m->count; i++) {      /* the union, in order */
            bool near = i < per || i == per + per / 2 || i == 2 * per + per / 2, dedup = k < m->result.listed.count &&
                m->ordinal[k] == i;

            if (dedup) place[k++] = (uint32_t)stored;
            stored += near || dedup;
        }
        assert_int_equal(build.graph.document_count, stored);
        check_rows(m, &build.graph, place);
        write_and_check(&build.graph, path);
        assert_int_equal(count(path,
                               "SELECT count(*) FROM snippets WHERE source_id = 'near' AND distinct_features = 5"),
                                   per + 2);
        assert_int_equal(count(path, "SELECT count(*) FROM edges AS e JOIN snippets AS a ON a.id = e.a JOIN snippets "
                                     "AS b ON b.id = e.b WHERE pass = 'near' AND "
                               "a.dataset = 'codetrans' AND a.id_within_dataset = (b.dataset = 'stack') AND "
                               "b.source_id = 'near' AND containment_a = 0.8"), 2);
        assert_int_equal(count(path, "SELECT count(*) FROM snippets WHERE matches > 0"), 4);
        assert_int_equal(count(path, "SELECT sum(bytes) FROM splits"), DATASETS * LANGUAGES);
        graph_build_free(&build);
        made_close(m);
    }
    sample_folder_remove(folder);
}

/* ---- damage ---- */

static void refused(struct made *m, bool near, int code, const char *says)
{
    struct graph_build build = { 0 };
    struct err         err = { 0 };

    if (near) near_make(&build, m);
    made_pairs(m);
    assert_int_equal(graph_add_dedup(&build, &m->job, &m->result, &err), code);
    assert_non_null(strstr(err.text, says));
    assert_int_equal(build.owned_count, 0);
    dedup_result_forget(&m->result);
}

static void test_refused(void **state)
{
    struct made *m = made_open(seed, 50, 20, 40);

    (void)state;
    assert_true(m->result.listed.count > 10 && m->link_count > 2);
    m->read[2].rejected++;                                  /* one record less for one view */
    m->read[2].documents--;
    refused(m, true, -EINVAL, "c\xff");
    m->read[2].rejected--;
    m->read[2].documents++;
    m->link[m->link_count - 1].second = m->count;    /* a document that is not there */
    refused(m, true, -EBADMSG, "not there itself");
    made_close(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs), cmocka_unit_test(test_large_classes), cmocka_unit_test(test_alone),
            cmocka_unit_test(test_both), cmocka_unit_test(test_refused),
    };

    seed = sample_seed();
    return cmocka_run_group_tests_name("build_dedup", tests, NULL, NULL);
}
