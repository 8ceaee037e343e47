/* probe/work.h -- blocks of questions to one model, dealt over ranks and over sessions. */
#ifndef LEAKGRAPH_PROBE_WORK_H
#define LEAKGRAPH_PROBE_WORK_H

#include "base/comm.h"
#include "model/model.h"

struct work {
    struct comm                *comm;
    const struct model_options *options;
    int                         threads;
    uint64_t                    blocks;
    /* One block, from any of the rank's workers: 1 when the model was asked, 0 when the answers were there, <0 with err
     * set.  info is filled by then. */
    int                       (*block)(const struct work *work, struct model_session *session, uint64_t number,
                                       struct err *err);
    void                       *shared;                     /* of block */
    struct model_info           info;                       /* out; its name is that of the options */
    uint64_t                    asked, found;               /* out: blocks, summed over ranks */
};

/* Opens the model on every rank, has all blocks done and closes it.  Limits of the options that hold for a whole run
 * (budget, rate, concurrency) are shared out over the ranks.  Collective.  0, or <0 with err set, the same on all
 * ranks. */
int work_run(struct work *work, struct err *err);

#endif
