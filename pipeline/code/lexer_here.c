/* code/lexer_here.c -- here-documents: where their bodies are.
 *
 * The tag is a string where it stands; the body begins on the next line, or after the bodies that are pending there.
 * A body must end: without the line of its tag there is no here-document but an operator. Sources: POSIX.1-2017 XCU
 * 2.7.4 and the bash manual; perlop, "<<EOF"; the Ruby manual's "Here Documents"; the PHP manual, "Heredoc". */
#include "code/lexing.h"

struct here_tag {
    struct slice word;
    char         unquoted[64];                              /* the word, where a part of it is in quotes */
    size_t       end;                                       /* of the tag, its quote included */
    const char  *indent;                                    /* what may stand before the word that ends the body */
    bool         raw;                                       /* nothing in the body is code */
};

static size_t newline_at(const struct scan *scan, size_t i)
{
    const char *hit = i < scan->len ? memchr(scan->text + i, '\n', scan->len - i) : NULL;

    return hit ? (size_t)(hit - scan->text) : scan->len;
}

static bool starts_word(const struct scan *scan, size_t i)
{
    return i < scan->len && is_word(scan->text[i]) && !is_digit(scan->text[i]);
}

/* A tag in quotes, which may be empty, or a word; false when neither begins at i. */
static bool read_word(const struct scan *scan, size_t i, const char *quotes, struct here_tag *tag)
{
    const char *text = scan->text;
    size_t      start = i;

    if (i < scan->len && char_in(text[i], quotes)) {
        char quote = text[i];

        for (start = ++i; i < scan->len && text[i] != quote && text[i] != '\n';)
            i++;
        tag->word = (struct slice){ text + start, i - start };
        tag->raw = quote == '\'';
        tag->end = i + 1;
        return i < scan->len && text[i] == quote;
    }
    if (!starts_word(scan, i)) return false;
    while (i < scan->len && is_word(text[i]))
        i++;
    tag->word = (struct slice){ text + start, i - start };
    tag->end = i;
    return true;
}

/* Any word of the shell; with a quote in it, the body is text. */
static bool read_shell(const struct scan *scan, size_t i, struct here_tag *tag)
{
    const char *text = scan->text;
    char        quote = '\0';
    size_t      start, len = 0;

    if (i < scan->len && text[i] == '-') i++, tag->indent = "\t";
    while (i < scan->len && is_blank(text[i]))
        i++;
    for (start = i; i < scan->len && len < sizeof tag->unquoted; i++) {
        bool opens = quote ? text[i] == quote : char_in(text[i], "\"'");

        if (text[i] == '\n' || (!quote && ((unsigned char)text[i] <= ' ' || char_in(text[i], ";&|()<>`$")))) break;
        if (opens) quote ^= text[i];
        tag->raw |= opens || (text[i] == '\\' && !quote);
        if (!opens && !(text[i] == '\\' && !quote)) tag->unquoted[len++] = text[i];
    }
    tag->word = tag->raw ? (struct slice){ tag->unquoted, len } : (struct slice){ text + start, i - start };
    tag->end = i;
    return len > 0 && len < sizeof tag->unquoted && !quote && !is_digit(text[start]);
}

/* Whether `at` lies in ((...)) of the shell, where << shifts.  The search back is paid for, as for every << there is
 * one. */
static bool in_arithmetic(struct scan *scan, size_t at)
{
    size_t depth = 0, i = at;

    for (; i > scan->begin + 1 && at - i < 256 && scan->text[i - 1] != '\n'; i--) {
        if (scan->text[i - 1] == ')') depth++;
        else if (scan->text[i - 1] == '(' && depth > 0) depth--;
        else if (scan->text[i - 1] == '(' && scan->text[i - 2] == '(') return true;
    }
    piece_lost(scan, i, at);
    return false;
}

static bool read_perl(const struct scan *scan, size_t at, struct here_tag *tag)
{
    const char *text = scan->text;
    size_t      i = at + 2, before = at;
    bool        gap;

    if (i < scan->len && text[i] == '~') i++, tag->indent = " \t";
    if (i < scan->len && text[i] == '\\') return tag->raw = true, read_word(scan, i + 1, "", tag);
    gap = i < scan->len && is_blank(text[i]);
    while (i < scan->len && is_blank(text[i]))
        i++;
    while (before > scan->begin && is_blank(text[before - 1]))
        before--;
    if (before > scan->begin && (is_digit(text[word_before(scan, before)]) || char_in(text[before - 1], ")]")))
        return false;
    return (!gap || (i < scan->len && char_in(text[i], "\"'`"))) && read_word(scan, i, "\"'`", tag);
}

static bool read_ruby(struct scan *scan, size_t at, struct here_tag *tag)
{
    size_t i = at + 2;

    if (i < scan->len && char_in(scan->text[i], "-~")) i++, tag->indent = " \t";
    return ruby_operand(scan, at, at + 2) && read_word(scan, i, "\"'`", tag);
}

static bool read_php(const struct scan *scan, size_t i, struct here_tag *tag)
{
    tag->indent = " \t";
    while (i < scan->len && is_blank(scan->text[i]))
        i++;
    return read_word(scan, i, "\"'", tag);
}

/* The end of the word that ends the body, which begins at i; 0 when there is none.  It is alone on its line; PHP's may
 * be followed by what cannot belong to it. */
static size_t body_end(const struct scan *scan, size_t i, const struct here_tag *tag, bool php)
{
    while (i < scan->len) {
        size_t p = i, end = newline_at(scan, i), last = end > i && scan->text[end - 1] == '\r' ? end - 1 : end;

        while (p < last && char_in(scan->text[p], tag->indent))
            p++;
        if (last - p >= tag->word.len && memcmp(scan->text + p, tag->word.at, tag->word.len) == 0) {
            p += tag->word.len;
            if (p == last || (php && !is_word(scan->text[p]))) return p;
        }
        i = end + 1;
    }
    return 0;
}

struct piece here_match(struct scan *scan, const struct form *form, size_t at)
{
    struct here_tag tag = { .indent = "" };
    struct here    *here;
    bool            good = false;
    size_t          line, end;

    if ((at > scan->begin && scan->text[at - 1] == '<') || scan->here_count == HERE_MAX || scan->budget == 0)
        return piece_none(at);
    switch ((enum form_kind)form->kind) {
    case FORM_HERE_PERL: good = read_perl(scan, at, &tag); break;
    case FORM_HERE_PHP:  good = read_php(scan, at + 3, &tag); break;
    case FORM_HERE_RUBY: good = read_ruby(scan, at, &tag); break;
    default:             good = !in_arithmetic(scan, at) && read_shell(scan, at + 2, &tag);
    }
    if (!good || (tag.word.len == 0 && form->kind != FORM_HERE_PERL)) return piece_none(at);
    line = newline_at(scan, tag.end) + 1;
    for (size_t i = 0; i < scan->here_count; i++)           /* behind those of the same line */
        if (scan->here[i].at == line) line = scan->here[i].end + 1;
    while (line < scan->len && line > 0 && scan->text[line - 1] != '\n')
        line++;                                             /* PHP's tag has more behind it */
    end = line < scan->len ? body_end(scan, line, &tag, form->kind == FORM_HERE_PHP) : 0;
    piece_lost(scan, tag.end, end ? end : scan->len);       /* what follows on this line may void the find */
    if (!end) return piece_none(at);
    for (here = &scan->here[scan->here_count++]; here > scan->here && here[-1].at > line; here--)
        *here = here[-1];                                   /* in the code of another's body: before the next one */
    *here = (struct here){ .at = line, .end = end, .with = tag.raw ? NULL : form->interpolation };
    return piece_string(at, tag.end);
}
