/* page/chart.c -- see chart.h.  Names are cut to what there is room for, rows to what a person can tell apart: the
 * table has all of both. */
#include "page/chart.h"

#include "page/chart_parts.h"

#include <math.h>

enum { WIDE = 720, BARS_MOST = 30, BARS_LABEL = 230, BAR = 22, COLUMNS_HIGH = 170, COLUMN_MOST = 80, LEFT = 56 };

/* ---- a bar a row ---- */

static void bars_add(struct markup *m, const struct chart *c)
{
    const size_t count = c->count < BARS_MOST ? c->count : BARS_MOST;
    const double room = WIDE - BARS_LABEL - 90;

    chart_begin(m, c, WIDE, (int)count * BAR + 8);
    for (size_t i = 0; i < count; i++) {
        const struct report_cell *cell = &c->row[i]->cell[c->y[0]];
        double                    value;

        if (!markup_value(cell, &value)) continue;
        markup_add(m, "<text x=\"%d\" y=\"%zu\" class=\"end\">", BARS_LABEL - 8, i * BAR + 19);
        chart_label(m, c, c->row[i], 32);
        markup_add(m, "</text><rect class=\"f1\" x=\"%d\" y=\"%zu\" width=\"%.1f\" height=\"%d\"/><text x=\"%.1f\" "
                   "y=\"%zu\">", BARS_LABEL, i * BAR + 6, chart_part(value, c->most) * room, BAR - 6,
                   BARS_LABEL + chart_part(value, c->most) * room + 6, i * BAR + 19);
        markup_cell(m, cell);
        markup_add(m, "</text>\n");
    }
    chart_end(m, c->count - count);
}

/* ---- columns in the order of x, and lines over them ---- */

static void columns_frame(struct markup *m, const struct chart *c)
{
    for (int i = 0; i <= 2; i++) {
        const int y = 24 + COLUMNS_HIGH - COLUMNS_HIGH * i / 2;

        markup_add(m, "<path class=\"grid\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" class=\"end quiet\">%.4g</text>\n",
                   LEFT, y, WIDE, LEFT - 6, y + 4, c->most * (i / 2.0));
    }
}

/* A few bars of a histogram stand on the left, no wider than is easy on the eye; lines take all the room. */
static double column_wide(const struct chart *c)
{
    const double wide = (double)(WIDE - LEFT) / (double)c->count, most = COLUMN_MOST * (double)c->series;

    return c->table->chart->kind == CHART_HISTOGRAM && wide > most ? most : wide;
}

static double column_at(const struct chart *c, size_t i)
{
    return LEFT + ((double)i + 0.5) * column_wide(c);
}

/* As many names below as there is room for. */
static void columns_names(struct markup *m, const struct chart *c)
{
    const size_t step = c->count / 13 + 1;

    for (size_t i = 0; i < c->count; i += step) {
        markup_add(m, "<text x=\"%.1f\" y=\"%d\" class=\"middle quiet\">", column_at(c, i), COLUMNS_HIGH + 42);
        if (c->x < c->table->column_count) markup_cell(m, &c->row[i]->cell[c->x]);
        markup_add(m, "</text>");
    }
}

/* What the colours are of. */
static void columns_legend(struct markup *m, const struct chart *c)
{
    for (size_t s = 0; s < c->series && c->series > 1; s++) {
        markup_add(m, "<rect class=\"f%zu\" x=\"%zu\" y=\"%d\" width=\"12\" height=\"12\"/><text x=\"%zu\" y=\"%d\">",
                   s + 1, LEFT + s * 160, COLUMNS_HIGH + 52, LEFT + s * 160 + 18, COLUMNS_HIGH + 63);
        markup_text(m, slice_of(c->table->columns[c->y[s]].label));
        markup_add(m, "</text>\n");
    }
}

/* Bars of a row share its place; the number is above where it has room. */
static void histogram_bar(struct markup *m, const struct chart *c, size_t i, size_t s)
{
    const struct report_cell *cell = &c->row[i]->cell[c->y[s]];
    const double              place = column_wide(c),
        wide = (place > 3 ? place - 2 : place) / (double)c->series,
        left = column_at(c, i) - place / 2 + 1 + wide * (double)s;
    double                    value, high;

    if (!markup_value(cell, &value)) return;
    high = chart_part(value, c->most) * COLUMNS_HIGH;
    markup_add(m, "<rect class=\"f%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", s + 1, left,
               24 + COLUMNS_HIGH - high, wide, high);
    if (wide >= 32 && value != 0) {
        markup_add(m, "<text x=\"%.1f\" y=\"%.1f\" class=\"middle\">", left + wide / 2, 19 + COLUMNS_HIGH - high);
        markup_cell(m, cell);
        markup_add(m, "</text>");
    }
    markup_add(m, "\n");
}

static void histogram_add(struct markup *m, const struct chart *c)
{
    chart_begin(m, c, WIDE, COLUMNS_HIGH + 52 + (c->series > 1 ? 22 : 0));
    columns_frame(m, c);
    for (size_t i = 0; i < c->count; i++)
        for (size_t s = 0; s < c->series; s++) histogram_bar(m, c, i, s);
    columns_legend(m, c);
    columns_names(m, c);
    chart_end(m, 0);
}

static void lines_add(struct markup *m, const struct chart *c)
{
    chart_begin(m, c, WIDE, COLUMNS_HIGH + 52 + (c->series > 1 ? 22 : 0));
    columns_frame(m, c);
    for (size_t s = 0; s < c->series; s++) {
        double value;

        markup_add(m, "<polyline class=\"l%zu\" points=\"", s + 1);
        for (size_t i = 0; i < c->count; i++)
            if (markup_value(&c->row[i]->cell[c->y[s]], &value))
                markup_add(m, "%.1f,%.1f ", column_at(c, i),
                           24 + COLUMNS_HIGH - chart_part(value, c->most) * COLUMNS_HIGH);
        markup_add(m, "\"/>\n");
        for (size_t i = 0; i < c->count; i++)
            if (markup_value(&c->row[i]->cell[c->y[s]], &value))
                markup_add(m, "<circle class=\"f%zu\" r=\"3\" cx=\"%.1f\" cy=\"%.1f\"/>", s + 1, column_at(c, i),
                           24 + COLUMNS_HIGH - chart_part(value, c->most) * COLUMNS_HIGH);
    }
    columns_legend(m, c);
    columns_names(m, c);
    chart_end(m, 0);
}

/* ---- any ---- */

bool chart_fits(const struct report_node *table)
{
    struct chart c;
    const bool   fits = chart_open(&c, table, "");

    chart_close(&c);
    return fits;
}

void chart_add(struct markup *m, const struct report_node *table, const char *id)
{
    struct chart c;

    if (chart_open(&c, table, id)) switch (table->chart->kind) {
    case CHART_BARS:      bars_add(m, &c); break;
    case CHART_HISTOGRAM: histogram_add(m, &c); break;
    case CHART_LINES:     lines_add(m, &c); break;
    case CHART_MATRIX:
    case CHART_GRID:      chart_matrix_add(m, &c); break;
    case CHART_SETS:      chart_sets_add(m, &c); break;
    case CHART_CURVES:    chart_curves_add(m, &c); break;
    }
    chart_close(&c);
}
