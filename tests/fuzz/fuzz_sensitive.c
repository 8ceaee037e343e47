/* A text from a stranger: sensitive_find must stay inside it and give its matches in order, a search for them must find
 * each where it was, and masks must be UTF-8 that does not tell the value. */
#include "base/utf8.h"
#include "sensitive/sensitive.h"
#include "sensitive/search.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_sensitive: %s\n", what);
    abort();
}

struct wanted { size_t at; int found; };

static int place_see(void *context, uint32_t number, size_t at)
{
    struct wanted *wanted = context;

    require(number == 0, "finds what is not there");
    wanted->found |= at == wanted->at;
    return 0;
}

static void match_check(struct slice text, const struct sensitive_match *match)
{
    const struct slice      value = { text.at + match->at, match->len };
    const struct needle     needle = needle_of(value);
    struct wanted           wanted = { match->at, 0 };
    struct sensitive_search search;
    struct bytes            mask = { 0 };
    struct err              err = { 0 };

    require(sensitive_search_open(&search, &needle, 1, &err) == 0, "memory");
    require(sensitive_search_text(&search, text, place_see, &wanted) == 0 && wanted.found,
            "does not find a value where it is");
    sensitive_search_free(&search);
    require(sensitive_mask(value, &mask) == 0, "memory");
    require(utf8_valid_length(bytes_slice(&mask)) == mask.len, "a mask is no UTF-8");
    require(!memmem(mask.at, mask.len, value.at, value.len), "a mask shows the value");
    bytes_free(&mask);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes                  text = { 0 }, out = { 0 };
    const struct sensitive_match *match;
    struct err                    err = { 0 };

    require(bytes_append(&text, data, size) == 0, "memory");
    if (text.at) memset(text.at + text.len, '9', BYTES_PAD);
    require(sensitive_find(bytes_slice(&text), &out, &err) == 0, "fails");
    match = (const struct sensitive_match *)(const void *)out.at;
    for (size_t i = 0; i < out.len / sizeof *match; i++) {
        require(match[i].kind < SENSITIVE_KINDS && match[i].len >= SENSITIVE_SHORTEST &&
                match[i].len <= SENSITIVE_LONGEST, "a match that is none");
        require((size_t)match[i].at + match[i].len <= text.len, "a match beyond the text");
        require(i == 0 || match[i].at >= match[i - 1].at, "matches out of order");
        if (i < 64) match_check(bytes_slice(&text), &match[i]);
    }
    bytes_free(&text);
    bytes_free(&out);
    return 0;
}
