/* cmd/audit_licence_lines.h -- an audit of licences as lines for other programs: an answer each, a group each. */
#ifndef LEAKGRAPH_CMD_AUDIT_LICENCE_LINES_H
#define LEAKGRAPH_CMD_AUDIT_LICENCE_LINES_H

#include "base/err.h"

/* What audit_licence_write writes. */
enum { AUDIT_LICENCE_FILES = 2 };
extern const char *const audit_licence_files[AUDIT_LICENCE_FILES];

/* For run_options.tell.  The first writes pairs.tsv and summary.tsv to the run's folder, the second the lines of
 * pairs.tsv to standard output.  -EBADMSG with err set, when that is done, where records could not be used: the first
 * ones are warned of. */
int audit_licence_write(void *context, const char *folder, struct err *err);
int audit_licence_print(void *context, const char *folder, struct err *err);

#endif
