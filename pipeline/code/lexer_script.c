/* code/lexer_script.c -- JavaScript and TypeScript: where an operand is expected, and tags among the operators.
 *
 * An operand decides between /regex/ and division, and between <tag> and comparison.  TypeScript's <T>(x) and <T>x
 * stand where tags do, so a tag is one only if it closes itself or its name is closed further on; tags among the text
 * of another need no proof.  So have Scala's elements of XML, which begin behind white space or an opening bracket. */
#include "code/lexing.h"

/* Words after which an operand stands, and of those the ones whose { opens an object. */
static const char *const words_before_block[] = { "else", "do", NULL };
static const char *const words_before_value[] = {
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "instanceof", "yield", "await", "default",
    "extends", NULL,
};

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_script_word(char c) { return is_word(c) || c == '$'; }
static bool starts_word(char c) { return is_script_word(c) && !is_digit(c); }

/* Where the word that ends at `end` starts. */
static size_t word_start(const struct scan *scan, size_t end)
{
    while (end > scan->begin && is_script_word(scan->text[end - 1]))
        end--;
    return end;
}

/* Whether the bracket at text[end - 1] closes the condition of a statement. */
static bool ends_condition(struct scan *scan, size_t end)
{
    static const char *const statements[] = { "if", "while", "for", "with", NULL };
    const char *text = scan->text;
    size_t      i = opening_before(scan, end, '('), start;
    bool        line;

    if (i == end) return false;
    i = code_before(scan, i, &line);
    start = word_start(scan, i);
    return word_in((struct slice){ text + start, i - start }, statements) &&
           !(start > scan->begin && text[start - 1] == '.');
}

/* Whether the brace at text[end - 1] closes a block or a function, rather than an object. */
static bool ends_block(struct scan *scan, size_t end)
{
    const char *text = scan->text;
    size_t      i = opening_before(scan, end, '{'), start;
    bool        line;

    if (i == end) return false;
    i = code_before(scan, i, &line);
    if (i == scan->begin) return true;
    if (text[i - 1] == '>') return i - 1 > scan->begin && text[i - 2] == '=';
    start = word_start(scan, i);
    return start == i ? char_in(text[i - 1], ");{}") : !word_in((struct slice){ text + start, i - start },
                                                                 words_before_value);
}

bool script_operand(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        line;
    size_t      i = code_before(scan, at, &line), start;
    char        last, before;

    if (i == scan->begin) return true;
    last = text[i - 1];
    before = i - scan->begin > 1 ? text[i - 2] : ';';
    if (is_script_word(last)) {
        start = word_start(scan, i);
        return (word_in((struct slice){ text + start, i - start }, words_before_value) ||
                word_in((struct slice){ text + start, i - start }, words_before_block)) &&
               !(start > scan->begin && text[start - 1] == '.');
    }
    if (last == ')') return ends_condition(scan, i);
    if (last == '}') return line || (!(scan->row->flags & ROW_HASH_STRINGS) && ends_block(scan, i));
    if (last == '+' || last == '-') return before != last;
    if (last == '!' && is_script_word(before)) {            /* TypeScript's x!, Swift's try! */
        start = word_start(scan, i - 1);
        return slice_equal((struct slice){ text + start, i - 1 - start }, SLICE("try"));
    }
    if (last == '!') return !char_in(before, ")]");
    return !char_in(last, "]\"'`");
}

struct piece regex_match(struct scan *scan, size_t at)
{
    const char *text = scan->text;
    bool        set = false;
    size_t      i;

    /* Swift's own operators look like the beginning of one, but for the white space behind them */
    if (scan->row->flags & ROW_HASH_STRINGS && at + 1 < scan->len && char_in(scan->text[at + 1], " \t)")) return
        (struct piece){ at, at, PIECE_NONE, false };
    if (!script_operand(scan, at)) return (struct piece){ at, at, PIECE_NONE, false };
    for (i = at + 1; i < scan->len && text[i] != '\n' && i - at < scan->budget; i++) {
        if (text[i] == '\\') i++;
        else if (text[i] == '[') set = true;                /* a slash inside [...] does not close */
        else if (text[i] == ']') set = false;
        else if (text[i] == '/' && !set) break;
    }
    if (i >= scan->len || text[i] != '/' || i == at + 1) return piece_lost(scan, at, i);
    for (i++; i < scan->len && text[i] >= 'a' && text[i] <= 'z';)
        i++;                                                /* flags */
    return (struct piece){ at, i, PIECE_STRING, false };
}

/* The end of the name at i of a tag or an attribute, hyphens included. */
static size_t tag_name_end(const struct scan *scan, size_t i)
{
    while (i < scan->len && (is_script_word(scan->text[i]) || scan->text[i] == '-'))
        i++;
    return i;
}

/* Looks for the > of the tag from i on; strings of attributes, comments and code are passed over.  Whether it is
 * there; *end is past it, or where the search ended. */
static bool tag_closes(const struct scan *scan, size_t i, size_t *end)
{
    const char *text = scan->text;
    size_t      depth = 0, start = i;

    for (*end = scan->len; i < scan->len && i - start < scan->budget; i++) {
        char c = text[i];

        if (c == '"' || c == '\'') {
            size_t k = i + 1;

            while (k < scan->len && text[k] != c && (depth == 0 || text[k] != '\n'))
                k++;
            i = k;
        } else if (c == '/' && i + 1 < scan->len && char_in(text[i + 1], "/*") && text[i - 1] != '<') {
            i = find_close(text, i + 2, scan->len, text[i + 1] == '/' ? "\n" : "*/");
            i += i < scan->len && text[i] == '*';
        } else if (c == '{') {
            depth++;
        } else if (c == '}') {
            if (depth-- == 0) return *end = i, false;
        } else if (c == '>' && depth == 0 && text[i - 1] != '=') {
            return *end = i + 1, true;
        } else if (depth == 0 && char_in(c, ";,()[]+*|&")) {
            return *end = i, false;
        }
    }
    return false;
}

struct piece jsx_match(struct scan *scan, const struct form *form, size_t at)
{
    const struct opened element = { .with = form->interpolation, .end = scan->len, .flags = FORM_LINES,
                                    .tag = TAG_OPENING };
    const char  *text = scan->text;
    struct piece none = { at, at, PIECE_NONE, false };
    char         close[64] = "</>";
    size_t       name = at + 1, end = name, after = 0, seen;

    if (name >= scan->len || (text[name] != '>' && !starts_word(text[name])) || scan->budget == 0) return none;
    if (scan->row->symbols != SYMBOLS_SCALA) {
        if (!script_operand(scan, at)) return none;
    } else if (at > scan->begin && !is_space(text[at - 1]) && !char_in(text[at - 1], "({>")) {
        return none;
    }
    while (end < scan->len && (is_script_word(text[end]) || char_in(text[end], "-.:")))
        end++;
    if (end - name > sizeof close - 4) return none;
    memcpy(close + 2, text + name, end - name);
    close[2 + end - name] = '\0';
    if (end == name) {
        close[2] = '>';
        after = name + 1;
    } else if (end < scan->len && (is_space(text[end]) || char_in(text[end], "/><"))) {
        /* of type arguments their own > will do; what was looked through is paid for */
        if (tag_closes(scan, end + (text[end] == '<'), &seen)) after = seen;
        piece_lost(scan, at, seen);
    }
    if (after && (text[after - 2] != '/' || after - 2 < end)) {
        seen = find_close(text, after, scan->len, close);
        piece_lost(scan, after, seen);
        if (seen == scan->len) after = 0;
    }
    if (!after || !text_open(scan, &element)) return none;
    return (struct piece){ at, at, PIECE_STRING, true };
}

enum tag_part tag_read(struct scan *scan, size_t at, size_t *end)
{
    struct opened *element = &scan->opened[scan->level - 1];
    const char    *text = scan->text;
    char           c = text[at], next = at + 1 < scan->len ? text[at + 1] : '\0';

    *end = at + 1;
    if (starts_word(c)) return *end = tag_name_end(scan, at), TAG_NAME;
    if (c == '"' || c == '\'') {
        const char *hit = memchr(text + at + 1, c, scan->len - at - 1);

        return *end = hit ? (size_t)(hit - text) + 1 : scan->len, TAG_STRING;
    }
    if (c == '{' || c == '<') {
        element->close = c == '{' ? '}' : '>';
        element->depth = element->others = 0;
        return TAG_CODE;
    }
    if (c == '/' && (next == '/' || next == '*')) {
        size_t close = find_close(text, at + 2, scan->len, next == '/' ? "\n" : "*/");

        return *end = close < scan->len ? close + (next == '*' ? 2 : 0) : close, TAG_COMMENT;
    }
    if (c == '/' && next == '>') return *end = at + 2, TAG_ENDS_ELEMENT;
    if (c == '>') return element->tag == TAG_CLOSING ? TAG_ENDS_ELEMENT : TAG_ENDS;
    return TAG_OTHER;
}
