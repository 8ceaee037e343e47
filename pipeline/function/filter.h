/* function/filter.h -- which documents may have a function that is like an item, told by their features alone.
 *
 * Telling the functions of a document takes all its tokens, and costs several times what its features do; nearly no
 * document has one that is like an item.  A function's features are a run of the document's, so what a pair of a
 * function and an item needs can be asked of the document first:
 *
 *   similar     A class of m different features in T occurrences is like a function that shares ceil(t m) of them with
 *               it or more, t being the set threshold: the union has m at least.  So the function has one of the
 *               class's first m - ceil(t m) + 1, its rarest (the prefixes of the index, near/near.h).  And it has no
 *               more than T / u features in all, u being the multiset threshold: sum of minima <= T, sum of maxima >=
 *               the function's features.  So it lies within T / u features of an occurrence of a feature of the prefix,
 *               and ceil(t m) of the class's features do.
 *   contained   A function that has the share c of the class's features may be of any length, but its document has
 *               them too: ceil(c m) of them, one of which is of the prefix for c.
 *   copy        What an item too short to be compared stands in has its text, white space aside: see shorts.h.
 *
 * These are necessary and not sufficient: who passes is told in functions, and decided as ever.  It holds for every
 * view of tokens, as nothing is asked of features but that they are the document's in their order. */
#ifndef LEAKGRAPH_FUNCTION_FILTER_H
#define LEAKGRAPH_FUNCTION_FILTER_H

#include "near/index.h"

struct function_filter;                                     /* one a thread */

/* Borrows both as long as it lives.  0, or -ENOMEM with err set. */
int  function_filter_open(struct function_filter **out, const struct near_index *index,
                          const struct near_options *options, struct err *err);
void function_filter_close(struct function_filter *filter); /* accepts NULL */

/* May a run of the features of which the index's dictionary knows this be like an item, or contain one?  NULL: no. */
bool function_filter_may(struct function_filter *filter, struct known *known);

#endif
