/* Trains a model of n-grams on files and asks it about others, each file a document.
 *
 *   lm [--order N] [--arpa FILE] [--text FILE] TRAIN... -- SCORE...
 *
 * --arpa, --text: leaves the model and the second files' tokens, a document a line, as tools for ARPA files read them.
 * Prints one line each: what counting, estimating and scoring took in seconds of CPU, with the bytes of the model;
 * tokens a second through model_score in windows of 1,024, and the perplexity of the second files, </s> counted, <s>
 * given.  A piece seen once is <unk>. */
#include "base/log.h"
#include "base/sort.h"
#include "base/table.h"
#include "lm/lm.h"
#include "model/model.h"
#include "tests/bench/words.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WINDOW = 1024, LEAST = 2 };

static double cpu(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "lm: %s\n", what);
    exit(1);
}

static void *need(void *at)
{
    if (!at) fail("out of memory");
    return at;
}

static struct bytes read_file(const char *path)
{
    struct bytes b = { 0 };
    FILE        *file = fopen(path, "rb");
    static char  part[1 << 16];

    if (!file) fail(path);
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        if (bytes_append(&b, part, got) < 0) fail("out of memory");
    fclose(file);
    return b;
}

/* ---- counts ---- */

struct corpus {
    struct table vocabulary;
    struct bytes piece;
    uint32_t    *piece_at, *seen, *token;                   /* [tokens + 1], [tokens], [length] */
    uint32_t     tokens;
    size_t       length, at_room, seen_room, token_room, documents, text_bytes;
};

static void corpus_free(struct corpus *c)
{
    table_free(&c->vocabulary);
    bytes_free(&c->piece);
    free(c->piece_at);
    free(c->seen);
    free(c->token);
}

static uint32_t token_of(struct corpus *c, struct slice piece)
{
    XXH128_hash_t hash = XXH3_128bits(piece.at, piece.len);
    bool          added;
    uint32_t      token = table_put(&c->vocabulary, hash.low64, hash.high64, c->tokens, &added);

    if (added) {
        if (ARRAY_GROW(c->piece_at, c->at_room, c->tokens + 1) < 0 ||
            ARRAY_GROW(c->seen, c->seen_room, c->tokens) < 0 ||
                bytes_append_slice(&c->piece, piece) < 0)
            fail("out of memory");
        c->seen[c->tokens] = 0;
        c->piece_at[++c->tokens] = (uint32_t)c->piece.len;
    }
    c->seen[token]++;
    return token;
}

static void put_token(struct corpus *c, uint32_t token)
{
    if (ARRAY_GROW(c->token, c->token_room, c->length) < 0) fail("out of memory");
    c->token[c->length++] = token;
}

static void add_file(struct corpus *c, const char *path)
{
    struct bytes text = read_file(path);

    put_token(c, LM_BEGIN);
    for (size_t at = 0, len; at < text.len; at += len) {
        len = lm_piece(text.at + at, text.len - at);
        put_token(c, token_of(c, (struct slice){ text.at + at, len }));
    }
    put_token(c, LM_END);
    c->documents++;
    c->text_bytes += text.len;
    bytes_free(&text);
}

/* Rare pieces are taken out of the vocabulary, the others move up. */
static void prune(struct corpus *c)
{
    uint32_t *to = need(calloc(c->tokens, sizeof *to)), kept = LM_FIRST;
    uint32_t  piece_end = c->piece_at[LM_FIRST];

    for (uint32_t t = 0; t < c->tokens; t++) {
        uint32_t from = c->piece_at[t], len = c->piece_at[t + 1] - from;

        if (t < LM_FIRST) to[t] = t;
        else if (c->seen[t] >= LEAST) {
            memmove(c->piece.at + piece_end, c->piece.at + from, len);
            piece_end += len;
            to[t] = kept++;
        }
        if (t >= LM_FIRST && to[t]) c->seen[to[t]] = piece_end;             /* where it ends now */
    }
    for (uint32_t t = LM_FIRST; t < kept; t++) c->piece_at[t + 1] = c->seen[t];
    for (size_t i = 0; i < c->length; i++) c->token[i] = to[c->token[i]];
    c->tokens = kept;
    free(to);
}

static uint32_t row_token(const struct corpus *c, size_t end, uint32_t order, uint32_t k, size_t begin)
{
    return end + k + 1 < begin + order ? LM_BEGIN : c->token[end + k + 1 - order];
}

static struct lm_counts count_rows(struct corpus *c, uint32_t order)
{
    size_t            rows = c->length - c->documents, n = 0, begin = 0;
    struct sort_item *item = need(malloc(rows * sizeof *item)), *spare = need(malloc(rows * sizeof *spare));
    uint32_t         *all = need(malloc(rows * order * sizeof *all)), *row = need(malloc(rows * order * sizeof *row));
    uint64_t         *count = need(malloc(rows * sizeof *count)), kept = 0;

    for (size_t i = 0; i < c->length; i++) {
        if (c->token[i] == LM_BEGIN) {
            begin = i;
            continue;
        }
        for (uint32_t k = 0; k < order; k++) all[n * order + k] = row_token(c, i, order, k, begin);
        item[n].value = n;
        n++;
    }
    for (uint32_t j = order; j; j -= j > 1 ? 2 : 1) {       /* the last two tokens first: the order of equals is kept */
        for (size_t i = 0; i < rows; i++) {
            const uint32_t *from = all + item[i].value * order + j;

            item[i].key = from[-1] | (j > 1 ? (uint64_t)from[-2] << 32 : 0);
        }
        sort_items(item, spare, rows);
    }
    for (size_t i = 0; i < rows; i++) {
        const uint32_t *from = all + item[i].value * order;

        if (kept && memcmp(row + (kept - 1) * order, from, order * sizeof *row) == 0) {
            count[kept - 1]++;
            continue;
        }
        memcpy(row + kept * order, from, order * sizeof *row);
        count[kept++] = 1;
    }
    free(item);
    free(spare);
    free(all);
    return (struct lm_counts){ order, c->tokens, kept, rows, c->documents, row, count, c->piece_at, c->piece.at };
}

/* ---- asking ---- */

static void ask(const struct lm *lm, const char *path, char **files, int count, const char *text_path)
{
    struct model_options  options = { .name = (char[]){ "bench" }, .backend = MODEL_NGRAM,
                                      .path = (char *)(uintptr_t)path };
    struct model         *model;
    struct model_session *session;
    struct err            err = { 0 };
    FILE                 *out = text_path ? fopen(text_path, "w") : NULL;
    double                sum = 0, cut_seconds = 0, score_seconds = 0, check = 0;
    size_t                tokens = 0, scored = 0, bytes = 0;
    struct model_score    score[WINDOW];

    if (model_open(&model, &options, &err) < 0 || model_session_open(&session, model, &err) < 0) fail(err.text);
    for (int i = 0; i < count; i++) {
        struct bytes        text = read_file(files[i]);
        struct model_tokens cut;
        uint32_t            state = lm->begin;
        double              started = cpu();

        if (model_tokenize(session, bytes_slice(&text), &cut, &err) < 0) fail(err.text);
        cut_seconds += cpu() - started;
        started = cpu();
        for (size_t at = 0; at + 1 < cut.count; at += WINDOW / 2) {
            size_t end = at + WINDOW < cut.count ? at + WINDOW : cut.count, from = at ? at + WINDOW / 2 : 1;

            if (from >= end) break;
            if (model_score(session, &cut, at, end, from, score, &err) < 0) fail(err.text);
            check += score[0].logprob;
            scored += end - from;
        }
        score_seconds += cpu() - started;
        for (size_t t = 0; t < cut.count; t++) sum -= lm_step(lm, &state, cut.id[t]);
        sum -= lm_step(lm, &state, LM_END);
        tokens += cut.count + 1;
        bytes += text.len;
        if (out) {
            fprintf(out, "<s>");
            for (size_t t = 0; t < cut.count; t++)
                put_word(out, (struct slice){ text.at + cut.at[t], cut.at[t + 1] - cut.at[t] });
            fprintf(out, " </s>\n");
        }
        bytes_free(&text);
    }
    if (out && fclose(out) != 0) fail(text_path);
    printf("tokenize seconds=%.3f bytes=%zu MB/s=%.1f\n", cut_seconds, bytes, (double)bytes / cut_seconds / 1e6);
    printf("score seconds=%.3f tokens=%zu tokens/s=%.0f sum=%.6g\n", score_seconds, scored,
           (double)scored / score_seconds, check);
    printf("perplexity %.6f tokens=%zu\n", exp(sum / (double)tokens), tokens);
    model_session_close(session);
    model_close(model);
}

int main(int argc, char **argv)
{
    struct corpus    c = { 0 };
    struct lm_counts counts;
    struct lm        lm;
    struct err       err = { 0 };
    const char      *arpa = NULL, *text = NULL;
    char             path[] = "/tmp/leakgraph-lm-bench.XXXXXX";
    uint32_t         order = 5;
    int              at = 1, fd = mkstemp(path);
    double           started = cpu();

    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--order") == 0) order = (uint32_t)atoi(argv[at + 1]);
        else if (strcmp(argv[at], "--arpa") == 0) arpa = argv[at + 1];
        else if (strcmp(argv[at], "--text") == 0) text = argv[at + 1];
    }
    if (fd < 0 || close(fd) < 0 || order < 1 || order > LM_ORDER_MAX || at >= argc)
        fail("[--order N] [--arpa FILE] [--text FILE] TRAIN... -- SCORE...");
    c.piece_at = need(calloc(1, sizeof *c.piece_at));
    c.at_room = 1;
    token_of(&c, SLICE("<unk>"));
    token_of(&c, SLICE("<s>"));
    token_of(&c, SLICE("</s>"));
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) add_file(&c, argv[at]);
    prune(&c);
    counts = count_rows(&c, order);
    printf("count seconds=%.3f documents=%zu bytes=%zu tokens=%zu vocabulary=%u rows=%llu\n", cpu() - started,
           c.documents, c.text_bytes, c.length - c.documents,
           c.tokens, (unsigned long long)counts.rows);
    started = cpu();
    if (lm_estimate(&lm, &counts, SMOOTH_KNESER_NEY, omp_get_max_threads(), NULL, &err) < 0) fail(err.text);
    printf("estimate seconds=%.3f MB/s=%.1f n-grams=%llu contexts=%u\n", cpu() - started,
           (double)c.text_bytes / (cpu() - started) / 1e6,
           (unsigned long long)lm.arcs, lm.states);
    started = cpu();
    if (lm_write(&lm, path, &err) < 0) fail(err.text);
    printf("write seconds=%.3f\n", cpu() - started);
    if (arpa && lm_arpa_write(&lm, arpa, &err) < 0) fail(err.text);
    ask(&lm, path, argv + at + 1, argc > at + 1 ? argc - at - 1 : 0, text);
    unlink(path);
    lm_free(&lm);
    free((void *)(uintptr_t)counts.row);
    free((void *)(uintptr_t)counts.count);
    corpus_free(&c);
    return 0;
}
