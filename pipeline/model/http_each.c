/* model/http_each.c -- scores from llama.cpp's own calls, a request for each token; see http.h.
 *
 * Its server tells nothing of a prompt, but of the token that it picks next it tells the probability before sampling
 * (`n_probs`).  A bias on one token's logit makes that the one that is picked, and leaves the probability as it is;
 * that it does is found out before it is relied upon. */
#include "model/http.h"

#include "corpus/writer.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int body_begin(const struct http_each *how)
{
    how->body->len = 0;
    if (bytes_printf(how->body, "{\"model\": ") < 0 || json_append_string(how->body, slice_of(how->served)) < 0)
        return -ENOMEM;
    return 0;
}

static int no_room(const struct bytes *b, struct err *err) { return err_memory(err, b->len, "a request"); }

/* A token's bytes: a text, or a list of bytes where they are no UTF-8.  Whether they are those of the text at `at`;
 * *len: how many. */
static bool piece_fits(const cJSON *piece, struct slice text, size_t at, size_t *len)
{
    const cJSON *byte;

    *len = 0;
    if (cJSON_IsString(piece)) {
        *len = strlen(piece->valuestring);
        return *len && *len <= text.len - at && !memcmp(text.at + at, piece->valuestring, *len);
    }
    cJSON_ArrayForEach(byte, piece)
        if (at + *len == text.len || !cJSON_IsNumber(byte) ||
            byte->valuedouble != (double)(unsigned char)text.at[at + (*len)++])
            return false;
    return *len > 0;
}

int http_each_tokenize(const struct http_each *how, struct slice text, struct http_completion *out,
                       struct http_ids *ids, struct err *err)
{
    struct http_request request = { .path = "/tokenize" };
    struct http_answer  answer;
    const cJSON        *list, *token;
    struct bytes       *body = how->body;
    size_t              at = 0, len;
    int                 rc;

    out->prompt = 0;
    if (body_begin(how) < 0 ||
        bytes_printf(body, ", \"add_special\": false, \"with_pieces\": true, \"content\": ") < 0 ||
            json_append_string(body, text) < 0 || bytes_append(body, "}", 1) < 0)
        return no_room(body, err);
    request.body = bytes_slice(body);
    if ((rc = http_ask(how->line, &request, &answer, err)) < 0) return rc;
    list = cJSON_GetObjectItem(answer.json, "tokens");
    for (token = list ? list->child : NULL;; token = token->next, at += len, out->prompt++) {
        const cJSON *id = cJSON_GetObjectItem(token, "id");

        if (ARRAY_GROW(out->at, out->at_room, out->prompt) < 0 ||
            ARRAY_GROW(ids->at, ids->room, out->prompt) < 0)
            return err_memory(err, out->prompt * sizeof *out->at, "the tokens of a text");
        out->at[out->prompt] = (uint32_t)at;
        if (!token) break;
        if (!cJSON_IsNumber(id) || !(id->valuedouble >= 0 && id->valuedouble <= INT32_MAX) ||
            !piece_fits(cJSON_GetObjectItem(token, "piece"), text, at, &len))
            return err_set(err, -ENODATA, "token %zu of the server's /tokenize has no id, or is not what stands in "
                                          "the text there", out->prompt);
        ids->at[out->prompt] = (uint32_t)id->valuedouble;
    }
    ids->count = out->prompt;
    if (at != text.len)
        return err_set(err, -ENODATA, "the tokens of the server's /tokenize end at byte %zu of %zu", at, text.len);
    return http_keep(how->line, &answer, err);
}

/* What is told of the token after some; wanted NULL: of that which the server picks.  *picked: which it was. */
static int ask_next(const struct http_each *how, const uint32_t *id, size_t count, const uint32_t *wanted,
                    uint32_t *picked, double *logprob, struct err *err)
{
    struct http_request request = { .path = "/completion", .most = count + 1 };
    struct http_answer  answer;
    const cJSON        *told, *token, *value;
    struct bytes       *body = how->body;
    int                 rc = body_begin(how);

    if (rc == 0)
        rc = bytes_printf(body,
                          ", \"n_predict\": 1, \"temperature\": 0, \"n_probs\": 1, \"post_sampling_probs\": false, ");
    if (rc == 0 && wanted) rc = bytes_printf(body, "\"logit_bias\": [[%u, 10000]], ", *wanted);
    for (size_t i = 0; i < count && rc == 0; i++) rc = bytes_printf(body, "%s%u", i ? ", " : "\"prompt\": [", id[i]);
    if (rc < 0 || bytes_printf(body, "]}") < 0) return no_room(body, err);
    request.body = bytes_slice(body);
    if ((rc = http_ask(how->line, &request, &answer, err)) < 0) return rc;
    told = cJSON_GetArrayItem(cJSON_GetObjectItem(answer.json, "completion_probabilities"), 0);
    token = cJSON_GetObjectItem(told, "id");
    value = cJSON_GetObjectItem(told, "logprob");
    if (!cJSON_IsNumber(token) || !(token->valuedouble >= 0 && token->valuedouble <= INT32_MAX) ||
        !cJSON_IsNumber(value) || !isfinite(value->valuedouble) ||
        value->valuedouble > 1e-4) return err_set(err, -ENODATA,
                                                  "the server's /completion tells no id and logprob of its token");
    *picked = (uint32_t)token->valuedouble;
    *logprob = value->valuedouble < 0 ? value->valuedouble : 0;
    if (wanted && *picked != *wanted)
        return err_set(err, -ENODATA, "the server picks token %u, not token %u, whose logit has a bias", *picked,
                       *wanted);
    return http_keep(how->line, &answer, err);
}

int http_each_score(const struct http_each *how, const uint32_t *id, size_t count, double *logprob, struct err *err)
{
    uint32_t picked;

    return ask_next(how, id, count, &id[count], &picked, logprob, err);
}

int http_each_check(const struct http_each *how, struct slice text, struct err *err)
{
    struct http_completion cut = { 0 };
    struct http_ids        ids = { 0 };
    uint32_t               best, picked;
    double                 logprob = 0, biased = 0, other = 0;
    int                    rc = http_each_tokenize(how, text, &cut, &ids, err);

    if (rc == 0 && ids.count < 3)
        rc = err_set(err, -ENODATA, "the server's /tokenize gives %zu tokens for %zu bytes", ids.count, text.len);
    if (rc == 0) rc = ask_next(how, ids.at, 2, NULL, &best, &logprob, err);
    if (rc == 0) rc = ask_next(how, ids.at, 2, &best, &picked, &biased, err);
    if (rc == 0) rc = ask_next(how, ids.at, 2, &ids.at[2], &picked, &other, err);
    if (rc == 0 && (fabs(biased - logprob) > 1e-3 || other > logprob + 1e-3))
        rc = err_set(err, -ENODATA, "the server's logprob is that after a bias on the logit (%g, %g without)", biased,
                     logprob);
    http_completion_free(&cut);
    free(ids.at);
    return rc;
}
