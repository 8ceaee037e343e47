/* model/http: a server that misbehaves (completions_server.py) against what is believed, asked again, kept, limited and
 * told. */
#include "server.h"

#include "base/log.h"
#include "base/table.h"
#include "base/utf8.h"
#include "corpus/writer.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <zlib.h>

struct world {
    struct model_options options;
    struct model *model;
    struct model_session *session;
    struct err err;
    char url[64], cache[96];
};

static void choose(struct world *w, const char *kind)
{
    static char name[] = "toy", none[] = "";

    *w = (struct world){ .options = { .name = name, .backend = MODEL_HTTP, .url = w->url, .served = none,
                                      .key_env = none, .cache = none, .timeout = 10,
                                      .concurrency = 4 } };
    snprintf(w->url, sizeof w->url, "http://127.0.0.1:%d/%s/v1", server.port, kind);
}

static void connect_to(struct world *w)
{
    if (model_open(&w->model, &w->options, &w->err) < 0 || model_session_open(&w->session, w->model, &w->err) < 0)
        fail_msg("%s", w->err.text);
}

static void leave(struct world *w)
{
    model_session_close(w->session);
    model_close(w->model);
    w->session = NULL;
    w->model = NULL;
    w->err = (struct err){ 0 };
}

/* ---- the toy model, once more ---- */

static bool in_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t toy_length(const char *at, size_t len)
{
    size_t n = len > 1 && *at == ' ' && in_word(at[1]), word = 0;

    while (n + word < len && word < 4 && in_word(at[n + word])) word++;
    if (word) return n + word;
    return (unsigned char)at[0] >= 0x80 && len > 1 && (unsigned char)at[1] >= 0x80 ? 2 : 1;
}

static double toy_logprob(const char *text, const uint32_t *at, size_t begin, size_t token)
{
    size_t  from = token - begin < 2 ? begin : token - 2;
    uLong   crc = crc32(0, NULL, 0);

    for (size_t i = from; i <= token; i++) {
        if (i > from) crc = crc32(crc, (const Bytef *)"|", 1);
        crc = crc32(crc, (const Bytef *)text + at[i], at[i + 1] - at[i]);
    }
    return -(1 + (double)(crc % 4000) / 1000);
}

static const char sample[] = "def average(numbers):\n    return sum(numbers) / len(numbers)  # "
                             "\xe2\x80\x99naive\xe2\x80\x99 \xf0\x9f\x98\x80\xf0\x9f\x98\x80 caf\xc3\xa9 "
                             "\xef\xbf\xbd\n";

static void check_tokens(const struct model_tokens *tokens)
{
    size_t at = 0, count = 0;

    for (; at < tokens->text.len; count++) {
        assert_int_equal(tokens->at[count], at);
        at += toy_length(tokens->text.at + at, tokens->text.len - at);
    }
    assert_int_equal(tokens->count, count);
    assert_int_equal(tokens->at[count], at);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            size_t len = tokens->at[i + 1] - tokens->at[i];
            bool   same = len == tokens->at[j + 1] - tokens->at[j] &&
                !memcmp(tokens->text.at + tokens->at[i], tokens->text.at + tokens->at[j], len);

            assert_int_equal(tokens->id[i] == tokens->id[j], same);
        }
}

/* ---- tests ---- */

static void test_scores(void **unused)
{
    const struct { const char *kind; bool ids, begun; } kinds[] = {
        { "good", true, false }, { "openai", false, false }, { "vllm", true, false }, { "begun", false, true },
        { "gate", false, false }, { "page", false, false },
    };

    (void)unused;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct world        w;
        struct model_tokens tokens;
        struct model_score  score[256];

        choose(&w, kinds[k].kind);
        connect_to(&w);
        assert_int_equal(model_info(w.model)->context, kinds[k].ids ? 4094 : 0);
        assert_int_equal(model_tokenize(w.session, SLICE(""), &tokens, &w.err), 0);
        assert_int_equal(tokens.count, 0);
        if (model_tokenize(w.session, (struct slice){ sample, sizeof sample - 1 }, &tokens, &w.err) < 0)
            fail_msg("%s", w.err.text);
        check_tokens(&tokens);
        stat_of("requests");
        assert_int_equal(model_score(w.session, &tokens, 0, tokens.count, 1, score, &w.err), 0);
        for (size_t i = 1; i < tokens.count && !kinds[k].begun; i++)
            assert_float_equal(score[i - 1].logprob, toy_logprob(sample, tokens.at, 0, i), 1e-9);
        assert_true(isnan(score[0].mean) && isnan(score[0].deviation));
        assert_int_equal(model_score(w.session, &tokens, 0, 9, 3, score, &w.err), 0);
        if (!kinds[k].begun) assert_float_equal(score[0].logprob, toy_logprob(sample, tokens.at, 0, 3), 1e-9);
        assert_int_equal(stat_of("requests"), 0);           /* the first window came with the tokens */
        if (model_score(w.session, &tokens, 4, 12, 5, score, &w.err) < 0) fail_msg("%s", w.err.text);
        for (size_t i = 5; i < 12 && !kinds[k].begun; i++)
            assert_float_equal(score[i - 5].logprob, toy_logprob(sample, tokens.at, 4, i), 1e-9);
        assert_int_equal(stat_of("requests"), kinds[k].ids ? 2 : 1);
        /* A window that begins within a character is none. */
        for (size_t i = 1; i < tokens.count; i++)
            if ((sample[tokens.at[i]] & 0xC0) == 0x80) {
                assert_int_equal(model_score(w.session, &tokens, i, tokens.count, i + 1, score, &w.err), -ENODATA);
                assert_non_null(strstr(w.err.text, "cut otherwise"));
                break;
            }
        assert_int_equal(model_tokenize(w.session, SLICE("a\xff"), &tokens, &w.err), -ENODATA);
        assert_int_equal(model_tokenize(w.session, SLICE("a\0b"), &tokens, &w.err), -ENODATA);
        leave(&w);
    }
}

static void test_each(void **unused)
{
    const struct model_sampling sampling = { .tokens = 8, .top_p = 1, .top_k = 4, .temperature = 1 };
    struct world                w;
    struct model_tokens         tokens;
    struct model_generation     made;
    struct model_score          score[256];

    (void)unused;
    choose(&w, "llama");
    connect_to(&w);
    if (model_tokenize(w.session, (struct slice){ sample, sizeof sample - 1 }, &tokens, &w.err) < 0)
        fail_msg("%s", w.err.text);
    check_tokens(&tokens);
    stat_of("requests");
    for (size_t begin = 0; begin < 30; begin += 29) {       /* the second begins within a character */
        if (model_score(w.session, &tokens, begin, tokens.count, begin + 1, score, &w.err) < 0)
            fail_msg("%s", w.err.text);
        for (size_t i = begin + 1; i < tokens.count; i++)
            assert_float_equal(score[i - begin - 1].logprob, toy_logprob(sample, tokens.at, begin, i), 1e-9);
    }
    assert_int_equal(stat_of("requests"), 2 * (tokens.count - 1) - 29);
    if (model_generate(w.session, SLICE("def f"), &sampling, &made, &w.err) < 0) fail_msg("%s", w.err.text);
    assert_true(made.prompt == 2 && made.id[0] == tokens.id[0]);
    leave(&w);
    choose(&w, "bias");
    connect_to(&w);
    assert_int_equal(model_tokenize(w.session, SLICE("x"), &tokens, &w.err), -ENODATA);
    leave(&w);
}

static void test_no_scores(void **unused)
{
    const struct model_sampling sampling = { .tokens = 8, .top_p = 1 };
    struct model_generation     made;
    struct model_tokens         tokens;
    struct world                w;

    (void)unused;
    choose(&w, "none");
    connect_to(&w);
    assert_int_equal(model_tokenize(w.session, SLICE("x"), &tokens, &w.err), -ENODATA);
    assert_non_null(strstr(w.err.text, "prompt_logprobs"));
    if (model_generate(w.session, SLICE("def f"), &sampling, &made, &w.err) < 0) fail_msg("%s", w.err.text);
    assert_true(made.prompt == 0 && made.count == 8 && made.text.len > 8);
    leave(&w);
}

static void test_faults(void **unused)
{
    static const struct { const char *prompt; uint32_t retries; int rc, requests; const char *words; } faults[] = {
        { "!fine x y", 0, 0, 1, "" },                       { "!close x y", 0, 0, 1, "" },
                              { "!rounding x", 0, 0, 1, "" },
        { "!nousage x", 0, 0, 1, "" },                      { "!5002 x y", 2, 0, 3, "" },
                               { "!5002 x z", 1, -ENODATA, 3, "in pieces" },
        { "!4291 x y", 1, 0, 2, "" },                       { "!4292 x y", 1, -EIO, 2, "asked 2 times" },
               { "!cutonce x y", 1, 0, 2, "" },
        { "!cut x y", 1, -EIO, 2, "asked 2 times" },        { "!aftermuch x", 3, -EIO, 1, "86400 s" },
                     { "!redirect x", 3, -EIO, 1, "status 302" },     { "!unknown x", 3, -ENOENT, 1, "no model of" },
        { "!broken x y", 3, -EBADMSG, 1, "no JSON" },       { "!html x y", 3, -EBADMSG, 1, "no JSON" },
                 { "!array x y", 3, -EBADMSG, 1, "no JSON object" },
        { "!deep x y", 3, -EBADMSG, 1, "deep" },            { "!values x y", 3, -EBADMSG, 1, "values" },
                { "!big x y", 3, -EBADMSG, 1, "64 MB" },
        { "!nan x y", 3, -ENODATA, 1, "no number" },          { "!inf x y", 3, -ENODATA, 1, "no number" },
                { "!text x y", 3, -ENODATA, 1, "no number" },
        { "!positive x", 3, -ENODATA, 1, "at most 0" },     { "!hole x y", 3, -ENODATA, 1, "token 2" },
                 { "!first x y", 3, -ENODATA, 1, "first token" },
        { "!nologprobs x", 3, -ENODATA, 1, "logprobs" },    { "!novalues x", 3, -ENODATA, 1, "token_logprobs" },
        { "!nochoices x", 3, -ENODATA, 1, "choices" },      { "!counts x y", 3, -ENODATA, 1, "5 tokens" },
        { "!offsets x", 3, -ENODATA, 1, "text_offset" },
        { "!tokens x y", 3, -ENODATA, 1, "part at token 2" },
        { "!fewer x y", 3, -ENODATA, 1, "do not make up" }, { "!utf8 x y", 3, -ENODATA, 1, "part at token 0" },
    };
    struct world w = { 0 };

    (void)unused;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct model_tokens tokens;
        int                 rc;

        if (i == 0 || faults[i].retries != faults[i - 1].retries) {
            leave(&w);
            choose(&w, "good");
            w.options.retries = faults[i].retries;
            connect_to(&w);
        }
        stat_of("requests");
        rc = model_tokenize(w.session, slice_of(faults[i].prompt), &tokens, &w.err);
        if (rc != faults[i].rc || (rc < 0 && !strstr(w.err.text, faults[i].words)))
            fail_msg("%s: %d, %s", faults[i].prompt, rc, w.err.text);
        if (rc == 0) check_tokens(&tokens);
        assert_int_equal(stat_of("requests"), faults[i].requests);
        /* The next question is answered. */
        w.err = (struct err){ 0 };
        assert_int_equal(model_tokenize(w.session, slice_of("x"), &tokens, &w.err), 0);
    }
    leave(&w);
}

/* What takes as long as it is waited for, side by side. */
struct wait { const char *prompt; struct world world; int rc; double took; };

static void *wait_for(void *arg)
{
    struct wait        *wait = arg;
    struct model_tokens tokens;
    const double        started = log_seconds();

    wait->rc = model_tokenize(wait->world.session, slice_of(wait->prompt), &tokens, &wait->world.err);
    wait->took = log_seconds() - started;
    return NULL;
}

static void test_waits(void **unused)
{
    struct wait wait[3] = { { .prompt = "!never x" }, { .prompt = "!slow x" }, { .prompt = "!after x" } };
    pthread_t   thread[3];

    (void)unused;
    for (int i = 0; i < 3; i++) {
        choose(&wait[i].world, "good");
        wait[i].world.options.url = wait[i].world.url;
        wait[i].world.options.retries = i == 2;
        wait[i].world.options.timeout = i == 2 ? 10 : 2;
        connect_to(&wait[i].world);
        assert_int_equal(pthread_create(&thread[i], NULL, wait_for, &wait[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        assert_true(wait[i].took > (i == 2 ? .98 : 1.98) && wait[i].took < 50);            /* the server: a minute */
        assert_int_equal(wait[i].rc, i == 2 ? 0 : -EIO);
        if (i < 2) assert_non_null(strstr(wait[i].world.err.text, "timed out"));
        leave(&wait[i].world);
    }
}

static void test_nobody(void **unused)
{
    static const char *const urls[] = { "ftp://host/v1", "file:///etc/passwd", "host only",
                                        "http://user:secret@host/v1", "http://host/v1?key=secret",
                                        "http://" };
    struct world             w;

    (void)unused;
    choose(&w, "good");
    strcpy(w.url, "http://127.0.0.1:1/v1");
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -EIO);
    choose(&w, "bad");
    snprintf(w.url, sizeof w.url, "http://127.0.0.1:%d/nothing", server.port);
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -ENOENT);
    for (size_t i = 0; i < 6; i++) {
        strcpy(w.url, urls[i]);
        assert_int_equal(model_open(&w.model, &w.options, &w.err), -EINVAL);
        assert_null(strstr(w.err.text, "secret"));
    }
}

/* A gateway that refuses what it does not pass on is no server that refuses the key. */
static void test_gateway(void **unused)
{
    struct world w;

    (void)unused;
    choose(&w, "shut");
    connect_to(&w);
    leave(&w);
}

/* ---- generation ---- */

static void generate(struct world *w, struct slice prompt, const struct model_sampling *sampling,
                     struct model_generation *made)
{
    w->err = (struct err){ 0 };
    if (model_generate(w->session, prompt, sampling, made, &w->err) < 0) fail_msg("%s", w->err.text);
}

static void test_generation(void **unused)
{
    static const char *const kinds[] = { "good", "openai", "vllm", "begun" };
    char                     greedy[4][512];
    int                      ended = 0;

    (void)unused;
    for (size_t k = 0; k < 4; k++) {
        struct model_sampling   sampling = { .tokens = 24, .top_p = 1 };
        struct model_generation made;
        struct model_tokens     tokens;
        struct world            w;
        char                    first[512];

        choose(&w, kinds[k]);
        w.options.context = 32;
        connect_to(&w);
        generate(&w, SLICE("def sum_of"), &sampling, &made);
        snprintf(greedy[k], sizeof greedy[k], "%.*s", (int)made.text.len, made.text.at);
        assert_string_equal(greedy[k], greedy[0]);
        assert_int_equal(made.prompt, 3);                   /* "def", " sum_", "of" */
        assert_true(made.stopped || made.count == 24);
        generate(&w, SLICE(""), &sampling, &made);
        assert_true(made.prompt == 0 && (made.stopped || made.count == 24));
        for (int seed = 0; seed < 6; seed++) {
            struct bytes whole = { 0 };

            sampling = (struct model_sampling){ .tokens = 24, .top_p = .9, .temperature = .8,
                                                .seed = (uint64_t)seed << 40 };
            generate(&w, SLICE("def sum_of"), &sampling, &made);
            snprintf(first, sizeof first, "%.*s", (int)made.text.len, made.text.at);
            ended += made.stopped;
            /* The ids are those of the text. */
            bytes_append(&whole, "def sum_of", 10);
            bytes_append_slice(&whole, made.text);
            if (!strstr(first, "\xef\xbf\xbd")) {
                assert_int_equal(model_tokenize(w.session, bytes_slice(&whole), &tokens, &w.err), 0);
                for (size_t i = 0; i < 3; i++) assert_int_equal(tokens.id[i], made.id[i]);
            }
            generate(&w, SLICE("def sum_of"), &sampling, &made);
            assert_int_equal(made.text.len, strlen(first));
            assert_memory_equal(made.text.at, first, made.text.len);
            bytes_free(&whole);
        }
        /* A prompt that leaves no room loses its beginning. */
        sampling = (struct model_sampling){ .tokens = 24, .top_p = 1 };
        generate(&w, SLICE("a b c d e f g h i j k l"), &sampling, &made);
        assert_int_equal(made.prompt, 8);
        /* Decay: a request a token, then one. */
        sampling = (struct model_sampling){ .tokens = 9, .top_p = 1, .decay_from = 2, .decay_tokens = 4,
                                            .temperature = 0, .seed = 1 };
        stat_of("requests");
        generate(&w, SLICE("def f"), &sampling, &made);
        assert_true(made.count == 9 || made.stopped);
        if (!made.stopped) assert_true(stat_of("requests") >= 3);
        assert_int_equal(utf8_valid_length(made.text), made.text.len);
        sampling = (struct model_sampling){ .tokens = 4, .top_p = 1, .temperature = 1, .top_k = 5 };
        if (k == 1 || k == 3) {
            assert_int_equal(model_generate(w.session, SLICE("x"), &sampling, &made, &w.err), -ENODATA);
            assert_non_null(strstr(w.err.text, "top_k"));
        } else generate(&w, SLICE("x"), &sampling, &made);
        if (k == 0) {                                       /* a NUL in the answer is no matter of top_k */
            assert_int_equal(model_generate(w.session, SLICE("!nul x"), &sampling, &made, &w.err), -ENODATA);
            assert_non_null(strstr(w.err.text, "has a NUL"));
            assert_null(strstr(w.err.text, "top_k"));
        }
        leave(&w);
    }
    assert_true(ended > 0);
}

/* ---- what is kept ---- */

static void tokenize_some(struct world *w, int from, int until)
{
    for (int i = from; i < until; i++) {
        struct model_tokens tokens;
        char                text[64];

        snprintf(text, sizeof text, "kept number %d", i);
        if (model_tokenize(w->session, slice_of(text), &tokens, &w->err) < 0) fail_msg("%s", w->err.text);
        check_tokens(&tokens);
    }
}

static int damage(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    FILE *file;

    (void)at;
    if (kind != FTW_F || is->st_size < 200) return 0;
    if (!(file = fopen(path, "r+"))) return -1;
    fseek(file, is->st_size / 2, SEEK_SET);
    fputc(1, file);
    fclose(file);
    return 0;
}

static char needle_seen[4096];

static int has_key(const char *path, const struct stat *is, int kind, struct FTW *at)
{
    struct bytes all = { 0 };
    FILE        *file;

    (void)at;
    if (kind != FTW_F) return 0;
    file = fopen(path, "r");
    bytes_reserve(&all, (size_t)is->st_size + 1);
    all.len = fread(all.at, 1, (size_t)is->st_size, file);
    fclose(file);
    if (all.len && memmem(all.at, all.len, KEY, strlen(KEY))) snprintf(needle_seen, sizeof needle_seen, "%s", path);
    bytes_free(&all);
    return 0;
}

static void test_cache(void **unused)
{
    const struct model_sampling sampling = { .tokens = 8, .top_p = 1, .temperature = .5 };
    struct model_generation     made;
    struct world                w;

    (void)unused;
    for (int k = 0; k < 3; k++) {
        choose(&w, (const char *[]){ "good", "openai", "vllm" }[k]);
        snprintf(w.cache, sizeof w.cache, "%s/cache%d/deeper", server.folder, k);
        w.options.cache = w.cache;
        for (int round = 0; round < 4; round++) {
            stat_of("requests");
            connect_to(&w);
            tokenize_some(&w, 0, 5);
            generate(&w, SLICE("def f"), &sampling, &made);
            leave(&w);
            if (round == 0) assert_true(stat_of("requests") >= 6);
            if (round == 1 || round == 3) assert_int_equal(stat_of("requests"), 0);
            if (round == 1) assert_int_equal(nftw(w.cache, damage, 16, FTW_PHYS), 0);
            if (round == 2) assert_int_equal(stat_of("requests"), 6);
        }
    }
}

/* Two models at one url and one cache, one after the other: the answers of one are not those of the other, however the
 * server is asked. */
static void test_cache_of_two(void **unused)
{
    static const char *const kinds[] = { "good", "openai", "vllm", "llama" };
    char                     one[] = "one", two[] = "two";

    (void)unused;
    for (size_t k = 0; k < 4; k++) {
        int requests[2];

        for (int m = 0; m < 2; m++) {
            struct world        w;
            struct model_score  score[64];
            struct model_tokens tokens;

            choose(&w, kinds[k]);
            snprintf(w.cache, sizeof w.cache, "%s/two-%s", server.folder, kinds[k]);
            w.options.cache = w.cache;
            w.options.served = m ? two : one;
            stat_of("requests");
            connect_to(&w);
            assert_int_equal(model_tokenize(w.session, SLICE("def f(x): y"), &tokens, &w.err), 0);
            assert_int_equal(model_score(w.session, &tokens, 1, tokens.count, 2, score, &w.err), 0);
            leave(&w);
            requests[m] = stat_of("requests");
        }
        assert_true(requests[0] > 2);
        assert_int_equal(requests[1], requests[0]);
    }
}

static void test_bad_answers_are_not_kept(void **unused)
{
    struct model_tokens tokens;
    struct world        w;

    (void)unused;
    choose(&w, "good");
    snprintf(w.cache, sizeof w.cache, "%s/bad", server.folder);
    w.options.cache = w.cache;
    connect_to(&w);
    stat_of("requests");
    for (int i = 0; i < 2; i++)
        assert_int_equal(model_tokenize(w.session, slice_of("!counts x y"), &tokens, &w.err), -ENODATA);
    assert_int_equal(stat_of("requests"), 2);
    leave(&w);
}

static void test_key(void **unused)
{
    struct model_tokens tokens;
    struct world        w;
    char                path[96], none[] = "NO_SUCH_KEY_HERE", name[] = "TEST_HTTP_KEY", bad[] = "TEST_HTTP_BAD";

    (void)unused;
    choose(&w, "keyed");
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -EACCES);
    assert_non_null(strstr(w.err.text, "key_env"));
    w.options.key_env = none;
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -EINVAL);
    setenv(bad, "sk-1\r\nX: y", 1);
    w.options.key_env = bad;
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -EINVAL);
    assert_null(strstr(w.err.text, "sk-1"));
    setenv(bad, "sk-other", 1);
    assert_int_equal(model_open(&w.model, &w.options, &w.err), -EACCES);
    assert_null(strstr(w.err.text, "sk-other"));
    w.options.key_env = name;
    snprintf(path, sizeof path, "%s/run.log", server.folder);
    snprintf(w.cache, sizeof w.cache, "%s/keyed", server.folder);
    w.options.cache = w.cache;
    w.err = (struct err){ 0 };
    log_open(&(struct log_options){ .quiet = true, .path = path });
    connect_to(&w);
    tokenize_some(&w, 0, 3);
    assert_int_equal(model_tokenize(w.session, slice_of("!keyed x"), &tokens, &w.err), 0);
    assert_int_equal(model_tokenize(w.session, slice_of("!leak x"), &tokens, &w.err), -ENODATA);
    assert_null(strstr(w.err.text, KEY));
    log_warn("%s", w.err.text);
    leave(&w);
    log_close();
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(nftw(server.folder, has_key, 16, FTW_PHYS), 0);
    assert_string_equal(needle_seen, "");
}

/* ---- limits ---- */

static void test_budget(void **unused)
{
    struct model_tokens tokens;
    struct world        w;
    char                text[64];
    int                 done = 0, rc = 0;

    (void)unused;
    choose(&w, "good");
    snprintf(w.cache, sizeof w.cache, "%s/budget", server.folder);
    w.options.cache = w.cache;
    w.options.budget = 300;
    connect_to(&w);
    for (; done < 100; done++) {
        snprintf(text, sizeof text, "budget number %d", done);
        if ((rc = model_tokenize(w.session, slice_of(text), &tokens, &w.err)) < 0) break;
    }
    assert_int_equal(rc, -EDQUOT);
    assert_non_null(strstr(w.err.text, "larger"));
    /* A text costs 5 tokens or 6, the opening about 40; no more than one request's bound is left over. */
    assert_in_range(done, 35, 58);
    leave(&w);
    stat_of("requests");
    w.options.budget = 600;
    connect_to(&w);
    for (int i = 0; i < done + 10; i++) {
        snprintf(text, sizeof text, "budget number %d", i);
        assert_int_equal(model_tokenize(w.session, slice_of(text), &tokens, &w.err), 0);
    }
    assert_int_equal(stat_of("requests"), 10);
    leave(&w);
}

struct task { struct model *model; const char *how; int number, requests, failed; };

static void *work(void *arg)
{
    struct task          *task = arg;
    struct model_session *session = NULL;
    struct model_tokens   tokens;
    struct err            err = { 0 };
    char                  text[64];

    task->failed = model_session_open(&session, task->model, &err) < 0;
    for (int i = 0; i < task->requests && !task->failed; i++) {
        snprintf(text, sizeof text, "!%s %d %d", task->how, task->number, i);
        task->failed = model_tokenize(session, slice_of(text), &tokens, &err) < 0;
    }
    model_session_close(session);
    return NULL;
}

static double together(struct world *w, const char *how, int tasks, int requests)
{
    struct task  task[16];
    pthread_t    thread[16];
    const double started = log_seconds();

    for (int i = 0; i < tasks; i++) {
        task[i] = (struct task){ w->model, how, i, requests, 0 };
        assert_int_equal(pthread_create(&thread[i], NULL, work, &task[i]), 0);
    }
    for (int i = 0; i < tasks; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(task[i].failed, 0);
    }
    return log_seconds() - started;
}

static void test_concurrency(void **unused)
{
    struct world w;

    (void)unused;
    choose(&w, "good");
    w.options.concurrency = 3;
    connect_to(&w);
    assert_int_equal(model_info(w.model)->parallel, 3);
    stat_of("requests");
    together(&w, "meet3", 8, 2);
    assert_int_equal(stat_of("flying_max"), 3);
    leave(&w);
}

static void test_rate(void **unused)
{
    struct world w;
    double       took;

    (void)unused;
    choose(&w, "good");
    w.options.concurrency = 8;
    w.options.rate = 2400;                                  /* one in 0.025 s */
    connect_to(&w);
    took = together(&w, "wait", 8, 2);
    assert_true(took >= .375 && took < 15);                 /* a sixtieth of that rate is 22 s */
    leave(&w);
}

/* ---- the answers' reader by itself ---- */

static uint64_t draw(uint64_t *state)                       /* splitmix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Any text, cut at any bytes, each part as a decoder leaves it: the parts found leave the same, and are nearly always
 * the same. */
static void test_cuts(void **unused)
{
    static const char *const chars[] = { "a", " ", "\n", "\xc3\xa9", "\xe2\x80\x99", "\xf0\x9f\x98\x80", "\xe6\x97\xa5",
                                         "\xef\xbf\xbd" };
    const char              *seed = getenv("SEED");
    uint64_t                 random = seed ? strtoull(seed, NULL, 10) : 7;
    struct http_completion   out = { 0 };
    int                      exact = 0, rounds = 0;

    (void)unused;
    for (; rounds < 3000; rounds++) {
        struct bytes text = { 0 }, list = { 0 }, values = { 0 }, json = { 0 }, piece = { 0 }, left = { 0 },
            right = { 0 };
        uint32_t     at[128], count = 0;
        struct err   err = { 0 };
        cJSON       *parsed;

        for (uint64_t i = 1 + draw(&random) % 12; i > 0; i--)
            bytes_append_slice(&text, slice_of(chars[draw(&random) % (rounds % 2 ? 8 : 7)]));
        for (size_t from = 0, end; from < text.len; from = end) {
            end = from + 1 + draw(&random) % 4;
            end = end < text.len ? end : text.len;
            piece.len = 0;
            utf8_repair(&piece, (struct slice){ text.at + from, end - from });
            if (count) bytes_printf(&list, ", "), bytes_printf(&values, ", -1");
            else bytes_printf(&values, "null");
            json_append_string(&list, bytes_slice(&piece));
            at[count++] = (uint32_t)from;
        }
        bytes_printf(&json, "{\"choices\": [{\"text\": \"\", \"logprobs\": {\"tokens\": [%.*s], \"token_logprobs\": "
                            "[%.*s]}}]}", (int)list.len, list.at, (int)values.len,
                     values.at);
        parsed = http_json(bytes_slice(&json), &err);
        assert_non_null(parsed);
        if (http_completion_read(&out, parsed, HTTP_ECHO, bytes_slice(&text), 0, &err) < 0)
            fail_msg("%s: %.*s", err.text, (int)json.len, json.at);
        assert_int_equal(out.prompt, count);
        assert_int_equal(out.at[count], text.len);
        exact += rounds % 2 == 0 && !memcmp(out.at, at, count * sizeof *at);
        for (uint32_t i = 0; i < count; i++) {
            struct slice part = { text.at + out.at[i], out.at[i + 1] - out.at[i] };

            piece.len = 0;
            utf8_repair(&piece, part);
            bytes_printf(&left, "%u ", i), json_append_string(&left, bytes_slice(&piece));
            piece.len = 0;
            utf8_repair(&piece, (struct slice){ text.at + at[i],
                                                (i + 1 < count ? at[i + 1] : (uint32_t)text.len) - at[i] });
            bytes_printf(&right, "%u ", i), json_append_string(&right, bytes_slice(&piece));
        }
        assert_true(slice_equal(bytes_slice(&left), bytes_slice(&right)));
        cJSON_Delete(parsed);
        bytes_free(&text), bytes_free(&list), bytes_free(&values), bytes_free(&json), bytes_free(&piece),
            bytes_free(&left), bytes_free(&right);
    }
    http_completion_free(&out);
    assert_true(exact > rounds / 2 * 9 / 10);               /* some cuts cannot be told from others */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts), cmocka_unit_test(test_scores),
        cmocka_unit_test(test_each), cmocka_unit_test(test_no_scores), cmocka_unit_test(test_faults),
            cmocka_unit_test(test_waits),
        cmocka_unit_test(test_nobody), cmocka_unit_test(test_gateway), cmocka_unit_test(test_generation),
        cmocka_unit_test(test_cache), cmocka_unit_test(test_cache_of_two),
        cmocka_unit_test(test_bad_answers_are_not_kept),
        cmocka_unit_test(test_key), cmocka_unit_test(test_budget), cmocka_unit_test(test_concurrency),
            cmocka_unit_test(test_rate),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
