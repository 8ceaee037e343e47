/* cmd/texts.c -- see texts.h. */
#include "cmd/texts.h"

#include "base/log.h"
#include "cmd/wrong_field.h"
#include "code/misspelt.h"
#include "config/field_option.h"
#include "corpus/source.h"

#include <errno.h>
#include <string.h>

enum { REJECTS_SAID = 5 };

int texts_option(struct texts *texts, const char *option, const char *value, struct err *err)
{
    struct field_option field;
    const char         *meant;

    if (strcmp(option, "--language") == 0) {
        texts->dataset.language = value;
        meant = misspelt_language(value);
        return !meant ? 1 : err_set(err, -EINVAL, "%s: --language: `%s` is no language that is known; did you mean "
                                    "`%s`?", texts->command, value, meant);
    }
    if (strcmp(option, "--field") != 0) return 0;
    if (field_option_parse(&field, value, err) < 0) return err->code;
    if (field.dataset.len)
        return err_set(err, -EINVAL, "%s: --field takes NAME=FIELD here, not `%s`: there are no datasets",
                       texts->command, value);
    texts->dataset.fields[field.field] = (char *)(uintptr_t)field.name;
    return 1;
}

/* The first ones; the end says how many there were. */
static void say_rejects(struct texts *texts, const struct shard *shard, const struct batch *batch)
{
    for (size_t r = 0; r < batch->rejects.count; r++) {
        const struct reject *reject = &batch->rejects.at[r];

        if (!reject_is_skip(reject) && texts->rejects_said++ < REJECTS_SAID)
            log_warn("%s: record %llu, byte %llu: %s: %s", shard->path, (unsigned long long)reject->record,
                     (unsigned long long)reject->byte, reject_names[reject->reason], reject->detail);
    }
    texts->rejected += reject_records(batch->rejects.at, batch->rejects.count);
}

int texts_reject(struct texts *texts, const struct shard *shard, const struct record *record, const char *why)
{
    if (texts->rejects_said++ < REJECTS_SAID)
        log_warn("%s: record %llu: %s", shard->path, (unsigned long long)record->number, why);
    texts->rejected++;
    texts->refused++;
    return 1;
}

int texts_say_skipped(const struct texts *texts, struct bytes *out)
{
    const uint64_t sum = skips_sum(&texts->skipped);
    const char    *before = "";

    if (!sum) return 0;
    if (bytes_printf(out, "; %llu file%s passed over (", (unsigned long long)sum, sum == 1 ? "" : "s") < 0)
        return -ENOMEM;
    for (size_t r = 0; r < SKIP_REASON_COUNT; r++) {
        if (!texts->skipped.files[r]) continue;
        if (bytes_printf(out, "%s%llu %s", before, (unsigned long long)texts->skipped.files[r], skip_names[r]) < 0)
            return -ENOMEM;
        before = ", ";
    }
    return bytes_append(out, ")", 1);
}

static int shard_read(struct texts *texts, const struct shard *shard, struct err *err)
{
    struct source *source;
    struct batch   batch = { 0 };
    struct record  record;
    int            rc = source_open(&source, &texts->dataset, shard, err), more;

    if (rc < 0) return rc;
    skips_add(&texts->skipped, &shard->skipped);
    while ((rc = source_next(source, &batch, err)) > 0) {
        batch.want_fields = texts->want_fields;
        while ((more = batch_next(&batch, &record, err)) > 0) {
            if ((more = texts->take(texts->context, shard, &batch, &record, err)) < 0) break;
            texts->taken += more == 0;
        }
        if ((rc = more) < 0) break;
        say_rejects(texts, shard, &batch);
        skips_add(&texts->skipped, &batch.skipped);
    }
    batch_free(&batch);
    source_close(source);
    return rc;
}

int texts_read(struct texts *texts, char **file, size_t count, struct err *err)
{
    struct dataset_split split = { .name = (char[]){ "" }, .globs = file, .glob_count = count };
    struct shard_list    shards;
    int                  rc;

    texts->dataset.name = (char *)(uintptr_t)texts->command;
    texts->dataset.role = ROLE_CORPUS;
    texts->dataset.splits = &split;
    texts->dataset.split_count = 1;
    rc = shard_list_open(&shards, &texts->dataset, 1, "", err);
    if (rc == 0) shard_list_warn(&shards);
    for (size_t s = 0; s < shards.count && rc == 0; s++) rc = shard_read(texts, &shards.at[s], err);
    if (rc == 0 && texts->rejected) {
        rc = err_set(err, -EBADMSG, "%s: %llu record%s could not be read%s", texts->command,
                     (unsigned long long)texts->rejected, texts->rejected == 1 ? "" : "s",
                     texts->rejects_said > REJECTS_SAID ? ", of which the first are listed" : "");
        if (!texts->taken && !texts->refused && wrong_field_explain(&texts->dataset, &shards.at[0], false, err))
            rc = err->code = -EINVAL;
    }
    shard_list_free(&shards);
    return rc;
}
