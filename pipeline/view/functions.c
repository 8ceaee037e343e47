/* view/functions.c -- features of a document and of the functions in it, by one reading of its text. */
#include "view/scratch.h"

#include <errno.h>

/* The feature of a token, which is one unless it is left out: see features_of_lexed_tokens. */
static bool takes_token(enum view_kind kind, enum token_kind token)
{
    if (kind == VIEW_TOKENS || token == TOKEN_NAME) return true;
    return kind == VIEW_IDENTIFIERS_LITERALS && (token == TOKEN_NUMBER || token == TOKEN_STRING ||
                                                 token == TOKEN_PREFIXED);
}

static int features_make(struct view_scratch *scratch, const struct known_language *known, struct slice text,
                         struct feature_list *out, struct err *err)
{
    const enum view_kind kind = scratch->view.kind;
    const struct token  *token = scratch->lexer.token;
    const size_t         tokens = scratch->lexer.count;
    const uint64_t       seed = known->language.seed;
    uint32_t            *before;
    size_t               count = 0;

    if (view_reserve(scratch, tokens, err) < 0) return err->code;
    if (bytes_reserve(&scratch->before, (tokens + 1) * sizeof *before) < 0)
        return err_memory(err, tokens * sizeof *before, "a document's tokens");
    before = (uint32_t *)(void *)scratch->before.at;
    for (size_t i = 0; i < tokens; i++) {
        before[i] = (uint32_t)count;
        if (!takes_token(kind, (enum token_kind)token[i].kind)) continue;
        scratch->feature[count] = view_hash((struct slice){ text.at + token[i].at, token[i].len }, seed);
        count += kind == VIEW_TOKENS || token[i].kind != TOKEN_NAME || !is_keyword(known, scratch->feature[count]);
    }
    before[tokens] = (uint32_t)count;
    *out = (struct feature_list){ scratch->feature, count };
    return 0;
}

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
    rc = lexer_run(&scratch->lexer, language->row, record->text, LEX_ALL, err);
    if (rc == 0) rc = features_make(scratch, known, record->text, features, err);
    if (rc == 0) rc = functions_find(&scratch->functions, language->row, &scratch->lexer, record->text, err);
    *functions = (struct view_functions){ scratch->functions.at, scratch->functions.count,
                                          (const uint32_t *)(const void *)scratch->before.at };
    return rc;
}
