/* view/forms.c -- see forms.h. */
#include "view/forms.h"

#include "base/table.h"
#include "code/statement.h"
#include "view/scratch.h"

#include <errno.h>
#include <stdlib.h>

/* What stands for a name, a number, a string in the blind form: hashes of no token's bytes, as no token is empty. */
enum { BLIND_NAME = 1, BLIND_NUMBER, BLIND_STRING, CONSISTENT = 16 };
enum { NAMES_ROOM = 1 << 14 };                              /* slots of a table that is kept for the next function */

struct forms {
    struct view_scratch         *scratch;                   /* of the last text */
    const struct known_language *known;
    struct slice                 text;
    size_t                       tokens;                    /* of it */
    struct table                 names;                     /* of a function: hash to the place where it is first */
    uint64_t                    *exact, *consistent, *blind, *item;         /* [room] a token, or an item of type 3 */
    uint32_t                    *number;                    /* [room] each token's statement */
    uint32_t                    *ordinal, *name;            /* [room] of a token, its number among names; of a name */
    size_t                       name_count, name_first, name_last; /* of names; tokens */
    size_t                       room;
};

int forms_open(struct forms **out, struct err *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : err_memory(err, sizeof **out, "forms of functions");
}

static void rows_free(struct forms *forms)
{
    free(forms->exact);
    free(forms->consistent);
    free(forms->blind);
    free(forms->item);
    free(forms->number);
    free(forms->ordinal);
    free(forms->name);
    forms->exact = forms->consistent = forms->blind = forms->item = NULL;
    forms->number = forms->ordinal = forms->name = NULL;
    forms->room = 0;
}

void forms_close(struct forms *forms)
{
    if (!forms) return;
    rows_free(forms);
    table_free(&forms->names);
    free(forms);
}

static int forms_reserve(struct forms *forms, size_t tokens, struct err *err)
{
    const size_t room = tokens + tokens / 2 + 64;

    if (tokens <= forms->room) return 0;
    rows_free(forms);
    forms->exact = malloc(room * sizeof *forms->exact);
    forms->consistent = malloc(room * sizeof *forms->consistent);
    forms->blind = malloc(room * sizeof *forms->blind);
    forms->item = malloc(room * sizeof *forms->item);
    forms->number = malloc(room * sizeof *forms->number);
    forms->ordinal = malloc(room * sizeof *forms->ordinal);
    forms->name = malloc(room * sizeof *forms->name);
    forms->room = room;
    if (forms->exact && forms->consistent && forms->blind && forms->item && forms->number && forms->ordinal &&
        forms->name) return 0;
    rows_free(forms);
    return err_memory(err, room * sizeof *forms->exact, "tokens of a function");
}

int forms_read(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
               struct slice text, const struct functions **functions, struct err *err)
{
    int rc;

    forms->scratch = scratch;
    forms->known = (const struct known_language *)language;
    forms->text = text;
    *functions = &scratch->functions;
    scratch->functions.count = 0;
    forms->tokens = 0;
    if (!functions_known(language->row)) return 0;
    rc = lexer_run(&scratch->lexer, language->row, text, LEX_ALL, err);
    if (rc == 0) forms->tokens = scratch->lexer.count;
    return rc < 0 ? rc : functions_find(&scratch->functions, language->row, &scratch->lexer, text, err);
}

void forms_take(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
                struct slice text)
{
    forms->scratch = scratch;
    forms->known = (const struct known_language *)language;
    forms->text = text;
    forms->tokens = scratch->lexer.count;
}

size_t forms_tokens(const struct forms *forms) { return forms->tokens; }

/* A hash that no token's bytes have: that of nothing, from another seed. */
static uint64_t stand_in(const struct forms *forms, uint64_t of)
{
    static const char nothing[BYTES_PAD];

    return view_hash((struct slice){ nothing, 0 }, forms->known->language.seed + of * VIEW_HASH_K1);
}

/* Token i of a function, at its place. */
static int token_form(struct forms *forms, const struct token *token, size_t i)
{
    const uint64_t hash = view_hash((struct slice){ forms->text.at + token->at, token->len },
                                    forms->known->language.seed);
    uint32_t       first;
    bool           added;

    forms->exact[i] = forms->blind[i] = forms->consistent[i] = hash;
    if (token->kind == TOKEN_NUMBER) forms->blind[i] = forms->consistent[i] = stand_in(forms, BLIND_NUMBER);
    if (token->kind == TOKEN_STRING || token->kind == TOKEN_PREFIXED)
        forms->blind[i] = forms->consistent[i] = stand_in(forms, BLIND_STRING);
    if (!is_identifier(forms->known, token, hash)) return 0;
    if (!forms->name_count) forms->name_first = i;
    forms->name_last = i;
    first = table_put(&forms->names, hash, 0, (uint32_t)i, &added);
    if (first == TABLE_NONE) return -ENOMEM;
    forms->blind[i] = stand_in(forms, BLIND_NAME);
    forms->consistent[i] = stand_in(forms, CONSISTENT + first);
    forms->ordinal[i] = (uint32_t)forms->name_count;
    forms->name[forms->name_count++] = forms->ordinal[first];
    return 0;
}

/* The hashes of the blind form's statements: those of their tokens. */
static size_t statements_fill(struct forms *forms, const struct function *function)
{
    const size_t   tokens = function->token_end - function->token;
    const uint32_t statements = statements_number(forms->known->language.row, &forms->scratch->lexer, forms->text,
                                                  function->token, function->token_end, forms->number);

    for (uint32_t s = 0; s < statements; s++) forms->item[s] = forms->known->language.seed;
    for (size_t i = 0; i < tokens; i++) {
        uint64_t          *item;
        unsigned __int128  product;

        if (forms->number[i] == STATEMENT_NONE) continue;
        item = &forms->item[forms->number[i]];
        product = (unsigned __int128)(*item ^ VIEW_HASH_K0) * (forms->blind[i] ^ VIEW_HASH_K1);
        *item = (uint64_t)product ^ (uint64_t)(product >> 64);
        *item += forms->blind[i] * VIEW_HASH_K2 + 1;
    }
    for (uint32_t s = 0; s < statements; s++) forms->item[s] += !forms->item[s];
    return statements;
}

static struct content_hash sequence_hash(const uint64_t *hash, size_t count)
{
    return content_hash_raw((struct slice){ (const char *)hash, count * sizeof *hash });
}

static size_t repeated_count(struct forms *forms)
{
    uint32_t *again = forms->ordinal;                       /* nobody asks for these any more */
    size_t    repeated = 0;

    for (size_t i = 0; i < forms->name_count; i++)
        if (forms->name[i] == i) again[i] = 0;
        else repeated += again[forms->name[i]]++ == 0;
    return repeated;
}

/* The forms of so many tokens from that one on. */
static int tokens_form(struct forms *forms, size_t from, size_t tokens, struct err *err)
{
    if (forms_reserve(forms, tokens, err) < 0) return err->code;
    if (forms->names.room > NAMES_ROOM) table_free(&forms->names);
    else table_clear(&forms->names);
    forms->name_count = forms->name_first = forms->name_last = 0;
    for (size_t t = 0; t < tokens; t++)
        if (token_form(forms, &forms->scratch->lexer.token[from + t], t) < 0)
            return err_memory(err, tokens * sizeof(struct table_slot), "names of a function");
    return 0;
}

int forms_inside(struct forms *forms, struct view_scratch *scratch, const struct view_language *language,
                 struct slice text, struct content_hash *out, struct err *err)
{
    int rc = lexer_run(&scratch->lexer, language->row, text, LEX_ALL, err);

    forms_take(forms, scratch, language, text);
    if (rc == 0) rc = tokens_form(forms, 0, scratch->lexer.count, err);
    if (rc == 0) *out = sequence_hash(forms->consistent, scratch->lexer.count);
    return rc;
}

int forms_of(struct forms *forms, size_t i, enum form_items items, struct form *out, struct err *err)
{
    const struct function *function = &forms->scratch->functions.at[i];
    const size_t           tokens = function->token_end - function->token;

    if (tokens_form(forms, function->token, tokens, err) < 0) return err->code;
    *out = (struct form){ .exact = sequence_hash(forms->exact, tokens), .tokens = tokens,
                          .consistent = sequence_hash(forms->consistent, tokens),
                          .blind = sequence_hash(forms->blind, tokens), .item = forms->blind, .items = tokens,
                          .name = forms->name, .names = forms->name_count, .repeated = repeated_count(forms) };
    if (forms->name_count) {
        const struct token *token = &forms->scratch->lexer.token[function->token];

        out->inside.at = token[forms->name_first].at;
        out->inside.end = token[forms->name_last].at;
    }
    if (items == FORM_TOKENS) return 0;
    out->items = statements_fill(forms, function);
    out->item = forms->item;
    return 0;
}

void forms_places(const struct forms *forms, size_t i, enum form_items items, struct form_place *out)
{
    const struct function *function = &forms->scratch->functions.at[i];
    size_t                 met = 0;

    for (size_t t = function->token; t < function->token_end; t++) {
        const struct token *token = &forms->scratch->lexer.token[t];
        const size_t        item = items == FORM_TOKENS ? t - function->token : forms->number[t - function->token];

        if (item == STATEMENT_NONE) continue;
        if (item >= met) out[met++].at = token->at;         /* they are met in their order */
        out[item].end = token->at + token->len;
    }
}
