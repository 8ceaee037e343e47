/* audit/element.h -- what of a file a model is asked for, and how the published tool finds it.
 *
 * TraWiC (Majdinasab et al. 2024, section III) masks names, strings, comments and documentation of a file one at a time
 * and looks how many of them a model gives back.  docs/definitions.md, "Inclusion". */
#ifndef LEAKGRAPH_AUDIT_ELEMENT_H
#define LEAKGRAPH_AUDIT_ELEMENT_H

#include "base/err.h"
#include "base/slice.h"
#include "code/element.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the columns of features (audit/feature.h). */
enum audit_category {
    AUDIT_CLASS, AUDIT_FUNCTION, AUDIT_VARIABLE, AUDIT_STRING, AUDIT_COMMENT, AUDIT_DOCSTRING, AUDIT_CATEGORIES
};
extern const char *const audit_category_names[AUDIT_CATEGORIES];            /* "class", "function", ... */

/* Names are right or wrong; of the others a part may be right. */
static inline bool audit_is_name(enum audit_category category) { return category <= AUDIT_VARIABLE; }

/* The value is text[at, end).  `inside` is a second value of a function or class, what stands in its parentheses. */
struct audit_element {
    enum audit_category category;
    bool                inside;
    size_t              at, end;
    size_t              line, line_end;                     /* of what was found around the value, from 1 */
};

/* A zeroed struct is empty; audit_elements_free releases its memory. */
struct audit_elements { struct audit_element *at; size_t count, room; };
void audit_elements_free(struct audit_elements *elements);

/* Appends one.  0 or -ENOMEM with err set. */
int audit_elements_add(struct audit_elements *elements, struct audit_element element, struct err *err);

/* The elements that the released code finds in a text, in the order in which it asks for them: functions (name, then
 * parameters), variables, classes (name, then bases), comments, documentation, strings; by six scans over the text
 * that know no grammar, with all that follows: of two of a category on the same lines the later one is left, and in the
 * place of the first; `==`, default values and keyword arguments make variables; only """ is documentation.  Appended
 * to *out, in time that grows with the text.  0 or -ENOMEM with err set. */
int audit_find_published(struct slice text, struct audit_elements *out, struct err *err);

/* The elements of a text in any language whose functions are told, by their role (code/element.h), in their order: what
 * is declared or assigned to, the first place of each name alone, for behind it the name is known; parameters and
 * attributes are variables.  What has fewer than AUDIT_LEAST bytes says nothing and is left out.  A text of another
 * language, or of more than LEXER_MAX_TEXT bytes, has none.  Appended to *out.  0 or -ENOMEM with err set. */
enum { AUDIT_LEAST = 4 };
struct audit_reader { struct lexer lexer; struct functions functions; struct measures measures;
                      struct elements elements; };          /* zeroed at first */
int  audit_find_exact(struct audit_reader *reader, const struct language *language, struct slice text,
                      struct audit_elements *out, struct err *err);
void audit_reader_free(struct audit_reader *reader);

#endif
