/* capability/forecast.c -- see forecast.h. */
#include "capability/forecast.h"

#include "capability/config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int forecast_sample(const struct forecast *forecast, const bool *wanted, const struct view_options *view,
                    uint32_t min_tokens, struct sample_watcher *watcher, struct sampled *out, struct err *err)
{
    const struct config  *config = forecast->config;
    bool                 *all = malloc(config->dataset_count + 1);
    struct sample_options options = { .datasets = config->datasets, .dataset_count = config->dataset_count,
                                      .shards = forecast->shards, .wanted = wanted ? wanted : all, .view = view,
                                      .min_tokens = min_tokens, .share = forecast->share, .watcher = watcher };
    int                   rc;

    if (!all) return err_memory(err, config->dataset_count, "datasets");
    for (size_t d = 0; d < config->dataset_count; d++) all[d] = true;
    rc = sample_read(&options, out, err);
    free(all);
    return rc;
}

struct sample_sums sample_sum(const struct sampled *sample, size_t dataset_count)
{
    struct sample_sums sums = { .whole = true };

    for (size_t d = 0; d < dataset_count; d++) {
        const struct sample_dataset *seen = &sample->dataset[d];

        sums.documents += (double)seen->documents;
        sums.unadmitted += (double)(seen->documents - seen->admitted);
        sums.bytes += (double)seen->bytes;
        sums.read += (double)seen->bytes_read;
        sums.text += (double)seen->text_bytes;
        sums.seconds += seen->seconds;
        sums.whole &= seen->whole || !seen->shards;
    }
    return sums;
}

static const struct { const char *key, *label; unsigned permille; } quantiles[] = {
    { "p10", "10 %", 100 }, { "p50", "half", 500 }, { "p90", "90 %", 900 }, { "p99", "99 %", 990 },
    { "most", "all", 1000 },
};
enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };

/* The least number that this share of the documents does not exceed. */
static uint32_t quantile(const struct sampled *sample, unsigned permille)
{
    uint64_t at = (sample->documents * permille + 999) / 1000;

    return sample->documents ? sample->features[at ? at - 1 : 0] : 0;
}

/* ---- as text ---- */

double forecast_percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

const char *forecast_size(double bytes, char out[32])
{
    static const char *const unit[] = { "bytes", "KB", "MB", "GB", "TB", "PB" };
    size_t                   u = 0;

    for (; bytes >= 999.5 && u + 1 < sizeof unit / sizeof *unit; u++) bytes /= 1000;
    snprintf(out, 32, u ? "%.2f %s" : "%.0f %s", bytes, unit[u]);
    return out;
}

/* In full when it is exact, else in three digits. */
const char *forecast_count(double count, bool exact, char out[32])
{
    static const char unit[] = " kMGT";
    size_t            u = 0;

    for (; !exact && count >= 999.5 && u + 2 < sizeof unit; u++) count /= 1000;
    if (u) snprintf(out, 32, "~%.*f %c", count < 9.995 ? 2 : count < 99.95 ? 1 : 0, count, unit[u]);
    else snprintf(out, 32, exact ? "%.0f" : "~%.0f", count);
    return out;
}

const char *forecast_time(double seconds, char out[32])
{
    if (seconds < 120) snprintf(out, 32, "%.*f s", seconds < 9.95 ? 1 : 0, seconds);
    else if (seconds < 7200) snprintf(out, 32, "%.0f min", seconds / 60);
    else snprintf(out, 32, "%.1f h", seconds / 3600);
    return out;
}

void forecast_fact(const char *label, const char *format, ...)
{
    va_list list;

    printf("  %-18s ", label);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    putchar('\n');
}

void forecast_features(const struct sampled *sample)
{
    printf("  %-18s", "features, up to");
    for (size_t q = 0; q < QUANTILES; q++)
        printf(" %u (%s)%s", quantile(sample, quantiles[q].permille), quantiles[q].label, q + 1 < QUANTILES ? ","
               : " of documents\n");
}

/* ---- as JSON ---- */

cJSON *forecast_put(cJSON *parent, const char *key, cJSON *value, bool *failed)
{
    if (value && parent && (key ? cJSON_AddItemToObject(parent, key, value) : cJSON_AddItemToArray(parent, value)))
        return value;
    cJSON_Delete(value);
    *failed = true;
    return NULL;
}

void forecast_number(cJSON *parent, const char *key, double value, bool *failed)
{
    forecast_put(parent, key, cJSON_CreateNumber(value), failed);
}

void forecast_features_json(const struct sampled *sample, cJSON *parent, bool *failed)
{
    cJSON *object = forecast_put(parent, "features", cJSON_CreateObject(), failed);

    for (size_t q = 0; q < QUANTILES; q++)
        forecast_number(object, quantiles[q].key, quantile(sample, quantiles[q].permille), failed);
}
