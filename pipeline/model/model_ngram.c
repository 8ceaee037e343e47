/* model/model_ngram.c -- the backend `ngram`: a model of lm/lm.h, mapped once and shared by all threads.
 *
 * A window's first token has nothing before it, not even <s>; a prompt begins a document.  <unk> and <s> are never
 * generated. */
#include "lm/private.h"
#include "model/model.h"
#include "model/sample.h"

#include "base/table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Tokens that are scored side by side: one waits for memory while the others go on. */
enum { STREAMS = 8, STREAM_LEAST = 64 };

struct ngram {
    struct model  model;
    struct lm     lm;
    struct table  vocabulary;                               /* xxh3-128 of a piece: its token */
    /* [tokens] the most probable first, of equals the smaller */
    uint32_t     *by_unigram;
    char         *name;
};

struct ngram_session {
    struct model_session     session;
    uint32_t                *id, *at, *prompt;              /* [id_room], [at_room], [prompt_room] owned */
    size_t                   id_room, at_room, prompt_room;
    struct bytes             text;
    struct sample_candidate *candidate;                     /* [candidate_room] */
    size_t                   candidate_room;
    /* [tokens] the last step that had the token among its candidates, counted from 1; NULL until it is needed */
    uint32_t                *drawn;
    uint32_t                 steps;
};

static const struct lm *lm_of(const struct model_session *session)
{
    return &((const struct ngram *)session->model)->lm;
}

/* ---- opening ---- */

static struct slice piece_of(const struct lm *lm, uint32_t token)
{
    return (struct slice){ lm->piece + lm->piece_at[token], lm->piece_at[token + 1] - lm->piece_at[token] };
}

static int compare_unigrams(const void *a, const void *b, void *arg)
{
    const struct lm_arc *arc = arg;
    uint32_t             left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    if (arc[left].logprob != arc[right].logprob) return arc[left].logprob > arc[right].logprob ? -1 : 1;
    return (left > right) - (left < right);
}

static int index_tokens(struct ngram *m, struct err *err)
{
    const struct lm *lm = &m->lm;
    bool             added;

    m->by_unigram = malloc((size_t)lm->tokens * sizeof *m->by_unigram);
    if (!m->by_unigram || table_reserve(&m->vocabulary, lm->tokens) < 0)
        return err_memory(err, 56ull * lm->tokens, "a vocabulary");
    for (uint32_t t = 0; t < lm->tokens; t++) {
        struct slice  piece = piece_of(lm, t);
        XXH128_hash_t hash = XXH3_128bits(piece.at, piece.len);

        m->by_unigram[t] = t;
        if (t >= LM_FIRST) table_put(&m->vocabulary, hash.low64, hash.high64, t, &added);
    }
    qsort_r(m->by_unigram, lm->tokens, sizeof *m->by_unigram, compare_unigrams, (void *)(uintptr_t)lm->arc);
    return 0;
}

static void ngram_close(struct model *model)
{
    struct ngram *m = (struct ngram *)model;

    table_free(&m->vocabulary);
    free(m->by_unigram);
    free(m->name);
    lm_close(&m->lm);
    free(m);
}

static int ngram_session_open(struct model_session **out, struct model *model, struct err *err)
{
    struct ngram_session *s = calloc(1, sizeof *s);

    (void)model;
    if (!s) return err_memory(err, sizeof *s, "a session");
    *out = &s->session;
    return 0;
}

static void ngram_session_close(struct model_session *session)
{
    struct ngram_session *s = (struct ngram_session *)session;

    free(s->id);
    free(s->at);
    free(s->prompt);
    free(s->candidate);
    free(s->drawn);
    bytes_free(&s->text);
    free(s);
}

/* ---- tokens ---- */

static int cut(const struct ngram *m, struct slice text, uint32_t **id, size_t *id_room, uint32_t **at, size_t *at_room,
               size_t *count, struct err *err)
{
    size_t from = 0;

    for (*count = 0;; (*count)++) {
        size_t        len;
        XXH128_hash_t hash;
        uint32_t      token;

        if (ARRAY_GROW(*id, *id_room, *count) < 0 ||
            (at && ARRAY_GROW(*at, *at_room, *count) < 0))
            return err_memory(err, 4 * (unsigned long long)*count, "the tokens of a text");
        if (at) (*at)[*count] = (uint32_t)from;
        if (from == text.len) return 0;
        len = lm_piece(text.at + from, text.len - from);
        hash = XXH3_128bits(text.at + from, len);
        token = table_find(&m->vocabulary, hash.low64, hash.high64);
        (*id)[*count] = token == TABLE_NONE ? LM_UNK : token;
        from += len;
    }
}

static int ngram_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    struct ngram_session *s = (struct ngram_session *)session;
    int                   rc;

    if ((rc = cut((struct ngram *)session->model, text, &s->id, &s->id_room, &s->at, &s->at_room, &out->count,
                  err)) < 0)
        return rc;
    out->id = s->id;
    out->at = s->at;
    return 0;
}

/* ---- scores ---- */

/* The state before token `at`, of which the window begins at `begin`: it holds at most order - 1 tokens. */
static uint32_t state_before(const struct lm *lm, const uint32_t *id, size_t begin, size_t at)
{
    uint32_t state = 0;

    for (size_t i = at - begin < lm->order ? begin : at - lm->order + 1; i < at; i++) lm_step(lm, &state, id[i]);
    return state;
}

static inline struct model_score score_one(const struct lm *lm, uint32_t *state, uint32_t token)
{
    const struct lm_state *here = &lm->state[*state];
    double                 mean = (double)here->mean, deviation = (double)here->deviation;

    return (struct model_score){ lm_step(lm, state, token), mean, deviation };
}

static int ngram_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                       size_t from, struct model_score *out,
                       struct err *err)
{
    const struct lm *lm = lm_of(session);
    const uint32_t  *id = tokens->id;
    size_t           count = end - from, part = count / STREAMS;
    uint32_t         state[STREAMS];

    (void)err;
    if (count < STREAM_LEAST * STREAMS) part = 0;
    for (size_t j = 0; j < STREAMS && part; j++) state[j] = state_before(lm, id, begin, from + j * part);
    for (size_t i = 0; i < part; i++)
        for (size_t j = 0; j < STREAMS; j++) out[j * part + i] = score_one(lm, &state[j], id[from + j * part + i]);
    part *= STREAMS;
    state[0] = state_before(lm, id, begin, from + part);
    for (size_t i = part; i < count; i++) out[i] = score_one(lm, &state[0], id[from + i]);
    return 0;
}

static int ngram_padding(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                         struct err *err)
{
    const struct lm *lm = lm_of(session);
    uint32_t         after = lm->begin;

    (void)err;
    out->pad = lm_step(lm, &after, LM_END);
    after = lm->begin;
    out->first = tokens->count ? lm_step(lm, &after, tokens->id[0]) : NAN;
    return 0;
}

/* ---- generation ---- */

static int draw_reserve(struct ngram_session *s, const struct lm *lm, struct err *err)
{
    if (s->drawn) return 0;
    s->drawn = calloc(lm->tokens, sizeof *s->drawn);
    s->candidate = malloc((size_t)lm->tokens * sizeof *s->candidate);
    if (s->drawn && s->candidate) return 0;
    free(s->drawn);
    free(s->candidate);
    s->drawn = NULL;
    s->candidate = NULL;
    return err_memory(err, (unsigned long long)lm->tokens * (sizeof *s->drawn + sizeof *s->candidate),
                      "the distribution of a token");
}

static void offer(struct ngram_session *s, size_t *count, uint32_t token, double logprob)
{
    if (s->drawn[token] == s->steps || token == LM_UNK || token == LM_BEGIN) return;
    s->drawn[token] = s->steps;
    s->candidate[(*count)++] = (struct sample_candidate){ token, logprob };
}

/* What may be drawn after a state: all tokens, or with top_k enough of them.  Those that stand in no arc on the way to
 * state 0 are in the order of the unigrams, all with the same weight, so that the first top_k of them are the most
 * probable. */
static size_t candidates(struct ngram_session *s, const struct ngram *m, uint32_t state, uint32_t most)
{
    const struct lm *lm = &m->lm;
    double           backoff = 0;
    size_t           count = 0, wanted;

    if (++s->steps == 0) {
        memset(s->drawn, 0, lm->tokens * sizeof *s->drawn);
        s->steps = 1;
    }
    for (; state; state = lm->state[state].suffix) {
        for (uint64_t a = lm->state[state].first; a < lm->state[state + 1].first; a++)
            offer(s, &count, lm->arc[a].token, backoff + (double)lm->arc[a].logprob);
        backoff += (double)lm->state[state].backoff;
    }
    wanted = most ? count + most : SIZE_MAX;
    for (uint32_t i = 0; i < lm->tokens && count < wanted; i++)
        offer(s, &count, m->by_unigram[i], backoff + (double)lm->arc[m->by_unigram[i]].logprob);
    return count;
}

static int ngram_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                          struct model_generation *out,
                          struct err *err)
{
    struct ngram_session *s = (struct ngram_session *)session;
    const struct ngram   *m = (const struct ngram *)session->model;
    const struct lm      *lm = &m->lm;
    uint32_t              context = session->model->info.context, state;
    size_t                given, count, from = 0;
    int                   rc;

    if ((rc = draw_reserve(s, lm, err)) < 0 ||
        (rc = cut(m, prompt, &s->prompt, &s->prompt_room, NULL, NULL, &given, err)) < 0)
        return rc;
    if (context && given + sampling->tokens > context) from = given + sampling->tokens - context;
    given -= from;
    memmove(s->prompt, s->prompt + from, given * sizeof *s->prompt);
    state = from ? 0 : lm->begin;
    for (size_t i = 0; i < given; i++) lm_step(lm, &state, s->prompt[i]);
    s->text.len = 0;
    for (count = given; count < given + sampling->tokens; count++) {
        uint32_t step = (uint32_t)(count - given), most = sampling->top_k, token;

        if (sample_temperature(sampling, step) == 0) most = 1;
        token = sample_pick(s->candidate, candidates(s, m, state, most), sampling, step);
        out->stopped = token == LM_END;
        if (out->stopped) break;
        if (ARRAY_GROW(s->prompt, s->prompt_room, count) < 0 ||
            bytes_append_slice(&s->text, piece_of(lm, token)) < 0)
            return err_memory(err, s->text.len + LM_PIECE_MAX, "a generated text");
        s->prompt[count] = token;
        lm_step(lm, &state, token);
    }
    out->id = s->prompt;
    out->prompt = given;
    out->count = count - given;
    out->text = bytes_slice(&s->text);
    return 0;
}

static const struct model_calls ngram_calls = {
    .close = ngram_close, .session_open = ngram_session_open, .session_close = ngram_session_close,
        .tokenize = ngram_tokenize,
    .score = ngram_score, .padding = ngram_padding, .generate = ngram_generate,
};

int model_ngram_open(struct model **out, const struct model_options *options, struct err *err)
{
    struct ngram *m = calloc(1, sizeof *m);
    int           rc;

    if (!m) return err_memory(err, sizeof *m, "a model");
    if ((rc = lm_open(&m->lm, options->path, err)) < 0) goto fail;
    if ((rc = index_tokens(m, err)) < 0) goto fail;
    if (!(m->name = strdup(options->name))) {
        rc = err_memory(err, strlen(options->name), "a name");
        goto fail;
    }
    m->model.calls = &ngram_calls;
    m->model.info = (struct model_info){ .name = m->name, .backend = "ngram", .context = options->context,
                                         .vocabulary = m->lm.tokens,
                                         .parameters = m->lm.arcs + m->lm.states, .parallel = 1 << 16,
                                             .moments = true };
    m->model.info.key = unit_key_add(unit_key_add((struct unit_key){ 0 }, "ngram 1", 7), &m->lm.xxh3,
                                     sizeof m->lm.xxh3);
    m->model.info.key = unit_key_add(m->model.info.key, &options->context, sizeof options->context);
    *out = &m->model;
    return 0;
fail:
    ngram_close(&m->model);
    return rc;
}
