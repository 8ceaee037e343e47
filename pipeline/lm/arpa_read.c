/* lm/arpa_read.c -- ARPA text into a model; see lm.h.
 *
 * The n-grams of an order are kept as they come, sorted by their tokens, and then are the arcs of that order: each
 * n-gram's successors are the ones of the next order that begin with it.  Anything may stand before \data\ and after
 * \end\; a line that cannot be taken ends the reading with its number. */
#include "lm/private.h"

#include "base/file.h"
#include "base/sort.h"
#include "base/table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static const double log_10 = 2.30258509299404568402;

/* An n-gram, its tokens beside it. */
struct entry { uint64_t line; float logprob, backoff; };
struct grams {
    uint32_t     *token;                                    /* [count * order] */
    struct entry *entry;                                    /* [count] */
    size_t        count, token_room, entry_room;
    uint64_t      told;                                     /* by the head of the file */
};

struct arpa {
    const char     *path;
    FILE           *file;
    char           *line;
    size_t          line_room, len;
    uint64_t        number;                                 /* of the line */
    uint32_t        order;
    struct grams    grams[LM_ORDER_MAX + 1];
    struct table    vocabulary;
    struct bytes    piece, scratch;
    uint32_t       *piece_at;                               /* [tokens + 1] */
    size_t          piece_room;
    uint32_t        tokens;
    struct lm_build build;
};

static int bad(const struct arpa *a, uint64_t line, struct err *err, const char *what)
{
    return err_set(err, -EBADMSG, "%s: line %llu: %s", a->path, (unsigned long long)line, what);
}

/* ---- lines and words ---- */

/* 1, 0 at the end of the file, <0.  White space at the line's end is taken off. */
static int read_line(struct arpa *a, struct err *err)
{
    ssize_t got;

    errno = 0;
    got = getline(&a->line, &a->line_room, a->file);
    if (got < 0) {
        if (feof(a->file)) return 0;
        return errno == ENOMEM ? err_memory(err, a->line_room, "a line")
            : err_set(err, -EIO, "%s: line %llu: %s", a->path, (unsigned long long)a->number, strerror(errno));
    }
    a->number++;
    a->len = (size_t)got;
    while (a->len && (a->line[a->len - 1] == ' ' || (a->line[a->len - 1] >= '\t' && a->line[a->len - 1] <= '\r')))
        a->len--;
    a->line[a->len] = 0;
    return strlen(a->line) == a->len ? 1 : bad(a, a->number, err, "a NUL byte");
}

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : c >= 'a' && c <= 'f' ? c - 'a' + 10
        : -1;
}

/* A word of the line as the token's bytes, in scratch. */
static int unescape(struct arpa *a, struct slice word, struct err *err)
{
    a->scratch.len = 0;
    if (bytes_reserve(&a->scratch, word.len) < 0) return err_memory(err, word.len, "a token");
    for (size_t i = 0; i < word.len; i++) {
        if (word.len - i >= 4 && word.at[i] == '\\' && word.at[i + 1] == 'x' && hex(word.at[i + 2]) >= 0 &&
            hex(word.at[i + 3]) >= 0) {
            a->scratch.at[a->scratch.len++] = (char)(hex(word.at[i + 2]) << 4 | hex(word.at[i + 3]));
            i += 3;
        } else a->scratch.at[a->scratch.len++] = word.at[i];
    }
    return 0;
}

static int add_piece(struct arpa *a, struct slice piece, struct err *err)
{
    if (ARRAY_GROW(a->piece_at, a->piece_room, a->tokens + 1) < 0 ||
        bytes_append_slice(&a->piece, piece) < 0)
        return err_memory(err, a->piece.len + piece.len, "the tokens of a model");
    if (a->piece.len > UINT32_MAX || a->tokens == LM_NONE - 1)
        return err_set(err, -EOVERFLOW, "%s: line %llu: more than 4 GB of tokens", a->path,
                       (unsigned long long)a->number);
    a->piece_at[++a->tokens] = (uint32_t)a->piece.len;
    return 0;
}

/* The number of the token in scratch; when `add`, a new one gets the next number. */
static int token_of(struct arpa *a, bool add, uint32_t *out, struct err *err)
{
    struct slice  piece = bytes_slice(&a->scratch);
    XXH128_hash_t hash = XXH3_128bits(piece.at, piece.len);
    bool          added = false;

    *out = add ? table_put(&a->vocabulary, hash.low64, hash.high64, a->tokens, &added)
        : table_find(&a->vocabulary, hash.low64, hash.high64);
    if (*out == TABLE_NONE)
        return add ? err_memory(err, a->tokens, "a vocabulary") : bad(a, a->number, err, "a token that is no unigram");
    return added ? add_piece(a, piece, err) : 0;
}

/* The next word of a line, or one of length 0. */
static struct slice next_word(char **at)
{
    struct slice word;

    *at += strspn(*at, " \t");
    word = (struct slice){ *at, strcspn(*at, " \t") };
    *at += word.len;
    return word;
}

/* ---- n-grams ---- */

/* log10 to log. */
static bool number_of(struct slice word, double most, float *out)
{
    char  *end;
    double value = strtod(word.at, &end);

    if (!word.len || end != word.at + word.len || !isfinite(value) || value > most || value < -1e6) return false;
    *out = (float)(value * log_10);
    return true;
}

static int take_gram(struct arpa *a, uint32_t order, struct err *err)
{
    struct grams *g = &a->grams[order];
    char         *at = a->line;
    struct slice  first = next_word(&at), word;
    struct entry  entry = { .line = a->number };
    uint32_t      token = 0;
    int           rc;

    /* the last of its tokens: one doubling is room for all of them */
    if (ARRAY_GROW(g->token, g->token_room, (g->count + 1) * order - 1) < 0)
        return err_memory(err, 8 * g->token_room, "n-grams");
    if (ARRAY_GROW(g->entry, g->entry_room, g->count) < 0)
        return err_memory(err, 2 * g->entry_room * sizeof *g->entry, "n-grams");
    for (uint32_t i = 0; i < order; i++) {
        word = next_word(&at);
        if (!word.len) return bad(a, a->number, err, "fewer tokens than the section's n-grams have");
        if ((rc = unescape(a, word, err)) < 0 || (rc = token_of(a, order == 1, &token, err)) < 0) return rc;
        g->token[g->count * order + i] = token;
    }
    if (!number_of(first, 1e-6, &entry.logprob)) return bad(a, a->number, err, "no logarithm of a probability");
    if (entry.logprob > 0) entry.logprob = 0;
    /* it is never predicted, whatever stands there */
    if (order == 1 && token == LM_BEGIN) entry.logprob = -INFINITY;
    word = next_word(&at);
    if (word.len && (order == a->order || !number_of(word, 30, &entry.backoff)))
        return bad(a, a->number, err, "no logarithm of a backoff weight");
    if (next_word(&at).len) return bad(a, a->number, err, "something after the n-gram");
    g->entry[g->count++] = entry;
    return 0;
}

static bool in_order(const struct grams *g, uint32_t order)
{
    for (size_t i = 1; i < g->count; i++) {
        const uint32_t *left = g->token + (i - 1) * order, *right = left + order;
        uint32_t        j = 0;

        while (j < order - 1 && left[j] == right[j]) j++;
        if (left[j] > right[j]) return false;
    }
    return true;
}

/* Sorts by tokens, the last two first: each pass keeps the order of equals. */
static int sort_grams(struct grams *g, uint32_t order, struct err *err)
{
    struct sort_item *item, *spare;
    uint32_t         *token;
    struct entry     *entry;
    int               rc = 0;

    if (in_order(g, order)) return 0;
    item = malloc(g->count * sizeof *item);
    spare = malloc(g->count * sizeof *spare);
    token = malloc(g->count * order * sizeof *token);
    entry = malloc(g->count * sizeof *entry);
    if (!item || !spare || !token || !entry)
        rc = err_memory(err, g->count * (2 * sizeof *item + order * sizeof *token + sizeof *entry), "sorting n-grams");
    else {
        for (size_t i = 0; i < g->count; i++) item[i].value = i;
        for (uint32_t j = order; j; j -= j > 1 ? 2 : 1) {
            for (size_t i = 0; i < g->count; i++) {
                const uint32_t *from = g->token + item[i].value * order + j;

                item[i].key = from[-1] | (j > 1 ? (uint64_t)from[-2] << 32 : 0);
            }
            sort_items(item, spare, g->count);
        }
        for (size_t i = 0; i < g->count; i++) {
            memcpy(token + i * order, g->token + item[i].value * order, order * sizeof *token);
            entry[i] = g->entry[item[i].value];
        }
        memcpy(g->token, token, g->count * order * sizeof *token);
        memcpy(g->entry, entry, g->count * sizeof *entry);
    }
    free(item);
    free(spare);
    free(token);
    free(entry);
    return rc;
}

/* ---- the file ---- */

static int read_counts(struct arpa *a, struct err *err)
{
    int rc;

    while ((rc = read_line(a, err)) > 0 && strcmp(a->line, "\\data\\") != 0) {
        char               smoothing[16];
        unsigned long long tokens, documents;

        if (sscanf(a->line, "# leakgraph smoothing=%15s trained_tokens=%llu trained_documents=%llu", smoothing, &tokens,
                   &documents) != 3)
            continue;
        a->build.lm.smoothing = strcmp(smoothing, "witten-bell") == 0 ? SMOOTH_WITTEN_BELL : SMOOTH_KNESER_NEY;
        a->build.lm.trained_tokens = tokens;
        a->build.lm.trained_documents = documents;
    }
    if (rc == 0) return bad(a, a->number, err, "no \\data\\ in the whole file: this is no ARPA file");
    while (rc > 0 && (rc = read_line(a, err)) > 0 && (a->len == 0 || strncmp(a->line, "ngram ", 6) == 0)) {
        unsigned long long order, count;

        if (a->len == 0) continue;
        if (sscanf(a->line, "ngram %llu = %llu", &order, &count) != 2 || order != a->order + 1)
            return bad(a, a->number, err, "no `ngram ORDER=COUNT', in order from 1");
        if (order > LM_ORDER_MAX) return bad(a, a->number, err, "n-grams longer than 7 tokens are not read");
        a->grams[++a->order].told = count;
    }
    if (rc < 0) return rc;
    return a->order ? rc : bad(a, a->number, err, "no `ngram 1=COUNT'");
}

/* The line at hand is the first after the counts. */
static int read_grams(struct arpa *a, int rc, struct err *err)
{
    for (uint32_t k = 1; k <= a->order; k++) {
        char head[32];

        snprintf(head, sizeof head, "\\%u-grams:", k);
        while (rc > 0 && a->len == 0) rc = read_line(a, err);
        if (rc < 0) return rc;
        if (rc == 0 || strcmp(a->line, head) != 0)
            return err_set(err, -EBADMSG, "%s: line %llu: %s is missing", a->path, (unsigned long long)a->number, head);
        while ((rc = read_line(a, err)) > 0 && (a->len == 0 || a->line[0] != '\\')) {
            int taken = a->len ? take_gram(a, k, err) : 0;

            if (taken < 0) return taken;
        }
        if (rc < 0) return rc;
        if (a->grams[k].count != a->grams[k].told)
            return err_set(err, -EBADMSG, "%s: line %llu: %zu %u-grams, not %llu as the head says", a->path,
                           (unsigned long long)a->number, a->grams[k].count, k,
                           (unsigned long long)a->grams[k].told);
    }
    if (rc == 0 || strcmp(a->line, "\\end\\") != 0)
        return bad(a, a->number, err, "\\end\\ is missing: the file is cut off");
    return 0;
}

/* ---- the model ---- */

static int compare_grams(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int check_twice(const struct arpa *a, uint32_t k, struct err *err)
{
    const struct grams *g = &a->grams[k];

    for (size_t i = 1; i < g->count; i++)
        if (compare_grams(g->token + (i - 1) * k, g->token + i * k, k) == 0)
            return bad(a, g->entry[i].line, err, "this n-gram is there twice");
    return 0;
}

/* Number i of order k becomes the arc from + i, and a state when something follows it or weighs what does not; *next is
 * the first of order k + 1 that is not taken yet. */
static int place(struct arpa *a, uint32_t k, size_t i, uint64_t from, size_t *next, struct err *err)
{
    const struct grams *g = &a->grams[k], *longer = &a->grams[k + 1];
    struct lm_build    *b = &a->build;
    const uint32_t     *token = g->token + i * k;
    size_t              begin = *next;

    b->arc[from + i] = (struct lm_arc){ token[k - 1], g->entry[i].logprob, LM_NONE };
    if (k == a->order) return 0;
    while (*next < longer->count) {
        int order = compare_grams(longer->token + *next * (k + 1), token, k);

        if (order < 0) return bad(a, longer->entry[*next].line, err, "this n-gram without its last token is missing");
        if (order > 0) break;
        ++*next;
    }
    if (*next == begin && !(g->entry[i].backoff < 0) && !(g->entry[i].backoff > 0)) return 0;
    b->arc[from + i].next = b->lm.states;
    b->state[b->lm.states++] = (struct lm_state){ .first = from + g->count + begin, .backoff = g->entry[i].backoff };
    return 0;
}

static int place_all(struct arpa *a, struct err *err)
{
    struct lm_build *b = &a->build;
    uint64_t         from = 0;
    int              rc;

    b->lm.states = 1;
    for (uint32_t k = 1; k <= a->order; k++) {
        size_t next = 0;

        b->lm.level[k] = b->lm.states;
        for (size_t i = 0; i < a->grams[k].count; i++)
            if ((rc = place(a, k, i, from, &next, err)) < 0) return rc;
        if (k < a->order && next < a->grams[k + 1].count)
            return bad(a, a->grams[k + 1].entry[next].line, err, "this n-gram without its last token is missing");
        from += a->grams[k].count;
    }
    for (uint32_t k = a->order; k <= LM_ORDER_MAX; k++) b->lm.level[k] = b->lm.states;
    b->state[b->lm.states].first = from;
    return 0;
}

/* The line of an arc. */
static uint64_t line_of(const struct arpa *a, uint64_t arc)
{
    uint32_t k = 1;

    for (; arc >= a->grams[k].count; k++) arc -= a->grams[k].count;
    return a->grams[k].entry[arc].line;
}

static int build(struct arpa *a, struct err *err)
{
    struct lm_build *b = &a->build;
    uint64_t         contexts = 1, arc;
    int              rc;

    b->lm.order = a->order;
    b->lm.tokens = a->tokens;
    for (uint32_t k = 1; k <= a->order; k++) {
        b->lm.arcs += a->grams[k].count;
        if (k < a->order) contexts += a->grams[k].count;
        if ((rc = sort_grams(&a->grams[k], k, err)) < 0 || (rc = check_twice(a, k, err)) < 0) return rc;
    }
    if (contexts >= LM_NONE) return err_set(err, -EOVERFLOW, "%s: more than 2^32 contexts", a->path);
    b->lm.states = (uint32_t)contexts;                      /* at most */
    if ((rc = lm_build_reserve(b, err)) < 0 || (rc = place_all(a, err)) < 0) return rc;
    b->lm.piece_at = a->piece_at;
    b->lm.piece = a->piece.at;
    a->piece_at = NULL;
    a->piece = (struct bytes){ 0 };
    if ((arc = lm_link(b, NULL, omp_get_max_threads())) < b->lm.arcs)
        return bad(a, line_of(a, arc), err, "this n-gram without its first token is missing");
    return lm_moments(b, omp_get_max_threads(), err);
}

/* The three names have their numbers whether or not they are there; one that is not is never seen. */
static int begin_vocabulary(struct arpa *a, struct err *err)
{
    static const char *const names[LM_FIRST] = { [LM_UNK] = "<unk>", [LM_BEGIN] = "<s>", [LM_END] = "</s>" };
    uint32_t                 token;
    int                      rc = ARRAY_GROW(a->piece_at, a->piece_room, 0);

    if (rc < 0) return err_memory(err, sizeof *a->piece_at, "the tokens of a model");
    a->piece_at[0] = 0;
    for (uint32_t t = 0; t < LM_FIRST && rc == 0; t++)
        if ((rc = unescape(a, slice_of(names[t]), err)) == 0) rc = token_of(a, true, &token, err);
    return rc;
}

static int add_missing(struct arpa *a, struct err *err)
{
    bool there[LM_FIRST] = { false };
    int  rc = 0;

    for (size_t i = 0; i < a->grams[1].count; i++)
        if (a->grams[1].token[i] < LM_FIRST) there[a->grams[1].token[i]] = true;
    for (uint32_t t = 0; t < LM_FIRST && rc == 0; t++)
        if (!there[t]) {
            snprintf(a->line, a->line_room, "-99 %s", t == LM_UNK ? "<unk>" : t == LM_BEGIN ? "<s>" : "</s>");
            rc = take_gram(a, 1, err);
        }
    return rc;
}

int lm_arpa_read(struct lm *out, const char *path, struct err *err)
{
    struct arpa a = { .path = path };
    int         rc;

    *out = (struct lm){ 0 };
    a.file = file_stream(path, "re");
    if (!a.file) return err_set(err, errno == ENOENT ? -ENOENT : -EIO, "%s: %s", path, strerror(errno));
    if ((rc = begin_vocabulary(&a, err)) < 0 || (rc = read_counts(&a, err)) < 0) goto done;
    if ((rc = read_grams(&a, rc, err)) < 0 || (rc = add_missing(&a, err)) < 0 || (rc = build(&a, err)) < 0) goto done;
    *out = a.build.lm;
    a.build.lm = (struct lm){ 0 };
done:
    fclose(a.file);
    free(a.line);
    for (uint32_t k = 1; k <= LM_ORDER_MAX; k++) {
        free(a.grams[k].token);
        free(a.grams[k].entry);
    }
    table_free(&a.vocabulary);
    bytes_free(&a.piece);
    bytes_free(&a.scratch);
    free(a.piece_at);
    lm_build_free(&a.build);
    return rc;
}
