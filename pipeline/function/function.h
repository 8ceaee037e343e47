/* function/function.h -- items of benchmarks among the functions of the corpora's files.
 *
 * A benchmark's item is a function, a document of a corpus a file with many: the two are not alike, though the one is
 * in the other word by word.  So each file of a streamed corpus is compared in its functions too, in the same pass:
 * each is looked up in the index of the benchmarks as a document of its own would be, at the thresholds of
 * near_duplicates.  A function that has all features of its document is that document, and is left to near.  Documents
 * that can have no such function by their features are not told in functions at all (filter.h, shorts.h).
 *
 * It is done for a corpus with `unit: function`, and for one with `unit: auto` when half of the items of some benchmark
 * are functions: those in which the functions that are told (code/function.h) have half of the tokens. */
#ifndef LEAKGRAPH_FUNCTION_FUNCTION_H
#define LEAKGRAPH_FUNCTION_FUNCTION_H

#include "near/result.h"
#include "near/stages.h"

struct shorts;

struct function_job {
    const struct run      *run;
    const struct near_job *near;                            /* prepared: from its enter to its leave */
    bool                  *compared;                        /* [datasets] owned: its functions are compared */
    struct shorts         *shorts;                          /* owned: items that may have copies alone; may be NULL */
    uint64_t               items, functions;                /* of the benchmarks, and those that are functions */
};

/* Finds out what is compared; collective.  0, or <0 with err set; function_release ends it either way. */
int  function_prepare(struct function_job *job, struct err *err);
void function_release(struct function_job *job);            /* of a zeroed job too */

/* Is there anything to compare? */
bool function_any(const struct function_job *job);

/* The scanner of corpora; only where there is. */
struct pass_scanner function_scanner(const struct function_job *job);

/* What its units hold of a function beside its row: rows of near in PART_ROWS, links in PART_VALUES, these in
 * PART_COUNTS, one for each row, and behind them how the functions of all its documents were told. */
struct function_place { uint32_t at, end, line, line_end; struct heap_string name, class_name; };
_Static_assert(sizeof(struct function_place) == 32, "unit format");
_Static_assert(sizeof(struct functions_told) == 40, "unit format");

/* The key of a scanner that has `key` otherwise, by how functions are told. */
struct unit_key function_key(const struct function_job *job, struct unit_key key);

#endif
