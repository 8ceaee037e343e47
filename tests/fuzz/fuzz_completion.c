/* tests/fuzz/fuzz_completion.c -- answers of a completions server from anywhere, and what is believed of them.
 *
 * The first byte says how scores are asked for (its two low bits) and how many new tokens (the rest, by fours); the
 * prompt ends at the first NUL, and the answer is what follows. */
#include "base/utf8.h"
#include "model/http.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Our own mistake: the fuzzer keeps the input. */
static void require(bool holds)
{
    if (!holds) abort();
}

/* Tokens follow each other from the text's first byte to its last. */
static void check_cut(const uint32_t *at, size_t count, struct slice text)
{
    if (count == 0) {
        require(text.len == 0);
        return;
    }
    require(at[0] == 0 && at[count] == text.len);
    for (size_t i = 0; i < count; i++) require(at[i] < at[i + 1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct http_completion completion = { 0 };
    struct err             err = { 0 };
    const uint8_t         *end;
    struct slice           prompt, answer;
    enum http_scoring      scoring;
    uint32_t               most;
    cJSON                 *json;

    if (size < 2 || !(end = memchr(data + 1, 0, size - 1))) return 0;
    scoring = (enum http_scoring)((data[0] & 3) % 3);
    most = data[0] >> 2;
    prompt = (struct slice){ (const char *)data + 1, (size_t)(end - data) - 1 };
    answer = (struct slice){ (const char *)end + 1, size - prompt.len - 2 };
    if (utf8_valid_length(prompt) != prompt.len) return 0;
    json = http_json(answer, &err);
    if (!json) {
        require(err.code == -EBADMSG);
        return 0;
    }
    for (int round = 0; round < 2; round++) {               /* the arrays are used again */
        int rc = http_completion_read(&completion, json, scoring, prompt, most, &err);

        require(rc == 0 || (rc == -ENODATA && err.text[0]));
        if (rc < 0) continue;
        if (scoring != HTTP_NO_SCORES) check_cut(completion.at, completion.prompt, prompt);
        for (size_t i = 0; i < completion.prompt; i++)
            require(completion.logprob[i] <= 0 || (i == 0 && !completion.begun && isnan(completion.logprob[i])));
        require(completion.count <= most);
        if (most) check_cut(completion.new_at, completion.count, completion.text);
    }
    http_completion_free(&completion);
    cJSON_Delete(json);
    return 0;
}
