/* clean/rule.h -- a condition over the columns of a document, as `near or gpt3_13gram and not llama3_8gram < 0.6`.
 *
 *   or         := and { "or" and }
 *   and        := not { "and" not }
 *   not        := "not" not | "(" or ")" | column [ ( ">=" | ">" | "<=" | "<" | "=" ) number ]
 *
 * A column alone is true when it is not 0.  Numbers are decimal, without sign or exponent.  A rule may come from a
 * stranger: its length and depth are bounded. */
#ifndef LEAKGRAPH_CLEAN_RULE_H
#define LEAKGRAPH_CLEAN_RULE_H

#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { RULE_TEXT_MAX = 4096, RULE_DEPTH_MAX = 64, RULE_COLUMNS_MAX = 64 };

struct rule;

/* Reads a rule over columns[] (NULL-terminated, at most RULE_COLUMNS_MAX).  0; -EINVAL with err naming the place,
 * counted in bytes from 1, and for an unknown column the nearest one; -ENOMEM. */
int      rule_parse(struct rule **out, const char *text, const char *const *columns, struct err *err);
void     rule_free(struct rule *rule);                      /* accepts NULL */
uint64_t rule_columns(const struct rule *rule);             /* bit i: columns[i] is in it */
bool     rule_holds(const struct rule *rule, const double *value);          /* value[i] of columns[i] */

/* Appends the parts of a rule that holds which make it hold, as they are written, "; " between them; *columns (may be
 * NULL): those of them that are not 0.  0 or -ENOMEM. */
int      rule_reasons(const struct rule *rule, const double *value, struct bytes *out, uint64_t *columns);

#endif
