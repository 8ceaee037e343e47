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

enum { RAISED_LEAST = 20, RAISED_ALL = SENSITIVE_LONGEST };  /* LEAST: as long as the shortest of both kinds of keys */

/* Raises the first `most` letters of words that are so long and have no capital; whether there was one. */
static bool words_raise(struct bytes *name, size_t most)
{
    bool raised = false;

    for (size_t at = 0, end; at < name->len; at = end + 1) {
        bool capital = false;

        for (end = at; end < name->len && sensitive_is_alnum(name->at[end]); end++)
            capital |= sensitive_is_upper(name->at[end]);
        if (capital || end - at < RAISED_LEAST) continue;
        for (size_t i = at; i < end && i - at < most; i++)
            if (sensitive_is_lower(name->at[i])) name->at[i] = (char)(name->at[i] - 32);
        raised = true;
    }
    return raised;
}

/* Names of repositories are told in lower case, where no pattern knows keys with capitals any more, though nothing of
 * these is lost if all of their letters are capitals (AWS), or their first two (Twilio). */
static int lower_find(struct slice name, size_t most, const char *pattern, struct bytes *out)
{
    struct bytes raised = { 0 }, found = { 0 };
    struct err   err;
    int          rc = bytes_append_slice(&raised, name);

    if (rc == 0 && words_raise(&raised, most)) rc = sensitive_find_named(bytes_slice(&raised), &found, &err);
    for (size_t i = 0; i < found.len / sizeof(struct sensitive_match) && rc == 0; i++) {
        const struct sensitive_match *match = (const struct sensitive_match *)(const void *)found.at + i;

        if (strcmp(match->pattern, pattern) == 0) rc = bytes_append(out, match, sizeof *match);
    }
    bytes_free(&raised);
    bytes_free(&found);
    return rc;
}

static int matches_find(struct slice text, bool program, struct bytes *out)
{
    struct err err;

    if (sensitive_find(text, out, &err) < 0) return -ENOMEM;
    if (!program && (sensitive_find_named(text, out, &err) < 0 || lower_find(text, RAISED_ALL, "aws", out) < 0 ||
                     lower_find(text, 2, "twilio", out) < 0)) return -ENOMEM;
    if (out->len)
        qsort(out->at, out->len / sizeof(struct sensitive_match), sizeof(struct sensitive_match), match_order);
    return 0;
}

int sensitive_mask_text(struct slice *text, bool program, struct bytes *masked)
{
    const struct sensitive_match *match;
    struct bytes                  found = { 0 };
    size_t                        from = 0;
    int                           rc = matches_find(*text, program, &found);

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
