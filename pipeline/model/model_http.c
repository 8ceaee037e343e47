/* model/model_http.c -- the backend `http`: a server of completions, asked for what it can tell.
 *
 * A text is cut into tokens by the answer that also has the scores of its first window, so that both cost one request.
 * Further windows are asked for as ids where the server takes and tells them, else as text; tokens that are then others
 * than expected are no answer.  llama.cpp's server is asked for each token.  An id of ours is the number of a token's
 * bytes among those that the session has seen. */
#include "model/http.h"
#include "model/sample.h"

#include "base/log.h"
#include "base/table.h"
#include "base/utf8.h"
#include "corpus/writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* What the server was found to do, as it is kept in the cache. */
struct abilities {
    uint32_t scoring;                                       /* enum http_scoring */
    /* new tokens that a request for scores has to ask for: 0 or 1 */
    uint32_t least;
    uint32_t plain;                                         /* it takes add_special_tokens */
    /* and puts its begin of text before a prompt nevertheless */
    uint32_t begun;
    /* it tells the ids of a text's tokens, and takes ids for a prompt */
    uint32_t ids;
    uint32_t context;                                       /* tokens, 0: not known */
};

struct http_model {
    struct model        model;
    struct http_client *client;
    char               *name, *served;
    struct abilities    can;
    struct err          why;                                /* why it tells no scores */
};

struct http_session {
    struct model_session   session;
    struct http_line      *line;
    /* of the last text that was tokenized; of a window or a generation */
    struct http_completion told, other;
    struct table           vocabulary;                      /* xxh3-128 of a token's bytes: its id */
    uint32_t              *id, *made;                       /* of the last text; of a generation */
    size_t                 id_room, made_room;
    /* the server's ids of the last text (count 0: not asked for); of another */
    struct http_ids        server, spare;
    struct bytes           body, text, prompt;
};

static const struct http_model *model_of(const struct http_session *s)
{
    return (const struct http_model *)s->session.model;
}

/* ---- asking ---- */

static int no_room(const struct bytes *b, struct err *err) { return err_memory(err, b->len, "a request"); }

/* JSON is UTF-8, and a string with a NUL comes back cut. */
static int sendable(struct slice text, struct err *err)
{
    size_t valid = utf8_valid_length(text);

    if (valid < text.len)
        return err_set(err, -ENODATA, "the text is not UTF-8 at byte %zu; a server takes nothing else", valid);
    if (text.len && memchr(text.at, 0, text.len))
        return err_set(err, -ENODATA, "the text has a NUL, which a server does not take");
    return 0;
}

static int body_begin(struct bytes *body, const char *served, struct slice text, const uint32_t *id, size_t ids,
                      struct err *err)
{
    int rc;

    body->len = 0;
    rc = bytes_printf(body, "{\"model\": ");
    if (rc == 0) rc = json_append_string(body, slice_of(served));
    if (rc == 0) rc = bytes_printf(body, ", \"prompt\": ");
    if (rc == 0 && !id) rc = json_append_string(body, text);
    for (size_t i = 0; rc == 0 && id && i < ids; i++) rc = bytes_printf(body, "%s%u", i ? ", " : "[", id[i]);
    if (rc == 0 && id) rc = bytes_printf(body, "]");
    return rc < 0 ? no_room(body, err) : 0;
}

/* Scores of a prompt, given as text or as ids of the same. */
static int ask_scores(struct http_line *line, struct bytes *body, const char *served, const struct abilities *can,
                      struct slice text, const uint32_t *id, size_t ids,
                      struct http_completion *out, struct err *err)
{
    struct http_request request = { .path = "completions", .most = (id ? ids : text.len) + 1 + can->least };
    struct http_answer  answer;
    int                 rc = body_begin(body, served, text, id, ids, err);

    if (rc < 0) return rc;
    rc = can->scoring == HTTP_ECHO
        ? bytes_printf(body, ", \"max_tokens\": %u, \"temperature\": 0, \"echo\": true, \"logprobs\": 1", can->least)
                                   : bytes_printf(body, ", \"max_tokens\": %u, \"temperature\": 0, "
                                                        "\"prompt_logprobs\": 0", can->least);
    if (rc == 0 && can->plain) rc = bytes_printf(body, ", \"add_special_tokens\": false");
    if (rc == 0) rc = bytes_append(body, "}", 1);
    if (rc < 0) return no_room(body, err);
    request.body = bytes_slice(body);
    if ((rc = http_ask(line, &request, &answer, err)) < 0) return rc;
    rc = http_completion_read(out, answer.json, (enum http_scoring)can->scoring, text, 0, err);
    return rc < 0 ? rc : http_keep(line, &answer, err);
}

/* The server's own ids of a text (vLLM's /tokenize); *context is set where it tells it. */
static int ask_ids(struct http_line *line, struct bytes *body, const char *served, struct slice text,
                   struct http_ids *out, uint32_t *context, struct err *err)
{
    struct http_request request = { .path = "/tokenize" };
    struct http_answer  answer;
    const cJSON        *list, *item, *most;
    int                 rc = body_begin(body, served, text, NULL, 0, err);

    out->count = 0;
    if (rc < 0) return rc;
    if (bytes_printf(body, ", \"add_special_tokens\": false}") < 0) return no_room(body, err);
    request.body = bytes_slice(body);
    if ((rc = http_ask(line, &request, &answer, err)) < 0) return rc;
    list = cJSON_GetObjectItem(answer.json, "tokens");
    most = cJSON_GetObjectItem(answer.json, "max_model_len");
    if (!cJSON_IsArray(list)) return err_set(err, -ENODATA, "the server's /tokenize gives no tokens");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= INT32_MAX))
            return err_set(err, -ENODATA, "token %zu of the server's /tokenize is no id", out->count);
        if (ARRAY_GROW(out->at, out->room, out->count) < 0)
            return err_memory(err, out->count * sizeof *out->at, "the tokens of a text");
        out->at[out->count++] = (uint32_t)item->valuedouble;
    }
    if (context && cJSON_IsNumber(most) && most->valuedouble >= 4 && most->valuedouble <= INT32_MAX)
        *context = (uint32_t)most->valuedouble - 2;
    return http_keep(line, &answer, err);
}

/* ---- what the server can ---- */

/* Of calls that lie outside of /v1 and are asked behind one of it, so that the key is known to be good: gateways answer
 * with 403 or a page what they do not pass on. */
static bool refused(int rc) { return rc == -ENODATA || rc == -ENOENT || rc == -EACCES || rc == -EBADMSG; }

/* One short text settles it.  Servers refuse what they do not know, or pass it over in silence; only an answer that
 * holds all that is needed counts. */
static int find_scoring(struct http_model *m, struct http_line *line, struct bytes *body, struct slice text,
                        struct http_completion *out, struct err *err)
{
    static const struct abilities ways[] = {
        { .scoring = HTTP_ECHO, .least = 0, .plain = 1 }, { .scoring = HTTP_ECHO, .least = 1, .plain = 1 },
        { .scoring = HTTP_PROMPT_LOGPROBS, .least = 1, .plain = 1 },
        { .scoring = HTTP_ECHO, .least = 0 }, { .scoring = HTTP_ECHO, .least = 1 },
    };
    int rc = -ENODATA;

    for (size_t i = 0; i < sizeof ways / sizeof *ways && rc == -ENODATA; i++) {
        m->can = ways[i];
        rc = ask_scores(line, body, m->served, &m->can, text, NULL, 0, out, err);
    }
    if (rc == 0) m->can.begun = out->begun;
    if (rc != -ENODATA) return rc;
    m->can = (struct abilities){ .scoring = HTTP_EACH };
    m->why = *err;
    rc = http_each_check(&(struct http_each){ line, body, m->served }, text, err);
    if (!refused(rc)) return rc;
    m->can.scoring = HTTP_NO_SCORES;
    *err = (struct err){ 0 };
    return 0;
}

static int find_ids(struct http_model *m, struct http_line *line, struct bytes *body, struct slice text,
                    struct http_completion *out, struct err *err)
{
    const size_t    expected = out->prompt;
    struct http_ids ids = { 0 };
    int             rc = ask_ids(line, body, m->served, text, &ids, &m->can.context, err);

    if (rc == 0 && ids.count == expected) {
        rc = ask_scores(line, body, m->served, &m->can, text, ids.at, ids.count, out, err);
        m->can.ids = rc == 0 && out->prompt == expected;
    }
    free(ids.at);
    if (!refused(rc)) return rc;
    *err = (struct err){ 0 };
    return 0;
}

static struct unit_key abilities_key(const struct http_model *m, const struct model_options *options)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, "abilities 1", 11);

    key = unit_key_add(key, options->url, strlen(options->url));
    return unit_key_add(key, m->served, strlen(m->served));
}

static int find_abilities(struct http_model *m, const struct model_options *options, struct err *err)
{
    const struct slice      text = SLICE("def add(a, b):\n    return a + b\n");
    const struct http_cache cache = { options->cache && options->cache[0] ? options->cache : NULL };
    const struct unit_key   key = abilities_key(m, options);
    struct http_completion  completion = { 0 };
    struct http_line       *line = NULL;
    struct bytes            body = { 0 };
    int                     rc = http_cache_find(&cache, key, &body, err);
    const bool              known = rc == 1 && body.len == sizeof m->can;

    if (known) memcpy(&m->can, body.at, sizeof m->can);
    if (rc < 0 || known) goto done;
    if ((rc = http_line_open(&line, m->client, err)) < 0) goto done;
    rc = find_scoring(m, line, &body, text, &completion, err);
    if (rc == 0 && m->can.scoring && m->can.scoring != HTTP_EACH) rc = find_ids(m, line, &body, text, &completion, err);
    if (rc == 0 && m->can.scoring)
        rc = http_cache_keep(&cache, key, (struct slice){ (const char *)&m->can, sizeof m->can }, err);
done:
    http_line_close(line);
    http_completion_free(&completion);
    bytes_free(&body);
    return rc < 0 ? rc : 0;
}

static void abilities_log(const struct http_model *m)
{
    static const char *const how[] = { "not at all", "by echo", "by prompt_logprobs", "token by token" };

    log_info("model %s: scores=%s windows=%s begin_of_text=%s context=%u", m->name, how[m->can.scoring],
             m->can.ids || m->can.scoring == HTTP_EACH ? "ids" : "text", m->can.begun ? "always" : "never",
                 m->model.info.context);
    if (!m->can.scoring) log_warn("model %s: the server tells no probabilities of a prompt: %s", m->name, m->why.text);
}

/* ---- opening ---- */

static void http_close(struct model *model)
{
    struct http_model *m = (struct http_model *)model;

    http_client_close(m->client);
    free(m->name);
    free(m->served);
    free(m);
}

static int http_session_open(struct model_session **out, struct model *model, struct err *err)
{
    struct http_session *s = calloc(1, sizeof *s);
    int                  rc;

    if (!s) return err_memory(err, sizeof *s, "a session");
    if ((rc = http_line_open(&s->line, ((struct http_model *)model)->client, err)) < 0) {
        free(s);
        return rc;
    }
    *out = &s->session;
    return 0;
}

static void http_session_close(struct model_session *session)
{
    struct http_session *s = (struct http_session *)session;

    http_line_close(s->line);
    http_completion_free(&s->told);
    http_completion_free(&s->other);
    table_free(&s->vocabulary);
    free(s->id);
    free(s->server.at);
    free(s->spare.at);
    free(s->made);
    bytes_free(&s->body);
    bytes_free(&s->text);
    bytes_free(&s->prompt);
    free(s);
}

/* ---- tokens ---- */

/* Ids of tokens at[0] to at[count] of a text, to (*id)[before] and on. */
static int number_tokens(struct http_session *s, const char *text, const uint32_t *at, size_t count, uint32_t **id,
                         size_t *room, size_t before, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        XXH128_hash_t hash = XXH3_128bits(text + at[i], at[i + 1] - at[i]);
        bool          added;
        uint32_t      number = table_put(&s->vocabulary, hash.low64, hash.high64, (uint32_t)s->vocabulary.count,
                                         &added);

        if (number == TABLE_NONE || ARRAY_GROW(*id, *room, before + i) < 0)
            return err_memory(err, count * sizeof **id, "the tokens of a text");
        (*id)[before + i] = number;
    }
    return 0;
}

/* The tokens of a text, and the scores of the window that begins with it, or with HTTP_EACH the server's ids. */
static int tell(struct http_session *s, struct slice text, struct http_completion *out, struct http_ids *ids,
                struct err *err)
{
    const struct http_model *m = model_of(s);
    const struct http_each   each = { s->line, &s->body, m->served };
    int                      rc;

    if (!m->can.scoring)
        return err_set(err, -ENODATA, "the server tells no probabilities of a prompt, by `echo` with `logprobs`, by "
                                      "`prompt_logprobs` or as llama.cpp's does");
    rc = sendable(text, err);
    if (rc == 0 && m->can.scoring == HTTP_EACH) rc = http_each_tokenize(&each, text, out, ids, err);
    else if (rc == 0) rc = ask_scores(s->line, &s->body, m->served, &m->can, text, NULL, 0, out, err);
    return rc;
}

static int http_tokenize(struct model_session *session, struct slice text, struct model_tokens *out, struct err *err)
{
    static const uint32_t none[1] = { 0 };
    struct http_session  *s = (struct http_session *)session;
    int                   rc;

    s->server.count = 0;
    s->told.prompt = 0;
    out->at = none;
    if (!text.len) return 0;
    if ((rc = tell(s, text, &s->told, &s->server, err)) < 0 ||
        (rc = number_tokens(s, text.at, s->told.at, s->told.prompt, &s->id, &s->id_room, 0, err)) < 0) return rc;
    out->count = s->told.prompt;
    out->id = s->id;
    out->at = s->told.at;
    return 0;
}

/* ---- scores ---- */

static int other_cut(size_t begin, size_t end, struct err *err)
{
    return err_set(err, -ENODATA, "tokens %zu to %zu are cut otherwise when they are asked about by themselves; a "
                                  "server with /tokenize that takes ids, or a longer "
                   "context, helps", begin, end);
}

static int ask_window(struct http_session *s, const struct model_tokens *tokens, size_t begin, size_t end,
                      struct err *err)
{
    const struct http_model *m = model_of(s);
    const struct slice       text = { tokens->text.at + tokens->at[begin], tokens->at[end] - tokens->at[begin] };
    int                      rc;

    if (m->can.ids && !s->server.count) {
        rc = ask_ids(s->line, &s->body, m->served, tokens->text, &s->server, NULL, err);
        if (rc < 0) return rc;
        if (s->server.count != tokens->count) {
            s->server.count = 0;
            return other_cut(0, tokens->count, err);
        }
    }
    if (utf8_valid_length(text) != text.len) return other_cut(begin, end, err);
    rc = ask_scores(s->line, &s->body, m->served, &m->can, text, m->can.ids ? s->server.at + begin : NULL, end - begin,
                    &s->other, err);
    if (rc < 0) return rc;
    if (s->other.prompt != end - begin) return other_cut(begin, end, err);
    for (size_t i = 0; i < end - begin; i++)
        if (s->other.at[i] != tokens->at[begin + i] - tokens->at[begin]) return other_cut(begin, end, err);
    return 0;
}

static int ask_each(struct http_session *s, size_t begin, size_t end, size_t from, struct model_score *out,
                    struct err *err)
{
    const struct http_each each = { s->line, &s->body, model_of(s)->served };
    int                    rc = 0;

    for (size_t i = from; i < end && rc == 0; i++) {
        out[i - from] = (struct model_score){ NAN, NAN, NAN };
        rc = http_each_score(&each, s->server.at + begin, i - begin, &out[i - from].logprob, err);
    }
    return rc;
}

/* What a window that begins with the text says of its tokens is known: nothing behind a token changes its score. */
static int http_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                      size_t from, struct model_score *out, struct err *err)
{
    struct http_session *s = (struct http_session *)session;
    const double        *logprob = s->told.logprob;
    int                  rc;

    if (model_of(s)->can.scoring == HTTP_EACH) return ask_each(s, begin, end, from, out, err);
    if (begin > 0) {
        if ((rc = ask_window(s, tokens, begin, end, err)) < 0) return rc;
        logprob = s->other.logprob;
    }
    for (size_t i = from; i < end; i++) out[i - from] = (struct model_score){ logprob[i - begin], NAN, NAN };
    return 0;
}

/* ---- generation ---- */

/* Up to `most` new tokens after a prompt, in s->other.  The first request of a generation asks for the prompt's tokens
 * too. */
static int ask_more(struct http_session *s, struct slice prompt, const struct model_sampling *sampling, uint32_t step,
                    uint32_t most, enum http_scoring scoring,
                    struct err *err)
{
    const struct http_model *m = model_of(s);
    const uint64_t           seed = XXH3_64bits_withSeed(&step, sizeof step, sampling->seed);
    const double             temperature = sample_temperature(sampling, step);
    struct http_request      request = { .path = "completions", .most = prompt.len + 1 + most };
    struct http_answer       answer;
    int                      rc = body_begin(&s->body, m->served, prompt, NULL, 0, err);

    if (rc < 0) return rc;
    rc = bytes_printf(&s->body, ", \"max_tokens\": %u, \"temperature\": %.17g, \"top_p\": %.17g, \"seed\": %u, "
                                "\"logprobs\": 1", most, temperature,
                      temperature > 0 ? sampling->top_p : 1., (unsigned)(seed >> 33));
    if (rc == 0 && sampling->top_k && temperature > 0) rc = bytes_printf(&s->body, ", \"top_k\": %u", sampling->top_k);
    if (rc == 0 && scoring == HTTP_ECHO) rc = bytes_printf(&s->body, ", \"echo\": true");
    if (rc == 0 && scoring == HTTP_PROMPT_LOGPROBS) rc = bytes_printf(&s->body, ", \"prompt_logprobs\": 0");
    if (rc == 0) rc = bytes_append(&s->body, "}", 1);
    if (rc < 0) return no_room(&s->body, err);
    request.body = bytes_slice(&s->body);
    rc = http_ask(s->line, &request, &answer, err);
    if (rc == -ENODATA && answer.refused && sampling->top_k && temperature > 0)
        return err_add(err, "a request with top_k, which not every server takes");
    if (rc < 0) return rc;
    rc = http_completion_read(&s->other, answer.json, scoring, prompt, most, err);
    return rc < 0 ? rc : http_keep(s->line, &answer, err);
}

/* A character that only its first bytes were told of ends as U+FFFD. */
static bool ends_within(struct slice text)
{
    return text.len >= 3 && !memcmp(text.at + text.len - 3, "\xEF\xBF\xBD", 3);
}

/* While the temperature falls, every token is a request; one that ends within a character is asked for again with those
 * that end it. */
static int ask_step(struct http_session *s, const struct model_sampling *sampling, size_t done,
                    enum http_scoring scoring, struct err *err)
{
    const uint32_t left = sampling->tokens - (uint32_t)done;
    uint32_t       most = done < sampling->decay_tokens ? 1 : left;
    int            rc;

    do rc = ask_more(s, bytes_slice(&s->prompt), sampling, (uint32_t)done, most, scoring, err);
    while (rc == 0 && most < 4 && most < left && !s->other.stopped && ends_within(s->other.text) && ++most);
    return rc;
}

/* The prompt as it is sent: without its beginning where the new tokens would have no room. */
static int fit_prompt(struct http_session *s, struct slice prompt, const struct model_sampling *sampling,
                      struct err *err)
{
    const struct http_model *m = model_of(s);
    const uint32_t           context = m->model.info.context;
    size_t                   from = 0;
    int                      rc;

    if (context && m->can.scoring && prompt.len > context - sampling->tokens) {
        const size_t room = context - sampling->tokens;

        if ((rc = tell(s, prompt, &s->other, &s->spare, err)) < 0) return rc;
        if (s->other.prompt > room) from = s->other.at[s->other.prompt - room];
        while (from < prompt.len && ((unsigned char)prompt.at[from] & 0xC0) == 0x80) from++;
    }
    s->prompt.len = 0;
    return bytes_append(&s->prompt, prompt.at + from, prompt.len - from) < 0 ? err_memory(err, prompt.len, "a prompt")
        : 0;
}

static int http_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                         struct model_generation *out, struct err *err)
{
    struct http_session     *s = (struct http_session *)session;
    const struct http_model *m = model_of(s);
    enum http_scoring        scoring = (enum http_scoring)m->can.scoring;
    int                      rc = sendable(prompt, err);

    s->text.len = 0;
    if (rc == 0) rc = fit_prompt(s, prompt, sampling, err);
    if (rc == 0 && scoring == HTTP_EACH) {
        if (s->prompt.len) rc = tell(s, bytes_slice(&s->prompt), &s->other, &s->spare, err);
        if (rc == 0 && s->prompt.len)
            rc = number_tokens(s, s->prompt.at, s->other.at, s->other.prompt, &s->made, &s->made_room, 0, err);
        out->prompt = s->prompt.len ? s->other.prompt : 0;
        scoring = HTTP_NO_SCORES;
    }
    while (rc == 0 && out->count < sampling->tokens && !out->stopped) {
        if (scoring == HTTP_PROMPT_LOGPROBS && !s->prompt.len) scoring = HTTP_NO_SCORES;
        if ((rc = ask_step(s, sampling, out->count, scoring, err)) < 0) break;
        if (s->other.prompt)
            rc = number_tokens(s, s->prompt.at, s->other.at, s->other.prompt, &s->made, &s->made_room, 0, err);
        if (scoring) out->prompt = s->other.prompt;
        scoring = HTTP_NO_SCORES;
        if (rc == 0)
            rc = number_tokens(s, s->other.text.at, s->other.new_at, s->other.count, &s->made, &s->made_room,
                               out->prompt + out->count, err);
        if (rc == 0 && (bytes_append_slice(&s->text, s->other.text) < 0 ||
                        bytes_append_slice(&s->prompt, s->other.text) < 0))
            rc = err_memory(err, s->text.len, "a generated text");
        out->count += s->other.count;
        out->stopped = s->other.stopped || !s->other.count;
    }
    out->id = s->made;
    out->text = bytes_slice(&s->text);
    return rc;
}

static const struct model_calls http_calls = {
    .close = http_close, .session_open = http_session_open, .session_close = http_session_close,
        .tokenize = http_tokenize, .score = http_score,
    .generate = http_generate,
};

int model_http_open(struct model **out, const struct model_options *options, struct err *err)
{
    struct http_model *m = calloc(1, sizeof *m);
    const char        *served = options->served && options->served[0] ? options->served : options->name;
    uint32_t           context;
    int                rc;

    if (!m) return err_memory(err, sizeof *m, "a model");
    m->name = strdup(options->name);
    m->served = strdup(served);
    rc = m->name && m->served ? http_client_open(&m->client, options, err) : err_memory(err, strlen(served), "a name");
    if (rc == 0) rc = find_abilities(m, options, err);
    if (rc < 0) {
        http_close(&m->model);
        return rc;
    }
    context = options->context ? options->context : m->can.context;
    m->model.calls = &http_calls;
    m->model.info = (struct model_info){ .name = m->name, .backend = "http", .context = context,
                                         .parallel = options->concurrency ? options->concurrency : 1 };
    m->model.info.key = unit_key_add(unit_key_add((struct unit_key){ 0, 0 }, "http 1", 6), options->url,
                                     strlen(options->url));
    m->model.info.key = unit_key_add(m->model.info.key, served, strlen(served));
    m->model.info.key = unit_key_add(m->model.info.key, &m->can.scoring, sizeof m->can.scoring);
    m->model.info.key = unit_key_add(m->model.info.key, &m->can.begun, sizeof m->can.begun);
    m->model.info.key = unit_key_add(m->model.info.key, &context, sizeof context);
    abilities_log(m);
    *out = &m->model;
    return 0;
}
