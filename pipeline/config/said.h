/* config/said.h -- errors of settings in the words of the command line that stood for them.
 *
 * A command without a settings file writes one in memory, and --field is a --set: messages would name lines of a file
 * that nobody has, and settings that nobody wrote.  A line that stands for an option says so in a comment at its end
 * (yaml_text.h). */
#ifndef LEAKGRAPH_CONFIG_SAID_H
#define LEAKGRAPH_CONFIG_SAID_H

#include "base/err.h"

#include <stddef.h>

/* What stands on the command line for a setting; both borrowed.  option NULL: the --set itself. */
struct said_option { const char *option, *value; };

/* Rewrites the error of settings called name: "NAME:LINE: " becomes the option that the comment of this line of text
 * names, or "NAME: " where it names none; "--set KEY" of set[i], datasets.* meaning any of them, becomes
 * "OPTION VALUE" of said[i], the last one that gives the key.  text NULL: the settings are a file's, and its lines
 * stay. */
void said_explain(struct err *err, const char *name, const char *text, const char *const *set,
                  const struct said_option *said, size_t count);

#endif
