/* train/private.h -- what the files of the training share.
 *
 *   train_scan        shards -> units of the pass: the parts' documents as numbers into the part's own vocabulary
 *   train_vocabulary  these vocabularies -> one, the same on every rank
 *   train_tokens      units of the pass -> units of tokens, and samples of what is to be counted
 *   train_count       tokens -> sorted n-grams of the highest order with their counts, a unit for each range of them
 *
 * Units of the pass depend on the corpus alone and outlive the training; those of tokens and of n-grams are there until
 * the model is. */
#ifndef LEAKGRAPH_TRAIN_PRIVATE_H
#define LEAKGRAPH_TRAIN_PRIVATE_H

#include "base/table.h"
#include "train/train.h"
#include "pass/pass.h"

/* ---- units of the pass ---- */

/* A part's PART_ROWS: its different pieces in the order of their appearance, whose bytes stand one after the other in
 * PART_HEAP.  PART_VALUES: for each piece of each document its place there + 1, and 0 at the document's end; of 16 bits
 * when all fit (train_is_narrow), else of 32. */
struct train_entry { uint32_t at, count; };
_Static_assert(sizeof(struct train_entry) == 8, "unit format");

static inline bool train_is_narrow(size_t entries) { return entries < UINT16_MAX; }

/* What a part holds, looked at; every place is in range. */
struct train_part {
    const struct train_entry *entry;
    size_t                    entries, values;
    struct slice              heap;
    const void               *value;
    bool                      narrow;
};

static inline struct slice train_piece(const struct train_part *part, size_t i)
{
    size_t end = i + 1 < part->entries ? part->entry[i + 1].at : part->heap.len;

    return (struct slice){ part->heap.at + part->entry[i].at, end - part->entry[i].at };
}

static inline uint32_t train_value(const struct train_part *part, size_t i)
{
    return part->narrow ? ((const uint16_t *)part->value)[i] : ((const uint32_t *)part->value)[i];
}

struct train_unit { uint32_t shard; uint64_t number; struct unit_key key; /* of its tokens */ };

/* ---- one training ---- */

struct train_vocabulary {
    struct bytes    data;                                   /* what follows, as it goes to all ranks */
    uint32_t        tokens;
    const uint32_t *piece_at;                               /* [tokens + 1] */
    const char     *piece;
    struct table    table;                                  /* id by hash of the piece */
    struct unit_key key;
};

struct train {
    struct train_job       *job;
    struct pass             pass;
    struct train_unit      *unit;                           /* [unit_count] of the pass, the same on all ranks */
    size_t                  unit_count, unit_room;
    uint64_t                documents, rejected, text_bytes, tokens;
    struct train_vocabulary vocabulary;
    struct unit_key         key;                            /* of all units of tokens together */
    struct unit_key        *range;                          /* [range_count] of the units of n-grams, in order */
    size_t                  range_count;
};

static inline bool train_is_mine(const struct train *t, size_t unit)
{
    return (int)(unit % (size_t)comm_size(t->job->run->comm)) == comm_rank(t->job->run->comm);
}

/* ---- scan.c ---- */

struct pass_scanner train_scanner(const struct train_job *job);

/* The units that the pass has made: their heads are looked at, and the counts of documents summed.  0, or <0 with err
 * set. */
int  train_list(struct train *t, struct err *err);

/* A unit's content; `first`: this process has not read it yet, so its checksum is verified.  0, or <0 with err set: it
 * has to be there. */
int  train_unit_open(const struct train *t, size_t unit, bool first, struct unit *out, struct err *err);
size_t train_unit_parts(const struct unit *unit);
int  train_part_open(const struct unit *unit, size_t p, struct train_part *out, struct err *err);

/* Rank 0: path.rejects.tsv with a line for each record that was not used; none was: there is no such file.  0, or <0
 * with err set. */
int  train_write_rejects(const struct train *t, const char *path, struct err *err);

/* ---- vocabulary.c ---- */

/* Collective. */
int  train_merge_vocabularies(struct train *t, struct err *err);
void train_vocabulary_free(struct train_vocabulary *vocabulary);
struct unit_key train_hash(struct slice piece);             /* what the tables of pieces know them by */

/* ---- tokens.c ---- */

/* A unit of tokens: first samples, then a section for each part with its tokens, LM_END behind each document.  A sample
 * is the token at every so manieth place with those before it in its document, filled up in front with <s>, so that it
 * is a row of any order. */
/* a prime, so that what repeats in the corpus does not repeat in the samples */
enum { TRAIN_TOKENS_EVERY = 251 };
struct train_sample { uint32_t token[LM_ORDER_MAX]; };

#define TRAIN_TOKENS "train-tokens"

/* Makes this rank's units of tokens and fixes t->key.  Collective. */
int  train_number(struct train *t, struct err *err);

/* ---- count.c ---- */

#define TRAIN_ROWS "train-rows"

/* Counts, and sums the tokens of all units; afterwards there is a unit for each of t->range with two sections, rows and
 * counts as lm_counts has them.  Collective. */
int  train_count(struct train *t, struct err *err);

/* ---- row.c: a row as a number ---- */

/* Tokens in `bits` bits each, the last one in the lowest: 128 bits, or 256 where they do not fit, as words from the
 * highest on. */
struct train_row_shape { uint32_t order, bits, words; uint64_t mask[4]; };

struct train_row_shape train_row_shape(uint32_t order, uint32_t tokens);
void train_row_pack(const struct train_row_shape *shape, const uint32_t *token, uint64_t *row);
void train_row_unpack(const struct train_row_shape *shape, const uint64_t *row, uint32_t *token);

static inline int train_row_compare(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
    return 0;
}

/* Sorts row[count * words], words 2 or 4; spare has the same room. */
void train_rows_sort(uint64_t *row, uint64_t *spare, size_t count, uint32_t words);

#endif
