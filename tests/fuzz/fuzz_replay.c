/* tests/fuzz/fuzz_replay.c -- recorded answers from any bytes: refused, or opened and asked for all that its lines say.
 */
#include "model/model.h"

#include "base/log.h"
#include "corpus/line.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Our own mistake: the fuzzer keeps the input. */
static void require(bool holds)
{
    if (!holds) abort();
}

static void ask_text(struct model_session *session, struct slice text, struct err *err)
{
    struct model_tokens tokens;

    if (model_tokenize(session, text, &tokens, err) < 0) return;
    require(tokens.count == 0 || tokens.at[tokens.count] == text.len);
    for (size_t i = 0; i < tokens.count; i++) require(tokens.at[i] <= tokens.at[i + 1]);
    for (size_t begin = 0; begin < tokens.count && begin < 3; begin++)
        for (size_t end = begin + 1; end <= tokens.count && end < begin + 9; end++) {
            struct model_score score[8];
            uint32_t           context = model_info(session->model)->context;

            if ((context && end - begin > context) ||
                model_score(session, &tokens, begin, end, begin + 1, score, err) < 0)
                continue;
            for (size_t i = 0; i + begin + 1 < end; i++) require(isfinite(score[i].logprob) && score[i].logprob <= 0);
        }
}

static void ask_prompt(struct model_session *session, struct slice prompt, struct err *err)
{
    struct model_sampling   sampling = { .top_p = 1 };
    struct model_generation made;

    for (sampling.tokens = 0; sampling.tokens < 4; sampling.tokens++) {
        uint64_t sum = 0;

        if (model_generate(session, prompt, &sampling, &made, err) < 0) continue;
        require(made.count <= sampling.tokens);
        for (size_t i = 0; i < made.prompt + made.count; i++) sum += made.id[i];
        for (size_t i = 0; i < made.text.len; i++) sum += (unsigned char)made.text.at[i];
        require(sum < UINT64_MAX);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char           path[64], name[] = "fuzz";
    struct model_options  options = { .name = name, .backend = MODEL_REPLAY, .path = path };
    struct slice          all = { (const char *)data, size }, line;
    struct model         *model;
    struct model_session *session;
    struct err            err = { 0 };
    int                   file = memfd_create("replay", 0);

    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    log_open(&(struct log_options){ .rank = 1, .quiet = true });
    if (model_open(&model, &options, &err) == 0) {
        require(model_session_open(&session, model, &err) == 0);
        for (size_t at = 0; line_next(all, &at, &line); ) {
            cJSON      *value = cJSON_ParseWithLength(line.at, line.len);
            const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(value, "text"));
            const char *prompt = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(value, "prompt"));

            if (text) ask_text(session, slice_of(text), &err);
            if (prompt) ask_prompt(session, slice_of(prompt), &err);
            cJSON_Delete(value);
        }
        model_session_close(session);
        model_close(model);
    }
    close(file);
    return 0;
}
