/* page/sides.c -- see sides.h. */
#include "page/sides.h"

#include "page/escape.h"
#include "report/diff_tell.h"
#include "report/visible.h"

/* first member: what diff_tell knows of it */
struct sides {
    struct diff_listener   listener;
    const struct compared *compared;
    size_t                 lines, line_bytes, told, left_out;
    struct bytes          *out;
};

/* True when there is room for one more row; else it is counted, and none need be compared by words. */
static bool has_room(struct sides *s)
{
    if (s->told < s->lines) return true;
    s->left_out++;
    s->listener.whole_lines = true;
    return false;
}

static int begin(struct sides *s, enum sides_row kind)
{
    return bytes_printf(s->out, "%s[%d", s->told++ ? ",\n" : "", (int)kind);
}

static int put_number(struct sides *s, uint64_t number)
{
    return bytes_printf(s->out, ",%llu", (unsigned long long)number);
}

static int put_text(struct sides *s, struct slice text)
{
    struct slice cut = visible_cut(text, s->line_bytes);
    int          rc = bytes_append(s->out, ",", 1);

    if (rc == 0) rc = escape_json(s->out, cut);
    if (rc < 0 || cut.len == text.len) return rc;
    s->out->len--;                                          /* the quote, after which it goes on */
    return bytes_append_slice(s->out, SLICE(" …\""));
}

static int hear_step(struct diff_listener *to, const struct diff_step *step)
{
    struct sides          *s = (struct sides *)to;
    const struct compared *c = s->compared;
    int                    rc;

    if (!has_room(s)) return 0;
    rc = begin(s, step->mark == DIFF_SAME ? SIDES_SAME : step->mark == DIFF_REMOVED ? SIDES_REMOVED : SIDES_ADDED);
    if (rc == 0 && step->mark != DIFF_ADDED) rc = put_number(s, c->a_line[step->a] + 1);
    if (rc == 0 && step->mark != DIFF_REMOVED) rc = put_number(s, c->b_line[step->b] + 1);
    if (rc == 0) rc = put_text(s, step->mark == DIFF_ADDED ? c->diff.b[step->b] : c->diff.a[step->a]);
    return rc < 0 ? rc : bytes_append(s->out, "]", 1);
}

static int hear_gap(struct diff_listener *to, const struct diff_step *step, size_t count)
{
    struct sides *s = (struct sides *)to;
    int           rc;

    if (!has_room(s)) return 0;
    rc = begin(s, SIDES_GAP);
    if (rc == 0) rc = put_number(s, s->compared->a_line[step->a] + 1);
    if (rc == 0) rc = put_number(s, s->compared->b_line[step->b] + 1);
    if (rc == 0) rc = put_number(s, count);
    return rc < 0 ? rc : bytes_append(s->out, "]", 1);
}

/* ---- lines that are nearly the same ---- */

static struct slice word_of(const struct diff *words, size_t i)
{
    return words->step[i].mark == DIFF_ADDED ? words->b[words->step[i].b] : words->a[words->step[i].a];
}

/* The run of words [from, to) with one mark, which are neighbours in memory. */
static struct slice run_of(const struct diff *words, size_t from, size_t to)
{
    const struct slice first = word_of(words, from), last = word_of(words, to - 1);

    return (struct slice){ first.at, (size_t)(last.at + last.len - first.at) };
}

/* A stretch in common keeps the end that is beside a change, both between two. */
static int put_same(struct sides *s, struct slice text, bool first, bool last)
{
    const size_t keep = s->line_bytes / 5;
    struct bytes cut = { 0 };
    size_t       tail = text.len;
    int          rc = 0;

    if (text.len <= 2 * keep + 8) return put_text(s, text);
    while (tail > text.len - keep || (tail < text.len && ((unsigned char)text.at[tail] & 0xC0) == 0x80)) tail--;
    if (!first) rc = bytes_append_slice(&cut, visible_cut(text, keep));
    if (rc == 0) rc = bytes_append_slice(&cut, first ? SLICE("… ") : last ? SLICE(" …") : SLICE(" … "));
    if (rc == 0 && !last) rc = bytes_append_slice(&cut, (struct slice){ text.at + tail, text.len - tail });
    if (rc == 0) rc = put_text(s, bytes_slice(&cut));
    bytes_free(&cut);
    return rc;
}

static int hear_nearly(struct diff_listener *to, uint32_t a, uint32_t b, const struct diff *words)
{
    struct sides *s = (struct sides *)to;
    size_t        next;
    int           rc;

    if (!has_room(s)) return 0;
    rc = begin(s, SIDES_NEARLY);
    if (rc == 0) rc = put_number(s, s->compared->a_line[a] + 1);
    if (rc == 0) rc = put_number(s, s->compared->b_line[b] + 1);
    if (rc == 0) rc = bytes_append(s->out, ",[", 2);
    for (size_t i = 0; i < words->count && rc == 0; i = next) {
        const enum diff_mark mark = words->step[i].mark;

        for (next = i; next < words->count && words->step[next].mark == mark; next++) { }
        rc = bytes_printf(s->out, i ? ",%d" : "%d", (int)mark);
        if (rc == 0 && mark == DIFF_SAME) rc = put_same(s, run_of(words, i, next), i == 0, next == words->count);
        else if (rc == 0) rc = put_text(s, run_of(words, i, next));
    }
    return rc < 0 ? rc : bytes_append(s->out, "]]", 2);
}

int sides_json(const struct compared *compared, size_t lines, size_t line_bytes, size_t *left_out, struct bytes *out)
{
    struct sides s = { { hear_step, hear_nearly, hear_gap, false }, compared, lines, line_bytes, 0, 0, out };
    int          rc = bytes_append(out, "[", 1);

    if (rc == 0) rc = diff_tell(&compared->diff, &s.listener);
    *left_out = s.left_out;
    return rc < 0 ? rc : bytes_append(out, "]", 1);
}
