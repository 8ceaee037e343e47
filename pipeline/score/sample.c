/* score/sample.c -- see sample.h. */
#include "score/sample.h"

#include <errno.h>
#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void score_samples_free(struct score_samples *samples)
{
    free(samples->at);
    free(samples->series);
    free(samples->column);
    free(samples->value);
    free(samples->file);
    table_free(&samples->series_by_name);
    table_free(&samples->column_by_name);
    pool_free(&samples->pool);
    bytes_free(&samples->key);
    *samples = (struct score_samples){ 0 };
}

int score_file_begin(struct score_samples *samples, const char *path, struct err *err)
{
    if (ARRAY_GROW(samples->file, samples->file_room, samples->file_count) < 0)
        return err_memory(err, samples->file_room * sizeof *samples->file, "names of files");
    samples->file[samples->file_count++] = path;
    return 0;
}

/* Its place under a name of several parts, of which any may hold any byte. */
static uint32_t name_put(struct table *table, const struct bytes *key, uint32_t place, bool *added)
{
    const XXH128_hash_t hash = XXH3_128bits(key->at, key->len);

    return table_put(table, hash.low64, hash.high64, place, added);
}

static int key_part(struct bytes *key, struct slice part)
{
    const uint64_t len = part.len;

    return bytes_append(key, &len, sizeof len) < 0 ? -ENOMEM : bytes_append_slice(key, part);
}

static int series_copy(struct score_samples *samples, struct score_series *series)
{
    struct slice *part[] = { &series->model, &series->kind, &series->seed, &series->layer };
    int           rc = 0;

    for (size_t i = 0; i < 4 && rc == 0; i++) rc = pool_copy(&samples->pool, *part[i], part[i]);
    return rc;
}

int score_series_put(struct score_samples *samples, struct score_series series, uint32_t *out, struct err *err)
{
    bool added = false;

    samples->key.len = 0;
    if (key_part(&samples->key, series.model) < 0 || key_part(&samples->key, series.kind) < 0 ||
        key_part(&samples->key, series.seed) < 0 || key_part(&samples->key, series.layer) < 0 ||
        (*out = name_put(&samples->series_by_name, &samples->key, (uint32_t)samples->series_count, &added)) ==
        TABLE_NONE || ARRAY_GROW(samples->series, samples->series_room, samples->series_count) < 0 ||
        (added && series_copy(samples, &series) < 0))
        return err_memory(err, samples->series_room * sizeof series, "models and seeds");
    if (samples->series_count == SCORE_SERIES_MOST)
        return err_set(err, -EINVAL, "more than %d models, seeds and layers", SCORE_SERIES_MOST - 1);
    if (added) samples->series[samples->series_count++] = series;
    return 0;
}

int score_column_put(struct score_samples *samples, struct slice name, bool binary, uint32_t *out, struct err *err)
{
    bool added = false;

    samples->key.len = 0;
    if (key_part(&samples->key, name) < 0 ||
        (*out = name_put(&samples->column_by_name, &samples->key, (uint32_t)samples->column_count, &added)) ==
        TABLE_NONE || ARRAY_GROW(samples->column, samples->column_room, samples->column_count) < 0 ||
        (added && pool_copy(&samples->pool, name, &name) < 0))
        return err_memory(err, samples->column_room * sizeof *samples->column, "columns");
    if (samples->column_count == SCORE_COLUMNS_MOST)
        return err_set(err, -EINVAL, "more than %d columns of numbers", SCORE_COLUMNS_MOST - 1);
    if (added) samples->column[samples->column_count++] = (struct score_column){ name, binary };
    samples->column[*out].binary &= binary;
    return 0;
}

static int text_keep(struct score_samples *samples, struct slice *text)
{
    return text->at ? pool_copy(&samples->pool, *text, text) : 0;
}

int score_sample_add(struct score_samples *samples, struct score_sample sample, struct err *err)
{
    if (ARRAY_GROW(samples->at, samples->room, samples->count) < 0 || text_keep(samples, &sample.id) < 0 ||
        text_keep(samples, &sample.other) < 0 || text_keep(samples, &sample.prediction) < 0 ||
        text_keep(samples, &sample.reference) < 0)
        return err_memory(err, samples->room * sizeof sample, "samples");
    sample.value_at = samples->value_count;
    sample.values = 0;
    sample.file = (uint32_t)samples->file_count - 1;
    samples->at[samples->count++] = sample;
    return 0;
}

int score_value_add(struct score_samples *samples, struct slice column, bool binary, double value, struct err *err)
{
    struct score_value add = { .is = value };
    int                rc = score_column_put(samples, column, binary, &add.column, err);

    if (rc < 0) return rc;
    for (size_t v = samples->at[samples->count - 1].value_at; v < samples->value_count; v++)
        if (samples->value[v].column == add.column)
            return err_set(err, -EEXIST, "`%.60s` stands twice", samples->column[add.column].name.at);
    if (ARRAY_GROW(samples->value, samples->value_room, samples->value_count) < 0)
        return err_memory(err, samples->value_room * sizeof add, "numbers");
    samples->value[samples->value_count++] = add;
    samples->at[samples->count - 1].values++;
    return 0;
}
