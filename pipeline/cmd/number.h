/* cmd/number.h -- a whole number behind an option. */
#ifndef LEAKGRAPH_CMD_NUMBER_H
#define LEAKGRAPH_CMD_NUMBER_H

#include "base/err.h"

#include <stdint.h>

/* The digits of `value`, and nothing else, as a number from least to most.  0, or -EINVAL with err set, "COMMAND:
 * OPTION takes a number ...", or what is behind the command where that is NULL, as many have the option. */
int number_take(uint64_t *out, uint64_t least, uint64_t most, const char *command, const char *option,
                const char *value, struct err *err);

#endif
