/* Times the stages of the stream one after the other: decode, + JSON, + features, + multiset, on the library and one
 * thread.
 *
 *   stages [--decode | --bands] LANGUAGE SHARD...
 *
 * --decode: that stage alone, which is the limit that this machine sets to everything that reads these shards.
 * --bands: the stages of dedup: shingles:5, signatures of 256 lanes, keys of 32 bands.  With either, shards are shared
 * out among OMP_NUM_THREADS threads.  Each stage reads the shards again from the start and does everything of the stage
 * before it, so the difference of two rows is the price of one stage.  Prints one line a stage: name, seconds, seconds
 * of CPU, bytes decoded, bytes of text, records, kernel level. */
#include "base/log.h"
#include "corpus/source.h"
#include "kernels/kernels.h"
#include "view/signature.h"
#include "view/view.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum stage { STAGE_DECODE, STAGE_PARSE, STAGE_FEATURES, STAGE_MULTISET, STAGE_SIGNATURE, STAGE_BANDS, STAGE_COUNT };
static const char *const stage_names[STAGE_COUNT] = { "decode", "+ JSON", "+ features", "+ multiset", "+ signature",
                                                      "+ bands" };

enum { BANDS = 32, ROWS = 8 };
static struct signature_scheme scheme;

struct totals { uint64_t decoded, text, records, features, distinct; };

struct scratch {
    struct view_scratch *view;
    uint64_t            *hash, *spare;                      /* [room] */
    uint32_t            *count;                             /* [room] */
    size_t               room;
};

static int scratch_reserve(struct scratch *s, size_t count)
{
    if (count <= s->room) return 0;
    free(s->hash);
    free(s->spare);
    free(s->count);
    s->room = count * 2;
    s->hash = malloc(s->room * sizeof *s->hash);
    s->spare = malloc(s->room * sizeof *s->spare);
    s->count = malloc(s->room * sizeof *s->count);
    return s->hash && s->spare && s->count ? 0 : -1;
}

static int run_batch(enum stage stage, struct batch *batch, const char *language, struct scratch *s,
                     struct totals *totals, struct err *err)
{
    struct record record;
    int           rc;

    if (batch->kind != BATCH_ROWS) totals->decoded += batch->raw.len;
    /* texts alone: they need not lie in raw */
    else for (size_t i = 0; i < batch->item_count; i++) totals->decoded += batch->item[i].len;
    if (stage < STAGE_PARSE) return 0;
    while ((rc = batch_next(batch, &record, err)) > 0) {
        struct feature_list features;

        totals->text += record.text.len;
        totals->records++;
        if (stage < STAGE_FEATURES) continue;
        const struct view_language *row = view_language_of(s->view, language, &record, err);

        if (!row) return err->code;
        if ((rc = view_features(s->view, row, &record, &features, err)) < 0) return rc;
        totals->features += features.count;
        if (stage < STAGE_MULTISET || features.count == 0) continue;
        if (stage > STAGE_MULTISET) {
            uint32_t lane[SIGNATURE_LANES_MAX];
            uint64_t key[BANDS];

            signature_make(&scheme, features.hash, features.count, lane);
            if (stage == STAGE_BANDS) signature_bands(&scheme, lane, key);
            continue;
        }
        if (scratch_reserve(s, features.count) < 0) return err_memory(err, features.count, "features");
        memcpy(s->hash, features.hash, features.count * sizeof *s->hash);
        totals->distinct += view_multiset(s->hash, s->count, features.count, s->spare);
    }
    return rc;
}

static int run_shard(enum stage stage, const struct dataset *dataset, const char *path, struct scratch *s,
                     struct totals *totals, struct err *err)
{
    struct shard   shard = { .path = (char *)(uintptr_t)path, .name = (char *)(uintptr_t)path };
    struct batch   batch = { 0 };
    struct source *source = NULL;
    struct stat    info;
    int            rc;

    if (stat(path, &info) == 0) shard.bytes = (uint64_t)info.st_size;
    if ((rc = source_open(&source, dataset, &shard, err)) < 0) goto done;
    while ((rc = source_next(source, &batch, err)) > 0)
        if ((rc = run_batch(stage, &batch, dataset->language, s, totals, err)) < 0) goto done;
done:
    batch_free(&batch);
    source_close(source);
    return rc;
}

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* All shards through one stage; returns 0, or -1 after a message. */
static int run_stage(enum stage stage, const struct view_options *view, int threads, char **argument, int count,
                     struct totals *totals)
{
    struct dataset dataset = { .name = (char *)(uintptr_t)"bench", .language = argument[0] };
    uint64_t       decoded = 0, text = 0, records = 0;
    int            failed = 0;

#pragma omp parallel num_threads(threads) reduction(+ : decoded, text, records) reduction(| : failed)
    {
        struct scratch scratch = { 0 };
        struct totals  mine = { 0 };
        struct err     err = { 0 };

        if (view_scratch_open(&scratch.view, view, &err) < 0) failed = 1;
#pragma omp for schedule(dynamic, 1)
        for (int i = 1; i < count; i++)
            if (!failed && run_shard(stage, &dataset, argument[i], &scratch, &mine, &err) < 0) failed = 1;
        if (failed) fprintf(stderr, "stages: %s\n", err.text);
        decoded += mine.decoded;
        text += mine.text;
        records += mine.records;
        view_scratch_close(scratch.view);
        free(scratch.hash);
        free(scratch.spare);
        free(scratch.count);
    }
    *totals = (struct totals){ .decoded = decoded, .text = text, .records = records };
    return failed ? -1 : 0;
}

int main(int argc, char **argv)
{
    bool                only_decode = argc > 1 && strcmp(argv[1], "--decode") == 0, bands = argc > 1 &&
        strcmp(argv[1], "--bands") == 0;
    struct view_options view = { .kind = bands ? VIEW_SHINGLES : VIEW_IDENTIFIERS, .n = 5 };
    int                 first = only_decode || bands ? 2 : 1;
    enum stage          end = only_decode ? STAGE_DECODE + 1 : bands ? STAGE_COUNT : STAGE_MULTISET + 1;

    if (argc < first + 2) {
        fprintf(stderr, "usage: stages [--decode | --bands] LANGUAGE SHARD...\n");
        return 2;
    }
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) {
        fprintf(stderr, "stages: this machine has no such kernel level\n");
        return 2;
    }
    signature_scheme_make(&scheme, BANDS, ROWS, 1);
    for (enum stage stage = STAGE_DECODE; stage < end; stage++) {
        struct totals totals;
        double        started = log_seconds(), cpu_started = cpu_seconds();

        if (bands && stage == STAGE_MULTISET) continue;
        if (run_stage(stage, &view, first == 2 ? omp_get_max_threads() : 1, argv + first, argc - first, &totals) < 0)
            return 1;
        printf("%s\t%.6f\t%.6f\t%llu\t%llu\t%llu\t%s\n", stage_names[stage], log_seconds() - started,
               cpu_seconds() - cpu_started,
               (unsigned long long)totals.decoded, (unsigned long long)totals.text, (unsigned long long)totals.records,
                   kernels->name);
    }
    return 0;
}
