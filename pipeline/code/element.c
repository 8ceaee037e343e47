/* code/element.c -- see element.h: the walk over tokens and comments in the order of the text. */
#include "code/elements.h"

#include <stdlib.h>

const char *const element_names[ELEMENT_KINDS] = {
    [ELEMENT_VARIABLE] = "variable", [ELEMENT_FUNCTION] = "function", [ELEMENT_CLASS] = "class",
    [ELEMENT_PARAMETER] = "parameter", [ELEMENT_ATTRIBUTE] = "attribute", [ELEMENT_STRING] = "string",
    [ELEMENT_COMMENT] = "comment", [ELEMENT_DOCSTRING] = "docstring",
};

struct walk {
    struct elements      *elements;
    const struct finding *f;
    const uint8_t        *marks;
    uint32_t              string;                           /* before it a string that is a statement came last */
};

static int add(struct elements *elements, uint32_t at, uint32_t end, enum element_kind kind, bool declares)
{
    if (ARRAY_GROW(elements->at, elements->room, elements->count) < 0) return -ENOMEM;
    elements->at[elements->count++] = (struct element){ at, end, (uint8_t)kind, declares };
    return 0;
}

bool element_is_keyword(const struct finding *f, uint32_t token)
{
    /* values that not every list of keywords has */
    static const char *const python[] = { "True", "False", "None", NULL }, *const others[] = { "true", "false", "null",
                                                                                               "nil", NULL };
    const char *const *keyword = f->language->keywords;

    if (token >= f->count || f->token[token].kind != TOKEN_NAME) return false;
    for (const char *const *value = f->language->functions == FUNCTIONS_INDENTED ? python : others; *value; value++)
        if (token_is(f, token, *value)) return true;
    for (; *keyword; keyword++)
        if (**keyword == *token_text(f, token) && token_is(f, token, *keyword)) return true;
    return false;
}

/* Does the comment before `token` document something by itself?  A string: the text that it is the first of, or the
 * class the colon of whose head, before it, is marked. */
static bool documents(struct walk *w, const struct token *comment, uint32_t token)
{
    const char *text = w->f->text.at + comment->at;

    if (comment->kind == TOKEN_STRING) {
        const bool first = w->string != token;

        w->string = token;
        return first && (token == 0 || w->marks[token - 1] == MARK_DOCSTRING);
    }
    return comment->len > 4 && (memcmp(text, "/**", 3) == 0 || memcmp(text, "/*!", 3) == 0 ||
                                (memcmp(text, "///", 3) == 0 && text[3] != '/') || memcmp(text, "#' ", 3) == 0);
}

/* Comments of [*next, ...) that begin before `to`; those of functions' documentation are told by it. */
static int add_comments(struct walk *w, const struct lexer *lexer, const struct bytes *docs, size_t *next, size_t *doc,
                        uint32_t to, uint32_t token)
{
    const struct span *span = (const struct span *)(const void *)docs->at;
    const size_t       spans = docs->len / sizeof *span;

    for (; *next < lexer->comment_count && lexer->comment[*next].at < to; ++*next) {
        const struct token *comment = &lexer->comment[*next];
        bool                is_doc;

        while (*doc < spans && span[*doc].end <= comment->at) ++*doc;
        is_doc = documents(w, comment, token) || (*doc < spans && span[*doc].at <= comment->at);
        if (add(w->elements, comment->at, comment->at + comment->len, is_doc ? ELEMENT_DOCSTRING
                : comment->kind == TOKEN_STRING ? ELEMENT_STRING : ELEMENT_COMMENT, false) < 0) return -ENOMEM;
    }
    return 0;
}

static int add_token(struct walk *w, uint32_t t)
{
    const struct finding *f = w->f;
    const uint8_t         mark = w->marks[t] & (uint8_t)~MARK_TARGET;
    const uint32_t        at = f->token[t].at, end = token_end(f, t);
    bool                  declares = w->marks[t] & MARK_TARGET;
    enum element_kind     kind;

    if (f->token[t].kind == TOKEN_STRING || f->token[t].kind == TOKEN_PREFIXED)
        return add(w->elements, at, end, mark == MARK_DOCSTRING ? ELEMENT_DOCSTRING : ELEMENT_STRING, false);
    if (!token_is_name(f, t)) return 0;
    switch (mark) {
    case MARK_FUNCTION: return add(w->elements, at, end, ELEMENT_FUNCTION, true);
    case MARK_PARAMETER: return add(w->elements, at, end, ELEMENT_PARAMETER, true);
    case MARK_CLASS: return add(w->elements, at, end, ELEMENT_CLASS, true);
    case MARK_VARIABLE: return add(w->elements, at, end, ELEMENT_VARIABLE, true);
    default: break;
    }
    kind = element_of_name(f, t, &declares);
    return kind == ELEMENT_KINDS ? 0 : add(w->elements, at, end, kind, declares);
}

static int by_begin(const void *a, const void *b)
{
    const struct span *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

/* The spans of the functions' documentation in order. */
static int docs_find(struct bytes *docs, const struct functions *functions, const struct measures *measures)
{
    docs->len = 0;
    for (size_t i = 0; i < functions->count; i++) {
        const struct span *doc = &measures->at[i].docstring;

        if (doc->end > doc->at && bytes_append(docs, doc, sizeof *doc) < 0) return -ENOMEM;
    }
    if (docs->len) qsort(docs->at, docs->len / sizeof(struct span), sizeof(struct span), by_begin);
    return 0;
}

int elements_find(struct elements *elements, const struct language *language, const struct lexer *lexer,
                  const struct functions *functions, const struct measures *measures, struct slice text,
                  struct err *err)
{
    const struct finding f = { (struct functions *)(uintptr_t)functions, lexer->token, (uint32_t)lexer->count, text,
                               language };
    size_t               comment = 0, doc = 0;
    struct walk          w = { elements, &f, NULL, UINT32_MAX };
    int                  rc = docs_find(&elements->open, functions, measures);

    elements->count = 0;
    if (rc < 0 || bytes_reserve(&elements->marks, lexer->count + 1) < 0)
        return err_memory(err, lexer->count, "a text's elements");
    memset(elements->marks.at, 0, lexer->count + 1);
    w.marks = (uint8_t *)elements->marks.at;
    elements_mark(&f, measures, (uint8_t *)elements->marks.at);
    if (language->functions == FUNCTIONS_INDENTED) elements_mark_python(&f, (uint8_t *)elements->marks.at);
    for (uint32_t t = 0; t <= f.count && rc == 0; t++) {
        const uint32_t to = t < f.count ? f.token[t].at : (uint32_t)text.len + 1;

        rc = add_comments(&w, lexer, &elements->open, &comment, &doc, to, t);
        if (rc == 0 && t < f.count) rc = add_token(&w, t);
    }
    return rc == 0 ? 0 : err_memory(err, elements->count * sizeof *elements->at, "a text's elements");
}

void elements_free(struct elements *elements)
{
    free(elements->at);
    bytes_free(&elements->marks);
    bytes_free(&elements->open);
    *elements = (struct elements){ 0 };
}
