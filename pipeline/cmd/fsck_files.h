/* cmd/fsck_files.h -- are the files of a run folder those that its manifest names. */
#ifndef LEAKGRAPH_CMD_FSCK_FILES_H
#define LEAKGRAPH_CMD_FSCK_FILES_H

#include "graph/check.h"

/* Each file that manifest.tsv names is there with its size and hash, and the folders that capabilities write to hold
 * nothing else.  Without a manifest, as versions before wrote none, *unknown is what cannot be checked (NULL: nothing);
 * where graph.db is of a version that writes one, that it is missing is what is wrong.  Returns the number of failed
 * checks, or <0 with err set. */
int fsck_files(const char *dir, const struct check_report *report, const char **unknown, struct err *err);

#endif
