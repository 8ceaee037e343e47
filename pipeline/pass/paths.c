/* pass/paths.c -- see paths.h. */
#include "pass/paths.h"

#include <errno.h>
#include <stdlib.h>

int paths_want(struct paths *paths, uint32_t shard, uint64_t record)
{
    if (ARRAY_GROW(paths->at, paths->room, paths->count) < 0) return -ENOMEM;
    paths->at[paths->count++] = (struct wanted_path){ .record = record, .shard = shard };
    return 0;
}

static int wanted_order(const void *a, const void *b)
{
    const struct wanted_path *x = a, *y = b;

    if (x->shard != y->shard) return x->shard < y->shard ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static struct wanted_path *wanted_find(const struct paths *paths, uint32_t shard, uint64_t record)
{
    const struct wanted_path key = { .record = record, .shard = shard };

    return paths->count ? bsearch(&key, paths->at, paths->count, sizeof key, wanted_order) : NULL;
}

static int unit_take(struct paths *paths, const struct pass_unit *unit, struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice            section = pass_unit_section(unit, p, PART_PATHS);
        const struct part_path *path = (const struct part_path *)(const void *)section.at;
        const char             *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < section.len / sizeof *path; i++) {
            struct wanted_path *wanted = wanted_find(paths, unit->shard, path[i].record);

            if (!wanted || wanted->len) continue;
            if (bytes_append_slice(&paths->text, heap_slice(heap, path[i].path)) < 0)
                return err_memory(err, paths->text.len, "paths");
            wanted->len = path[i].path.len;
            wanted->at = paths->text.len - wanted->len;
        }
    }
    return 0;
}

static int shard_take(struct paths *paths, const struct run *run, const struct pass_scanner *scanner, uint32_t shard,
                      struct err *err)
{
    struct pass_walk walk = pass_walk_shard(run, scanner, shard);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = unit_take(paths, &walk.unit, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

int paths_read(struct paths *paths, const struct run *run, const struct pass_scanner *scanner, struct err *err)
{
    size_t different = 0;
    int    rc = 0;

    if (paths->count) qsort(paths->at, paths->count, sizeof *paths->at, wanted_order);
    for (size_t i = 0; i < paths->count; i++)
        if (i == 0 || wanted_order(&paths->at[i], &paths->at[different - 1]) != 0)
            paths->at[different++] = paths->at[i];
    paths->count = different;
    for (size_t i = 0; i < paths->count && rc == 0; i++)
        if (i == 0 || paths->at[i].shard != paths->at[i - 1].shard)
            rc = shard_take(paths, run, scanner, paths->at[i].shard, err);
    return rc;
}

struct slice paths_find(const struct paths *paths, uint32_t shard, uint64_t record)
{
    const struct wanted_path *wanted = wanted_find(paths, shard, record);

    return wanted && wanted->len ? (struct slice){ paths->text.at + wanted->at, wanted->len } : (struct slice){ 0 };
}

void paths_free(struct paths *paths)
{
    free(paths->at);
    bytes_free(&paths->text);
    *paths = (struct paths){ 0 };
}
