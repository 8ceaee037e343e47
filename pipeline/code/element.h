/* code/element.h -- what a text is made of for its reader: names by their role, strings, comments, documentation.
 *
 * The elements that TraWiC masks (Majdinasab et al. 2024: variables, functions, classes, comments, documentation,
 * strings), and parameters and attributes, with their place, for every language whose functions are told.  Told from
 * the lexer's tokens: a role is what the tokens around a name say, no scope is followed.  docs/definitions.md,
 * "Elements", has the rules, and how often they agree with Python's own parser. */
#ifndef LEAKGRAPH_CODE_ELEMENT_H
#define LEAKGRAPH_CODE_ELEMENT_H

#include "code/measure.h"

enum element_kind {
    ELEMENT_VARIABLE,                                       /* any other name */
    ELEMENT_FUNCTION,                                       /* declared, or called: a name before ( */
    ELEMENT_CLASS,                                          /* class, type, module */
    ELEMENT_PARAMETER,                                      /* of a declaration, or named in a call */
    ELEMENT_ATTRIBUTE,                                      /* a.NAME that is not called */
    ELEMENT_STRING,                                         /* with its quotes; one with code in it comes in pieces */
    ELEMENT_COMMENT,
    ELEMENT_DOCSTRING,                                      /* documentation, of functions and of others */
    ELEMENT_KINDS
};
extern const char *const element_names[ELEMENT_KINDS];      /* "variable", "function", ... */

struct element {
    uint32_t at, end;                                       /* bytes of the text */
    uint8_t  kind;                                          /* enum element_kind */
    bool     declares;                                      /* the name is declared, or assigned to, here */
};

/* Reusable.  A zeroed struct is ready; elements_free releases its memory. */
struct elements {
    struct element *at;                                     /* [count] by where they begin; owned */
    size_t          count, room;
    struct bytes    marks, open;                            /* scratch */
};

/* The elements of a text that `lexer` has read with LEX_ALL | LEX_COMMENTS, in which `functions` were found and
 * measured.  In time that grows with the text.  0, or -ENOMEM with err set. */
int  elements_find(struct elements *elements, const struct language *language, const struct lexer *lexer,
                   const struct functions *functions, const struct measures *measures, struct slice text,
                   struct err *err);
void elements_free(struct elements *elements);

#endif
