/* audit/published.c -- the published tool's six scans; see element.h.
 *
 * Each scan is a pattern without look-around, tried at every byte from left to right; what it takes is taken once. */
#include "audit/element.h"

#include "audit/space.h"
#include "base/bytes.h"
#include "base/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const audit_category_names[AUDIT_CATEGORIES] = { "class", "function", "variable", "string", "comment",
                                                             "docstring" };

void audit_elements_free(struct audit_elements *elements)
{
    free(elements->at);
    *elements = (struct audit_elements){ 0 };
}

int audit_elements_add(struct audit_elements *elements, struct audit_element element, struct err *err)
{
    if (ARRAY_GROW(elements->at, elements->room, elements->count + 1) < 0)
        return err_memory(err, sizeof element, "elements of a file");
    elements->at[elements->count++] = element;
    return 0;
}

/* ---- bytes ---- */

static bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

static size_t name_end(struct slice text, size_t at)
{
    while (at < text.len && in_name(text.at[at])) at++;
    return at;
}

static size_t space_end(struct slice text, size_t at)
{
    for (size_t len; at < text.len && (len = audit_space_len(text, at)); at += len) ;
    return at;
}

/* ---- what was found ---- */

/* What stands in text[from, to), with the value in it and perhaps a second one; a later one on the same lines takes the
 * place of the first. */
struct match { size_t from, to, at, end, inside, inside_end; bool two; };

struct scan {
    struct slice           text;
    struct audit_elements *out;
    enum audit_category    category;
    size_t                 first;                           /* of the category's elements */
    struct table           lines;                           /* key: first and last line; value: place in out */
    size_t                 at, line;                        /* lines are counted up to here */
    size_t                 from, to;                        /* the line asked for last: none of it is read twice */
    size_t                 open_to;                         /* no ) from where it was looked for to here */
    struct err            *err;
};

/* Where the line of a place ends. */
static size_t line_end(struct scan *scan, size_t at)
{
    const struct slice text = scan->text;
    const char        *end;

    if (scan->from <= at && at <= scan->to && scan->to) return scan->to;
    end = at < text.len ? memchr(text.at + at, '\n', text.len - at) : NULL;
    scan->from = at;
    return scan->to = end ? (size_t)(end - text.at) : text.len;
}

/* The next place of a word, or the text's end. */
static size_t word_from(struct slice text, size_t at, const char *word)
{
    const char *there = at < text.len ? memmem(text.at + at, text.len - at, word, strlen(word)) : NULL;

    return there ? (size_t)(there - text.at) : text.len;
}

/* What stands between text[open], a (, and the last or the first ) of the line.  False: there is none. */
static bool between(struct scan *scan, size_t open, bool last, struct match *match)
{
    const char *text = scan->text.at, *close = NULL;
    const size_t from = open + 1, to = line_end(scan, from);

    if (scan->open_to < to) close = last ? memrchr(text + from, ')', to - from) : memchr(text + from, ')', to - from);
    if (!close) {
        scan->open_to = to;
        return false;
    }
    match->two = true;
    match->inside = from;
    match->inside_end = (size_t)(close - text);
    return true;
}

static size_t line_of(struct scan *scan, size_t at)
{
    for (; scan->at < at; scan->at++) scan->line += scan->text.at[scan->at] == '\n';
    return scan->line;
}

static int found(struct scan *scan, struct match match)
{
    const size_t line = line_of(scan, match.from), last = line_of(scan, match.to), place = scan->out->count;
    const struct audit_element made[2] = {
        { scan->category, false, match.at, match.end, line, last },
        { scan->category, true, match.inside, match.two ? match.inside_end : SIZE_MAX, line, last },
    };
    bool     added;
    uint32_t before = table_put(&scan->lines, line, last, (uint32_t)place, &added);
    int      rc = before == TABLE_NONE ? err_memory(scan->err, 32, "elements of a file") : 0;

    /* a name has two places, the second of them empty where nothing stands in parentheses */
    for (size_t i = 0; i < (scan->category <= AUDIT_FUNCTION ? 2 : 1) && rc == 0; i++)
        if (!added) scan->out->at[before + i] = made[i];
        else rc = audit_elements_add(scan->out, made[i], scan->err);
    return rc;
}

/* Second places that are empty go. */
static void close_places(struct scan *scan)
{
    size_t kept = scan->first;

    for (size_t i = scan->first; i < scan->out->count; i++)
        if (scan->out->at[i].end != SIZE_MAX) scan->out->at[kept++] = scan->out->at[i];
    scan->out->count = kept;
}

/* ---- the scans ---- */

/* `def` or `class`, space, a name, space. */
static bool head_at(struct slice text, size_t at, const char *word, struct match *match, size_t *end)
{
    const size_t len = strlen(word);
    size_t       name;

    if (text.len - at < len || memcmp(text.at + at, word, len) != 0) return false;
    name = space_end(text, at + len);
    if (name == at + len || name >= text.len || !starts_name(text.at[name])) return false;
    *match = (struct match){ .from = at, .at = name, .end = name_end(text, name) };
    *end = space_end(text, match->end);
    return true;
}

/* And all between ( and the last ) of the line. */
static int scan_functions(struct scan *scan)
{
    const struct slice text = scan->text;
    int                rc = 0;

    for (size_t at = 0, end; (at = word_from(text, at, "def")) < text.len && rc == 0; ) {
        struct match match;

        if (head_at(text, at, "def", &match, &end) && end < text.len && text.at[end] == '(' &&
            between(scan, end, true, &match)) {
            at = match.to = match.inside_end + 1;
            rc = found(scan, match);
        } else at++;
    }
    return rc;
}

/* And, where there is a ) on the line of a (, all between it and the first. */
static int scan_classes(struct scan *scan)
{
    const struct slice text = scan->text;
    int                rc = 0;

    for (size_t at = 0, end; (at = word_from(text, at, "class")) < text.len && rc == 0; ) {
        struct match match;

        if (head_at(text, at, "class", &match, &end)) {
            if (end < text.len && text.at[end] == '(' && between(scan, end, false, &match)) end = match.inside_end + 1;
            at = match.to = end;
            rc = found(scan, match);
        } else at++;
    }
    return rc;
}

/* A name, space, =. */
static int scan_variables(struct scan *scan)
{
    const struct slice text = scan->text;
    int                rc = 0;

    for (size_t at = 0; at < text.len && rc == 0; ) {
        size_t end, sign;

        if (!starts_name(text.at[at])) {
            at++;
            continue;
        }
        end = name_end(text, at);
        sign = space_end(text, end);
        if (sign < text.len && text.at[sign] == '=') {
            rc = found(scan, (struct match){ .from = at, .to = sign + 1, .at = at, .end = end });
            at = sign + 1;
        } else at = sign;
    }
    return rc;
}

/* Space, #, the rest of the line: the space before it is of the comment, lines of it too. */
static int scan_comments(struct scan *scan)
{
    const struct slice text = scan->text;
    int                rc = 0;

    for (size_t at = 0; at < text.len && rc == 0; ) {
        size_t sign = space_end(text, at), end;

        if (sign >= text.len || text.at[sign] != '#') {
            at = sign > at ? sign : at + 1;
            continue;
        }
        end = line_end(scan, sign);
        rc = found(scan, (struct match){ .from = at, .to = end, .at = at, .end = end });
        at = end;
    }
    return rc;
}

static int scan_docstrings(struct scan *scan)
{
    const struct slice text = scan->text;
    const char        *from = text.at, *const last = text.at + text.len, *end;
    int                rc = 0;

    while (rc == 0 && (from = memmem(from, (size_t)(last - from), "\"\"\"", 3)) &&
           (end = memmem(from + 3, (size_t)(last - from - 3), "\"\"\"", 3))) {
        size_t at = (size_t)(from - text.at), to = (size_t)(end - text.at) + 3;

        rc = found(scan, (struct match){ .from = at, .to = to, .at = at, .end = to });
        from = end + 3;
    }
    return rc;
}

/* From a quote to the next of its kind on the line. */
static int scan_strings(struct scan *scan)
{
    const struct slice text = scan->text;
    int                rc = 0;

    for (size_t at = 0; at < text.len && rc == 0; at++) {
        const char *end;
        size_t      to;

        if (text.at[at] != '"' && text.at[at] != '\'') continue;
        end = memchr(text.at + at + 1, text.at[at], line_end(scan, at + 1) - at - 1);
        if (!end) continue;
        to = (size_t)(end - text.at) + 1;
        rc = found(scan, (struct match){ .from = at, .to = to, .at = at, .end = to });
        at = to - 1;
    }
    return rc;
}

int audit_find_published(struct slice text, struct audit_elements *out, struct err *err)
{
    static const struct { enum audit_category category; int (*scan)(struct scan *); } order[] = {
        { AUDIT_FUNCTION, scan_functions }, { AUDIT_VARIABLE, scan_variables }, { AUDIT_CLASS, scan_classes },
        { AUDIT_COMMENT, scan_comments }, { AUDIT_DOCSTRING, scan_docstrings }, { AUDIT_STRING, scan_strings },
    };
    int rc = 0;

    for (size_t i = 0; i < sizeof order / sizeof *order && rc == 0; i++) {
        struct scan scan = { .text = text, .out = out, .category = order[i].category, .first = out->count, .line = 1,
                             .err = err };

        rc = order[i].scan(&scan);
        if (rc == 0) close_places(&scan);
        table_free(&scan.lines);
    }
    return rc;
}
