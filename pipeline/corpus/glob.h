/* corpus/glob.h -- the paths that a pattern stands for.
 *
 * `*`, `?` and `[...]` match inside one path component and never a leading dot; a component `**` stands for any number
 * of folders (hidden and linked ones are not entered), at the end of a pattern for every file below.  A backslash takes
 * the next character literally.  Components `.` and empty ones mean nothing; a pattern of nothing else is the
 * folder in which it starts.  A pattern that is itself the path of something that exists stands for that alone: nobody
 * who names a file `[a].py` should have to quote it. */
#ifndef LEAKGRAPH_CORPUS_GLOB_H
#define LEAKGRAPH_CORPUS_GLOB_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>

struct glob_paths { char **at; size_t count, room; };       /* owned strings; a zeroed struct is empty */

/* Appends the paths that exist and match, ascending by bytes, each once.  base: folder that a relative pattern starts
 * in ("" or NULL: the current one), taken literally.  0 (also when nothing matches); -EIO when a folder cannot be read,
 * -ENOMEM, err set. */
int  glob_expand(struct glob_paths *out, const char *base, const char *pattern, struct err *err);
void glob_paths_free(struct glob_paths *paths);

/* Whether the path, or a folder that it leads through, is what the pattern says; for what is left out, so a wildcard
 * meets a leading dot too, and what exists by the pattern's name is not looked for.  Both are relative to one folder.
 */
bool glob_matches(const char *pattern, struct slice path);

/* Sets *out to the folder that holds every possible match: the pattern's components before the first with a wildcard,
 * the last component never among them, joined to base as glob_expand joins them.  0 or -ENOMEM.  NUL-terminated beyond
 * out->len. */
int  glob_literal_folder(struct bytes *out, const char *base, const char *pattern);

/* Sets *out to the pattern as one that starts where base does; what would be a wildcard in base is escaped.  0 or
 * -ENOMEM.  NUL-terminated, the NUL counted. */
int  glob_from(struct bytes *out, const char *base, const char *pattern);

/* The next component of a pattern: sets *component, returns what follows it, or NULL at the end.  "." and "" are passed
 * over. */
const char *glob_component(const char *pattern, struct slice *component);
bool        glob_is_wildcard(struct slice component);

#endif
