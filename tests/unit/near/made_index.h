/* tests/unit/near/made_index.h -- random documents of few features, and the index that is built of them. */
#ifndef LEAKGRAPH_TESTS_UNIT_NEAR_MADE_INDEX_H
#define LEAKGRAPH_TESTS_UNIT_NEAR_MADE_INDEX_H

#include "kernels/kernels.h"
#include "near/lookup.h"
#include "tests/unit/folder.h"

#include <stdlib.h>

enum { MADE_DOCUMENTS = 40, MADE_FEATURES = 24 };

struct made_index {
    struct near_options   options;
    struct near_minimums  minimums;
    struct near_row       row[MADE_DOCUMENTS];
    uint64_t              hash[MADE_DOCUMENTS][MADE_FEATURES];
    uint32_t              times[MADE_DOCUMENTS][MADE_FEATURES];
    struct index_document document[MADE_DOCUMENTS];
    size_t                count;
    struct near_index     index;
    uint64_t              state;
};

static char          made_folder[] = "/tmp/leakgraph-made-index-XXXXXX";
static struct stage *made_stage;

static inline uint64_t made_draw(struct made_index *m, uint64_t below)
{
    m->state = m->state * 6364136223846793005ull + 1442695040888963407ull;
    return (m->state >> 33) % below;
}

/* Feature f as a hash: ascending with f, and over all top bytes. */
static inline uint64_t made_feature(uint64_t f) { return (f + 1) * 0x0A3D70A3D70A3D71ull; }

/* Draws `most` of the features 0 .. of - 1 or fewer, each a few times; returns how many. */
static inline uint32_t made_features(struct made_index *m, uint64_t of, uint64_t *hash, uint32_t *times)
{
    uint32_t count = 0;
    uint64_t share = 1 + made_draw(m, 6);

    for (uint64_t f = 0; f < of; f++) {
        if (made_draw(m, 6) >= share) continue;
        hash[count] = made_feature(f);
        times[count++] = 1 + (uint32_t)made_draw(m, 3);
    }
    return count;
}

static inline void made_build(struct made_index *m)
{
    static uint64_t number;
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, &number, sizeof number);
    struct err      err = { 0 };

    number++;
    assert_int_equal(near_index_open(made_stage, key, &m->index, &err), 0);
    if (near_index_build(made_stage, key, &m->options, &m->minimums, m->document, m->count, 2, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(near_index_open(made_stage, key, &m->index, &err), 1);
}

/* `count` documents, every third a copy of one before, some of them benchmarks' and some too short. */
static inline struct made_index *made_index_of(uint64_t seed, size_t count, uint64_t features,
                                                struct near_options options, struct near_minimums minimums)
{
    struct made_index *m = calloc(1, sizeof *m);

    assert_non_null(m);
    m->state = seed * 2862933555777941757ull + 3037000493ull;
    m->options = options;
    m->minimums = minimums;
    m->count = count;
    for (size_t d = 0; d < count; d++) {
        struct near_row *row = &m->row[d];
        size_t           of = d;

        if (d % 3 == 2) of = made_draw(m, d);
        row->distinct = made_features(m, features, m->hash[d], m->times[d]);
        if (of != d) {
            row->distinct = m->row[of].distinct;
            memcpy(m->hash[d], m->hash[of], sizeof m->hash[d]);
            memcpy(m->times[d], m->times[of], sizeof m->times[d]);
        }
        for (uint32_t i = 0; i < row->distinct; i++) {
            row->total += m->times[d][i];
            row->class_low = (row->class_low + m->hash[d][i] * m->times[d][i]) * 0x9E3779B97F4A7C15ull;
        }
        row->class_high = row->class_low ^ row->total;
        row->copy_low = row->class_low;
        row->copy_high = row->class_high;
        m->document[d] = (struct index_document){ row, m->hash[d], m->times[d], made_draw(m, 2) != 0,
                                                  row->distinct > 1, 0 };
        if (m->minimums.most && m->document[d].benchmark && row->total >= m->minimums.most && made_draw(m, 2))
            m->document[d].level = m->minimums.most;
        m->document[d].admitted = row->distinct > 1 && row->total >= m->minimums.least;
    }
    made_build(m);
    return m;
}

static inline struct made_index *made_index(uint64_t seed, size_t count, uint64_t features, struct near_options options)
{
    return made_index_of(seed, count, features, options, (struct near_minimums){ 0 });
}

static inline void made_index_close(struct made_index *m)
{
    near_index_close(&m->index);
    free(m);
}

static inline int made_index_run(const struct CMUnitTest *tests, size_t count)
{
    struct err err = { 0 };
    int        failed;

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels || !mkdtemp(made_folder) || stage_open(&made_stage, made_folder, true, &err) < 0) return 1;
    failed = _cmocka_run_group_tests("near", tests, count, NULL, NULL);
    stage_close(made_stage);
    remove_tree(made_folder);
    return failed;
}

#endif
