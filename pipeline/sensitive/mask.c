/* sensitive/mask.c -- see mask.h. */
#include "sensitive/mask.h"

#include "sensitive/key.h"
#include "sensitive/sensitive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int match_order(const void *a, const void *b)
{
    const struct sensitive_match *x = a, *y = b;

    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->len < y->len) - (x->len > y->len);
}

/* What is sensitive in a text that stands from `from` on in another one, told by its places there. */
static int find_at(struct slice text, size_t from, struct bytes *out)
{
    struct err                    err;
    const size_t                  before = out->len;
    const int                     rc = sensitive_find(text, out, &err);
    struct sensitive_match *const match = (struct sensitive_match *)(void *)out->at;

    for (size_t i = before / sizeof *match; rc == 0 && i < out->len / sizeof *match; i++) match[i].at += (uint32_t)from;
    return rc < 0 ? -ENOMEM : 0;
}

/* A part of a text.  Within a path nothing is an address (find.c), but here it is a name like any other; what
 * stands behind // is a host and its user. */
static int part_find(struct slice text, size_t from, size_t to, struct bytes *out)
{
    const struct slice part = { text.at + from, to - from };
    struct bytes       apart = { 0 };
    int                rc = find_at(part, from, out);

    if (rc < 0 || !part.len || memchr(part.at, '\n', part.len) || !memchr(part.at, '/', part.len)) return rc;
    rc = bytes_append_slice(&apart, part);
    for (size_t i = 0; rc == 0 && i < part.len; i++)
        if (part.at[i] == '/' && (i == 0 || part.at[i - 1] != '/') && (i + 1 == part.len || part.at[i + 1] != '/'))
            apart.at[i] = ' ';
    if (rc == 0) rc = find_at(bytes_slice(&apart), from, out);
    bytes_free(&apart);
    return rc;
}

/* A place is PATH#FUNCTION@LINE.  What stands behind a path neither goes on what ends it, nor says of a key in it that
 * it is a hash.  Both may have a #: the path may end at any of the last ones. */
enum { PLACE_SIGNS = 16 };

static int place_find(struct slice text, struct bytes *out)
{
    const char *sign;
    size_t      end = text.len, until;
    int         rc = 0;

    while (end && sensitive_is_digit(text.at[end - 1])) end--;
    if (end == text.len || !end || text.at[end - 1] != '@') return 0;
    until = end - 1;
    for (int i = 0; i < PLACE_SIGNS && rc == 0 && (sign = memrchr(text.at, '#', until)); i++) {
        const size_t at = (size_t)(sign - text.at);

        rc = part_find(text, 0, at, out);
        if (rc == 0) rc = part_find(text, at + 1, until, out);
        until = at;
    }
    return rc;
}

enum { RAISED_LEAST = 20 };                                 /* as long as the shortest of both kinds of keys */

/* Names of repositories are told in lower case, where no pattern knows keys with capitals any more, though nothing of
 * these is lost if all of their letters are capitals (AWS), or their first two (Twilio). */
static int raised_find(struct slice text, bool all, const char *pattern, struct bytes *out)
{
    struct bytes raised = { 0 }, found = { 0 };
    int          rc = bytes_append_slice(&raised, text);

    for (size_t i = 0, in_word = 0; rc == 0 && i < text.len; i++) {
        const char c = text.at[i];

        in_word = sensitive_is_alnum(c) ? in_word + 1 : 0;
        if (sensitive_is_lower(c) && (all || in_word <= 2)) raised.at[i] = (char)(c - 32);
    }
    if (rc == 0) rc = part_find(bytes_slice(&raised), 0, raised.len, &found);
    for (size_t i = 0; i < found.len / sizeof(struct sensitive_match) && rc == 0; i++) {
        const struct sensitive_match *match = (const struct sensitive_match *)(const void *)found.at + i;

        if (strcmp(match->pattern, pattern) == 0) rc = bytes_append(out, match, sizeof *match);
    }
    bytes_free(&raised);
    bytes_free(&found);
    return rc;
}

static int lower_find(struct slice text, struct bytes *out)
{
    if (text.len < RAISED_LEAST || text.len > SENSITIVE_LONGEST) return 0;
    for (size_t i = 0; i < text.len; i++)
        if (sensitive_is_upper(text.at[i]) || text.at[i] == '\n') return 0;
    return raised_find(text, true, "aws", out) < 0 || raised_find(text, false, "twilio", out) < 0 ? -ENOMEM : 0;
}

/* What is sensitive in a text of the report: what passes find, and what is so in a name that it has made of one. */
static int matches_find(struct slice text, struct bytes *out)
{
    if (part_find(text, 0, text.len, out) < 0 || place_find(text, out) < 0 || lower_find(text, out) < 0) return -ENOMEM;
    if (out->len)
        qsort(out->at, out->len / sizeof(struct sensitive_match), sizeof(struct sensitive_match), match_order);
    return 0;
}

int sensitive_mask_text(struct slice *text, struct bytes *masked)
{
    const struct sensitive_match *match;
    struct bytes                  found = { 0 };
    size_t                        from = 0;
    int                           rc = matches_find(*text, &found);

    match = (const struct sensitive_match *)(const void *)found.at;
    for (size_t i = 0; i < found.len / sizeof *match && rc == 0; i++) {
        const size_t       end = match[i].at + match[i].len, start = match[i].at < from ? from : match[i].at;
        const struct slice value = { text->at + start, end - start };

        if (end <= from) continue;                          /* within another one */
        rc = bytes_append(masked, text->at + from, start - from) < 0 || sensitive_mask(value, masked) < 0 ? -ENOMEM
            : 0;
        from = end;
    }
    bytes_free(&found);
    if (rc < 0 || from == 0) return rc;
    if (bytes_append(masked, text->at + from, text->len - from) < 0) return -ENOMEM;
    *text = bytes_slice(masked);
    return 0;
}
