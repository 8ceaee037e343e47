/* model/option.h -- how a model is named: in settings, a map of these rows; on a command line, NAME=BACKEND:PATH. */
#ifndef LEAKGRAPH_MODEL_OPTION_H
#define LEAKGRAPH_MODEL_OPTION_H

#include "base/option.h"
#include "model/model.h"

extern const struct option model_rows[];                    /* of struct model_options; option_free releases it */

/* NAME=BACKEND:PATH in its parts, views of it; which backends there are is not asked.  0, or -EINVAL (what it takes)
 * with err set. */
struct model_words { struct slice name, backend; const char *path; };
int model_option_cut(struct model_words *out, const char *value, struct err *err);

/* --model NAME=BACKEND:PATH, and for http what `http` says beside it (a map of KEY: VALUE, or an empty node): served,
 * key_env, cache, timeout, retries, concurrency, rate, budget, context.  0, -EINVAL (what it takes) or -ENOMEM with err
 * set; free it either way. */
int model_option_read(struct model_options *out, const char *value, const struct node *http, struct err *err);

#endif
