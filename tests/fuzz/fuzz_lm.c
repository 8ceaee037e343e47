/* tests/fuzz/fuzz_lm.c -- a model of n-grams, as a file or as ARPA, from any bytes: opened or refused, and used to the
 * end when it was opened.
 *
 * A first byte below 128 makes the rest an ARPA file, another a model file whose checksums and sizes are put right
 * first: what lies behind them is what is looked for. */
#include "lm/private.h"
#include "model/model.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void seal(uint8_t *at, size_t size)
{
    struct lm_head head;

    if (size < sizeof head) return;
    memcpy(&head, at, sizeof head);
    for (size_t i = 0; i < LM_SECTIONS; i++)
        if (head.section[i].at <= size && head.section[i].len <= size - head.section[i].at)
            head.section[i].xxh3 = XXH3_64bits(at + head.section[i].at, (size_t)head.section[i].len);
    head.bytes = size;
    head.xxh3 = lm_head_hash(&head);
    memcpy(at, &head, sizeof head);
}

static void walk(const struct lm *lm)
{
    uint32_t state = lm->begin;
    double   sum = 0;

    for (uint32_t i = 0; i < 300; i++) {
        sum += lm_step(lm, &state, (uint32_t)(i * i * 7 % lm->tokens));
        require(state < lm->states);
    }
    require(!isnan(sum));
}

static void use_model(char *path)
{
    struct model_options    options = { .name = (char[]){ "fuzz" }, .backend = MODEL_NGRAM, .path = path };
    struct model_sampling   sampling = { .tokens = 20, .temperature = 1, .top_k = 5, .top_p = 0.9 };
    struct model_generation made;
    struct model_tokens     tokens;
    struct model_score      score[64];
    struct model_session   *session = NULL;
    struct model           *model = NULL;
    struct err              err = { 0 };
    struct lm               lm;

    if (lm_open(&lm, path, &err) < 0) {
        require(err.code == -EBADMSG);
        return;
    }
    walk(&lm);
    require(lm_arpa_write(&lm, "/dev/null/no", &err) < 0);  /* its contexts are walked, then there is no such folder */
    lm_close(&lm);
    require(model_open(&model, &options, &err) == 0 && model_session_open(&session, model, &err) == 0);
    require(model_tokenize(session, SLICE("def a(b):\n    return b"), &tokens, &err) == 0 && tokens.count < 64);
    require(model_score(session, &tokens, 0, tokens.count, 1, score, &err) == 0);
    require(model_generate(session, SLICE("def"), &sampling, &made, &err) == 0 && made.count <= 20);
    sampling.top_k = 0;
    require(model_generate(session, SLICE(""), &sampling, &made, &err) == 0 && made.count <= 20);
    model_session_close(session);
    model_close(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = { 0 };
    struct lm  lm;
    uint8_t   *copy;
    char       path[64];
    int        fd;

    if (!size || !(copy = malloc(size))) return 0;
    memcpy(copy, data + 1, size - 1);
    if (data[0] >= 128) seal(copy, size - 1);
    fd = memfd_create("model", MFD_CLOEXEC);
    require(fd >= 0 && write(fd, copy, size - 1) == (ssize_t)(size - 1));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (data[0] >= 128) use_model(path);
    else if (lm_arpa_read(&lm, path, &err) == 0) {
        walk(&lm);
        lm_free(&lm);
    } else require(err.code == -EBADMSG);
    close(fd);
    free(copy);
    return 0;
}
