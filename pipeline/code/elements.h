/* code/elements.h -- what the parts of element.h share.  Private to code/. */
#ifndef LEAKGRAPH_CODE_ELEMENTS_H
#define LEAKGRAPH_CODE_ELEMENTS_H

#include "code/element.h"
#include "code/functions.h"
#include "code/rows.h"

/* What is known of a token before the walk. */
enum mark { MARK_NONE, MARK_FUNCTION, MARK_PARAMETER, MARK_CLASS, MARK_DOCSTRING, MARK_VARIABLE };

/* Marks names and parameters of the functions, and strings that are their documentation.  marks: [f->count], zeroed. */
void elements_mark(const struct finding *f, const struct measures *measures, uint8_t *marks);

/* Python: marks parameters of lambdas, and names that are assigned to with MARK_TARGET besides. */
enum { MARK_TARGET = 0x80 };
void elements_mark_python(const struct finding *f, uint8_t *marks);

/* The role of the name at `token`, which is no keyword, or ELEMENT_KINDS: it has none. */
enum element_kind element_of_name(const struct finding *f, uint32_t token, bool *declares);

/* Is the token one of the keywords, and not a name in quotes that spells one? */
bool element_is_keyword(const struct finding *f, uint32_t token);

/* Is the token one of the words of a NULL-terminated list? */
static inline bool token_in(const struct finding *f, uint32_t token, const char *const *words)
{
    if (token >= f->count) return false;
    for (; *words; words++)
        if (token_is(f, token, *words)) return true;
    return false;
}

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

#endif
