/* repository/index.h -- the files of the benchmarks' repositories, and what the units of both scanners hold. */
#ifndef LEAKGRAPH_REPOSITORY_INDEX_H
#define LEAKGRAPH_REPOSITORY_INDEX_H

#include "repository/repository.h"

/* Of a benchmark's document, in PART_ROWS of a collected unit. */
struct repository_row {
    uint64_t            record;
    struct content_hash raw, squeezed;
    struct heap_string  repo;                               /* normalised, not renamed; empty: none */
    uint32_t            blank, spare;                       /* blank: nothing but white space */
};
_Static_assert(sizeof(struct repository_row) == 56, "unit format");

/* Documents of a part of the corpus that have the text of a file: in PART_ROWS of a scanned unit. */
/* the same bytes, the same but for white space */
enum repository_likeness { REPOSITORY_EXACT, REPOSITORY_LAYOUT };
/* text: number of the distinct text, of the distinct squeezed one */
struct repository_hit { uint32_t likeness, text; struct heap_string repo; };
_Static_assert(sizeof(struct repository_hit) == 16, "unit format");

/* Documents of a part that say they come from a repository of a benchmark: in PART_COUNTS. */
struct repository_named { uint32_t name, documents; };
_Static_assert(sizeof(struct repository_named) == 8, "unit format");

struct repository_file { uint64_t record; uint32_t shard, dataset, name, text, layout; };

struct repository_index {
    struct repository_renames renames;
    struct bytes              text;                         /* the names */
    /* [name_count] in text; name i starts where the one before it ends */
    size_t                   *name_end;
    /* [file_count] in the contract's order; without a repository or a text there is none */
    struct repository_file   *file;
    uint32_t                 *layout_of;                    /* [texts] */
    size_t                    name_count, name_room, file_count, file_room, text_count, text_room, layout_count;
    struct table              names, texts, layouts;
    struct unit_key           key;                          /* of all that the numbers above depend on */
};

/* Reads the collected units.  0, or <0 with err set; the index is to be freed either way. */
int  repository_index_read(const struct repository_job *job, struct repository_index *out, struct err *err);
void repository_index_free(struct repository_index *index);

struct slice repository_name(const struct repository_index *index, uint32_t name);

/* The number of a name that is renamed already, made when new; or without `make`, TABLE_NONE when there is none.
 * -ENOMEM in *rc. */
uint32_t repository_name_find(const struct repository_index *index, struct slice name);
int      repository_name_put(struct repository_index *index, struct slice name, uint32_t *out);

#endif
