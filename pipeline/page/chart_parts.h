/* page/chart_parts.h -- what the pictures share: a table's rows and columns as its chart names them, the <figure>
 * around a picture, and the kinds that have a file of their own. */
#ifndef LEAKGRAPH_PAGE_CHART_PARTS_H
#define LEAKGRAPH_PAGE_CHART_PARTS_H

#include "page/markup.h"

struct chart {
    const struct report_node       *table;
    const char                     *id;
    const struct report_row *const *row;                    /* [count], those that a person sees */
    size_t                          count, labels, series;
    size_t                          label[CHART_LABELS], x, y[CHART_SERIES];        /* columns */
    double                          most;                   /* the largest value of y, more than 0 */
};

/* False when the table lacks a column, or has nothing to draw; to be closed either way. */
bool chart_open(struct chart *c, const struct report_node *table, const char *id);
void chart_close(struct chart *c);

/* The figure up to the picture's content, and its end; left: rows that are not drawn. */
void chart_begin(struct markup *m, const struct chart *c, int wide, int high);
void chart_end(struct markup *m, size_t left);

/* A row's names, cut to so many bytes; a text, likewise. */
void chart_label(struct markup *m, const struct chart *c, const struct report_row *row, size_t most);
void chart_text(struct markup *m, struct slice text, size_t most);

double chart_part(double value, double most);               /* value / most, from 0 to 1 */

void chart_matrix_add(struct markup *m, const struct chart *c);
void chart_sets_add(struct markup *m, const struct chart *c);
void chart_curves_add(struct markup *m, const struct chart *c);

#endif
