/* audit/mask.c -- see mask.h. */
#include "audit/mask.h"

#include "base/err.h"

#include <string.h>

int audit_mask_exact(struct slice text, const struct audit_element *element, struct bytes *prefix,
                     struct slice *suffix, struct err *err)
{
    *suffix = (struct slice){ text.at + element->end, text.len - element->end };
    return bytes_append(prefix, text.at, element->at) < 0 ? err_memory(err, element->at, "a prompt") : 0;
}

static bool continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Behind so many characters of a text, or at its end. */
static size_t characters_end(struct slice text, size_t count)
{
    size_t at = 0;

    for (; count && at < text.len; count--)
        do at++;
        while (at < text.len && continues(text.at[at]));
    return at;
}

static size_t characters_of(struct slice text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++) count += !continues(text.at[i]);
    return count;
}

int audit_separate(struct slice text, struct slice word, size_t line, struct bytes *prefix, struct slice *suffix,
                   struct err *err)
{
    size_t       from = 0, end;
    struct slice tail;
    const char  *there;

    for (size_t l = 1; l < line; l++) {
        const char *feed = memchr(text.at + from, '\n', text.len - from);

        if (!feed) break;                                   /* there are fewer lines: all of them are the head */
        from = (size_t)(feed - text.at) + 1;
    }
    tail = (struct slice){ text.at + from, text.len - from };
    there = word.len ? memmem(tail.at, tail.len, word.at, word.len) : tail.at;
    if (there) {
        end = (size_t)(there - tail.at);
        *suffix = (struct slice){ there + word.len, tail.len - end - word.len };
    } else {
        size_t behind = characters_end(tail, characters_of(word) - 1);

        for (end = tail.len; end && continues(tail.at[end - 1]); end--) ;
        end -= end > 0;
        *suffix = (struct slice){ tail.at + behind, tail.len - behind };
    }
    if (bytes_append(prefix, text.at, from ? from - 1 : 0) < 0 || bytes_append(prefix, tail.at, end) < 0)
        return err_memory(err, from + end, "a prompt");
    return 0;
}

int audit_mask_published(struct slice text, const struct audit_element *element, struct bytes *prefix,
                         struct slice *suffix, struct err *err)
{
    const struct slice word = { text.at + element->at, element->end - element->at };
    int                rc = audit_separate(text, word, element->line, prefix, suffix, err);

    if (rc == 0 && element->category == AUDIT_COMMENT && bytes_append(prefix, "#", 1) < 0)
        rc = err_memory(err, prefix->len, "a prompt");
    return rc;
}
