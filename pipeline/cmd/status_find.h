/* cmd/status_find.h -- what becomes of a run, found in its folder: is it going on, has it ended, was it killed?
 *
 * What ranks say of themselves (base/status_record.h) is believed of how far they are, not of whether they live.  The
 * lock of the folder is held by who lives; where locks are not shared among hosts, or there are none, a process of this
 * host is looked for, and of another host the age of its last record decides, and whether it comes to another one. */
#ifndef LEAKGRAPH_CMD_STATUS_FIND_H
#define LEAKGRAPH_CMD_STATUS_FIND_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/status_record.h"
#include "capability/gate.h"

#include <stddef.h>

enum found_state { FOUND_RUNNING, FOUND_ENDED, FOUND_DIED };
enum found_evidence { BY_RECORD, BY_LOCK, BY_PROCESS, BY_HEARTBEAT, BY_GRAPH };
extern const char *const found_states[], *const found_evidences[];

/* RANK_LATE: a process of another host, or of unknown life, whose last record is old. */
enum rank_state { RANK_LIVES, RANK_ENDED, RANK_GONE, RANK_LATE, RANK_UNHEARD };
extern const char *const rank_states[];

struct found_rank {
    enum rank_state      state;
    struct status_record record;                            /* zeros of one that is unheard */
    double               silent;                            /* seconds since it */
};

struct found_gate { enum gate_outcome outcome; struct bytes sentence; };

struct found {
    enum found_state     state;
    enum found_evidence  evidence;
    bool                 told;                              /* rank 0 has said how far it is */
    bool                 remote;                            /* on another host */
    char                 holder[128];                       /* of the lock, HOST PROCESS; empty: nobody is known */
    struct found_rank   *rank;                              /* [ranks] */
    size_t               ranks;
    /* of all ranks that are in rank 0's stage; totals are rank 0's */
    struct status_counts counts;
    uint64_t             recent;                            /* bytes a second */
    double               elapsed, left;                     /* seconds of the stage; left < 0: not known */
    uint64_t             units, unit_bytes;                 /* committed */
    bool                 graph;                             /* there is a graph.db */
    int                  exit_status;                       /* of one that has ended; of its records: */
    uint64_t             records, rejected;
    struct found_gate   *gate;                              /* [gates] of one that has ended with 0 or 3 */
    size_t               gates;
};

/* Looks at the folder.  0; -ENOENT when it is no folder of a run, and other <0, with err set.  found_free in any
 * case. */
int  status_find(const char *dir, struct found *out, struct err *err);
void found_free(struct found *found);

#endif
