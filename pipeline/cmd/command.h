/* cmd/command.h -- the subcommands: one file each, one table in main.c. */
#ifndef LEAKGRAPH_CMD_COMMAND_H
#define LEAKGRAPH_CMD_COMMAND_H

#include "base/bytes.h"
#include "base/err.h"

#include <errno.h>
#include <stddef.h>

/* run: argv[0] is the command's name.  Returns the exit status (0 done, 1 failed and said why, 2 usage, 3 done, but a
 * gate failed or is inconclusive), or <0 with err set: -EINVAL is exit status 2, anything else 1.  A text that is empty
 * has been said. */
struct command {
    const char *name;
    int       (*run)(int argc, char **argv, struct err *err);
    const char *brief;                                      /* one line for `leakgraph help` */
};

const struct command *command_at(size_t i);                 /* NULL past the last */
/* The words that a command takes as commands of their own, as audit does; NULL past the last. */
const struct command *command_word_at(const struct command *of, size_t i);
/* What `leakgraph` alone prints: all commands, and what they have in common.  0 or -ENOMEM. */
int command_list(struct bytes *out);
/* Exit status: 0 done, 1 failed, 2 usage or configuration, 3 done but a gate failed or is inconclusive. */
static inline int command_status(int rc) { return rc >= 0 ? rc : rc == -EINVAL ? 2 : 1; }
int command_unknown(const char *name, struct err *err);     /* -EINVAL, naming the nearest command */

int cmd_run(int argc, char **argv, struct err *err);
int cmd_plan(int argc, char **argv, struct err *err);
int cmd_overlap(int argc, char **argv, struct err *err);
int cmd_dedup(int argc, char **argv, struct err *err);
int cmd_train_ngram(int argc, char **argv, struct err *err);
int cmd_probe(int argc, char **argv, struct err *err);
int cmd_membership(int argc, char **argv, struct err *err);
int cmd_audit(int argc, char **argv, struct err *err);
int cmd_compare(int argc, char **argv, struct err *err);
int cmd_diff(int argc, char **argv, struct err *err);
int cmd_regress(int argc, char **argv, struct err *err);
int cmd_show(int argc, char **argv, struct err *err);
int cmd_query(int argc, char **argv, struct err *err);
int cmd_export(int argc, char **argv, struct err *err);
int cmd_report(int argc, char **argv, struct err *err);
int cmd_extract(int argc, char **argv, struct err *err);
int cmd_status(int argc, char **argv, struct err *err);
int cmd_fsck(int argc, char **argv, struct err *err);
int cmd_help(int argc, char **argv, struct err *err);

#endif
