/* audit/exact.c -- elements by their role; see element.h. */
#include "audit/element.h"

#include "base/table.h"
#include "view/view.h"

#include <string.h>

static bool asked_for(const struct element *element, enum audit_category *category)
{
    switch ((enum element_kind)element->kind) {
    case ELEMENT_FUNCTION:  *category = AUDIT_FUNCTION; return element->declares;
    case ELEMENT_CLASS:     *category = AUDIT_CLASS; return element->declares;
    case ELEMENT_VARIABLE: case ELEMENT_PARAMETER: case ELEMENT_ATTRIBUTE:
        *category = AUDIT_VARIABLE;
        return element->declares;
    case ELEMENT_STRING:    *category = AUDIT_STRING; return true;
    case ELEMENT_COMMENT:   *category = AUDIT_COMMENT; return true;
    case ELEMENT_DOCSTRING: *category = AUDIT_DOCSTRING; return true;
    default:                return false;
    }
}

/* Appends the elements that are asked for.  A name counts where it stands first, whether it is declared there or not:
 * a model that is shown it before knows it. */
static int take(const struct elements *found, struct slice text, struct audit_elements *out, struct table *names,
                struct err *err)
{
    size_t line = 1, at = 0;

    for (size_t i = 0; i < found->count; i++) {
        const struct element *element = &found->at[i];
        const struct slice    value = { text.at + element->at, element->end - element->at };
        struct audit_element  made = { .at = element->at, .end = element->end };
        const bool            name = element->kind < ELEMENT_STRING, asked = asked_for(element, &made.category);
        bool                  first = true;

        if (name) {
            const struct content_hash hash = content_hash_raw(value);

            if (table_put(names, hash.low, hash.high, 1, &first) == TABLE_NONE)
                return err_memory(err, 32, "names of a file");
        }
        if (!asked || !first || value.len < AUDIT_LEAST) continue;
        for (; at < made.at; at++) line += text.at[at] == '\n';
        made.line = made.line_end = line;
        for (size_t b = made.at; b < made.end; b++) made.line_end += text.at[b] == '\n';
        if (audit_elements_add(out, made, err) < 0) return err->code;
    }
    return 0;
}

int audit_find_exact(struct audit_reader *reader, const struct language *language, struct slice text,
                     struct audit_elements *out, struct err *err)
{
    struct table names = { 0 };
    int          rc;

    if (!language || !functions_known(language) || text.len > LEXER_MAX_TEXT) return 0;
    rc = lexer_run(&reader->lexer, language, text, LEX_ALL | LEX_COMMENTS, err);
    if (rc == 0) rc = functions_find(&reader->functions, language, &reader->lexer, text, err);
    if (rc == 0) rc = measures_take(&reader->measures, language, &reader->lexer, &reader->functions, text, err);
    if (rc == 0)
        rc = elements_find(&reader->elements, language, &reader->lexer, &reader->functions, &reader->measures, text,
                           err);
    if (rc == 0) rc = take(&reader->elements, text, out, &names, err);
    table_free(&names);
    return rc;
}

void audit_reader_free(struct audit_reader *reader)
{
    lexer_free(&reader->lexer);
    functions_free(&reader->functions);
    measures_free(&reader->measures);
    elements_free(&reader->elements);
}
