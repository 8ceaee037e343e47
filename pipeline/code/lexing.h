/* code/lexing.h -- the parts that lexer.c is put together from.  Private to code/. */
#ifndef LEAKGRAPH_CODE_LEXING_H
#define LEAKGRAPH_CODE_LEXING_H

#include "code/lexer.h"
#include "code/rows.h"

#include <string.h>

/* A string whose text is read piece by piece, as code lies in it (struct interpolation).  Such strings make a stack,
 * as the code in one may open another.  Either text of the last one is read (text_read), or code in
 * it is lexed, whose bracket `close` leads back to its text. */
struct opened {
    const struct interpolation *with;
    size_t   end;                                           /* it ends there at the latest, a here-document there */
    uint32_t count;                                         /* quotes that close it, one after the other */
    uint32_t hashes;                                        /* # after them, in escapes and before code (Swift) */
    /* { that open code, if count > 2 (C#), or $ (Kotlin); 0: one does */
    uint32_t braces;
    uint32_t nested;                                        /* `nest` in its text that are not closed yet */
    uint32_t depth, others;                                 /* brackets open in its code: like `close`, others */
    uint16_t flags;                                         /* enum form_flag of its text */
    char     quote;                                         /* closes it; NUL: only `end` does */
    char     nest;                                          /* opens a pair of delimiters in its text; NUL: none does */
    char     close;                                         /* of the code that is open; NUL: none (in a tag) */
    /* ${...} of the shell: what of it comes next.  In quotes, or in a here-document, ' quotes in patterns alone */
    enum { PARAMETER_NONE, PARAMETER_NAME, PARAMETER_SUBSCRIPT, PARAMETER_OPERATOR, PARAMETER_SLICE, PARAMETER_WORD,
           PARAMETER_PATTERN } parameter;
    bool     quoted;
    bool     inner;                                         /* its text is a part of that of the string below it */
    bool     letters;                                       /* small ones after it belong to it: /.../im */
    bool     format;                                        /* text from a colon to the code's bracket (Python, C#) */
    enum { TAG_NONE, TAG_OPENING, TAG_CLOSING, TAG_CHILDREN } tag;       /* JSX: what of the element is read */
};

enum { OPENED_MAX = 64 };                                   /* what lies deeper is text */

/* The body of a here-document, text[at..end). */
struct here { size_t at, end; const struct interpolation *with; };

enum { HERE_MAX = 8 };                                      /* pending at once; a further << is an operator */

/* What the forms of a row need to know of the place where they are tried.
 * text[begin..len) is lexed; 64 bytes past len are readable. */
struct scan {
    const struct language *row;
    const char            *text;
    size_t                 begin, len;
    /* end of the last piece: nothing before it may be taken again */
    size_t                 floor;
    size_t                 word_at, word_end;               /* the last name, [at, end); end 0: none yet */
    /* the last comment; end 0: none yet.  The code before it ends at comment_before, comment_line: and its line too */
    size_t                 comment_before, comment_end;
    bool                   comment_line;
    size_t                 here_count;
    enum { DIALECT_UNKNOWN, DIALECT_STANDARD, DIALECT_MYSQL } dialect;                  /* of SQL */
    bool                   escapes;                         /* SQL: a backslash has escaped a quote, and does so on */
    struct opened         *opened;                          /* [OPENED_MAX], the first `level` in use; NULL: no stack */
    size_t                 level;
    /* bytes that searches without a find may still read: keeps lexing linear */
    size_t                 budget;
    size_t                 dashes_end;                      /* of the run of hyphens that was looked at last */
    /* pending, the first `here_count`, in the text's order; the last member, as nothing clears it */
    struct here            here[HERE_MAX];
};

/* NAME: a name in quotes, which are no part of the token; RAW_NAME: its prefix is none either (r#try, U&"a b") */
enum piece_kind {
    PIECE_NONE, PIECE_COMMENT, PIECE_STRING, PIECE_PREFIXED, PIECE_NAME, PIECE_RAW_NAME, PIECE_OPERATOR
};
/* opened: the string was put on the stack, [start, end) is only what opens it, and text_read reads on from end */
struct piece { size_t start, end; enum piece_kind kind; bool opened; };

static inline struct piece piece_none(size_t at) { return (struct piece){ .start = at, .end = at }; }
static inline struct piece piece_string(size_t start, size_t end)
{
    return (struct piece){ .start = start, .end = end, .kind = PIECE_STRING };
}

/* Accounts for a search over [from, to) that may have been in vain.  Gives "no string". */
struct piece piece_lost(struct scan *scan, size_t from, size_t to);

/* What begins at the special character text[at].  A string's start lies before `at` when a prefix belongs to it; the
 * last name is then part of it (PREFIXED).  PIECE_NONE: an operator character. */
struct piece form_match(struct scan *scan, size_t at);

/* Puts a string on the stack; false when that is full or not there: then the string is text throughout. */
bool text_open(struct scan *scan, const struct opened *string);

/* Reads text of the string on top of the stack from i on; `after_name`: a name of its code ends there.  CLOSED: it ends
 * at *end, its quotes included, and is still on the stack; CODE: code follows at *end; NAME: a name does; TAG: the < of
 * a tag does (JSX).  INNER, which text_read does not return: text of a string of its own follows. */
enum text_stop { TEXT_CLOSED, TEXT_CODE, TEXT_NAME, TEXT_TAG, TEXT_INNER };
enum text_stop text_read(struct scan *scan, size_t i, bool after_name, size_t *end);

/* End of a string that is no part of the stack, its text read from i on as if no code were in it. */
size_t text_end(const struct scan *scan, const struct opened *string, size_t i);

/* What the byte at `at` of the code in the string on top of the stack is: nothing to it, the bracket that leads back to
 * the text, or the colon before a format, whose text is then on the stack.  Counts brackets.  */
enum code_stop { CODE_GOES_ON, CODE_CLOSES, CODE_FORMAT };
enum code_stop code_read(struct scan *scan, size_t at);

/* JSX: what is at `at` in a tag of the element on top of the stack; *end is past it.  CODE: in braces, or the arguments
 * of a type; ENDS: the children follow; ENDS_ELEMENT: what surrounds the element does. */
enum tag_part { TAG_NAME, TAG_STRING, TAG_CODE, TAG_COMMENT, TAG_ENDS, TAG_ENDS_ELEMENT, TAG_OTHER };
enum tag_part tag_read(struct scan *scan, size_t at, size_t *end);

/* PHP: position after the tag that ends the text outside it, from i on; len when none does. */
size_t markup_end(const char *text, size_t i, size_t len);

/* The forms that need a search for their own end mark; same contract, for one form. */
struct piece quote_match(struct scan *scan, const struct form *form, size_t at);

/* The forms of one language, which tell by what stands before a mark; same contract. */
struct piece here_match(struct scan *scan, const struct form *form, size_t at);
struct piece perl_match(struct scan *scan, size_t at);
struct piece ruby_match(struct scan *scan, const struct form *form, size_t at);
struct piece sql_match(struct scan *scan, size_t at);
struct piece shell_match(struct scan *scan, const struct form *form, size_t at);
struct piece regex_match(struct scan *scan, size_t at);     /* JavaScript's */
/* An element that begins at the < at `at` is on the stack then, in its opening tag, and the piece is empty. */
struct piece jsx_match(struct scan *scan, const struct form *form, size_t at);

/* Puts the text of ${...} on the stack, `inner`: it stands in the text on top of that; false as text_open. */
bool shell_parameter(struct scan *scan, const struct interpolation *with, bool inner);

/* What begins at *i of the parameter on top of the stack, up to its word; TEXT_CLOSED: only *i moves.  Else *end is as
 * text_read has it. */
enum text_stop shell_parameter_read(const struct scan *scan, struct opened *parameter, size_t *i, size_t *end);

/* Past the '...' or $'...' at i of a parameter's word, i where it quotes nothing. */
size_t shell_quote_end(const struct scan *scan, const struct opened *parameter, size_t i);

/* Puts the text of a "..." in the text of a parameter, which is on top of the stack, there too; false as text_open. */
bool shell_inner_string(struct scan *scan);

/* Whether the ) at `at` ends a pattern of `case`. */
bool shell_pattern(const struct scan *scan, size_t at);

/* Whether an operand is expected at `at`; Ruby's mark there ends at `after`. */
bool perl_operand(struct scan *scan, size_t at);
bool script_operand(struct scan *scan, size_t at);
bool ruby_operand(struct scan *scan, size_t at, size_t after);

/* Position after the last character of code before `at`: white space and comments are passed over.  *line: a line
 * ended between. */
size_t code_before(const struct scan *scan, size_t at, bool *line);

/* Position of the bracket `open` that the closing one at text[end - 1] belongs to; `end` when it is too far away.  The
 * search is paid for. */
size_t opening_before(struct scan *scan, size_t end, char open);

/* Start of the word that ends at `end`. */
size_t word_before(const struct scan *scan, size_t end);

/* Whether the word is in the NULL-terminated list. */
bool word_in(struct slice word, const char *const *list);

/* What closes the delimiter `open`, and the position after it for a text that starts at i; 0: it never closes. */
char closing_delimiter(char open);
size_t delimited_end(const struct scan *scan, size_t i, char open);

/* Position after the end of a string whose content starts at i: `count` times `quote` closes it, or len when nothing
 * does. Without FORM_LINES an unclosed string ends before its line end. */
size_t string_end(const char *text, size_t i, size_t len, char quote, size_t count, unsigned flags);

/* Offset of `close` (1 or more characters) in text[i..len), or len. */
size_t find_close(const char *text, size_t i, size_t len, const char *close);

/* End of the number whose first digit is text[at]; `fraction`: a point before it belongs to it. */
size_t number_end(const struct language *row, const char *text, size_t at, size_t len, bool fraction);

/* End of the run of blanks that `at` is in, at most `end`: an indentation is eight of them at a time.  8 bytes past
 * `end` are readable. */
static inline size_t spaces_end(const char *text, size_t at, size_t end)
{
    static const char eight[8] = "        ";

    for (; at < end; at += 8) {
        uint64_t read, blank;

        memcpy(&read, text + at, 8);
        memcpy(&blank, eight, 8);
        if (read == blank) continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        at += (size_t)__builtin_ctzll(read ^ blank) / 8;
#else
        at += (size_t)__builtin_clzll(read ^ blank) / 8;
#endif
        break;
    }
    return at < end ? at : end;
}

/* The classes of bytes of a row. */
void lexer_sets_make(struct lexer_sets *sets, const struct language *row);

/* Length of the operator at text[0..len), len > 0. */
size_t operator_length(const struct language *row, const char *text, size_t len);

/* Where Python's logical lines start, found by reading forward from the last question. */
struct python_lines {
    size_t at;                                              /* read so far */
    size_t column;                                          /* of the last logical line; SIZE_MAX: none seen yet */
    ptrdiff_t depth;                                        /* brackets opened less brackets closed */
    bool   fresh;                                           /* `at` starts a physical line outside any logical one */
    /* the line before it ended a logical line (or is not there) */
    bool   newline;
    bool   code;                                            /* a logical line has been read */
};

/* Whether the string at `at`, which only blanks precede on its line, follows INDENT or NEWLINE in the sense of Python's
 * tokenizer.  Calls must ask for ascending positions. */
bool python_docstring(struct python_lines *lines, const char *text, size_t at, size_t len);

/* Does it read text[at..end), a string with code in it, as one string?  If not, what it says from there on is not what
 * tokens say. */
bool python_in_step(const char *text, size_t at, size_t end, size_t len);

/* The same of a string outside brackets, told by all tokens before it, of which the operators in [floor, at) are not
 * told yet, so many brackets being open at `at`; `docstring_end`: of the last docstring, or 0.  1, 0; -1: they do not
 * say, or not soon. */
int  python_docstring_told(const char *text, size_t docstring_end, const struct token *token, size_t count,
                           size_t floor, size_t at, ptrdiff_t depth);

/* The published tools' behaviour (LEX_PUBLISHED): set lexer->dropped or append all tokens that `want` names.  0 or
 * -ENOMEM. */
int published_python(struct lexer *lexer, const struct language *row, struct slice text, unsigned want,
                     struct err *err);
int published_java(struct lexer *lexer, const struct language *row, struct slice text, unsigned want, struct err *err);

/* All comments and strings of a text of Python, in one pass of the same tokenizer, in lexer->token (TOKEN_COMMENT,
 * TOKEN_STRING, TOKEN_PREFIXED); lexer->dropped where it fails.  Nothing past the text's end is read.  0 or -ENOMEM. */
int published_python_comments(struct lexer *lexer, const struct language *row, struct slice text, struct err *err);

/* The operators beyond ASCII of the row's texts: where there are any, text->at becomes a copy in lexer->symbols, of the
 * same length and with 64 readable bytes behind it, in which each is a SYMBOL_FIRST and SYMBOL_MORE for its other
 * bytes.  1: it has become one, 0, or -ENOMEM. */
enum { SYMBOL_FIRST = 0x1E, SYMBOL_MORE = 0x1F };
int lexer_mark_symbols(struct lexer *lexer, const struct language *row, struct slice *text, struct err *err);

/* Room for `more` further tokens; 0 or -ENOMEM. */
int lexer_reserve(struct lexer *lexer, size_t more, struct err *err);

/* At least `words` 64-bit words of scratch, content not kept; 0 or -ENOMEM. */
int lexer_scratch(struct lexer *lexer, size_t words, struct err *err);

/* Decodes one UTF-8 character at text[0..len), len > 0; *used is its length.  A bad byte is U+FFFD of length 1. */
uint32_t unicode_decode(const char *text, size_t len, size_t *used);
/* Writes it as UTF-8, at most 4 bytes; returns their end. */
char *unicode_encode(uint32_t c, char *out);
/* letters, marks, digits of any script; ASCII: [A-Za-z0-9_] */
bool     unicode_is_word(uint32_t c);
bool     unicode_is_space(uint32_t c);                      /* white space as Python's str.split() knows it */

static inline struct token token_make(size_t start, size_t end, enum token_kind kind)
{
    return (struct token){ .at = (uint32_t)start, .kind = (unsigned)kind & 7u,
                           .len = (uint32_t)(end - start) & LEXER_MAX_TEXT };
}

static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
static inline bool char_in(char c, const char *set) { return c && strchr(set, c); }      /* NUL is in no set */
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

#endif
