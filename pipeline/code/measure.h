/* code/measure.h -- numbers of functions: cyclomatic complexity, lines, comments.
 *
 * The complexity is lizard's (Terry Yin's analyser): 1 and the tokens that are a condition in its list of the language;
 * conditions.c has the lists.  What stands in a function inside another is of that one alone.  docs/definitions.md,
 * "Functions". */
#ifndef LEAKGRAPH_CODE_MEASURE_H
#define LEAKGRAPH_CODE_MEASURE_H

#include "code/docstring.h"

struct measure {
    uint32_t    complexity;
    uint32_t    line, line_end;                             /* of its first and last byte, from 1 */
    uint32_t    body_lines;                                 /* that are not blank, head and closing bracket left out */
    uint32_t    comments, comment_lines;                    /* in it; lines that have some of them */
    struct span docstring;
    uint32_t    signature_end;                              /* where the head ends, white space left out */
};

/* Reusable.  A zeroed struct is ready; measures_free releases its memory. */
struct measures {
    struct measure *at;                                     /* [functions.count], owned */
    size_t          room;
    struct bytes    lines, counts, stack;                   /* scratch */
};

/* Measures the functions that functions_find has found in a text that `lexer` has read with LEX_ALL | LEX_COMMENTS.  In
 * time that grows with the text and the functions alone.  0, or -ENOMEM with err set. */
int  measures_take(struct measures *measures, const struct language *language, const struct lexer *lexer,
                   const struct functions *functions, struct slice text, struct err *err);
void measures_free(struct measures *measures);

/* ---- conditions.c ---- */

/* Conditions of one text, asked for token by token. */
struct conditions {
    const struct condition_rule *rule;
    const struct finding        *f;
    bool                         reference;                 /* && that may be an rvalue reference */
    size_t                       directive;                 /* tokens before it are a directive's */
    uint32_t                     whens;                     /* Kotlin's `when`, the first LEVELS of those open */
    uint32_t                     when_depth[16], depth;
    bool                         when_next;
};

void conditions_begin(struct conditions *conditions, const struct finding *f);

/* What the token adds, -1 to 1. */
int  condition_of(struct conditions *conditions, uint32_t token);

/* Does the language count from the body on only? */
bool conditions_of_body(const struct language *language);

#endif
