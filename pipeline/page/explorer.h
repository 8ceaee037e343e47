/* page/explorer.h -- the part of the page in which every leaked item can be looked for, and seen beside its best match.
 *
 * It is a widget of the document (report/document.h): what it holds is JSON, which items.js reads; texts are masked as
 * those of the document are. */
#ifndef LEAKGRAPH_PAGE_EXPLORER_H
#define LEAKGRAPH_PAGE_EXPLORER_H

#include "page/items_json.h"
#include "report/document.h"
#include "report/show.h"

#include <sqlite3.h>

/* EXPLORER_BYTES: of the items, roughly; of more, those that leak most are on the page, and it says so. */
enum { EXPLORER_BYTES = 14 << 20 };

/* What it shows.  benchmarks: there are any. */
struct explorer { struct bytes json; uint64_t benchmarks; size_t items; };

/* Reads it.  reader gives texts that graph.db does not store; NULL: they are not to be had; mask: the document's.  It
 * touches no document, so one may be built meanwhile with another connection.  0, or <0 with err set; free with
 * explorer_free either way. */
int explorer_read(struct explorer *out, sqlite3 *db, const struct show_reader *reader, items_mask *mask,
                  struct err *err);
void explorer_free(struct explorer *explorer);              /* accepts a zeroed one */

/* Adds it to the section of the leaked items, or as one of its own where there is none; nothing where no benchmark was
 * read, and where there is neither that section nor an item that a rule found.  0 or -ENOMEM with err set. */
int explorer_add(struct report_document *out, const struct explorer *explorer, struct err *err);

#endif
