/* sensitive/index.c -- see index.h. */
#include "sensitive/index.h"

#include <errno.h>
#include <stdlib.h>

static int needles_add(struct sensitive_index *index, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                rows = pass_unit_section(unit, p, PART_ROWS);
        const struct sensitive_row *row = (const struct sensitive_row *)(const void *)rows.at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            const struct needle *needle = &row[i].needle;
            bool                 added;

            if (table_put(&index->numbers, needle->hash.low, needle->hash.high, (uint32_t)index->count,
                          &added) == TABLE_NONE ||
                (added && ARRAY_GROW(index->needle, index->room, index->count) < 0))
                return err_memory(err, index->room * sizeof *needle, "the benchmarks' sensitive strings");
            if (added) index->needle[index->count++] = *needle;
        }
    }
    return 0;
}

int sensitive_index_read(const struct sensitive_job *job, struct sensitive_index *out, struct err *err)
{
    const struct pass_scanner collector = sensitive_collector(job, ROLE_BENCHMARK);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    int                       rc;

    *out = (struct sensitive_index){ 0 };
    for (uint32_t s = 0; s < job->run->shards->count; s++) {
        const struct shard *shard = &job->run->shards->at[s];
        struct unit_key     key = pass_unit_key(job->run->datasets, collector.key, shard, 0);

        if (!collector.takes(job, &job->run->datasets[shard->dataset])) continue;
        out->key = unit_key_add(out->key, &key, sizeof key);
    }
    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = needles_add(out, &walk.unit, err)) < 0) break;
    pass_walk_close(&walk);
    return rc < 0 ? rc : sensitive_search_open(&out->search, out->needle, out->count, err);
}

void sensitive_index_free(struct sensitive_index *index)
{
    free(index->needle);
    table_free(&index->numbers);
    sensitive_search_free(&index->search);
    *index = (struct sensitive_index){ 0 };
}
