/* report/show.h -- documents and pairs of a graph as text for a terminal.  Nothing from the data reaches it as a
 * control character. */
#ifndef LEAKGRAPH_REPORT_SHOW_H
#define LEAKGRAPH_REPORT_SHOW_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"

#include "report/locate.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/* The snippets.id that name stands for: a snippets.id, dataset/split/id_within_dataset, or dataset:source_id.  0;
 * -ENOENT when there is none or it is not stored; -EEXIST when several have this source_id (the text names the first
 * ones); other errors of the database. */
int show_find(sqlite3 *db, struct slice name, uint64_t *id, struct err *err);

/* Appends a document: what is known of it, what pass dedup decided on it, its pairs best first (at most SHOW_PAIRS of
 * each pass), where it is inside documents or what is inside it (as many), its text. */
enum { SHOW_PAIRS = 20 };
int show_document(sqlite3 *db, uint64_t id, bool colour, struct bytes *out, struct err *err);

/* Appends two documents: what is known of them, their pair's scores in each pass that has it, and how their
 * texts differ (compare.h). */
int show_pair(sqlite3 *db, uint64_t a, uint64_t b, bool colour, struct bytes *out, struct err *err);

/* A text that is not stored: read, or note says in one line why it cannot be had.  place is borrowed. */
struct show_text { const struct located *place; struct bytes text, note; bool read; };

/* Reads texts, whose buffers are empty.  0, or <0 with err set. */
struct show_reader {
    int (*read)(void *context, struct show_text *text, size_t count, struct err *err);
    void *context;
};
void show_text_free(struct show_text *text);                /* accepts a zeroed one */

/* Both of these of any documents, stored or not (b NULL: a alone), whose texts the reader gives where the graph has
 * none. */
int show_places(sqlite3 *db, const struct located *a, const struct located *b, const struct show_reader *reader,
                bool colour, struct bytes *out, struct err *err);

#endif
