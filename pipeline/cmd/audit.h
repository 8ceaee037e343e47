/* cmd/audit.h -- the audits of `leakgraph audit`, one file each. */
#ifndef LEAKGRAPH_CMD_AUDIT_H
#define LEAKGRAPH_CMD_AUDIT_H

#include "base/err.h"

/* As functions of struct command; argv[0] is the audit's name. */
int audit_licence(int argc, char **argv, struct err *err);

#endif
