/* cmd/roff.h -- text as roff with the man macros: groff_man(7), mandoc's man(7).
 *
 * Hyphens, backslashes, quotes, carets and tildes are written as what can be copied from a terminal; a line of text
 * that begins with a dot or a quote stays text; source lines have at most 80 bytes where words allow. */
#ifndef LEAKGRAPH_CMD_ROFF_H
#define LEAKGRAPH_CMD_ROFF_H

#include "base/bytes.h"

/* All return 0 or -ENOMEM. */

/* Words to be filled, of any number of lines; `code` is bold; a line feed in the text is a line break. */
int roff_text(struct bytes *out, struct slice text);
/* Within a line: as it is; with options and words of small letters bold, names for values (FILE, KEY=VALUE) italic. */
int roff_word(struct bytes *out, struct slice text);
int roff_term(struct bytes *out, struct slice text);
int roff_paragraph(struct bytes *out);                      /* but for the first behind a section's title */
/* Lines as they are, indented. */
int roff_lines(struct bytes *out, struct slice text);
int roff_section(struct bytes *out, const char *macro, struct slice title);     /* macro: SH or SS */

#endif
