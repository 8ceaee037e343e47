/* view/forms.h -- the forms of a function in which clone types are told (Roy & Cordy 2007, A survey on software clone
 * detection research; NiCad 6).
 *
 *   type 1   the tokens: layout, comments and docstrings are gone
 *   type 2c  names that are no keywords by the place where each is met first, literals by their kind: two functions
 *            have one form when a one-to-one renaming of names makes one the other
 *   type 2   names and literals by their kind alone (blind)
 *   type 3   the statements (code/statement.h) or the tokens of the blind form, in their order: two are compared by
 *            their longest common subsequence (base/lcs.h)
 *
 * Equal type 1 is equal type 2c, and that equal type 2.  Equality is that of hashes: 64 bits for a token and a
 * statement, 128 for a function.  Two languages have nothing in common. */
#ifndef LEAKGRAPH_VIEW_FORMS_H
#define LEAKGRAPH_VIEW_FORMS_H

#include "view/view.h"

enum form_items { FORM_STATEMENTS, FORM_TOKENS };

/* A function in its forms; item: of type 3, never 0; name: of each name that is no keyword, the number of the first one
 * equal to it.  Both are valid until the next call. */
struct form {
    struct content_hash exact, consistent, blind;
    struct { uint32_t at, end; } inside;                    /* of the text: from its first name to its last one */
    const uint64_t     *item;
    const uint32_t     *name;
    size_t              items, names, repeated, tokens;     /* repeated: different names that are there twice or more */
};

struct forms;                                               /* one a thread: buffers */
int  forms_open(struct forms **out, struct err *err);       /* 0, or -ENOMEM with err set */
void forms_close(struct forms *forms);

/* Reads a text and finds its functions; none in a language whose functions are not told.  BYTES_PAD bytes past the
 * text's end must be readable.  The scratch is that which gave the language; *functions, and forms_of, until it reads
 * the next text.  0, or -ENOMEM with err set. */
int  forms_read(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
                struct slice text, const struct functions **functions, struct err *err);

/* The same of a text that the scratch has read with its functions (view_functions), without reading it again. */
void forms_take(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
                struct slice text);

/* Tokens of that text, those outside of its functions too; 0 in a language whose functions are not told. */
size_t forms_tokens(const struct forms *forms);

/* Function i of that text, in time linear in its tokens.  0, or -ENOMEM with err set. */
int  forms_of(struct forms *forms, size_t i, enum form_items items, struct form *out, struct err *err);

/* The form of type 2c of a text that begins with a name.  BYTES_PAD bytes past its end must be readable, and
 * the scratch is that which gave the language.  0, or -ENOMEM with err set. */
int  forms_inside(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
                  struct slice text, struct content_hash *out, struct err *err);

/* Where each item of the function that forms_of has given last lies in the text; out: [items of it]. */
struct form_place { uint32_t at, end; };
void forms_places(const struct forms *forms, size_t i, enum form_items items, struct form_place *out);

#endif
