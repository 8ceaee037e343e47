/* graph/text.h -- text of unknown origin as the database holds it: valid UTF-8 without NUL. */
#ifndef LEAKGRAPH_GRAPH_TEXT_H
#define LEAKGRAPH_GRAPH_TEXT_H

#include "base/bytes.h"
#include "base/slice.h"

/* *out is text itself when it is valid, else a copy in *scratch (whose content is replaced) with U+FFFD for every
 * ill-formed sequence and every NUL.  0 or -ENOMEM. */
int text_make_valid(struct slice text, struct bytes *scratch, struct slice *out);

#endif
