/* dedup/gather.c -- see gather.h. */
#include "dedup/gather.h"

#include "dedup/fetch.h"
#include "dedup/wanted.h"

#include <errno.h>
#include <stdlib.h>

bool gather_is_small(const struct dedup_state *s, uint64_t bytes)
{
    return bytes <= GATHER_SMALL && bytes <= run_memory_share(s->job->run) / 4;
}

bool gather_pays(const struct dedup_state *s)
{
    uint64_t bytes = 0;

    for (size_t u = 0; u < s->catalogue.count; u++) bytes += s->catalogue.unit[u].bytes;
    return !gather_is_small(s, bytes);
}

/* What is wanted of a unit: documents; bytes of their features and rows, of brief documents and others. */
struct wanted_sum { uint64_t documents, brief, others; };

static struct wanted_sum wanted_sum(const struct catalogue_unit *unit, const struct column_unit *columns,
                                    const struct wanted *wanted)
{
    struct wanted_sum sum = { 0 };

    for (uint64_t i = 0; i < unit->documents; i++) {
        const struct dedup_row *row = wanted_document(wanted, unit, columns, i);

        if (!row) continue;
        sum.documents++;
        *(row->brief ? &sum.brief : &sum.others) += sizeof(struct features_row) + features_bytes(row);
    }
    return sum;
}

/* Copies what is wanted into the sections of a part. */
static int unit_copy(const struct catalogue_unit *unit, const struct column_unit *columns, const struct wanted *wanted,
                     struct bytes section[PART_SECTIONS])
{
    for (uint64_t i = 0; i < unit->documents; i++)
        if (wanted_document(wanted, unit, columns, i) &&
            features_append(section, i, columns_features(columns, i)) < 0)
            return -ENOMEM;
    return 0;
}

/* A unit of the pass of one part. */
static int unit_commit(const struct dedup_state *s, const struct catalogue_unit *unit,
                       const struct bytes section[PART_SECTIONS], struct err *err)
{
    const struct unit_header header = { .documents = unit->documents, .parts = 1 };
    struct slice             out[1 + PART_SECTIONS] = { { (const char *)&header, sizeof header } };

    for (int i = 0; i < PART_SECTIONS; i++) out[1 + i] = bytes_slice(&section[i]);
    return stage_commit(s->job->run->stage, "gathered", features_unit_key(s->job, features_key(s), unit), out,
                        1 + PART_SECTIONS, err);
}

/* Bytes of columns from which a unit is worth a file of its own; less where little is much. */
static uint64_t unit_least(const struct dedup_state *s)
{
    enum { LEAST = 1 << 20 };
    const uint64_t share = run_memory_share(s->job->run) / 1024;

    return share < LEAST ? share : LEAST;
}

/* Features that were made again lie side by side already: where they are most of it, nothing is gained. */
static int unit_gather(struct dedup_state *s, const struct wanted *wanted, size_t u, struct err *err)
{
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    struct column_unit           columns;
    struct bytes                 section[PART_SECTIONS] = { { 0 } };
    struct wanted_sum            sum = { 0 };
    int                          rc = state_unit(s, u, &columns, err);

    if (rc == 0 && columns.file.file.bytes >= unit_least(s)) sum = wanted_sum(unit, &columns, wanted);
    if (sum.others && sum.brief <= sum.others && sum.brief + sum.others <= columns.file.file.bytes / 2) {
        unit_expect(&columns.file.file, sum.documents);
        if (bytes_reserve(&section[PART_VALUES], sum.brief + sum.others) < 0 ||
            unit_copy(unit, &columns, wanted, section) < 0)
            rc = err_memory(err, sum.brief + sum.others, "features that are gathered");
        if (rc == 0) rc = unit_commit(s, unit, section, err);
        if (rc == 0) s->gathered[u] = (struct gathered){ .bytes = sum.brief + sum.others };
        if (rc == -ENOSPC) rc = 0;                          /* columns have it as well */
    }
    for (int i = 0; i < PART_SECTIONS; i++) bytes_free(&section[i]);
    columns_close(&columns);
    return rc;
}

int gather_make(struct dedup_state *s, const struct wanted *wanted, struct err *err)
{
    uint64_t largest = 0;
    int      threads, rc = 0;

    memset(s->gathered, 0, s->catalogue.count * sizeof *s->gathered);
    for (size_t u = 0; u < s->catalogue.count; u++)
        if (s->catalogue.unit[u].bytes > largest) largest = s->catalogue.unit[u].bytes;
    threads = fetch_threads(s, 2 * (largest + s->largest_again));           /* what is mapped, and its copy */
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (size_t u = s->unit_first[s->rank]; u < s->unit_first[s->rank + 1]; u++) {
        struct err mine = { 0 };

        if (unit_gather(s, wanted, u, &mine) == 0) continue;
#pragma omp critical(gather_failure)
        {
            *err = mine;
            rc = mine.code;
        }
    }
    return comm_agree(s->job->run->comm, rc, err);
}

struct column_features gather_features(const struct features *gathered, const struct column_unit *columns, uint64_t i)
{
    return gathered->parts ? features_find(gathered, i) : columns_features(columns, i);
}

int gather_load(struct dedup_state *s, size_t u, struct features *out, struct err *err)
{
    const struct catalogue_unit *unit = &s->catalogue.unit[u];
    int                          rc = features_load(s->job, "gathered", features_key(s), unit,
                                                    s->gathered[u].verified, out, err);

    if (rc == 0 && out->parts != 1)
        rc = err_set(err, -EIO, "%s: features that were gathered were damaged or have disappeared; the same command "
                                "again makes them anew", stage_dir(s->job->run->stage));
    if (rc == 0) s->gathered[u].verified = true;
    return rc;
}
