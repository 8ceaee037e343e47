/* portrait/check.h -- the part of `leakgraph fsck` about portraits; see struct capability. */
#ifndef LEAKGRAPH_PORTRAIT_CHECK_H
#define LEAKGRAPH_PORTRAIT_CHECK_H

#include "graph/check.h"

int portrait_verify(const char *dir, const struct check_report *report, struct err *err);

#endif
