/* page/explorer.h -- the part of the page in which every leaked item can be looked for, and seen beside its best match.
 *
 * It is a widget of the document (report/document.h): what it holds is JSON, which items.js reads; texts are masked as
 * those of the document are. */
#ifndef LEAKGRAPH_PAGE_EXPLORER_H
#define LEAKGRAPH_PAGE_EXPLORER_H

#include "report/document.h"
#include "report/show.h"

#include <sqlite3.h>

/* EXPLORER_BYTES: of the items, roughly; of more, those that leak most are on the page, and it says so. */
enum { EXPLORER_BYTES = 14 << 20 };

/* Adds it to the section of the leaked items, or as one of its own where there is none; nothing where no benchmark was
 * read, and where there is neither that section nor an item that a rule found.  reader gives texts that graph.db does
 * not store; NULL: they are not to be had.  0, or <0 with err set. */
int explorer_add(struct report_document *out, sqlite3 *db, const struct show_reader *reader, struct err *err);

#endif
