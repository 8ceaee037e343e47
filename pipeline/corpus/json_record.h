/* corpus/json_record.h -- one walk over a JSON object that picks the fields of a record.
 *
 * What is looked at is checked strictly: keys, commas, colons, literals, numbers, wanted strings, and that nothing
 * follows the closing brace.  Values that nobody asked for are passed over: strings to their closing quote, arrays and
 * objects to their balancing bracket.  Of a key that is there twice the last one counts.  No recursion: nesting costs
 * nothing. */
#ifndef LEAKGRAPH_CORPUS_JSON_RECORD_H
#define LEAKGRAPH_CORPUS_JSON_RECORD_H

#include "corpus/record.h"

/* Where and why a line is no record. */
struct json_fault { enum reject_reason reason; size_t at; char what[96]; };

/* The names that the dataset gives its fields, or the default ones.  A dotted name is met by nested objects (at most
 * 16 deep) as well as by a key that has the dots itself. */
void field_map_set(struct field_map *map, const struct dataset *dataset);
void field_map_set_text(struct field_map *map, const char *name);           /* of the text alone */

/* Fills record->text (in *text), record->raw and record->json from one line.  want_fields: as in struct batch.
 * *scratch is overwritten.  Returns 1; 0 with *fault set; -ENOMEM. */
int  json_record_parse(struct record *record, const struct field_map *map, struct slice line, uint32_t want_fields,
                       struct bytes *text,
                       struct bytes *scratch, struct json_fault *fault);

#endif
