/* page/markup.h -- HTML and SVG being written: what is appended, and whether memory ran out.
 *
 * After a failure calls do nothing, so that a page is written without a question behind every tag; who gave the buffer
 * looks at rc at the end. */
#ifndef LEAKGRAPH_PAGE_MARKUP_H
#define LEAKGRAPH_PAGE_MARKUP_H

#include "base/bytes.h"
#include "report/document.h"

#include <stdbool.h>

struct markup { struct bytes *out; int rc; };               /* rc: 0, or -ENOMEM once */

/* Appends tags of ours: never a text of the data, and no number but by %d, %zu and the functions below. */
void markup_add(struct markup *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void markup_slice(struct markup *m, struct slice tags);     /* the same, as it is */
void markup_text(struct markup *m, struct slice text);      /* in a line: escape_html */
void markup_lines(struct markup *m, struct slice text);     /* line breaks and TABs stay */

/* A cell as people read it: thousands are parted by commas, but of ids. */
void markup_cell(struct markup *m, const struct report_cell *cell);

/* 1,234,567 */
void markup_count(struct markup *m, uint64_t number);

/* Is the cell a number, and which; of a percentage, the percentage.  False for what is not finite, too. */
bool markup_value(const struct report_cell *cell, double *value);

#endif
