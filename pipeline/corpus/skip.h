/* corpus/skip.h -- what folders and archives hold beside sources: passed over, and counted with the reason.
 *
 * A skipped file is no record: it is neither a document nor a reject. */
#ifndef LEAKGRAPH_CORPUS_SKIP_H
#define LEAKGRAPH_CORPUS_SKIP_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct dataset;

enum skip_reason {
    SKIP_BINARY,                                            /* a NUL among its first 8 KB */
    SKIP_LINK,                                              /* symbolic; in archives hard ones, too */
    SKIP_VCS,                                               /* is, or lies in, what is called .git, .hg or .svn */
    SKIP_CACHE,                                             /* the same of __pycache__ */
    SKIP_EXCLUDED,                                          /* by the dataset's key `exclude` */
    SKIP_REASON_COUNT
};
extern const char *const skip_names[SKIP_REASON_COUNT];     /* "binary", "link", ... */

struct skips { uint64_t files[SKIP_REASON_COUNT]; };        /* how many, by reason */

void     skips_add(struct skips *to, const struct skips *more);
uint64_t skips_sum(const struct skips *skips);

/* Whether the path in a folder or an archive is reason to pass over what it names; of several reasons it is that of the
 * outermost folder, of one folder's that of its own name. */
bool skip_of_path(const struct dataset *dataset, struct slice path, enum skip_reason *out);

/* The NUL that makes a text binary, the rule of git and grep: among its first SKIP_LOOK bytes, or NULL. */
enum { SKIP_LOOK = 8192 };
const char *skip_of_text(struct slice text);

#endif
