/* report/marks.c -- see marks.h. */
#include "report/marks.h"

#include "report/visible.h"

#include <errno.h>

struct marking { const struct diff *diff; size_t limit, shown; bool visible, colour; struct bytes *out; };

static struct slice word_of(const struct diff *diff, size_t i)
{
    return diff->step[i].mark == DIFF_ADDED ? diff->b[diff->step[i].b] : diff->a[diff->step[i].a];
}

static bool is_blank(struct slice word) { return word.len && memchr(" \t\r\n", word.at[0], 4); }

bool marks_alike(const struct diff *diff)
{
    size_t bytes[DIFF_ADDED + 1] = { 0 }, longer;

    for (size_t i = 0; i < diff->count; i++)
        if (!is_blank(word_of(diff, i))) bytes[diff->step[i].mark] += word_of(diff, i).len;
    longer = bytes[DIFF_REMOVED] > bytes[DIFF_ADDED] ? bytes[DIFF_REMOVED] : bytes[DIFF_ADDED];
    return bytes[DIFF_SAME] > 0 && bytes[DIFF_SAME] >= longer;
}

static int put(struct marking *m, struct slice text)
{
    m->shown += text.len;
    return m->visible ? visible_append(m->out, text, false) : bytes_append_slice(m->out, text);
}

/* The words [from, to) of one side; neighbours in the line are neighbours in memory. */
static struct slice words(const struct diff *diff, const struct slice *side, bool of_b, size_t from, size_t to)
{
    size_t first = of_b ? diff->step[from].b : diff->step[from].a,
        last = of_b ? diff->step[to - 1].b : diff->step[to - 1].a;

    return (struct slice){ side[first].at, (size_t)(side[last].at + side[last].len - side[first].at) };
}

/* A stretch in common: a long one keeps its two ends when there is a limit. */
static int put_same(struct marking *m, struct slice text, bool first, bool last)
{
    size_t       keep = m->limit / 4;
    struct slice end;
    int          rc = 0;

    if (!m->limit || text.len <= 2 * keep + 5) return put(m, text);
    if (!first || last) rc = put(m, visible_cut(text, keep));
    if (rc == 0) rc = bytes_append_slice(m->out, first && !last ? SLICE("... ") : SLICE(" ..."));
    if (rc < 0 || last) return rc;
    if (!first) rc = bytes_append(m->out, " ", 1);
    end = (struct slice){ text.at + text.len - keep, keep };
    while (end.len && ((unsigned char)end.at[0] & 0xC0) == 0x80) end = (struct slice){ end.at + 1, end.len - 1 };
    return rc < 0 ? rc : put(m, end);
}

static int put_changed(struct marking *m, struct slice text, bool added)
{
    size_t       room = m->limit > m->shown ? m->limit - m->shown : 0;
    struct slice cut = m->limit ? visible_cut(text, room) : text;
    int          rc = m->colour ? bytes_append_slice(m->out, added ? SLICE(MARKS_GREEN) : SLICE(MARKS_RED)) : 0;

    if (rc == 0) rc = bytes_append_slice(m->out, added ? SLICE("{+") : SLICE("[-"));
    if (rc == 0) rc = put(m, cut);
    if (rc == 0 && cut.len < text.len) rc = bytes_append_slice(m->out, SLICE(" ..."));
    if (rc == 0) rc = bytes_append_slice(m->out, added ? SLICE("+}") : SLICE("-]"));
    return rc == 0 && m->colour ? bytes_append_slice(m->out, SLICE(MARKS_PLAIN)) : rc;
}

/* The changed words of one side among steps [from, to). */
static int put_side(struct marking *m, size_t from, size_t to, enum diff_mark mark)
{
    size_t first = to, last = from;

    for (size_t i = from; i < to; i++) {
        if (m->diff->step[i].mark != mark) continue;
        if (first == to) first = i;
        last = i + 1;
    }
    if (first == to) return 0;
    return put_changed(m, words(m->diff, mark == DIFF_ADDED ? m->diff->b : m->diff->a, mark == DIFF_ADDED, first,
                                last), mark == DIFF_ADDED);
}

int marks_print(const struct diff *diff, size_t limit, bool visible, bool colour, struct bytes *out)
{
    struct marking m = { diff, limit, 0, visible, colour, out };
    int            rc = 0;

    for (size_t i = 0, end; i < diff->count && rc == 0; i = end) {
        bool same = diff->step[i].mark == DIFF_SAME;

        if (limit && m.shown >= limit) return bytes_append_slice(out, SLICE(" ..."));
        for (end = i; end < diff->count && (diff->step[end].mark == DIFF_SAME) == same; end++) { }
        if (same) {
            rc = put_same(&m, words(diff, diff->a, false, i, end), i == 0, end == diff->count);
        } else {
            rc = put_side(&m, i, end, DIFF_REMOVED);
            if (rc == 0) rc = put_side(&m, i, end, DIFF_ADDED);
        }
    }
    return rc;
}
