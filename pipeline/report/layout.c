/* report/layout.c -- see layout.h. */
#include "report/layout.h"

#include "code/lexer.h"

#include <assert.h>
#include <stdlib.h>

/* deeper braces are indented no further, so that lines stay short however deep a text nests */
enum { LAYOUT_INDENT = 4, LAYOUT_DEPTH = 8 };

static const char *const layout_languages[] = { "c", "cpp", "csharp", "java", "javascript", "perl", "php", "rust",
                                                "typescript" };

bool layout_fits(const struct language *language)
{
    for (size_t i = 0; i < sizeof layout_languages / sizeof layout_languages[0]; i++)
        if (strcmp(language_name(language), layout_languages[i]) == 0) return true;
    return false;
}

struct laying {
    struct layout *out;
    struct slice   text;
    struct bytes   open;                                    /* the brackets that are open */
    size_t         braces, seen;                            /* open braces; bytes whose line ends are counted */
    uint32_t       line;                                    /* line ends among them */
    bool           fresh;                                   /* the next piece begins a line */
    struct slice   last;                                    /* the piece before, on this line */
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static bool is_byte(struct slice piece, char byte) { return piece.len == 1 && piece.at[0] == byte; }

static bool is_one_of(struct slice piece, const char *bytes)
{
    return piece.len == 1 && piece.at[0] && strchr(bytes, piece.at[0]);
}

static int note_line(struct laying *l)
{
    if (ARRAY_GROW(l->out->line, l->out->room, l->out->count) < 0) return -ENOMEM;
    l->out->line[l->out->count++] = l->line;
    return 0;
}

static int end_line(struct laying *l)
{
    if (l->fresh) return 0;
    l->fresh = true;
    l->last = (struct slice){ NULL, 0 };
    return bytes_append(&l->out->text, "\n", 1);
}

/* Words that a bracket does not follow as it follows the name of a function. */
static bool is_statement(struct slice word)
{
    static const char *const words[] = { "catch", "for", "foreach", "if", "return", "switch", "synchronized", "throw",
                                         "try", "while" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (slice_equal(word, slice_of(words[i]))) return true;
    return false;
}

static bool wants_blank(struct slice last, struct slice piece)
{
    if (is_byte(piece, '(') && is_statement(last)) return true;
    return last.len && !is_one_of(last, "([.!~@#") && !is_one_of(piece, ")],;.([") && !slice_equal(last, SLICE("::")) &&
        !slice_equal(piece, SLICE("::"));
}

/* Appends a piece of the text; one of several lines keeps them. */
static int put(struct laying *l, struct slice piece)
{
    size_t at = (size_t)(piece.at - l->text.at), depth = l->braces < LAYOUT_DEPTH ? l->braces : LAYOUT_DEPTH;
    int    rc = 0;

    for (; l->seen < at; l->seen++) l->line += l->text.at[l->seen] == '\n';
    if (l->fresh) {
        rc = note_line(l);
        for (size_t i = 0; i < depth && rc == 0; i++) rc = bytes_append(&l->out->text, "    ", LAYOUT_INDENT);
    } else if (wants_blank(l->last, piece)) {
        rc = bytes_append(&l->out->text, " ", 1);
    }
    l->fresh = false;
    l->last = piece;
    if (rc == 0) rc = bytes_append_slice(&l->out->text, piece);
    for (; l->seen < at + piece.len && rc == 0; l->seen++) {
        if (l->text.at[l->seen] != '\n') continue;
        l->line++;
        rc = note_line(l);
    }
    return rc;
}

/* What lies between two tokens: blanks, and the lines of comments, words of which are one blank apart. */
static int lay_gap(struct laying *l, size_t at, size_t end)
{
    bool comment = false;
    int  rc = 0;

    while (at < end && rc == 0) {
        size_t from;

        for (; at < end && is_blank(l->text.at[at]); at++) {
            if (!comment || l->text.at[at] != '\n') continue;
            rc = end_line(l);
            comment = false;
            if (rc < 0) return rc;
        }
        from = at;
        while (at < end && !is_blank(l->text.at[at])) at++;
        if (at == from) break;
        rc = put(l, (struct slice){ l->text.at + from, at - from });
        comment = true;
    }
    return rc;
}

/* A closing bracket closes what was opened inside of it too. */
static void close_bracket(struct laying *l, char open)
{
    if (open == '(') {
        if (l->open.len && l->open.at[l->open.len - 1] == '(') l->open.len--;
        return;
    }
    if (l->braces == 0) return;
    while (l->open.len && l->open.at[l->open.len - 1] != '{') l->open.len--;
    l->open.len--;
    l->braces--;
}

static int lay_token(struct laying *l, struct slice piece, enum token_kind kind, struct slice next)
{
    bool operator = kind == TOKEN_OPERATOR || kind == TOKEN_STRAY, ends = false;
    int  rc = 0;

    if (operator && is_byte(piece, '}')) {
        rc = end_line(l);
        close_bracket(l, '{');
        ends = !is_one_of(next, ";,).");
    }
    if (rc == 0) rc = put(l, piece);
    if (!operator || rc < 0) return rc;
    if (is_one_of(piece, "{(")) {
        rc = bytes_append(&l->open, piece.at, 1);
        if (rc == 0 && is_byte(piece, '{')) l->braces++;
        ends = is_byte(piece, '{');
    }
    if (is_byte(piece, ')')) close_bracket(l, '(');
    if (is_byte(piece, ';')) ends = l->open.len == 0 || l->open.at[l->open.len - 1] == '{';
    return rc == 0 && ends ? end_line(l) : rc;
}

/* A line that begins with # is for a preprocessor and stays one. */
static bool begins_directive(struct slice text, size_t at)
{
    if (text.at[at] != '#') return false;
    while (at > 0 && (text.at[at - 1] == ' ' || text.at[at - 1] == '\t')) at--;
    return at == 0 || text.at[at - 1] == '\n';
}

static int lay(struct laying *l, const struct lexer *lexer)
{
    size_t at = 0;
    bool   directive = false;
    int    rc = 0;

    for (size_t i = 0; i < lexer->count && rc == 0; i++) {
        const struct token *token = &lexer->token[i], *after = i + 1 < lexer->count ? token + 1 : NULL;
        struct slice        piece = { l->text.at + token->at, token->len },
            next = { after ? l->text.at + after->at : NULL, after ? after->len : 0 };

        if (token->at < at) continue;                       /* never lay a byte twice */
        if (directive && memchr(l->text.at + at, '\n', token->at - at)) {
            directive = false;
            rc = end_line(l);
        }
        if (rc == 0) rc = lay_gap(l, at, token->at);
        if (rc == 0 && begins_directive(l->text, token->at)) {
            rc = end_line(l);
            directive = true;
        }
        if (rc == 0) rc = lay_token(l, piece, token->kind, next);
        at = token->at + token->len;
    }
    if (rc == 0) rc = lay_gap(l, at, l->text.len);
    return rc < 0 ? rc : end_line(l);
}

int layout_make(struct layout *out, struct slice text, const struct language *language, struct err *err)
{
    struct laying l = { .out = out, .fresh = true };
    struct lexer  lexer = { 0 };
    struct bytes  padded = { 0 };                           /* the lexer reads past a text's end */
    int           rc;

    assert(text.len <= LEXER_MAX_TEXT);
    *out = (struct layout){ 0 };
    rc = bytes_append_slice(&padded, text) < 0 ? err_memory(err, text.len, "a text") : 0;
    l.text = bytes_slice(&padded);
    if (rc == 0 && text.len) rc = lexer_run(&lexer, language, l.text, LEX_ALL, err);
    if (rc == 0 && lay(&l, &lexer) < 0) rc = err_memory(err, text.len, "a text's layout");
    lexer_free(&lexer);
    bytes_free(&padded);
    bytes_free(&l.open);
    return rc;
}

void layout_free(struct layout *layout)
{
    bytes_free(&layout->text);
    free(layout->line);
    *layout = (struct layout){ 0 };
}
