/* code/language.c -- finding the row of a name, a path or a #! line. */
#include "code/rows.h"

#include "base/utf8.h"

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
    name = trim(name);
    for (size_t i = 0; i < language_row_count; i++)
        if (equal_folded(name, language_rows[i].name) || list_has(language_rows[i].aliases, name))
            return &language_rows[i];
    return NULL;
}

const struct language *language_by_path(struct slice path)
{
    size_t       start = path.len, dot;
    struct slice file, extension;

    while (start > 0 && path.at[start - 1] != '/' && path.at[start - 1] != '\\')
        start--;
    file = (struct slice){ path.at + start, path.len - start };
    for (size_t i = 0; i < language_row_count; i++)
        if (list_has(language_rows[i].files, file)) return &language_rows[i];
    for (dot = file.len; dot > 0 && file.at[dot - 1] != '.';)
        dot--;
    if (dot == 0) return NULL;
    extension = (struct slice){ file.at + dot, file.len - dot };
    for (size_t i = 0; i < language_row_count; i++)
        if (list_has(language_rows[i].extensions, extension)) return &language_rows[i];
    return NULL;
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

const struct language *language_at(size_t i) { return i < language_row_count ? &language_rows[i] : NULL; }
