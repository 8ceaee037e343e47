/* report/diff_text.c -- see diff_text.h. */
#include "report/diff_text.h"

#include "report/diff_tell.h"
#include "report/marks.h"
#include "report/visible.h"

#define DIFF_CYAN "\x1b[36m"

/* first member: what diff_tell knows of it */
struct diff_printer {
    struct diff_listener     listener;
    const struct diff       *diff;
    const struct diff_style *style;
    struct bytes            *out;
    size_t                   lines, left_out;
};

static int diff_colour(const struct diff_printer *to, const char *code)
{
    return to->style->colour ? bytes_append_slice(to->out, slice_of(code)) : 0;
}

/* True when there is room for one more line; else the line is counted, and none need be compared by words. */
static bool diff_has_room(struct diff_printer *to)
{
    if (!to->style->line_limit || to->lines < to->style->line_limit) {
        to->lines++;
        return true;
    }
    to->left_out++;
    to->listener.whole_lines = true;
    return false;
}

static int diff_print_step(struct diff_listener *listener, const struct diff_step *step)
{
    static const char    marks[] = { [DIFF_SAME] = ' ', [DIFF_REMOVED] = '-', [DIFF_ADDED] = '+' };
    struct diff_printer *to = (struct diff_printer *)listener;
    struct slice         line = step->mark == DIFF_ADDED ? to->diff->b[step->b] : to->diff->a[step->a];
    struct slice         cut = to->style->line_bytes ? visible_cut(line, to->style->line_bytes) : line;
    int                  rc;

    if (!diff_has_room(to)) return 0;
    rc = step->mark == DIFF_SAME ? 0 : diff_colour(to, step->mark == DIFF_ADDED ? MARKS_GREEN : MARKS_RED);
    if (rc == 0) rc = bytes_append(to->out, &marks[step->mark], 1);
    if (rc == 0) rc = to->style->visible ? visible_append(to->out, cut, false) : bytes_append_slice(to->out, cut);
    if (rc == 0 && cut.len < line.len) rc = bytes_append_slice(to->out, SLICE(" ..."));
    if (rc == 0 && step->mark != DIFF_SAME) rc = diff_colour(to, MARKS_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

static int diff_print_gap(struct diff_listener *listener, const struct diff_step *step, size_t count)
{
    struct diff_printer *to = (struct diff_printer *)listener;
    int                  rc;

    if (!diff_has_room(to)) return 0;
    rc = diff_colour(to, DIFF_CYAN);
    if (rc == 0)
        rc = bytes_printf(to->out, "@@ %zu equal lines from %u and %u on @@", count,
                          1 + (to->style->a_line ? to->style->a_line[step->a] : step->a),
                          1 + (to->style->b_line ? to->style->b_line[step->b] : step->b));
    if (rc == 0) rc = diff_colour(to, MARKS_PLAIN);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

static int diff_print_nearly(struct diff_listener *listener, uint32_t a, uint32_t b, const struct diff *words)
{
    struct diff_printer *to = (struct diff_printer *)listener;
    int                  rc;

    (void)a;
    (void)b;
    if (!diff_has_room(to)) return 0;
    rc = bytes_append(to->out, "!", 1);
    if (rc == 0)
        rc = marks_print(words, to->style->line_bytes, to->style->visible, to->style->colour, to->out);
    return rc < 0 ? rc : bytes_append(to->out, "\n", 1);
}

int diff_print(const struct diff *diff, const struct diff_style *style, struct bytes *out)
{
    struct diff_printer to = {
        .listener = { diff_print_step, diff_print_nearly, diff_print_gap, style->whole_lines },
        .diff = diff, .style = style, .out = out,
    };
    int rc = diff_tell(diff, &to.listener);

    if (rc == 0 && to.left_out) rc = bytes_printf(out, "@@ %zu more lines @@\n", to.left_out);
    return rc;
}
