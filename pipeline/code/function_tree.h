/* code/function_tree.h -- the functions of a text as a parser sees them: tree-sitter's.  Private to code/.
 *
 * A grammar makes a tree of the text, and one walk over it takes the nodes that a row of function_tree_rows.c names.
 * The walk has a stack of its own and asks a node only for its children: trees may be a million levels deep. */
#ifndef LEAKGRAPH_CODE_FUNCTION_TREE_H
#define LEAKGRAPH_CODE_FUNCTION_TREE_H

#include "code/functions.h"

/* Is there a grammar for the language in this program? */
bool function_tree_known(const struct language *language);

/* Finds the functions of a text in such a language and counts what the parser could not read.  1; 0 when it gave up,
 * and there are none; -ENOMEM. */
int  function_tree_find(struct finding *f);
void function_tree_free(struct function_tree *tree);

#ifdef HAVE_TREE
#include <tree_sitter/api.h>

enum tree_role {
    TREE_FUNCTION = 1, TREE_CLASS,
    TREE_BINDING,                                           /* gives a function in it a name: a = function */
    TREE_DECLARATION,                                       /* of bindings: const a = ..., b = ... */
};

/* What names a node. */
enum tree_naming {
    NAMED_FIELD,                                            /* its field `name` */
    NAMED_NOT,
    NAMED_DECLARATOR,                                       /* C and C++: the innermost declarator */
    NAMED_SCRIPT,                                           /* JavaScript: the same field, else what it is bound to */
    NAMED_RECEIVER,                                         /* Go: the field; the class is the receiver's type */
    NAMED_TYPE, NAMED_LAST,                                 /* the last name in its field `type`, `name`: a::B<C>: B */
    NAMED_OPERATOR,                                         /* C#: from the keyword to the parameters */
    NAMED_TILDE,                                            /* C#: the field, with the ~ before it */
};

/* A type of node.  Functions: the field, or the type of the child, that is the body; one without is none. */
struct tree_node {
    const char      *type;
    enum tree_role   role;
    enum tree_naming naming;
    const char      *body, *body_type;                      /* NULL: any field, any type */
    bool             bodiless, ends_with_body;
};

typedef const TSLanguage *tree_grammar(void);

struct tree_row {
    const char             *language;
    /* the second one is for texts that the first finds errors in; NULL: there is none */
    tree_grammar           *grammar, *other;
    const char             *mark;                           /* texts without it are the second one's */
    bool                    flat;                           /* no functions within functions but in classes */
    const struct tree_node *node;                           /* ends with a NULL type */
};

extern const struct tree_row tree_rows[];                   /* ends with a NULL language */

struct tree_span { uint32_t at, end; };                     /* bytes; equal: none */

/* The name of a function's or class's node, and for functions that say so their class (else left as it is).  `around`
 * is the binding that gives the function its name, or the null node. */
struct tree_span tree_name(const struct finding *f, enum tree_naming naming, TSNode node, TSNode around,
                           struct tree_span *of_class);
/* The function that a binding gives its name to, or the null node. */
TSNode           tree_bound(TSNode binding);
/* Of a null node and where there is none: a null node. */
TSNode           tree_field(TSNode node, const char *name);
TSNode           tree_child(TSNode node, uint32_t i);       /* of those with a name */
bool             tree_is(TSNode node, const char *type);
#endif
#endif
