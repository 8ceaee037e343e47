/* page/html.h -- the nodes of a report as HTML: sections with headings, tables with captions, pictures with the table
 * behind them and the SQL beneath.  page.h puts the frame around it. */
#ifndef LEAKGRAPH_PAGE_HTML_H
#define LEAKGRAPH_PAGE_HTML_H

#include "page/markup.h"

/* Appends the children of the document's root.  Every id in it is unique: the keys on the way to the node, joined by
 * points; of what has no key of its own, its place among its siblings (n1, n2, ...). */
void html_add(struct markup *m, const struct report_document *document);

/* Appends the list of the root's sections, as links. */
void html_contents(struct markup *m, const struct report_document *document);

/* Whether a person sees anything of the node. */
bool html_shows(const struct report_node *node);

#endif
