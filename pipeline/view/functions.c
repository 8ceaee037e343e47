/* view/functions.c -- features of a document and of the functions in it, by one reading of its text. */
#include "view/scratch.h"

bool view_tells_functions(const struct view_options *view, const struct view_language *language,
                          const struct record *record)
{
    return view_has_functions(view) && language->row && functions_known(language->row) && !record_has_tokens(record);
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
    if (rc == 0) rc = functions_find(&scratch->functions, language->row, &scratch->lexer, record->text, err);
    *functions = (struct view_functions){ scratch->functions.at, scratch->functions.count,
                                          (const uint32_t *)(const void *)scratch->before.at,
                                          scratch->functions.told };
    return rc;
}
