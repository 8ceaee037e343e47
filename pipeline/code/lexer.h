/* code/lexer.h -- one table-driven lexer for every language row.
 *
 * Finds word and special-character bitmaps with kernels->classify, then walks from event to event, so that
 * white space, comments and (when nobody wants them) operators cost next to nothing.  It never fails on odd
 * input: what is unterminated ends at the line or the text's end as the row says. */
#ifndef LEAKGRAPH_CODE_LEXER_H
#define LEAKGRAPH_CODE_LEXER_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/slice.h"
#include "code/language.h"
#include "kernels/kernels.h"

#include <stdint.h>

enum token_kind {
    TOKEN_NAME,                                             /* identifier or keyword */
    TOKEN_QUOTED,                                           /* a name in quotes or with a mark, no keyword: `in` @in */
    TOKEN_NUMBER,
    TOKEN_STRING,                                           /* string or character literal, quotes included */
    /* string literal with a letter prefix: f"x", b'y', R"(z)" */
    TOKEN_PREFIXED,
    TOKEN_OPERATOR,                                         /* operator or punctuation */
    TOKEN_STRAY,                                            /* a character that starts no token of the language */
    TOKEN_COMMENT,                                          /* in lexer.comment alone */
};

enum lex_want {                                             /* what to emit; names and prefixed strings always are */
    LEX_NAMES     = 0,
    LEX_LITERALS  = 1,                                      /* numbers and strings */
    LEX_OPERATORS = 2,                                      /* operators and strays */
    LEX_ALL       = 3,
    LEX_PUBLISHED = 4,                                      /* the published tools' quirks (compat: published) */
    /* comments, and Python's docstrings as TOKEN_STRING, in lexer.comment; with LEX_ALL, without LEX_PUBLISHED */
    LEX_COMMENTS  = 8,
};

struct token { uint32_t at; uint32_t kind : 3, len : 29; }; /* byte offset and length in the text */

/* A byte between words: white space; an operator whatever stands behind it; one that may be longer; what has to be
 * looked at. */
enum gap_class { GAP_BLANK, GAP_SINGLE, GAP_LONGER, GAP_OTHER };

/* The classes of bytes of a language, made when its first text comes.  number_words: a number takes its whole word with
 * it, up to a $, should that be a letter. */
struct lexer_sets {
    const struct language *row;
    struct byteset         word, special, stray;
    uint8_t                gap[256];
    bool                   number_words;
};

/* Reusable per thread.  A zeroed struct is ready; lexer_free releases its memory. */
struct lexer {
    struct token *token;                                    /* [count], owned, valid until the next lexer_run */
    size_t        count, room;
    struct token *comment;                                  /* [comment_count], as token; LEX_COMMENTS */
    size_t        comment_count, comment_room;
    /* LEX_PUBLISHED: the published tools drop this text; count is 0 */
    bool          dropped;
    uint64_t     *bits;                                     /* scratch: class bitmaps, stacks */
    size_t        bits_room;
    struct bytes  symbols;                                  /* scratch: a text with its operators beyond ASCII marked */
    struct lexer_sets sets;                                 /* of the last text's language */
};

enum { LEXER_MAX_TEXT = (1 << 29) - 1 };

/* Lexes text (at most LEXER_MAX_TEXT bytes; 64 bytes past its end must be readable).  Comments and, for Python,
 * docstrings (docs/definitions.md, "Tokens") are no tokens.  Returns 0, or -ENOMEM with err set. */
int  lexer_run(struct lexer *lexer, const struct language *language, struct slice text, unsigned want, struct err *err);
void lexer_free(struct lexer *lexer);

#endif
