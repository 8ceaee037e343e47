/* view/functions.c -- features of a document and of the functions in it, by one reading of its text. */
#include "view/scratch.h"

#include "base/search.h"

bool view_tells_functions(const struct view_options *view, const struct view_language *language,
                          const struct record *record)
{
    return view_has_functions(view) && language->row && functions_known(language->row) && !record_has_tokens(record);
}

/* Features that start before the token. */
static uint32_t features_before(const struct view_scratch *scratch, size_t count, const struct token *token)
{
    return (uint32_t)search_u32(scratch->place, sizeof *scratch->place, 0, 0, count, token->at);
}

/* The functions among the lexer's tokens, of a text of so many features whose places are told. */
static int functions_tell(struct view_scratch *scratch, const struct view_language *language, struct slice text,
                          size_t count, struct view_functions *functions, struct err *err)
{
    const struct lexer       *lexer = &scratch->lexer;
    struct view_function_run *run;
    int                       rc = functions_find(&scratch->functions, language->row, lexer, text, err);

    if (rc < 0) return rc;
    if (bytes_reserve(&scratch->runs, (scratch->functions.count + 1) * sizeof *run) < 0)
        return err_memory(err, scratch->functions.count * sizeof *run, "a document's functions");
    run = (struct view_function_run *)(void *)scratch->runs.at;
    for (size_t i = 0; i < scratch->functions.count; i++) {
        const struct function *function = &scratch->functions.at[i];

        run[i].from = features_before(scratch, count, &lexer->token[function->token]);
        run[i].to = function->token_end < lexer->count
            ? features_before(scratch, count, &lexer->token[function->token_end]) : (uint32_t)count;
    }
    *functions = (struct view_functions){ scratch->functions.at, scratch->functions.count, run,
                                          scratch->functions.told };
    return 0;
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
    rc = view_lexed(scratch, known, record->text, LEX_ALL | VIEW_ALSO_PLACES, features, err);
    return rc < 0 ? rc : functions_tell(scratch, language, record->text, features->count, functions, err);
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
    return rc < 0 ? rc : functions_tell(scratch, language, record->text, features->count, functions, err);
}
