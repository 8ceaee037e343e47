/* near/leaked.h -- how much of each whole benchmark is in each other dataset, a document counted once whatever its
 * pairs are. */
#ifndef LEAKGRAPH_NEAR_LEAKED_H
#define LEAKGRAPH_NEAR_LEAKED_H

#include "base/err.h"
#include "base/slice.h"
#include "graph/pool.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SQL: has a corpus of `whole` documents hardly a document of a language, `there`?  Under 1 % of them, or under half of
 * them where that is no programming language. */
#define LEAKED_ALONE(there, language, whole) there " * iif(" language " IN ('', 'text'), 2, 100) < " whole

/* Documents of source; direct, contained, copies and in_functions have none in common, so that they can be added. */
struct leaked {
    struct slice source, target;
    bool         target_is_corpus;
    uint64_t     documents;
    uint64_t     direct;                                    /* with an exact or near pair in target */
    /* with a contained pair there and no direct one; where the pairs lie beside the database: at least so many */
    uint64_t     contained;
    uint64_t     copies;                                    /* below min_tokens, equal in layout to one there */
    uint64_t     in_functions;                              /* like a function in a document there, and no more */
};

struct leaked_list { struct leaked *at; size_t count; struct pool pool; };

/* Every benchmark against every other dataset it was compared with, in the order of table overlap.  0 or <0 with err
 * set; *out is to be freed either way. */
int  leaked_read(struct leaked_list *out, sqlite3 *db, struct err *err);
void leaked_free(struct leaked_list *list);

#endif
