/* tests/unit/near/documents.c -- the list of documents: its order, numbers of classes, in memory and in files. */
#include "near/documents.h"

#include "tests/unit/folder.h"
#include "tests/unit/near/made_result.h"

#include <stdio.h>

enum { FEW = 300, MANY = 90000, AT_ONCE = 1000 };           /* so many are in a file: 4 MiB are in memory */

/* What is told of document `i` of a dataset. */
static struct near_row row_of(uint32_t dataset, uint64_t i)
{
    const uint64_t draw = (i * 2654435761u + dataset * 40503u) % 65521;

    return (struct near_row){ .record = 3 * i + dataset, .raw = { draw % 1009, draw % 11 }, .class_low = draw % 5003,
                              .class_high = draw % 2, .copy_low = draw % 707, .copy_high = 1,
                              .total = (uint32_t)(draw % 40),
                              .distinct = (uint32_t)i };
}

/* Adds documents of a dataset; the rows of residents stay where they are, as their units do. */
static void add_documents(struct made_near *m, uint32_t dataset, uint64_t from, uint64_t to, struct near_row *resident)
{
    struct near_document document[AT_ONCE];
    struct near_row      row[AT_ONCE];
    struct err           err = { 0 };

    for (size_t count; from < to; from += count) {
        const struct near_row *kept = resident ? resident + from : NULL;

        count = to - from < AT_ONCE ? to - from : AT_ONCE;
        for (size_t i = 0; i < count; i++) row[i] = row_of(dataset, from + i);
        if (resident) memcpy(resident + from, row, count * sizeof *row);
        else kept = near_rows_keep(&m->result, &m->run, (struct slice){ (char *)row, count * sizeof *row },
                                   SLICE("text"), &err);
        assert_non_null(kept);
        for (size_t i = 0; i < count; i++)
            document[i] = (struct near_document){
                .row = kept + i, .heap = resident ? "" : (const char *)(kept + count), .number = kept[i].record,
                .dataset = dataset, .shard = dataset, .cell = MADE_DATASETS - 1 - dataset,
                .admitted = near_is_admitted(&m->job, dataset, kept[i].total), .aside = !resident };
        assert_int_equal(near_documents_add(&m->result, &m->run, document, count, &err), 0);
    }
}

/* One document of each number that classes have was seen: the first, as numbers go up. */
struct seen { bool any; struct content_hash key; };

static void see(struct seen *seen, uint32_t *count, uint32_t number, struct content_hash key)
{
    if (number == *count) {
        for (uint32_t c = 0; c < *count; c++)
            assert_false(seen[c].key.low == key.low && seen[c].key.high == key.high);
        seen[(*count)++] = (struct seen){ true, key };
    }
    assert_true(number < *count && seen[number].key.low == key.low && seen[number].key.high == key.high);
}

static void check(const struct made_near *m, size_t each)
{
    static struct seen        seen[2][20000];
    const struct near_result *result = &m->result;
    struct near_look          look = { 0 };
    uint32_t                  classes[2] = { 0, 0 };

    assert_int_equal(result->document_count, MADE_DATASETS * each);
    for (uint32_t d = 0; d < MADE_DATASETS * each; d++) {
        const struct near_document *document = near_document_at(result, &look, d);
        const struct near_row      *row = near_row_of(result, &look, document),
                                    made = row_of((uint32_t)(d / each), d % each);
        const struct near_brief    *brief = &result->brief[d];
        const bool                  copy = !document->admitted || row->total < m->job.minimums.most;

        assert_true(document->dataset == d / each && document->cell == d / each && document->aside == (d / each == 1));
        assert_memory_equal(row, &made, sizeof made);
        if (document->aside) assert_memory_equal(document->heap, "text", 4);
        assert_true(document->number == row->record && near_brief_number(brief) == row->record);
        assert_int_equal(brief->cell, document->cell);
        assert_true(brief->total == row->total && brief->distinct == row->distinct);
        assert_int_equal(near_dataset_of(result, d), document->dataset);
        assert_int_equal(result->class_of[d] != NO_CLASS, document->admitted && (row->class_low || row->class_high));
        assert_int_equal(result->copy_of[d] != NO_CLASS, copy);
        if (result->class_of[d] != NO_CLASS)
            see(seen[0], &classes[0], result->class_of[d], near_class_of(&m->job, document, row));
        if (copy) see(seen[1], &classes[1], result->copy_of[d], (struct content_hash){ row->copy_low, 1 });
    }
    assert_true(classes[0] == result->class_count && classes[1] == result->copy_class_count);
    for (uint32_t d = 1; d < MADE_DATASETS * each; d++) {
        const struct near_row a = row_of((uint32_t)((d - 1) / each), (d - 1) % each),
                              b = row_of((uint32_t)(d / each), d % each), first = row_of(0, d % 97);

        assert_int_equal(result->same[d] == result->same[d - 1],
                         a.raw.low == b.raw.low && a.raw.high == b.raw.high);
        assert_int_equal(result->same[d] == result->same[d % 97],
                         first.raw.low == b.raw.low && first.raw.high == b.raw.high);
    }
}

/* The dataset in the middle is the one that was streamed, so that residents are around it. */
static void test_documents(void **unused)
{
    char             folder[] = "/tmp/test_documents.XXXXXX";
    const uint32_t   place[] = { 2, 1, 0 };
    struct near_row *resident = calloc(MANY, sizeof *resident), *other = calloc(MANY, sizeof *other);
    struct stage    *stage;
    struct err       err = { 0 };

    (void)unused;
    assert_true(resident && other && mkdtemp(folder));
    assert_int_equal(stage_open(&stage, folder, true, &err), 0);
    for (int many = 0; many < 2; many++) {
        const size_t      each = many ? MANY : FEW;
        struct made_near *m = made_near(NULL, 0);

        m->run.stage = stage;
        m->run.memory = 1 << 20;
        m->job.minimums.most = 30;
        m->result.document = NULL;
        made_forget(m);
        for (uint32_t d = 0; d < MADE_DATASETS; d++) m->cell[d].dataset = d;
        add_documents(m, 0, 0, each, resident);
        add_documents(m, 2, 0, each, other);
        add_documents(m, 1, 0, each, NULL);
        assert_int_equal(near_documents_end(&m->result, &m->job, place, &err), 0);
        assert_int_equal(aside_is_mapped(&m->result.listed.aside), many);
        check(m, each);
        m->result.counts = (struct scan_counts){ 0 };       /* the test's own */
        m->result.link = NULL;
        near_result_free(&m->result);
        made_free(m);
    }
    free(resident);
    free(other);
    stage_close(stage);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_documents) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
