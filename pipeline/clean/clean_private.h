/* clean/clean_private.h -- what the files of clean/ share: records chosen by rank 0, and the shards that are written
 * from them. */
#ifndef LEAKGRAPH_CLEAN_CLEAN_PRIVATE_H
#define LEAKGRAPH_CLEAN_CLEAN_PRIVATE_H

#include "clean/clean.h"
#include "clean/cut.h"
#include "clean/match.h"
#include "corpus/cleaned.h"
#include "pass/pass.h"

/* A record that is chosen; the hash of its text tells that it is the one that was compared.  Its spans are span_count
 * of clean_choices.span from span_at. */
struct clean_choice { uint64_t shard, record; struct content_hash hash; uint64_t span_at, span_count; };
_Static_assert(sizeof(struct clean_choice) == 48, "told to all ranks, and part of a key");

/* By shard and record.  Of rank 0: the reason of each, and what it was matched with (match_print). */
struct clean_choices { struct bytes choice, span, why, why_at, match, match_at; };
/* 0 or -ENOMEM */
int          choices_add(struct clean_choices *choices, const struct clean_choice *choice, struct slice why,
                         struct slice match);
struct slice choices_why(const struct clean_choices *choices, size_t i);
struct slice choices_match(const struct clean_choices *choices, size_t i);
void         choices_free(struct clean_choices *choices);

/* What becomes of the records of a set of shards. */
enum clean_action {
    CLEAN_REMOVE,                                           /* the chosen ones are not written */
    CLEAN_CUT,                                              /* the chosen ones lose their spans */
    /* likewise, but spans count significant lines, from 0 (clone/line.h), and there is no hash */
    CLEAN_CUT_BLOCKS,
    CLEAN_TAKE,                                             /* only the chosen ones are written */
};

/* A row of a unit (PART_ROWS): a chosen record, or one that was cut.  spans: struct clean_span in the heap. */
struct clean_row {
    /* bytes of text that are gone; CLEAN_TAKE: that are there */
    uint64_t           record, bytes;
    /* emptied: 1: the cut left no text, and it is not written */
    uint32_t           group, emptied;
    struct heap_string source_id, path, spans;
};
_Static_assert(sizeof(struct clean_row) == 48, "unit format");

/* RUN/cleaned/FOLDER/DATASET/SHARD.jsonl.zst. */
struct clean_shards {
    const struct clean_job    *job;
    const struct clean_output *output;
    char                       folder[256];
    enum clean_action          action;
    struct clean_choices       choices;                     /* of rank 0; after shards_write choice and span of all */
    const struct clean_choice *choice;
    size_t                     count;
    struct pass                pass;
    struct cleaned_files       files;
};

/* Tells everybody what is chosen and writes.  Collective.  0, or <0 with err set. */
int  shards_write(struct clean_shards *shards, struct err *err);
void shards_free(struct clean_shards *shards);

/* From graph.db, rank 0: the records for which the output's rule holds.  0, or <0 with err set. */
int  decide_output(struct clean_shards *shards, struct err *err);

/* From the units of line_clones, rank 0: the documents of a corpus for which the rule holds, and where their blocks
 * are.  0, or <0 with err set. */
int  decide_blocks(struct clean_shards *shards, struct err *err);

/* From graph.db, rank 0: places of the documents that have duplicates in `against`.  0, or <0 with err set. */
int  decide_duplicates(struct clean_shards *shards, struct err *err);

/* The subsets of an output: what is chosen for each.  Collective; the choices are rank 0's.  0, or <0 with err set. */
int  subsets_draw(struct clean_shards *leaky, struct clean_shards *nonleaky, struct err *err);

/* Adds what was written to the result and writes the list RUN/cleaned/NAME.KIND.tsv.  Rank 0.  0, or <0 with err set.
 */
int  result_add(struct clean_result *result, const struct clean_shards *shards, const char *kind, struct err *err);

/* Its path in the run folder. */
void list_path(const struct clean_output *output, const char *kind, char out[256]);

#endif
