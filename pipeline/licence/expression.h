/* licence/expression.h -- expressions of SPDX 2.3, annex D: identifiers, WITH, AND, OR, parentheses. */
#ifndef LEAKGRAPH_LICENCE_EXPRESSION_H
#define LEAKGRAPH_LICENCE_EXPRESSION_H

#include "licence/licence.h"

enum { EXPRESSION_DEPTH = 8 };                              /* of parentheses */

/* What stands for licences that there is no room for.  The table has no such, so that what has it is unknown. */
#define EXPRESSION_OTHERS "LicenseRef-others"

/* Reads the expression that the text begins with, as far as it is one: operators in any case, `/` for OR, identifiers
 * as the table writes them.  Identifiers that the table does not have stay as they are, if they look like one.  An
 * expression that is too long, or has more brackets in each other, is EXPRESSION_OTHERS.  Returns how many bytes it
 * took; 0: none, and *out is LICENCE_NONE. */
size_t expression_read(struct licence *out, struct slice text);

/* The table's place of an identifier, those given up among them; LICENCE_NOTHING. */
unsigned expression_row(struct slice id);

#endif
