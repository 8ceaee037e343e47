/* page/chart.h -- a table as a picture: SVG made of its cells alone, with a title and a description for those who do
 * not see it.  The colours are classes of page.css (Okabe and Ito 2008), so a picture is light or dark as its page. */
#ifndef LEAKGRAPH_PAGE_CHART_H
#define LEAKGRAPH_PAGE_CHART_H

#include "page/markup.h"

/* Whether the table has what its chart asks for: the columns, and a row that can be drawn. */
bool chart_fits(const struct report_node *table);

/* Appends the picture, a <figure>.  id: the table's. */
void chart_add(struct markup *m, const struct report_node *table, const char *id);

#endif
