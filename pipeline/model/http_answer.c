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

/* What Python's servers write where a number is none is no JSON: a copy of the text has an empty list there, which is
 * neither a number nor a text that may be asked for.  1; 0 where there is nothing of the kind; -ENOMEM. */
static int constants_replace(struct slice text, struct bytes *out)
{
    static const struct slice constant[] = { SLICE("NaN"), SLICE("-Infinity"), SLICE("Infinity") };
    bool quoted = false;
    int  found = 0;

    if (bytes_append_slice(out, text) < 0) return -ENOMEM;
    for (size_t i = 0; i < out->len; i++) {
        if (quoted && out->at[i] == '\\') i++;
        else if (out->at[i] == '"') quoted = !quoted;
        for (size_t c = 0; !quoted && i < out->len && c < sizeof constant / sizeof *constant; c++) {
            if (out->len - i < constant[c].len || memcmp(out->at + i, constant[c].at, constant[c].len) != 0) continue;
            memset(out->at + i, ' ', constant[c].len);
            memcpy(out->at + i, "[]", 2);
            i += constant[c].len - 1;
            found = 1;
            break;
        }
    }
    return found;
}

static cJSON *json_parse(struct slice text, size_t *end)
{
    const char *at = NULL;
    cJSON      *json = text.len ? cJSON_ParseWithLengthOpts(text.at, text.len, &at, 0) : NULL;

    *end = text.len && at ? (size_t)(at - text.at) : 0;
    while (json && *end < text.len && memchr(" \t\r\n", text.at[*end], 4)) ++*end;
    if (json && *end == text.len) return json;
    cJSON_Delete(json);
    return NULL;
}

cJSON *http_json(struct slice text, struct err *err)
{
    struct bytes other = { 0 };
    size_t       end;
    cJSON       *json;

    if (json_measure(text, err) < 0) return NULL;
    json = json_parse(text, &end);
    if (!json && constants_replace(text, &other) > 0) json = json_parse(bytes_slice(&other), &end);
    bytes_free(&other);
    if (!json) err_set(err, -EBADMSG, "the answer is no JSON (byte %zu of %zu)", end, text.len);
    return json;
}

/* ---- tokens along a text ---- */

/* A dynamic programme.  Row k holds the places of the text where the k-th token may end; row 0 has the one where the
 * first may begin.  The next token is tried from each place of the last row, and every end that it may have from there
 * is a place of the next one, which keeps the place that it was reached from.  When a row has the end of the text, the
 * way back through `from` says where each token begins.  A token that ends where a character does has one end from each
 * place, so rows are short; an empty one means that the token does not fit. */
struct place { uint32_t at, from; };                        /* from: index of a place in the row before */
struct layout {
    struct place *place;                                    /* of all rows, one after the other */
    size_t        count, room;
    size_t       *row;                                      /* first place of each row; the last one ends at count */
    size_t        row_room;
};

enum { PLACES_MOST = 16 };                                  /* in a row */

static size_t char_length(unsigned char c) { return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4; }

static bool is_replacement(const char *at, size_t len) { return len >= 3 && !memcmp(at, "\xEF\xBF\xBD", 3); }

/* Where the token may end that begins at `at` and is shown as the piece: what leaves the piece when it is decoded
 * alone.  Up to 3 answers, in ascending order.  The text is UTF-8.  A token that begins within a character has one
 * U+FFFD for each byte of it; one that ends within a character has one for all that it has of it, one byte to three. */
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

/* Row k begins, with no place in it yet.  0 or -ENOMEM. */
static int layout_begin_row(struct layout *l, size_t k, struct err *err)
{
    if (ARRAY_GROW(l->row, l->row_room, k) < 0)
        return err_memory(err, (k + 1) * sizeof *l->row, "the tokens of an answer");
    l->row[k] = l->count;
    return 0;
}

/* A place of the last row, which is row k.  One that is there keeps the way that was found first.  0 or -ENOMEM. */
static int layout_add(struct layout *l, size_t k, size_t at, size_t from, struct err *err)
{
    for (size_t i = l->row[k]; i < l->count; i++)
        if (l->place[i].at == at) return 0;
    if (l->count - l->row[k] == PLACES_MOST) return 0;
    if (ARRAY_GROW(l->place, l->room, l->count) < 0)
        return err_memory(err, l->count * sizeof *l->place, "the tokens of an answer");
    l->place[l->count++] = (struct place){ (uint32_t)at, (uint32_t)from };
    return 0;
}

/* Row k + 1: where the piece may end that begins at a place of row k.  0 or -ENOMEM. */
static int layout_step(struct layout *l, size_t k, struct slice text, struct slice piece, struct err *err)
{
    const size_t from = l->row[k], until = l->count;
    size_t       end[3];
    int          rc = layout_begin_row(l, k + 1, err);

    for (size_t i = from; i < until && rc == 0; i++) {
        size_t ends = piece.len ? piece_ends(text, l->place[i].at, piece, end) : 0;

        for (size_t e = 0; e < ends && rc == 0; e++) rc = layout_add(l, k + 1, end[e], i, err);
    }
    return rc;
}

/* The place of the last row, which is row k, that is the byte `at` of the text; SIZE_MAX: none is. */
static size_t layout_find(const struct layout *l, size_t k, size_t at)
{
    for (size_t i = l->row[k]; i < l->count; i++)
        if (l->place[i].at == at) return i;
    return SIZE_MAX;
}

/* From a place of row k back to the beginning: at[0 to k], where each token begins and the last one ends.  0 or
 * -ENOMEM. */
static int layout_walk_back(const struct layout *l, size_t k, size_t place, uint32_t **at, size_t *room,
                            struct err *err)
{
    for (size_t i = 0; i <= k; i++)
        if (ARRAY_GROW(*at, *room, i) < 0)
            return err_memory(err, k * sizeof **at, "the tokens of an answer");
    for (size_t i = k + 1; i-- > 0; place = l->place[place].from) (*at)[i] = l->place[place].at;
    return 0;
}

static void layout_free(struct layout *l)
{
    free(l->place);
    free(l->row);
}

/* ---- the tokens of an answer ---- */

struct piece  { struct slice text; double logprob; };      /* text.at NULL: not told; logprob NaN: null */
struct pieces { struct piece *at; size_t count, room; };

static int piece_add(struct pieces *pieces, const char *text, double logprob, struct err *err)
{
    if (ARRAY_GROW(pieces->at, pieces->room, pieces->count) < 0)
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

/* ---- laying tokens ---- */

/* How long a first token may be that the server does not tell: what the others leave of the text.  Each U+FFFD of
 * theirs stands for one byte to three, so they are between `shortest` and `longest` bytes together.  false: they leave
 * nothing. */
static bool untold_length(struct slice text, const struct pieces *pieces, size_t skip, size_t *least, size_t *most)
{
    size_t shortest = 0, longest = 0;

    for (size_t i = skip + 1; i < pieces->count; i++) {
        struct slice piece = pieces->at[i].text;

        longest += piece.len;
        for (size_t b = 0; b < piece.len; b += is_replacement(piece.at + b, piece.len - b) ? 3 : 1) shortest++;
    }
    if (shortest >= text.len) return false;
    *least = longest < text.len ? text.len - longest : 1;
    *most = text.len - shortest;
    return true;
}

/* Row 0, and row 1 where the first token is not told: *laid is the last row.  1; 0 when such a token has no place; or
 * -ENOMEM. */
static int layout_begin(struct layout *l, struct slice text, const struct pieces *pieces, size_t skip, size_t *laid,
                        struct err *err)
{
    size_t least, most;
    int    rc;

    *laid = 0;
    if ((rc = layout_begin_row(l, 0, err)) < 0 || (rc = layout_add(l, 0, 0, 0, err)) < 0) return rc;
    if (pieces->count <= skip || pieces->at[skip].text.at) return 1;
    if (!untold_length(text, pieces, skip, &least, &most)) return 0;
    *laid = 1;
    rc = layout_begin_row(l, 1, err);
    for (size_t len = least; len <= most && rc == 0; len++) rc = layout_add(l, 1, len, 0, err);
    return rc < 0 ? rc : 1;
}

/* Lays tokens [skip, ...) along the text, to the last one that ends where the text does; at most `spare` may be left
 * behind it.  1 with at[0 to *count] filled; 0 with the token that does not fit in *count; or -ENOMEM. */
static int lay(struct slice text, const struct pieces *pieces, size_t skip, size_t spare, uint32_t **at, size_t *room,
               size_t *count, struct err *err)
{
    struct layout l = { 0 };
    size_t        laid, arrived = SIZE_MAX;                 /* tokens; the place at the text's end */
    int           rc;

    *count = 0;
    rc = layout_begin(&l, text, pieces, skip, &laid, err);
    while (rc == 1) {
        const bool   may_end = skip + laid + spare >= pieces->count;
        const size_t end = may_end ? layout_find(&l, laid, text.len) : SIZE_MAX;

        if (end != SIZE_MAX) arrived = end;
        if (end != SIZE_MAX || arrived == SIZE_MAX) *count = laid;
        if (skip + laid == pieces->count) break;
        if ((rc = layout_step(&l, laid, text, pieces->at[skip + laid].text, err)) < 0) break;
        rc = 1;
        if (l.count == l.row[++laid]) break;                /* no place: the token does not fit */
    }
    if (rc == 1 && arrived == SIZE_MAX) rc = 0;
    if (rc == 1 && (rc = layout_walk_back(&l, *count, arrived, at, room, err)) == 0) rc = 1;
    layout_free(&l);
    return rc;
}

static int misfit(struct slice text, size_t tokens, size_t token, struct err *err)
{
    return err_set(err, -ENODATA, "the answer's %zu tokens do not make up the text of %zu bytes: they part at token "
                                  "%zu; the server has to give tokens as the text "
                   "that they stand for", tokens, text.len, token);
}

/* ---- reading ---- */

/* The prompt's own tokens, of which the first may be the server's begin of text; as lay, but a misfit is -ENODATA. */
static int prompt_lay(struct http_completion *out, const struct pieces *pieces, struct slice prompt, size_t spare,
                      struct err *err)
{
    bool   open = pieces->count && isnan(pieces->at[0].logprob);
    int    rc = lay(prompt, pieces, 0, spare, &out->at, &out->at_room, &out->prompt, err);
    size_t parts = out->prompt;                             /* told without the begin of text */

    if (rc == 0 && open) {
        rc = lay(prompt, pieces, 1, spare, &out->at, &out->at_room, &out->prompt, err);
        out->begun = rc == 1;
    }
    return rc == 0 ? misfit(prompt, pieces->count, parts, err) : rc;
}

/* Every token has a probability but the first one of all, be it the prompt's or the begin of text. */
static int prompt_scores(struct http_completion *out, const struct pieces *pieces, struct err *err)
{
    for (size_t i = 0; i < out->prompt; i++) {
        if (ARRAY_GROW(out->logprob, out->logprob_room, i) < 0)
            return err_memory(err, i * sizeof *out->logprob, "scores");
        out->logprob[i] = pieces->at[i + out->begun].logprob;
        if (isnan(out->logprob[i]) && i + out->begun > 0)
            return err_set(err, -ENODATA, "the answer tells no probability of token %zu", i);
    }
    if (out->prompt && !out->begun && !isnan(out->logprob[0]))
        return err_set(err, -ENODATA, "the answer tells a probability of the first token, which has nothing before it");
    return 0;
}

/* The text of the choice, without the prompt where the server echoes it. */
static int text_read(struct http_completion *out, const cJSON *choice, bool echo, struct slice prompt, struct err *err)
{
    const cJSON *text = cJSON_GetObjectItem(choice, "text");

    if (!cJSON_IsString(text)) return err_set(err, -ENODATA, "the answer has no text");
    out->text = slice_of(text->valuestring);
    if (echo) {
        if (out->text.len < prompt.len || (prompt.len && memcmp(out->text.at, prompt.at, prompt.len)))
            return err_set(err, -ENODATA, "the answer's text does not begin with the prompt");
        out->text = (struct slice){ out->text.at + prompt.len, out->text.len - prompt.len };
    }
    if (utf8_valid_length(out->text) != out->text.len)
        return err_set(err, -ENODATA, "the answer's text is not UTF-8");
    return 0;
}

/* The new tokens, those from `skip` on, along the new text. */
static int new_lay(struct http_completion *out, const struct pieces *pieces, size_t skip, struct err *err)
{
    struct pieces told = *pieces;
    int           rc = lay(out->text, &told, skip, 0, &out->new_at, &out->new_room, &out->count, err);

    if (rc == 0 && out->stopped && told.count > skip) {     /* the end of text may be told as a token */
        told.count--;
        rc = lay(out->text, &told, skip, 0, &out->new_at, &out->new_room, &out->count, err);
    }
    return rc == 0 ? misfit(out->text, told.count - skip, out->count, err) : rc;
}

/* What is new; the first `skip` pieces are the prompt's. */
static int new_read(struct http_completion *out, struct pieces *pieces, const cJSON *choice, enum http_scoring scoring,
                    struct slice prompt, size_t skip, struct err *err)
{
    const cJSON *finish = cJSON_GetObjectItem(choice, "finish_reason");
    int          rc = 0;

    if (scoring == HTTP_PROMPT_LOGPROBS) {                  /* they stand in a list of their own */
        skip = pieces->count = 0;
        if ((rc = pieces_of_choice(pieces, choice, err)) < 0) return rc;
    }
    out->stopped = cJSON_IsString(finish) && strcmp(finish->valuestring, "length") != 0;
    if ((rc = text_read(out, choice, scoring == HTTP_ECHO, prompt, err)) == 0) rc = new_lay(out, pieces, skip, err);
    /* Nothing was asked about: then a begin of text is found here. */
    if (rc == -ENODATA && !prompt.len && pieces->count && isnan(pieces->at[0].logprob) && scoring == HTTP_ECHO) {
        out->begun = true;
        rc = new_lay(out, pieces, 1, err);
    }
    return rc < 0 ? rc : 0;
}

int http_completion_read(struct http_completion *out, const cJSON *json, enum http_scoring scoring, struct slice prompt,
                         uint32_t most, struct err *err)
{
    const cJSON  *choice = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "choices"), 0);
    struct pieces pieces = { 0 };
    int           rc = 0;

    out->prompt = out->count = 0;
    out->begun = out->stopped = false;
    out->text = SLICE("");
    if (!cJSON_IsObject(choice))
        return err_set(err, -ENODATA, "the answer has no choices; is that a server of completions?");
    if (scoring == HTTP_PROMPT_LOGPROBS) rc = pieces_of_prompt(&pieces, choice, err);
    else if (scoring == HTTP_ECHO || most) rc = pieces_of_choice(&pieces, choice, err);
    if (rc == 0 && scoring != HTTP_NO_SCORES && (prompt.len || !most)) {
        /* What is new follows the prompt's tokens in an echo.  A server that takes no max_tokens of 0 adds one token,
         * which is not ours. */
        rc = prompt_lay(out, &pieces, prompt, scoring != HTTP_ECHO ? 0 : most ? most : 1, err);
        if (rc > 0) rc = prompt_scores(out, &pieces, err);
    }
    if (rc == 0 && most) {
        rc = new_read(out, &pieces, choice, scoring, prompt, out->prompt + out->begun, err);
        if (rc == 0 && out->count > most)
            rc = err_set(err, -ENODATA, "the answer has %zu new tokens, %u were asked for", out->count, most);
    }
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
