/* code/conditions.c -- which tokens lizard counts as a condition, by language.
 *
 * The lists are those of lizard's readers (lizard_languages/, 1.17 and later), Python's and Java's those that were
 * measured.  Of Julia and the shell, which lizard does not read, they are ours in its manner.  What its readers do
 * beside the list is kept where it concerns the language and not the tool's way of cutting tokens: `x?` is one word in
 * Swift, TypeScript, Kotlin and Ruby, <?> one in Java; lines of the preprocessor count as one condition at most; && of
 * an rvalue reference is none; of Kotlin's `when` each branch but one counts. */
#include "code/functions.h"
#include "code/measure.h"
#include "code/rows.h"

struct condition_rule {
    const char *const *words;                               /* NULL-terminated */
    bool               body;                                /* from the body on */
    bool               joined;                              /* a ? right behind a word is no condition */
    bool               directives, references, whens, labels, wildcards;
};

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

static const struct condition_rule rules[] = {
    [FUNCTIONS_INDENTED] = { .words = WORDS("if", "elif", "for", "while", "except", "finally", "and", "or") },
    [FUNCTIONS_RUBY] = { .words = WORDS("if", "until", "for", "while", "and", "or", "elsif", "elseif", "rescue",
                                        "ensure", "when", "||", "&&", "?"), .joined = true },
    [FUNCTIONS_LUA] = { .words = WORDS("if", "until", "for", "while", "and", "or", "elsif", "elseif") },
    [FUNCTIONS_JULIA] = { .words = WORDS("if", "elseif", "for", "while", "catch", "&&", "||", "?") },
    [FUNCTIONS_JAVA] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case"), .body = true,
                         .wildcards = true },
    [FUNCTIONS_C] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case"), .body = true,
                      .directives = true, .references = true },
    [FUNCTIONS_CPP] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case"), .body = true,
                        .directives = true, .references = true },
    [FUNCTIONS_CSHARP] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case", "?\?"),
                           .body = true, .directives = true, .references = true },
    [FUNCTIONS_GO] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case") },
    [FUNCTIONS_RUST] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case", "match", "where") },
    [FUNCTIONS_PHP] = { .words = WORDS("if", "elseif", "for", "foreach", "while", "&&", "||", "?", "catch", "case",
                                       "match") },
    [FUNCTIONS_KOTLIN] = { .words = WORDS("if", "for", "while", "catch", "&&", "||", "?:"), .joined = true,
                           .whens = true, .labels = true },
    [FUNCTIONS_SWIFT] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case", "guard"),
                          .joined = true, .labels = true },
    [FUNCTIONS_SCALA] = { .words = WORDS("if", "for", "while", "&&", "||", "?", "catch", "case", "do") },
    [FUNCTIONS_PERL] = { .words = WORDS("if", "elsif", "unless", "while", "until", "for", "foreach", "&&", "||",
                                        "?", ":", "when", "given", "default", "do") },
    [FUNCTIONS_SHELL] = { .words = WORDS("if", "elif", "for", "while", "until", "case", "&&", "||") },
    [FUNCTIONS_R] = { .words = WORDS("if", "for", "while", "repeat", "switch", "tryCatch", "try", "ifelse", "&&",
                                     "||", "&", "|") },
    [FUNCTIONS_SCRIPT] = { .words = WORDS("if", "elseif", "for", "while", "&&", "||", "?", "catch", "case"),
                           .joined = true },
};

void conditions_begin(struct conditions *conditions, const struct finding *f)
{
    *conditions = (struct conditions){ .rule = &rules[f->language->functions], .f = f };
}

bool conditions_of_body(const struct language *language) { return rules[language->functions].body; }

static bool word_listed(const struct finding *f, uint32_t t, const char *const *words)
{
    const enum token_kind kind = (enum token_kind)f->token[t].kind;

    if (f->token[t].len > 8 || (kind != TOKEN_NAME && kind != TOKEN_OPERATOR)) return false;
    for (; *words; words++)
        if (token_is(f, t, *words)) return true;
    return false;
}

/* Of the line of the preprocessor at `t`, whose tokens are passed over; lines go on behind a backslash. */
static int directive(struct conditions *c, uint32_t t)
{
    const struct slice text = c->f->text;
    size_t             at = c->f->token[t].at, end = at;

    while (at && (text.at[at - 1] == ' ' || text.at[at - 1] == '\t')) at--;
    if (at && text.at[at - 1] != '\n' && text.at[at - 1] != '\r') return 0;
    for (; end < text.len && text.at[end] != '\n'; end++)
        if (text.at[end] == '\\' && end + 1 < text.len) end += text.at[end + 1] == '\r' ? 2 : 1;
    c->directive = end;
    return token_is(c->f, t + 1, "if") || token_is(c->f, t + 1, "ifdef") || token_is(c->f, t + 1, "elif");
}

/* && x =: a reference is no condition, which is known when the = comes. */
static int reference(struct conditions *c, uint32_t t)
{
    if (token_is(c->f, t, "&&")) {
        c->reference = true;
        return 0;
    }
    if (!c->reference || !token_is_mark(c->f, t, "=;{})")) return 0;
    c->reference = false;
    return token_is_mark(c->f, t, "=") ? -1 : 0;
}

/* Each arrow right inside the braces of a `when` is a branch; the last brace takes one back. */
static int branch(struct conditions *c, uint32_t t)
{
    enum { LEVELS = sizeof c->when_depth / sizeof *c->when_depth };

    if (token_is(c->f, t, "when")) c->when_next = true;
    else if (token_is_mark(c->f, t, "{")) {
        c->depth++;
        if (c->when_next && c->whens < LEVELS) c->when_depth[c->whens++] = c->depth;
        c->when_next = false;
    } else if (token_is_mark(c->f, t, "}") && c->depth) {
        const bool ends = c->whens && c->when_depth[c->whens - 1] == c->depth;

        c->depth--;
        c->whens -= ends;
        return -ends;
    } else if (token_is(c->f, t, "->")) return c->whens && c->when_depth[c->whens - 1] == c->depth;
    return 0;
}

int condition_of(struct conditions *c, uint32_t t)
{
    const struct finding *f = c->f;
    int                   more = 0;

    if (f->token[t].at < c->directive) return 0;
    if (c->rule->directives && token_is_mark(f, t, "#") && (more = directive(c, t)) != 0) return more;
    if (c->rule->references) more = reference(c, t);
    if (c->rule->whens) more = branch(c, t);
    if (!word_listed(f, t, c->rule->words)) return more;
    if (token_is_mark(f, t, "?")) {
        if (c->rule->joined && t && token_is_name(f, t - 1) && token_end(f, t - 1) == f->token[t].at)
            return 0;
        if (c->rule->wildcards && t && token_is_mark(f, t - 1, "<") && token_is_mark(f, t + 1, ">")) return 0;
    }
    if (c->rule->labels && t && token_is_mark(f, t - 1, "(,") && token_is_mark(f, t + 1, ":")) return 0;
    return more + 1;
}
