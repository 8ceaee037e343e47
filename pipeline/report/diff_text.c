/* report/diff_text.c -- see diff_text.h. */
#include "report/diff_text.h"

#include "report/marks.h"
#include "report/visible.h"

#include <errno.h>

#define DIFF_CYAN "\x1b[36m"

/* DIFF_WINDOW: added lines that a removed one is compared with.  DIFF_WORK: bytes of lines compared in all, and
 * DIFF_LINE_WORK of one, by words, each of which costs up to DIFF_WORDS_LIMIT times its length. */
enum { DIFF_CONTEXT = 3, DIFF_WINDOW = 4, DIFF_WORK = 4 << 20, DIFF_LINE_WORK = 64 << 10 };

struct diff_printer {
    const struct diff *diff;
    const struct diff_style *style;
    struct bytes *out;
    size_t lines, left_out, work;
};

static int diff_colour(const struct diff_printer *to, const char *code)
{
    return to->style->colour ? bytes_append_slice(to->out, slice_of(code)) : 0;
}

/* True when there is room for one more line; else the line is counted. */
static bool diff_has_room(struct diff_printer *to)
{
    if (!to->style->line_limit || to->lines < to->style->line_limit) {
        to->lines++;
        return true;
    }
    to->left_out++;
    return false;
}

static int diff_print_step(struct diff_printer *to, const struct diff_step *step)
{
    static const char marks[] = { [DIFF_SAME] = ' ', [DIFF_REMOVED] = '-', [DIFF_ADDED] = '+' };
    struct slice      line = step->mark == DIFF_ADDED ? to->diff->b[step->b] : to->diff->a[step->a];
    struct slice      cut = to->style->line_bytes ? visible_cut(line, to->style->line_bytes) : line;
    int               rc;

    if (!diff_has_room(to)) return 0;
    rc = step->mark == DIFF_SAME ? 0 : diff_colour(to, step->mark == DIFF_ADDED ? MARKS_GREEN : MARKS_RED);
    if (rc == 0) rc = bytes_append(to->out, &marks[step->mark], 1);
    if (rc == 0) rc = to->style->visible ? visible_append(to->out, cut, false) : bytes_append_slice(to->out, cut);
    if (rc == 0 && cut.len < line.len) rc = bytes_append_slice(to->out, SLICE(" ..."));
    if (rc == 0 && step->mark != DIFF_SAME) rc = diff_colour(to, MARKS_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

/* One line for `count` equal lines that begin at this step. */
static int diff_print_gap(struct diff_printer *to, const struct diff_step *step, size_t count)
{
    int rc;

    if (!diff_has_room(to)) return 0;
    rc = diff_colour(to, DIFF_CYAN);
    if (rc == 0)
        rc = bytes_printf(to->out, "@@ %zu equal lines from %u and %u on @@", count,
                          1 + (to->style->a_line ? to->style->a_line[step->a] : step->a),
                          1 + (to->style->b_line ? to->style->b_line[step->b] : step->b));
    if (rc == 0) rc = diff_colour(to, MARKS_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

/* The number of lines from i on that are the same in both. */
static size_t diff_same_run(const struct diff *diff, size_t i)
{
    size_t run = 0;

    while (i + run < diff->count && diff->step[i + run].mark == DIFF_SAME) run++;
    return run;
}

/* ---- changed lines ---- */

/* The words of two lines when they are alike; 1, or 0 when they are not or were not compared. */
static int diff_pair(struct diff_printer *to, struct slice a, struct slice b, struct diff *words)
{
    if (a.len + b.len > DIFF_LINE_WORK || a.len > 4 * b.len + 64 || b.len > 4 * a.len + 64) return 0;
    if (to->work + a.len + b.len > DIFF_WORK) return 0;
    to->work += a.len + b.len;
    if (diff_words(words, a, b) < 0) return -ENOMEM;
    if (marks_alike(words)) return 1;
    diff_free(words);
    return 0;
}

static int diff_print_marks(struct diff_printer *to, const struct diff *words)
{
    int rc;

    if (!diff_has_room(to)) return 0;
    rc = bytes_append(to->out, "!", 1);
    if (rc == 0)
        rc = marks_print(words, to->style->line_bytes, to->style->visible, to->style->colour, to->out);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

/* The next step of one side from `at` on, or end. */
static size_t diff_next(const struct diff *diff, size_t at, size_t end, enum diff_mark mark)
{
    while (at < end && diff->step[at].mark != mark) at++;
    return at;
}

/* All added lines of the stretch between `at` and `until`. */
static int diff_print_added(struct diff_printer *to, size_t at, size_t until)
{
    int rc = 0;

    for (; at < until && rc == 0; at++)
        if (to->diff->step[at].mark == DIFF_ADDED) rc = diff_print_step(to, &to->diff->step[at]);
    return rc;
}

/* A stretch [from, end) without a line in common.  Pairs go forward on both sides, so that both keep their order: what
 * is removed stands before what is added between two pairs. */
static int diff_print_changed(struct diff_printer *to, size_t from, size_t end)
{
    const struct diff *diff = to->diff;
    size_t             added = from;                        /* added lines before are printed */
    int                rc = 0;

    for (size_t i = diff_next(diff, from, end, DIFF_REMOVED); i < end && rc == 0;
         i = diff_next(diff, i + 1, end, DIFF_REMOVED)) {
        struct diff words = { 0 };
        size_t      k = diff_next(diff, added, end, DIFF_ADDED);
        int         alike = 0;

        for (int tries = 0; tries < DIFF_WINDOW && k < end; tries++) {
            struct slice a = diff->a[diff->step[i].a], b = diff->b[diff->step[k].b];

            alike = to->style->whole_lines || to->left_out ? 0 : diff_pair(to, a, b, &words);
            if (alike) break;
            k = diff_next(diff, k + 1, end, DIFF_ADDED);
        }
        if (alike < 0) return alike;
        if (!alike) {
            rc = diff_print_step(to, &diff->step[i]);
            continue;
        }
        rc = diff_print_added(to, added, k);
        if (rc == 0) rc = diff_print_marks(to, &words);
        diff_free(&words);
        added = k + 1;
    }
    return rc < 0 ? rc : diff_print_added(to, added, end);
}

int diff_print(const struct diff *diff, const struct diff_style *style, struct bytes *out)
{
    struct diff_printer to = { diff, style, out, 0, 0, 0 };
    int                 rc = 0;

    for (size_t i = 0; i < diff->count && rc == 0;) {
        size_t run = diff_same_run(diff, i);
        size_t before = i == 0 ? 0 : DIFF_CONTEXT, after = i + run == diff->count ? 0 : DIFF_CONTEXT;

        if (run > before + after + 1) {
            for (size_t k = 0; k < before && rc == 0; k++) rc = diff_print_step(&to, &diff->step[i + k]);
            if (rc == 0) rc = diff_print_gap(&to, &diff->step[i + before], run - before - after);
            i += run - after;
            run = after;
        }
        for (size_t k = 0; k < run && rc == 0; k++) rc = diff_print_step(&to, &diff->step[i + k]);
        i += run;
        for (run = i; run < diff->count && diff->step[run].mark != DIFF_SAME; run++) { }
        if (rc == 0) rc = diff_print_changed(&to, i, run);
        i = run;
    }
    if (rc == 0 && to.left_out) rc = bytes_printf(out, "@@ %zu more lines @@\n", to.left_out);
    return rc;
}
