/* cmd/model_option.h -- --model NAME=BACKEND:PATH of commands that write settings in memory. */
#ifndef LEAKGRAPH_CMD_MODEL_OPTION_H
#define LEAKGRAPH_CMD_MODEL_OPTION_H

#include "base/bytes.h"
#include "base/err.h"

/* Appends it as an item of `probe.models`, four spaces in.  0, -EINVAL (what it takes) or -ENOMEM with err set. */
int model_option_append(struct bytes *out, const char *value, struct err *err);

#endif
