/* dedup/rewrite.h -- what the files that write the results share; for rewrite*.c (fate.h has what others call). */
#ifndef LEAKGRAPH_DEDUP_REWRITE_H
#define LEAKGRAPH_DEDUP_REWRITE_H

#include "base/inside.h"
#include "corpus/cleaned.h"
#include "dedup/columns.h"
#include "dedup/fate.h"

struct rewrite {
    struct dedup_job       *job;
    const struct catalogue *catalogue;
    /* of everything but the place that written bytes depend on */
    struct unit_key         key;
    struct cleaned_files    files;                          /* in clean/ */
    bool                   *takes_part;                     /* [dataset_count] */
    /* [files.count], [dataset_count]: an earlier run has written the file */
    bool                   *file_done, *list_done;
    /* [catalogue->count] this process has checked the unit's columns */
    bool                   *verified;
};

/* The places of a file in clean/, and of a dataset's list.  0, or -ENAMETOOLONG with err set. */
int  rewrite_clean_place(const struct rewrite *rewrite, size_t file, char place[FILE_NAME_MAX], struct err *err);
int  rewrite_list_place(const struct rewrite *rewrite, size_t dataset, char place[FILE_NAME_MAX], struct err *err);

/* Notes in a unit that the file at a place is what the key stands for, or that nothing stays and there is none (sum
 * NULL): a later run believes it while size and time stay.  What was written is noted for the manifest too. */
struct unit_key rewrite_clean_key(const struct rewrite *rewrite, size_t file);
struct unit_key rewrite_list_key(const struct rewrite *rewrite, size_t dataset);
int  rewrite_mark(const struct rewrite *rewrite, struct unit_key key, const char *place,
                  const struct file_sum *sum, struct err *err);

/* rewrite_kept.c.  Loads a unit's columns, checked once a process; any thread.  0, or <0 with err set. */
int  rewrite_columns(const struct rewrite *rewrite, size_t unit, struct column_unit *out, struct err *err);

/* What a list says of the documents that stay: kept[i] becomes "SHARD\tRECORD\tPATH\tKIND\tSIMILARITY" for each removed
 * row i of the unit, a view of `text`, to which it is appended.  Any thread; fates name documents of the catalogue.  0,
 * or <0 with err set. */
int  rewrite_kept(const struct rewrite *rewrite, size_t unit, const struct column_unit *columns,
                  const struct fate_unit *fates, struct bytes *text, struct slice *kept, struct err *err);

/* The stages; collective, 0 or <0 with err set, the same on all ranks. */
int  rewrite_shards(struct rewrite *rewrite, struct err *err);
int  rewrite_lists(struct rewrite *rewrite, struct err *err);

#endif
