/* page/page.h -- a report as one page for a browser: a file that needs no other, nor a network.
 *
 * Its Content-Security-Policy names the style and scripts that are the program's by their hashes and forbids everything
 * else, so that nothing is fetched and nothing of the data runs, whatever a text holds.  It reads without scripts, in
 * light and dark, printed, and by keyboard. */
#ifndef LEAKGRAPH_PAGE_PAGE_H
#define LEAKGRAPH_PAGE_PAGE_H

#include "base/bytes.h"
#include "report/document.h"

/* Appends the rendered document.  0 or -ENOMEM. */
int page_html(const struct report_document *document, struct bytes *out);

#endif
