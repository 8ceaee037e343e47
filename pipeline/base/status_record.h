/* base/status_record.h -- the file in which a rank says how far it is, for whoever asks from outside.
 *
 *   work/status-RANK   two slots of STATUS_SLOT bytes, each a struct status_record and zeros
 *
 * Slots are written in turn, each whole by one call, in a file that has its size from the beginning: a kill or a host
 * that is lost leaves the slot before, a reader never sees half a record, a full disk stops nothing, and nothing is
 * made or renamed while a run goes on, which shared file systems would pay for.  The checksum tells a slot that is
 * being written.  Whoever reads believes nothing: the folder may be anybody's. */
#ifndef LEAKGRAPH_BASE_STATUS_RECORD_H
#define LEAKGRAPH_BASE_STATUS_RECORD_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define STATUS_NAME "status-"                               /* and the rank: the file's name in work/ */

enum { STATUS_SLOT = 1024, STATUS_RANKS_MAX = 1 << 16 };

enum status_state { STATUS_RUNNING = 1, STATUS_ENDED };

/* What a rank has done of a stage.  Totals are of all ranks; 0: not known. */
struct status_counts {
    uint64_t items, item_total;
    uint64_t bytes, byte_total;                             /* as they lie on disk */
    uint64_t found;                                         /* of bytes: in units that were there already */
    uint64_t documents, rejected;
};

struct status_record {
    char     magic[8];
    uint64_t checksum;                                      /* xxh3-64 of what follows */
    uint64_t sequence;                                      /* the larger one of two slots is the newer one */
    uint64_t run;                                           /* a number that the ranks of one run have in common */
    int64_t  started, stage_started, written;               /* ms since 1970 */
    uint64_t born;                                          /* when the process started, as /proc has it; 0: unknown */
    struct status_counts counts;
    uint64_t recent;                                        /* bytes a second, over the last seconds */
    uint32_t order;                                         /* 0x01020304; another machine's byte order reads others */
    uint32_t rank, ranks, threads, process;
    uint32_t every;                                         /* ms between two records */
    uint32_t state;                                         /* enum status_state */
    int32_t  exit_status;                                   /* of one that has ended */
    char     host[64], command[16], stage[96], unit[16];    /* these and the next end with NUL */
    char     version[96], error[256];
};
_Static_assert(sizeof(struct status_record) == 704 && sizeof(struct status_record) <= STATUS_SLOT, "file format");

/* When the process of this number started, by the kernel's clock, as `born` has it; 0: it is not there, or not to be
 * known. */
uint64_t status_born(uint32_t process);

/* Where a record goes in the file, by its sequence. */
int64_t status_slot(uint64_t sequence);

/* Fills in magic, order and checksum. */
void status_seal(struct status_record *record);

/* Is it whole, and such that it can be used?  Texts are then of any bytes, but end. */
bool status_valid(const struct status_record *record);

/* The newer valid record of the file of a rank; `work` is the folder's descriptor.  1; 0 when there is no such file;
 * -EBADMSG when it holds no valid record, and other <0, with err set. */
int status_read(int work, uint32_t rank, struct status_record *out, struct err *err);

#endif
