/* dedup/forecast.h -- the part of `leakgraph plan` about deduplication; see struct forecaster. */
#ifndef LEAKGRAPH_DEDUP_FORECAST_H
#define LEAKGRAPH_DEDUP_FORECAST_H

#include "capability/forecast.h"

int  dedup_forecast_look(struct task *task, const struct forecast *forecast, const struct sampled **out,
                         struct err *err);
int  dedup_forecast_print(const struct task *task, const struct forecast *forecast);
void dedup_forecast_json(const struct task *task, const struct forecast *forecast, cJSON *root, bool *failed);
size_t dedup_forecast_warn(const struct task *task, const struct forecast *forecast, size_t i,
                           char out[FORECAST_WARNING]);

#endif
