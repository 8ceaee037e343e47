/* base/runs.h -- many records of one size, sorted by a 64-bit key: in memory while they fit, else in sorted runs that
 * are merged while they are read (external merge sort; Knuth, The Art of Computer Programming 3, 5.4.1).
 *
 * The runs lie in one file under the run folder's work/, in checksummed blocks; a damaged one is an error that names
 * file and byte, never data.  The file is a temporary of this process, gone at close; whoever owns the folder next
 * removes what a killed run has left.  One thread; after runs_end each reader may have its own. */
#ifndef LEAKGRAPH_BASE_RUNS_H
#define LEAKGRAPH_BASE_RUNS_H

#include "base/err.h"
#include "base/stage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runs_options {
    struct stage *stage;                                    /* NULL: all stays in memory, whatever `memory` says */
    const char   *name;                                     /* of its file and in messages: "pairs" */
    size_t        size;                                     /* of a record */
    uint64_t    (*key)(const void *record);
    /* Takes what a record says of the same key into the one before it, which alone is read; NULL: both are read, in
     * the order in which they were added.  The same result in whatever order, as records are joined run by run. */
    void        (*join)(void *into, const void *record);
    uint64_t      memory;                                   /* bytes that it may hold; 256 KiB is used anyway */
    /* The order of records of the same key; NULL: that in which they were added.  Not with join. */
    int         (*compare)(const void *a, const void *b, void *context);
    void         *context;
};

struct runs;

/* Those it was opened with. */
struct runs_options runs_options(const struct runs *runs);

int  runs_open(struct runs **out, const struct runs_options *options, struct err *err);     /* 0 or -ENOMEM */
void runs_close(struct runs *runs);                         /* removes its file; accepts NULL */

/* 0; -ENOMEM, -ENOSPC, -EIO with err set. */
int  runs_add(struct runs *runs, const void *record, struct err *err);
/* No more are added; before anything is read.  The same errors, and -EBADMSG. */
int  runs_end(struct runs *runs, struct err *err);

/* After runs_end: all records in their order, valid until runs_close; NULL when they lie in the file. */
void    *runs_records(const struct runs *runs, size_t *count);
uint64_t runs_spilled(const struct runs *runs);             /* bytes of the file */

/* After runs_end: reads all records in their order, as often as wanted, several readers at a time. */
struct runs_reader;
int  runs_read(const struct runs *runs, struct runs_reader **out, struct err *err);     /* 0; -ENOMEM, -EIO, -EBADMSG */
/* 1 with the next record, valid until the next call; 0 after the last; -EIO, -EBADMSG with err set. */
int  runs_next(struct runs_reader *reader, const void **record, struct err *err);
void runs_reader_close(struct runs_reader *reader);         /* accepts NULL */

#endif
