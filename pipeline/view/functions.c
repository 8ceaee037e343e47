/* view/functions.c -- features of a document and of the functions in it, by one reading of its text. */
#include "view/scratch.h"

bool view_tells_functions(const struct view_options *view, const struct view_language *language,
                          const struct record *record)
{
    return view_has_functions(view) && language->row && functions_known(language->row) && !record_has_tokens(record);
}

/* The functions among the lexer's tokens, before which there are these features. */
static int functions_tell(struct view_scratch *scratch, const struct view_language *language, struct slice text,
                          struct view_functions *functions, struct err *err)
{
    const int rc = functions_find(&scratch->functions, language->row, &scratch->lexer, text, err);

    *functions = (struct view_functions){ scratch->functions.at, scratch->functions.count,
                                          (const uint32_t *)(const void *)scratch->before.at,
                                          scratch->functions.told };
    return rc;
}

int view_functions(struct view_scratch *scratch, const struct view_language *language, const struct record *record,
                   struct feature_list *features, struct view_functions *functions, struct err *err)
{
    const struct known_language *known = (const struct known_language *)language;
    int                          rc;

    *functions = (struct view_functions){ 0 };
    if (!view_tells_functions(&scratch->view, language, record))
        return view_features(scratch, language, record, features, err);
    *features = (struct feature_list){ scratch->feature, 0 };
    rc = view_lexed(scratch, known, record->text, LEX_ALL | VIEW_ALSO_BEFORE, features, err);
    return rc < 0 ? rc : functions_tell(scratch, language, record->text, functions, err);
}

/* Fills before by the places of the features, behind the last of which there is none. */
static int before_fill(struct view_scratch *scratch, struct err *err)
{
    const struct token *token = scratch->lexer.token;
    uint32_t           *before, count = 0;

    if (bytes_reserve(&scratch->before, (scratch->lexer.count + 1) * sizeof *before) < 0)
        return err_memory(err, scratch->lexer.count * sizeof *before, "a document's tokens");
    before = (uint32_t *)(void *)scratch->before.at;
    for (size_t i = 0; i < scratch->lexer.count; i++) {
        before[i] = count;
        count += token[i].at == scratch->place[count];
    }
    before[scratch->lexer.count] = count;
    return 0;
}

int view_functions_behind(struct view_scratch *scratch, const struct view_language *language,
                          const struct record *record, struct feature_list *features,
                          struct view_functions *functions, struct err *err)
{
    int rc;

    if (!scratch->placed || !view_tells_functions(&scratch->view, language, record))
        return view_functions(scratch, language, record, features, functions, err);
    *functions = (struct view_functions){ 0 };
    rc = lexer_run(&scratch->lexer, language->row, record->text, LEX_ALL, err);
    if (rc < 0 || (rc = before_fill(scratch, err)) < 0) return rc;
    return functions_tell(scratch, language, record->text, functions, err);
}
