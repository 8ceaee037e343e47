/* cmd/compare_items.h -- the items of a benchmark of a finished run, and which of them a rule calls leaked. */
#ifndef LEAKGRAPH_CMD_COMPARE_ITEMS_H
#define LEAKGRAPH_CMD_COMPARE_ITEMS_H

#include "score/item.h"

/* split NULL: all of them.  rule NULL: `leaked`, what fail_on: {leakage} counts. */
struct compare_choice { const char *run, *benchmark, *split, *rule; };

/* rejected: records of the benchmark that are no items; places of rows behind them are others than those in the files
 * it was read from.  compared: items that what the rule asks looked at, UINT64_MAX where the run does not say. */
struct compare_found { uint64_t rejected, compared; };

/* Reads them in the contract's order.  0; -EINVAL where the run has no such benchmark, split or column, has not all
 * pairs that the rule asks for, or compared none of the items; or another <0, with err set.  items are to be freed
 * either way. */
int compare_items_read(const struct compare_choice *choice, struct score_items *items, struct compare_found *found,
                       struct err *err);

#endif
