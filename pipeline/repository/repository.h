/* repository/repository.h -- repository membership: which repositories of a benchmark are in a corpus, by name and by
 * content.
 *
 * By name: a document of the corpus says that it comes from the repository (owner/name, case-insensitive, renames
 * applied).  By content: files of the repository are in the corpus, byte by byte or nearly so, whatever repository they
 * are said to come from there.  A file without a byte that is no white space is nobody's: it is no file of a
 * repository, and in a corpus it only says that the name is there. */
#ifndef LEAKGRAPH_REPOSITORY_REPOSITORY_H
#define LEAKGRAPH_REPOSITORY_REPOSITORY_H

#include "base/comm.h"
#include "base/ratio.h"
#include "base/stage.h"
#include "base/table.h"
#include "pass/pass.h"
#include "pass/run.h"

struct repository_options {
    char        *renames;                                   /* path of a list `old TAB new`; '': none */
    /* of a record without a repository, its path begins with so many; 0: it has none then */
    uint32_t     path_components;
    uint32_t     top;                                       /* other repositories that are listed for each */
    /* of a repository's files, from which on it is there by content */
    struct ratio share;
};

/* The names that repositories had and have. */
struct repository_renames {
    struct bytes  text;
    /* normalised; to: what it is called now, at the end of all renames */
    struct repository_rename { struct slice from, to; } *at;
    size_t        count, room;
    struct table  table;
};

/* Reads the list; no path: an empty one.  0; -EINVAL (a line that is none, a name renamed twice, names in a circle),
 * -EIO, -ENOMEM with err set. */
int  repository_renames_read(struct repository_renames *out, const char *path, struct err *err);
void repository_renames_free(struct repository_renames *renames);

/* A repository's name as it is compared: in lower case (of ASCII; hosts have no other letters), without blanks and
 * slashes around it, scheme and host, and `.git` at its end.  As in graph.db what is not UTF-8 is U+FFFD, so that a
 * name is one there; NUL is a blank.  Put in *out; empty when there is none.
 * 0 or -ENOMEM. */
int  repository_normalise(struct slice name, struct bytes *out);
/* what it is called now */
struct slice repository_renamed(const struct repository_renames *renames, struct slice name);

/* The normalised name of a record's repository, from its field or its path, not renamed. */
int  repository_of(const struct repository_options *options, struct slice repo, struct slice path, struct bytes *out);

struct repository_job {
    const struct run *run;
    const struct repository_options *options;
    /* [dataset_count] those whose repositories are looked for */
    const bool               *benchmark;
    /* near_duplicates is on: its pairs tell what is nearly equal; else what differs in white space alone */
    bool                      near;
    struct pass_totals        totals;                       /* out, summed over ranks */
    struct repository_index  *index;                        /* from repository_prepare to repository_release */
};

/* Collects the benchmarks' files, resuming what is committed, and indexes them.  Collective.  Whatever it returns,
 * repository_release ends it. */
int  repository_prepare(struct repository_job *job, struct err *err);
void repository_release(struct repository_job *job);

/* The scanners of benchmarks and of corpora; the second needs repository_prepare, also to find its units. */
struct pass_scanner repository_collector(const struct repository_job *job);
struct pass_scanner repository_scanner(const struct repository_job *job);

#endif
