/* near/forecast.h -- the part of `leakgraph plan` about the near-duplicate join; see struct forecaster. */
#ifndef LEAKGRAPH_NEAR_FORECAST_H
#define LEAKGRAPH_NEAR_FORECAST_H

#include "capability/forecast.h"

int  near_forecast_look(struct task *task, const struct forecast *forecast, const struct sampled **out,
                        struct err *err);
int  near_forecast_print(const struct task *task, const struct forecast *forecast);
void near_forecast_json(const struct task *task, const struct forecast *forecast, cJSON *root, bool *failed);

#endif
