/* page/chart_matrix.c -- a matrix of shades with its numbers in it. */
#include "page/chart_parts.h"

#include <string.h>

enum { LABEL = 200, CELL_WIDE = 92, CELL_HIGH = 30, HEAD = 40, SHADES = 8, SIDE_MOST = 16 };

/* The names of a side, each once, in the order of the table. */
struct side { const struct report_row *first[SIDE_MOST]; size_t count; };

static bool cells_same(const struct report_cell *a, const struct report_cell *b)
{
    return a->kind == b->kind && a->number == b->number && slice_equal(a->text, b->text);
}

static bool rows_same(const struct chart *c, const struct report_row *a, const struct report_row *b)
{
    for (size_t i = 0; i < c->labels; i++)
        if (!cells_same(&a->cell[c->label[i]], &b->cell[c->label[i]])) return false;
    return true;
}

static size_t row_find(const struct chart *c, struct side *side, const struct report_row *row)
{
    size_t i = 0;

    while (i < side->count && !rows_same(c, side->first[i], row)) i++;
    if (i == side->count && i < SIDE_MOST) side->first[side->count++] = row;
    return i;
}

static size_t column_find(const struct chart *c, struct side *side, const struct report_row *row)
{
    size_t i = 0;

    while (i < side->count && !cells_same(&side->first[i]->cell[c->x], &row->cell[c->x])) i++;
    if (i == side->count && i < SIDE_MOST) side->first[side->count++] = row;
    return i;
}

/* Percentages are of 100, other numbers of the largest. */
static void put_cell(struct markup *m, const struct chart *c, const struct report_cell *cell, size_t i, size_t j)
{
    double value;
    int    shade;

    if (!markup_value(cell, &value)) return;
    shade = (int)(chart_part(value, cell->kind == REPORT_PERCENT ? 100 : c->most) * (SHADES - 1) + 0.5);
    if (value > 0 && shade == 0) shade = 1;
    markup_add(m, "<rect class=\"h%d\" x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\"/><text x=\"%zu\" y=\"%zu\" "
               "class=\"middle%s\">", shade, LABEL + j * CELL_WIDE + 1, HEAD + i * CELL_HIGH + 1, CELL_WIDE - 2,
               CELL_HIGH - 2, LABEL + j * CELL_WIDE + CELL_WIDE / 2, HEAD + i * CELL_HIGH + 20,
               shade >= 5 ? " on" : "");
    markup_cell(m, cell);
    markup_add(m, "</text>\n");
}

static void put_column_name(struct markup *m, size_t j, struct slice name)
{
    markup_add(m, "<text x=\"%zu\" y=\"%d\" class=\"middle\">", LABEL + j * CELL_WIDE + CELL_WIDE / 2, HEAD - 8);
    chart_text(m, name, 13);
    markup_add(m, "</text>");
}

static void put_row_name(struct markup *m, size_t i)
{
    markup_add(m, "<text x=\"%d\" y=\"%zu\" class=\"end\">", LABEL - 8, HEAD + i * CELL_HIGH + 20);
}

/* The table is the matrix. */
static void grid_add(struct markup *m, const struct chart *c)
{
    const size_t wide = c->table->column_count - 1 < SIDE_MOST ? c->table->column_count - 1 : SIDE_MOST,
                 high = c->count < SIDE_MOST ? c->count : SIDE_MOST;

    chart_begin(m, c, LABEL + (int)wide * CELL_WIDE, HEAD + (int)high * CELL_HIGH + 4);
    for (size_t j = 0; j < wide; j++) put_column_name(m, j, slice_of(c->table->columns[j + 1].label));
    for (size_t i = 0; i < high; i++) {
        put_row_name(m, i);
        chart_text(m, c->row[i]->cell[0].text, 26);
        markup_add(m, "</text>");
        for (size_t j = 0; j < wide; j++) put_cell(m, c, &c->row[i]->cell[j + 1], i, j);
    }
    chart_end(m, c->count - high);
}

/* A percentage is called as the number beside which it stands. */
static const char *measure_name(const struct report_node *table, size_t column)
{
    return table->columns[column - (column && strcmp(table->columns[column].label, "%") == 0)].label;
}

/* Of several rows for one place the first counts: whole datasets stand before their splits. */
void chart_matrix_add(struct markup *m, const struct chart *c)
{
    struct side  rows = { .count = 0 }, columns = { .count = 0 };
    bool         drawn[SIDE_MOST][SIDE_MOST];
    size_t       left = 0;
    int          high, part;

    if (c->table->chart->kind == CHART_GRID) {
        grid_add(m, c);
        return;
    }
    for (size_t i = 0; i < c->count; i++)
        if (row_find(c, &rows, c->row[i]) == SIDE_MOST || column_find(c, &columns, c->row[i]) == SIDE_MOST) left++;
    part = HEAD + (int)rows.count * CELL_HIGH + 12;
    high = part * (int)c->series;
    chart_begin(m, c, LABEL + (int)columns.count * CELL_WIDE, high);
    for (size_t s = 0; s < c->series; s++) {
        markup_add(m, "<g transform=\"translate(0 %d)\"><text class=\"strong\" x=\"0\" y=\"%d\">", part * (int)s,
                   HEAD - 8);
        markup_text(m, slice_of(measure_name(c->table, c->y[s])));
        markup_add(m, "</text>");
        for (size_t j = 0; j < columns.count; j++) put_column_name(m, j, columns.first[j]->cell[c->x].text);
        for (size_t i = 0; i < rows.count; i++) {
            put_row_name(m, i);
            chart_label(m, c, rows.first[i], 40);
            markup_add(m, "</text>");
        }
        memset(drawn, 0, sizeof drawn);
        for (size_t i = 0; i < c->count; i++) {
            const size_t row = row_find(c, &rows, c->row[i]), column = column_find(c, &columns, c->row[i]);

            if (row == SIDE_MOST || column == SIDE_MOST || drawn[row][column]) continue;
            drawn[row][column] = true;
            put_cell(m, c, &c->row[i]->cell[c->y[s]], row, column);
        }
        markup_add(m, "</g>\n");
    }
    chart_end(m, left);
}
