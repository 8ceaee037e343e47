/* page/chart_curves.c -- curves in the unit square, one for each different names of rows that follow each other. */
#include "page/chart_parts.h"

enum { SIDE = 320, LEFT = 52, TOP = 12, LEGEND = LEFT + SIDE + 24, LINE = 20, COLOURS = 6, CURVES_MOST = 16 };

static bool names_same(const struct chart *c, const struct report_row *a, const struct report_row *b)
{
    for (size_t i = 0; i < c->labels; i++)
        if (a->cell[c->label[i]].number != b->cell[c->label[i]].number ||
            !slice_equal(a->cell[c->label[i]].text, b->cell[c->label[i]].text)) return false;
    return true;
}

static void frame_add(struct markup *m, const struct chart *c)
{
    for (int i = 0; i <= 5; i++)
        markup_add(m, "<path class=\"grid\" d=\"M%d %dH%dM%d %dV%d\"/><text x=\"%d\" y=\"%d\" class=\"end quiet\">%.1f"
                   "</text><text x=\"%d\" y=\"%d\" class=\"middle quiet\">%.1f</text>\n", LEFT,
                   TOP + SIDE - SIDE * i / 5, LEFT + SIDE, LEFT + SIDE * i / 5, TOP, TOP + SIDE, LEFT - 6,
                   TOP + SIDE - SIDE * i / 5 + 4, i / 5.0, LEFT + SIDE * i / 5, TOP + SIDE + 18, i / 5.0);
    markup_add(m, "<path class=\"diagonal\" d=\"M%d %dL%d %d\"/><text x=\"%d\" y=\"%d\" class=\"middle\">", LEFT,
               TOP + SIDE, LEFT + SIDE, TOP, LEFT + SIDE / 2, TOP + SIDE + 38);
    markup_text(m, slice_of(c->table->columns[c->x].label));
    markup_add(m, "</text><text transform=\"translate(14 %d) rotate(-90)\" class=\"middle\">", TOP + SIDE / 2);
    markup_text(m, slice_of(c->table->columns[c->y[0]].label));
    markup_add(m, "</text>\n");
}

/* The rows from i on that are one curve; gives the row behind it. */
static size_t curve_add(struct markup *m, const struct chart *c, size_t i, size_t number)
{
    const struct report_row *first = c->row[i];

    markup_add(m, "<polyline class=\"l%zu%s\" points=\"", number % COLOURS + 1, number >= COLOURS ? " dashed" : "");
    for (; i < c->count && names_same(c, first, c->row[i]); i++) {
        double x, y;

        if (markup_value(&c->row[i]->cell[c->x], &x) && markup_value(&c->row[i]->cell[c->y[0]], &y))
            markup_add(m, "%.1f,%.1f ", LEFT + SIDE * chart_part(x, 1), TOP + SIDE * (1 - chart_part(y, 1)));
    }
    markup_add(m, "\"/>");
    if (c->labels) {
        const size_t y = TOP + 10 + number * LINE;

        markup_add(m, "<path class=\"l%zu%s\" d=\"M%d %zuh24\"/><text x=\"%d\" y=\"%zu\">", number % COLOURS + 1,
                   number >= COLOURS ? " dashed" : "", LEGEND, y, LEGEND + 30, y + 4);
        chart_label(m, c, first, 60);
        markup_add(m, "</text>");
    }
    markup_add(m, "\n");
    return i;
}

void chart_curves_add(struct markup *m, const struct chart *c)
{
    size_t number = 0, i = 0;

    chart_begin(m, c, c->labels ? 720 : LEFT + SIDE + 20, TOP + SIDE + 46);
    frame_add(m, c);
    while (i < c->count && number < CURVES_MOST) i = curve_add(m, c, i, number++);
    chart_end(m, c->count - i);
}
