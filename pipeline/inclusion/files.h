/* inclusion/files.h -- the files of an audit, read once and known on every rank. */
#ifndef LEAKGRAPH_INCLUSION_FILES_H
#define LEAKGRAPH_INCLUSION_FILES_H

#include "inclusion/inclusion.h"

/* Collective.  Fills job->file, files and units.  0, or <0 with err set (-EINVAL: there is no file, or none of a split
 * that the options name). */
int files_collect(struct inclusion_job *job, struct err *err);

/* The scanner whose units it has read. */
struct pass_scanner files_scanner(const struct inclusion_job *job);

#endif
