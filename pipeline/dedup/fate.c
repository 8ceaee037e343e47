/* dedup/fate.c -- see fate.h. */
#include "dedup/fate.h"

#include <errno.h>

size_t catalogue_find(const struct catalogue *catalogue, uint64_t ordinal)
{
    size_t low = 0, high = catalogue->count;

    /* unit[low].first <= ordinal < unit[high].first; of units without documents the last wins */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (catalogue->unit[middle].first <= ordinal) low = middle;
        else high = middle;
    }
    return low;
}

static struct unit_key fate_unit_key(const struct dedup_job *job, uint64_t unit)
{
    return unit_key_add(job->fate_key, &unit, sizeof unit);
}

int fate_commit(const struct dedup_job *job, size_t unit, const struct dedup_fate *fate, size_t count, struct err *err)
{
    return stage_commit(job->run->stage, "fate", fate_unit_key(job, unit),
                        &(struct slice){ (const char *)fate, count * sizeof *fate }, 1, err);
}

int fate_load(const struct dedup_job *job, const struct catalogue *catalogue, size_t unit, struct fate_unit *out,
              struct err *err)
{
    uint64_t documents = catalogue->unit[unit].documents;
    int      rc;

    *out = (struct fate_unit){ 0 };
    rc = stage_load(job->run->stage, "fate", fate_unit_key(job, unit), &out->file, err);
    if (rc < 0) return rc;
    if (rc == 0)
        return err_set(err, -EIO, "%s: what became of its documents was damaged or has disappeared; the same command "
                                  "again makes it anew",
                       job->run->shards->at[catalogue->unit[unit].shard].path);
    if (out->file.count == 1 && out->file.section[0].len == documents * sizeof *out->fate) {
        out->fate = (const struct dedup_fate *)out->file.section[0].at;
        out->count = documents;
        return 0;
    }
    unit_close(&out->file);
    return err_set(err, -EBADMSG, "%s: a unit of fates does not have the expected layout; remove the work folder with "
                                  "--clean", stage_dir(job->run->stage));
}
