/* A tokenizer.json from a stranger, and behind its first zero byte a text: it is refused with a reason, or cuts the
 * text the same way twice, into tokens that begin in order. */
#include "model/tokenizer.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_tokenizer: %s\n", what);
    abort();
}

/* 0, or what was refused. */
static int cut(const struct tokenizer *tokenizer, struct tokenizer_cut *tokens, struct slice text)
{
    struct err err = { 0 };
    const int  rc = tokenizer_cut(tokenizer, tokens, text, &err);

    require(rc == 0 || (rc == -ENODATA && err.text[0]), "a failure without text");
    if (rc < 0) return rc;
    require(tokens->at[tokens->count] == text.len, "tokens that end elsewhere");
    for (size_t i = 0; i < tokens->count; i++) require(tokens->at[i] <= tokens->at[i + 1], "tokens out of order");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char          *zero = size ? memchr(data, 0, size) : NULL;
    const struct slice   file = { (const char *)data, zero ? (size_t)(zero - (const char *)data) : size };
    const struct slice   text = { zero ? zero + 1 : "", zero ? size - file.len - 1 : 0 };
    struct tokenizer_cut once = { 0 }, twice = { 0 };
    struct tokenizer    *tokenizer;
    struct err           err = { 0 };

    if (tokenizer_parse(&tokenizer, "f", file, &err) < 0) {
        require(err.code == -EBADMSG && strncmp(err.text, "f: ", 3) == 0 && !tokenizer, "a failure without text");
        return 0;
    }
    cut(tokenizer, &twice, (struct slice){ file.at, file.len < 4096 ? file.len : 4096 });       /* what is left there */
    require(cut(tokenizer, &once, text) == cut(tokenizer, &twice, text), "another answer the second time");
    require(once.count == twice.count && (!once.count || memcmp(once.id, twice.id, once.count * sizeof *once.id) == 0),
            "other tokens the second time");
    tokenizer_cut_free(&once);
    tokenizer_cut_free(&twice);
    tokenizer_close(tokenizer);
    return 0;
}
