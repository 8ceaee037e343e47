/* near/links.h -- the links of classes, read class by class.
 *
 * There may be far more of them than documents, so nobody holds them all: who wants the neighbours of every class goes
 * through the classes in their order. */
#ifndef LEAKGRAPH_NEAR_LINKS_H
#define LEAKGRAPH_NEAR_LINKS_H

#include "base/runs.h"
#include "near/result.h"

/* Runs of struct near_link by (first, second).  A pair that is found by the join, from both its sides, and by the scan,
 * which knows only of benchmark items inside, is one: marks add up. */
struct runs_options links_options(struct stage *stage, uint64_t memory);

/* Adds a link of two classes, as seen from both.  0, or <0 as runs_add says. */
int links_add(struct runs *runs, const struct near_link *link, struct err *err);

/* All links of a result, first those of class 0:
 *     rc = links_open(&links, result, err);
 *     for (uint32_t c = 0; c < result->class_count && rc == 0; c++)
 *         while (rc == 0 && (rc = links_next(&links, c, &link, err)) > 0) rc = ...
 *     links_close(&links); */
struct links {
    const struct near_result *result;
    size_t                    next;
    struct runs_reader       *reader;
    struct near_link          at;                           /* not given yet, when `is` */
    bool                      is;
};
int  links_open(struct links *out, const struct near_result *result, struct err *err);  /* 0, or <0 with err set */
/* 1 with the next link whose first is c, which never descends; 0 after its last; -EIO, -EBADMSG with err set. */
int  links_next(struct links *links, uint32_t c, struct near_link *out, struct err *err);
void links_close(struct links *links);                      /* accepts a zeroed one */

#endif
