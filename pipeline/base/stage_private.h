/* base/stage_private.h -- what stage.c (the folder) and unit.c (its files) share; included by these two only. */
#ifndef LEAKGRAPH_BASE_STAGE_PRIVATE_H
#define LEAKGRAPH_BASE_STAGE_PRIVATE_H

#include "base/stage.h"

#include <stdatomic.h>

#define STAGE_TEMPORARY "tmp-"                              /* how names of unfinished files begin */
#define STAGE_UNIT      ".unit"                             /* how names of committed ones end */

struct stage {
    char                *dir, *work;                        /* owned; work is dir/work */
    char                 host[65];
    int                  lock;                              /* descriptor that holds the flock, -1: not the owner */
    atomic_uint_fast64_t counter;                           /* of temporary names: threads commit side by side */
};

#endif
