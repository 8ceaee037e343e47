/* licence/licence.c -- see licence.h.  What the head of a text names becomes one expression: licences between which
 * the text says `or` are a choice, all others hold together. */
#include "licence/licence.h"

#include "licence/expression.h"
#include "licence/mention.h"
#include "licence/signs.h"

#include <assert.h>
#include <stdio.h>
#include <strings.h>

const char *const licence_class_names[LICENCE_CLASSES] = {
    [LICENCE_NONE] = "none", [LICENCE_PERMISSIVE] = "permissive", [LICENCE_WEAK] = "weak copyleft",
    [LICENCE_STRONG] = "strong copyleft", [LICENCE_RESTRICTED] = "restricted", [LICENCE_UNKNOWN] = "unknown",
};

const char *const licence_source_names[LICENCE_SOURCES] = {
    [LICENCE_UNSAID] = "", [LICENCE_IN_FIELD] = "field", [LICENCE_IN_TEXT] = "text",
};

enum {
    TITLE_WORDS = 80, INSIDE_WORDS = 20, FOUND = MENTIONS + LICENCE_TEXTS,
    MARK_BYTES = 40,                                        /* of marks of comments at the beginning of a line */
    OR_BEFORE = 6, CHOICE_BEFORE = 12, CHOICE_BEHIND = 24, CHOICE_WORDS = 400,
};

/* What was found, in the order of its place: a mention, or a text (title: no text of its own but its name). */
struct found { uint16_t row[2], family; uint32_t at, end; bool generic, title; };

struct finds {
    struct found at[FOUND];
    size_t       count;
    uint16_t     row[LICENCE_MOST];                         /* each once */
    uint8_t      group[LICENCE_MOST];                       /* those with one number are a choice */
    size_t       rows;
    bool         more;                                      /* others are named, for which there is no room */
};

/* ---- which of what was found counts ---- */

static bool is_generic(uint16_t row) { return strncmp(licence_rows[row].id, "LicenseRef-", 11) == 0; }

static void add(struct finds *finds, struct found found)
{
    size_t i = finds->count;

    assert(i < FOUND);
    for (; i > 0 && finds->at[i - 1].at > found.at; i--) finds->at[i] = finds->at[i - 1];
    finds->at[i] = found;
    finds->count++;
}

static void add_texts(struct finds *finds, const uint32_t *said)
{
    for (size_t t = 0; t < licence_text_count; t++) {
        const struct licence_text *text = &licence_texts[t];
        uint32_t                   first = UINT32_MAX, last = 0;
        bool                       is = true;

        for (size_t i = 0; is && i < LICENCE_MUST && text->must[i]; i++) {
            const uint32_t at = said[text->must[i] - 1];

            is = at > 0;
            first = at < first ? at : first;
            last = at > last ? at : last;
        }
        for (size_t i = 0; is && i < LICENCE_NO && text->no[i]; i++) is = said[text->no[i] - 1] == 0;
        if (is) add(finds, (struct found){ .row = { text->row[0], text->row[1] }, .family = text->family,
                                           .at = first - 1, .end = last });
    }
}

/* Licences name others: the GPL the LGPL, MPL 2.0 four of its secondary licences.  Behind the beginning of a licence's
 * own text names say nothing of the file, where it has its title in front. */
static void drop_inside(struct mentions *mentions)
{
    uint32_t body = UINT32_MAX;
    size_t   count = 0;

    for (size_t i = 0; i < licence_body_count; i++) {
        const uint32_t at = mentions->said[licence_bodies[i]];

        if (at && at - 1 < body) body = at - 1;
    }
    while (count < mentions->count && mentions->at[count].end <= body) count++;
    if (count && mentions->more > body) mentions->more = 0;
    if (count) mentions->count = count;
}

/* Where nothing else is there, what the text points to is what it names; of that the first. */
static void add_mentions(struct finds *finds, const struct mentions *mentions)
{
    const bool texts = finds->count > 0;
    bool       plain = texts;

    finds->more = mentions->more > 0;
    for (size_t i = 0; i < mentions->count; i++) plain |= !mentions->at[i].weak && !mentions->at[i].denied;
    for (size_t i = 0; i < mentions->count; i++) {
        const struct mention *m = &mentions->at[i];

        if (m->denied || (m->weak && (plain || (finds->count && finds->at[0].family != m->family)))) continue;
        add(finds, (struct found){ { m->row[0], m->row[1] }, m->family, m->at, m->end,
                                   m->open || is_generic(m->row[0]), licence_families[m->family].count == 0 });
    }
}

/* A name over a text is its title, whatever the text's licence is called elsewhere; a name without version says nothing
 * where the same family is named with one. */
static bool is_said_better(const struct finds *finds, size_t i)
{
    const struct found *x = &finds->at[i];

    for (size_t k = 0; k < finds->count; k++) {
        const struct found *y = &finds->at[k];
        const bool          near = y->at <= x->at ? x->at - y->at <= INSIDE_WORDS : y->at - x->at <= TITLE_WORDS;

        if (k == i) continue;
        if (x->title && !y->title && y->family != LICENCE_NOTHING && licence_families[y->family].count == 0 && near)
            return true;
        if (x->title && y->family == LICENCE_NOTHING && near) return true;
        if (x->generic && !y->generic && y->family != LICENCE_NOTHING &&
            (y->family == x->family || licence_families[y->family].of == x->family)) return true;
    }
    return false;
}

static void drop_repeated(struct finds *finds)
{
    struct found kept[FOUND];
    size_t       count = 0;

    for (size_t i = 0; i < finds->count; i++)
        if (!is_said_better(finds, i)) kept[count++] = finds->at[i];
    memcpy(finds->at, kept, count * sizeof *kept);
    finds->count = count;
}

/* `Version: GPL 2.0` over the words `version 2 or any later version` means these. */
static uint16_t or_later(const struct finds *finds, uint16_t row)
{
    const char *const id = licence_rows[row].id, *only = strstr(id, "-only");

    for (size_t i = 0; only && i < finds->count; i++)
        for (size_t k = 0; k < 2; k++) {
            const uint16_t other = finds->at[i].row[k];
            const size_t   len = (size_t)(only - id);

            if (other != LICENCE_NOTHING && strncmp(licence_rows[other].id, id, len) == 0 &&
                strcmp(licence_rows[other].id + len, "-or-later") == 0) return other;
        }
    return row;
}

/* ---- how they are joined ---- */

/* Is the `or` at word i one between licences, not `or any later version`? */
static bool is_or(const struct words *words, size_t i)
{
    if (!words_among(words, i, " or ")) return false;
    if (words_among(words, i + 1, " any later newer greater higher above ")) return false;
    return !(words_among(words, i + 1, " at ") && words_among(words, i + 4, " any "));
}

/* `you may select, at your option, one of the above-listed licenses`. */
static bool is_choice_behind(const struct words *words, size_t from)
{
    for (size_t i = from; i < from + CHOICE_BEHIND; i++)
        if (words_among(words, i, " may can to and please ") && words_among(words, i + 1, " select choose "))
            return true;
    return false;
}

static bool is_choice(const struct words *words, const struct found *a, const struct found *b)
{
    const size_t from = a->end, to = b->at;

    if (from == to) return true;                            /* MIT/Apache-2.0 */
    for (size_t i = to; i > from && to - i < OR_BEFORE; i--)
        if (is_or(words, i - 1)) return true;
    for (size_t i = from; i < to && i < from + CHOICE_WORDS; i++)
        if (words_among(words, i, " alternatively dual dually choice ") ||
            (words_among(words, i, " alternative ") && words_among(words, i + 1, " b 2 "))) return true;
    for (size_t i = a->at; i > 0 && a->at - i < CHOICE_BEFORE; i--)
        if (words_among(words, i - 1, " dual dually choice choose ")) return true;
    return is_choice_behind(words, b->end);
}

/* The row's place among those kept, LICENCE_MOST when there is no room. */
static size_t row_place(struct finds *finds, uint16_t row)
{
    for (size_t i = 0; i < finds->rows; i++)
        if (finds->row[i] == row) return i;
    if (finds->rows == LICENCE_MOST) return LICENCE_MOST;
    finds->row[finds->rows] = row;
    finds->group[finds->rows] = (uint8_t)finds->rows;
    return finds->rows++;
}

static void join(struct finds *finds, size_t a, size_t b)
{
    const uint8_t from = finds->group[b], to = finds->group[a];

    for (size_t i = 0; i < finds->rows; i++)
        if (finds->group[i] == from) finds->group[i] = to;
}

static void join_rows(struct finds *finds, const struct words *words)
{
    size_t before = LICENCE_MOST;

    for (size_t i = 0; i < finds->count; i++) {
        const struct found *x = &finds->at[i];
        const size_t        place = row_place(finds, or_later(finds, x->row[0]));
        size_t              other;

        if (place < LICENCE_MOST && before < LICENCE_MOST && before != place && is_choice(words, x - 1, x))
            join(finds, before, place);
        before = place;
        finds->more |= place == LICENCE_MOST;
        if (place == LICENCE_MOST || x->row[1] == LICENCE_NOTHING) continue;
        other = row_place(finds, or_later(finds, x->row[1]));
        finds->more |= other == LICENCE_MOST;
        if (other < LICENCE_MOST) join(finds, place, other);
    }
}

/* The exception of which the text has the words, for licences of the GNU family, LLVM's for Apache; or NULL. */
static const char *exception_of(const char *id, const uint32_t *said)
{
    for (size_t i = 0; i < licence_exception_count; i++) {
        const char *const exception = licence_exceptions[i].id, *of = strcmp(exception, "LLVM-exception") == 0
            ? "Apache-2.0" : "GPL-";

        if (said[licence_exceptions[i].must - 1] && strstr(id, of)) return exception;
    }
    return NULL;
}

static void put_expression(struct licence *out, const struct finds *finds, const uint32_t *said)
{
    char   text[LICENCE_BYTES * 2] = "";
    size_t len = 0;
    bool   many = finds->more;

    for (size_t i = 1; i < finds->rows; i++) many |= finds->group[i] != finds->group[0];
    for (size_t i = 0; i < finds->rows; i++) {
        size_t members = 0, put = 0;

        for (size_t k = 0; k < finds->rows; k++) members += finds->group[k] == finds->group[i] && (k >= i || ++put);
        if (put) continue;                                  /* stands with the first of its group */
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", i ? " AND " : "",
                                many && members > 1 ? "(" : "");
        for (size_t k = i; k < finds->rows; k++) {
            const char *const id = licence_rows[finds->row[k]].id, *exception = exception_of(id, said);

            if (finds->group[k] != finds->group[i]) continue;
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s%s%s", k > i ? " OR " : "", id,
                                    exception ? " WITH " : "", exception ? exception : "");
        }
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", many && members > 1 ? ")" : "");
    }
    if (finds->more)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? " AND " : "", EXPRESSION_OTHERS);
    expression_read(out, (struct slice){ text, len });
}

/* ---- several that hold together ---- */

/* One after the other with AND between, each once; choices in brackets.  fits: as much of it as leaves room for the
 * name of those that have none; more: there are such. */
struct together { struct licence first; char text[LICENCE_BYTES * 2]; size_t len, fits, count; bool more; };

/* Is it one of those, as a whole?  `GPL-3.0-only` is none of `LGPL-3.0-only`, nor of `(GPL-3.0-only OR MIT)`. */
static bool is_held(const struct together *all, struct slice one)
{
    static const char and[] = " AND ";
    const size_t      len = sizeof and - 1;
    size_t            depth = 0;

    for (size_t i = 0; i + one.len <= all->len; i++) {
        const size_t end = i + one.len;
        const bool   begins = depth == 0 && (i == 0 || (i >= len && memcmp(all->text + i - len, and, len) == 0));

        if (begins && memcmp(all->text + i, one.at, one.len) == 0 &&
            (end == all->len || (all->len - end > len && memcmp(all->text + end, and, len) == 0))) return true;
        depth = depth + (all->text[i] == '(') - (all->text[i] == ')');
    }
    return false;
}

static void hold_part(struct together *all, struct slice part)
{
    static const char others[] = EXPRESSION_OTHERS;

    if (all->more || is_held(all, part)) return;
    all->more = all->count == LICENCE_MOST || (all->len && all->len + part.len + 5 >= LICENCE_BYTES);
    if (all->more) {
        all->len = all->fits;
        part = slice_of(others);
    }
    all->len += (size_t)snprintf(all->text + all->len, sizeof all->text - all->len, "%s%.*s", all->len ? " AND " : "",
                                 (int)part.len, part.at);
    if (all->len + 5 + sizeof others <= LICENCE_BYTES) all->fits = all->len;
}

/* Where the operator stands outside of brackets; text.len: nowhere. */
static size_t find_operator(struct slice text, const char *operator)
{
    const size_t len = strlen(operator);
    size_t       depth = 0;

    for (size_t i = 0; i + len <= text.len; i++) {
        if (depth == 0 && memcmp(text.at + i, operator, len) == 0) return i;
        depth = depth + (text.at[i] == '(') - (text.at[i] == ')');
    }
    return text.len;
}

/* What AND stands between, each by itself, out of brackets where these have nothing but such. */
static void hold_parts(struct together *all, struct slice text)
{
    static const char and[] = " AND ";

    while (text.len) {
        const size_t       len = find_operator(text, and), skip = len + (len < text.len ? sizeof and - 1 : 0);
        const struct slice inside = { text.at + 1, len - 2 };

        if (text.at[0] == '(' && find_operator(inside, " OR ") == inside.len) hold_parts(all, inside);
        else hold_part(all, (struct slice){ text.at, len });
        text = (struct slice){ text.at + skip, text.len - skip };
    }
}

static void hold(struct together *all, const struct licence *licence)
{
    char         one[LICENCE_BYTES + 2];
    const int    len = snprintf(one, sizeof one, "(%s)", licence->expression);
    const size_t before = all->len;

    hold_parts(all, (struct slice){ one, (size_t)len });
    if (all->count == 0) all->first = *licence;
    all->count += all->len != before;
}

static void read_together(struct licence *out, const struct together *all)
{
    if (all->count == 1 && !all->more) *out = all->first;
    else expression_read(out, (struct slice){ all->text, all->len });
}

/* ---- a text ---- */

static bool read_words(struct licence *out, struct slice text, bool prose)
{
    struct words    words;
    struct mentions mentions;
    struct finds    finds = { .count = 0 };

    words_read(&words, text);
    mentions_find(&mentions, &words, prose);
    drop_inside(&mentions);
    add_texts(&finds, mentions.said);
    add_mentions(&finds, &mentions);
    drop_repeated(&finds);
    join_rows(&finds, &words);
    *out = (struct licence){ .class = LICENCE_NONE };
    if (finds.rows || finds.more) put_expression(out, &finds, mentions.said);
    return finds.rows || finds.more;
}

/* All tags of the text; several that differ hold together, as for snippets of others in a file. */
static bool read_tags(struct licence *out, struct slice text)
{
    static const char tag[] = "SPDX-License-Identifier";
    const char       *end = text.at + text.len;
    struct together   all = { .len = 0 };

    for (const char *at = text.at; at && (at = memmem(at, (size_t)(end - at), tag, sizeof tag - 1)) &&
         !all.more;) {
        struct licence one;

        at += sizeof tag - 1;
        while (at < end && (*at == ':' || *at == '=' || *at == ' ' || *at == '\t' || *at == '"')) at++;
        if (!expression_read(&one, (struct slice){ at, (size_t)(end - at) })) continue;
        hold(&all, &one);
    }
    if (all.count) read_together(out, &all);
    return all.count > 0;
}

/* Does the line have nothing but marks of comments before the place? */
static bool begins_line(struct slice text, size_t at)
{
    struct words words;
    size_t       line = at;

    while (line > 0 && text.at[line - 1] != '\n' && at - line <= MARK_BYTES) line--;
    if (at - line > MARK_BYTES) return false;
    words_read(&words, (struct slice){ text.at + line, at - line });
    return words.count == 0;
}

/* Two words that stand apart, behind them the end of the line: `Public domain.`, `by N. N., 2006, public domain`.  In
 * the middle of a sentence they say nothing of the file. */
static bool read_public_domain(struct licence *out, struct slice text)
{
    static const char words[] = "public domain", id[] = "LicenseRef-public-domain";
    const size_t      len = sizeof words - 1;

    for (size_t i = 0; i + len <= text.len; i++) {
        size_t from = i, to = i + len;

        if ((text.at[i] | 32) != 'p' || (text.at[i + 1] | 32) != 'u' ||
            strncasecmp(text.at + i, words, len) != 0) continue;
        while (from > 0 && memchr(" \t", text.at[from - 1], 2)) from--;
        while (to < text.len && memchr(" \t\r.*/", text.at[to], 6)) to++;
        if (to < text.len && text.at[to] != '\n') continue;
        if (from == 0 || memchr("-:,.", text.at[from - 1], 4) || begins_line(text, i))
            return expression_read(out, (struct slice){ id, sizeof id - 1 }) > 0;
    }
    return false;
}

bool licence_of_text(struct licence *out, struct slice text)
{
    const struct slice head = { text.at, text.len < LICENCE_HEAD ? text.len : LICENCE_HEAD };
    size_t             tail = text.len - head.len;
    struct slice       end;

    *out = (struct licence){ .class = LICENCE_NONE };
    if (text.len == 0) return false;
    if (licence_may_name(head) &&
        (read_tags(out, head) || read_words(out, head, false) || read_public_domain(out, head))) return true;
    tail = tail < LICENCE_TAIL ? tail : LICENCE_TAIL;
    end = (struct slice){ text.at + text.len - tail, tail };
    return tail && licence_may_name(end) && read_words(out, end, false);
}

/* ---- a field ---- */

static struct slice trimmed(struct slice s)
{
    while (s.len && strchr(" \t\r\n", s.at[0])) s.at++, s.len--;
    while (s.len && strchr(" \t\r\n", s.at[s.len - 1])) s.len--;
    return s;
}

/* What calls a licence somebody's own, LicenseRef-, means no other that its words may be like. */
static void read_name(struct licence *out, struct slice name)
{
    static const char *const none[] = { "none", "null", "noassertion", "no license", "n/a", "unlicensed" };

    name = trimmed(name);
    *out = (struct licence){ .class = LICENCE_NONE };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strlen(none[i]) == name.len && strncasecmp(name.at, none[i], name.len) == 0) return;
    if (name.len == 0 || (expression_read(out, name) == name.len &&
                          (out->class != LICENCE_UNKNOWN || strstr(out->expression, "LicenseRef-")))) return;
    if (read_words(out, (struct slice){ name.at, name.len < LICENCE_HEAD ? name.len : LICENCE_HEAD }, true)) return;
    if (expression_read(out, name) != name.len) *out = (struct licence){ .class = LICENCE_UNKNOWN };
}

/* The next of the names between quotes; *list begins behind it. */
static bool next_name(struct slice *list, struct slice *name)
{
    while (list->len && list->at[0] != '"' && list->at[0] != '\'') list->at++, list->len--;
    if (list->len < 2) return false;
    *name = (struct slice){ list->at + 1, 0 };
    for (size_t i = 1; i < list->len; i++)
        if (list->at[i] == list->at[0]) {
            name->len = i - 1;
            *list = (struct slice){ list->at + i + 1, list->len - i - 1 };
            return true;
        }
    return false;
}

void licence_of_field(struct licence *out, struct slice field)
{
    struct together all = { .len = 0 };
    bool            unknown = false;
    struct slice    name;

    field = trimmed(field);
    if (field.len == 0 || field.at[0] != '[') {
        read_name(out, field);
        return;
    }
    while (next_name(&field, &name) && !all.more) {
        struct licence one;

        read_name(&one, name);
        unknown |= one.class == LICENCE_UNKNOWN;
        if (one.expression[0]) hold(&all, &one);
    }
    read_together(out, &all);
    if (unknown) out->class = LICENCE_UNKNOWN;
}

enum licence_source licence_of_record(struct licence *out, struct slice field, struct slice text)
{
    licence_of_field(out, field);
    if (out->class != LICENCE_NONE) return LICENCE_IN_FIELD;
    return licence_of_text(out, text) ? LICENCE_IN_TEXT : LICENCE_UNSAID;
}

struct slice licence_class_word(struct slice field)
{
    struct licence licence;

    licence_of_field(&licence, field);
    return licence.class == LICENCE_NONE ? (struct slice){ 0 } : slice_of(licence_class_names[licence.class]);
}

/* ---- prose ---- */

/* What says the same with a version; the mention itself where nothing does. */
static const struct mention *with_version(const struct mentions *mentions, const struct mention *m)
{
    for (size_t i = 0; (m->open || is_generic(m->row[0])) && i < mentions->count; i++) {
        const struct mention *other = &mentions->at[i];

        if (!other->denied && !other->open && !is_generic(other->row[0]) &&
            (other->family == m->family || licence_families[other->family].of == m->family)) return other;
    }
    return m;
}

const char *licence_named(struct slice prose, bool *several)
{
    struct words    words;
    struct mentions mentions;
    struct finds    texts = { .count = 0 };
    const char     *first = NULL;
    bool            others = false;

    words_read(&words, (struct slice){ prose.at, prose.len < LICENCE_HEAD ? prose.len : LICENCE_HEAD });
    mentions_find(&mentions, &words, true);
    for (size_t i = 0; i < mentions.count; i++) {
        const struct mention *m = with_version(&mentions, &mentions.at[i]);

        if (mentions.at[i].denied) continue;
        if (!first) first = licence_rows[m->row[0]].id;
        others |= m->row[1] != LICENCE_NOTHING || strcmp(licence_rows[m->row[0]].id, first) != 0;
    }
    if (!first) add_texts(&texts, mentions.said);
    if (texts.count) first = licence_rows[texts.at[0].row[0]].id;
    if (!first && mentions.more) first = EXPRESSION_OTHERS;
    if (several) *several = others || mentions.more || texts.count > 1;
    return first;
}
