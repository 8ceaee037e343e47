/* code/lexer_forms.c -- what begins at a special character: comments, strings and their prefixes. */
#include "code/lexing.h"

#include <strings.h>

/* Eight bytes with the first in the low byte, so that the lowest set bit of a match mask is the first match. */
static uint64_t load64(const char *at)
{
    uint64_t v;

    memcpy(&v, at, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* High bit of each byte that is c.  Bytes above a true match may be wrong; the lowest set bit is always right. */
static uint64_t match64(uint64_t v, char c)
{
    uint64_t x = v ^ (0x0101010101010101u * (unsigned char)c);

    return (x - 0x0101010101010101u) & ~x & 0x8080808080808080u;
}

/* The same for each byte that is TAB, LF, CR or another control character below 0x0E. */
static uint64_t control64(uint64_t v) { return (v - 0x0E0E0E0E0E0E0E0Eu) & ~v & 0x8080808080808080u; }

/* Strings within a line are short: eight bytes a step beat a call of memchr. */
static inline __attribute__((always_inline)) size_t line_string_end(const char *text, size_t i, size_t len,
                                                                    char quote, unsigned flags)
{
    while (i < len) {
        uint64_t v = load64(text + i);
        uint64_t hit = match64(v, quote) | match64(v, '\\') | control64(v);

        if (!hit) {
            i += 8;
            continue;
        }
        i += (size_t)__builtin_ctzll(hit) / 8;
        if (i >= len) break;
        if (text[i] == quote) {
            if (!(flags & FORM_DOUBLED) || i + 1 >= len || text[i + 1] != quote) return i + 1;
            i += 2;
        } else if (text[i] == '\n' || text[i] == '\r') {
            return i;
        } else if (text[i] != '\\') {
            i++;
        } else if (!(flags & FORM_ESCAPES)) {
            i++;
        } else {
            const char escaped = text[i + 1];

            i += 2;
            if (escaped == '\r') i += i < len && text[i] == '\n';
            else if (escaped == 'z' && flags & FORM_SKIPS)
                while (i < len && (unsigned char)text[i] <= ' ') i++;
        }
    }
    return len;
}

/* Strings over many lines: jump from quote to quote; an odd run of backslashes before one makes it content. */
size_t string_end(const char *text, size_t i, size_t len, char quote, size_t count, unsigned flags)
{
    size_t start = i;

    if (!(flags & FORM_LINES)) return line_string_end(text, i, len, quote, flags);
    while (i < len) {
        const char *hit = memchr(text + i, quote, len - i);
        size_t      k, back;

        if (!hit) return len;
        i = (size_t)(hit - text);
        for (back = i; (flags & FORM_ESCAPES) && back > start && text[back - 1] == '\\';)
            back--;
        if ((i - back) % 2) {
            start = ++i;
            continue;
        }
        for (k = 1; k < count && i + k < len && text[i + k] == quote;)
            k++;
        if (k == count) {
            while ((flags & FORM_TRIPLE_RAW) && i + k < len && text[i + k] == quote)
                k++;                                        /* the last three close, quotes before them are text */
            if (!(flags & FORM_DOUBLED) || i + 1 >= len || text[i + 1] != quote) return i + k;
            k++;
        }
        i += k;
        start = i;
    }
    return len;
}

size_t find_close(const char *text, size_t i, size_t len, const char *close)
{
    size_t size = strlen(close);

    for (i += size - 1; i < len; i++) {
        const char *hit = memchr(text + i, close[size - 1], len - i);

        if (!hit) break;
        i = (size_t)(hit - text);
        if (memcmp(hit - (size - 1), close, size) == 0) return i - (size - 1);
    }
    return len;
}

/* A line ends with LF, CR or both.  The search goes in growing steps, as one of the two may be far away, or nowhere. */
static size_t line_end(const char *text, size_t i, size_t len)
{
    for (size_t step = 256; i < len; i += step, step *= 2) {
        size_t      end = len - i < step ? len : i + step;
        const char *lf = memchr(text + i, '\n', end - i), *cr;

        if (lf) end = (size_t)(lf - text);
        if ((cr = memchr(text + i, '\r', end - i))) return (size_t)(cr - text);
        if (lf) return end;
    }
    return len;
}

/* The same, or the closing tag of PHP. */
static size_t line_or_tag_end(const char *text, size_t i, size_t len)
{
    while (i < len && text[i] != '\n' && text[i] != '\r' && !(text[i] == '?' && i + 1 < len && text[i + 1] == '>'))
        i++;
    return i;
}

static size_t line_comment_end(const struct scan *scan, const struct form *form, size_t i)
{
    size_t end;

    if (form->flags & FORM_UNTIL_TAG) return line_or_tag_end(scan->text, i, scan->len);
    end = line_end(scan->text, i, scan->len);
    while ((form->flags & FORM_ESCAPES) && end < scan->len && scan->text[end - 1] == '\\') {
        end += end + 1 < scan->len && scan->text[end] == '\r' && scan->text[end + 1] == '\n' ? 2 : 1;
        end = line_end(scan->text, end, scan->len);
    }
    return end;
}

/* A comment that opens and closes at the start of lines: =begin ... =end, =pod ... =cut. */
static size_t line_block_end(const struct scan *scan, size_t i, const char *close)
{
    size_t size = strlen(close);

    while ((i = line_end(scan->text, i, scan->len)) < scan->len) {
        i++;
        if (scan->len - i >= size && memcmp(scan->text + i, close, size) == 0)
            return line_end(scan->text, i, scan->len);
    }
    return scan->len;
}

/* Opening and closing share a character (the / of C, the - of Haskell): jump from one of those to the next. */
static size_t nested_end(const struct scan *scan, const struct form *form, size_t i)
{
    size_t open = form->open[0] == form->close[1] ? 0 : 1, close = 1 - open, depth = 1;
    char   shared = form->open[open];

    while (i < scan->len) {
        const char *hit = memchr(scan->text + i, shared, scan->len - i);
        size_t      p;

        if (!hit) break;
        p = (size_t)(hit - scan->text);
        if (p >= i + close && memcmp(hit - close, form->close, 2) == 0 && p - close + 2 <= scan->len) {
            i = p - close + 2;
            if (--depth == 0) return i;
        } else if (p >= i + open && p - open + 2 <= scan->len && memcmp(hit - open, form->open, 2) == 0) {
            i = p - open + 2;
            depth++;
        } else {
            i = p + 1;
        }
    }
    return scan->len;
}

static bool is_symbol(char c) { return char_in(c, "!#$%&*+./<=>?@\\^|~:"); }

/* Whether the form counts where its opening stands, at `at`. */
static bool form_counts(struct scan *scan, const struct form *form, size_t at)
{
    const char *text = scan->text;
    char        before = at > scan->begin ? text[at - 1] : '\n';
    size_t      after = at + strlen(form->open);

    if ((form->flags & FORM_LINE_START) && before != '\n' && before != '\r') return false;
    if ((form->flags & FORM_LINE_START) && (at + 1 >= scan->len || !is_word(text[at + 1]) || is_digit(text[at + 1])))
        return false;
    if ((form->flags & FORM_AFTER_GAP) && (unsigned char)before > ' ' && !char_in(before, ";&|()`")) return false;
    if ((form->flags & FORM_NO_SIGIL) && before == '$') return false;
    if ((form->flags & FORM_NO_ESCAPE) && before == '\\') {
        size_t slashes = 1;

        while (at - slashes > scan->begin && text[at - slashes - 1] == '\\')
            slashes++;
        if (slashes % 2) return false;                      /* \\' is a backslash, and a quote */
    }
    if ((form->flags & FORM_NO_BRACKET) && after < scan->len && text[after] == '[') return false;
    if (form->flags & FORM_NO_SYMBOL) {
        if (after < scan->dashes_end) after = scan->dashes_end;     /* a run is read once, not from each of its own */
        while (after < scan->len && text[after] == '-')
            after++;
        scan->dashes_end = after;
        if (is_symbol(before) || (after < scan->len && is_symbol(text[after]))) return false;
    }
    return true;
}

/* Whether the form begins at `at`, where its first character is. */
static inline bool form_opens(struct scan *scan, const struct form *form, size_t at)
{
    enum { ANYWHERE = FORM_ESCAPES | FORM_LINES | FORM_DOUBLED | FORM_COMMENT | FORM_UNTIL_TAG | FORM_TRIPLE |
           FORM_TRIPLE_RAW | FORM_SKIPS | FORM_SUFFIX };

    for (size_t k = 1; form->open[k]; k++)
        if (at + k >= scan->len || scan->text[at + k] != form->open[k]) return false;
    return !(form->flags & ~(unsigned)ANYWHERE) || form_counts(scan, form, at);
}

/* 'x' or '\...': anything longer is a lifetime, a prime or a transposition. */
static size_t char_end(const struct scan *scan, size_t at)
{
    const char *text = scan->text;
    size_t      used, i = at + 1;

    if (i >= scan->len || text[i] == '\n' || text[i] == '\'') return 0;
    if (text[i] == '\\') {
        for (i += 2; i < scan->len && i < at + 14 && text[i] != '\n'; i++)
            if (text[i] == '\'') return i + 1;
        return 0;
    }
    unicode_decode(text + i, scan->len - i, &used);
    return i + used < scan->len && text[i + used] == '\'' ? i + used + 1 : 0;
}

/* C++ R"tag(...)tag", Rust r#"..."#, R r"-(...)-": end of the raw string whose quote is at `at`, or 0 when it is none.
 */
static size_t raw_end(const struct scan *scan, enum prefix_kind kind, size_t at)
{
    const char *text = scan->text;
    char        close[40] = { 0 };
    size_t      k = 0, i = at + 1, hashes = 0, found;

    if (kind == PREFIX_RAW_HASHES) {                        /* as many # may be as memory holds: compare in place */
        while (at - hashes > scan->begin && text[at - hashes - 1] == '#')
            hashes++;
        for (; i < scan->len; i++) {
            const char *hit = memchr(text + i, '"', scan->len - i);

            if (!hit) break;
            i = (size_t)(hit - text);
            for (k = 0; k < hashes && i + 1 + k < scan->len && text[i + 1 + k] == '#';)
                k++;
            if (k == hashes) return i + 1 + k;
        }
        return scan->len;
    }
    if (kind == PREFIX_RAW_PARENS) {                        /* the tag has at most 16 characters */
        close[k++] = ')';
        while (i < scan->len && k <= 16 && text[i] != '(' && text[i] != ')' && text[i] != '\\' &&
               (unsigned char)text[i] > ' ')
            close[k++] = text[i++];
        if (i >= scan->len || text[i] != '(') return 0;
    } else {
        while (i < scan->len && k < 30 && text[i] == '-')
            i++, k++;
        if (i >= scan->len || (text[i] != '(' && text[i] != '[' && text[i] != '{')) return 0;
        close[0] = text[i] == '(' ? ')' : text[i] == '[' ? ']' : '}';
        memset(close + 1, '-', k);
        k++;
    }
    close[k++] = text[at];
    found = find_close(text, i + 1, scan->len, close);
    return found < scan->len ? found + k : scan->len;
}

/* The row's prefix that is the word [at, end), or NULL. */
static const struct prefix *prefix_find(const struct language *row, const char *text, size_t at, size_t end)
{
    const struct prefix *p = row->prefixes;
    char                 word[4] = { 0 };

    if (!p || end - at >= sizeof word) return NULL;
    for (size_t i = at; i < end; i++)
        word[i - at] = (row->flags & ROW_PREFIX_FOLDED) && text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + 32)
            : text[i];
    for (; p->word; p++)
        if (strcmp(p->word, word) == 0) return p;
    return NULL;
}

/* The prefix of the string whose quote is at `at`, part of the piece from there on; NULL when it has none that the row
 * knows. */
static const struct prefix *string_prefix(const struct scan *scan, size_t at, struct piece *piece)
{
    const struct prefix *prefix = NULL;
    size_t               back = at;

    if (scan->text[at] == '"')                              /* Rust's # stand between the prefix and the quote */
        while (back > scan->floor && scan->text[back - 1] == '#')
            back--;
    if (scan->word_end == back && scan->word_end > scan->word_at && back >= scan->floor)
        prefix = prefix_find(scan->row, scan->text, scan->word_at, scan->word_end);
    if (prefix && back < at && prefix->kind != PREFIX_RAW_HASHES) prefix = NULL;
    if (prefix && scan->text[at] == '\'' && prefix->kind == PREFIX_RAW_HASHES) prefix = NULL;
    if (prefix || ((scan->row->flags & ROW_PREFIX_ANY) && scan->word_end == at && scan->word_end > scan->word_at)) {
        piece->start = scan->word_at;
        piece->kind = PIECE_PREFIXED;
    }
    return prefix;
}

/* How many c stand right before `start`, which moves before them. */
static uint32_t marks_before(const struct scan *scan, size_t *start, char c)
{
    uint32_t n = 0;

    for (; *start > scan->floor && scan->text[*start - 1] == c; n++)
        --*start;
    return n;
}

/* C#: @ and $ before the quote, or three quotes and more. */
static void verbatim_read(const struct scan *scan, struct opened *string, size_t at, struct piece *piece)
{
    bool verbatim = false;

    if (scan->text[at] != '"') return;
    for (; piece->start > scan->floor && char_in(scan->text[piece->start - 1], "@$"); piece->start--) {
        verbatim |= scan->text[piece->start - 1] == '@';
        string->braces += scan->text[piece->start - 1] == '$';
    }
    if (verbatim) {
        string->flags = FORM_LINES | FORM_DOUBLED;
        string->count = 1;
    }
    while (string->count > 2 && at + string->count < scan->len && scan->text[at + string->count] == '"')
        string->count++;
}

/* C#: "..."u8 */
static bool has_utf8_suffix(const struct scan *scan, size_t end)
{
    return end + 1 < scan->len && (scan->text[end] | 32) == 'u' && scan->text[end + 1] == '8' &&
        (end + 2 == scan->len || !is_word(scan->text[end + 2]));
}

/* A string with a prefix, or one that may have code in it. */
static __attribute__((noinline)) struct piece marked_string(struct scan *scan, const struct form *form, size_t at,
                                                            size_t count, unsigned flags)
{
    struct opened        string = { .with = form->interpolation, .end = scan->len, .count = (uint32_t)count,
                                    .quote = form->close[0], .flags = (uint16_t)flags };
    struct piece         piece = { at, 0, PIECE_STRING, false };
    const struct prefix *prefix;
    bool                 marked = false;

    if (scan->row->prefixes || (scan->row->flags & ROW_PREFIX_ANY)) {
        prefix = string_prefix(scan, at, &piece);
        marked = prefix && !(scan->row->flags & ROW_PREFIX_ANY) ? prefix->kind == PREFIX_FORMAT
            : piece.kind == PIECE_PREFIXED;
        if (prefix && prefix->kind == PREFIX_RAW) string.flags &= (uint16_t)~FORM_ESCAPES;
        if (prefix && prefix->kind >= PREFIX_RAW_PARENS &&
            (scan->text[at] == '"' || prefix->kind == PREFIX_RAW_BRACKETS))
            piece.end = raw_end(scan, prefix->kind, at);
    } else if (scan->row->flags & ROW_VERBATIM) {
        verbatim_read(scan, &string, at, &piece);
        marked = string.braces > 0;
    } else if (scan->row->flags & ROW_HASH_STRINGS) {
        string.hashes = marks_before(scan, &piece.start, '#');
    } else if (string.with && string.with->flags & INTERPOLATION_COUNTED) {
        string.braces = marks_before(scan, &piece.start, '$');
    }
    if (piece.end) return piece;
    piece.end = at + string.count;
    if (scan->row->flags & ROW_STRING_FLAGS && piece.kind == PIECE_PREFIXED) {
        string.with = NULL;
        string.letters = true;
    }
    if (string.with && (marked || !(string.with->flags & INTERPOLATION_MARKED)) && text_open(scan, &string))
        piece.opened = true;
    else if (string.hashes || string.letters)
        piece.end = text_end(scan, &string, piece.end);
    else
        piece.end = string_end(scan->text, piece.end, scan->len, string.quote, string.count, string.flags);
    if (scan->row->flags & ROW_VERBATIM && !piece.opened && has_utf8_suffix(scan, piece.end)) piece.end += 2;
    return piece;
}

static inline __attribute__((always_inline)) struct piece string_match(struct scan *scan, const struct form *form,
                                                                       size_t at)
{
    const struct interpolation *with = form->interpolation;
    const char                 *text = scan->text;
    unsigned                    flags = form->flags;
    size_t                      count = 1;

    if ((flags & (FORM_TRIPLE | FORM_TRIPLE_RAW)) && at + 2 < scan->len && text[at + 1] == text[at] &&
        text[at + 2] == text[at]) {
        count = 3;
        flags = flags & FORM_TRIPLE ? FORM_LINES | FORM_ESCAPES : FORM_LINES | FORM_TRIPLE_RAW;
    } else {
        flags &= ~(unsigned)FORM_TRIPLE_RAW;
    }
    /* most strings: nothing beside them belongs to them, nothing in them is code */
    if (scan->word_end != at && at > scan->floor && text[at - 1] != '#' && !(scan->row->flags & ROW_VERBATIM) &&
        (!with || with->flags & INTERPOLATION_MARKED))
        return (struct piece){ at, string_end(text, at + count, scan->len, form->close[0], count, flags), PIECE_STRING,
                               false };
    return marked_string(scan, form, at, count, flags);
}

/* Kinds whose opening and closing differ in length, or that are no run of one quote. */
static size_t tagged_string_end(const struct scan *scan, const struct form *form, size_t at)
{
    size_t found = find_close(scan->text, at + strlen(form->open), scan->len, form->close);

    return found < scan->len ? found + strlen(form->close) : scan->len;
}

size_t markup_end(const char *text, size_t i, size_t len)
{
    while ((i = find_close(text, i, len, "<?")) < len) {
        i += 2;
        if (i < len && text[i] == '=') return i + 1;
        if (len - i >= 3 && (text[i] | 32) == 'p' && (text[i + 1] | 32) == 'h' && (text[i + 2] | 32) == 'p')
            return i + 3;
        if (len - i < 3 || memcmp(text + i, "xml", 3) != 0) return i;
    }
    return len;
}

/* A C++ literal with its suffix: one of the language's or one that begins with an underscore; other names are macros
 * that stand right behind it. */
static __attribute__((noinline)) struct piece suffixed_match(struct scan *scan, const struct form *form,
                                                             size_t at)
{
    struct piece piece = string_match(scan, form, at);
    size_t       start = piece.end, end = start;

    while (end < scan->len && is_word(scan->text[end]))
        end++;
    if (end > start && (scan->text[start] == '_' ||
                        (scan->text[start - 1] == '"' && scan->text[start] == 's' &&
                         (end - start == 1 || (end - start == 2 && scan->text[start + 1] == 'v')))))
        piece.end = end;
    return piece;
}

/* Rust's r#name, C#'s @name. */
static struct piece raw_name(const struct scan *scan, size_t at)
{
    const bool prefixed = scan->text[at] == '#';
    size_t     end = at + 1;

    if (prefixed && (scan->word_end != at || at != scan->word_at + 1 || scan->text[at - 1] != 'r'))
        return piece_none(at);
    while (end < scan->len && is_word(scan->text[end]))
        end++;
    if (end == at + 1 || is_digit(scan->text[at + 1])) return piece_none(at);
    return (struct piece){ prefixed ? scan->word_at : at, end, PIECE_RAW_NAME, false };
}

struct piece form_match(struct scan *scan, size_t at)
{
    for (const struct form *form = scan->row->forms; form->kind != FORM_END; form++) {
        struct piece piece = { at, at, PIECE_COMMENT, false };
        size_t       end;

        if (form->open[0] != scan->text[at] || !form_opens(scan, form, at)) continue;
        switch ((enum form_kind)form->kind) {
        case FORM_LINE:
            piece.end = line_comment_end(scan, form, at + strlen(form->open));
            return piece;
        case FORM_BLOCK:
            piece.end = form->flags & FORM_LINE_START ? line_block_end(scan, at, form->close)
                : tagged_string_end(scan, form, at);
            return piece;
        case FORM_REST:
            end = at + strlen(form->open) + strlen(form->close);
            if (end > scan->len || memcmp(scan->text + at + strlen(form->open), form->close, strlen(form->close)) != 0)
                break;
            if (end < scan->len && is_word(scan->text[end])) break;
            if (form->flags & FORM_WHOLE_LINE && line_end(scan->text, end, scan->len) > end) break;
            piece.end = scan->len;
            return piece;
        case FORM_NESTED:
            piece.end = nested_end(scan, form, at + 2);
            return piece;
        case FORM_STRING:
            if (form->flags & FORM_SUFFIX) return suffixed_match(scan, form, at);
            if (form->open[0] == form->close[0]) return string_match(scan, form, at);
            return (struct piece){ at, tagged_string_end(scan, form, at), PIECE_STRING, false };
        case FORM_MARKUP:
            return piece_string(at, markup_end(scan->text, at, scan->len));
        case FORM_HALT:
            end = at + strlen("__halt_compiler");
            if (end > scan->len || strncasecmp(scan->text + at, "__halt_compiler", end - at) != 0) break;
            if (end < scan->len && is_word(scan->text[end])) break;
            return piece_string(at, scan->len);
        case FORM_NAME:
            piece = piece_string(at, string_end(scan->text, at + 1, scan->len, form->close[0], 1, form->flags));
            if (piece.end > at + 2 && scan->text[piece.end - 1] == form->close[0]) piece.kind = PIECE_NAME;
            return piece;
        case FORM_RAW_NAME:
            piece = raw_name(scan, at);
            if (piece.kind == PIECE_NONE) break;
            return piece;
        case FORM_OPERATOR:
            for (end = at + 1; end < scan->len && scan->text[end] != form->close[0] && scan->text[end] != '\n';)
                end++;
            if (end >= scan->len || scan->text[end] == '\n') break;
            piece.end = end + 1;
            piece.kind = PIECE_OPERATOR;
            return piece;
        case FORM_CHAR:
            end = char_end(scan, at);
            if (!end) break;
            piece = (struct piece){ at, end, PIECE_STRING, false };
            if (scan->word_end == at && scan->word_end > scan->word_at) {
                if (!prefix_find(scan->row, scan->text, scan->word_at, at)) break;
                piece.start = scan->word_at;
                piece.kind = PIECE_PREFIXED;
            } else if (at > scan->begin && char_in(scan->text[at - 1], ")]}'")) {
                break;
            }
            return piece;
        default:
            piece = quote_match(scan, form, at);
            if (piece.kind != PIECE_NONE) return piece;
        }
    }
    return (struct piece){ at, at, PIECE_NONE, false };
}
