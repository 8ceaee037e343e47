/* capability/forecast.h -- a capability's part of `leakgraph plan`: what a run would do and take, from a sample of the
 * shards; and the words and numbers that all parts share. */
#ifndef LEAKGRAPH_CAPABILITY_FORECAST_H
#define LEAKGRAPH_CAPABILITY_FORECAST_H

#include "capability/sample.h"

#include <cjson/cJSON.h>

struct config;
struct task;

struct forecast_machine { int ranks, threads; uint64_t memory; };   /* threads and memory of each rank */

struct forecast {
    const struct config     *config;
    const struct shard_list *shards;
    double                   share;                         /* of the bytes to be read */
    struct forecast_machine  machine;
};

enum { FORECAST_WARNING = 400 };

/* What a capability says of itself, when it is on.  All NULL: nothing. */
struct forecaster {
    /* Reads its sample, which *out points to from then on.  0, or <0 with err set. */
    int    (*look)(struct task *task, const struct forecast *forecast, const struct sampled **out, struct err *err);
    int    (*print)(const struct task *task, const struct forecast *forecast);      /* as text; 0 or -ENOMEM */
    void   (*json)(const struct task *task, const struct forecast *forecast, cJSON *root, bool *failed);
    /* Warning i, in a sentence: its length, 0 past the last; may be NULL. */
    size_t (*warn)(const struct task *task, const struct forecast *forecast, size_t i, char out[FORECAST_WARNING]);
    const char *basis;                                      /* what it takes for granted, in a sentence; or NULL */
};

/* Reads a sample of the wanted datasets ([dataset_count]; NULL: of all).  0, or <0 with err set. */
int forecast_sample(const struct forecast *forecast, const bool *wanted, const struct view_options *view,
                    uint32_t min_tokens, struct sample_watcher *watcher, struct sampled *out, struct err *err);

/* Over all datasets of a sample. */
struct sample_sums { double documents, unadmitted, bytes, read, text, seconds; bool whole; };
struct sample_sums sample_sum(const struct sampled *sample, size_t dataset_count);

/* ---- as text ---- */

double      forecast_percent(double part, double whole);
const char *forecast_size(double bytes, char out[32]);
/* in full when it is exact, else in 3 digits */
const char *forecast_count(double count, bool exact, char out[32]);
const char *forecast_time(double seconds, char out[32]);
void        forecast_fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));
void        forecast_features(const struct sampled *sample);                 /* quantiles of their numbers */

/* ---- as JSON ---- */

/* Adds to an object or, key NULL, to an array; frees the value when that fails.  Building goes on, as *failed is looked
 * at in the end. */
cJSON *forecast_put(cJSON *parent, const char *key, cJSON *value, bool *failed);
void   forecast_number(cJSON *parent, const char *key, double value, bool *failed);
void   forecast_features_json(const struct sampled *sample, cJSON *parent, bool *failed);

#endif
