/* code/language.h -- the programming languages, one table row each.
 *
 * A row is data only: comment and string forms, identifier characters, keywords.  The lexer (lexer.h) is one
 * program that reads these rows; Python and Java follow the published pipelines (docs/definitions.md, "Tokens"). */
#ifndef LEAKGRAPH_CODE_LANGUAGE_H
#define LEAKGRAPH_CODE_LANGUAGE_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct language;                                            /* a row; opaque, static lifetime */

/* The row for a name, case-folded, with aliases ("C++", "cpp", "cxx"; "golang"; "py", "python3"), or NULL when unknown.
 */
const struct language *language_by_name(struct slice name);

/* The row for a path by extension or file name ("Makefile"), or NULL. */
const struct language *language_by_path(struct slice path);

/* The row for a text that starts with a #! line, or NULL. */
const struct language *language_by_shebang(struct slice text);

/* The row for any other text; its name is "text". */
const struct language *language_generic(void);

/* canonical lower-case name: "java", "cpp", "csharp" */
const char *language_name(const struct language *language);

/* The i-th keyword of the row or NULL past the last: what view `identifiers` removes (docs/definitions.md, "Features").
 */
const char *language_keyword(const struct language *language, size_t i);

/* All rows, for tests and help; NULL past the last. */
const struct language *language_at(size_t i);
size_t language_place(const struct language *language);     /* i of a row */

#endif
