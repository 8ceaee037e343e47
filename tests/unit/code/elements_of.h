/* tests/unit/code/elements_of.h -- the elements of a text as one line to compare. */
#ifndef LEAKGRAPH_TESTS_UNIT_CODE_ELEMENTS_OF_H
#define LEAKGRAPH_TESTS_UNIT_CODE_ELEMENTS_OF_H

#include "code/element.h"
#include "tokens.h"

struct found { struct lexer lexer; struct functions functions; struct measures measures; struct elements elements; };

static inline void elements_take(struct found *found, const struct language *row, struct slice text)
{
    struct err err = { 0 };

    *found = (struct found){ 0 };
    if (!kernels) kernels = &kernels_scalar;
    if (lexer_run(&found->lexer, row, text, LEX_ALL | LEX_COMMENTS, &err) < 0 ||
        functions_find(&found->functions, row, &found->lexer, text, &err) < 0 ||
        measures_take(&found->measures, row, &found->lexer, &found->functions, text, &err) < 0 ||
        elements_find(&found->elements, row, &found->lexer, &found->functions, &found->measures, text, &err) < 0)
        fail_msg("%s", err.text);
}

static inline void elements_let_go(struct found *found)
{
    lexer_free(&found->lexer);
    functions_free(&found->functions);
    measures_free(&found->measures);
    elements_free(&found->elements);
}

/* Each as `kind text`, with a ! behind what is declared or assigned to; parted by "; ". */
static inline void expect_elements(const char *language, const char *source, const char *want)
{
    static char        out[8192];
    const struct slice text = padded(source);
    struct found       found;
    size_t             at = 0;

    elements_take(&found, row_of(language), text);
    out[0] = '\0';
    for (size_t i = 0; i < found.elements.count; i++) {
        const struct element *e = &found.elements.at[i];

        at += (size_t)snprintf(out + at, sizeof out - at, "%s%s %.*s%s", i ? "; " : "", element_names[e->kind],
                               (int)(e->end - e->at), text.at + e->at, e->declares ? "!" : "");
    }
    elements_let_go(&found);
    if (strcmp(out, want) != 0) fail_msg("of\n%s\ngot  %s\nwant %s", source, out, want);
}

#endif
