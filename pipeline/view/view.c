/* view/view.c -- features of a document.
 *
 * 1. Names of views   2. What is kept between documents   3. Token views   4. Lines, shingles, characters
 * 5. Tokens as JSON */
#include "view/scratch.h"

#include "base/suggest.h"
#include "corpus/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- 1. Names of views ---- */

static const struct { const char *name; enum view_kind kind; } view_names[] = {
    { "identifiers", VIEW_IDENTIFIERS }, { "identifiers+literals", VIEW_IDENTIFIERS_LITERALS },
    { "tokens", VIEW_TOKENS }, { "lines", VIEW_LINES }, { "shingles", VIEW_SHINGLES }, { "chars", VIEW_CHARS },
};
enum { VIEW_NAME_COUNT = sizeof view_names / sizeof view_names[0], VIEW_MAX_N = 1000 };

static bool view_takes_n(enum view_kind kind) { return kind == VIEW_SHINGLES || kind == VIEW_CHARS; }

int view_parse(struct view_options *out, const char *text, struct err *err)
{
    static const char *const names[] = { "identifiers", "identifiers+literals", "tokens", "lines", "shingles:5",
                                         "chars:24", NULL };
    const char *colon = strchr(text, ':');
    char        near[SUGGEST_ROOM];
    size_t      len = colon ? (size_t)(colon - text) : strlen(text);

    for (size_t i = 0; i < VIEW_NAME_COUNT; i++) {
        char         *end;
        unsigned long n = 0;

        if (strlen(view_names[i].name) != len || memcmp(view_names[i].name, text, len) != 0) continue;
        if (view_takes_n(view_names[i].kind) != (colon != NULL)) break;
        if (colon) {
            n = strtoul(colon + 1, &end, 10);
            if (colon[1] < '1' || colon[1] > '9' || *end || n > VIEW_MAX_N)
                return err_set(err, -EINVAL, "view `%s`: the number after the colon must be 1 to %d", text, VIEW_MAX_N);
        }
        out->kind = view_names[i].kind;
        out->n = (uint32_t)n;
        return 0;
    }
    return err_set(err, -EINVAL, "unknown view `%s`%s; views are identifiers, identifiers+literals, tokens, "
                                 "lines, shingles:N, chars:N", text, suggest(text, names, near));
}

void view_print(const struct view_options *view, char out[32])
{
    const char *name = "";

    for (size_t i = 0; i < VIEW_NAME_COUNT; i++)
        if (view_names[i].kind == view->kind) name = view_names[i].name;
    if (view_takes_n(view->kind)) snprintf(out, 32, "%s:%u", name, view->n);
    else snprintf(out, 32, "%s", name);
}

/* ---- 2. What is kept between documents ---- */

int view_scratch_open(struct view_scratch **out, const struct view_options *view, struct err *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out) return err_memory(err, sizeof **out, "a view");
    (*out)->view = *view;
    (*out)->functions.how = view->functions;
    return 0;
}

void view_scratch_close(struct view_scratch *scratch)
{
    if (!scratch) return;
    for (size_t i = 0; i < scratch->known_count; i++) {
        free(scratch->known[i]->keyword);
        free(scratch->known[i]);
    }
    free(scratch->known);
    table_free(&scratch->names);
    free(scratch->feature);
    free(scratch->place);
    view_words_free(&scratch->words);
    lexer_free(&scratch->lexer);
    functions_free(&scratch->functions);
    bytes_free(&scratch->runs);
    bytes_free(&scratch->field);
    bytes_free(&scratch->named);
    free(scratch);
}

/* ---- 3. Token views ---- */

int view_reserve(struct view_scratch *scratch, size_t count, struct err *err)
{
    uint64_t *grown;

    if (count <= scratch->feature_room) return 0;
    count += count / 2;
    grown = realloc(scratch->feature, count * sizeof *grown);
    if (!grown) return err_memory(err, count * sizeof *grown, "a document's features");
    scratch->feature = grown;
    scratch->feature_room = count;
    return 0;
}

/* The published filter (docs/definitions.md, "Features") looks at a token's first character only: an ASCII letter or
 * underscore.  It is all that can be asked of tokens that come without their kinds. */
static bool starts_identifier(unsigned char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }

static bool starts_literal(struct slice token)
{
    unsigned char c = (unsigned char)token.at[0];

    return (c >= '0' && c <= '9') || c == '"' || c == '\'' || c == '`' ||
           (c == '.' && token.len > 1 && token.at[1] >= '0' && token.at[1] <= '9');
}

/* Is a token that comes without its kind a feature, unless it is a keyword? */
static inline bool takes_given(enum view_kind kind, struct slice token, bool identifier)
{
    return kind == VIEW_TOKENS || identifier ||
        (kind == VIEW_IDENTIFIERS_LITERALS && token.len && starts_literal(token));
}

static int features_of_given_tokens(struct view_scratch *scratch, const struct known_language *known,
                                    const struct record *record,
                                    struct feature_list *out, struct err *err)
{
    const enum view_kind kind = scratch->view.kind;
    struct slice         token[RECORD_TOKENS];
    size_t               at = 0, count = 0;
    int                  rc;

    while ((rc = record_next_tokens(record, &at, &scratch->field, token)) > 0) {
        if (view_reserve(scratch, count + (size_t)rc, err) < 0) return err->code;
        for (int t = 0; t < rc; t++) {
            const bool identifier = token[t].len && starts_identifier((unsigned char)token[t].at[0]);
            uint64_t   hash;

            if (!takes_given(kind, token[t], identifier)) continue;
            hash = view_hash(token[t], known->language.seed);
            if (kind == VIEW_TOKENS || !identifier || !is_keyword(known, hash)) scratch->feature[count++] = hash;
        }
    }
    if (rc == -ENOMEM) return err_memory(err, record->raw[FIELD_TOKENS].len, "a token");
    if (rc < 0) return err_set(err, -EBADMSG, "`tokens` is not an array of strings");
    *out = (struct feature_list){ scratch->feature, count };
    return 0;
}

/* Is the token a feature, unless it is a keyword? */
static bool takes_token(enum view_kind kind, enum token_kind token)
{
    if (kind == VIEW_TOKENS || token <= TOKEN_QUOTED || token == TOKEN_PREFIXED) return true;
    return kind == VIEW_IDENTIFIERS_LITERALS && (token == TOKEN_NUMBER || token == TOKEN_STRING);
}

static int place_reserve(struct view_scratch *scratch, size_t count, struct err *err)
{
    if (count <= scratch->place_room) return 0;
    count += count / 2;
    free(scratch->place);
    scratch->place = malloc(count * sizeof *scratch->place);
    scratch->place_room = scratch->place ? count : 0;
    return scratch->place ? 0 : err_memory(err, count * sizeof *scratch->place, "a document's words");
}

/* The features of view identifiers among the lexer's tokens, and where they start: most texts are read for these
 * alone.  What the loop reads is copied first: as far as a compiler knows, what it stores might change that. */
static size_t names_hash(struct view_scratch *scratch, const struct known_language *known, const char *text)
{
    const struct known_language keywords = *known;
    const struct token *const   token = scratch->lexer.token;
    uint64_t *const             feature = scratch->feature;
    uint32_t *const             place = scratch->place;
    const size_t                tokens = scratch->lexer.count;
    size_t                      count = 0;

    for (size_t i = 0; i < tokens; i++) {
        const struct slice name = { text + token[i].at, token[i].len };

        place[count] = token[i].at;
        if (token[i].kind == TOKEN_NAME) {
            const uint64_t hash = view_hash(name, keywords.language.seed);

            feature[count] = hash;
            count += !is_keyword(&keywords, hash);
        } else if (token[i].kind == TOKEN_QUOTED) {
            feature[count++] = view_hash(name, keywords.language.seed);
        }
    }
    place[count] = UINT32_MAX;
    scratch->placed = true;
    return count;
}

int view_lexed(struct view_scratch *scratch, const struct known_language *known, struct slice text, unsigned want,
               struct feature_list *out, struct err *err)
{
    const enum view_kind kind = scratch->view.kind;
    const bool           published = scratch->view.published;
    const uint64_t       seed = known->language.seed;
    const struct token  *token;
    uint32_t            *place = NULL;
    size_t               count = 0;
    int                  rc = lexer_run(&scratch->lexer, known->language.row, text,
                                        (want & ~(unsigned)VIEW_ALSO_PLACES) | (published ? LEX_PUBLISHED : 0), err);

    scratch->placed = false;
    if (rc < 0 || (rc = view_reserve(scratch, scratch->lexer.count, err)) < 0) return rc;
    if (scratch->lexer.dropped) return err_set(err, -ENODATA, "the published tokeniser drops this text");
    if (place_reserve(scratch, scratch->lexer.count + 1, err) < 0) return err->code;
    if (want & VIEW_ALSO_PLACES) place = scratch->place;
    token = scratch->lexer.token;
    if (kind == VIEW_IDENTIFIERS && !published) {
        *out = (struct feature_list){ scratch->feature, names_hash(scratch, known, text.at) };
        return 0;
    }
    for (size_t i = 0; i < scratch->lexer.count; i++) {
        const struct slice s = { text.at + token[i].at, token[i].len };
        uint64_t           hash;
        bool               keep = true;

        if (!takes_token(kind, (enum token_kind)token[i].kind)) continue;
        hash = view_hash(s, seed);
        if (kind != VIEW_TOKENS && published && (token[i].kind <= TOKEN_QUOTED || token[i].kind == TOKEN_PREFIXED))
            keep = starts_identifier((unsigned char)s.at[0]) &&
                   (token[i].kind == TOKEN_QUOTED || !is_keyword(known, hash));
        else if (kind != VIEW_TOKENS && token[i].kind <= TOKEN_QUOTED) keep = is_identifier(known, &token[i], hash);
        else if (token[i].kind == TOKEN_PREFIXED) keep = kind != VIEW_IDENTIFIERS;
        scratch->feature[count] = hash;
        if (place) place[count] = token[i].at;
        count += keep;
    }
    *out = (struct feature_list){ scratch->feature, count };
    return 0;
}

unsigned view_lexer_wants(const struct view_scratch *scratch)
{
    static const unsigned want[] = { [VIEW_IDENTIFIERS] = LEX_NAMES, [VIEW_IDENTIFIERS_LITERALS] = LEX_LITERALS,
                                     [VIEW_TOKENS] = LEX_ALL };

    return want[scratch->view.kind];
}

/* ---- 4. Lines, shingles, characters ---- */

static int features_of_lines(struct view_scratch *scratch, uint64_t seed, struct slice text, struct feature_list *out,
                             struct err *err)
{
    size_t count = 0;

    while (text.len) {
        const char  *newline = memchr(text.at, '\n', text.len);
        size_t       len = newline ? (size_t)(newline - text.at) : text.len;
        struct slice line = trimmed((struct slice){ text.at, len });

        if (view_reserve(scratch, count + 1, err) < 0) return err->code;
        if (line.len) scratch->feature[count++] = view_hash(line, seed);
        text.at += len + (newline != NULL);
        text.len -= len + (newline != NULL);
    }
    *out = (struct feature_list){ scratch->feature, count };
    return 0;
}

/* Spreads a polynomial sum over all bits. */
static uint64_t finalised(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185ull;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44dull;
    x ^= x >> 33;
    return x + !x;
}

/* Hashes of the words in order, into scratch->feature, which is there for no words, too.  Returns 0 or <0. */
static int words_hash(struct view_scratch *scratch, uint64_t seed, struct slice text, struct err *err)
{
    const struct view_words *words = &scratch->words;

    if (view_words_find(&scratch->words, text, err) < 0 || view_reserve(scratch, words->count + 1, err) < 0)
        return err->code;
    for (size_t i = 0; i < words->count; i++)
        scratch->feature[i] = view_hash(view_words_at(words, text.at, i), seed);
    return 0;
}

static int features_of_shingles(struct view_scratch *scratch, uint64_t seed, struct slice text,
                                struct feature_list *out, struct err *err)
{
    const uint64_t base = 0x9e3779b97f4a7c15ull;            /* odd: multiplying loses nothing modulo 2^64 */
    uint64_t power = 1, sum = 0, *word, oldest;
    size_t   n = scratch->view.n, count;

    if (words_hash(scratch, seed, text, err) < 0) return err->code;
    count = scratch->words.count;
    *out = (struct feature_list){ scratch->feature, 0 };
    if (count < n && scratch->view.backoff) n = (count + 1) / 2;
    if (count < n || count == 0) return 0;
    word = scratch->feature;
    for (size_t i = 0; i < n; i++) {
        sum = sum * base + word[i];
        power *= base;
    }
    /* shingle i overwrites word i once that has left the window */
    for (size_t i = 0; i + n <= count; i++) {
        oldest = word[i];
        word[i] = finalised(sum);
        if (i + n < count) sum = sum * base + word[i + n] - oldest * power;
    }
    out->count = count - n + 1;
    return 0;
}

static int features_of_chars(struct view_scratch *scratch, uint64_t seed, struct slice text, struct feature_list *out,
                             struct err *err)
{
    size_t count = 0, end = 0, inside = 0;

    for (size_t start = 0; start < text.len; start++) {
        if (((unsigned char)text.at[start] & 0xC0) == 0x80 && start > 0) continue;      /* inside a code point */
        while (end < text.len && inside < scratch->view.n) {
            end++;
            while (end < text.len && ((unsigned char)text.at[end] & 0xC0) == 0x80) end++;
            inside++;
        }
        if (inside < scratch->view.n) break;
        if (view_reserve(scratch, count + 1, err) < 0) return err->code;
        scratch->feature[count++] = view_hash((struct slice){ text.at + start, end - start }, seed);
        inside--;
    }
    *out = (struct feature_list){ scratch->feature, count };
    return 0;
}

int view_features(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                  struct feature_list *out, struct err *err)
{
    const struct known_language *known = (const struct known_language *)language;       /* its first member */

    *out = (struct feature_list){ scratch->feature, 0 };
    scratch->placed = false;
    switch (scratch->view.kind) {
    case VIEW_IDENTIFIERS:
    case VIEW_IDENTIFIERS_LITERALS:
    case VIEW_TOKENS:
        if (record_has_tokens(record)) return features_of_given_tokens(scratch, known, record, out, err);
        return view_lexed(scratch, known, record->text, view_lexer_wants(scratch), out, err);
    case VIEW_LINES:    return features_of_lines(scratch, language->seed, record->text, out, err);
    case VIEW_SHINGLES: return features_of_shingles(scratch, language->seed, record->text, out, err);
    case VIEW_CHARS:    return features_of_chars(scratch, language->seed, record->text, out, err);
    }
    return 0;
}

int view_sequence(struct view_scratch *scratch, const struct view_language *language, struct slice text,
                  struct view_sequence *out, struct err *err)
{
    const struct known_language *known = (const struct known_language *)language;
    struct feature_list          features = { 0 };
    int                          rc;

    if (scratch->view.kind == VIEW_TOKENS) {
        rc = view_lexed(scratch, known, text, LEX_ALL | VIEW_ALSO_PLACES, &features, err);
        *out = (struct view_sequence){ features.hash, scratch->place, features.count };
    } else {
        scratch->placed = false;
        rc = words_hash(scratch, language->seed, text, err);
        *out = (struct view_sequence){ scratch->feature, scratch->words.start, scratch->words.count };
    }
    return rc;
}

int view_places(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                struct view_sequence *out, struct err *err)
{
    const struct known_language *known = (const struct known_language *)language;
    struct feature_list          features;
    int                          rc;

    *out = (struct view_sequence){ 0 };
    if (scratch->view.kind > VIEW_TOKENS || record_has_tokens(record)) return 0;
    rc = view_lexed(scratch, known, record->text, view_lexer_wants(scratch) | VIEW_ALSO_PLACES, &features, err);
    if (rc == 0) *out = (struct view_sequence){ features.hash, scratch->place, features.count };
    return rc;
}

const uint32_t *view_last_places(const struct view_scratch *scratch)
{
    return scratch->placed ? scratch->place : NULL;
}

/* ---- 5. Tokens as JSON ---- */

int view_tokens_json(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                     struct bytes *out, struct err *err)
{
    int rc;

    if (record_has_tokens(record))
        return bytes_append_slice(out, record->raw[FIELD_TOKENS]) < 0
            ? err_memory(err, record->raw[FIELD_TOKENS].len, "tokens") : 0;
    rc = lexer_run(&scratch->lexer, language->row, record->text,
                   LEX_ALL | (scratch->view.published ? LEX_PUBLISHED : 0), err);
    if (rc < 0) return rc;
    rc = bytes_append(out, "[", 1);
    for (size_t i = 0; i < scratch->lexer.count && rc == 0; i++) {
        struct slice token = { record->text.at + scratch->lexer.token[i].at, scratch->lexer.token[i].len };

        if (i) rc = bytes_append(out, ", ", 2);
        if (rc == 0) rc = json_append_string(out, token);
    }
    if (rc == 0) rc = bytes_append(out, "]", 1);
    return rc < 0 ? err_memory(err, record->text.len, "tokens") : 0;
}
