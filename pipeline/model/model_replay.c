/* model/model_replay.c -- the backend `replay`: what a model once answered, from JSON lines (packed or not).
 *
 *   {"text": "...", "tokens": [["piece", id], ...], "context": 1024,
 *    "windows": [{"begin": 0, "end": 300, "from": 1, "logprobs": [...], "means": [...], "deviations": [...]}, ...]}
 *   {"prompt": "...", "sampling": {"tokens": 20, "temperature": 0, "top_k": 0, "top_p": 1, "decay_from": 0,
 *    "decay_tokens": 0, "seed": 0}, "generated": {"text": "...", "ids": [...], "prompt_ids": [...], "stopped": false}}
 *
 * The pieces, one after the other, are the text; "pieces": [...] and "ids": [...] may stand for "tokens".  A window
 * tells the natural logarithms of tokens [from, end) after the tokens [begin, ...) before them, so that it answers for
 * each window that begins there, ends no later and asks for no earlier token; means and deviations (of log p over the
 * vocabulary) may be missing, or null for a token.  A text may stand in several lines with the same tokens: their
 * windows add up, and the last of two that answer the same counts.  "context" (tokens of the model's window) is the
 * same in all lines that have it.  Of sampling only "tokens" must be there, the others are 0 and top_p 1; what cannot
 * matter (seed at temperature 0) is not looked at.  Other keys are passed over. Strings need not be UTF-8: a piece may
 * be a part of a character.
 *
 * A line that is anything else is counted, said with its reason, and passed over. */
#include "model/model.h"

#include "base/log.h"
#include "base/table.h"
#include "corpus/line.h"
#include "corpus/source.h"
#include "model/json_nul.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SAID_MOST = 10 };                                    /* lines that are told one by one */
#define NONE UINT32_MAX

/* Places are those of the arrays that hold all numbers. */
struct window { size_t score; uint32_t begin, end, from, next; };               /* next: one recorded before it, NONE */
/* ids [count], at [count + 1]; window: the last one recorded */
struct text   { size_t id, at; uint32_t count, window; };
struct answer { size_t id, text, len; uint32_t prompt, count; bool stopped; };

struct replay {
    struct model        model;
    /* hash of a text: its number; of a prompt and its sampling: its answer's */
    struct table        index;
    struct text        *text;                               /* [texts] */
    struct window      *window;                             /* [windows] */
    struct answer      *answer;                             /* [answers] */
    struct model_score *score;                              /* [scores] */
    uint32_t           *number;                             /* [numbers] ids and places */
    struct bytes        made;                               /* generated texts */
    size_t              texts, text_room, windows, window_room, answers, answer_room, scores, score_room, numbers,
        number_room;
    uint64_t            rejects;
    uint32_t            context;                            /* as recorded; 0: nothing said */
    char               *name, *path;
};

struct replay_session { struct model_session session; uint32_t text; };         /* the last one cut; NONE */

/* ---- keys ---- */

enum kind { KIND_TEXT, KIND_PROMPT };

static XXH128_hash_t key_of(enum kind kind, struct slice text, const struct model_sampling *sampling)
{
    XXH3_state_t state;
    struct { uint64_t seed; double temperature, top_p, decay_from; uint32_t kind, tokens, top_k, decay_tokens; } known =
        { .kind = kind };

    if (sampling) {
        known.tokens = sampling->tokens;
        known.temperature = sampling->temperature + 0;         /* of -0 too */
        known.decay_tokens = sampling->decay_from != sampling->temperature ? sampling->decay_tokens : 0;
        known.decay_from = known.decay_tokens ? sampling->decay_from + 0 : 0;
        if (known.temperature > 0 || known.decay_tokens) {
            known.seed = sampling->seed;
            known.top_k = sampling->top_k;
            known.top_p = sampling->top_p;
        }
    }
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, &known, sizeof known);
    XXH3_128bits_update(&state, text.at, text.len);
    return XXH3_128bits_digest(&state);
}

/* ---- lines ---- */

/* What a line is refused for; returns 0. */
static int refuse(struct err *why, const char *format, const char *what)
{
    err_set(why, -EBADMSG, format, what);
    return 0;
}

/* A whole number of at most `most`; false when the value is none. */
static bool whole(const cJSON *value, double most, double *out)
{
    if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0 && value->valuedouble <= most) ||
        value->valuedouble != floor(value->valuedouble))
        return false;
    *out = value->valuedouble;
    return true;
}

/* An optional number; `otherwise` when it is not there. */
static bool number_or(const cJSON *object, const char *key, double otherwise, double *out)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    *out = value ? value->valuedouble : otherwise;
    return !value || (cJSON_IsNumber(value) && isfinite(*out) && *out >= 0);
}

static bool optional_whole(const cJSON *object, const char *key, double most, double *out)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

    *out = 0;
    return !value || whole(value, most, out);
}

static int push_number(struct replay *m, uint32_t value, struct err *err)
{
    if (ARRAY_GROW(m->number, m->number_room, m->numbers) < 0)
        return err_memory(err, 4 * m->numbers, "recorded tokens");
    m->number[m->numbers++] = value;
    return 0;
}

/* The functions below: 1, 0 with *why, <0 with *err. */

static int push_ids(struct replay *m, const cJSON *list, size_t *first, uint32_t *count, const char *name,
                    struct err *why, struct err *err)
{
    const cJSON *item;
    double       id;

    *first = m->numbers;
    *count = 0;
    if (!cJSON_IsArray(list)) return refuse(why, "no list `%s'", name);
    cJSON_ArrayForEach(item, list) {
        if (!whole(item, UINT32_MAX, &id)) return refuse(why, "`%s' has something that is no token's number", name);
        if (push_number(m, (uint32_t)id, err) < 0) return err->code;
        ++*count;
    }
    return 1;
}

/* Tokens as pairs, or as two lists; ids and places are pushed. */
static int push_tokens(struct replay *m, const cJSON *line, struct slice text, struct text *out, struct err *why,
                       struct err *err)
{
    const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(line, "tokens"),
        *ids = cJSON_GetObjectItemCaseSensitive(line, "ids");
    const cJSON *pieces = cJSON_GetObjectItemCaseSensitive(line, "pieces"), *list = pairs ? pairs : pieces, *item;
    size_t       at = 0;
    double       id;
    int          rc;

    *out = (struct text){ .id = m->numbers, .window = NONE };
    if (!cJSON_IsArray(list)) return refuse(why, "no list `%s'", "tokens");
    if (!pairs && (rc = push_ids(m, ids, &out->id, &out->count, "ids", why, err)) <= 0) return rc;
    if (pairs)
        cJSON_ArrayForEach(item, pairs) {
            if (!cJSON_IsArray(item) || !item->child || !whole(item->child->next, UINT32_MAX, &id) ||
                item->child->next->next)
                return refuse(why, "`%s' has something that is no pair of a piece and its number", "tokens");
            if (push_number(m, (uint32_t)id, err) < 0) return err->code;
            out->count++;
        }
    else if ((uint32_t)cJSON_GetArraySize(pieces) != out->count)
        return refuse(why, "as many `%s' as there are ids are wanted", "pieces");
    out->at = m->numbers;
    cJSON_ArrayForEach(item, list) {
        const char *piece = cJSON_GetStringValue(pairs ? item->child : item);
        size_t      len = piece ? strlen(piece) : 0;

        if (!piece || len > text.len - at || memcmp(piece, text.at + at, len) != 0)
            return refuse(why, "the pieces are not the text%s", "");
        if (push_number(m, (uint32_t)at, err) < 0) return err->code;
        at += len;
    }
    if (at != text.len) return refuse(why, "the pieces are not the text%s", "");
    return push_number(m, (uint32_t)at, err) < 0 ? err->code : 1;
}

/* The next number of a list that must have one: at most `most`, and 0 or less or 0 or more. */
static bool next_number(const cJSON **item, bool optional, int sign, double *out)
{
    const cJSON *value = *item;

    *out = NAN;
    if (!value) return false;
    *item = value->next;
    if (optional && cJSON_IsNull(value)) return true;
    *out = value->valuedouble;
    return cJSON_IsNumber(value) && isfinite(*out) && *out * sign >= 0;
}

static int push_window(struct replay *m, const cJSON *value, struct text *text, struct err *why, struct err *err)
{
    const cJSON  *logprobs = cJSON_GetObjectItemCaseSensitive(value, "logprobs"),
        *means = cJSON_GetObjectItemCaseSensitive(value, "means");
    const cJSON  *deviations = cJSON_GetObjectItemCaseSensitive(value, "deviations"), *logprob, *mean, *deviation;
    double        begin, end, from;
    struct window window;

    if (!whole(cJSON_GetObjectItemCaseSensitive(value, "begin"), UINT32_MAX, &begin) ||
        !whole(cJSON_GetObjectItemCaseSensitive(value, "end"), text->count, &end) ||
        !whole(cJSON_GetObjectItemCaseSensitive(value, "from"), end, &from) || begin >= from)
        return refuse(why, "a window is no begin < from <= end within the tokens%s", "");
    if (!cJSON_IsArray(logprobs) || (means && !cJSON_IsArray(means)) || (deviations && !cJSON_IsArray(deviations)))
        return refuse(why, "a window without a list `%s', or with something else instead of one", "logprobs");
    window = (struct window){ m->scores, (uint32_t)begin, (uint32_t)end, (uint32_t)from, text->window };
    logprob = logprobs->child;
    mean = means ? means->child : NULL;
    deviation = deviations ? deviations->child : NULL;
    for (uint32_t i = window.from; i < window.end; i++) {
        struct model_score score = { NAN, NAN, NAN };

        if (!next_number(&logprob, false, -1, &score.logprob))
            return refuse(why, "`%s' wants one for each token, finite and at most 0", "logprobs");
        if (means && !next_number(&mean, true, -1, &score.mean))
            return refuse(why, "`%s' wants one for each token, finite and at most 0, or null", "means");
        if (deviations && !next_number(&deviation, true, 1, &score.deviation))
            return refuse(why, "`%s' wants one for each token, finite and at least 0, or null", "deviations");
        if (!isnan(score.mean) && !isnan(score.deviation)) m->model.info.moments = true;
        if (ARRAY_GROW(m->score, m->score_room, m->scores) < 0)
            return err_memory(err, 24 * m->scores, "recorded scores");
        m->score[m->scores++] = score;
    }
    if (logprob || mean || deviation) return refuse(why, "a window has more numbers than tokens%s", "");
    if (m->windows >= NONE || ARRAY_GROW(m->window, m->window_room, m->windows) < 0)
        return err_memory(err, m->windows * sizeof *m->window, "recorded windows");
    text->window = (uint32_t)m->windows;
    m->window[m->windows++] = window;
    return 1;
}

static bool same_tokens(const struct replay *m, const struct text *a, const struct text *b)
{
    return a->count == b->count && memcmp(m->number + a->id, m->number + b->id, a->count * sizeof *m->number) == 0
        && memcmp(m->number + a->at, m->number + b->at, a->count * sizeof *m->number) == 0;
}

static int add_text(struct replay *m, const cJSON *line, struct slice text, struct err *why, struct err *err)
{
    const cJSON  *windows = cJSON_GetObjectItemCaseSensitive(line, "windows"), *item;
    XXH128_hash_t key = key_of(KIND_TEXT, text, NULL);
    struct text   read;
    uint32_t      known = table_find(&m->index, key.low64, key.high64);
    double        context;
    bool          added;
    int           rc;

    if (!optional_whole(line, "context", UINT32_MAX, &context) || (m->context && context > 0 && context != m->context))
        return refuse(why, "`%s' is no number of tokens, or another one than before", "context");
    if (windows && !cJSON_IsArray(windows)) return refuse(why, "`%s' is no list", "windows");
    if ((rc = push_tokens(m, line, text, &read, why, err)) <= 0) return rc;
    if (known != TABLE_NONE) {
        if (!same_tokens(m, &read, &m->text[known]))
            return refuse(why, "the text has other tokens than in a line before%s", "");
        m->numbers = read.id;                               /* they are there already */
        read = m->text[known];
    }
    cJSON_ArrayForEach(item, windows)
        if ((rc = push_window(m, item, &read, why, err)) <= 0) return rc;
    if (context > 0) m->context = (uint32_t)context;
    if (known == TABLE_NONE) {
        if (m->texts >= NONE || ARRAY_GROW(m->text, m->text_room, m->texts) < 0)
            return err_memory(err, m->texts * sizeof *m->text, "recorded texts");
        if (table_put(&m->index, key.low64, key.high64, (uint32_t)m->texts, &added) == TABLE_NONE)
            return err_memory(err, 24 * m->texts, "recorded texts");
        known = (uint32_t)m->texts++;
    }
    m->text[known] = read;
    return 1;
}

static bool read_sampling(const cJSON *value, struct model_sampling *out)
{
    double tokens, top_k, decay_tokens, seed;

    *out = (struct model_sampling){ 0 };
    if (!whole(cJSON_GetObjectItemCaseSensitive(value, "tokens"), UINT32_MAX, &tokens) ||
        !optional_whole(value, "top_k", UINT32_MAX, &top_k) ||
        !optional_whole(value, "decay_tokens", UINT32_MAX, &decay_tokens) ||
            !optional_whole(value, "seed", 9007199254740992, &seed) ||
        !number_or(value, "temperature", 0, &out->temperature) ||
            !number_or(value, "decay_from", 0, &out->decay_from) || !number_or(value, "top_p", 1, &out->top_p))
        return false;
    out->tokens = (uint32_t)tokens;
    out->top_k = (uint32_t)top_k;
    out->decay_tokens = (uint32_t)decay_tokens;
    out->seed = (uint64_t)seed;
    return true;
}

static int add_answer(struct replay *m, const cJSON *line, struct slice prompt, struct err *why, struct err *err)
{
    const cJSON          *generated = cJSON_GetObjectItemCaseSensitive(line, "generated"),
        *stopped = cJSON_GetObjectItemCaseSensitive(generated, "stopped");
    const cJSON          *prompt_ids = cJSON_GetObjectItemCaseSensitive(generated, "prompt_ids"),
        *ids = cJSON_GetObjectItemCaseSensitive(generated, "ids");
    const char           *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(generated, "text"));
    struct model_sampling sampling;
    struct answer         read;
    XXH128_hash_t         key;
    size_t                first;
    uint32_t              number;
    bool                  added;
    int                   rc;

    if (!read_sampling(cJSON_GetObjectItemCaseSensitive(line, "sampling"), &sampling))
        return refuse(why, "`%s' has no number of tokens, or something that is no number of 0 or more", "sampling");
    if (!text) return refuse(why, "`%s' has no text", "generated");
    if (stopped && !cJSON_IsBool(stopped)) return refuse(why, "`%s' is neither true nor false", "stopped");
    read = (struct answer){ .text = m->made.len, .len = strlen(text), .stopped = cJSON_IsTrue(stopped) };
    if ((rc = push_ids(m, prompt_ids, &read.id, &read.prompt, "prompt_ids", why, err)) <= 0) return rc;
    if ((rc = push_ids(m, ids, &first, &read.count, "ids", why, err)) <= 0) return rc;
    if (read.count > sampling.tokens) return refuse(why, "more `%s' than sampling asks for", "ids");
    if (bytes_append(&m->made, text, read.len) < 0) return err_memory(err, m->made.len + read.len, "recorded texts");
    if (m->answers >= NONE || ARRAY_GROW(m->answer, m->answer_room, m->answers) < 0)
        return err_memory(err, m->answers * sizeof *m->answer, "recorded texts");
    key = key_of(KIND_PROMPT, prompt, &sampling);
    number = table_put(&m->index, key.low64, key.high64, (uint32_t)m->answers, &added);
    if (number == TABLE_NONE) return err_memory(err, 24 * m->answers, "recorded texts");
    m->answer[number] = read;
    m->answers += added;
    return 1;
}

static int add_line(struct replay *m, struct slice line, struct err *why, struct err *err)
{
    const bool   nul = json_has_nul(line);
    const char  *end = line.at;
    cJSON       *value = nul ? NULL : cJSON_ParseWithLengthOpts(line.at, line.len, &end, false);
    const char  *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(value, "text"));
    const char  *prompt = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(value, "prompt"));
    const size_t numbers = m->numbers, scores = m->scores, windows = m->windows, made = m->made.len;
    const bool   moments = m->model.info.moments;
    char         place[24];
    int          rc;

    while (value && end < line.at + line.len && line_is_blank_byte(*end)) end++;
    snprintf(place, sizeof place, "%zu", (size_t)(end - line.at));
    if (nul) rc = refuse(why, "a NUL%s", "");
    else if (!value || end < line.at + line.len) rc = refuse(why, "no JSON at byte %s of the line", place);
    else if (text && !prompt) rc = add_text(m, value, slice_of(text), why, err);
    else if (prompt && !text) rc = add_answer(m, value, slice_of(prompt), why, err);
    else rc = refuse(why, "neither a text nor a prompt%s", "");
    cJSON_Delete(value);
    if (rc > 0) return rc;
    m->numbers = numbers;                                   /* nothing of it stays */
    m->scores = scores;
    m->windows = windows;
    m->made.len = made;
    m->model.info.moments = moments;
    return rc;
}

/* ---- the file ---- */

static void say_reject(struct replay *m, uint64_t record, uint64_t byte, const char *why)
{
    if (m->rejects++ >= SAID_MOST) return;
    log_rank_warn("%s: line %llu (byte %llu) is passed over: %s", m->path, (unsigned long long)record + 1,
                  (unsigned long long)byte, why);
}

static int read_batch(struct replay *m, struct batch *batch, struct err *err)
{
    struct record record;
    int           rc = 0, more;

    while ((more = batch_next(batch, &record, err)) > 0) {
        struct err why = { 0 };

        if (line_is_blank(record.text)) continue;
        if ((rc = add_line(m, record.text, &why, err)) < 0) return rc;
        if (rc == 0) say_reject(m, record.number, record.byte, why.text);
    }
    for (size_t i = 0; i < batch->rejects.count; i++)
        say_reject(m, batch->rejects.at[i].record, batch->rejects.at[i].byte, batch->rejects.at[i].detail);
    batch->rejects.count = 0;
    return more;
}

static int read_file(struct replay *m, struct err *err)
{
    const struct dataset dataset = { .name = m->name, .format = FORMAT_LINES };
    const struct shard   shard = { .path = m->path, .name = m->path };
    struct source       *source;
    struct batch         batch = { 0 };
    uint64_t             xxh3;
    int                  rc = source_open(&source, &dataset, &shard, err);

    if (rc < 0) return rc;
    while ((rc = source_next(source, &batch, err)) > 0 && (rc = read_batch(m, &batch, err)) >= 0) continue;
    xxh3 = rc == 0 ? source_xxh3(source) : 0;
    m->model.info.key = unit_key_add(unit_key_add((struct unit_key){ 0 }, "replay 1", 8), &xxh3, sizeof xxh3);
    batch_free(&batch);
    source_close(source);
    if (rc < 0) return rc;
    if (m->rejects > SAID_MOST)
        log_rank_warn("%s: lines=%llu are passed over", m->path, (unsigned long long)m->rejects);
    if (m->texts + m->answers == 0)
        return err_set(err, -EBADMSG, "%s: has no recorded answer (model/model_replay.c says what a line is)", m->path);
    return 0;
}

static void replay_close(struct model *model)
{
    struct replay *m = (struct replay *)model;

    table_free(&m->index);
    free(m->text);
    free(m->window);
    free(m->answer);
    free(m->score);
    free(m->number);
    bytes_free(&m->made);
    free(m->name);
    free(m->path);
    free(m);
}

static int replay_session_open(struct model_session **out, struct model *model, struct err *err)
{
    struct replay_session *s = calloc(1, sizeof *s);

    (void)model;
    if (!s) return err_memory(err, sizeof *s, "a session");
    s->text = NONE;
    *out = &s->session;
    return 0;
}

static void replay_session_close(struct model_session *session) { free(session); }

/* ---- answers ---- */

static const uint32_t nothing[1];                           /* where the numbers of nothing are */

static int replay_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    struct replay_session *s = (struct replay_session *)session;
    const struct replay   *m = (const struct replay *)session->model;
    XXH128_hash_t          key = key_of(KIND_TEXT, text, NULL);

    s->text = table_find(&m->index, key.low64, key.high64);
    out->id = out->at = nothing;
    if (s->text == NONE && text.len == 0) return 0;
    if (s->text == NONE)
        return err_set(err, -ENODATA, "this text of %zu bytes is none of the %zu recorded in %s", text.len, m->texts,
                       m->path);
    out->id = m->number + m->text[s->text].id;
    out->at = m->number + m->text[s->text].at;
    out->count = m->text[s->text].count;
    return 0;
}

static int no_window(const struct replay *m, uint32_t first, size_t begin, size_t end, size_t from, struct err *err)
{
    char   known[400] = "";
    size_t used = 0;

    for (uint32_t w = first; w != NONE && used + 80 < sizeof known; w = m->window[w].next)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s[%u, %u) from %u", used ? ", " : "",
                                 m->window[w].begin, m->window[w].end, m->window[w].from);
    return err_set(err, -ENODATA, "window [%zu, %zu) from token %zu is not recorded; recorded: %s", begin, end, from,
                   used ? known : "none");
}

static int replay_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                        size_t from, struct model_score *out,
                        struct err *err)
{
    const struct replay *m = (const struct replay *)session->model;
    const struct text   *text = &m->text[((struct replay_session *)session)->text];
    uint32_t             w = text->window;

    (void)tokens;
    while (w != NONE && !(m->window[w].begin == begin && m->window[w].from <= from && m->window[w].end >= end))
        w = m->window[w].next;
    if (w == NONE) return no_window(m, text->window, begin, end, from, err);
    memcpy(out, m->score + m->window[w].score + (from - m->window[w].from), (end - from) * sizeof *out);
    return 0;
}

static int replay_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                           struct model_generation *out,
                           struct err *err)
{
    const struct replay *m = (const struct replay *)session->model;
    XXH128_hash_t        key = key_of(KIND_PROMPT, prompt, sampling);
    uint32_t             number = table_find(&m->index, key.low64, key.high64);
    const struct answer *a;

    if (number == TABLE_NONE)
        return err_set(err, -ENODATA, "what follows this prompt of %zu bytes (%u tokens, temperature %g, top_k %u, "
                                      "top_p %g, seed %llu) is none of the %zu "
                       "recorded in %s", prompt.len, sampling->tokens, sampling->temperature, sampling->top_k,
                           sampling->top_p,
                       (unsigned long long)sampling->seed, m->answers, m->path);
    a = &m->answer[number];
    *out = (struct model_generation){ .id = nothing, .prompt = a->prompt, .count = a->count, .text = SLICE(""),
                                      .stopped = a->stopped };
    if (a->prompt || a->count) out->id = m->number + a->id;
    if (a->len) out->text = (struct slice){ m->made.at + a->text, a->len };
    return 0;
}

static const struct model_calls replay_calls = {
    .close = replay_close, .session_open = replay_session_open, .session_close = replay_session_close,
        .tokenize = replay_tokenize,
    .score = replay_score, .generate = replay_generate,
};

int model_replay_open(struct model **out, const struct model_options *options, struct err *err)
{
    struct replay *m = calloc(1, sizeof *m);
    int            rc;

    if (!m) return err_memory(err, sizeof *m, "a model");
    m->name = strdup(options->name);
    m->path = strdup(options->path);
    rc = m->name && m->path ? read_file(m, err) : err_memory(err, strlen(options->name) + strlen(options->path),
                                                             "names");
    if (rc == 0 && options->context && m->context && options->context > m->context)
        rc = err_set(err, -EINVAL, "a context of %u tokens is more than the recorded %u", options->context, m->context);
    if (rc < 0) {
        replay_close(&m->model);
        return rc;
    }
    m->model.calls = &replay_calls;
    m->model.info.name = m->name;
    m->model.info.backend = "replay";
    m->model.info.context = options->context ? options->context : m->context;
    m->model.info.parallel = 1 << 16;
    m->model.info.key = unit_key_add(m->model.info.key, &m->model.info.context, sizeof m->model.info.context);
    *out = &m->model;
    return 0;
}
