/* tests/unit/model/model_llama.c -- the backend `llama` with a small model of random weights that is written here:
 * Llama's architecture, GPT-2's bytes as tokens. */
#include "model/model.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- the file ---- */

enum { WIDTH = 32, HEADS = 2, BLOCKS = 2, INNER = 48, CONTEXT = 600, BYTES = 256, MERGES = 3, END = BYTES + MERGES,
       VOCABULARY };
enum { GGUF_U16 = 2, GGUF_U32 = 4, GGUF_I32 = 5, GGUF_F32 = 6, GGUF_BOOL = 7, GGUF_STRING = 8, GGUF_ARRAY = 9 };
enum { TENSORS = 3 + 9 * BLOCKS, WHOLE = -1 };

static const char *const merges[MERGES][2] = { { "i", "n" }, { "Ġ", "in" }, { "Ċ", "Ġ" } };
static const char        bytes_of[MERGES][4] = { "in", " in", "\n " };

static char folder[] = "/tmp/leakgraph-llama-XXXXXX", path[64], path_begins[64], path_damaged[64];

static void put(struct bytes *b, const void *at, size_t len) { assert_int_equal(bytes_append(b, at, len), 0); }
static void put_u32(struct bytes *b, uint32_t value) { put(b, &value, sizeof value); }
static void put_u64(struct bytes *b, uint64_t value) { put(b, &value, sizeof value); }

static void put_text(struct bytes *b, const char *text)
{
    put_u64(b, strlen(text));
    put(b, text, strlen(text));
}

static void put_key(struct bytes *b, const char *key, uint32_t type)
{
    put_text(b, key);
    put_u32(b, type);
}

static void put_number(struct bytes *b, const char *key, uint32_t value)
{
    put_key(b, key, GGUF_U32);
    put_u32(b, value);
}

/* GPT-2's printable names of bytes: those of Latin-1 that are no space or control stand for themselves, the others for
 * U+0100 and on. */
static void byte_name(unsigned byte, char name[4])
{
    unsigned shown = byte, next = 0;

    for (unsigned b = 0; b <= byte; b++) {
        bool itself = (b > 0x20 && b < 0x7F) || (b > 0xA0 && b != 0xAD);

        shown = itself ? b : 0x100 + next++;
    }
    if (shown < 0x80) snprintf(name, 4, "%c", (char)shown);
    else snprintf(name, 4, "%c%c", (char)(0xC0 | shown >> 6), (char)(0x80 | (shown & 0x3F)));
}

static void put_vocabulary(struct bytes *b, bool begins)
{
    char name[8];

    put_key(b, "tokenizer.ggml.model", GGUF_STRING);
    put_text(b, "gpt2");
    put_key(b, "tokenizer.ggml.pre", GGUF_STRING);
    put_text(b, "gpt-2");
    put_key(b, "tokenizer.ggml.tokens", GGUF_ARRAY);
    put_u32(b, GGUF_STRING);
    put_u64(b, VOCABULARY);
    for (unsigned i = 0; i < BYTES; i++) {
        byte_name(i, name);
        put_text(b, name);
    }
    for (size_t i = 0; i < MERGES; i++) {
        snprintf(name, sizeof name, "%s%s", merges[i][0], merges[i][1]);
        put_text(b, name);
    }
    put_text(b, "<end>");
    put_key(b, "tokenizer.ggml.token_type", GGUF_ARRAY);
    put_u32(b, GGUF_I32);
    put_u64(b, VOCABULARY);
    for (unsigned i = 0; i < VOCABULARY; i++) put_u32(b, i == END ? 3 : 1);
    put_key(b, "tokenizer.ggml.merges", GGUF_ARRAY);
    put_u32(b, GGUF_STRING);
    put_u64(b, MERGES);
    for (size_t i = 0; i < MERGES; i++) {
        snprintf(name, sizeof name, "%s %s", merges[i][0], merges[i][1]);
        put_text(b, name);
    }
    put_number(b, "tokenizer.ggml.bos_token_id", END);
    put_number(b, "tokenizer.ggml.eos_token_id", END);
    put_key(b, "tokenizer.ggml.add_bos_token", GGUF_BOOL);
    put(b, &begins, 1);
}

/* Tensors one after the other: their heads in one buffer, their numbers, multiples of 32 bytes each, in another.  Of a
 * model in two files part 0 has the first five. */
struct weights { struct bytes head, data; uint64_t count; uint32_t random, number; int part; };

static void put_weights(struct weights *w, const char *name, uint64_t columns, uint64_t rows)
{
    const bool here = w->part == WHOLE || w->part == (w->number++ >= 5);

    if (here) {
        put_text(&w->head, name);
        put_u32(&w->head, rows ? 2 : 1);
        put_u64(&w->head, columns);
        if (rows) put_u64(&w->head, rows);
        put_u32(&w->head, 0);
        put_u64(&w->head, w->data.len);
        w->count++;
    }
    for (uint64_t i = 0; i < columns * (rows ? rows : 1); i++) {
        float value = 1;

        w->random = w->random * 1664525 + 1013904223;
        if (rows) value = ((float)(w->random >> 8) / (float)(1 << 24) - 0.5f) * 0.6f;
        if (here) put(&w->data, &value, sizeof value);
    }
}

static void put_block(struct weights *w, unsigned number)
{
    static const struct { const char *name; uint64_t columns, rows; } tensor[] = {
        { "attn_norm", WIDTH, 0 }, { "attn_q", WIDTH, WIDTH }, { "attn_k", WIDTH, WIDTH }, { "attn_v", WIDTH, WIDTH },
        { "attn_output", WIDTH, WIDTH },
        { "ffn_norm", WIDTH, 0 }, { "ffn_gate", WIDTH, INNER }, { "ffn_up", WIDTH, INNER },
        { "ffn_down", INNER, WIDTH },
    };
    char name[64];

    for (size_t i = 0; i < sizeof tensor / sizeof *tensor; i++) {
        snprintf(name, sizeof name, "blk.%u.%s.weight", number, tensor[i].name);
        put_weights(w, name, tensor[i].columns, tensor[i].rows);
    }
}

static void put_split(struct bytes *b, int part)
{
    const uint16_t number = (uint16_t)part, count = 2;
    const int32_t  tensors = TENSORS;

    put_key(b, "split.no", GGUF_U16);
    put(b, &number, sizeof number);
    put_key(b, "split.count", GGUF_U16);
    put(b, &count, sizeof count);
    put_key(b, "split.tensors.count", GGUF_I32);
    put(b, &tensors, sizeof tensors);
}

static void make_model(struct bytes *out, bool begins, int part)
{
    struct weights w = { .random = 20240917, .part = part };
    const float    epsilon = 1e-5f;

    put_weights(&w, "token_embd.weight", WIDTH, VOCABULARY);
    put_weights(&w, "output.weight", WIDTH, VOCABULARY);
    put_weights(&w, "output_norm.weight", WIDTH, 0);
    for (unsigned i = 0; i < BLOCKS; i++) put_block(&w, i);
    put(out, "GGUF", 4);
    put_u32(out, 3);
    put_u64(out, w.count);
    put_u64(out, part == WHOLE ? 17 : 20);
    put_key(out, "general.architecture", GGUF_STRING);
    put_text(out, "llama");
    put_number(out, "llama.context_length", CONTEXT);
    put_number(out, "llama.embedding_length", WIDTH);
    put_number(out, "llama.block_count", BLOCKS);
    put_number(out, "llama.feed_forward_length", INNER);
    put_number(out, "llama.attention.head_count", HEADS);
    put_number(out, "llama.attention.head_count_kv", HEADS);
    put_key(out, "llama.attention.layer_norm_rms_epsilon", GGUF_F32);
    put(out, &epsilon, sizeof epsilon);
    put_number(out, "llama.rope.dimension_count", WIDTH / HEADS);
    put_vocabulary(out, begins);
    if (part != WHOLE) put_split(out, part);
    put(out, w.head.at, w.head.len);
    while (out->len % 32) put(out, "", 1);
    put(out, w.data.at, w.data.len);
    bytes_free(&w.head);
    bytes_free(&w.data);
}

static void write_file(const char *name, const char *at, size_t len)
{
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(at, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

/* ---- an open model ---- */

struct opened { struct model *model; struct model_session *session; };

static struct opened open_model(char *file, uint32_t context, uint32_t threads)
{
    const struct model_options options = { .name = file, .backend = MODEL_LLAMA, .path = file, .context = context,
                                           .threads = threads };
    struct opened              o;
    struct err                 err = { 0 };

    if (model_open(&o.model, &options, &err) < 0) fail_msg("%s", err.text);
    if (model_session_open(&o.session, o.model, &err) < 0) fail_msg("%s", err.text);
    return o;
}

static void close_model(struct opened *o)
{
    model_session_close(o->session);
    model_close(o->model);
}

static void score_ids(const struct opened *o, const uint32_t *id, size_t begin, size_t end, size_t from,
                      struct model_score *out)
{
    const struct model_tokens tokens = { .id = id, .count = end };
    struct err                err = { 0 };

    if (model_score(o->session, &tokens, begin, end, from, out, &err) < 0) fail_msg("%s", err.text);
}

static struct model_generation generate(const struct opened *o, struct slice prompt,
                                        const struct model_sampling *sampling)
{
    struct model_generation out;
    struct err              err = { 0 };

    if (model_generate(o->session, prompt, sampling, &out, &err) < 0) fail_msg("%s", err.text);
    return out;
}

static void close_to(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.12g is not %.12g", value, wanted);
}

/* ---- tests ---- */

static void test_information(void **unused)
{
    struct opened            o = open_model(path, 0, 1), less = open_model(path, 100, 0),
        begins = open_model(path_begins, 0, 1);
    const struct model_info *info = model_info(o.model);

    (void)unused;
    assert_string_equal(info->backend, "llama");
    assert_int_equal(info->context, CONTEXT);
    assert_int_equal(info->vocabulary, VOCABULARY);
    assert_int_equal(info->parameters, 2 * WIDTH * VOCABULARY + WIDTH +
                     BLOCKS * (2 * WIDTH + 4 * WIDTH * WIDTH + 3 * WIDTH * INNER));
    assert_true(info->moments && info->parallel >= 1);
    assert_int_equal(model_info(less.model)->context, 100);
    assert_memory_not_equal(&info->key, &model_info(less.model)->key, sizeof info->key);
    assert_memory_not_equal(&info->key, &model_info(begins.model)->key, sizeof info->key);
    close_model(&o);
    close_model(&less);
    close_model(&begins);
}

static void test_tokens(void **unused)
{
    static const char   text[] = "def in(x):\n in \"\xC3\xA9\xE2\x82\xAC\" in\n<end>\t";
    struct opened       o = open_model(path, 0, 1);
    struct model_tokens tokens;
    struct err          err = { 0 };
    size_t              merged = 0;

    (void)unused;
    assert_int_equal(model_tokenize(o.session, SLICE(text), &tokens, &err), 0);
    assert_int_equal(tokens.at[0], 0);
    assert_int_equal(tokens.at[tokens.count], sizeof text - 1);
    for (size_t i = 0; i < tokens.count; i++) {
        struct slice piece = { text + tokens.at[i], tokens.at[i + 1] - tokens.at[i] };

        if (tokens.id[i] < BYTES) {
            assert_int_equal(piece.len, 1);
            assert_int_equal((unsigned char)piece.at[0], tokens.id[i]);
        } else {
            assert_true(tokens.id[i] < END);                /* a special token's name in a text is text */
            assert_true(slice_equal(piece, slice_of(bytes_of[tokens.id[i] - BYTES])));
            merged++;
        }
    }
    assert_true(merged >= 3);
    assert_int_equal(model_tokenize(o.session, SLICE(""), &tokens, &err), 0);
    assert_int_equal(tokens.count, 0);
    assert_int_equal(model_tokenize(o.session, SLICE("ab\xFF""c"), &tokens, &err), -ENODATA);
    assert_non_null(strstr(err.text, "byte 2"));
    close_model(&o);
}

/* A text's tokens stay while prompts are gone on from. */
static void test_tokens_stay(void **unused)
{
    static const char           text[] = "def in(x):\n in x";
    const struct model_sampling greedy = { .tokens = 2, .top_p = 1 };
    struct opened               o = open_model(path, 0, 1);
    struct model_tokens         tokens;
    struct err                  err = { 0 };
    uint32_t                    id[sizeof text], at[sizeof text];

    (void)unused;
    assert_int_equal(model_tokenize(o.session, SLICE(text), &tokens, &err), 0);
    memcpy(id, tokens.id, tokens.count * sizeof *id);
    memcpy(at, tokens.at, (tokens.count + 1) * sizeof *at);
    generate(&o, SLICE("x = in in"), &greedy);
    generate(&o, SLICE("a prompt that is much longer than the text before it, in all ways"), &greedy);
    assert_memory_equal(tokens.id, id, tokens.count * sizeof *id);
    assert_memory_equal(tokens.at, at, (tokens.count + 1) * sizeof *at);
    close_model(&o);
}

/* What can come after a context has probabilities of sum 1, and mean and deviation are those of this distribution. */
static void test_distribution(void **unused)
{
    struct opened      o = open_model(path, 0, 1);
    uint32_t           id[] = { 'd', 'e', 'f', ' ', 0 };
    struct model_score score[VOCABULARY];
    double             sum = 0, mean = 0, square = 0;

    (void)unused;
    for (uint32_t t = 0; t < VOCABULARY; t++) {
        id[4] = t;
        score_ids(&o, id, 0, 5, 4, &score[t]);
        sum += exp(score[t].logprob);
        mean += exp(score[t].logprob) * score[t].logprob;
        square += exp(score[t].logprob) * score[t].logprob * score[t].logprob;
    }
    close_to(sum, 1, 1e-9);
    for (uint32_t t = 0; t < VOCABULARY; t++) {
        close_to(score[t].mean, mean, 1e-9);
        close_to(score[t].deviation, sqrt(square - mean * mean), 1e-9);
    }
    assert_true(score[0].deviation > 0.1);
    close_model(&o);
}

/* A score depends on the window alone: not on what else is asked for, what was asked before, tokens outside, or the
 * number of threads. */
static void test_windows(void **unused)
{
    struct opened      one = open_model(path, 0, 1), two = open_model(path, 0, 2);
    uint32_t           id[CONTEXT + 10];
    struct model_score all[CONTEXT], some[CONTEXT];

    (void)unused;
    for (size_t i = 0; i < CONTEXT + 10; i++) id[i] = (uint32_t)(i * i * 7 + i / 3) % END;
    score_ids(&one, id, 10, CONTEXT + 10, 11, all);
    for (size_t from = 12; from < CONTEXT + 10; from += 197) {
        score_ids(&one, id, 10, CONTEXT + 10, from, some);
        for (size_t i = from; i < CONTEXT + 10; i++) close_to(some[i - from].logprob, all[i - 11].logprob, 1e-5);
    }
    score_ids(&one, id, 10, 300, 11, some);                 /* what comes later does not matter */
    for (size_t i = 0; i < 289; i++) close_to(some[i].logprob, all[i].logprob, 1e-5);
    score_ids(&one, id, 200, 300, 201, some);               /* what comes before the window is gone */
    assert_true(fabs(some[20].logprob - all[210].logprob) > 1e-4);
    score_ids(&one, id, 10, 310, 11, all);                  /* two evaluations */
    memmove(id, id + 10, CONTEXT * sizeof *id);
    score_ids(&two, id, 0, 300, 1, some);
    assert_memory_equal(some, all, 299 * sizeof *all);
    close_model(&one);
    close_model(&two);
}

/* Sessions of one model work side by side. */
static void test_sessions(void **unused)
{
    enum { SESSIONS = 4, TOKENS = 64 };

    const struct model_sampling sampling = { .tokens = 30, .temperature = 1, .top_p = 0.9, .seed = 3 };
    struct opened               o = open_model(path, 0, 1);
    struct model_session       *session[SESSIONS];
    struct model_score          score[SESSIONS][TOKENS];
    struct model_generation     made[SESSIONS];
    struct err                  err[SESSIONS] = { { 0 } };
    uint32_t                    id[TOKENS];
    int                         bad = 0;

    (void)unused;
    for (uint32_t i = 0; i < TOKENS; i++) id[i] = i * 37 % END;
    for (size_t i = 0; i < SESSIONS; i++) assert_int_equal(model_session_open(&session[i], o.model, &err[i]), 0);
#pragma omp parallel for num_threads(SESSIONS) schedule(static, 1) reduction(+ : bad)
    for (size_t i = 0; i < SESSIONS; i++) {
        const struct model_tokens tokens = { .id = id, .count = TOKENS };

        bad += model_score(session[i], &tokens, 0, TOKENS, 1, score[i], &err[i]) < 0;
        bad += model_generate(session[i], SLICE("def in"), &sampling, &made[i], &err[i]) < 0;
    }
    assert_int_equal(bad, 0);
    for (size_t i = 1; i < SESSIONS; i++) {
        assert_memory_equal(score[i], score[0], (TOKENS - 1) * sizeof *score[0]);
        assert_int_equal(made[i].count, made[0].count);
        assert_memory_equal(made[i].id, made[0].id, (made[0].prompt + made[0].count) * sizeof *made[0].id);
    }
    for (size_t i = 0; i < SESSIONS; i++) model_session_close(session[i]);
    close_model(&o);
}

static void test_greedy(void **unused)
{
    const struct model_sampling greedy = { .tokens = 20, .top_p = 1 };
    struct opened               o = open_model(path, 0, 1);
    struct model_generation     made = generate(&o, SLICE("def in"), &greedy);
    uint32_t                    id[40];
    size_t                      count = made.prompt + made.count;
    struct bytes                text = { 0 };

    (void)unused;
    assert_int_equal(made.prompt, 4);
    assert_true(made.count > 0);
    memcpy(id, made.id, count * sizeof *id);
    assert_int_equal(id[3], BYTES + 1);
    assert_int_equal(bytes_append_slice(&text, made.text), 0);
    for (size_t at = made.prompt; at < count; at += 10) {    /* nothing else is as probable */
        const uint32_t     chosen = id[at];
        struct model_score best, other;

        score_ids(&o, id, 0, at + 1, at, &best);
        for (uint32_t t = 0; t < VOCABULARY; t++) {
            id[at] = t;
            score_ids(&o, id, 0, at + 1, at, &other);
            assert_true(other.logprob <= best.logprob + 1e-5);
        }
        id[at] = chosen;
    }
    made = generate(&o, SLICE("def in"), &greedy);
    assert_true(slice_equal(made.text, bytes_slice(&text)));
    assert_memory_equal(made.id, id, count * sizeof *id);
    bytes_free(&text);
    close_model(&o);
}

static void test_sampling(void **unused)
{
    struct model_sampling   sampling = { .tokens = 64, .temperature = 1, .top_p = 1 };
    struct opened           o = open_model(path, 0, 1);
    struct model_generation made;
    uint32_t                id[64];
    size_t                  count, stopped = 0, different = 0;

    (void)unused;
    made = generate(&o, SLICE("x"), &sampling);
    count = made.count;
    memcpy(id, made.id + made.prompt, count * sizeof *id);
    made = generate(&o, SLICE("x"), &sampling);
    assert_int_equal(made.count, count);
    assert_memory_equal(made.id + made.prompt, id, count * sizeof *id);
    for (sampling.seed = 1; sampling.seed < 100 && (!stopped || sampling.seed < 5); sampling.seed++) {
        size_t len = 0;

        made = generate(&o, SLICE("x"), &sampling);
        different += made.count != count || memcmp(made.id + made.prompt, id, count * sizeof *id) != 0;
        stopped += made.stopped;
        assert_true(made.stopped ? made.count < 64 : made.count == 64);
        for (size_t i = 0; i < made.count; i++) {
            uint32_t t = made.id[made.prompt + i];

            assert_true(t < END);
            len += t < BYTES ? 1 : strlen(bytes_of[t - BYTES]);
        }
        assert_int_equal(made.text.len, len);
    }
    assert_true(stopped > 0);
    assert_int_equal(different, sampling.seed - 1);
    close_model(&o);
}

/* A prompt that is too long loses its beginning, and then is as its end alone; the begin of text takes a place but is
 * not shown. */
static void test_long_prompt(void **unused)
{
    const struct model_sampling greedy = { .tokens = 10, .top_p = 1 };
    struct opened               plain = open_model(path, 50, 1), begins = open_model(path_begins, 50, 1);
    char                        prompt[300];
    uint32_t                    id[50], with[50], without[50];
    struct model_generation     made;

    (void)unused;
    for (size_t i = 0; i < sizeof prompt; i++) prompt[i] = (char)('a' + i * i % 23);
    made = generate(&plain, (struct slice){ prompt, sizeof prompt }, &greedy);
    assert_int_equal(made.prompt, 40);
    for (size_t i = 0; i < 40; i++) assert_int_equal(made.id[i], (unsigned char)prompt[260 + i]);
    memcpy(id, made.id, (40 + made.count) * sizeof *id);
    made = generate(&plain, (struct slice){ prompt + 260, 40 }, &greedy);
    assert_memory_equal(made.id, id, (40 + made.count) * sizeof *id);

    made = generate(&begins, (struct slice){ prompt, sizeof prompt }, &greedy);
    assert_int_equal(made.prompt, 39);
    assert_int_equal(made.id[0], (unsigned char)prompt[261]);
    made = generate(&begins, SLICE("a"), &greedy);
    assert_int_equal(made.prompt, 1);
    assert_int_equal(made.count, 10);
    memcpy(with, made.id, 11 * sizeof *with);
    made = generate(&plain, SLICE("a"), &greedy);
    memcpy(without, made.id, 11 * sizeof *without);
    assert_memory_not_equal(with, without, sizeof *with * 11);
    made = generate(&plain, SLICE(""), &greedy);            /* both begin an empty one with <end> */
    assert_int_equal(made.prompt, 0);
    memcpy(without, made.id, made.count * sizeof *without);
    made = generate(&begins, SLICE(""), &greedy);
    assert_memory_equal(made.id, without, made.count * sizeof *without);
    close_model(&plain);
    close_model(&begins);
}

/* A model in two files is the model, and both of them are in its key. */
static void test_split(void **unused)
{
    char               first[64], second[64];
    struct bytes       file[2] = { { 0 }, { 0 } };
    struct opened      whole = open_model(path, 0, 1), split;
    const uint32_t     id[] = { 'a', 'b', ' ', 'c' };
    struct model_score wanted[3], score[3];
    struct unit_key    key;

    (void)unused;
    snprintf(first, sizeof first, "%s/m-00001-of-00002.gguf", folder);
    snprintf(second, sizeof second, "%s/m-00002-of-00002.gguf", folder);
    for (int part = 0; part < 2; part++) {
        make_model(&file[part], false, part);
        write_file(part ? second : first, file[part].at, file[part].len);
    }
    score_ids(&whole, id, 0, 4, 1, wanted);
    for (int round = 0; round < 2; round++) {
        split = open_model(first, 0, 1);
        score_ids(&split, id, 0, 4, 1, score);
        if (round == 0) assert_memory_equal(score, wanted, sizeof score);
        else assert_memory_not_equal(&model_info(split.model)->key, &key, sizeof key);
        key = model_info(split.model)->key;
        close_model(&split);
        file[1].at[file[1].len - 2] ^= 1;
        write_file(second, file[1].at, file[1].len);
    }
    unlink(first);
    unlink(second);
    bytes_free(&file[0]);
    bytes_free(&file[1]);
    close_model(&whole);
}

static void test_refused(void **unused)
{
    struct model_options options = { .name = path, .backend = MODEL_LLAMA, .path = path, .context = CONTEXT + 1 };
    struct model        *model;
    struct err           err = { 0 };
    char                 missing[80];

    (void)unused;
    assert_int_equal(model_open(&model, &options, &err), -EINVAL);
    assert_non_null(strstr(err.text, "600"));
    snprintf(missing, sizeof missing, "%s/missing", folder);
    options.context = 0;
    options.path = missing;
    assert_int_equal(model_open(&model, &options, &err), -ENOENT);
    write_file(path_damaged, "GGUX and so on", 14);
    options.path = path_damaged;
    assert_int_equal(model_open(&model, &options, &err), -EBADMSG);
    assert_non_null(strstr(err.text, "no GGUF file"));
}

/* Opens the file and asks for a score: 0 answered, 1 refused with a reason, 2 refused in another way. */
static int use_file(char *name)
{
    struct model_options  options = { .name = name, .backend = MODEL_LLAMA, .path = name, .threads = 1 };
    struct model         *model;
    struct model_session *session;
    struct model_tokens   tokens;
    struct model_score    score[8];
    struct err            err = { 0 };
    int                   rc = model_open(&model, &options, &err);

    if (rc < 0) return rc == -EBADMSG && strlen(err.text) > strlen(name) + 20 ? 1 : 2;
    if ((rc = model_session_open(&session, model, &err)) == 0 &&
        (rc = model_tokenize(session, SLICE("in x"), &tokens, &err)) == 0)
        rc = model_score(session, &tokens, 0, tokens.count, 1, score, &err);
    return rc < 0 ? err.text[0] ? 1 : 2 : 0;
}

/* The same in a process of its own, as waitpid tells it. */
static int use_apart(const char *at, size_t len)
{
    int   status;
    pid_t child;

    write_file(path_damaged, at, len);
    fflush(stdout);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = { 0 };

        setrlimit(RLIMIT_CORE, &no_core);
        _exit(use_file(path_damaged));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* A file that is cut is refused wherever it is cut.  Of one whose head is damaged the library may find nothing; it may
 * end a process, but none of ours. */
static void test_damaged(void **unused)
{
    enum { REFUSED = 1 << 8 };

    const int    rounds = getenv("LONG") && getenv("LONG")[0] ? 300 : 40;
    struct bytes file = { 0 };
    size_t       head, died = 0, refused = 0, used = 0;
    uint32_t     random = 1;

    (void)unused;
    make_model(&file, false, WHOLE);
    head = file.len - 4 * (2 * WIDTH * VOCABULARY);
    for (size_t len = 4; len < file.len; len = len * 3 / 2 + 1) assert_int_equal(use_apart(file.at, len), REFUSED);
    assert_int_equal(use_apart(file.at, file.len - 1), REFUSED);
    for (int i = 0; i < rounds; i++) {
        size_t at;
        char   kept;
        int    status;

        random = random * 1664525 + 1013904223;
        at = 4 + (random >> 8) % ((i % 2 ? 500 : head) - 4);
        kept = file.at[at];
        file.at[at] = (char)(kept ^ (i % 3 ? 1 << i % 8 : 0xFF));
        status = use_apart(file.at, file.len);
        if (WIFSIGNALED(status)) printf("byte %zu: signal %d\n", at, WTERMSIG(status));
        died += WIFSIGNALED(status);
        refused += status == REFUSED;
        used += status == 0;
        file.at[at] = kept;
    }
    printf("%d damaged heads: %zu refused, %zu used, %zu ended by the library\n", rounds, refused, used, died);
    assert_int_equal(died, 0);
    assert_int_equal(refused + used, rounds);
    assert_true(refused > 10);
    bytes_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_information), cmocka_unit_test(test_tokens), cmocka_unit_test(test_tokens_stay),
            cmocka_unit_test(test_distribution), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_sessions), cmocka_unit_test(test_greedy), cmocka_unit_test(test_sampling),
            cmocka_unit_test(test_long_prompt),
        cmocka_unit_test(test_split), cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged),
    };
    const struct model_options options = { .name = path, .backend = MODEL_LLAMA, .path = path };
    struct model              *model;
    struct bytes               file = { 0 };
    struct err                 err = { 0 };
    int                        failed;

    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/model.gguf", folder);
    snprintf(path_begins, sizeof path_begins, "%s/begins.gguf", folder);
    snprintf(path_damaged, sizeof path_damaged, "%s/damaged.gguf", folder);
    make_model(&file, true, WHOLE);
    write_file(path_begins, file.at, file.len);
    file.len = 0;
    make_model(&file, false, WHOLE);
    write_file(path, file.at, file.len);
    bytes_free(&file);
    if (model_open(&model, &options, &err) == -ENOSYS) {
        failed = 77;
        printf("%s\n", err.text);
    } else {
        model_close(model);
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    }
    unlink(path);
    unlink(path_begins);
    unlink(path_damaged);
    rmdir(folder);
    return failed;
}
