/* clone/clone.h -- line clones: the blocks of lines that a small side (benchmarks, outputs of a model) shares with
 * corpora.
 *
 * All benchmarks together are the small side, all corpora the other.  A block is a run of significant lines of one
 * document (clone/line.h); it is repeated when it occurs on the small side, and there or in the corpora at least once
 * more; places may overlap.  M(i) is the length of the longest repeated block that begins at line i.  Reported are the
 * distinct blocks [i, i + M(i)) with M(i) >= lines where i is the first line of its document or M(i - 1) <= M(i), on
 * either side, if they occur on both: near-supermaximal repeats, which is what Simian reports of a run
 * (docs/definitions.md, "Line clones").  With `simian` a block that lines of corpora alone begin must do so at one
 * at least whose neighbours no other of its places in the corpora has: what is repeated in corpora alone counts too.
 * With `self` the corpora are not read, and the blocks are those repeated on the
 * small side.
 *
 * When the index of the small side needs more than `memory`, its documents are cut into pieces, in their order, each
 * with an index of its own.  The longest block that begins at a line is the longest of those that the pieces have, and
 * a block is counted wholly by every piece that has it; so the results are the same.  The corpora are read once a
 * piece, and rank 0 takes the lines of all pieces past the index of each.  What stays in memory of the whole small side
 * is about 60 bytes a document and 4 a line, on rank 0. */
#ifndef LEAKGRAPH_CLONE_CLONE_H
#define LEAKGRAPH_CLONE_CLONE_H

#include "base/comm.h"
#include "base/stage.h"
#include "clone/line.h"
#include "pass/pass.h"
#include "pass/run.h"

struct clone_options {
    uint32_t lines;                                         /* of the shortest block */
    int      normal;                                        /* enum clone_normal */
    bool     self;
    /* of a block that are kept on either side; counts are of all */
    uint32_t places;
};

struct clone_index;

/* Documents [from, to) of the small side; first: lines before them. */
struct clone_piece { uint64_t from, to, first, lines; };

enum clone_stage { CLONE_COLLECT, CLONE_INDEX, CLONE_SCAN, CLONE_STAGES };

struct clone_job {
    const struct run *run;
    const struct clone_options *options;
    /* from clone_prepare on: bytes that the small side and an index may take, as rank 0 counts them */
    uint64_t                    memory;
    /* from clone_prepare on: the one whose index this is, at last the last one */
    struct clone_piece          piece;
    struct clone_index         *index;                      /* from clone_prepare to clone_release */
    /* out, of the small side, summed over ranks; clone_totals_add adds the corpora */
    struct pass_totals          totals;
    double                      seconds[CLONE_STAGES];      /* out, wall time of each stage on this rank */
};

/* Reads the small side, takes the corpora past the indexes of all its pieces but the last, and maps that, resuming what
 * is committed.  Collective.  Whatever it returns, clone_release ends it. */
int  clone_prepare(struct clone_job *job, struct err *err);
void clone_release(struct clone_job *job);

/* The scanner of corpora, not to be used with `self`, after clone_prepare. */
struct pass_scanner clone_scanner(const struct clone_job *job);
void clone_totals_add(struct clone_job *job, const struct pass *pass);

#endif
