/* base/inside.h -- files inside a run folder, reached without following a link below it.
 *
 * The folder itself may be named through links: the user said so.  Below it a link would lead what is written or
 * removed to files of others, so whatever is on the way must be a folder itself.  A `place` is a path below the run
 * folder ("clean/a/b.jsonl.zst"). */
#ifndef LEAKGRAPH_BASE_INSIDE_H
#define LEAKGRAPH_BASE_INSIDE_H

#include "base/file.h"

#include <stdint.h>

/* What a file holds: its length, and the xxh3-128 of its bytes. */
struct file_sum { uint64_t bytes, low, high; };

/* The folder at a place ("": the run folder itself); make: folders that are missing are made.  Its descriptor, which
 * the caller closes; -ENOENT when it is not there; -ELOOP or -ENOTDIR when a link or another file is in the way; or
 * another <0, with err set. */
int  inside_open(const char *root, const char *folder, bool make, struct err *err);

/* A file that is being written: under a name of its own until inside_commit. */
struct inside_file {
    char        path[FILE_NAME_MAX], name[FILE_ASIDE];      /* what it will be called, for messages; and is called */
    int         folder, file;                               /* descriptors, the caller's to read; -1: closed */
    void       *hash;
    uint64_t    bytes;
};

/* Begins the file at a place, whose folders are made; whatever has its name stays until commit.  0, or <0 with err
 * set. */
int  inside_create(struct inside_file *out, const char *root, const char *place, struct err *err);
int  inside_append(struct inside_file *file, const char *at, size_t len, struct err *err);
/* Syncs it and gives it its name; sum (or NULL) is what was written.  Ends it, also when it fails: then nothing is left
 * of it.  0, or <0 with err set. */
int  inside_commit(struct inside_file *file, struct file_sum *sum, struct err *err);
void inside_abandon(struct inside_file *file);              /* accepts one that has ended */

/* Writes a whole file.  0, or <0 with err set. */
int  inside_write(const char *root, const char *place, struct slice content, struct file_sum *sum, struct err *err);

/* Removes the file at a place; a link there goes, not what it names.  0, also when it is not there; or <0 with err
 * set. */
int  inside_remove(const char *root, const char *place, struct err *err);

/* Reads the file at a place for what it holds.  0; -ENOENT when it is not there; -ELOOP when it is a link, -EBADMSG
 * when it is no file; or another <0, with err set. */
int  inside_sum(const char *root, const char *place, struct file_sum *out, struct err *err);

/* Something below a folder that is no folder itself. */
struct inside_entry {
    const char *place, *name;
    int         folder;                                     /* descriptor of where it is */
    bool        plain;                                      /* a file, not a link or another thing */
};

/* Calls see() for all that is below the folder at a place, which need not be there; links are not followed.  0, what
 * see() gave when that was not 0, or <0 with err set. */
int  inside_walk(const char *root, const char *folder,
                 int (*see)(void *context, const struct inside_entry *entry, struct err *err), void *context,
                 struct err *err);

/* Removes below the folder what killed runs have left unfinished (file_sweep_aside).  0, or <0 with err set. */
int  inside_sweep(const char *root, const char *folder, struct err *err);

#endif
