/* near/minimum.h -- how many features a document must have to be compared.
 *
 * Short documents meet by chance, so pairs need at least so many features; but where most items of a benchmark are
 * shorter, a number that is right for files leaves the benchmark unanswered.  So each benchmark has a number of its
 * own: given, or chosen from the lengths of its items, the largest from MINIMUM_USUAL down to MINIMUM_FLOOR that
 * MINIMUM_SHARE percent of them reach.  What was measured is in docs/definitions.md.
 *
 * A pair is compared when both documents have at least the number of the benchmark that it is of (of two benchmarks,
 * the larger one; of two corpora, the corpora's), so that no benchmark's answer depends on which others are there. */
#ifndef LEAKGRAPH_NEAR_MINIMUM_H
#define LEAKGRAPH_NEAR_MINIMUM_H

#include "base/err.h"
#include "corpus/dataset.h"

/* Usual: of clone detection on files (Allamanis, Onward! 2019). */
enum { MINIMUM_USUAL = 20, MINIMUM_FLOOR = 5, MINIMUM_SHARE = 90 };

/* Documents of a dataset by their features: buckets of one number each up to LENGTHS_SINGLE, then by powers of 2.
 * apart: those with the bytes of an item that is of another language, so that the two have no pair. */
enum { LENGTHS_SINGLE = 32, LENGTHS_BUCKETS = LENGTHS_SINGLE + 27 };
struct near_lengths { uint64_t count[LENGTHS_BUCKETS], apart; };

void     lengths_add(struct near_lengths *lengths, uint32_t features);
void     lengths_sum(struct near_lengths *lengths, const struct near_lengths *more);
/* Documents with `least` features and more, which is at most LENGTHS_SINGLE. */
uint64_t lengths_from(const struct near_lengths *lengths, uint32_t least);
uint32_t lengths_least(size_t bucket);                      /* the smallest number of features in a bucket */

/* The number for a benchmark of these lengths. */
uint32_t minimum_choose(const struct near_lengths *lengths);

/* The numbers of a run; zeroed: none yet. */
struct near_minimums {
    uint32_t *number;                                       /* [datasets] what a pair of its documents needs */
    uint32_t *admits;                                       /* [datasets] documents from so many features on */
    uint32_t  corpora, streamed;                            /* of two corpora; of a streamed document, at least */
    uint32_t  least, most;                                  /* of `admits`; of `number` */
};

/* Must lengths be known before minimums_make?  given: of all benchmarks that have none of their own; 0: chosen. */
bool minimums_ask(const struct dataset *datasets, size_t count, uint32_t given);

/* lengths [count], NULL when they are not asked for.  0 or -ENOMEM with err set; *out is freed by minimums_free. */
int  minimums_make(struct near_minimums *out, const struct dataset *datasets, size_t count, uint32_t given,
                   const struct near_lengths *lengths, struct err *err);
void minimums_free(struct near_minimums *minimums);

/* The number that tells a benchmark's classes from those of others: 0 where the least in the run is its own. */
uint32_t minimums_level(const struct near_minimums *minimums, const struct dataset *datasets, uint32_t dataset);

#endif
