/* pass/content.c -- see content.h. */
#include "pass/content.h"

#include "base/log.h"
#include "corpus/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENT_STEP = 1 << 30 };                            /* bytes hashed in one call */

static struct unit_key content_key(const struct shard *shard)
{
    const uint64_t  number[] = { shard->bytes, (uint64_t)shard->mtime_ns };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, shard->path, strlen(shard->path));

    return unit_key_add(key, number, sizeof number);
}

/* 1; 0 when nobody has read the shard to its end. */
static int content_load(const struct run *run, const struct shard *shard, uint64_t *xxh3, struct err *err)
{
    struct unit unit;
    int         rc = shard->tree ? 0 : stage_load(run->stage, "content", content_key(shard), &unit, err);

    if (rc <= 0) return rc;
    if (unit.count != 1 || unit.section[0].len != sizeof *xxh3) rc = 0;
    else memcpy(xxh3, unit.section[0].at, sizeof *xxh3);
    unit_close(&unit);
    return rc;
}

int content_settle(const struct run *run, const struct shard *shard, uint64_t xxh3, struct err *err)
{
    uint64_t before = 0;
    int      rc = content_load(run, shard, &before, err);

    if (rc < 0 || shard->tree) return rc;
    if (rc == 0)
        return stage_commit(run->stage, "content", content_key(shard),
                            &(struct slice){ (const char *)&xxh3, sizeof xxh3 }, 1, err);
    return before == xxh3 ? 0
        : err_set(err, -EIO, "%s: has another content than before, though the same size and time: --verify forgets "
                             "what was made of it", shard->path);
}

static int content_read(const struct shard *shard, uint64_t *xxh3, struct err *err)
{
    struct input input;
    int          rc = input_open(&input, shard->path, err);

    if (rc < 0) return rc;
    while ((rc = input_finish(&input, CONTENT_STEP, err)) > 0) continue;
    *xxh3 = input_xxh3(&input);
    input_close(&input);
    return rc;
}

/* 1: the same; 0: nothing to compare with; -ESTALE: another one; <0 with err set. */
static int content_compare(const struct run *run, const struct shard *shard, struct err *err)
{
    uint64_t before = 0, now = 0;
    int      rc = content_load(run, shard, &before, err);

    if (rc > 0) rc = content_read(shard, &now, err) < 0 ? err->code : before == now ? 1 : -ESTALE;
    if (rc == -ESTALE) log_rank_warn("%s: has another content than before, though the same size and time", shard->path);
    return rc;
}

int content_verify(const struct run *run, bool *anew, uint64_t *changed, struct err *err)
{
    const size_t count = run->shards->count, rank = (size_t)comm_rank(run->comm), ranks = (size_t)comm_size(run->comm);
    uint64_t    *told = calloc(count + 1, sizeof *told), other = 0;
    int          rc = comm_agree(run->comm, told ? 0 : err_memory(err, count * sizeof *told, "shards"), err);

    if (rc < 0) {
        free(told);
        return rc;
    }
#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1) reduction(+ : other)
    for (size_t s = rank; s < count; s += ranks) {
        struct err mine = { 0 };
        int        same = content_compare(run, &run->shards->at[s], &mine);

        told[s] = same == 0;
        other += same == -ESTALE;
        if (same >= 0 || same == -ESTALE) continue;
#pragma omp critical(content_failure)
        {
            *err = mine;
            rc = same;
        }
    }
    rc = comm_agree(run->comm, rc, err);
    if (rc == 0) comm_sum(run->comm, told, count);
    if (rc == 0) comm_sum(run->comm, &other, 1);
    for (size_t s = 0; s < count && rc == 0; s++) anew[s] = told[s] > 0;
    *changed = other;
    free(told);
    return rc;
}
