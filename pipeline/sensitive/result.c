/* sensitive/result.c -- see result.h. */
#include "sensitive/result.h"

#include <errno.h>
#include <stdlib.h>

struct reading {
    const struct sensitive_job *job;
    struct sensitive_result    *result;
    struct table                at;                         /* of values, by dataset, kind, pattern and hash */
    struct corpus_count { uint64_t documents, occurrences; } *found;        /* [index->count] */
};

static int value_add(struct reading *r, uint32_t shard, const struct sensitive_row *row, const char *heap)
{
    struct sensitive_result *result = r->result;
    const struct slice       pattern = { heap + row->pattern.at, row->pattern.len },
        masked = { heap + row->masked.at, row->masked.len }, path = heap_slice(heap, row->path);
    const uint32_t           dataset = r->job->run->shards->at[shard].dataset, number[] = { dataset, row->kind };
    struct unit_key          key = unit_key_add((struct unit_key){ row->needle.hash.low, row->needle.hash.high },
                                                number, sizeof number);
    struct sensitive_value  *value;
    uint32_t                 at;
    bool                     added;

    key = unit_key_add(key, pattern.at, pattern.len);
    at = table_put(&r->at, key.low, key.high, (uint32_t)result->count, &added);
    if (at == TABLE_NONE) return -ENOMEM;
    if (added) {
        if (ARRAY_GROW(result->value, result->room, result->count) < 0) return -ENOMEM;
        value = &result->value[result->count];
        *value = (struct sensitive_value){ .hash = row->needle.hash, .dataset = dataset, .kind = row->kind,
                                           .shard = shard, .at = row->at, .record = row->first,
                                           .corpus_documents = -1, .corpus_occurrences = -1,
                                               .pattern_len = row->pattern.len, .masked_len = row->masked.len,
                                           .path_len = (uint32_t)path.len, .line = row->line,
                                           .text_at = result->text.len };
        if (bytes_append_slice(&result->text, pattern) < 0 || bytes_append_slice(&result->text, masked) < 0 ||
            bytes_append_slice(&result->text, path) < 0)
            return -ENOMEM;
        result->count++;
    }
    result->value[at].documents += row->documents;
    result->value[at].occurrences += row->occurrences;
    return 0;
}

static int values_take(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                rows = pass_unit_section(unit, p, PART_ROWS);
        const struct sensitive_row *row = (const struct sensitive_row *)(const void *)rows.at;
        const char                 *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++)
            if (value_add(r, unit->shard, &row[i], heap) < 0)
                return err_memory(err, r->result->room * sizeof *r->result->value, "sensitive strings");
    }
    return 0;
}

static int found_take(struct reading *r, const struct pass_unit *unit, struct err *err)
{
    (void)err;
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                  rows = pass_unit_section(unit, p, PART_ROWS);
        const struct sensitive_found *found = (const struct sensitive_found *)(const void *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *found; i++) {
            r->found[found[i].number].documents += found[i].documents;
            r->found[found[i].number].occurrences += found[i].occurrences;
        }
    }
    return 0;
}

/* The units of the shards that a scanner takes, in the contract's order. */
static int shards_take(struct reading *r, const struct pass_scanner *scanner,
                       int (*take)(struct reading *, const struct pass_unit *, struct err *), struct err *err)
{
    struct pass_walk walk = pass_walk_all(r->job->run, scanner);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = take(r, &walk.unit, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

/* What was found of the benchmarks' values. */
static int corpora_take(struct reading *r, struct err *err)
{
    const struct sensitive_index *index = r->job->index;
    const struct pass_scanner     searcher = sensitive_searcher(r->job);
    bool                          corpora = false;
    int                           rc;

    for (size_t d = 0; d < r->job->run->dataset_count; d++) corpora |= r->job->run->datasets[d].role == ROLE_CORPUS;
    if (!corpora || !sensitive_has_member(r->job, ROLE_BENCHMARK)) return 0;
    r->found = calloc(index->count + 1, sizeof *r->found);
    if (!r->found) return err_memory(err, index->count * sizeof *r->found, "sensitive strings");
    rc = shards_take(r, &searcher, found_take, err);
    for (size_t v = 0; v < r->result->count && rc == 0; v++) {
        struct sensitive_value *value = &r->result->value[v];
        uint32_t                number = table_find(&index->numbers, value->hash.low, value->hash.high);

        if (r->job->run->datasets[value->dataset].role != ROLE_BENCHMARK) continue;
        value->corpus_documents = (int64_t)r->found[number].documents;
        value->corpus_occurrences = (int64_t)r->found[number].occurrences;
    }
    return rc;
}

static int value_order(const void *a, const void *b, void *result)
{
    const struct sensitive_value *x = a, *y = b;
    int                           c;

    if (x->dataset != y->dataset) return x->dataset < y->dataset ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    c = slice_compare(sensitive_pattern(result, x), sensitive_pattern(result, y));
    if (c) return c;
    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    if (x->record != y->record) return x->record < y->record ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

int sensitive_result_read(const struct sensitive_job *job, struct sensitive_result *out, struct err *err)
{
    struct reading            r = { .job = job, .result = out };
    const struct pass_scanner benchmarks = sensitive_collector(job, ROLE_BENCHMARK),
        corpora = sensitive_collector(job, ROLE_CORPUS);
    int                       rc;

    *out = (struct sensitive_result){ 0 };
    rc = shards_take(&r, &benchmarks, values_take, err);
    if (rc == 0) rc = shards_take(&r, &corpora, values_take, err);
    if (rc == 0) rc = corpora_take(&r, err);
    if (rc == 0 && out->count) qsort_r(out->value, out->count, sizeof *out->value, value_order, out);
    table_free(&r.at);
    free(r.found);
    return rc;
}

void sensitive_result_free(struct sensitive_result *result)
{
    free(result->value);
    bytes_free(&result->text);
    *result = (struct sensitive_result){ 0 };
}
