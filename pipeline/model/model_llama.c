/* model/model_llama.c -- the backend `llama`: a GGUF file in llama.cpp's library, in this process.
 *
 * Texts are cut without special tokens, and a window is evaluated from its first token on in parts of the same size, so
 * that a score depends on the window alone.  Flash attention stays off: its sums depend on the number of threads.  A
 * prompt gets the model's begin of text where the file says so.  A file is loaded in a process of its own first
 * (model/llama_apart.h): an assertion of the library would end this one.  llama.cpp of September 2025 or later. */
#include "model/model.h"

#include <errno.h>

#ifndef HAVE_LLAMA

int model_llama_open(struct model **out, const struct model_options *options, struct err *err)
{
    (void)out, (void)options;
    return err_set(err, -ENOSYS, "this program is built without llama.cpp, which was found neither by pkg-config nor "
                                 "in LLAMA_PREFIX: run scripts/llama_prefix.sh, then make again");
}

bool model_has_llama(void) { return false; }

#else

#include "base/log.h"
#include "corpus/input.h"
#include "base/utf8.h"
#include "model/llama_apart.h"
#include "model/sample.h"

#include <dlfcn.h>
#include <limits.h>
#include <llama.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Parameters below which one thread an evaluation does more in all than several that wait for each other. */
#define SMALL 1000000000ull

enum {
    /* tokens of one evaluation: its logits take PART * 4 bytes for each token of the vocabulary */
    PART = 256,
    /* where none is given, at most: models are made for more than memory has room for */
    CONTEXT = 4096,
    /* the library counts bytes in 31 bits, and takes many for each byte of a text */
    TEXT_MOST = 1 << 28,
    SPLITS_MOST = 1 << 10,
};

struct llama {
    struct model              model;
    struct llama_model       *weights;
    const struct llama_vocab *vocabulary;
    llama_token               begin;                        /* begin of text; LLAMA_TOKEN_NULL: it has none */
    bool                      begins;                       /* every prompt starts with it */
    int32_t                   threads;
    char                     *name;
};

struct tokens { uint32_t *id, *at; size_t count, id_room, at_room; };      /* of a text that is cut; at [count + 1] */

struct llama_session {
    struct model_session     session;
    struct llama_context    *context;
    /* the last text; it outlives the prompts that are gone on from */
    struct tokens            last, prompt;
    uint32_t                *made;                          /* [made_room] owned */
    size_t                   made_room;
    struct bytes             pieces, text;
    struct sample_candidate *candidate;                     /* [vocabulary] NULL until it is needed */
    int8_t                   wanted[PART];
};

/* ---- the library ---- */

static pthread_mutex_t said_lock = PTHREAD_MUTEX_INITIALIZER;
static char            said[256];                           /* the last error that the library told */

static void keep_error(enum ggml_log_level level, const char *text, void *unused)
{
    (void)unused;
    if (level != GGML_LOG_LEVEL_ERROR) return;
    pthread_mutex_lock(&said_lock);
    snprintf(said, sizeof said, "%.*s", (int)strcspn(text, "\n"), text);
    pthread_mutex_unlock(&said_lock);
}

static void say_end(const char *text) { log_error("llama.cpp ends the process: %s", text); }

/* What failed, and what the library said about it since the last time. */
static int failed(struct err *err, int code, const char *what)
{
    pthread_mutex_lock(&said_lock);
    err_set(err, code, "%s%s%s", what, said[0] ? ": " : "", said);
    said[0] = 0;
    pthread_mutex_unlock(&said_lock);
    return code;
}

/* Evaluation is in libraries of their own beside libggml, one for each kind of processor, unless it is linked in. */
void llama_library_start(void)
{
    Dl_info info;
    void   *known = dlsym(RTLD_DEFAULT, "ggml_backend_load_all_from_path");
    char    folder[PATH_MAX];

    llama_log_set(keep_error, NULL);
    ggml_set_abort_callback(say_end);
    llama_backend_init();
    if (ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) || !known || !dladdr(known, &info) || !info.dli_fname)
        return;
    snprintf(folder, sizeof folder, "%s", info.dli_fname);
    if (strrchr(folder, '/')) *strrchr(folder, '/') = 0;
    ggml_backend_load_all_from_path(folder);
}

static int library_ready(struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, llama_library_start);
    if (ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU)) return 0;
    return failed(err, -ENOSYS,
                  "no libggml-cpu for this processor beside libggml; GGML_BACKEND_PATH names one elsewhere");
}

/* ---- opening ---- */

static int hash_file(struct unit_key *key, const char *path, struct err *err)
{
    struct input input;
    uint64_t     xxh3;
    int          rc = input_open(&input, path, err);

    if (rc < 0) return rc;
    while ((rc = input_finish(&input, 1 << 30, err)) > 0) continue;
    xxh3 = input_xxh3(&input);
    input_close(&input);
    *key = unit_key_add(*key, &xxh3, sizeof xxh3);
    return rc;
}

/* A model may lie in several files, of which the first is named. */
static int hash_files(struct unit_key *key, const struct llama_model *weights, const char *path, struct err *err)
{
    char count_text[16], prefix[PATH_MAX], part[PATH_MAX];
    int  count = llama_model_meta_val_str(weights, "split.count", count_text, sizeof count_text) > 0 ? atoi(count_text)
        : 1;
    int  rc = hash_file(key, path, err);

    if (count > SPLITS_MOST) return err_set(err, -EBADMSG, "%s: says that it is in %d files", path, count);
    if (count > 1 && rc == 0 && llama_split_prefix(prefix, sizeof prefix, path, 0, count) <= 0)
        return err_set(err, -EINVAL, "%s: is not the first of its %d files", path, count);
    for (int i = 1; i < count && rc == 0; i++) {
        llama_split_path(part, sizeof part, prefix, i, count);
        rc = hash_file(key, part, err);
    }
    return rc;
}

/* The file is there and begins as a GGUF file does: the library would only say that it failed. */
static int look_at(const char *path, struct err *err)
{
    struct input input;
    char         magic[4];
    int          rc = input_open(&input, path, err);

    if (rc < 0) return rc;
    rc = input_read_at(&input, 0, magic, sizeof magic, err);
    input_close(&input);
    if (rc < 0) return rc;
    return rc == 0 || memcmp(magic, "GGUF", sizeof magic) != 0 ? err_set(err, -EBADMSG, "%s: is no GGUF file", path)
        : 0;
}

static int load(struct llama *m, const char *path, struct err *err)
{
    struct llama_model_params params = llama_model_default_params();
    int                       rc;

    if ((rc = look_at(path, err)) < 0 || (rc = llama_apart(path, err)) < 0) return rc;
    params.check_tensors = true;
    m->weights = llama_model_load_from_file(path, params);
    if (!m->weights) {
        failed(err, -EBADMSG, "llama.cpp cannot load it");
        return err_add(err, "%s", path);
    }
    m->vocabulary = llama_model_get_vocab(m->weights);
    if (llama_vocab_type(m->vocabulary) == LLAMA_VOCAB_TYPE_NONE || llama_vocab_n_tokens(m->vocabulary) < 1)
        return err_set(err, -EBADMSG, "%s: has no vocabulary", path);
    if (!llama_model_has_decoder(m->weights) || llama_model_has_encoder(m->weights) ||
        llama_model_is_diffusion(m->weights))
        return err_set(err, -EBADMSG, "%s: is not a model that tells the next token", path);
    return 0;
}

/* A file that names no begin of text gets a number from the library all the same: only a control token is believed.
 * GPT-2 and its like begin with the end of the text before. */
static void find_begin(struct llama *m)
{
    llama_token bos = llama_vocab_bos(m->vocabulary), eos = llama_vocab_eos(m->vocabulary);

    m->begins = llama_vocab_get_add_bos(m->vocabulary) && bos != LLAMA_TOKEN_NULL;
    m->begin = LLAMA_TOKEN_NULL;
    if (eos != LLAMA_TOKEN_NULL && llama_vocab_is_control(m->vocabulary, eos)) m->begin = eos;
    if (bos != LLAMA_TOKEN_NULL && (m->begins || llama_vocab_is_control(m->vocabulary, bos))) m->begin = bos;
}

static void llama_close(struct model *model)
{
    struct llama *m = (struct llama *)model;

    if (m->weights) llama_model_free(m->weights);
    free(m->name);
    free(m);
}

static void tokens_free(struct tokens *tokens)
{
    free(tokens->id);
    free(tokens->at);
}

static void llama_session_close(struct model_session *session)
{
    struct llama_session *s = (struct llama_session *)session;

    if (s->context) llama_free(s->context);
    tokens_free(&s->last);
    tokens_free(&s->prompt);
    free(s->made);
    free(s->candidate);
    bytes_free(&s->pieces);
    bytes_free(&s->text);
    free(s);
}

static int llama_session_open(struct model_session **out, struct model *model, struct err *err)
{
    const struct llama         *m = (const struct llama *)model;
    struct llama_session       *s = calloc(1, sizeof *s);
    struct llama_context_params params = llama_context_default_params();

    if (!s) return err_memory(err, sizeof *s, "a session");
    params.n_ctx = model->info.context;
    params.n_batch = PART;
    params.n_ubatch = PART;
    params.n_threads = m->threads;
    params.n_threads_batch = m->threads;
    params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    params.no_perf = true;
    s->context = llama_init_from_model(m->weights, params);
    if (!s->context) {
        llama_session_close(&s->session);
        return failed(err, -ENOMEM, "llama.cpp cannot make a context of this model");
    }
    *out = &s->session;
    return 0;
}

/* ---- tokens ---- */

static int append_piece(struct bytes *text, const struct llama_vocab *vocabulary, uint32_t token, struct err *err)
{
    int32_t room = 64, len = 0;

    for (int tries = 0; tries < 2; tries++) {
        if (bytes_reserve(text, text->len + (size_t)room) < 0)
            return err_memory(err, text->len + (size_t)room, "the pieces of a text");
        len = llama_token_to_piece(vocabulary, (llama_token)token, text->at + text->len, room, 0, false);
        if (len >= 0) break;
        room = -len;
    }
    if (len > 0) text->len += (size_t)len;
    return 0;
}

static int cut(const struct llama *m, struct slice text, bool special, struct tokens *out, struct err *err)
{
    const size_t valid = utf8_valid_length(text);
    int32_t      made;

    out->count = 0;
    if (text.len == 0) return 0;
    if (valid < text.len)
        return err_set(err, -ENODATA, "the text is no UTF-8 from byte %zu on: llama.cpp would read another one", valid);
    if (text.len > TEXT_MOST) return err_set(err, -ENODATA, "a text of %zu bytes is too long for llama.cpp", text.len);
    made = llama_tokenize(m->vocabulary, text.at, (int32_t)text.len, (llama_token *)out->id, (int32_t)out->id_room,
                          false, special);
    if (made < 0 && made > INT32_MIN) {
        size_t    room = (size_t)-made;
        uint32_t *id = realloc(out->id, room * sizeof *id);

        if (!id) return err_memory(err, room * sizeof *id, "the tokens of a text");
        out->id = id;
        out->id_room = room;
        made = llama_tokenize(m->vocabulary, text.at, (int32_t)text.len, (llama_token *)out->id, (int32_t)out->id_room,
                              false, special);
    }
    if (made < 0) return err_set(err, -ENODATA, "llama.cpp cannot cut a text of %zu bytes", text.len);
    out->count = (size_t)made;
    return 0;
}

/* Where every token begins: the pieces, one after the other, are the text again, or the answers would be about another
 * one.  SentencePiece's vocabularies have a space put before a text, which is none of its own. */
static int place(const struct llama *m, struct slice text, struct tokens *out, struct bytes *pieces, struct err *err)
{
    uint32_t added;
    size_t   same = 0;
    int      rc = 0;

    pieces->len = 0;
    for (size_t i = 0; i <= out->count && rc == 0; i++) {
        if (ARRAY_GROW(out->at, out->at_room, i) < 0)
            return err_memory(err, 4 * (unsigned long long)out->count, "the tokens of a text");
        out->at[i] = (uint32_t)pieces->len;
        if (i < out->count) rc = append_piece(pieces, m->vocabulary, out->id[i], err);
    }
    if (rc < 0) return rc;
    added = pieces->len == text.len + 1 && pieces->at[0] == ' ';
    while (same < text.len && same + added < pieces->len && pieces->at[same + added] == text.at[same]) same++;
    if (same < text.len || pieces->len != text.len + added)
        return err_set(err, -ENODATA,
                       "the model's tokens are not the text from byte %zu on: its vocabulary does not have it", same);
    for (size_t i = 1; i <= out->count; i++) out->at[i] -= added;
    return 0;
}

static int llama_backend_tokenize(struct model_session *session, struct slice text, struct model_tokens *out,
                                  struct err *err)
{
    struct llama_session *s = (struct llama_session *)session;
    const struct llama   *m = (const struct llama *)session->model;
    int                   rc;

    if ((rc = cut(m, text, false, &s->last, err)) < 0 || (rc = place(m, text, &s->last, &s->pieces, err)) < 0)
        return rc;
    out->id = s->last.id;
    out->at = s->last.at;
    out->count = s->last.count;
    return 0;
}

/* ---- scores ---- */

/* Goes on with up to PART tokens; wanted says after which of them the next one's distribution is asked for. */
static int evaluate(struct llama_session *s, const uint32_t *id, size_t count, struct err *err)
{
    struct llama_batch batch = { .n_tokens = (int32_t)count, .token = (llama_token *)(uintptr_t)id,
                                 .logits = s->wanted };
    int32_t            rc = llama_decode(s->context, batch);
    char               what[64];

    if (rc == 0) return 0;
    snprintf(what, sizeof what, "llama.cpp failed in an evaluation (%d)", rc);
    return failed(err, -EIO, what);
}

/* Sums are taken around the largest logit, so that nothing overflows: with d = logit - largest, log p = d - log of the
 * sum of e^d. */
static struct model_score score_of(const float *logit, size_t count, uint32_t token)
{
    float  largest = logit[0];
    double sum = 0, first = 0, second = 0, mean, variance;

    for (size_t i = 1; i < count; i++) largest = logit[i] > largest ? logit[i] : largest;
    for (size_t i = 0; i < count; i++) {
        double d = (double)logit[i] - (double)largest, weight = exp(d);

        if (weight == 0) continue;                          /* 0 times -infinity */
        sum += weight;
        first += weight * d;
        second += weight * d * d;
    }
    mean = first / sum;
    variance = second / sum - mean * mean;
    return (struct model_score){ (double)logit[token] - (double)largest - log(sum), mean - log(sum), variance > 0
                                 ? sqrt(variance) : 0 };
}

static int llama_score(struct model_session *session, const struct model_tokens *tokens, size_t begin, size_t end,
                       size_t from, struct model_score *out,
                       struct err *err)
{
    struct llama_session *s = (struct llama_session *)session;
    const size_t          vocabulary = session->model->info.vocabulary;
    size_t                count;

    llama_memory_clear(llama_get_memory(s->context), false);
    for (size_t at = begin; at < end - 1; at += count) {    /* what comes after the last token is not asked */
        int rc;

        count = end - 1 - at < PART ? end - 1 - at : PART;
        for (size_t i = 0; i < count; i++) s->wanted[i] = at + i + 1 >= from;
        if ((rc = evaluate(s, tokens->id + at, count, err)) < 0) return rc;
        for (size_t i = 0; i < count; i++) {
            size_t       next = at + i + 1;
            const float *logit = s->wanted[i] ? llama_get_logits_ith(s->context, (int32_t)i) : NULL;

            if (!s->wanted[i]) continue;
            if (!logit) return failed(err, -EIO, "llama.cpp has no numbers for a token");
            out[next - from] = score_of(logit, vocabulary, tokens->id[next]);
            if (!isfinite(out[next - from].logprob))
                return err_set(err, -ENODATA, "token %zu has the logarithm %g", next, out[next - from].logprob);
        }
    }
    return 0;
}

static int llama_padding(struct model_session *session, const struct model_tokens *tokens, struct model_padding *out,
                         struct err *err)
{
    struct llama_session *s = (struct llama_session *)session;
    const struct llama   *m = (const struct llama *)session->model;
    const llama_token     eos = llama_vocab_eos(m->vocabulary);
    const size_t          vocabulary = session->model->info.vocabulary;
    const float          *logit;
    int                   rc;

    if (eos == LLAMA_TOKEN_NULL) return err_set(err, -ENODATA, "the model has no token that ends a text");
    llama_memory_clear(llama_get_memory(s->context), false);
    s->wanted[0] = 1;
    if ((rc = evaluate(s, &(uint32_t){ (uint32_t)eos }, 1, err)) < 0) return rc;
    logit = llama_get_logits_ith(s->context, 0);
    if (!logit) return failed(err, -EIO, "llama.cpp has no numbers for a token");
    out->pad = score_of(logit, vocabulary, (uint32_t)eos).logprob;
    if (tokens->count) out->first = score_of(logit, vocabulary, tokens->id[0]).logprob;
    return 0;
}

/* ---- generation ---- */

/* Evaluates what the text goes on from: only after its last token the distribution is asked for. */
static int evaluate_prompt(struct llama_session *s, const uint32_t *id, size_t count, struct err *err)
{
    int rc = 0;

    memset(s->wanted, 0, sizeof s->wanted);
    for (size_t at = 0, part; at < count && rc == 0; at += part) {
        part = count - at < PART ? count - at : PART;
        s->wanted[part - 1] = at + part == count;
        rc = evaluate(s, id + at, part, err);
    }
    return rc;
}

static int draw(struct llama_session *s, const struct model_sampling *sampling, uint32_t step, uint32_t *token,
                struct err *err)
{
    const uint32_t vocabulary = s->session.model->info.vocabulary;
    const float   *logit = llama_get_logits_ith(s->context, -1);

    if (!logit) return failed(err, -EIO, "llama.cpp has no numbers for a token");
    if (!s->candidate && !(s->candidate = malloc(vocabulary * sizeof *s->candidate)))
        return err_memory(err, vocabulary * sizeof *s->candidate, "the distribution of a token");
    for (uint32_t i = 0; i < vocabulary; i++) s->candidate[i] = (struct sample_candidate){ i, (double)logit[i] };
    *token = sample_pick(s->candidate, vocabulary, sampling, step);
    return 0;
}

/* made: the begin of text, where there is one, the prompt's last tokens as far as there is room, the new ones. */
static int llama_generate(struct model_session *session, struct slice prompt, const struct model_sampling *sampling,
                          struct model_generation *out,
                          struct err *err)
{
    struct llama_session *s = (struct llama_session *)session;
    const struct llama   *m = (const struct llama *)session->model;
    size_t                given, room, begins, count;
    int                   rc;

    if ((rc = cut(m, prompt, sampling->special, &s->prompt, err)) < 0) return rc;
    /* special tokens have no text */
    if (!sampling->special && (rc = place(m, prompt, &s->prompt, &s->pieces, err)) < 0) return rc;
    given = s->prompt.count;
    begins = m->begins || given == 0;
    if (begins && m->begin == LLAMA_TOKEN_NULL)
        return err_set(err, -ENODATA, "the model has no token that begins a text, and the prompt is empty");
    room = session->model->info.context - sampling->tokens - begins;
    count = given < room ? given : room;
    for (size_t i = 0; i < begins + count; i++) {
        if (ARRAY_GROW(s->made, s->made_room, i) < 0)
            return err_memory(err, 4 * (unsigned long long)count, "a prompt");
        s->made[i] = i < begins ? (uint32_t)m->begin : s->prompt.id[given - count + i - begins];
    }
    given = count;
    count = begins + given;
    llama_memory_clear(llama_get_memory(s->context), false);
    s->text.len = 0;
    for (uint32_t step = 0; step < sampling->tokens; step++) {
        uint32_t token = 0;

        rc = step == 0 ? evaluate_prompt(s, s->made, count, err) : evaluate_prompt(s, s->made + count - 1, 1, err);
        if (rc < 0 || (rc = draw(s, sampling, step, &token, err)) < 0) return rc;
        out->stopped = llama_vocab_is_eog(m->vocabulary, (llama_token)token);
        if (out->stopped) break;
        if (ARRAY_GROW(s->made, s->made_room, count) < 0)
            return err_memory(err, 4 * (unsigned long long)count, "a generated text");
        s->made[count++] = token;
        if ((rc = append_piece(&s->text, m->vocabulary, token, err)) < 0) return rc;
    }
    out->id = s->made + begins;
    out->prompt = given;
    out->count = count - begins - given;
    out->text = bytes_slice(&s->text);
    return 0;
}

static const struct model_calls llama_calls = {
    .close = llama_close, .session_open = llama_session_open, .session_close = llama_session_close,
        .tokenize = llama_backend_tokenize,
    .score = llama_score, .padding = llama_padding, .generate = llama_generate,
};

/* The texts of the tokens that the file names for filling in; they are the vocabulary's. */
static struct model_marks marks_of(const struct llama_vocab *vocabulary)
{
    const llama_token prefix = llama_vocab_fim_pre(vocabulary), suffix = llama_vocab_fim_suf(vocabulary),
        middle = llama_vocab_fim_mid(vocabulary);

    if (prefix == LLAMA_TOKEN_NULL || suffix == LLAMA_TOKEN_NULL || middle == LLAMA_TOKEN_NULL)
        return (struct model_marks){ NULL, NULL, NULL };
    return (struct model_marks){ llama_vocab_get_text(vocabulary, prefix), llama_vocab_get_text(vocabulary, suffix),
                                 llama_vocab_get_text(vocabulary, middle) };
}

int model_llama_open(struct model **out, const struct model_options *options, struct err *err)
{
    struct llama *m = calloc(1, sizeof *m);
    uint32_t      trained, context, each, threads = (uint32_t)omp_get_max_threads(), parallel = 1;
    int           rc;

    if (!m) return err_memory(err, sizeof *m, "a model");
    if ((rc = library_ready(err)) < 0 || (rc = load(m, options->path, err)) < 0) goto fail;
    m->model.info.key = unit_key_add((struct unit_key){ 0 }, "llama 1", 7);
    if ((rc = hash_files(&m->model.info.key, m->weights, options->path, err)) < 0) goto fail;
    if (!(m->name = strdup(options->name))) {
        rc = err_memory(err, strlen(options->name), "a name");
        goto fail;
    }
    trained = (uint32_t)llama_model_n_ctx_train(m->weights);
    if (options->context > trained) {
        rc = err_set(err, -EINVAL, "a context of %u tokens is more than the %u that the model was made for",
                     options->context, trained);
        goto fail;
    }
    each = options->threads ? options->threads : llama_model_n_params(m->weights) < SMALL ? 1 : threads;
    if (each < threads) {
        parallel = threads / each;
        threads = each;
    }
    find_begin(m);
    context = options->context ? options->context : trained < CONTEXT ? trained : CONTEXT;
    m->threads = (int32_t)threads;
    m->model.calls = &llama_calls;
    m->model.info.key = unit_key_add(m->model.info.key, &context, sizeof context);
    m->model.info.name = m->name;
    m->model.info.backend = "llama";
    m->model.info.context = context;
    m->model.info.vocabulary = (uint32_t)llama_vocab_n_tokens(m->vocabulary);
    m->model.info.parameters = llama_model_n_params(m->weights);
    m->model.info.parallel = parallel;
    m->model.info.moments = true;
    m->model.info.marks = marks_of(m->vocabulary);
    *out = &m->model;
    return 0;
fail:
    llama_close(&m->model);
    return rc;
}

bool model_has_llama(void) { return true; }

#endif
