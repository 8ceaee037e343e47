/* cmd/status_tell.h -- what was found of a run, for people and for programs. */
#ifndef LEAKGRAPH_CMD_STATUS_TELL_H
#define LEAKGRAPH_CMD_STATUS_TELL_H

#include "cmd/status_find.h"

enum { STATUS_JSON_VERSION = 1 };                           /* another one when a member goes or changes its meaning */

/* Lines of text; what folders and records say is made harmless for a terminal.  0 or -ENOMEM. */
int status_text(const char *dir, const struct found *found, struct bytes *out);

/* One object in one line, as docs/reference.md has it.  0 or -ENOMEM. */
int status_json(const char *dir, const struct found *found, struct bytes *out);

#endif
