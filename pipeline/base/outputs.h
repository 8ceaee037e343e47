/* base/outputs.h -- the files of a run folder that are not units: who may write them, and what they hold.
 *
 * Before a run writes a file it claims its place, and the manifest says so; a place where something is that no manifest
 * names is not given.  Whoever has written a file, on any rank, notes what is in it; at the end rank 0 puts all notes
 * into the manifest.  So at any moment, killed or not, every file of the program is named there.
 *
 * Places are paths below the run folder.  All but outputs_wrote are of rank 0, which holds the folder's lock. */
#ifndef LEAKGRAPH_BASE_OUTPUTS_H
#define LEAKGRAPH_BASE_OUTPUTS_H

#include "base/manifest.h"
#include "base/stage.h"

/* From now on `place` is all that the run has at places that begin with `prefix`.  What the manifest names there
 * besides is removed; done[i] (or done NULL: none) is there already, as an earlier run has written it.  0; -EEXIST when
 * something is at a place that no manifest names, or that another part of this run has claimed; or <0 with err set. */
int outputs_renew(struct stage *stage, const char *prefix, const char *const *place, const bool *done, size_t count,
                  struct err *err);

/* Files that are about to be replaced, and stay until then.  anyway: also where no manifest names them, which the
 * caller has looked at.  0, -EEXIST as above, or <0 with err set. */
int outputs_replace(struct stage *stage, const char *const *place, size_t count, bool anyway, struct err *err);

/* A file that an earlier run, killed or not, has written whole, and that stays.  As above. */
int outputs_keep(struct stage *stage, const char *place, struct err *err);

/* Any rank, any thread: notes that a claimed file was written.  0, or <0 with err set. */
int outputs_wrote(struct stage *stage, const char *place, const struct file_sum *sum, struct err *err);

/* The run has come to its end: everything that it claimed and that is there is entered as written.  What was left
 * unfinished by a run that was killed, and not claimed since, is removed.  0, or <0 with err set. */
int outputs_finish(struct stage *stage, struct err *err);
/* The same for one file, of a run that has come to its end before. */
int outputs_settle(struct stage *stage, const char *place, struct err *err);

#endif
