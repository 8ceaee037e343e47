/* tests/unit/near/made_result.h -- what a join found, made by hand: a benchmark (0), a corpus with self_join (1) and
 * one that is streamed (2). */
#ifndef LEAKGRAPH_TESTS_UNIT_NEAR_MADE_RESULT_H
#define LEAKGRAPH_TESTS_UNIT_NEAR_MADE_RESULT_H

#include "near/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* documents; their features, and those of one that is too short */
enum { MADE_MOST = 1100, MADE_DATASETS = 3, MADE_TOTAL = 30, MADE_LEAST = 25, MADE_SHORT = 20 };

/* class_id: below 0: too short, of copy class -1 - class_id. */
struct made_document { uint32_t dataset; int class_id; uint64_t bytes; };

struct made_near {
    struct dataset       dataset[MADE_DATASETS];
    struct dataset_split split[MADE_DATASETS];
    struct shard         shard[MADE_DATASETS];
    struct shard_list    shards;
    struct run           run;
    struct near_options  options;
    struct near_job      job;
    struct near_row      row[MADE_MOST];
    struct near_document document[MADE_MOST];
    struct near_brief    brief[MADE_MOST];
    struct scan_cell     cell[MADE_DATASETS];
    struct scan_shard    read[MADE_DATASETS];
    size_t               rejects[MADE_DATASETS + 1];
    struct near_link     link[64], both[128];               /* [link_count]; as the result has them */
    size_t               link_count;
    struct near_result   result;
};

/* Adds a document; they come by dataset. */
static inline void made_document(struct made_near *m, struct made_document of)
{
    size_t           d = m->result.document_count++;
    struct near_row *row = &m->row[d];
    uint32_t         none = NO_STRING;

    *row = (struct near_row){ .record = m->cell[of.dataset].documents, .raw = { of.bytes, 1 },
                              .total = of.class_id >= 0 ? MADE_TOTAL : MADE_SHORT, .distinct = 20,
                              .source_id = { 0, none }, .path = { 0, none },
                              .repo = { 0, none }, .license = { 0, none }, .text = { 0, 4 }, .tokens = { 0, none } };
    m->document[d] = (struct near_document){
        .row = row, .heap = "text", .number = row->record, .dataset = of.dataset, .shard = of.dataset,
        .cell = of.dataset, .admitted = of.class_id >= 0 };
    m->brief[d] = near_brief_of(row->record, of.dataset, row->total, row->distinct);
    m->result.class_of[d] = of.class_id >= 0 ? (uint32_t)of.class_id : NO_CLASS;
    m->result.copy_of[d] = of.class_id >= 0 ? NO_CLASS : (uint32_t)(-1 - of.class_id);
    m->result.same[d] = (uint32_t)of.bytes;
    if (of.class_id >= (int)m->result.class_count) m->result.class_count = (uint32_t)of.class_id + 1;
    if (-of.class_id > (int)m->result.copy_class_count) m->result.copy_class_count = (uint32_t)-of.class_id;
    m->cell[of.dataset].documents++;
    m->cell[of.dataset].admitted += of.class_id >= 0;
    m->read[of.dataset].documents++;
}

static inline int made_link_order(const void *a, const void *b)
{
    const struct near_link *x = a, *y = b;

    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Classes that share all 20 are twins: of one multiset. */
static inline void made_link(struct made_near *m, uint32_t first, uint32_t second, uint32_t marks, uint32_t shared)
{
    const bool             twins = shared == 20 && (marks & NEAR_SIMILAR);
    const struct near_link link = { first, second, marks, shared, 20, twins ? 30 : 25, twins ? 30 : 35 };

    m->link[m->link_count++] = link;
    m->both[m->result.link_count++] = link;
    m->both[m->result.link_count++] = near_link_turned(link);
    qsort(m->both, m->result.link_count, sizeof link, made_link_order);
}

static inline struct made_near *made_near(const struct made_document *document, size_t count)
{
    static char nothing[] = "", names[MADE_DATASETS][8] = { "bench", "own", "stream" };
    struct made_near *m = calloc(1, sizeof *m);

    assert_non_null(m);
    for (uint32_t d = 0; d < MADE_DATASETS; d++) {
        m->dataset[d] = (struct dataset){ .name = names[d], .url = names[d], .role = d ? ROLE_CORPUS : ROLE_BENCHMARK,
                                          .self_join = d == 1, .splits = &m->split[d], .split_count = 1 };
        m->split[d].name = nothing;
        m->shard[d] = (struct shard){ .dataset = d, .name = names[d], .path = names[d] };
        m->cell[d] = (struct scan_cell){ .dataset = d, .split = SLICE(""), .language = SLICE("java") };
    }
    m->shards = (struct shard_list){ .at = m->shard, .count = MADE_DATASETS };
    m->run = (struct run){ .datasets = m->dataset, .dataset_count = MADE_DATASETS, .shards = &m->shards,
                           .store_text = true };
    m->options = (struct near_options){ .max_matches = 1000000, .min_tokens = MADE_LEAST };
    m->job = (struct near_job){ .run = &m->run, .options = &m->options };
    m->result = (struct near_result){ .document = m->document, .brief = m->brief, .link = m->both,
                                      .class_of = malloc(MADE_MOST * sizeof *m->result.class_of),
                                      .copy_of = malloc(MADE_MOST * sizeof *m->result.copy_of),
                                      .same = malloc(MADE_MOST * sizeof *m->result.same) };
    assert_true(m->result.class_of && m->result.copy_of && m->result.same);
    for (size_t i = 0; i < count; i++) made_document(m, document[i]);
    m->result.counts = (struct scan_counts){ .datasets = m->dataset, .shards = &m->shards, .cell = m->cell,
                                             .cell_count = MADE_DATASETS, .shard = m->read,
                                             .shard_reject = m->rejects };
    return m;
}

/* Without the arrays that a result owns. */
static inline void made_forget(struct made_near *m)
{
    free(m->result.class_of);
    free(m->result.copy_of);
    free(m->result.same);
    m->result.class_of = m->result.copy_of = m->result.same = NULL;
}

static inline void made_free(struct made_near *m)
{
    made_forget(m);
    free(m);
}

static inline uint64_t made_draw(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (*state >> 33) % below;
}

/* Random documents of a few classes, and links between those. */
static inline struct made_near *made_random(uint64_t seed)
{
    struct made_near *m = made_near(NULL, 0);
    uint64_t          state = seed * 2862933555777941757ull + 3037000493ull;
    uint32_t          classes = 1 + (uint32_t)(seed % 7);

    for (uint32_t d = 0; d < MADE_DATASETS; d++)
        for (uint64_t i = 0, n = made_draw(&state, 8); i < n; i++) {
            int class_id = (int)made_draw(&state, classes + 2) - 2;

            made_document(m, (struct made_document){ d, class_id, made_draw(&state, 3) });
        }
    for (uint32_t a = 0; a < m->result.class_count; a++)
        for (uint32_t b = a + 1; b < m->result.class_count; b++)
            if (made_draw(&state, 3) == 0) {
                static const uint32_t marks[] = { NEAR_SIMILAR, NEAR_FIRST_INSIDE, NEAR_SECOND_INSIDE, NEAR_INSIDE,
                                                  NEAR_ABOVE_FLOOR, NEAR_FIRST_INSIDE | NEAR_ABOVE_FLOOR };

                const uint32_t mark = marks[made_draw(&state, 6)], shared = 10 + (uint32_t)made_draw(&state, 9);

                made_link(m, a, b, mark, mark == NEAR_SIMILAR && shared >= 16 ? 20 : shared);
            }
    return m;
}

/* The link of two documents' classes, seen from the first; NULL: none. */
static inline const struct near_link *made_link_of(const struct made_near *m, size_t x, size_t y, struct near_link *out)
{
    uint32_t a = m->result.class_of[x], b = m->result.class_of[y];

    for (size_t l = 0; a != NO_CLASS && b != NO_CLASS && l < m->link_count; l++) {
        if (m->link[l].first == a && m->link[l].second == b) *out = m->link[l];
        else if (m->link[l].first == b && m->link[l].second == a) *out = near_link_turned(m->link[l]);
        else continue;
        return out;
    }
    return NULL;
}

#endif
