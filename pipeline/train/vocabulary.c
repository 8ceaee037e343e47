/* train/vocabulary.c -- the vocabularies of all parts as one: the most frequent first, of equals by bytes. */
#include "train/private.h"

#include "base/sort.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <stdlib.h>

struct unit_key train_hash(struct slice piece)
{
    XXH128_hash_t hash = XXH3_128bits(piece.at, piece.len);

    return (struct unit_key){ hash.low64, hash.high64 };
}

/* ---- pieces with their counts ---- */

struct word { uint64_t count, at; size_t len; };
struct words { struct table table; struct word *word; size_t count, room; struct bytes text; };

static struct slice word_text(const struct words *words, size_t i)
{
    return (struct slice){ words->text.at + words->word[i].at, words->word[i].len };
}

static int words_add(struct words *words, struct slice piece, struct unit_key hash, uint64_t count, struct err *err)
{
    bool     added;
    uint32_t at;

    if (words->count >= UINT32_MAX - LM_FIRST)
        return err_set(err, -EOVERFLOW, "more than 2^32 different pieces: the corpus is no text");
    at = table_put(&words->table, hash.low, hash.high, (uint32_t)words->count, &added);
    if (at == TABLE_NONE) return err_memory(err, words->table.room * 2 * sizeof *words->table.slot, "the vocabulary");
    if (added) {
        if (ARRAY_GROW(words->word, words->room, words->count) < 0 ||
            bytes_append_slice(&words->text, piece) < 0)
            return err_memory(err, words->text.len + words->count * sizeof *words->word, "the vocabulary");
        words->word[words->count++] = (struct word){ 0, words->text.len - piece.len, piece.len };
    }
    words->word[at].count += count;
    return 0;
}

static void words_free(struct words *words)
{
    table_free(&words->table);
    free(words->word);
    bytes_free(&words->text);
    *words = (struct words){ 0 };
}

/* ---- of this rank ---- */

/* The pieces of a unit whose hash falls to this of `threads` threads. */
static int unit_take(const struct unit *unit, struct words *words, int thread, int threads, struct err *err)
{
    int rc = 0;

    for (size_t p = 0; p < train_unit_parts(unit) && rc == 0; p++) {
        struct train_part part;

        rc = train_part_open(unit, p, &part, err);
        for (size_t i = 0; rc == 0 && i < part.entries; i++) {
            struct slice    piece = train_piece(&part, i);
            struct unit_key hash = train_hash(piece);

            if ((int)((hash.high >> 32) % (uint64_t)threads) == thread)
                rc = words_add(words, piece, hash, part.entry[i].count, err);
        }
    }
    return rc;
}

/* words[threads]: a piece is in one of them. */
static int rank_take(const struct train *t, struct words *words, struct err *err)
{
    int rc = 0, threads = t->job->run->threads;

    for (size_t u = 0; u < t->unit_count && rc == 0; u++) {
        struct unit unit;

        if (!train_is_mine(t, u)) continue;
        rc = train_unit_open(t, u, true, &unit, err);
        if (rc < 0) return rc;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int i = 0; i < threads; i++) {
            struct err mine = { 0 };

            if (unit_take(&unit, &words[i], i, threads, &mine) < 0) {
#pragma omp critical(train_failure)
                {
                    *err = mine;
                    rc = mine.code;
                }
            }
        }
        unit_close(&unit);
    }
    return rc;
}

/* A piece on its way to rank 0: count, length, bytes. */
struct piece_head { uint64_t count, len; };

static int rank_pack(const struct words *words, int threads, struct bytes *out, struct err *err)
{
    for (int i = 0; i < threads; i++)
        for (size_t w = 0; w < words[i].count; w++)
            if (bytes_append(out, &(struct piece_head){ words[i].word[w].count, words[i].word[w].len },
                             sizeof(struct piece_head)) < 0 ||
                bytes_append_slice(out, word_text(&words[i], w)) < 0) return err_memory(err, out->len,
                        "the vocabulary");
    return 0;
}

/* ---- of all, on rank 0 ---- */

static int words_unpack(struct words *words, const struct bytes *all, struct err *err)
{
    int rc = 0;

    for (size_t at = 0; at < all->len && rc == 0;) {
        struct piece_head head;
        struct slice      piece;

        memcpy(&head, all->at + at, sizeof head);
        piece = (struct slice){ all->at + at + sizeof head, (size_t)head.len };
        at += sizeof head + piece.len;
        rc = words_add(words, piece, train_hash(piece), head.count, err);
    }
    return rc;
}

static int by_text(const void *a, const void *b, void *words)
{
    return slice_compare(word_text(words, ((const struct sort_item *)a)->value),
                         word_text(words, ((const struct sort_item *)b)->value));
}

/* The first eight bytes as a number: in the order of the bytes, but that some are equal whose texts are not. */
static uint64_t text_begins(struct slice text)
{
    uint64_t key = 0;

    for (size_t i = 0; i < 8; i++) key = key << 8 | (i < text.len ? (unsigned char)text.at[i] : 0);
    return key;
}

/* item[words->count] in the order of the ids.  By text first; the sort by count leaves that order where counts are
 * equal. */
static void words_sort(struct words *words, struct sort_item *item, struct sort_item *spare)
{
    size_t count = words->count;

    for (size_t i = 0; i < count; i++) item[i] = (struct sort_item){ text_begins(word_text(words, i)), i };
    sort_items(item, spare, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && item[end].key == item[first].key;) end++;
        if (end - first > 1) qsort_r(item + first, end - first, sizeof *item, by_text, words);
    }
    for (size_t i = 0; i < count; i++) item[i].key = ~words->word[item[i].value].count;
    sort_items(item, spare, count);
}

static int vocabulary_write(const struct words *words, const struct sort_item *item, uint32_t least, struct bytes *out,
                            struct err *err)
{
    static const struct slice names[LM_FIRST] = { { "<unk>", 5 }, { "<s>", 3 }, { "</s>", 4 } };
    size_t                    kept = 0, text = 0;
    uint32_t                 *at;

    for (size_t i = 0; i < LM_FIRST; i++) text += names[i].len;
    for (; kept < words->count && words->word[item[kept].value].count >= least; kept++)
        text += words->word[item[kept].value].len;
    if (text > UINT32_MAX)
        return err_set(err, -EOVERFLOW, "the vocabulary has %zu bytes, a model takes 4 GB: leave rare pieces out with "
                                        "a larger least count", text);
    if (bytes_reserve(out, (LM_FIRST + kept + 2) * sizeof *at + text) < 0)
        return err_memory(err, text, "the vocabulary");
    out->len = (LM_FIRST + kept + 2) * sizeof *at;
    at = (uint32_t *)(void *)out->at;
    *at++ = (uint32_t)(LM_FIRST + kept);
    *at++ = 0;
    text = out->len;
    for (size_t i = 0; i < LM_FIRST + kept; i++) {
        /* there is room */
        bytes_append_slice(out, i < LM_FIRST ? names[i] : word_text(words, item[i - LM_FIRST].value));
        *at++ = (uint32_t)(out->len - text);
    }
    return 0;
}

static int vocabulary_make(const struct bytes *all, uint32_t least, struct bytes *out, struct err *err)
{
    struct words      words = { 0 };
    struct sort_item *item = NULL;
    int               rc = words_unpack(&words, all, err);

    table_free(&words.table);
    if (rc == 0 && !(item = malloc((2 * words.count + 1) * sizeof *item)))
        rc = err_memory(err, 2 * words.count * sizeof *item, "the vocabulary");
    if (rc == 0) {
        words_sort(&words, item, item + words.count);
        rc = vocabulary_write(&words, item, least, out, err);
    }
    free(item);
    words_free(&words);
    return rc;
}

/* ---- on every rank ---- */

static int vocabulary_index(struct train_vocabulary *v, struct err *err)
{
    const uint32_t *number = (const uint32_t *)(const void *)v->data.at;

    v->tokens = number[0];
    v->piece_at = number + 1;
    v->piece = v->data.at + (v->tokens + 2) * sizeof *number;
    v->key = unit_key_add((struct unit_key){ 0, 0 }, v->data.at, v->data.len);
    if (table_reserve(&v->table, v->tokens) < 0)
        return err_memory(err, 2 * v->tokens * sizeof *v->table.slot, "the vocabulary");
    for (uint32_t id = LM_FIRST; id < v->tokens; id++) {
        struct unit_key hash =
            train_hash((struct slice){ v->piece + v->piece_at[id], v->piece_at[id + 1] - v->piece_at[id] });
        bool            added;

        table_put(&v->table, hash.low, hash.high, id, &added);      /* there is room */
    }
    return 0;
}

int train_merge_vocabularies(struct train *t, struct err *err)
{
    struct comm  *comm = t->job->run->comm;
    int           threads = t->job->run->threads, rc;
    struct words *words = calloc((size_t)threads, sizeof *words);
    uint64_t     *size = calloc((size_t)comm_size(comm), sizeof *size);
    struct bytes  mine = { 0 }, all = { 0 };

    rc = words && size ? rank_take(t, words, err) : err_memory(err, (size_t)threads * sizeof *words, "the vocabulary");
    if (rc == 0) rc = rank_pack(words, threads, &mine, err);
    for (int i = 0; words && i < threads; i++) words_free(&words[i]);
    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_gather(comm, &mine, &all, size, err);
    bytes_free(&mine);
    if (rc == 0 && comm_rank(comm) == 0) rc = vocabulary_make(&all, t->job->options->least, &t->vocabulary.data, err);
    bytes_free(&all);
    if ((rc = comm_agree(comm, rc, err)) == 0) rc = comm_broadcast(comm, &t->vocabulary.data, err);
    if (rc == 0) rc = comm_agree(comm, vocabulary_index(&t->vocabulary, err), err);
    free(words);
    free(size);
    return rc;
}

void train_vocabulary_free(struct train_vocabulary *vocabulary)
{
    bytes_free(&vocabulary->data);
    table_free(&vocabulary->table);
    *vocabulary = (struct train_vocabulary){ 0 };
}
