/* licence/holders.c -- who holds the copyright, by the lines that say so: `Copyright (c) 2001-2004 NAME`.
 *
 * A line counts where the word or the sign comes with a year, or the word with the sign: prose about copyright has
 * neither.  What follows the name (addresses, rights, ends of comments) is cut off. */
#include "licence/licence.h"

#include "kernels/kernels.h"

#include <errno.h>
#include <strings.h>

struct line { const char *at, *end; };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

static bool skips(struct line *l, const char *text)
{
    const size_t len = strlen(text);

    if ((size_t)(l->end - l->at) < len || strncasecmp(l->at, text, len) != 0) return false;
    l->at += len;
    return true;
}

static void skip_blanks(struct line *l)
{
    while (l->at < l->end && strchr(" \t:;,*-", *l->at)) l->at++;
}

/* `(c)`, the sign in UTF-8 and in Latin-1, as HTML and roff have it. */
static bool skips_sign(struct line *l)
{
    return skips(l, "(c)") || skips(l, "\xc2\xa9") || skips(l, "&copy;") || skips(l, "&#169;") || skips(l, "\\(co") ||
        skips(l, "@copyright{}") || skips(l, "\xa9");
}

static bool is_between(const struct line *l) { return l->at < l->end && strchr(" \t,-/&", *l->at); }

/* Years, ranges of them, `present`. */
static bool skips_years(struct line *l)
{
    bool any = false;

    for (;;) {
        const struct line before = *l;
        size_t            digits = 0;

        while (is_between(l) || skips(l, "\xe2\x80\x93")) l->at += is_between(l);
        while (l->at < l->end && is_digit(*l->at)) l->at++, digits++;
        if ((digits == 4 || (any && digits == 2)) && (l->at == l->end || !is_letter(*l->at))) any = true;
        else if (digits == 0 && any && (skips(l, "present") || skips(l, "and later") || skips(l, "now"))) continue;
        else {
            *l = before;
            return any;
        }
    }
}

/* The words that begin a statement; *strong: with the sign or a year, as prose does not have it. */
static bool skips_start(struct line *l, bool *strong)
{
    bool word = skips(l, "SPDX-FileCopyrightText") || skips(l, "SPDX-SnippetCopyrightText");

    *strong = word;
    if (!word) word = skips(l, "copyright") || skips(l, "copr.");
    skip_blanks(l);
    if (skips_sign(l)) {
        *strong |= word;
        skip_blanks(l);
        if (skips(l, "copyright")) *strong = true;
        if (skips_sign(l)) skip_blanks(l);
        word = true;
    }
    if (!word) return false;
    skip_blanks(l);
    if (skips(l, "by ")) *strong |= false;
    if (skips_years(l)) *strong = true;
    skip_blanks(l);
    if (skips_sign(l)) *strong = true;
    skip_blanks(l);
    return true;
}

/* The name as far as it goes. */
static struct slice name_of(struct line l)
{
    static const char *const ends[] = { "all rights", "<", "(", "[", "{", "*/", "-->", "\\n", "\"", "http:", "https:",
                                        " - ", "--", "licensed under", "released under", "distributed under",
                                        "this file", "see ", "and is ", "&lt;" };
    const char *stop = l.end;

    skips(&l, "by ");
    skips(&l, "the copyright holder");
    for (const char *at = l.at; at < l.end && stop == l.end; at++)
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if ((size_t)(l.end - at) >= strlen(ends[i]) && strncasecmp(at, ends[i], strlen(ends[i])) == 0) stop = at;
    while (stop > l.at && strchr(" \t\r.,;:*#/-'%!|", stop[-1])) {
        if (stop[-1] == '.' && stop - l.at > 4 &&
            (strncasecmp(stop - 4, "inc.", 4) == 0 || strncasecmp(stop - 4, "ltd.", 4) == 0)) break;
        stop--;
    }
    if (stop - l.at > LICENCE_HOLDER_BYTES) {
        stop = l.at + LICENCE_HOLDER_BYTES;
        while (stop > l.at && ((unsigned char)*stop & 0xc0) == 0x80) stop--;        /* no character is cut */
    }
    return (struct slice){ l.at, (size_t)(stop - l.at) };
}

static bool is_name(struct slice s)
{
    static const char *const prose[] = { "notice", "holder", "owner", "law", "and ", "or ", "in ", "is ", "of ", "year",
                                         "statement", "information", "license", "licence", "protect", "years" };
    size_t letters = 0;

    for (size_t i = 0; i < s.len; i++) letters += is_letter(s.at[i]) || (unsigned char)s.at[i] >= 0x80;
    for (size_t i = 0; i < sizeof prose / sizeof *prose; i++)
        if (s.len >= strlen(prose[i]) && strncasecmp(s.at, prose[i], strlen(prose[i])) == 0) return false;
    return letters > 1;
}

/* The first two bytes of `copyright`, `copr.`, `spdx-`, `(c)` and `(co`, and those behind the first of `&copy;`,
 * `&#169;` and `@copyright{}`; \251 is another. */
static const struct byteset firsts = { { [3] = 1 << 2 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7, [8] = 1 << 2 }, 0 },
    seconds = { { [0] = 1 << 5 | 1 << 7, [1] = 1 << 3, [3] = 1 << 4 | 1 << 6, [15] = 1 << 4 | 1 << 6 }, 0 };

/* Where a statement may begin whose first two bytes, or those behind its first, stand at `at`; NULL: nowhere. */
static const char *start_at(const char *begin, const char *at, const char *end)
{
    const char before = at > begin ? at[-1] : '\0', third = end - at > 2 ? at[2] : '\0';

    if (at[0] == '#') return before == '&' ? at - 1 : NULL;
    if (at[0] == '(') return third == ')' ? at : before == '\\' ? at - 1 : NULL;
    if ((third | 32) == 'p' && (at[1] | 32) == 'o' && (at[0] | 32) == 'c')
        return before == '&' || before == '@' ? at - 1 : at;
    return (third | 32) == 'd' && (at[1] | 32) == 'p' ? at : NULL;
}

/* The first place at or behind `at` where a statement may begin; end: there is none.  Two bytes that are rare together
 * are told by sets of bytes; nearly no place of a text gets further than that. */
static const char *next_start(const char *at, const char *end)
{
    enum { BLOCK = 64, BLOCKS = 8 };
    const char *const begin = at;
    const char       *sign;
    uint64_t          first[BLOCKS], second[BLOCKS + 1] = { 0 };

    for (; at < end; at += BLOCK * BLOCKS - 1) {            /* the last byte is the first of what follows */
        const size_t len = (size_t)(end - at) < BLOCK * BLOCKS ? (size_t)(end - at) : BLOCK * BLOCKS;

        kernels->classify(first, second, &firsts, &seconds, at, len);
        sign = memchr(at, 0xa9, len);
        second[(len + BLOCK - 1) / BLOCK] = 0;
        for (size_t block = 0; block * BLOCK < len; block++) {
            uint64_t both = first[block] & (second[block] >> 1 | second[block + 1] << 63);

            for (; both; both &= both - 1) {
                const char *start = start_at(begin, at + block * BLOCK + (size_t)__builtin_ctzll(both), end);

                if (start) return sign && sign < start ? sign : start;
            }
        }
        if (sign) return sign;
        if (len < BLOCK * BLOCKS) break;
    }
    return end;
}

/* Is the name one of those between `; `, as a whole? */
static bool is_there(struct slice names, struct slice name)
{
    const char *const end = names.at + names.len, *at = names.at;

    for (; names.len && (at = memmem(at, (size_t)(end - at), name.at, name.len)); at++) {
        const size_t behind = (size_t)(end - at) - name.len;

        if ((at == names.at || (at - names.at >= 2 && memcmp(at - 2, "; ", 2) == 0)) &&
            (behind == 0 || (behind >= 2 && memcmp(at + name.len, "; ", 2) == 0))) return true;
    }
    return false;
}

/* The statement of a line, once.  0 or -ENOMEM. */
static int line_take(struct bytes *out, size_t start, struct line l, size_t *count)
{
    bool         strong;
    struct slice name;

    for (; (l.at = next_start(l.at, l.end)) < l.end; l.at++) {
        struct line at = l;

        if (!skips_start(&at, &strong) || !strong) continue;
        name = name_of(at);
        if (!is_name(name)) return 0;
        if (out->len > start && is_there((struct slice){ out->at + start, out->len - start }, name)) return 0;
        if (out->len > start && bytes_append(out, "; ", 2) < 0) return -ENOMEM;
        ++*count;
        return bytes_append_slice(out, name);
    }
    return 0;
}

int licence_holders(struct bytes *out, struct slice text)
{
    const char *end = text.at + (text.len < LICENCE_HEAD ? text.len : LICENCE_HEAD), *at = text.at;
    size_t      count = 0, start = out->len;

    while ((at = next_start(at, end)) < end && count < LICENCE_HOLDERS) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop) stop = end;
        if (line_take(out, start, (struct line){ at, stop }, &count) < 0) return -ENOMEM;
        at = stop + 1;
    }
    return 0;
}
