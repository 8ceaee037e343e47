/* similarity/comments.c -- see comments.h. */
#include "similarity/comments.h"

#include "code/lexing.h"

#include <errno.h>
#include <stdlib.h>

struct comment_list { struct slice *at; size_t count, room; };

struct slice comments_strip(struct slice text)
{
    size_t used;

    while (text.len && unicode_is_space(unicode_decode(text.at, text.len, &used)))
        text = (struct slice){ text.at + used, text.len - used };
    while (text.len) {
        size_t at = text.len - 1;

        while (at && text.len - at < 4 && ((unsigned char)text.at[at] & 0xC0) == 0x80) at--;
        if (!unicode_is_space(unicode_decode(text.at + at, text.len - at, &used)) || used != text.len - at) break;
        text.len = at;
    }
    return text;
}

/* The next comment, without its #; *at moves behind its line.  False: there is none. */
static bool comment_next(struct slice text, size_t *at, struct slice *comment)
{
    const char *mark = *at < text.len ? memchr(text.at + *at, '#', text.len - *at) : NULL;
    const char *end;

    if (!mark) return false;
    end = memchr(mark, '\n', text.len - (size_t)(mark - text.at));
    if (!end) end = text.at + text.len;
    *comment = (struct slice){ mark + 1, (size_t)(end - mark) - 1 };
    *at = (size_t)(end - text.at);
    return true;
}

uint32_t comments_count(struct slice text)
{
    struct slice comment;
    uint32_t     count = 0;

    for (size_t at = 0; comment_next(text, &at, &comment);) count++;
    return count;
}

static int by_bytes(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

/* The different comments of a text, ascending.  0 or -ENOMEM. */
static int comments_of(struct slice text, struct comment_list *list)
{
    struct slice comment;
    size_t       kept = 0;

    for (size_t at = 0; comment_next(text, &at, &comment);) {
        if (ARRAY_GROW(list->at, list->room, list->count) < 0) return -ENOMEM;
        list->at[list->count++] = comment;
    }
    if (list->count) qsort(list->at, list->count, sizeof *list->at, by_bytes);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || !slice_equal(list->at[kept - 1], list->at[i])) list->at[kept++] = list->at[i];
    list->count = kept;
    return 0;
}

static bool stands_in(struct slice text, struct slice part)
{
    return part.len == 0 || (text.len && memmem(text.at, text.len, part.at, part.len));
}

int comments_shared(struct slice a, struct slice b, struct slice prompt, uint32_t *out, struct err *err)
{
    struct comment_list first = { 0 }, second = { 0 };
    int                 rc = comments_of(a, &first);

    if (rc == 0) rc = comments_of(b, &second);
    *out = 0;
    for (size_t i = 0, k = 0; rc == 0 && i < first.count && k < second.count;) {
        const int order = slice_compare(first.at[i], second.at[k]);

        if (order == 0) *out += !stands_in(prompt, comments_strip(first.at[i]));
        i += order <= 0;
        k += order >= 0;
    }
    free(first.at);
    free(second.at);
    return rc < 0 ? err_memory(err, a.len, "comments") : 0;
}
