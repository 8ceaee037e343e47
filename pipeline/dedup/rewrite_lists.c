/* dedup/rewrite_lists.c -- what was removed and for which document, as one compressed table a dataset.
 *
 * Units of the catalogue are dealt over ranks and threads; what a unit has to say is one frame in a unit file, and the
 * frames of a dataset are laid end to end behind its header line. */
#include "dedup/rewrite.h"

#include "base/log.h"
#include "base/status.h"
#include "corpus/cleaned.h"
#include "corpus/writer.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <time.h>

static const char list_header[] = "shard\trecord\tnumber\tsource_id\tpath\tkept_dataset\tkept_number\tcluster_size\t"
                                  "kept_shard\tkept_record\tkept_path\tkind\tsimilarity\n";

struct list_run {
    struct rewrite *rewrite;
    /* [count] of the catalogue: those of lists that are not there */
    size_t         *unit;
    size_t          count;
    struct packer **packer;                                 /* [threads] */
    struct bytes   *text;                                   /* [threads] */
};

static struct unit_key list_unit_key(const struct rewrite *rewrite, uint64_t unit)
{
    return unit_key_add(unit_key_add(rewrite->key, "list unit 2", 11), &unit, sizeof unit);
}

/* ---- one unit ---- */

static int append_string(struct bytes *out, const char *heap, struct heap_string s)
{
    return s.len == NO_STRING ? 0 : cleaned_value(out, (struct slice){ heap + s.at, s.len });
}

static int append_row(const struct rewrite *rewrite, const struct shard *shard, uint64_t ordinal,
                      const struct dedup_row *row, const char *heap,
                      const struct dedup_fate *fate, struct slice stays, struct bytes *out)
{
    const struct catalogue *catalogue = rewrite->catalogue;
    uint32_t                kept =
        rewrite->job->run->shards->at[catalogue->unit[catalogue_find(catalogue, fate->canonical)].shard].dataset;
    int                     rc = cleaned_value(out, slice_of(shard->name));

    if (rc == 0)
        rc = bytes_printf(out, "\t%llu\t%llu\t", (unsigned long long)row->record,
                          (unsigned long long)(ordinal - catalogue->dataset_first[shard->dataset]));
    if (rc == 0) rc = append_string(out, heap, row->source_id);
    if (rc == 0) rc = bytes_append(out, "\t", 1);
    if (rc == 0) rc = append_string(out, heap, row->path);
    if (rc == 0) rc = bytes_printf(out, "\t%s\t%llu\t%u\t", rewrite->job->run->datasets[kept].name,
                                   (unsigned long long)(fate->canonical - catalogue->dataset_first[kept]), fate->size);
    if (rc == 0) rc = bytes_append_slice(out, stays);
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

/* The fates of a unit come from a file. */
static int fates_check(const struct rewrite *rewrite, const struct fate_unit *fates, struct err *err)
{
    for (size_t i = 0; i < fates->count; i++)
        if (fates->fate[i].removed && fates->fate[i].canonical >= rewrite->catalogue->documents)
            return err_set(err, -EBADMSG, "%s: a unit of fates names a document that there is not; remove the work "
                                          "folder with --clean", stage_dir(rewrite->job->run->stage));
    return 0;
}

static int list_rows(const struct rewrite *rewrite, size_t u, const struct fate_unit *fates, struct bytes *out,
                     struct err *err)
{
    const struct catalogue_unit *unit = &rewrite->catalogue->unit[u];
    const struct shard          *shard = &rewrite->job->run->shards->at[unit->shard];
    struct column_unit           columns;
    struct slice                *kept = NULL;
    struct bytes                 text = { 0 };
    int                          rc = fates_check(rewrite, fates, err);

    if (rc == 0) rc = rewrite_columns(rewrite, u, &columns, err);
    if (rc < 0) return rc;
    kept = calloc(fates->count + 1, sizeof *kept);
    rc = kept ? rewrite_kept(rewrite, u, &columns, fates, &text, kept, err)
        : err_memory(err, fates->count * sizeof *kept, "a list");
    for (size_t i = 0; i < fates->count && rc == 0; i++) {
        const struct dedup_row *row;
        const char             *heap;

        if (!fates->fate[i].removed) continue;
        row = columns_row(&columns, i, &heap);
        if (append_row(rewrite, shard, unit->first + i, row, heap, &fates->fate[i], kept[i], out) < 0)
            rc = err_memory(err, out->len, "a list");
    }
    free(kept);
    bytes_free(&text);
    columns_close(&columns);
    return rc;
}

static int list_unit(struct list_run *run, size_t u, int thread, struct err *err)
{
    const struct dedup_job *job = run->rewrite->job;
    struct unit_key         key = list_unit_key(run->rewrite, u);
    struct fate_unit        fates;
    struct unit             unit;
    struct bytes           *text = &run->text[thread], frame = { 0 };
    bool                    any = false;
    int                     rc = stage_load(job->run->stage, "list", key, &unit, err);

    if (rc > 0) unit_close(&unit);
    if (rc != 0) return rc < 0 ? rc : 0;
    rc = fate_load(job, run->rewrite->catalogue, u, &fates, err);
    if (rc < 0) return rc;
    text->len = 0;
    for (size_t i = 0; i < fates.count && !any; i++) any = fates.fate[i].removed;
    if (any) rc = list_rows(run->rewrite, u, &fates, text, err);
    if (rc == 0 && any) rc = packer_frame(run->packer[thread], bytes_slice(text), &frame, err);
    if (rc == 0) rc = stage_commit(job->run->stage, "list", key, &(struct slice){ frame.at, frame.len }, 1, err);
    bytes_free(&frame);
    unit_close(&fates.file);
    return rc;
}

/* ---- all units ---- */

/* As many units at once as there are threads. */
static int list_units(struct list_run *run, const uint64_t *item, size_t count, struct err *err)
{
    int rc = 0;

#pragma omp parallel for num_threads(run->rewrite->job->run->threads) schedule(dynamic)
    for (size_t i = 0; i < count; i++) {
        struct err mine = { 0 };

        if (list_unit(run, run->unit[item[i]], omp_get_thread_num(), &mine) < 0) {
#pragma omp critical(list_failure)
            {
                *err = mine;
                rc = mine.code;
            }
        }
    }
    return rc;
}

static int deal_units(struct list_run *run, struct err *err)
{
    const struct dedup_job *job = run->rewrite->job;
    size_t                  threads = (size_t)job->run->threads;
    uint64_t               *item = calloc(threads, sizeof *item), done = 0;
    struct deal            *deal = NULL;
    enum deal_answer        answer = DEAL_WAIT;
    int                     rc = comm_agree(job->run->comm, item ? 0
                                            : err_memory(err, threads * sizeof *item, "writing lists"), err);

    status_stage("dedup: lists", "units");
    if (rc == 0) rc = deal_open(&deal, job->run->comm, run->count, err);
    while (deal && rc == 0 && answer != DEAL_NONE) {
        size_t count = 0;

        while (count < threads && (answer = deal_next(deal, &item[count])) == DEAL_ITEM) count++;
        deal_poll(deal);
        if (count) rc = list_units(run, item, count, err);
        else if (answer == DEAL_WAIT) nanosleep(&(struct timespec){ 0, 200000 }, NULL);
        done += count;
        deal_report(deal, &(struct deal_progress){ .items = done });
        status_items(done, run->count);
    }
    if (deal) {
        if (rc < 0) deal_stop(deal);
        deal_close(deal);
    }
    free(item);
    return comm_agree(job->run->comm, rc, err);
}

/* ---- lists ---- */

static int append_frames(struct list_run *run, uint32_t dataset, struct writer *writer, struct err *err)
{
    const struct dedup_job *job = run->rewrite->job;
    int                     rc = 0;

    for (size_t i = 0; i < run->count && rc == 0; i++) {
        struct unit unit;

        if (job->run->shards->at[run->rewrite->catalogue->unit[run->unit[i]].shard].dataset != dataset) continue;
        rc = stage_load(job->run->stage, "list", list_unit_key(run->rewrite, run->unit[i]), &unit, err);
        if (rc == 0)
            rc = err_set(err, -EIO,
                         "a part of the list was damaged or has disappeared; the same command again makes it anew");
        if (rc < 0) break;
        rc = unit.count == 1 ? writer_append(writer, unit.section[0], err)
            : err_set(err, -EBADMSG, "a part of the list does not have the expected layout");
        unit_close(&unit);
    }
    return rc;
}

static int list_write(struct list_run *run, uint32_t dataset, struct err *err)
{
    struct writer  *writer;
    struct bytes    frame = { 0 };
    struct file_sum sum;
    char            place[FILE_NAME_MAX];
    int             rc = rewrite_list_place(run->rewrite, dataset, place, err);

    if (rc == 0) rc = writer_open(&writer, run->rewrite->job->run->output, place, err);
    if (rc < 0) return rc;
    rc = packer_frame(run->packer[0], SLICE(list_header), &frame, err);
    if (rc == 0) rc = writer_append(writer, bytes_slice(&frame), err);
    if (rc == 0) rc = append_frames(run, dataset, writer, err);
    bytes_free(&frame);
    if (rc < 0) {
        writer_abandon(writer);
        return err_add(err, "%s", place);
    }
    rc = writer_commit(writer, &sum, err);
    if (rc >= 0) rc = rewrite_mark(run->rewrite, rewrite_list_key(run->rewrite, dataset), place, &sum, err);
    for (size_t i = 0; i < run->count && rc == 0; i++)
        if (run->rewrite->job->run->shards->at[run->rewrite->catalogue->unit[run->unit[i]].shard].dataset == dataset)
            rc = stage_remove(run->rewrite->job->run->stage, "list", list_unit_key(run->rewrite, run->unit[i]), err);
    return rc;
}

static int list_open(struct list_run *run, struct err *err)
{
    const struct dedup_job *job = run->rewrite->job;
    const struct catalogue *catalogue = run->rewrite->catalogue;
    int                     rc = 0;

    run->unit = calloc(catalogue->count + 1, sizeof *run->unit);
    run->packer = calloc((size_t)job->run->threads, sizeof *run->packer);
    run->text = calloc((size_t)job->run->threads, sizeof *run->text);
    if (!run->unit || !run->packer || !run->text)
        rc = err_memory(err, catalogue->count * sizeof *run->unit, "writing lists");
    for (int t = 0; t < job->run->threads && rc == 0; t++)
        rc = packer_open(&run->packer[t], job->options->zstd_level, err);
    for (size_t u = 0; u < catalogue->count && rc == 0; u++)
        if (!run->rewrite->list_done[job->run->shards->at[catalogue->unit[u].shard].dataset])
            run->unit[run->count++] = u;
    return rc;
}

static void list_close(struct list_run *run)
{
    for (int t = 0; t < run->rewrite->job->run->threads; t++) {
        if (run->packer) packer_close(run->packer[t]);
        if (run->text) bytes_free(&run->text[t]);
    }
    free(run->unit);
    free(run->packer);
    free(run->text);
}

int rewrite_lists(struct rewrite *rewrite, struct err *err)
{
    const struct dedup_job *job = rewrite->job;
    struct list_run         run = { .rewrite = rewrite };
    uint32_t                lists = 0;
    int                     rc = comm_agree(job->run->comm, list_open(&run, err), err);

    if (rc == 0) rc = deal_units(&run, err);
    for (uint32_t d = 0; d < job->run->dataset_count && rc == 0; d++)
        if (rewrite->takes_part[d] && !rewrite->list_done[d] &&
            lists++ % (uint32_t)comm_size(job->run->comm) == (uint32_t)comm_rank(job->run->comm))
            rc = list_write(&run, d, err);
    list_close(&run);
    return comm_agree(job->run->comm, rc, err);
}
