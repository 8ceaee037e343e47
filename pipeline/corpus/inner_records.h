/* corpus/inner_records.h -- a file of a folder or an archive that is no document but holds records of its own.
 *
 * Such a file is not read as records: what a folder or an archive holds are documents.  As one document it would match
 * nothing, in silence; so it is a reject that says what to do. */
#ifndef LEAKGRAPH_CORPUS_INNER_RECORDS_H
#define LEAKGRAPH_CORPUS_INNER_RECORDS_H

#include "corpus/record.h"

/* What the file of that path is, NULL: a document.  text: its beginning at least.  It is "Parquet" by its magic;
 * "packed JSON lines" by its name and the magic of its compression; "JSON lines" when its name ends in .jsonl or
 * .ndjson and its first line that is not blank is an object with a text, as `fields` names it: data that sources come
 * with have other fields, and are documents.  What ends in .json, .csv or .tsv is mostly such data: it is
 * "a JSON array", "JSON objects" (more than one), "CSV" or "TSV" when one of its first 16 records has a text that has
 * white space.  Letters of endings may be large.  Without memory for a record it is a document. */
#define INNER_RECORDS_WHY "%s, whose records are read only of a file that `files` names"
const char *inner_records(const struct field_map *fields, struct slice path, struct slice text);

#endif
