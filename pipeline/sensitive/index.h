/* sensitive/index.h -- the values of the benchmarks as the corpora are searched for them, and what the units of
 * both scanners hold. */
#ifndef LEAKGRAPH_SENSITIVE_INDEX_H
#define LEAKGRAPH_SENSITIVE_INDEX_H

#include "sensitive/sensitive.h"
#include "sensitive/search.h"

/* A value of a part's documents, in PART_ROWS of a collected unit: once for each pattern that found it. */
struct sensitive_row {
    struct needle      needle;
    uint64_t           documents, occurrences;
    uint64_t           first, last;                         /* records of its first and last document */
    uint32_t           at, kind;                            /* at: byte in the text of its first */
    struct heap_string pattern, masked, path;               /* path: of its first */
    uint32_t           line, spare;                         /* of that one's text, from 1 */
};
_Static_assert(sizeof(struct sensitive_row) == 112, "unit format");

/* A benchmark's value in a part of the corpus, in PART_ROWS of a searched unit. */
struct sensitive_found { uint64_t documents, occurrences, last; uint32_t number, spare; };
_Static_assert(sizeof(struct sensitive_found) == 32, "unit format");

struct sensitive_index {
    /* [count] the different values, in the contract's order of their first places */
    struct needle          *needle;
    size_t                  count, room;
    struct table            numbers;                        /* of needles, by hash */
    struct sensitive_search search;
    struct unit_key         key;                            /* of all that the numbers depend on */
};

/* Reads the collected units of benchmarks.  0, or <0 with err set; the index is to be freed either way. */
int  sensitive_index_read(const struct sensitive_job *job, struct sensitive_index *out, struct err *err);
void sensitive_index_free(struct sensitive_index *index);

#endif
