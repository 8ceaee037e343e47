/* clean/cut.h -- a record whose text has lost some of its lines.
 *
 * Lines are counted as clone/line.h counts them: LF, CRLF and a lone CR end one.  A line goes with its end. */
#ifndef LEAKGRAPH_CLEAN_CUT_H
#define LEAKGRAPH_CLEAN_CUT_H

#include "corpus/record.h"

struct clean_span { uint32_t first, last; };                /* lines of a text, from 1 */

/* Appends the text without the lines of spans (ascending, apart from each other); what lies beyond its end is passed
 * over.  json: text is what stands between the quotes of a JSON string, where an end of line is an escape.  0 or
 * -ENOMEM. */
int cut_lines(struct bytes *out, struct slice text, bool json, const struct clean_span *span, size_t count);

/* Appends the record as rewrite_record does, its text cut.  Of a line of JSON nothing but those lines is touched, not
 * even bytes that are not UTF-8.  *bytes: of the text that are gone.  scratch is used.  0 or -ENOMEM. */
int cut_record(struct bytes *out, const struct record *record, const struct clean_span *span, size_t count,
               struct bytes *scratch, uint64_t *bytes);

#endif
