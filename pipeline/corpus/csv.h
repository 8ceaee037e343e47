/* corpus/csv.h -- where a row of CSV ends, and what its fields are (RFC 4180).
 *
 * A field that begins with a quote goes on to its closing quote, line feeds and separators in it; "" stands for a
 * quote.  A quote elsewhere is a byte like others.  Behind a closing quote only a separator or a line end may stand:
 * it is there that a quote which was never closed shows.  Rows end with LF or CR LF.
 *
 * Not libcsv, which Debian has: it hands out every field byte by byte through callbacks, and a field of many MB as
 * a copy that grows; it tells no byte offsets, and cannot be stopped between two rows to begin anew behind a damaged
 * one.  What is below finds a row's end without a copy, may be stopped at any byte, and leaves the fields to the
 * threads that parse. */
#ifndef LEAKGRAPH_CORPUS_CSV_H
#define LEAKGRAPH_CORPUS_CSV_H

#include "base/slice.h"

#include <stdbool.h>

/* Where in a row the scan stands.  A row starts at CSV_FIELD. */
enum csv_place { CSV_FIELD, CSV_PLAIN, CSV_QUOTED, CSV_QUOTE, CSV_QUOTE_CR };
enum csv_end   { CSV_MORE, CSV_ROW, CSV_BROKEN };

/* Goes on from *place.  CSV_ROW: the row has ended, *used bytes being taken, with its line end; CSV_BROKEN: byte *used
 * may not follow a closing quote; CSV_MORE: all of text is taken.  A row that the data end in is whole unless *place is
 * CSV_QUOTED. */
enum csv_end csv_scan(enum csv_place *place, struct slice text, char separator, size_t *used);

/* The next field of a row, which has been scanned and is without its line end.  *at starts at 0; SIZE_MAX behind the
 * last.  *quoted: the value is what stands between quotes, "" not yet replaced.  False: there is none. */
bool csv_next_field(struct slice row, char separator, size_t *at, struct slice *value, bool *quoted);

/* Writes a quoted value with each "" as one quote to out, which may be where it stands; the length. */
size_t csv_unquote(char *out, struct slice value);

/* The row without its LF or CR LF. */
struct slice csv_row_without_end(struct slice row);

#endif
