/* score/item.h -- the items of a benchmark, those that leaked among them, and which of them a sample is of. */
#ifndef LEAKGRAPH_SCORE_ITEM_H
#define LEAKGRAPH_SCORE_ITEM_H

#include "score/sample.h"

struct score_item {
    struct slice id, language;                              /* in the pool */
    uint64_t     number;                                    /* id_within_dataset */
    bool         leaked, twice;                             /* twice: another item has its id */
};

struct score_items {
    struct score_item *at;
    size_t             count, room;
    struct table       by_id, by_number;                    /* by_number: by ids that numbers have in rows */
    struct pool        pool;
};

void score_items_free(struct score_items *items);
/* Copies the texts.  0, or -ENOMEM with err set. */
int  score_items_add(struct score_items *items, struct score_item item, struct err *err);
/* The place of the item with that id, or whose id is that number in other digits; TABLE_NONE without one. */
uint32_t score_items_find(const struct score_items *items, struct slice id);

/* How the rows of a file name items: by their source_id; by what stands behind its last slash ("Mbpp/2" is 2); or by
 * their place among the items, from 0, which is what numbers mean where none of them is an id, or where all of them are
 * counted from 0 and not all are ids. */
enum score_naming { SCORE_BY_ID, SCORE_BY_TAIL, SCORE_BY_PLACE, SCORE_BY_NOTHING };

enum { SCORE_STRANGERS = 5 };                               /* that are named */

struct score_matched {
    uint32_t          *item;                                /* [samples->count]: TABLE_NONE: of no item */
    enum score_naming *naming;                              /* [samples->file_count] */
    size_t             matched, strangers, ambiguous;       /* samples; ambiguous: of an id that several items have */
    size_t             stranger[SCORE_STRANGERS];           /* the first of both, places of samples */
    size_t             scored;                              /* items with a sample */
    size_t             first_missing[SCORE_STRANGERS], missing;        /* items without */
};

/* *out is to be freed either way.  0, or -ENOMEM with err set. */
int  score_match(const struct score_items *items, const struct score_samples *samples, struct score_matched *out,
                 struct err *err);
void score_matched_free(struct score_matched *matched);

#endif
