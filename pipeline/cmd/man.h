/* cmd/man.h -- manual pages, made of what the program says of itself: the commands' help, `help config`, `help graph`.
 *
 * leakgraph.1, a page a command (leakgraph-run.1) and a word of a command (leakgraph-audit-verdict.1), leakgraph.yaml.5
 * and leakgraph-graph.5.  Their date is SOURCE_DATE_EPOCH; without it they have none. */
#ifndef LEAKGRAPH_CMD_MAN_H
#define LEAKGRAPH_CMD_MAN_H

#include "cmd/usage.h"

/* The page of this name.  0, -EINVAL with the nearest name, or another <0; err is set. */
int man_page(const char *name, struct bytes *out, struct err *err);
/* A page of another program's help in the same form: its first call begins with its name.  0, -EINVAL, or another <0;
 * err is set. */
int man_page_of(struct slice help, struct bytes *out, struct err *err);
int man_pages(struct bytes *out);                           /* all names, a line each; 0 or -ENOMEM */

/* ---- for man_files.c and man.c ---- */

enum man_section { MAN_CALLS, MAN_ABOUT, MAN_OPTIONS, MAN_NOTES, MAN_STATUS, MAN_ENVIRONMENT, MAN_FILES, MAN_EXAMPLES,
                   MAN_SECTIONS };

/* name: "leakgraph-run"; the head of the file and the section NAME.  0, or <0 with err set. */
int man_head(const char *name, int section, const char *brief, struct bytes *out, struct err *err);
/* A section of the list of commands that all pages have: exit status, environment, files.  0 or -ENOMEM. */
int man_common(enum man_section which, struct bytes *out);
int man_part(const struct usage_part *part, struct bytes *out);             /* one part of a help; 0 or -ENOMEM */

int man_yaml(struct bytes *out, struct err *err);           /* leakgraph.yaml.5; 0, or <0 with err set */
int man_graph(struct bytes *out, struct err *err);          /* leakgraph-graph.5 */

#endif
