/* model/http_answer.c -- what an answer of a completions server says, believed only where it can be checked; see
 * http.h.
 *
 * A server shows each token as a decoder leaves it that sees nothing else: parts of a character are U+FFFD.  So the
 * tokens are laid along the text that they make up, and where one ends inside a character, all places that it may end
 * at are kept until a later token decides. */
#include "model/http.h"

#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* ---- JSON ---- */

/* Depth and number of values, before cJSON makes a tree of them by recursion. */
static int json_measure(struct slice text, struct err *err)
{
    size_t depth = 0, values = 0;
    bool   quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (quoted) {
            if (c == '\\') i++;
            else if (c == '"') quoted = false;
        } else if (c == '"') quoted = true;
        else if (c == '[' || c == '{') depth++, values++;
        else if (c == ']' || c == '}') depth -= depth > 0;
        else if (c == ',') values++;
        if (depth > HTTP_DEPTH_MAX)
            return err_set(err, -EBADMSG, "the answer nests more than %d deep at byte %zu", HTTP_DEPTH_MAX, i);
        if (values > HTTP_VALUES_MAX)
            return err_set(err, -EBADMSG, "the answer has more than %d values", HTTP_VALUES_MAX);
    }
    return 0;
}

cJSON *http_json(struct slice text, struct err *err)
{
    const char *end = NULL;
    cJSON      *json;

    if (json_measure(text, err) < 0) return NULL;
    json = text.len ? cJSON_ParseWithLengthOpts(text.at, text.len, &end, 0) : NULL;
    while (json && end < text.at + text.len && memchr(" \t\r\n", *end, 4)) end++;
    if (json && end == text.at + text.len) return json;
    cJSON_Delete(json);
    err_set(err, -EBADMSG, "the answer is no JSON (byte %zu of %zu)", text.len && end ? (size_t)(end - text.at) : 0,
            text.len);
    return NULL;
}

/* ---- tokens along a text ---- */

/* Where a token may end: after `at` bytes, when the one before it ended at place `from`. */
struct place { uint32_t at, from; };
struct trail {
    struct place *place;
    size_t       *first;                                    /* [tokens + 1] the first place of each: that before it */
    size_t        count, room, first_room;
};

enum { PLACES_MOST = 16 };                                  /* of one token's end */

static size_t char_length(unsigned char c) { return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4; }

static bool is_replacement(const char *at, size_t len) { return len >= 3 && !memcmp(at, "\xEF\xBF\xBD", 3); }

/* Bytes of the text, which is UTF-8, that leave the piece when they are decoded alone: up to 3 answers, in ascending
 * order. */
static size_t piece_ends(struct slice text, size_t at, struct slice piece, size_t end[3])
{
    size_t i = 0, count = 0;

    for (; i < piece.len && at < text.len && ((unsigned char)text.at[at] & 0xC0) == 0x80; at++, i += 3)
        if (!is_replacement(piece.at + i, piece.len - i)) return 0;
    while (i < piece.len && at < text.len) {
        size_t len = char_length((unsigned char)text.at[at]);
        bool   last = i + 3 == piece.len && is_replacement(piece.at + i, 3);

        if (last)                                           /* its beginning alone */
            for (size_t part = 1; part < len; part++) end[count++] = at + part;
        if (len > text.len - at || len > piece.len - i || memcmp(text.at + at, piece.at + i, len)) return count;
        if (last) {                                         /* U+FFFD stands in the text */
            end[count++] = at + len;
            return count;
        }
        at += len;
        i += len;
    }
    if (i == piece.len) end[count++] = at;
    return count;
}

static int trail_put(struct trail *t, size_t token_first, size_t at, size_t from, struct err *err)
{
    for (size_t i = token_first; i < t->count; i++)
        if (t->place[i].at == at) return 0;
    if (t->count - token_first == PLACES_MOST) return 0;
    if (array_grow((void **)&t->place, &t->room, t->count, sizeof *t->place) < 0)
        return err_memory(err, t->count * sizeof *t->place, "the tokens of an answer");
    t->place[t->count++] = (struct place){ (uint32_t)at, (uint32_t)from };
    return 0;
}

/* One token more.  0 or -ENOMEM; without a place for it trail.count is first[token + 1]. */
static int trail_step(struct trail *t, size_t token, struct slice text, struct slice piece, struct err *err)
{
    size_t end[3], from = t->first[token], to;
    int    rc = 0;

    if (array_grow((void **)&t->first, &t->first_room, token + 1, sizeof *t->first) < 0)
        return err_memory(err, token * sizeof *t->first, "the tokens of an answer");
    t->first[token + 1] = to = t->count;
    for (size_t i = from; i < to && rc == 0; i++) {
        size_t ends = piece.len ? piece_ends(text, t->place[i].at, piece, end) : 0;

        for (size_t e = 0; e < ends && rc == 0; e++) rc = trail_put(t, to, end[e], i, err);
    }
    return rc;
}

static int trail_begin(struct trail *t, struct err *err)
{
    if (array_grow((void **)&t->first, &t->first_room, 0, sizeof *t->first) < 0)
        return err_memory(err, sizeof *t->first, "the tokens of an answer");
    t->first[0] = t->count = 0;
    return 0;
}

/* The end of the text among the places of a token, or SIZE_MAX. */
static size_t trail_arrived(const struct trail *t, size_t token, size_t len)
{
    const size_t until = t->count;

    for (size_t i = t->first[token]; i < until; i++)
        if (t->place[i].at == len) return i;
    return SIZE_MAX;
}

static void trail_free(struct trail *t)
{
    free(t->place);
    free(t->first);
}

/* ---- the tokens of an answer ---- */

struct piece  { struct slice text; double logprob; };      /* text.at NULL: not told; logprob NaN: null */
struct pieces { struct piece *at; size_t count, room; };

static int piece_add(struct pieces *pieces, const char *text, double logprob, struct err *err)
{
    if (array_grow((void **)&pieces->at, &pieces->room, pieces->count, sizeof *pieces->at) < 0)
        return err_memory(err, pieces->count * sizeof *pieces->at, "the tokens of an answer");
    pieces->at[pieces->count++] = (struct piece){ slice_of(text), logprob };
    return 0;
}

static int logprob_of(const cJSON *value, size_t token, double *out, struct err *err)
{
    *out = NAN;
    if (cJSON_IsNull(value)) return 0;
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble))
        return err_set(err, -ENODATA, "the logarithm of token %zu's probability is no number", token);
    if (value->valuedouble > 1e-4)
        return err_set(err, -ENODATA, "the logarithm of token %zu's probability is %g; it can be at most 0: does the "
                                      "server give logarithms (not logits)?", token,
                       value->valuedouble);
    *out = value->valuedouble < 0 ? value->valuedouble : 0;
    return 0;
}

/* {"tokens": [...], "token_logprobs": [...], "text_offset": [...]}: as many of each; offsets may be left out. */
static int pieces_of_lists(struct pieces *out, const cJSON *logprobs, struct err *err)
{
    const cJSON *tokens = cJSON_GetObjectItem(logprobs, "tokens"),
        *values = cJSON_GetObjectItem(logprobs, "token_logprobs");
    const cJSON *offsets = cJSON_GetObjectItem(logprobs, "text_offset"), *value, *offset;
    double       before = 0, logprob;
    int          rc = 0;

    if (!cJSON_IsArray(tokens) || !cJSON_IsArray(values))
        return err_set(err, -ENODATA, "the answer's logprobs have no tokens or no token_logprobs; the server has to "
                                      "be one that gives them");
    value = values->child;
    offset = cJSON_IsArray(offsets) ? offsets->child : NULL;
    if (cJSON_GetArraySize(tokens) != cJSON_GetArraySize(values) ||
        (cJSON_IsArray(offsets) && cJSON_GetArraySize(tokens) != cJSON_GetArraySize(offsets)))
        return err_set(err, -ENODATA, "the answer has %d tokens, %d logarithms of probabilities and %d offsets",
                       cJSON_GetArraySize(tokens),
                       cJSON_GetArraySize(values), cJSON_GetArraySize(offsets));
    for (const cJSON *token = tokens->child; token && rc == 0; token = token->next, value = value->next) {
        if (!cJSON_IsString(token)) return err_set(err, -ENODATA, "token %zu of the answer is no text", out->count);
        if (offset && (!cJSON_IsNumber(offset) || !(offset->valuedouble >= before)))
            return err_set(err, -ENODATA, "the text_offset of token %zu is none, or before that of the token in front "
                                          "of it", out->count);
        if (offset) before = offset->valuedouble, offset = offset->next;
        rc = logprob_of(value, out->count, &logprob, err);
        if (rc == 0) rc = piece_add(out, token->valuestring, logprob, err);
    }
    return rc;
}

/* {"content": [{"token", "logprob"}, ...]}, as llama.cpp's server has it. */
static int pieces_of_content(struct pieces *out, const cJSON *content, struct err *err)
{
    const cJSON *item;
    double       logprob;
    int          rc = 0;

    cJSON_ArrayForEach(item, content) {
        const cJSON *token = cJSON_GetObjectItem(item, "token");

        if (!cJSON_IsString(token)) return err_set(err, -ENODATA, "token %zu of the answer is no text", out->count);
        if ((rc = logprob_of(cJSON_GetObjectItem(item, "logprob"), out->count, &logprob, err)) < 0 ||
            (rc = piece_add(out, token->valuestring, logprob, err)) < 0) return rc;
    }
    return 0;
}

static int pieces_of_choice(struct pieces *out, const cJSON *choice, struct err *err)
{
    const cJSON *logprobs = cJSON_GetObjectItem(choice, "logprobs"),
        *content = cJSON_GetObjectItem(logprobs, "content");

    if (!cJSON_IsObject(logprobs))
        return err_set(err, -ENODATA, "the answer has no logprobs; the server has to be one that gives them");
    return cJSON_IsArray(content) ? pieces_of_content(out, content, err) : pieces_of_lists(out, logprobs, err);
}

/* [null, {"ID": {"logprob", "decoded_token"}}, ...], of which the one asked about is the first of each. */
static int pieces_of_prompt(struct pieces *out, const cJSON *choice, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItem(choice, "prompt_logprobs"), *item;
    double       logprob;
    int          rc = 0;

    if (!cJSON_IsArray(list)) return err_set(err, -ENODATA, "the answer has no prompt_logprobs");
    cJSON_ArrayForEach(item, list) {
        const cJSON *token = cJSON_IsObject(item) ? item->child : NULL,
            *text = cJSON_GetObjectItem(token, "decoded_token");

        if (out->count == 0 && cJSON_IsNull(item)) {
            if ((rc = piece_add(out, NULL, NAN, err)) < 0) return rc;
            continue;
        }
        if (!cJSON_IsString(text) || token->next)
            return err_set(err, -ENODATA, "prompt_logprobs of token %zu are not those of one token with its text",
                           out->count);
        if ((rc = logprob_of(cJSON_GetObjectItem(token, "logprob"), out->count, &logprob, err)) < 0 ||
            (rc = piece_add(out, text->valuestring, logprob, err)) < 0) return rc;
    }
    return 0;
}

/* ---- reading ---- */

/* Lays tokens [skip, ...) along the text, to the last one that ends where the text does; at most `most` may be left.  1
 * with at[0 to *count] filled; 0 with the token that does not fit in *count. */
static int lay(struct slice text, const struct pieces *pieces, size_t skip, size_t most, uint32_t **at, size_t *room,
               size_t *count, struct err *err)
{
    struct trail trail = { 0 };
    size_t       token = 0, place = SIZE_MAX, least = 0, range = 1;
    bool         found = false;
    int          rc = trail_begin(&trail, err);

    *count = 0;
    if (pieces->count > skip && !pieces->at[skip].text.at) {                    /* what the others leave */
        size_t shortest = 0, longest = 0;

        for (size_t i = skip + 1; i < pieces->count; i++) {
            struct slice piece = pieces->at[i].text;

            longest += piece.len;
            for (size_t b = 0; b < piece.len; b += is_replacement(piece.at + b, piece.len - b) ? 3 : 1) shortest++;
        }
        if (shortest >= text.len) goto done;
        least = longest < text.len ? text.len - longest : 1;
        range = text.len - shortest - least + 1;
        token = 1;
        if (rc == 0 && array_grow((void **)&trail.first, &trail.first_room, 1, sizeof *trail.first) < 0)
            rc = err_memory(err, sizeof *trail.first, "the tokens of an answer");
        if (rc == 0 && (rc = trail_put(&trail, 0, 0, 0, err)) == 0) trail.first[1] = 1;
    }
    for (size_t i = 0; i < range && rc == 0; i++) rc = trail_put(&trail, token, least + i, 0, err);
    for (; rc == 0; token++) {
        const size_t arrived = skip + token + most >= pieces->count ? trail_arrived(&trail, token, text.len) : SIZE_MAX;

        if (arrived != SIZE_MAX) place = arrived;
        if (arrived != SIZE_MAX || place == SIZE_MAX) *count = token;
        if (skip + token == pieces->count) break;
        rc = trail_step(&trail, token, text, pieces->at[skip + token].text, err);
        if (rc == 0 && trail.count == trail.first[token + 1]) break;
    }
    found = place != SIZE_MAX;
    for (size_t i = 0; i <= *count && rc == 0 && found; i++)
        if (array_grow((void **)at, room, i, sizeof **at) < 0)
            rc = err_memory(err, *count * sizeof **at, "the tokens of an answer");
    for (size_t i = *count + 1; rc == 0 && found && i-- > 0; place = trail.place[place].from)
        (*at)[i] = trail.place[place].at;
done:
    trail_free(&trail);
    return rc < 0 ? rc : found;
}

static int misfit(struct slice text, const struct pieces *pieces, size_t token, struct err *err)
{
    return err_set(err, -ENODATA, "the answer's %zu tokens do not make up the text of %zu bytes: they part at token "
                                  "%zu; the server has to give tokens as the text "
                   "that they stand for", pieces->count, text.len, token);
}

/* The prompt's own tokens; how many of the pieces are then read. */
static int prompt_read(struct http_completion *out, const struct pieces *pieces, struct slice prompt, uint32_t most,
                       size_t *read, struct err *err)
{
    size_t misfits;
    bool   open = pieces->count && isnan(pieces->at[0].logprob);
    int    rc = lay(prompt, pieces, 0, most, &out->at, &out->at_room, &out->prompt, err);

    misfits = out->prompt;
    if (rc == 0 && open) {
        rc = lay(prompt, pieces, 1, most, &out->at, &out->at_room, &out->prompt, err);
        out->begun = rc == 1;
    }
    if (rc < 0) return rc;
    if (rc == 0) return misfit(prompt, pieces, misfits, err);
    *read = out->prompt + out->begun;
    for (size_t i = 0; i < out->prompt; i++) {
        if (array_grow((void **)&out->logprob, &out->logprob_room, i, sizeof *out->logprob) < 0)
            return err_memory(err, i * sizeof *out->logprob, "scores");
        out->logprob[i] = pieces->at[i + out->begun].logprob;
        if (isnan(out->logprob[i]) && i + out->begun > 0)
            return err_set(err, -ENODATA, "the answer tells no probability of token %zu", i);
    }
    if (out->prompt && !out->begun && !isnan(out->logprob[0]))
        return err_set(err, -ENODATA, "the answer tells a probability of the first token, which has nothing before it");
    return 0;
}

static int new_read(struct http_completion *out, const struct pieces *pieces, size_t read, struct err *err)
{
    struct pieces rest = { pieces->at + read, pieces->count - read, 0 };
    int           rc = lay(out->text, &rest, 0, 0, &out->new_at, &out->new_room, &out->count, err);

    if (rc == 0 && out->stopped && rest.count) {            /* the end of text may be told as a token */
        rest.count--;
        rc = lay(out->text, &rest, 0, 0, &out->new_at, &out->new_room, &out->count, err);
    }
    return rc == 0 ? misfit(out->text, &rest, out->count, err) : rc < 0 ? rc : 0;
}

int http_completion_read(struct http_completion *out, const cJSON *json, enum http_scoring scoring, struct slice prompt,
                         uint32_t most, struct err *err)
{
    const cJSON  *choice = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "choices"), 0),
        *text = cJSON_GetObjectItem(choice, "text");
    const cJSON  *finish = cJSON_GetObjectItem(choice, "finish_reason");
    struct pieces pieces = { 0 };
    size_t        read = 0;
    int           rc = 0;

    out->prompt = out->count = 0;
    out->begun = out->stopped = false;
    out->text = SLICE("");
    if (!cJSON_IsObject(choice))
        return err_set(err, -ENODATA, "the answer has no choices; is that a server of completions?");
    if (scoring == HTTP_PROMPT_LOGPROBS) rc = pieces_of_prompt(&pieces, choice, err);
    else if (scoring == HTTP_ECHO || most) rc = pieces_of_choice(&pieces, choice, err);
    /* A server that takes no max_tokens of 0 adds one token, which is not ours. */
    if (rc == 0 && scoring != HTTP_NO_SCORES && (prompt.len || !most))
        rc = prompt_read(out, &pieces, prompt, scoring == HTTP_ECHO ? most ? most : 1 : 0, &read, err);
    if (rc < 0 || !most) goto done;
    if (scoring == HTTP_PROMPT_LOGPROBS) {
        read = pieces.count = 0;
        if ((rc = pieces_of_choice(&pieces, choice, err)) < 0) goto done;
    }
    out->stopped = cJSON_IsString(finish) && strcmp(finish->valuestring, "length") != 0;
    if (!cJSON_IsString(text)) rc = err_set(err, -ENODATA, "the answer has no text");
    else {
        out->text = slice_of(text->valuestring);
        if (scoring == HTTP_ECHO) {
            if (out->text.len < prompt.len || (prompt.len && memcmp(out->text.at, prompt.at, prompt.len)))
                rc = err_set(err, -ENODATA, "the answer's text does not begin with the prompt");
            else out->text = (struct slice){ out->text.at + prompt.len, out->text.len - prompt.len };
        }
        if (rc == 0 && utf8_valid_length(out->text) != out->text.len)
            rc = err_set(err, -ENODATA, "the answer's text is not UTF-8");
    }
    if (rc == 0) rc = new_read(out, &pieces, read, err);
    if (rc == -ENODATA && !prompt.len && pieces.count && isnan(pieces.at[0].logprob) && scoring == HTTP_ECHO) {
        out->begun = true;
        rc = new_read(out, &pieces, 1, err);
    }
    if (rc == 0 && out->count > most)
        rc = err_set(err, -ENODATA, "the answer has %zu new tokens, %u were asked for", out->count, most);
done:
    free(pieces.at);
    return rc;
}

void http_completion_free(struct http_completion *completion)
{
    free(completion->at);
    free(completion->logprob);
    free(completion->new_at);
    *completion = (struct http_completion){ 0 };
}
