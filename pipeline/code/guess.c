/* code/guess.c -- see guess.h. */
#include "code/guess.h"

#include <math.h>
#include <string.h>

/* For each text, logarithms: languages of one family differ by less in texts of a few lines; and what is taken for a
 * program by a word or two is prose. */
#define GUESS_LIKELY 8.0
#define GUESS_TEXT   4.0

/* Weight of what is not there.  Of pieces of 200 files of each language, by files that the table was not made of, 86 %
 * are told right, and 345 of 347 groups of ten; with 1: 83 %, a Java method without comment and import being C#; with
 * 0 prose is a programming language in 7 of 10. */
#define GUESS_ABSENT 0.3

enum { WORD_MOST = 12, SIGNS_MOST = 3 };                    /* bytes, as in scripts/guess_table.py */

static bool is_letter(unsigned char c) { return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static bool is_blank(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_sign(unsigned char c)
{
    return !is_letter(c) && !is_digit(c) && !is_blank(c) && c < 0x80 && c != '"' && c != '\'';
}

/* The lines in the middle: heads of files are licences, in all languages. */
static struct slice middle(struct slice text)
{
    size_t lines = 1, skipped, at = 0, end;

    for (size_t i = 0; i < text.len; i++) lines += text.at[i] == '\n';
    skipped = lines > GUESS_LINES ? (lines - GUESS_LINES) / 2 : 0;
    for (; skipped; at++) skipped -= text.at[at] == '\n';
    end = at;
    for (lines = GUESS_LINES; end < text.len && lines; end++) lines -= text.at[end] == '\n';
    return (struct slice){ text.at + at, end - at };
}

/* The next word or run of signs that may be in the table; false at the end. */
static bool token_next(struct slice text, size_t *at, struct slice *token)
{
    while (*at < text.len) {
        const unsigned char first = (unsigned char)text.at[*at];
        const size_t        begin = *at;

        if (is_letter(first))
            while (*at < text.len && (is_letter((unsigned char)text.at[*at]) || is_digit((unsigned char)text.at[*at])))
                ++*at;
        else if (is_sign(first))
            while (*at < text.len && is_sign((unsigned char)text.at[*at])) ++*at;
        else {
            ++*at;
            continue;
        }
        *token = (struct slice){ text.at + begin, *at - begin };
        if (token->len <= (is_letter(first) ? WORD_MOST : SIGNS_MOST)) return true;
    }
    return false;
}

static size_t word_find(struct slice token)
{
    size_t low = 0, high = guess_word_count;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        const int    order = slice_compare(slice_of(guess_words[mid].text), token);

        if (order == 0) return mid;
        if (order < 0) low = mid + 1;
        else high = mid;
    }
    return guess_word_count;
}

/* ln p of a word that is there, ln(1 - p) of one that is not. */
static double told(char share, bool there)
{
    const double p = exp2(('0' - share) / 4.0);

    return there ? log(p) : GUESS_ABSENT * log(fmax(0.01, 1 - p));
}

void guess_add(struct guess *guess, struct slice text)
{
    enum { WORDS_MOST = 1024 };
    const struct slice part = middle(text);
    bool               there[WORDS_MOST] = { 0 };
    struct slice       token;
    double            *score;

    if (guess->texts == GUESS_TEXTS) return;
    score = guess->score[guess->texts++];
    for (size_t at = 0; token_next(part, &at, &token); ) {
        const size_t word = word_find(token);

        if (word < guess_word_count && word < WORDS_MOST) there[word] = true;
    }
    for (size_t w = 0; w < guess_word_count && w < WORDS_MOST; w++)
        for (size_t i = 0; i < GUESS_LANGUAGES; i++) score[i] += told(guess_words[w].share[i], there[w]);
}

static double bonus(size_t language, const bool likely[GUESS_LANGUAGES], size_t text)
{
    return language == text ? GUESS_TEXT : likely[language] ? GUESS_LIKELY : 0;
}

const struct language *guess_best(const struct guess *guess, const bool likely[GUESS_LANGUAGES])
{
    const size_t text = guess_place("text");
    double       sum[GUESS_LANGUAGES] = { 0 };
    size_t       first[GUESS_LANGUAGES] = { 0 }, best = 0;  /* texts for which a language is the likeliest */

    for (size_t t = 0; t < guess->texts; t++) {
        size_t top = 0;

        for (size_t i = 0; i < GUESS_LANGUAGES; i++) {
            sum[i] += guess->score[t][i] + bonus(i, likely, text);
            if (guess->score[t][i] + bonus(i, likely, text) > guess->score[t][top] + bonus(top, likely, text)) top = i;
        }
        first[top]++;
    }
    for (size_t i = 1; i < GUESS_LANGUAGES; i++)
        if (sum[i] > sum[best]) best = i;
    /* a sum may be made by a few texts of many words */
    if (guess->texts == 0 || 2 * first[best] < guess->texts || best == text) return NULL;
    return language_by_name(slice_of(guess_languages[best]));
}

size_t guess_place(const char *name)
{
    size_t i = 0;

    while (i < GUESS_LANGUAGES && strcmp(guess_languages[i], name) != 0) i++;
    return i;
}
