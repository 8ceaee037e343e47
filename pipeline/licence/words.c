/* licence/words.c -- see words.h. */
#include "licence/words.h"

static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The end of the word that begins at i: letters, or a number with points inside. */
static size_t word_end(struct slice text, size_t i)
{
    const bool letters = is_letter(text.at[i]);

    while (i < text.len && (letters ? is_letter(text.at[i])
                            : is_digit(text.at[i]) || (text.at[i] == '.' && i + 1 < text.len &&
                                                       is_digit(text.at[i + 1])))) i++;
    return i;
}

static void words_add(struct words *out, const char *at, size_t len)
{
    static const char licence[] = "licence";
    const size_t      start = out->len;

    if (out->count == WORDS_MOST || len + 1 > WORDS_BYTES - start) return;
    for (size_t i = 0; i < len; i++)
        out->text[start + i] = at[i] >= 'A' && at[i] <= 'Z' ? (char)(at[i] | 32) : at[i];
    if (len >= sizeof licence - 1 && memcmp(out->text + start, licence, sizeof licence - 1) == 0)
        out->text[start + 5] = 's';
    out->text[start + len] = ' ';
    out->at[out->count++] = (uint32_t)start;
    out->len += (uint32_t)len + 1;
    out->at[out->count] = out->len;
}

/* Is the word a mark of a comment that is made of letters?  from: where its line begins. */
static bool is_mark(struct slice text, size_t from, size_t at, size_t end)
{
    const char *word = text.at + at;

    if (end - at == 1)
        return at == from && (*word | 32) == 'c' && end < text.len && (text.at[end] == ' ' || text.at[end] == '\t');
    return end - at == 3 && (strncasecmp(word, "dnl", 3) == 0 || strncasecmp(word, "rem", 3) == 0);
}

void words_read(struct words *out, struct slice text)
{
    size_t line = 0;
    bool   first = true;                                    /* no word of the line is there yet */

    out->count = out->len = out->at[0] = 0;
    for (size_t i = 0; i < text.len;) {
        const char c = text.at[i];
        size_t     end;

        if (is_letter(c) || is_digit(c)) {
            end = word_end(text, i);
            if (!first || !is_mark(text, line, i, end)) words_add(out, text.at + i, end - i);
            first = false;
            i = end;
            if (i < text.len && text.at[i] == '+') words_add(out, text.at + i++, 1);
            continue;
        }
        if (c == '\n') {
            line = i + 1;
            first = true;
        }
        if (c == '\\' && i + 1 < text.len && strchr("nrt", text.at[i + 1])) i++;
        i++;
    }
}

bool words_among(const struct words *words, size_t i, const char *list)
{
    const struct slice word = words_at(words, i);

    if (word.len == 0) return false;
    for (const char *at = list; (at = strstr(at, " ")) && at[1]; at++)
        if (strncmp(at + 1, word.at, word.len) == 0 && at[1 + word.len] == ' ') return true;
    return false;
}

size_t words_match(const struct words *words, size_t i, const char *phrase)
{
    const size_t len = strlen(phrase), at = i < words->count ? words->at[i] : words->len;
    size_t       count = 1;

    /* A blank follows every word, so the phrase ends with one of the text's words. */
    if (len >= words->len - at || memcmp(words->text + at, phrase, len) != 0 || words->text[at + len] != ' ') return 0;
    for (size_t k = 0; k < len; k++) count += phrase[k] == ' ';
    return count;
}
