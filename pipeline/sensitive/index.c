/* sensitive/index.c -- see index.h. */
#include "sensitive/index.h"

#include <errno.h>
#include <stdlib.h>

int sensitive_units(const struct sensitive_job *job, const struct pass_scanner *scanner, const struct shard *shard,
                    int (*take)(void *context, const struct pass_unit *unit, struct err *err), void *context,
                        struct err *err)
{
    const struct pass pass = { .run = job->run };
    uint64_t          number = 0;

    do {
        struct pass_unit unit;
        int              rc = pass_unit_load(&pass, scanner, shard, number, &unit, err);

        if (rc == 0)
            rc = err_set(err, -EIO, "%s: the sensitive strings of a part of %s have disappeared or are damaged; the "
                                    "same command again makes them anew",
                         stage_dir(job->run->stage), shard->path);
        if (rc < 0) return rc;
        number = unit.header->next;
        rc = take(context, &unit, err);
        unit_close(&unit.file);
        if (rc < 0) return rc;
    } while (number > 0);
    return 0;
}

static int needles_add(void *context, const struct pass_unit *unit, struct err *err)
{
    struct sensitive_index *index = context;

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
    int                       rc = 0;

    *out = (struct sensitive_index){ 0 };
    for (uint32_t s = 0; s < job->run->shards->count && rc == 0; s++) {
        const struct shard *shard = &job->run->shards->at[s];
        struct unit_key     key = pass_unit_key(job->run->datasets, collector.key, shard, 0);

        if (!collector.takes(job, &job->run->datasets[shard->dataset])) continue;
        out->key = unit_key_add(out->key, &key, sizeof key);
        rc = sensitive_units(job, &collector, shard, needles_add, out, err);
    }
    return rc < 0 ? rc : sensitive_search_open(&out->search, out->needle, out->count, err);
}

void sensitive_index_free(struct sensitive_index *index)
{
    free(index->needle);
    table_free(&index->numbers);
    sensitive_search_free(&index->search);
    *index = (struct sensitive_index){ 0 };
}
