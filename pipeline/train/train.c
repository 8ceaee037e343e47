/* train/train.c -- the steps of a training, and what rank 0 makes of the counts; see train.h. */
#include "train/private.h"

#include "base/log.h"
#include "base/status.h"

#include <errno.h>
#include <stdlib.h>

/* ---- the counts of all ranges in one ---- */

static int range_open(const struct train *t, size_t r, bool first, struct unit *out, struct err *err)
{
    int rc = first ? stage_load(t->job->run->stage, TRAIN_ROWS, t->range[r], out, err)
        : stage_map(t->job->run->stage, TRAIN_ROWS, t->range[r], out, err);

    if (rc == 0)
        rc = err_set(err, -EIO, "%s: a unit of n-grams has disappeared; the same command again makes it anew",
                     stage_dir(t->job->run->stage));
    if (rc < 0) return rc;
    if (out->count == 2 &&
        out->section[0].len / sizeof(uint32_t) == out->section[1].len / sizeof(uint64_t) * t->job->options->order)
        return 0;
    unit_close(out);
    return err_set(err, -EBADMSG, "%s: a unit of n-grams does not have the expected layout; remove the work folder "
                                  "with --clean", stage_dir(t->job->run->stage));
}

static int counts_read(const struct train *t, struct lm_counts *out, struct err *err)
{
    const uint32_t order = t->job->options->order;
    uint32_t      *row;
    uint64_t      *count, rows = 0;
    int            rc = 0;

    *out = (struct lm_counts){ .order = order, .tokens = t->vocabulary.tokens, .trained_tokens = t->tokens,
                               .trained_documents = t->documents,
                               .piece_at = t->vocabulary.piece_at, .piece = t->vocabulary.piece };
    for (size_t r = 0; r < t->range_count && rc == 0; r++) {
        struct unit unit;

        rc = range_open(t, r, true, &unit, err);
        if (rc < 0) return rc;
        rows += unit.section[1].len / sizeof *count;
        unit_close(&unit);
    }
    out->row = row = malloc((rows * order + 1) * sizeof *row);
    out->count = count = malloc((rows + 1) * sizeof *count);
    if (!row || !count) return err_memory(err, rows * (order * sizeof *row + sizeof *count), "the counts of n-grams");
    for (size_t r = 0; r < t->range_count && rc == 0; r++) {
        struct unit unit;

        rc = range_open(t, r, false, &unit, err);
        if (rc < 0) return rc;
        if (unit.section[0].len) memcpy(row + out->rows * order, unit.section[0].at, unit.section[0].len);
        if (unit.section[1].len) memcpy(count + out->rows, unit.section[1].at, unit.section[1].len);
        out->rows += unit.section[1].len / sizeof *count;
        unit_close(&unit);
    }
    return rc;
}

/* ---- the model ---- */

static void discounts_say(const struct lm_discounts *discounts, uint32_t order)
{
    for (uint32_t k = 1; k <= order; k++)
        log_info("discounts: order=%u D1=%.4f D2=%.4f D3=%.4f%s", k, discounts[k].of[1], discounts[k].of[2],
                 discounts[k].of[3],
                 discounts[k].estimated ? "" : " (defaults: too few counts)");
}

static int model_make(struct train *t, const char *path, struct err *err)
{
    const struct train_options *options = t->job->options;
    struct lm_discounts         discounts[LM_ORDER_MAX + 1];
    struct lm_counts            counts;
    struct lm                   model = { 0 };
    int                         rc = counts_read(t, &counts, err);

    if (rc == 0)
        rc = lm_estimate(&model, &counts, (enum lm_smoothing)options->smoothing, t->job->run->threads, discounts, err);
    free((void *)(uintptr_t)counts.row);
    free((void *)(uintptr_t)counts.count);
    if (rc < 0) return rc;
    if (options->smoothing == SMOOTH_KNESER_NEY) discounts_say(discounts, options->order);
    for (uint32_t k = 1; k <= model.order; k++)
        t->job->grams[k] = model.state[model.level[k]].first - model.state[model.level[k - 1]].first;
    rc = lm_write(&model, path, err);
    lm_free(&model);
    return rc;
}

/* Units that only this training has used. */
static int units_remove(const struct train *t, struct err *err)
{
    int rc = 0;

    for (size_t r = 0; r < t->range_count && rc == 0; r++)
        rc = stage_remove(t->job->run->stage, TRAIN_ROWS, t->range[r], err);
    for (size_t u = 0; u < t->unit_count && rc == 0; u++)
        rc = stage_remove(t->job->run->stage, TRAIN_TOKENS, t->unit[u].key, err);
    return rc;
}

static double lap(double *since)
{
    double now = log_seconds(), passed = now - *since;

    *since = now;
    return passed;
}

/* Ranks that saw other files or options would make a model of nothing in silence. */
static int ranks_agree(const struct train *t, struct err *err)
{
    const struct train_options *options = t->job->options;
    const uint64_t              number[] = { options->order, options->least, (uint64_t)options->smoothing };
    struct comm                *comm = t->job->run->comm;
    struct unit_key             mine = unit_key_add(t->pass.scanner[0].key, number, sizeof number);
    struct bytes                first = { 0 };
    int                         rc;

    for (size_t s = 0; s < t->job->run->shards->count; s++) {
        struct unit_key key = pass_unit_key(t->job->run->datasets, t->pass.scanner[0].key, &t->job->run->shards->at[s],
                                            0);

        mine = unit_key_add(mine, &key, sizeof key);
    }
    rc = comm_rank(comm) == 0 && bytes_append(&first, &mine, sizeof mine) < 0 ? err_memory(err, sizeof mine, "a key")
        : 0;
    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_broadcast(comm, &first, err);
    if (rc == 0 && (first.len != sizeof mine || memcmp(first.at, &mine, sizeof mine) != 0))
        rc = err_set(err, -EIO, "rank %d sees other settings or other files than rank 0: is everything on a file "
                                "system that all hosts share?", comm_rank(comm));
    bytes_free(&first);
    return comm_agree(comm, rc, err);
}

int train_run(struct train_job *job, const char *path, struct err *err)
{
    struct train t = { .job = job };
    double       since = log_seconds();
    int          rc;

    t.pass = (struct pass){ .run = job->run,
                            .scanner_count = 1 };
    t.pass.scanner[0] = train_scanner(job);
    rc = ranks_agree(&t, err);
    if (rc == 0) rc = pass_stream(&t.pass, job->run->shards->count, err);
    if (rc == 0) rc = train_list(&t, err);
    job->seconds[0] = lap(&since);
    status_stage("vocabulary", NULL);
    if (rc == 0) rc = train_merge_vocabularies(&t, err);
    if (rc == 0) rc = train_number(&t, err);
    status_stage("counting", NULL);
    if (rc == 0) rc = train_count(&t, err);
    job->seconds[1] = lap(&since);
    status_stage("estimating", NULL);
    table_free(&t.vocabulary.table);                        /* not needed any more, and large */
    if (rc == 0 && comm_rank(job->run->comm) == 0) {
        rc = train_write_rejects(&t, path, err);
        if (rc == 0 && t.documents) rc = model_make(&t, path, err);
        if (rc == 0) rc = units_remove(&t, err);
    }
    rc = comm_agree(job->run->comm, rc, err);
    job->seconds[2] = lap(&since);
    job->documents = t.documents;
    job->rejected = t.rejected;
    job->text_bytes = t.text_bytes;
    job->pieces = t.tokens - t.documents;
    train_vocabulary_free(&t.vocabulary);
    free(t.unit);
    free(t.range);
    return rc;
}
