/* clonetype/forecast.h -- the part of `leakgraph plan` about clones by type; see struct forecaster.
 *
 * The functions of the sample are told as the pass tells them, so that what the indexes take of memory is reckoned as
 * the run reckons it (clonetype_index_need), before a run ends for it. */
#ifndef LEAKGRAPH_CLONETYPE_FORECAST_H
#define LEAKGRAPH_CLONETYPE_FORECAST_H

#include "base/table.h"
#include "capability/forecast.h"
#include "clonetype/clonetype.h"

/* Functions that are compared, those that stand for their blind form, and statements (tokens) of the latter. */
struct clonetype_counts { uint64_t functions, leads, items, all_items; };

/* What is seen of a sample. */
struct clonetype_sample {
    struct sample_watcher           watcher;                /* first */
    const struct clonetype_options *options;
    const struct config            *config;
    const bool                     *within;                 /* [datasets] or NULL */
    struct view_scratch            *scratch;
    struct forms                   *forms;
    struct table                    blind;                  /* forms of all datasets, each with its dataset's number */
    struct clonetype_counts        *counts;                 /* [datasets] owned */
    struct sampled                  sample;
};
void clonetype_sample_free(struct clonetype_sample *sample);

int    clonetype_forecast_look(struct task *task, const struct forecast *forecast, const struct sampled **out,
                               struct err *err);
int    clonetype_forecast_print(const struct task *task, const struct forecast *forecast);
void   clonetype_forecast_json(const struct task *task, const struct forecast *forecast, cJSON *root, bool *failed);
size_t clonetype_forecast_warn(const struct task *task, const struct forecast *forecast, size_t i,
                               char out[FORECAST_WARNING]);

#endif
