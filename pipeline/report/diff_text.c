/* report/diff_text.c -- see diff_text.h. */
#include "report/diff_text.h"

#include "report/visible.h"

#include <errno.h>

#define DIFF_RED   "\x1b[31m"
#define DIFF_GREEN "\x1b[32m"
#define DIFF_CYAN  "\x1b[36m"
#define DIFF_PLAIN "\x1b[0m"

enum { DIFF_CONTEXT = 3 };

struct diff_printer {
    const struct diff *diff;
    const struct diff_style *style;
    struct bytes *out;
    size_t lines, left_out;
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
    rc = step->mark == DIFF_SAME ? 0 : diff_colour(to, step->mark == DIFF_ADDED ? DIFF_GREEN : DIFF_RED);
    if (rc == 0) rc = bytes_append(to->out, &marks[step->mark], 1);
    if (rc == 0) rc = to->style->visible ? visible_append(to->out, cut, false) : bytes_append_slice(to->out, cut);
    if (rc == 0 && cut.len < line.len) rc = bytes_append_slice(to->out, SLICE(" ..."));
    if (rc == 0 && step->mark != DIFF_SAME) rc = diff_colour(to, DIFF_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

/* One line for `count` equal lines that begin at this step. */
static int diff_print_gap(struct diff_printer *to, const struct diff_step *step, size_t count)
{
    int rc;

    if (!diff_has_room(to)) return 0;
    rc = diff_colour(to, DIFF_CYAN);
    if (rc == 0) rc = bytes_printf(to->out, "@@ %zu equal lines from %u and %u on @@", count, step->a + 1, step->b + 1);
    if (rc == 0) rc = diff_colour(to, DIFF_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

/* The number of lines from i on that are the same in both. */
static size_t diff_same_run(const struct diff *diff, size_t i)
{
    size_t run = 0;

    while (i + run < diff->count && diff->step[i + run].mark == DIFF_SAME) run++;
    return run;
}

int diff_print(const struct diff *diff, const struct diff_style *style, struct bytes *out)
{
    struct diff_printer to = { diff, style, out, 0, 0 };
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
        for (; i < diff->count && diff->step[i].mark != DIFF_SAME && rc == 0; i++)
            rc = diff_print_step(&to, &diff->step[i]);
    }
    if (rc == 0 && to.left_out) rc = bytes_printf(out, "@@ %zu more lines @@\n", to.left_out);
    return rc;
}
