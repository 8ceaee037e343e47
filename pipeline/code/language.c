/* code/language.c -- finding the row of a name, a path or a #! line. */
#include "code/rows.h"

#include "base/utf8.h"

#include <pthread.h>

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool equal_folded(struct slice text, const char *lower)
{
    size_t i = 0;

    while (i < text.len && lower[i] && fold(text.at[i]) == lower[i])
        i++;
    return i == text.len && !lower[i];
}

static bool list_has(const char *const *list, struct slice text)
{
    for (; list && *list; list++)
        if (equal_folded(text, *list)) return true;
    return false;
}

/* ---- the words of all rows ---- */

/* Every record that does not name its language asks for its path: words are found by hash.  Of a word of two rows the
 * first has it. */
enum word_kind { WORD_NAME, WORD_FILE, WORD_EXTENSION, WORD_KINDS };
enum { WORD_PLACES = 1024 };                                /* a power of two, several times as many as there are */

static struct word { const char *text; const struct language *row; } words[WORD_KINDS][WORD_PLACES];
static size_t         longest;                              /* bytes of one */
static pthread_once_t words_once = PTHREAD_ONCE_INIT;

/* Where a word is, or would be put; NULL when there is no place. */
static struct word *word_place(enum word_kind kind, struct slice text)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < text.len; i++) hash = (hash ^ (unsigned char)fold(text.at[i])) * 16777619u;
    hash ^= hash >> 15;
    for (size_t tries = 0; tries < WORD_PLACES; tries++) {
        struct word *word = &words[kind][(hash + tries) % WORD_PLACES];

        if (!word->text || equal_folded(text, word->text)) return word;
    }
    return NULL;
}

static void word_put(enum word_kind kind, const char *text, const struct language *row)
{
    const struct slice whole = slice_of(text);
    struct word       *word = word_place(kind, whole);

    if (whole.len > longest) longest = whole.len;
    if (word && !word->text) *word = (struct word){ text, row };
}

static void words_put(enum word_kind kind, const char *const *list, const struct language *row)
{
    for (; list && *list; list++) word_put(kind, *list, row);
}

static void words_make(void)
{
    for (const struct language *row = language_rows; row < language_rows + language_row_count; row++) {
        word_put(WORD_NAME, row->name, row);
        words_put(WORD_NAME, row->aliases, row);
        words_put(WORD_FILE, row->files, row);
        words_put(WORD_EXTENSION, row->extensions, row);
    }
}

static const struct language *word_find(enum word_kind kind, struct slice text)
{
    const struct word *word;

    pthread_once(&words_once, words_make);
    if (text.len > longest) return NULL;
    word = word_place(kind, text);
    return word && word->text ? word->row : NULL;
}

/* ---- names, paths, #! lines ---- */

static struct slice trim(struct slice s)
{
    while (s.len && (unsigned char)s.at[0] <= ' ')
        s.at++, s.len--;
    while (s.len && (unsigned char)s.at[s.len - 1] <= ' ')
        s.len--;
    return s;
}

const struct language *language_by_name(struct slice name)
{
    return word_find(WORD_NAME, trim(name));
}

const struct language *language_by_path(struct slice path)
{
    const struct language *row;
    size_t                 start = path.len, dot;
    struct slice           file;

    while (start > 0 && path.at[start - 1] != '/' && path.at[start - 1] != '\\')
        start--;
    file = (struct slice){ path.at + start, path.len - start };
    if ((row = word_find(WORD_FILE, file))) return row;
    for (dot = file.len; dot > 0 && file.at[dot - 1] != '.';)
        dot--;
    return dot ? word_find(WORD_EXTENSION, (struct slice){ file.at + dot, file.len - dot }) : NULL;
}

/* Takes the next word of a line off its front. */
static struct slice next_word(struct slice *line)
{
    struct slice word;

    *line = trim(*line);
    word = (struct slice){ line->at, 0 };
    while (word.len < line->len && (unsigned char)word.at[word.len] > ' ')
        word.len++;
    line->at += word.len;
    line->len -= word.len;
    return word;
}

const struct language *language_by_shebang(struct slice text)
{
    struct slice line, word, base;
    const char  *end;

    text = utf8_without_mark(text);
    if (text.len < 2 || text.at[0] != '#' || text.at[1] != '!') return NULL;
    end = memchr(text.at, '\n', text.len);
    line = (struct slice){ text.at + 2, (end ? (size_t)(end - text.at) : text.len) - 2 };
    word = next_word(&line);
    for (;;) {
        base = word;
        for (size_t i = 0; i < word.len; i++)
            if (word.at[i] == '/') base = (struct slice){ word.at + i + 1, word.len - i - 1 };
        if (!equal_folded(base, "env")) break;
        /* env's own options and settings come before the interpreter */
        do
            word = next_word(&line);
        while (word.len && (word.at[0] == '-' || memchr(word.at, '=', word.len)));
        if (!word.len) return NULL;
    }
    for (size_t i = 0; i < language_row_count; i++)
        if (list_has(language_rows[i].interpreters, base)) return &language_rows[i];
    while (base.len && ((base.at[base.len - 1] >= '0' && base.at[base.len - 1] <= '9') || base.at[base.len - 1] == '.'))
        base.len--;                                         /* python3.11, lua5.4 */
    for (size_t i = 0; base.len && i < language_row_count; i++)
        if (list_has(language_rows[i].interpreters, base)) return &language_rows[i];
    return NULL;
}

const struct language *language_generic(void) { return &language_rows[language_row_count - 1]; }

const char *language_name(const struct language *language) { return language->name; }

const char *language_keyword(const struct language *language, size_t i)
{
    const char *const *word = language->keywords;

    while (i > 0 && *word)
        word++, i--;
    return *word;
}

size_t language_place(const struct language *language) { return (size_t)(language - language_rows); }

const struct language *language_at(size_t i) { return i < language_row_count ? &language_rows[i] : NULL; }
