/* Times the stages of the stream one after the other: decode, + JSON, + features, on the library and one thread.
 *
 *   stages [--decode] LANGUAGE SHARD...
 *
 * --decode: that stage alone, which is the limit that this machine sets to everything that reads these shards.
 * Each stage reads the shards again from the start and does everything of the stage before it, so the difference of two rows is
 * the price of one stage.  Prints one line a stage: name, seconds, seconds of CPU, bytes decoded, bytes of text, records, kernel level. */
#include "base/log.h"
#include "corpus/source.h"
#include "kernels/kernels.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum stage { STAGE_DECODE, STAGE_PARSE, STAGE_FEATURES, STAGE_MULTISET, STAGE_COUNT };
static const char *const stage_names[STAGE_COUNT] = { "decode", "+ JSON", "+ features", "+ multiset" };

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

static int run_batch(enum stage stage, struct batch *batch, const char *language, struct scratch *s, struct totals *totals, struct err *err)
{
    struct record record;
    int           rc;

    totals->decoded += batch->raw.len;
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
        if (scratch_reserve(s, features.count) < 0) return err_memory(err, features.count, "features");
        memcpy(s->hash, features.hash, features.count * sizeof *s->hash);
        totals->distinct += view_multiset(s->hash, s->count, features.count, s->spare);
    }
    return rc;
}

static int run_shard(enum stage stage, const struct dataset *dataset, const char *path, struct scratch *s, struct totals *totals, struct err *err)
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

int main(int argc, char **argv)
{
    struct view_options view = { .kind = VIEW_IDENTIFIERS };
    struct scratch      scratch = { 0 };
    struct err          err = { 0 };
    int                 first = argc > 1 && strcmp(argv[1], "--decode") == 0 ? 2 : 1;
    enum stage          end = first == 2 ? STAGE_DECODE + 1 : STAGE_COUNT;

    if (argc < first + 2) {
        fprintf(stderr, "usage: stages [--decode] LANGUAGE SHARD...\n");
        return 2;
    }
    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    if (!kernels) {
        fprintf(stderr, "stages: this machine has no such kernel level\n");
        return 2;
    }
    struct dataset dataset = { .name = (char *)(uintptr_t)"bench", .language = argv[first] };

    if (view_scratch_open(&scratch.view, &view, &err) < 0) goto fail;
    for (enum stage stage = STAGE_DECODE; stage < end; stage++) {
        struct totals totals = { 0 };
        double        started = log_seconds(), cpu_started = cpu_seconds();

        for (int i = first + 1; i < argc; i++)
            if (run_shard(stage, &dataset, argv[i], &scratch, &totals, &err) < 0) goto fail;
        printf("%s\t%.6f\t%.6f\t%llu\t%llu\t%llu\t%s\n", stage_names[stage], log_seconds() - started, cpu_seconds() - cpu_started,
               (unsigned long long)totals.decoded, (unsigned long long)totals.text, (unsigned long long)totals.records, kernels->name);
    }
    view_scratch_close(scratch.view);
    return 0;
fail:
    fprintf(stderr, "stages: %s\n", err.text);
    return 1;
}
