/* graph/text.c -- see text.h. */
#include "graph/text.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdint.h>

/* True when all bytes are 01..7F: most names and most code.  Eight at a time; names are short, so that the loop must
 * start at once. */
static bool text_is_plain(struct slice text)
{
    size_t i = 0;

    for (; i + 8 <= text.len; i += 8) {
        uint64_t word;

        memcpy(&word, text.at + i, sizeof word);
        if ((word | (word - 0x0101010101010101u)) & 0x8080808080808080u) return false;
    }
    while (i < text.len && (signed char)text.at[i] > 0) i++;
    return i == text.len;
}

/* No sequence reaches over a NUL, so the stretches between them are repaired one by one. */
int text_make_valid(struct slice text, struct bytes *scratch, struct slice *out)
{
    *out = text;
    if (text_is_plain(text)) return 0;
    if (!memchr(text.at, 0, text.len) && utf8_valid_length(text) == text.len) return 0;
    scratch->len = 0;
    for (;;) {
        const char *nul = memchr(text.at, 0, text.len);
        size_t      len = nul ? (size_t)(nul - text.at) : text.len;

        if (utf8_repair(scratch, (struct slice){ text.at, len }) < 0) return -ENOMEM;
        if (!nul) break;
        if (bytes_append(scratch, "\xEF\xBF\xBD", 3) < 0) return -ENOMEM;
        text = (struct slice){ nul + 1, text.len - len - 1 };
    }
    *out = bytes_slice(scratch);
    return 0;
}
