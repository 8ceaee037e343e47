/* A text from a stranger: what finds values must stay inside it and give them in order, a search for them must find
 * each where it was, and masks must be UTF-8 that does not tell the value. */
#include "base/utf8.h"
#include "sensitive/mask.h"
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

static void finding_check(struct slice text, bool named)
{
    const struct sensitive_match *match;
    struct bytes                  out = { 0 };
    struct err                    err = { 0 };

    require((named ? sensitive_find_named : sensitive_find)(text, &out, &err) == 0, "fails");
    match = (const struct sensitive_match *)(const void *)out.at;
    for (size_t i = 0; i < out.len / sizeof *match; i++) {
        require(match[i].kind < SENSITIVE_KINDS && match[i].len >= SENSITIVE_SHORTEST &&
                match[i].len <= SENSITIVE_LONGEST, "a match that is none");
        require((size_t)match[i].at + match[i].len <= text.len, "a match beyond the text");
        require(i == 0 || match[i].at >= match[i - 1].at, "matches out of order");
        if (i < 64) match_check(text, &match[i]);
    }
    bytes_free(&out);
}

/* What a report shows of a name or a program: UTF-8, if it was. */
static void masks_check(struct slice text, bool program)
{
    struct slice shown = text;
    struct bytes masked = { 0 };

    require(sensitive_mask_text(&shown, program, &masked) == 0, "memory");
    require(utf8_valid_length(text) != text.len || utf8_valid_length(shown) == shown.len, "a mask cuts a character");
    bytes_free(&masked);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes text = { 0 };

    require(bytes_append(&text, data, size) == 0, "memory");
    if (text.at) memset(text.at + text.len, '9', BYTES_PAD);
    for (int other = 0; other < 2; other++) {
        finding_check(bytes_slice(&text), other);
        masks_check(bytes_slice(&text), other);
    }
    bytes_free(&text);
    return 0;
}
