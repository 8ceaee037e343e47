/* base/manifest.h -- RUN/manifest.tsv: every file that runs have written into the folder, with its size and hash.
 *
 *   leakgraph manifest 1
 *   XXH128  BYTES  PLACE                a line a file, fields separated by TAB, ascending by place
 *   -       -      PLACE                a file that a run is about to write, or was when it was killed
 *   XXH128  -      -                    of the lines before
 *
 * Control characters and backslashes in places are \xNN.  What the manifest names is the program's own: nothing else is
 * ever removed or written over, and fsck asks whether everything named is there as it was written.  work/ and run.log
 * are not in it: units have checksums of their own, and the log grows. */
#ifndef LEAKGRAPH_BASE_MANIFEST_H
#define LEAKGRAPH_BASE_MANIFEST_H

#include "base/inside.h"

#define MANIFEST_FILE "manifest.tsv"

struct manifest_entry {
    char           *place;                                  /* owned */
    struct file_sum sum;
    bool            written;                                /* else it may be there or not, and sum says nothing */
    /* in memory alone: the part of the run that goes on which has claimed it, owned; NULL: none has */
    char           *claimed;
};

/* Sorted by place. */
struct manifest { struct manifest_entry *at; size_t count, room; };

/* 1; 0: there is none; -EBADMSG, with err saying at which line it is damaged; or another <0.  *out is to be freed
 * either way. */
int  manifest_read(struct manifest *out, const char *root, struct err *err);
/* By rename.  0, or <0 with err set. */
int  manifest_write(const struct manifest *manifest, const char *root, struct err *err);
void manifest_free(struct manifest *manifest);

/* The entry of a place, NULL when there is none. */
struct manifest_entry *manifest_find(const struct manifest *manifest, const char *place);
/* The same, made when there is none, not written; pointers to others are void then.  NULL: no memory. */
struct manifest_entry *manifest_add(struct manifest *manifest, const char *place);
/* Drops the entries for which drop() says so, in their order. */
void manifest_drop(struct manifest *manifest, bool (*drop)(const struct manifest_entry *entry, const void *context),
                   const void *context);

#endif
