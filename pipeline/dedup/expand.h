/* dedup/expand.h -- from the classes and links of pass dedup to pairs of documents. */
#ifndef LEAKGRAPH_DEDUP_EXPAND_H
#define LEAKGRAPH_DEDUP_EXPAND_H

#include "dedup/result.h"
#include "graph/pairs.h"

/* pairs of one link up to which all of them are spelled out */
enum { LINK_PAIRS_MAX = 1000000 };

/* All pairs that belong in `edges`, a and b being places in result->listed, each once and in order, added to out
 * (pairs_options), which is ended.
 *
 * options->pairs_all: inside a class all pairs, above STAR_LIMIT or options->bucket_cap documents those with its
 * representative; over a link all pairs of its two classes, but when they are more than LINK_PAIRS_MAX or a class is
 * above bucket_cap only those with either representative. Otherwise: each removed document with its canonical, where
 * the two were verified.  0; -EBADMSG (a link names a document that is not there), -ENOMEM, or <0 as runs_add says,
 * with err set. */
int expand_dedup(const struct dedup_options *options, const struct dedup_result *result, struct runs *out,
                 struct err *err);

#endif
