/* cmd/audit.h -- the audits of `leakgraph audit`, one file each. */
#ifndef LEAKGRAPH_CMD_AUDIT_H
#define LEAKGRAPH_CMD_AUDIT_H

#include "cmd/command.h"
#include "compliance/score.h"

const struct command *audit_at(size_t i);                   /* NULL past the last */

/* As functions of struct command; argv[0] is the audit's name. */
int audit_inclusion(int argc, char **argv, struct err *err);
int audit_verdict(int argc, char **argv, struct err *err);
int audit_licence(int argc, char **argv, struct err *err);

/* ---- audit_licence_build.c ---- */

enum { LICENCE_BUILD_FILES = 64 };

/* text_field: of records, or NULL; limits: whose lines and complexity are asked; unlike: [unlike_count] files with
 * functions that the benchmark's are not like, at this likeness. */
struct licence_build {
    char                     **file;
    size_t                     count;
    char                     **unlike;
    size_t                     unlike_count;
    double                     likeness;
    const char                *text_field;
    const struct score_limits *limits;
    bool                       quiet;
};

/* Writes a benchmark to standard output.  0, or <0 with err set. */
int audit_licence_build(const struct licence_build *build, struct err *err);

#endif
