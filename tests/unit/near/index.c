/* tests/unit/near/index.c -- the index of resident documents: classes, dictionary, postings, copies. */
#include "tests/unit/near/made_index.h"

/* A document that has the class's multiset. */
static const struct index_document *document_of(const struct made_index *m, uint32_t c)
{
    for (size_t d = 0; d < m->count; d++)
        if (m->document[d].admitted && m->row[d].class_low == m->index.class_hash[c].low &&
            m->row[d].class_high == m->index.class_hash[c].high) return &m->document[d];
    fail_msg("a class of no document");
    return NULL;
}

static uint64_t size_of(const struct near_index *index, uint32_t c)
{
    return index->class_start[c + 1] - index->class_start[c];
}

static void check_classes(const struct made_index *m)
{
    const struct near_index *index = &m->index;

    for (uint32_t c = 0; c < index->classes; c++) {
        const struct index_document *d = document_of(m, c);
        const uint32_t *rank = index->class_rank + index->class_start[c], *times = index->class_times +
            index->class_start[c];
        bool            benchmark = false;

        if (c) assert_true(size_of(index, c - 1) < size_of(index, c) ||
                           (size_of(index, c - 1) == size_of(index, c) &&
                            index->class_hash[c - 1].low < index->class_hash[c].low));
        for (size_t i = 0; i < m->count; i++)
            if (m->document[i].admitted &&
                m->row[i].class_low == d->row->class_low) benchmark |= m->document[i].benchmark;
        assert_int_equal(index->class_benchmark[c], benchmark);
        assert_int_equal(index->class_total[c], d->row->total);
        assert_int_equal(size_of(index, c), d->row->distinct);
        for (uint64_t i = 1; i < size_of(index, c); i++) assert_true(rank[i - 1] < rank[i]);
        for (uint32_t i = 0; i < d->row->distinct; i++) {
            uint32_t r = dictionary_rank(&index->dictionary, d->hash[i]);
            uint64_t at = 0;

            assert_true(dictionary_maybe(&index->dictionary, d->hash[i]));
            while (at < size_of(index, c) && rank[at] != r) at++;
            assert_true(at < size_of(index, c) && times[at] == d->times[i]);
        }
    }
    for (size_t d = 0; d < m->count; d++)                   /* passages are of items that are not admitted, too */
        for (uint32_t i = 0; i < m->row[d].distinct && m->document[d].benchmark; i++)
            assert_true(dictionary_maybe(&index->dictionary, m->document[d].hash[i]));
    assert_int_equal(index->largest, index->classes ? size_of(index, index->classes - 1) : 0);
}

/* Features by the number of classes that have them, then by hash. */
static void check_dictionary(const struct near_index *index, uint64_t features)
{
    uint64_t found = 0, last_classes = 0, last_feature = 0;
    uint32_t rank[MADE_FEATURES];

    for (uint64_t f = 0; f < features; f++) {
        rank[f] = dictionary_rank(&index->dictionary, made_feature(f));
        found += rank[f] != UINT32_MAX;
    }
    assert_int_equal(index->features, found);
    assert_int_equal(dictionary_rank(&index->dictionary, 12345), UINT32_MAX);
    for (uint32_t r = 0; r < index->features; r++) {
        uint64_t classes = 0, f = 0;

        while (f < features && rank[f] != r) f++;
        assert_true(f < features);
        for (uint64_t i = 0; i < index->class_start[index->classes]; i++) classes += index->class_rank[i] == r;
        assert_true(r == 0 || classes > last_classes || (classes == last_classes && f > last_feature));
        last_classes = classes;
        last_feature = f;
    }
}

/* Each class stands under the first of its features, as many as a set like it may lack, and one. */
static void check_postings(const struct near_index *index, struct ratio t, bool benchmarks, const uint64_t *start,
                           const struct posting *posting)
{
    uint64_t expected = 0;

    for (uint32_t c = 0; c < index->classes && t.den; c++) {
        uint64_t n = size_of(index, c), prefix = n - (n * t.num + t.den - 1) / t.den + 1;

        if (benchmarks && !index->class_benchmark[c]) continue;
        for (uint64_t i = 0; i < prefix && i < n; i++, expected++) {
            uint32_t rank = index->class_rank[index->class_start[c] + i];
            uint64_t p = start[rank];

            while (p < start[rank + 1] && posting[p].class_id != c) p++;
            assert_true(p < start[rank + 1] && posting[p].at == i && posting[p].size == n);
            if (p > start[rank]) assert_true(posting[p - 1].class_id < c);
        }
    }
    assert_int_equal(start[0], 0);
    assert_int_equal(start[index->features], expected);
}

static void check(uint64_t seed, size_t count, uint64_t features, struct near_options options)
{
    struct made_index       *m = made_index(seed, count, features, options);
    const struct near_index *index = &m->index;
    size_t                   copies = 0;

    check_classes(m);
    check_dictionary(index, features);
    check_postings(index, options.report_floor.den ? options.report_floor : options.set_threshold, false,
                   index->posting_start, index->posting);
    check_postings(index, options.containment_threshold, true, index->contain_start, index->contain);
    for (size_t d = 0; d < count; d++) copies += !m->document[d].admitted && m->document[d].benchmark;
    assert_int_equal(index->copies, copies);                /* of benchmarks alone, in order */
    for (size_t i = 1; i < copies; i++) assert_true(index->copy[i - 1].low <= index->copy[i].low);
    made_index_close(m);
}

static void test_random(void **unused)
{
    static const struct near_options options[] = {
        { .set_threshold = { 4, 5 } },
        { .set_threshold = { 1, 1 }, .containment_threshold = { 9, 10 } },
        { .set_threshold = { 1, 2 }, .report_floor = { 1, 5 }, .containment_threshold = { 1, 1 } },
    };

    (void)unused;
    check(1, 0, 1, options[0]);
    check(2, 1, MADE_FEATURES, options[1]);
    for (uint64_t seed = 3; seed < 60; seed++)
        check(seed, 1 + seed % MADE_DOCUMENTS, 1 + seed % MADE_FEATURES, options[seed % 3]);
}

/* How many slots that are in use lie side by side, at most. */
static uint64_t longest_run(const struct near_index *index)
{
    uint64_t longest = 0, run = 0;

    for (uint64_t s = 0; s <= index->dictionary.slot_mask; s++) {
        run = index->dictionary.key[s] ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

/* Words can be made whose hashes begin or end alike: whoever makes them does not know which slots they will want. */
static void test_chosen_features(void **unused)
{
    enum { COUNT = 20000 };
    static struct made_index m;
    static uint64_t          hash[COUNT];
    static uint32_t          times[COUNT];

    (void)unused;
    for (unsigned kind = 0; kind < 2; kind++) {
        m = (struct made_index){ .options = { .set_threshold = { 1, 1 } }, .count = 1 };
        for (uint64_t i = 0; i < COUNT; i++) {
            hash[i] = kind == 0 ? 0xABCDEull << 44 | i << 20 | (i * 2654435761u & 0xFFFFF) : (i + 1) << 48 | 0xBEEF;
            times[i] = 1;
        }
        m.row[0] = (struct near_row){ .distinct = COUNT, .total = COUNT, .class_low = 1 };
        m.document[0] = (struct index_document){ .row = &m.row[0], .hash = hash, .times = times, .benchmark = true,
                                                 .admitted = true };
        made_build(&m);
        assert_int_equal(m.index.features, COUNT);
        for (size_t i = 0; i < COUNT; i++) assert_true(dictionary_rank(&m.index.dictionary, hash[i]) < COUNT);
        assert_true(longest_run(&m.index) < COUNT / 10);    /* some 50 as a rule; it was all of them */
        near_index_close(&m.index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_chosen_features) };

    return made_index_run(tests, sizeof tests / sizeof *tests);
}
