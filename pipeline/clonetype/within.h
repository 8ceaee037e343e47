/* clonetype/within.h -- clones among the functions of one corpus, as `clones.within` asks.
 *
 * Functions of the corpus are collected in the one pass, with the forms that clone types are told in (view/forms.h).
 * Types 1, 2c and 2 are classes, as equality is: a function names the first of each that it is in, so that ten thousand
 * equal functions are ten thousand rows, not fifty million pairs.  Of type 3 are pairs of classes of type 2, told by
 * their first functions, which have the forms of all: an index of those (index.h) is asked for each what stands before
 * it.  The questions are dealt over ranks in blocks; a block's pairs are one unit.
 *
 * The functions' rows are read in the units' maps; the index, about 150 bytes a class and 110 a statement, must fit in
 * memory, which is said before it is made. */
#ifndef LEAKGRAPH_CLONETYPE_WITHIN_H
#define LEAKGRAPH_CLONETYPE_WITHIN_H

#include "clonetype/index.h"

/* A function of a corpus, in PART_ROWS of within_collector; items and lines as those of benchmarks' functions. */
struct function_row { struct fragment_row form; struct heap_string source_id, path, repo, license; };
_Static_assert(sizeof(struct function_row) == 168, "unit format");

/* A pair of type 3 of functions a < b, numbered in the contract's order; more: of the first pair of b, how many are not
 * there. */
struct within_pair { uint32_t a, b, common, whole; struct item_lines of_a, of_b; uint64_t more; };
_Static_assert(sizeof(struct within_pair) == 40, "unit format");

/* The functions of a corpus. */
struct within_function {
    const struct function_row *row;
    const char                *heap;
    const uint64_t            *item;
    const struct item_lines   *lines;
    uint32_t                   shard;
    uint32_t                   first[3];                    /* of its class of type 1, 2c, 2: itself, or one before */
};
struct within {
    struct within_function *at;                             /* [count] in the contract's order */
    size_t                  count, room;
    uint32_t               *lead;                           /* [leads] first of their class, long enough for type 3 */
    size_t                  leads;
    struct pass_units       units;                          /* owns what functions point into */
    struct unit_key         key;                            /* of all units that it was read from */
};

bool within_has(const struct clonetype_job *job, const struct dataset *dataset);        /* is it one of `within`? */

/* The scanner of the corpora's functions, for the one pass. */
struct pass_scanner within_collector(const struct clonetype_job *job);

/* Reads what the collector found of a corpus, and tells its classes.  0, or <0 with err set; close it either way. */
int  within_open(const struct clonetype_job *job, uint32_t dataset, struct within *out, struct err *err);
void within_close(struct within *within);

/* Pairs of type 3 of all corpora of `within`, unless they are there.  Collective.  0, or <0 with err set: -ENOMEM too
 * when an index would not fit in run_memory_share. */
int within_join(const struct clonetype_job *job, struct err *err);

/* What there is, of each corpus: pairs by b, then the most alike, of each b clones.max_matches at most.  0, or <0 with
 * err set; free it either way. */
struct within_corpus { uint32_t dataset; struct within within; struct within_pair *pair; size_t pair_count; };
struct within_result { struct within_corpus *at; size_t count; };
int  within_result_read(const struct clonetype_job *job, struct within_result *out, struct err *err);
void within_result_free(struct within_result *result);

#endif
