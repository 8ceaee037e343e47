/* tests/unit/code/measures.h -- the measures of a text's functions as one line to compare. */
#ifndef LEAKGRAPH_TESTS_UNIT_CODE_MEASURES_H
#define LEAKGRAPH_TESTS_UNIT_CODE_MEASURES_H

#include "code/measure.h"
#include "tokens.h"

struct measured { struct lexer lexer; struct functions functions; struct measures measures; struct slice text; };

static inline void measure(struct measured *m, const char *language, const char *source)
{
    struct err err = { 0 };

    *m = (struct measured){ .text = padded(source) };
    if (!kernels) kernels = &kernels_scalar;
    if (lexer_run(&m->lexer, row_of(language), m->text, LEX_ALL | LEX_COMMENTS, &err) < 0 ||
        functions_find(&m->functions, row_of(language), &m->lexer, m->text, &err) < 0 ||
        measures_take(&m->measures, row_of(language), &m->lexer, &m->functions, m->text, &err) < 0)
        fail_msg("%s", err.text);
}

static inline void measured_free(struct measured *m)
{
    lexer_free(&m->lexer);
    functions_free(&m->functions);
    measures_free(&m->measures);
}

#endif
