/* code/statement.c -- see statement.h. */
#include "code/statement.h"

#include "code/rows.h"

/* How the statements of a language end. */
struct endings { bool lines, braces; };

static struct endings endings_of(const struct language *language)
{
    switch (language->functions) {
    case FUNCTIONS_INDENTED: case FUNCTIONS_RUBY: case FUNCTIONS_LUA: case FUNCTIONS_JULIA:
        return (struct endings){ true, false };
    case FUNCTIONS_JAVA: case FUNCTIONS_C: case FUNCTIONS_CPP: case FUNCTIONS_CSHARP: case FUNCTIONS_RUST:
    case FUNCTIONS_PHP: case FUNCTIONS_PERL:
        return (struct endings){ false, true };
    default: return (struct endings){ true, true };
    }
}

/* Does a line end between two tokens?  Not where a backslash is before the line feed. */
static bool line_ends_between(const struct lexer *lexer, struct slice text, size_t i)
{
    const struct token *before = &lexer->token[i - 1];

    for (uint32_t at = before->at + before->len; at < lexer->token[i].at; at++) {
        if (text.at[at] != '\n' && text.at[at] != '\r') continue;
        if (text.at[at - 1] != '\\' && !(text.at[at] == '\n' && text.at[at - 1] == '\r' && at >= 2 &&
                                         text.at[at - 2] == '\\')) return true;
    }
    return false;
}

uint32_t statements_number(const struct language *language, const struct lexer *lexer, struct slice text, size_t first,
                           size_t last, uint32_t *number)
{
    const struct endings ends = endings_of(language);
    uint32_t             statements = 0, depth = 0;         /* open brackets since the last brace that ends one */
    bool                 open = false;

    for (size_t i = first; i < last; i++) {
        const struct token *token = &lexer->token[i];
        const char          mark = token->len == 1 && token->kind >= TOKEN_OPERATOR ? text.at[token->at] : 0;
        const bool          brace = mark == '{' || mark == '}';

        if (ends.lines && depth == 0 && i > first && line_ends_between(lexer, text, i)) open = false;
        number[i - first] = STATEMENT_NONE;
        if ((brace && ends.braces) || (mark == ';' && depth == 0)) {
            open = false;
            if (brace) depth = 0;
            continue;
        }
        if (mark == '(' || mark == '[' || mark == '{') depth++;
        if ((mark == ')' || mark == ']' || mark == '}') && depth) depth--;
        statements += !open;
        open = true;
        number[i - first] = statements - 1;
    }
    return statements;
}
