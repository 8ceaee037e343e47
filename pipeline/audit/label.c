/* audit/label.c -- see label.h. */
#include "audit/label.h"

#include "base/utf8.h"
#include "code/lexing.h"
#include "similarity/comments.h"

#include <string.h>

/* As Python reads a file: CR LF is one. */
static size_t characters_of(struct slice text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += ((unsigned char)text.at[i] & 0xc0) != 0x80 &&
            !(text.at[i] == '\r' && i + 1 < text.len && text.at[i + 1] == '\n');
    return count;
}

static size_t stripped_characters(struct slice text) { return characters_of(comments_strip(text)); }

static bool is_triple(struct slice string)
{
    return string.len >= 3 && string.at[1] == string.at[0] && string.at[2] == string.at[0];
}

/* Of the lines between the first and the last. */
static size_t lines_between(struct slice string)
{
    size_t      count = 0;
    const char *line = memchr(string.at, '\n', string.len), *feed, *const end = string.at + string.len;

    if (!line) return 0;
    for (line++; (feed = memchr(line, '\n', (size_t)(end - line))); line = feed + 1)
        count += stripped_characters((struct slice){ line, (size_t)(feed - line) });
    return count;
}

int audit_comment_ratio(struct lexer *lexer, struct slice text, double *out, struct err *err)
{
    size_t said = 0, all;
    int    rc;

    *out = AUDIT_RATIO_NONE;
    if (text.len > LEXER_MAX_TEXT || utf8_valid_length(text) < text.len) return 0;
    rc = published_python_comments(lexer, language_by_name(SLICE("python")), text, err);
    if (rc < 0 || lexer->dropped) return rc;
    for (size_t i = 0; i < lexer->count; i++) {
        const struct token *token = &lexer->token[i];
        const struct slice  value = { text.at + token->at, token->len };

        if (token->kind == TOKEN_COMMENT) said += stripped_characters(value);
        else if (token->kind == TOKEN_STRING && is_triple(value)) said += lines_between(value);
    }
    all = characters_of(text);
    if (all > said) *out = (double)said / (double)(all - said);
    return 0;
}

int audit_label_of(double ratio)
{
    return ratio == AUDIT_RATIO_NONE ? -1 : ratio > 0.01 && ratio < 0.8;
}
