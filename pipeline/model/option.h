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

#endif
