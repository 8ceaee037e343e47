/* train/tokens.c -- the corpus as tokens of the one vocabulary, in units that every rank reads. */
#include "train/private.h"

#include <errno.h>
#include <stdlib.h>

/* A part on its way. */
struct tokens { struct bytes token, sample; };

static struct unit_key tokens_key(const struct train *t, size_t unit)
{
    struct unit_key key = unit_key_add(t->pass.scanner[0].key, &t->vocabulary.key, sizeof t->vocabulary.key);

    return pass_unit_key(t->job->run->datasets, key, &t->job->run->shards->at[t->unit[unit].shard],
                         t->unit[unit].number);
}

/* The token at a place of a document with those before it. */
static struct train_sample sample_of(const uint32_t *token, size_t begin, size_t at)
{
    struct train_sample sample;

    for (size_t i = 0; i < LM_ORDER_MAX; i++)
        sample.token[i] = at + i + 1 >= begin + LM_ORDER_MAX ? token[at + i + 1 - LM_ORDER_MAX] : LM_BEGIN;
    return sample;
}

static int part_number(const struct train *t, const struct unit *unit, size_t p, struct tokens *out, struct err *err)
{
    struct train_part part;
    uint32_t         *id, *token;
    size_t            begin = 0;
    int               rc = train_part_open(unit, p, &part, err);

    if (rc < 0) return rc;
    id = malloc((part.entries + 1) * sizeof *id);
    if (!id || bytes_reserve(&out->token, part.values * sizeof *token) < 0 ||
        bytes_reserve(&out->sample, (part.values / TRAIN_TOKENS_EVERY + 1) * sizeof(struct train_sample)) < 0) {
        free(id);
        return err_memory(err, part.values * sizeof *token, "the tokens of a part");
    }
    id[0] = LM_END;
    for (size_t i = 0; i < part.entries; i++) {
        struct unit_key hash = train_hash(train_piece(&part, i));
        uint32_t        found = table_find(&t->vocabulary.table, hash.low, hash.high);

        id[i + 1] = found == TABLE_NONE ? LM_UNK : found;   /* too rare */
    }
    token = (uint32_t *)(void *)out->token.at;
    out->token.len = part.values * sizeof *token;
    for (size_t i = 0; i < part.values; i++) {
        uint32_t value = train_value(&part, i);

        if (value > part.entries)
            rc = err_set(err, -EBADMSG, "a unit of the training does not have the expected layout; remove the work "
                                        "folder with --clean");
        token[i] = rc < 0 ? LM_END : id[value];
        if (i % TRAIN_TOKENS_EVERY == TRAIN_TOKENS_EVERY / 2) {
            struct train_sample sample = sample_of(token, begin, i);

            bytes_append(&out->sample, &sample, sizeof sample);     /* there is room */
        }
        if (value == 0) begin = i + 1;
    }
    free(id);
    return rc;
}

static int unit_number(const struct train *t, size_t u, const struct unit *unit, struct err *err)
{
    size_t         parts = train_unit_parts(unit);
    struct tokens *tokens = calloc(parts + 1, sizeof *tokens);
    struct slice  *section = calloc(parts + 1, sizeof *section);
    struct bytes   samples = { 0 };
    int            rc = tokens && section ? 0 : err_memory(err, parts * sizeof *tokens, "the tokens of a unit");

    if (rc == 0) {
#pragma omp parallel for schedule(dynamic) num_threads(t->job->run->threads)
        for (size_t p = 0; p < parts; p++) {
            struct err mine = { 0 };

            if (part_number(t, unit, p, &tokens[p], &mine) < 0) {
#pragma omp critical(train_failure)
                {
                    *err = mine;
                    rc = mine.code;
                }
            }
        }
    }
    for (size_t p = 0; p < parts && rc == 0; p++) {
        section[1 + p] = bytes_slice(&tokens[p].token);
        if (bytes_append_slice(&samples, bytes_slice(&tokens[p].sample)) < 0)
            rc = err_memory(err, samples.len, "samples");
    }
    if (rc == 0) {
        section[0] = bytes_slice(&samples);
        rc = stage_commit(t->job->run->stage, TRAIN_TOKENS, t->unit[u].key, section, parts + 1, err);
    }
    for (size_t p = 0; tokens && p < parts; p++) {
        bytes_free(&tokens[p].token);
        bytes_free(&tokens[p].sample);
    }
    bytes_free(&samples);
    free(tokens);
    free(section);
    return rc;
}

/* The unit of tokens, which may be there already. */
static int unit_make(const struct train *t, size_t u, struct err *err)
{
    struct unit unit;
    int         rc = stage_load(t->job->run->stage, TRAIN_TOKENS, t->unit[u].key, &unit, err);

    if (rc > 0) unit_close(&unit);
    if (rc != 0) return rc < 0 ? rc : 0;
    rc = train_unit_open(t, u, false, &unit, err);
    if (rc < 0) return rc;
    rc = unit_number(t, u, &unit, err);
    unit_close(&unit);
    return rc;
}

int train_number(struct train *t, struct err *err)
{
    int rc = 0;

    t->key = (struct unit_key){ 0, 0 };
    for (size_t u = 0; u < t->unit_count; u++) {
        t->unit[u].key = tokens_key(t, u);
        t->key = unit_key_add(t->key, &t->unit[u].key, sizeof t->unit[u].key);
        if (rc == 0 && train_is_mine(t, u)) rc = unit_make(t, u, err);
    }
    return comm_agree(t->job->run->comm, rc, err);
}
