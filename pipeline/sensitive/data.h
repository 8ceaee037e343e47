/* sensitive/data.h -- strings that look random and are no secret: numbers, files in base64, outlines, pieces of data.
 *
 * What the published filters let through, seen in real sources (docs/definitions.md, "Sensitive strings"). */
#ifndef LEAKGRAPH_SENSITIVE_DATA_H
#define LEAKGRAPH_SENSITIVE_DATA_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

/* longer strings in base64 that are text when decoded are data, as shorter ones may be a name and a password */
enum { DATA_LONG = 256 };

/* What stands in quotes, all of it letters, digits and + / = _ -:
 *   digits alone, as those of pi; digits that count up or down, as fedcba9876543210;
 *   a hash with its name, as sha512-... (Subresource Integrity);
 *   the beginning of a file in base64: gzip, PNG, GIF, JPEG, zip, WebAssembly, WOFF, PDF, RIFF, XML, SVG;
 *   text in base64, of more than DATA_LONG bytes;
 *   commands of an SVG path. */
bool sensitive_is_data(struct slice value);

/* The string in quotes, from `at` to `end`, is joined to another one, before or behind it, that has 16 bytes of base64
 * or more: by nothing but white space and + . & \, as languages write a long text in pieces.  Looks at a bounded number
 * of bytes.  There is a quote before `at` and one at `end`. */
bool sensitive_is_piece(struct slice text, size_t at, size_t end);

#endif
