/* tests/property/test_train.c -- the cut into pieces, and whole trainings against a program that keeps every n-gram in
 * one list.
 *
 * Texts are random, with odd bytes, empty documents, long words and copies.  The obvious program cuts them byte by
 * byte, sorts the pieces and the n-grams with qsort, and gives them to the same estimator: the model file must be the
 * same bytes, with any number of threads, with hardly any memory, and when units of an earlier training are there. */
#include "base/log.h"
#include "train/train.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t seed_state;
static char     dir[] = "/tmp/test_train.XXXXXX";

static unsigned draw(unsigned below)
{
    seed_state = seed_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((seed_state >> 33) % below);
}

static void append(struct bytes *out, const void *at, size_t len) { assert_int_equal(bytes_append(out, at, len), 0); }

/* ---- pieces, as lm.h tells them ---- */

static bool is_word(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c >= 0x80;
}

static size_t piece_length(const char *text, size_t len)
{
    const unsigned char *t = (const unsigned char *)text;
    size_t               space = 0, n = 0;

    if (t[0] == '\n') {
        for (n = 1; n < len && n < 65 && strchr(" \t\n\v\f\r", t[n]) && t[n]; n++) continue;
        return n;
    }
    if (t[0] == ' ' && len > 1 && t[1] != ' ' && t[1] != '\n') space = 1;
    while (space + n < len && n < 64 && is_word(t[space + n])) n++;
    return space + (n ? n : 1);
}

static size_t make_text(char *text, size_t most, unsigned kind)
{
    static const char *const words[] = { "if", " (", "x", " x", "\n    ", "\n", "\n\n\t", " = ", "return", " 0", ";",
                                         ", ", "  ", "\t", "caf\303\251", "\"", "\\", "\0" };
    size_t                   len = 0, wanted = draw(8) ? draw((unsigned)most) : draw(3);

    while (len < wanted) {
        size_t some = 1 + draw(6);

        if (kind == 0) text[len++] = (char)draw(256);       /* any bytes */
        else if (kind == 1 && draw(9) == 0)                 /* one byte, longer than a piece */
            for (char c = " a\n_\377"[draw(5)], n = (char)(1 + draw(120)); n && len < wanted; n--) text[len++] = c;
        else if (len > 40 && draw(4) == 0)
            for (size_t from = draw((unsigned)len - 30), n = 4 * some; n && len < wanted; n--)
                text[len++] = text[from++];
        else {
            const char *word = words[draw(draw(2) ? 4 : sizeof words / sizeof *words)];

            some = *word ? strlen(word) : 1;
            if (len + some > wanted) break;
            memcpy(text + len, word, some);
            len += some;
        }
    }
    return len;
}

static void pieces(void **unused)
{
    static const char        whole[] = "if (x ==\n  \tfoo_1   bar;\n\ncaf\303\251 \n\r\n ";
    static const char *const wanted[] = { "if", " (", "x", " =", "=", "\n  \t", "foo_1", " ", " ", " bar", ";", "\n\n",
                                          "caf\303\251", " ", "\n\r\n " };
    char                    *text = malloc(4096);
    size_t                   at = 0;

    (void)unused;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        size_t len = lm_piece(whole + at, sizeof whole - 1 - at);

        assert_int_equal(len, strlen(wanted[i]));
        assert_memory_equal(whole + at, wanted[i], len);
        at += len;
    }
    assert_int_equal(at, sizeof whole - 1);
    for (int round = 0; round < 3000; round++) {
        size_t len = make_text(text, 2000, (unsigned)round % 3);
        /* what is behind it is not looked at: the sanitizer would see it */
        char  *end = text + 4096 - len;

        memmove(end, text, len);
        for (size_t from = 0, n; from < len; from += n) {
            n = lm_piece(end + from, len - from);
            assert_true(n >= 1 && n <= LM_PIECE_MAX && n <= len - from);
            assert_int_equal(n, piece_length(end + from, len - from));
        }
    }
    free(text);
}

/* ---- a corpus ---- */

enum { DOCUMENTS_MAX = 700, SHARDS = 3, TEXT_MAX = 1 << 22 };

static struct { struct slice text[DOCUMENTS_MAX]; size_t documents, len; char bytes[TEXT_MAX]; } corpus;

static void corpus_add(size_t len)
{
    assert_true(corpus.documents < DOCUMENTS_MAX && corpus.len + len <= TEXT_MAX);
    corpus.text[corpus.documents++] = (struct slice){ corpus.bytes + corpus.len, len };
    corpus.len += len;
}

static void make_corpus(size_t documents, size_t most)
{
    corpus.documents = corpus.len = 0;
    while (corpus.documents < documents) {
        char *at = corpus.bytes + corpus.len;

        if (corpus.documents && draw(5) == 0) {             /* a copy of an earlier one */
            struct slice other = corpus.text[draw((unsigned)corpus.documents)];

            memcpy(at, other.at, other.len);
            corpus_add(other.len);
        } else corpus_add(make_text(at, most, draw(20) == 0 ? 0 : 1 + draw(2)));
    }
}

/* So many different pieces that seven do not fit 128 bits, and a part's numbers do not fit 16. */
static void make_wide_corpus(void)
{
    corpus.documents = corpus.len = 0;
    for (unsigned d = 0; d < 300; d++) {
        int len = 0;

        for (unsigned w = 0; w < 1000; w++)
            len += sprintf(corpus.bytes + corpus.len + len, " %x", w % 10 == 0 ? draw(50) : d * 1000 + w);
        corpus_add((size_t)len);
    }
}

static void write_shards(void)
{
    for (size_t s = 0; s < SHARDS; s++) {
        char  path[64];
        FILE *file;

        snprintf(path, sizeof path, "%s/s%zu.jsonl", dir, s);
        file = fopen(path, "w");
        assert_non_null(file);
        for (size_t d = s * corpus.documents / SHARDS; d < (s + 1) * corpus.documents / SHARDS; d++) {
            if (d % 50 == 20) fputs("{\"text\": nothing}\n", file);
            fputs("{\"text\": \"", file);
            for (size_t i = 0; i < corpus.text[d].len; i++) {
                unsigned char c = (unsigned char)corpus.text[d].at[i];

                if (c < 0x20 || c == '"' || c == '\\') fprintf(file, "\\u%04x", c);
                else fputc(c, file);
            }
            fputs("\"}\n", file);
        }
        assert_int_equal(fclose(file), 0);
    }
}

/* ---- the obvious program ---- */

enum { TOKENS_MAX = 1 << 20 };

struct entry { struct slice text; uint64_t count; };

static uint32_t     order;
/* of all texts, one after the other; at NULL ends a document */
static struct slice piece[TOKENS_MAX];
static struct entry entry[TOKENS_MAX];
static size_t       pieces_all, entries;
static uint32_t     row[TOKENS_MAX * LM_ORDER_MAX], piece_at[TOKENS_MAX];
static uint64_t     row_count[TOKENS_MAX];

static int by_text(const void *a, const void *b)
{
    return slice_compare(((const struct entry *)a)->text, ((const struct entry *)b)->text);
}

static int by_count(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return x->count != y->count ? (x->count < y->count ? 1 : -1) : slice_compare(x->text, y->text);
}

static int by_row(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    for (uint32_t i = 0; i < order; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void list_pieces(void)
{
    size_t all = 0;

    pieces_all = 0;
    for (size_t d = 0; d < corpus.documents; d++) {
        struct slice text = corpus.text[d];

        for (size_t at = 0, len; at < text.len; at += len) {
            len = piece_length(text.at + at, text.len - at);
            assert_true(pieces_all + 1 < TOKENS_MAX);
            entry[all++] = (struct entry){ piece[pieces_all++] = (struct slice){ text.at + at, len }, 1 };
        }
        piece[pieces_all++] = (struct slice){ NULL, 0 };
    }
    qsort(entry, all, sizeof *entry, by_text);
    entries = 0;
    for (size_t i = 0; i < all; i++) {
        if (entries && slice_equal(entry[entries - 1].text, entry[i].text)) entry[entries - 1].count++;
        else entry[entries++] = entry[i];
    }
}

static void brute(uint32_t least, enum lm_smoothing smoothing, const char *path)
{
    struct lm_counts counts = { .order = order, .trained_documents = corpus.documents, .row = row, .count = row_count,
                                .piece_at = piece_at };
    struct bytes     text = { 0 };
    uint32_t         window[LM_ORDER_MAX], *rank = malloc((entries + 1) * sizeof *rank);
    struct entry    *sorted = malloc((entries + 1) * sizeof *sorted);
    struct err       err = { 0 };
    struct lm        model;

    assert_true(rank && sorted);
    memcpy(sorted, entry, entries * sizeof *sorted);
    qsort(sorted, entries, sizeof *sorted, by_count);
    append(&text, "<unk><s></s>", 12);
    memcpy(piece_at, (uint32_t[]){ 0, 5, 8, 12 }, 4 * sizeof *piece_at);
    counts.tokens = LM_FIRST;
    for (size_t i = 0; i < entries && sorted[i].count >= least; i++) {
        struct entry *found = bsearch(&sorted[i], entry, entries, sizeof *entry, by_text);

        rank[found - entry] = counts.tokens++;
        append(&text, sorted[i].text.at, sorted[i].text.len);
        piece_at[counts.tokens] = (uint32_t)text.len;
    }
    counts.piece = text.at;
    for (uint32_t i = 0; i < order; i++) window[i] = LM_BEGIN;
    for (size_t i = 0; i < pieces_all; i++) {
        uint32_t token = LM_END;

        if (piece[i].at) {
            struct entry *found = bsearch(&(struct entry){ piece[i], 0 }, entry, entries, sizeof *entry, by_text);

            token = found->count >= least ? rank[found - entry] : LM_UNK;
        }
        memmove(window, window + 1, (order - 1) * sizeof *window);
        window[order - 1] = token;
        memcpy(row + counts.trained_tokens++ * order, window, order * sizeof *window);
        for (uint32_t k = 0; k < order && token == LM_END; k++) window[k] = LM_BEGIN;
    }
    qsort(row, counts.trained_tokens, order * sizeof *row, by_row);
    for (size_t i = 0; i < counts.trained_tokens; i++) {
        if (counts.rows && by_row(row + (counts.rows - 1) * order, row + i * order) == 0) {
            row_count[counts.rows - 1]++;
            continue;
        }
        memmove(row + counts.rows * order, row + i * order, order * sizeof *row);
        row_count[counts.rows++] = 1;
    }
    if (lm_estimate(&model, &counts, smoothing, 1, NULL, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(lm_write(&model, path, &err), 0);
    lm_free(&model);
    bytes_free(&text);
    free(rank);
    free(sorted);
}

/* ---- trainings ---- */

static struct bytes content(const char *path)
{
    struct bytes out = { 0 };
    FILE        *file = fopen(path, "rb");
    char         some[65536];
    size_t       got;

    assert_non_null(file);
    while ((got = fread(some, 1, sizeof some, file)) > 0) append(&out, some, got);
    fclose(file);
    return out;
}

static void assert_same_file(const char *path, const char *other)
{
    struct bytes a = content(path), b = content(other);

    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.at, b.at, a.len);
    bytes_free(&a);
    bytes_free(&b);
}

/* In a work folder, which may have units of an earlier training. */
static void train(const struct train_options *options, int threads, const char *folder, const char *path)
{
    char                 work[64], glob[64], *globs[] = { glob };
    struct dataset_split split = { .name = (char[]){ "" }, .globs = globs, .glob_count = 1 };
    struct dataset       dataset = { .name = (char[]){ "c" }, .url = (char[]){ "" }, .role = ROLE_CORPUS,
                                     .splits = &split, .split_count = 1 };
    struct shard_list    shards;
    struct run           run = { .version = "test", .datasets = &dataset, .dataset_count = 1, .shards = &shards,
                                 .threads = threads };
    struct train_job     job = { .run = &run, .options = options };
    struct err           err = { 0 };
    uint64_t             rejected = 0;

    snprintf(work, sizeof work, "%s/%s", dir, folder);
    snprintf(glob, sizeof glob, "%s/*.jsonl", dir);
    assert_int_equal(comm_open(&run.comm, &err), 0);
    if (stage_open(&run.stage, work, true, &err) < 0 || shard_list_open(&shards, &dataset, 1, "/", &err) < 0 ||
        train_run(&job, path, &err) < 0)
        fail_msg("%s", err.text);
    for (size_t d = 0; d < corpus.documents; d++) rejected += d % 50 == 20;
    assert_int_equal(job.documents, corpus.documents);
    assert_int_equal(job.rejected, rejected);
    assert_int_equal(job.text_bytes, corpus.len);
    assert_int_equal(job.pieces, pieces_all - corpus.documents);
    shard_list_free(&shards);
    stage_close(run.stage);
    comm_close(run.comm);
}

static void compare(uint32_t least, enum lm_smoothing smoothing, bool once)
{
    struct train_options options = { .order = order, .least = least, .smoothing = (int)smoothing };
    char                 wanted[64], found[64], command[64];

    snprintf(wanted, sizeof wanted, "%s/wanted.lm", dir);
    snprintf(found, sizeof found, "%s/found.lm", dir);
    snprintf(command, sizeof command, "rm -rf %s/w1 %s/w3", dir, dir);
    write_shards();
    list_pieces();
    brute(least, smoothing, wanted);
    assert_int_equal(system(command), 0);
    options.memory = 1 << 24;
    train(&options, 2, "w1", found);
    assert_same_file(wanted, found);
    if (once) return;
    options.memory = 1 << 30;
    train(&options, 1, "w1", found);                        /* the units of the pass are there */
    assert_same_file(wanted, found);
    options.memory = 1;                                     /* one small range a walk */
    train(&options, 3, "w3", found);
    assert_same_file(wanted, found);
}

static void trainings(void **unused)
{
    const char *wanted = getenv("LONG");
    int         rounds = wanted && *wanted ? 200 : 6;

    (void)unused;
    for (int round = 0; round < rounds; round++) {
        order = 2 + draw(LM_ORDER_MAX - 1);
        if (round % 3 == 0) make_corpus(1 + draw(DOCUMENTS_MAX), 600);
        else make_corpus(1 + draw(20), 3000);               /* of none there is no model */
        compare(1 + draw(3), draw(3) ? SMOOTH_KNESER_NEY : SMOOTH_WITTEN_BELL, false);
    }
}

/* One n-gram that is nearly all there is, and a text that repeats itself in step with the samples. */
static void lopsided(void **unused)
{
    (void)unused;
    order = 3;
    corpus.documents = corpus.len = 0;
    for (size_t d = 0; d < 3; d++) {
        size_t len = d == 0 ? 60000 : 251 * 200;

        for (size_t i = 0; i < len; i++)
            corpus.bytes[corpus.len + i] = d == 0 ? ';' : "!\"#$%&'()*+,-./:;<=>?@"[i % 251 * (i % 251) % 22];
        corpus_add(len);
    }
    compare(1, SMOOTH_KNESER_NEY, false);
}

static void wide(void **unused)
{
    (void)unused;
    order = LM_ORDER_MAX;
    make_wide_corpus();
    compare(1, SMOOTH_WITTEN_BELL, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pieces), cmocka_unit_test(trainings),
                                        cmocka_unit_test(lopsided), cmocka_unit_test(wide) };
    const char             *seed = getenv("SEED");
    char                    command[64];
    int                     failed;

    seed_state = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL);
    log_open(&(struct log_options){ .quiet = true });
    printf("seed=%llu\n", (unsigned long long)seed_state);
    if (!mkdtemp(dir)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 ? 1 : failed;
}
