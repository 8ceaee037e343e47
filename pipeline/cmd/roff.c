/* cmd/roff.c -- see roff.h. */
#include "cmd/roff.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { LINE_MOST = 79 };

/* The escape of a character that roff or a terminal would change; NULL: it stands for itself. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-':  return "\\-";
    case '\'': return "\\(aq";
    case '"':  return "\\(dq";
    case '`':  return "\\(ga";
    case '^':  return "\\(ha";
    case '~':  return "\\(ti";
    default:   return NULL;
    }
}

int roff_word(struct bytes *out, struct slice text)
{
    int rc = 0;

    for (size_t i = 0; i < text.len && rc == 0; i++) {
        const char *escape = escape_of(text.at[i]);

        rc = escape ? bytes_printf(out, "%s", escape) : bytes_append(out, &text.at[i], 1);
    }
    return rc;
}

/* ---- text ---- */

/* A text that is being written: the column of its source line, and whether `code` is open. */
struct filling { struct bytes *out; size_t line; bool bold; };

/* One word, with its fonts, is written to out.  A backquote without a second one is one. */
static int word_write(struct filling *f, struct slice word, struct slice rest, struct bytes *out)
{
    int rc = 0;

    for (size_t i = 0; i < word.len && rc == 0; i++) {
        const size_t behind = (size_t)(word.at + i + 1 - rest.at);
        const bool   mark = word.at[i] == '`' && (f->bold || memchr(rest.at + behind, '`', rest.len - behind));

        if (mark) {
            f->bold = !f->bold;
            rc = bytes_printf(out, "%s", f->bold ? "\\fB" : "\\fR");
        } else rc = roff_word(out, (struct slice){ word.at + i, 1 });
    }
    return rc;
}

static int word_add(struct filling *f, struct slice word, struct slice rest)
{
    struct bytes one = { 0 };
    int          rc = word_write(f, word, rest, &one);

    if (rc == 0 && f->line && f->line + 1 + one.len > LINE_MOST) {
        rc = bytes_append(f->out, "\n", 1);
        f->line = 0;
    }
    if (rc == 0 && f->line) rc = bytes_append(f->out, " ", 1);
    if (rc == 0 && !f->line && one.len && *one.at == '.') rc = bytes_printf(f->out, "\\&");
    if (rc == 0) rc = bytes_append_slice(f->out, bytes_slice(&one));
    f->line += one.len + 1;
    bytes_free(&one);
    return rc;
}

int roff_text(struct bytes *out, struct slice text)
{
    struct filling f = { .out = out };
    int            rc = 0;

    for (struct slice rest = text; rest.len && rc == 0; ) {
        size_t len = 0;

        while (len < rest.len && rest.at[len] != ' ' && rest.at[len] != '\n') len++;
        if (len) rc = word_add(&f, (struct slice){ rest.at, len }, rest);
        if (rc == 0 && len < rest.len && rest.at[len] == '\n' && f.line) {
            rc = bytes_printf(out, "\n.br\n");
            f.line = 0;
        }
        rest.at += len + (len < rest.len);
        rest.len -= len + (len < rest.len);
    }
    return rc == 0 && f.line ? bytes_append(out, "\n", 1) : rc;
}

/* ---- terms ---- */

/* The length of what begins a term and is literal (an option, a word of small letters) or a name in capitals; 0 for any
 * other character. */
static size_t term_run(struct slice text, bool *literal)
{
    size_t len = 0;

    *literal = islower((unsigned char)*text.at) || (*text.at == '-' && text.len > 1 &&
                                                    (text.at[1] == '-' || isalpha((unsigned char)text.at[1])));
    if (*literal)
        while (len < text.len && (islower((unsigned char)text.at[len]) || isdigit((unsigned char)text.at[len]) ||
                                  (text.at[len] && strchr("-_.", text.at[len])))) len++;
    else
        while (len < text.len && isupper((unsigned char)text.at[len])) len++;
    while (*literal && len && text.at[len - 1] == '.') len--;   /* `...`: once more */
    return len;
}

int roff_term(struct bytes *out, struct slice text)
{
    int rc = text.len && *text.at == '.' ? bytes_printf(out, "\\&") : 0;

    while (text.len && rc == 0) {
        bool   literal;
        size_t len = term_run(text, &literal);

        if (len) rc = bytes_printf(out, literal ? "\\fB" : "\\fI");
        if (rc == 0) rc = roff_word(out, (struct slice){ text.at, len ? len : 1 });
        if (rc == 0 && len) rc = bytes_printf(out, "\\fR");
        text.at += len ? len : 1;
        text.len -= len ? len : 1;
    }
    return rc;
}

/* ---- lines, sections ---- */

int roff_paragraph(struct bytes *out)
{
    const char *before = out->len > 1 ? memrchr(out->at, '\n', out->len - 1) : NULL;
    const char *last = before ? before + 1 : out->at;       /* the last line */

    return out->len > 2 && last[0] == '.' && last[1] == 'S' ? 0 : bytes_printf(out, ".PP\n");
}

int roff_lines(struct bytes *out, struct slice text)
{
    int rc = roff_paragraph(out);

    if (rc == 0) rc = bytes_printf(out, ".RS 4\n.nf\n");

    while (text.len && rc == 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t      len = end ? (size_t)(end - text.at) : text.len;

        if (*text.at == '.') rc = bytes_printf(out, "\\&");
        if (rc == 0) rc = roff_word(out, (struct slice){ text.at, len });
        if (rc == 0) rc = bytes_append(out, "\n", 1);
        text.at += len + (end != NULL);
        text.len -= len + (end != NULL);
    }
    return rc < 0 ? rc : bytes_printf(out, ".fi\n.RE\n");
}

int roff_section(struct bytes *out, const char *macro, struct slice title)
{
    int rc = bytes_printf(out, ".%s ", macro);

    if (rc == 0) rc = roff_word(out, title);
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}
