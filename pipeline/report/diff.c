/* report/diff.c -- see diff.h.
 *
 * For d = 0, 1, ... the furthest reach of paths with d removals and additions is computed on every diagonal from that
 * of d - 1; the reaches of all d are kept, so that the path can be walked back.  That takes d^2 memory, hence the
 * limit. */
#include "report/diff.h"

#include <errno.h>
#include <stdlib.h>

/* removals and additions that a search goes up to */
enum { DIFF_LIMIT = 1500, DIFF_WORDS_LIMIT = 64, DIFF_LINES_MAX = INT32_MAX / 2 };

static int diff_split(struct slice text, struct slice **out, size_t *count)
{
    size_t lines = 0, n = 0;

    for (size_t i = 0; i < text.len; i++) lines += text.at[i] == '\n';
    lines += text.len && text.at[text.len - 1] != '\n';
    *out = calloc(lines + 1, sizeof **out);
    if (!*out) return -ENOMEM;
    for (size_t at = 0; at < text.len && n < DIFF_LINES_MAX; n++) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        size_t      len = end ? (size_t)(end - text.at) - at : text.len - at;

        (*out)[n] = (struct slice){ text.at + at, len };
        at += len + 1;
    }
    *count = n;
    return 0;
}

enum diff_class { DIFF_WORD, DIFF_BLANK, DIFF_OTHER };

static enum diff_class diff_class_of(char byte)
{
    unsigned char c = (unsigned char)byte, letter = c | 32;

    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return DIFF_BLANK;
    return c >= 0x80 || c == '_' || (c >= '0' && c <= '9') || (letter >= 'a' && letter <= 'z') ? DIFF_WORD : DIFF_OTHER;
}

static size_t diff_word_end(struct slice text, size_t at)
{
    enum diff_class class = diff_class_of(text.at[at++]);

    while (class != DIFF_OTHER && at < text.len && diff_class_of(text.at[at]) == class) at++;
    return at;
}

static int diff_split_words(struct slice text, struct slice **out, size_t *count)
{
    size_t words = 0, n = 0;

    for (size_t at = 0; at < text.len; at = diff_word_end(text, at)) words++;
    *out = calloc(words + 1, sizeof **out);
    if (!*out) return -ENOMEM;
    for (size_t at = 0; at < text.len && n < DIFF_LINES_MAX; n++) {
        size_t end = diff_word_end(text, at);

        (*out)[n] = (struct slice){ text.at + at, end - at };
        at = end;
    }
    *count = n;
    return 0;
}

/* The middle of the two texts, without the lines that they begin and end with alike. */
struct diff_middle { const struct slice *a, *b; int32_t a_count, b_count; };

static int32_t diff_slide(const struct diff_middle *middle, int32_t x, int32_t y)
{
    while (x < middle->a_count && y < middle->b_count && slice_equal(middle->a[x], middle->b[y])) x++, y++;
    return x;
}

/* reach[d] holds 2d+1 values: the furthest x on diagonals -d, -d+2, ... d lie at reach[d][k+d].  Returns the d that
 * reaches the end, or -1 past the limit, or -ENOMEM. */
static int32_t diff_search(const struct diff_middle *middle, int32_t limit, int32_t **reach)
{
    for (int32_t d = 0; d <= limit; d++) {
        const int32_t *before = d ? reach[d - 1] + d - 1 : NULL;            /* indexed by diagonal */

        reach[d] = malloc((size_t)(2 * d + 1) * sizeof *reach[d]);
        if (!reach[d]) return -ENOMEM;
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t x = 0;

            if (d > 0) x = k == -d || (k != d && before[k - 1] < before[k + 1]) ? before[k + 1] : before[k - 1] + 1;
            /* Diagonals beyond the texts stand still at their border. */
            x = x - k >= 0 && x <= middle->a_count && x - k <= middle->b_count ? diff_slide(middle, x, x - k) : x;
            reach[d][k + d] = x;
            if (x >= middle->a_count && x - k >= middle->b_count) return d;
        }
    }
    return -1;
}

/* Walks back from the end; steps are written from the end of out->step, before `end`.  Returns the place of the first.
 */
static size_t diff_walk(const struct diff_middle *middle, int32_t **reach, int32_t d, uint32_t offset,
                        struct diff_step *step, size_t end)
{
    int32_t x = middle->a_count, y = middle->b_count;

    for (; d >= 0; d--) {
        const int32_t *before = d ? reach[d - 1] + d - 1 : NULL;
        int32_t        k = x - y, from_x = 0, from_y = 0;
        bool           down = false;

        if (d > 0) {
            down = k == -d || (k != d && before[k - 1] < before[k + 1]);
            from_x = down ? before[k + 1] : before[k - 1];
            from_y = from_x - (down ? k + 1 : k - 1);
        }
        while (x > from_x && y > from_y) {
            x--, y--;
            step[--end] = (struct diff_step){ DIFF_SAME, offset + (uint32_t)x, offset + (uint32_t)y };
        }
        if (d == 0) break;
        x = from_x;
        y = from_y;
        step[--end] = (struct diff_step){ down ? DIFF_ADDED : DIFF_REMOVED, offset + (uint32_t)x,
                                          offset + (uint32_t)y };
    }
    return end;
}

/* Appends the steps of the middle: all of it removed and added when the search gave up. */
static int diff_middle(struct diff *out, int32_t limit, uint32_t start, size_t a_count, size_t b_count)
{
    const struct diff_middle middle = { out->a + start, out->b + start, (int32_t)a_count, (int32_t)b_count };
    int32_t                **reach = calloc((size_t)limit + 1, sizeof *reach);
    int32_t                  d = reach ? diff_search(&middle, limit, reach) : -ENOMEM;
    size_t                   room = a_count + b_count;

    if (d >= 0) {
        size_t first = diff_walk(&middle, reach, d, start, out->step + out->count, room);

        memmove(out->step + out->count, out->step + out->count + first, (room - first) * sizeof *out->step);
        out->count += room - first;
    } else if (d == -1) {
        out->coarse = true;
        for (uint32_t i = 0; i < a_count; i++)
            out->step[out->count++] = (struct diff_step){ DIFF_REMOVED, start + i, start };
        for (uint32_t i = 0; i < b_count; i++)
            out->step[out->count++] = (struct diff_step){ DIFF_ADDED, start + (uint32_t)a_count, start + i };
    }
    for (int32_t i = 0; reach && i <= limit; i++) free(reach[i]);
    free(reach);
    return d == -ENOMEM ? -ENOMEM : 0;
}

/* Fills out->step from out->a and out->b. */
static int diff_compare(struct diff *out, int32_t limit)
{
    size_t start = 0, end = 0;

    out->step = malloc((out->a_count + out->b_count + 1) * sizeof *out->step);
    if (!out->step) return -ENOMEM;
    while (start < out->a_count && start < out->b_count && slice_equal(out->a[start], out->b[start])) {
        out->step[out->count++] = (struct diff_step){ DIFF_SAME, (uint32_t)start, (uint32_t)start };
        start++;
    }
    while (end < out->a_count - start && end < out->b_count - start &&
           slice_equal(out->a[out->a_count - 1 - end], out->b[out->b_count - 1 - end]))
        end++;
    if (diff_middle(out, limit, (uint32_t)start, out->a_count - start - end, out->b_count - start - end) < 0)
        return -ENOMEM;
    for (; end > 0; end--)
        out->step[out->count++] = (struct diff_step){ DIFF_SAME, (uint32_t)(out->a_count - end),
                                                      (uint32_t)(out->b_count - end) };
    return 0;
}

int diff_lines(struct diff *out, struct slice a, struct slice b)
{
    *out = (struct diff){ 0 };
    if (diff_split(a, &out->a, &out->a_count) == 0 && diff_split(b, &out->b, &out->b_count) == 0 &&
        diff_compare(out, DIFF_LIMIT) == 0) return 0;
    diff_free(out);
    return -ENOMEM;
}

int diff_words(struct diff *out, struct slice a, struct slice b)
{
    *out = (struct diff){ 0 };
    if (diff_split_words(a, &out->a, &out->a_count) == 0 && diff_split_words(b, &out->b, &out->b_count) == 0 &&
        diff_compare(out, DIFF_WORDS_LIMIT) == 0) return 0;
    diff_free(out);
    return -ENOMEM;
}

void diff_free(struct diff *diff)
{
    free(diff->a);
    free(diff->b);
    free(diff->step);
    *diff = (struct diff){ 0 };
}
