/* model/http.h -- a server of completions: how it is asked, and what its answers say.
 *
 * The calls are those of OpenAI's completions API (POST .../v1/completions) with what vLLM and llama.cpp's server add
 * to it.  A client is shared by all threads; a line is one thread's connection.  The key stands in a request's header
 * alone: in no body, name, error or log. */
#ifndef LEAKGRAPH_MODEL_HTTP_H
#define LEAKGRAPH_MODEL_HTTP_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "model/model.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- JSON from a server ---- */

enum { HTTP_ANSWER_MAX = 64 << 20, HTTP_DEPTH_MAX = 64, HTTP_VALUES_MAX = 1 << 22 };

/* Parses a whole text that nests at most HTTP_DEPTH_MAX deep and has at most HTTP_VALUES_MAX values; NaN and Infinity,
 * which are no JSON, are empty lists.  cJSON_Delete.
 * NULL with err set: -EBADMSG, also when memory is out, which cJSON does not tell. */
cJSON *http_json(struct slice text, struct err *err);

/* ---- answers kept on disk ---- */

/* A file is named by the xxh3-128 of what was asked, and holds the answer with its checksum.  A damaged one is removed
 * and told of in the log. */
struct http_cache { char *folder; };                        /* NULL: none; owned by the client */

/* 1 with the answer in *out, 0, or -ENOMEM, -ENAMETOOLONG with err set. */
int http_cache_find(const struct http_cache *cache, struct unit_key key, struct bytes *out, struct err *err);
/* 0, or <0 with err set */
int http_cache_keep(const struct http_cache *cache, struct unit_key key, struct slice answer, struct err *err);

/* ---- asking ---- */

struct http_client;
struct http_line;

/* Looks at the options and the environment, connects to nobody.  0; -EINVAL (a url that is none or holds a password, a
 * key variable that is not there, ...), -EIO, -ENOMEM with err set. */
int  http_client_open(struct http_client **out, const struct model_options *options, struct err *err);
void http_client_close(struct http_client *client);         /* after its lines; accepts NULL */

/* 0, -ENOMEM with err set */
int  http_line_open(struct http_line **out, struct http_client *client, struct err *err);
void http_line_close(struct http_line *line);               /* accepts NULL */

/* path follows the url of the options; one with a slash in front follows it without its /v1.  `most`: tokens that the
 * answer can cost, which are booked until it says what it did. */
struct http_request { const char *path; struct slice body; uint64_t most; };
/* kept: it came from the cache, or is there now; refused: the server did not take the request */
struct http_answer  { cJSON *json; struct unit_key key; bool kept, refused; };

/* Asks, again where that may help: after 429, 5xx, a cut or a timeout, up to `retries` times, with waits that double
 * from 1/4 s and are spread by a hash of the request, or as long as the server says.  The line's last answer is gone.
 * 0; -ENODATA (the server takes no such request: it says so, or fails with status 500 each time while it answers one
 * that it has answered before; or the answer has a NUL, at which cJSON's texts end), -ENOENT (404), -EACCES (401, 403),
 * -EBADMSG (the answer is no JSON object, or too large), -EDQUOT, -EIO, -ENOMEM with err set. */
int  http_ask(struct http_line *line, const struct http_request *request, struct http_answer *out, struct err *err);

/* Keeps the line's last answer, which the caller has found good.  0, or <0 with err set. */
int  http_keep(struct http_line *line, struct http_answer *answer, struct err *err);

/* ---- completions ---- */

/* How a server tells the probabilities of a prompt: not; by `echo` and `logprobs` (OpenAI); by `prompt_logprobs`
 * (vLLM), where a first token has none and is what the others leave; by a request for each token (llama.cpp's server),
 * which is none of http_completion_read. */
enum http_scoring { HTTP_NO_SCORES, HTTP_ECHO, HTTP_PROMPT_LOGPROBS, HTTP_EACH };

/* What one completion says.  Zeroed before its first use; the arrays are used again. */
struct http_completion {
    /* [prompt + 1] byte of the prompt where each of its tokens begins */
    uint32_t *at;
    double   *logprob;                                      /* [prompt] NaN: not told */
    size_t    prompt;                                       /* tokens of the prompt; 0 with HTTP_NO_SCORES */
    bool      begun;                                        /* the server put its begin of text before the prompt */
    uint32_t *new_at;                                       /* [count + 1] likewise of text */
    size_t    count;                                        /* new tokens */
    struct slice text;                                      /* what is new; lives as long as the JSON */
    bool      stopped;                                      /* the model ended it */
    size_t    at_room, logprob_room, new_room;
};

/* Reads an answer: prompt is the text that was asked about, `most` how many new tokens were asked for; with 0 of them
 * the text of the answer is not looked at. Tokens have to make up the texts byte for byte, each taken for what a
 * decoder of UTF-8 leaves of its bytes (U+FFFD for parts of a character); logarithms have to be numbers, at most 0 (and
 * 1e-4 for rounding).  0; -ENODATA, -ENOMEM with err set. */
int  http_completion_read(struct http_completion *out, const cJSON *json, enum http_scoring scoring,
                          struct slice prompt, uint32_t most, struct err *err);
void http_completion_free(struct http_completion *completion);

/* ---- a request for each token ---- */

struct http_ids { uint32_t *at; size_t count, room; };      /* as the server numbers tokens; owned */

/* How it is asked: `served` is the model's name, which a server of one model passes over, but which keeps the answers
 * of two that stood at one url apart. */
struct http_each { struct http_line *line; struct bytes *body; const char *served; };       /* *body is overwritten */

/* Whether the server answers the other two as it should, found out with a short text.  As http_ask. */
int http_each_check(const struct http_each *how, struct slice text, struct err *err);

/* Sets prompt and at of *out, and the ids.  The text is UTF-8.  As http_ask; -ENODATA also where the tokens do not make
 * up the text. */
int http_each_tokenize(const struct http_each *how, struct slice text, struct http_completion *out,
                       struct http_ids *ids, struct err *err);

/* The logarithm of the probability of token id[count] after those before it.  As http_ask. */
int http_each_score(const struct http_each *how, const uint32_t *id, size_t count, double *logprob, struct err *err);

#endif
