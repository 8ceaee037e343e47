/* corpus/dataset.h -- what the configuration says of one dataset, and the shards that it stands for. */
#ifndef LEAKGRAPH_CORPUS_DATASET_H
#define LEAKGRAPH_CORPUS_DATASET_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "corpus/skip.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field {
    FIELD_TEXT, FIELD_ID, FIELD_PATH, FIELD_REPO, FIELD_LANGUAGE, FIELD_LICENSE, FIELD_SPLIT,
    FIELD_TOKENS, FIELD_STARS, FIELD_DATE,                  /* looked for only when somebody wants them */
    FIELD_COUNT
};
#define FIELDS_ON_DEMAND (1u << FIELD_TOKENS | 1u << FIELD_STARS | 1u << FIELD_DATE)
extern const char *const field_names[FIELD_COUNT];          /* "text", "id", ... */

enum dataset_role   { ROLE_BENCHMARK, ROLE_CORPUS };
enum dataset_format { FORMAT_AUTO, FORMAT_LINES };          /* auto: from content; lines: every line is one document */
/* What of a document of a corpus is compared with items: it whole, its functions, or both. */
enum dataset_unit   { UNIT_AUTO, UNIT_FILE, UNIT_FUNCTION };
enum utf8_policy    { UTF8_KEEP, UTF8_REPAIR, UTF8_REJECT };

enum { DATASET_EXTRA = 16 };

/* name: "" when the file says `files:`.  where: of each glob the file, line and key that say it, for messages
 * ("pipeline.yaml:7: datasets.py.files"); NULL: nobody knows. */
struct dataset_split { char *name; char **globs, **where; size_t glob_count; };

/* All strings owned; dataset_free releases them.  A zeroed struct with name set is a valid starting point. */
struct dataset {
    char                 *name, *url;                       /* url: "" when not given */
    enum dataset_role     role;
    /* canonical name, owned, or NULL: from record, path, shebang */
    const char           *language;
    bool                  language_guessed;                 /* by its texts (capability/languages.h) */
    /* n: added to a store that was there, as the n-th (dedup.added); 0: it was there from the start */
    uint32_t              added;
    struct dataset_split *splits;
    size_t                split_count;
    enum dataset_format   format;
    enum dataset_unit     unit;
    /* dotted names; NULL: the default ones (docs/reference.md, "Records") */
    char                 *fields[FIELD_COUNT];
    /* dotted names, borrowed, NULL: none; what tables are read for beside the fields (struct record) */
    const char           *extra[DATASET_EXTRA];
    /* globs of what is left out: a shard by its name, a file of a folder or a member of an archive by its path there */
    char                **exclude;
    size_t                exclude_count;
    bool                  self_join;
    uint32_t              min_tokens;                       /* a benchmark's own, of near_duplicates; 0: none */
    bool                  read_aside;                       /* a capability reads it by itself, beside the pass */
    enum utf8_policy      utf8;
    /* decoded record; larger ones are rejected; 0: the default */
    uint64_t              max_record_bytes;
    /* decompressed : compressed above which a shard is cut off; 0: the default */
    uint32_t              max_ratio;
};

void dataset_free(struct dataset *dataset);

/* Whether the dataset leaves out what has this path, or lies in a folder that it leaves out. */
bool dataset_excludes(const struct dataset *dataset, struct slice path);

/* The limits as they are applied.  Records: 64 MiB unless set, never more than DATASET_RECORD_MOST, so that lexers can
 * count in 29 bits.  Ratio: 1000 unless set; source code packs to about 100 at the very best, zeros to 30,000. */
#define DATASET_RECORD_MOST (256ull << 20)
uint64_t dataset_max_record(const struct dataset *dataset);
uint32_t dataset_max_ratio(const struct dataset *dataset);

/* One file, archive or directory tree.  Order in the list is the contract's order: datasets as listed, splits as
 * listed, then name by bytes (FORMAT_LINES: as listed).  A name is the path after the longest literal directory shared
 * by its dataset's globs. */
struct shard {
    uint32_t dataset, split;                                /* indices into the configuration */
    char    *path, *name;                                   /* owned by the list */
    uint64_t bytes;                                         /* a tree: the sum over its files */
    int64_t  mtime_ns;                                      /* a tree: the newest of its files and folders */
    uint64_t inode;                                         /* a tree: 0 */
    /* a tree: over path, size and time of each file (tree.h); else 0 */
    uint64_t signature;
    /* a directory: its regular files, sorted by path, are the records */
    bool     tree;
    struct skips skipped;                                   /* a tree: what its listing passed over */
};

/* Whether it is called what files are called that are several times as much text as they take: before anybody has
 * looked into it. */
bool shard_is_packed(const struct shard *shard);
/* Whether its name says that it has parts which can be read without those before them: Parquet's row groups. */
bool shard_is_parted(const struct shard *shard);

/* warnings: what should be said of them, texts that each end with NUL. */
struct shard_list { struct shard *at; size_t count; struct bytes warnings; };

/* Expands the globs (`*`, `?`, `[...]`, `**` for any depth; relative ones start at `base`; what exists by the pattern's
 * very name is meant by it).  A file that a split reaches by several names, by links too, is read once, under the first
 * of them in the list's order; so is one that lies in a folder of that split.  Errors that name the dataset: a glob
 * that matches nothing or only empty folders (-EINVAL, at the glob's line), one file in two splits (-EINVAL), a file
 * that cannot be read (-EIO), and, unless the format is given, a folder with shards in it (-EINVAL): its files would be
 * taken as source files, and packed records for texts.  Link cycles are not followed.  Returns 0, -EINVAL, -EIO or
 * -ENOMEM with err set; then *out is empty. */
int  shard_list_open(struct shard_list *out, const struct dataset *datasets, size_t count, const char *base,
                     struct err *err);
void shard_list_warn(const struct shard_list *list);        /* says the warnings in the log */
void shard_list_free(struct shard_list *list);

#endif
