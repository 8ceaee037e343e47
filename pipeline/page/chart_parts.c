/* page/chart_parts.c -- see chart_parts.h. */
#include "page/chart_parts.h"

#include "report/visible.h"

#include <stdlib.h>
#include <string.h>

/* The column of the key; false when it is asked for and not there. */
static bool column_find(const struct report_node *table, const char *key, size_t *column)
{
    *column = 0;
    while (key && *column < table->column_count && strcmp(table->columns[*column].key, key) != 0) ++*column;
    if (!key) *column = table->column_count;
    return !key || *column < table->column_count;
}

static bool columns_find(struct chart *c)
{
    const struct report_chart *chart = c->table->chart;
    bool                       found = column_find(c->table, chart->x, &c->x);

    for (; found && c->labels < CHART_LABELS && chart->label[c->labels]; c->labels++)
        found = column_find(c->table, chart->label[c->labels], &c->label[c->labels]);
    for (; found && c->series < CHART_SERIES && chart->y[c->series]; c->series++)
        found = column_find(c->table, chart->y[c->series], &c->y[c->series]);
    return found && (c->series || chart->kind == CHART_GRID);
}

/* Whether there is a value above nothing, and which is the largest. */
static bool values_look(struct chart *c)
{
    bool any = false;

    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->table->column_count; k++) {
            bool   drawn = c->table->chart->kind == CHART_GRID && k > 0;
            double value;

            for (size_t s = 0; s < c->series; s++) drawn |= c->y[s] == k;
            if (!drawn || !markup_value(&c->row[i]->cell[k], &value)) continue;
            any = true;
            if (value > c->most) c->most = value;
        }
    if (c->most <= 0) c->most = 1;
    return any;
}

bool chart_open(struct chart *c, const struct report_node *table, const char *id)
{
    const struct report_row **row;
    size_t                    room = 0;

    *c = (struct chart){ .table = table, .id = id };
    for (const struct report_row *r = table->row; r; r = r->next) room++;
    row = calloc(room + 1, sizeof *row);
    c->row = row;
    if (!row) return false;
    for (const struct report_row *r = table->row; r; r = r->next)
        if (report_row_shown(table, r)) row[c->count++] = r;
    return columns_find(c) && values_look(c);
}

void chart_close(struct chart *c)
{
    free((void *)c->row);
    *c = (struct chart){ 0 };
}

void chart_begin(struct markup *m, const struct chart *c, int wide, int high)
{
    const struct slice title = slice_of(c->table->chart->title);

    markup_add(m, "<figure class=\"chart\"><figcaption>");
    markup_text(m, title);
    markup_add(m, "</figcaption>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
               "aria-labelledby=\"%s.title %s.desc\"><title id=\"%s.title\">", wide, high, wide, high, c->id, c->id,
               c->id);
    markup_text(m, title);
    markup_add(m, "</title><desc id=\"%s.desc\">A picture of %zu row%s; the table behind it has the numbers.</desc>\n",
               c->id, c->count, c->count == 1 ? "" : "s");
}

void chart_end(struct markup *m, size_t left)
{
    markup_add(m, "</svg>");
    if (left) markup_add(m, "<p class=\"quiet\">%zu more in the table.</p>", left);
    markup_add(m, "</figure>\n");
}

void chart_text(struct markup *m, struct slice text, size_t most)
{
    const struct slice cut = visible_cut(text, most);

    markup_text(m, cut);
    if (cut.len < text.len) markup_add(m, "…");
}

void chart_label(struct markup *m, const struct chart *c, const struct report_row *row, size_t most)
{
    for (size_t i = 0; i < c->labels; i++) {
        const struct report_cell *cell = &row->cell[c->label[i]];

        if (cell->kind == REPORT_ALL || cell->kind == REPORT_NOTHING) continue;
        if (i) markup_add(m, " · ");
        if (cell->kind == REPORT_NAME || cell->kind == REPORT_TEXT) chart_text(m, cell->text, most / c->labels);
        else markup_cell(m, cell);
    }
}

double chart_part(double value, double most)
{
    return value <= 0 ? 0 : value >= most ? 1 : value / most;
}
