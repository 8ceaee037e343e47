/* cmd/completion.h -- scripts by which bash, zsh and fish complete the program's command lines.
 *
 * They are made of the commands' help (cmd/usage.h): which commands there are, what options each has, and what is
 * offered for a value. */
#ifndef LEAKGRAPH_CMD_COMPLETION_H
#define LEAKGRAPH_CMD_COMPLETION_H

#include "base/bytes.h"
#include "base/err.h"

/* shell: bash, zsh or fish.  0, -EINVAL for another one, or another <0; err is set. */
int completion_script(const char *shell, struct bytes *out, struct err *err);

#endif
