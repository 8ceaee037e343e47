/* cmd/version.h -- which leakgraph this is: for `leakgraph version`, run.log, the report and table run. */
#ifndef LEAKGRAPH_CMD_VERSION_H
#define LEAKGRAPH_CMD_VERSION_H

#include "base/err.h"

const char *leakgraph_version(void);                        /* "0.1.0" */
/* abbreviated commit, with -dirty for a changed tree; "unknown" outside git */
const char *leakgraph_commit(void);

/* `leakgraph version`: version, commit, compiler, kernel level and the libraries in use, on standard output. */
int cmd_version(int argc, char **argv, struct err *err);

#endif
