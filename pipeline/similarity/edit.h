/* similarity/edit.h -- Levenshtein distance, 64 cells of the matrix at a time (Myers 1999; blocks after Hyyro 2003). */
#ifndef LEAKGRAPH_SIMILARITY_EDIT_H
#define LEAKGRAPH_SIMILARITY_EDIT_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

/* Insertions, deletions and replacements that make b[b_count] of a[a_count]: time goes with a_count times b_count over
 * 64, memory with their sum.  0, or -ENOMEM with err set. */
int edit_distance(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, size_t *out, struct err *err);

/* 1 - distance / length of the longer, over code points; two empty texts: 1.  0, or -ENOMEM with err set. */
int edit_similarity(struct slice a, struct slice b, double *out, struct err *err);

#endif
