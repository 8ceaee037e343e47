/* code/lexer_operators.c -- where numbers and operators end. */
#include "code/lexing.h"

static bool is_hex(char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

static bool digit_of(char c, unsigned base)
{
    return base == 16 ? is_hex(c) : c >= '0' && c < (char)('0' + base);
}

/* Digits with single underscores between them, as Python has them; i when there are none. */
static size_t python_digits(const char *text, size_t i, size_t len, unsigned base)
{
    while (i < len && (digit_of(text[i], base) || (text[i] == '_' && i + 1 < len && digit_of(text[i + 1], base))))
        i++;
    return i;
}

static size_t exponent_end(const char *text, size_t i, size_t len, char letter)
{
    size_t k = i + 1;

    if (i >= len || (text[i] | 32) != letter) return i;
    if (k < len && (text[k] == '+' || text[k] == '-')) k++;
    return k < len && is_digit(text[k]) ? python_digits(text, k, len, 10) : i;
}

/* The longest of imaginary, float and integer literal, as Python 3.11's tokenize has them. */
static size_t python_number_end(const char *text, size_t at, size_t len, bool fraction)
{
    size_t digits = python_digits(text, at, len, 10), end = digits, k;
    bool   real = fraction;

    if (!real && end < len && text[end] == '.') {
        real = true;
        end++;
        if (end < len && is_digit(text[end])) end = python_digits(text, end, len, 10);
    }
    k = exponent_end(text, end, len, 'e');
    real |= k > end;
    if (k < len && (text[k] | 32) == 'j') return k + 1;
    if (real) return k;
    if (text[at] != '0') return digits;
    if (at + 1 < len) {
        unsigned base = (text[at + 1] | 32) == 'x' ? 16 : (text[at + 1] | 32) == 'o' ? 8 : (text[at + 1] | 32) == 'b'
            ? 2 : 0;

        k = at + 2 < len && text[at + 2] == '_' ? at + 3 : at + 2;
        if (base && k < len && digit_of(text[k], base)) return python_digits(text, k, len, base);
    }
    for (end = at + 1; end < len && (text[end] == '0' || (text[end] == '_' && end + 1 < len && text[end + 1] == '0'));)
        end++;                                              /* 0777 is 0 and 777 */
    return end;
}

/* Digits with underscores between them, any number of them (Java). */
static size_t java_digits(const char *text, size_t i, size_t len, unsigned base)
{
    for (size_t k = i; k < len && (digit_of(text[k], base) || text[k] == '_'); k++)
        if (text[k] != '_') i = k + 1;
    return i;
}

static inline bool one_of(const char *text, size_t i, size_t len, const char *letters)
{
    while (i < len && *letters)
        if (text[i] == *letters++) return true;
    return false;
}

static size_t java_number_end(const char *text, size_t at, size_t len, bool fraction)
{
    size_t end, k;

    if (!fraction && text[at] == '0' && one_of(text, at + 1, len, "xXbB")) {
        unsigned base = (text[at + 1] | 32) == 'x' ? 16 : 2;

        end = java_digits(text, at + 2, len, base);
        if (base == 16) {
            k = one_of(text, end, len, ".") ? java_digits(text, end + 1, len, 16) : end;
            if (exponent_end(text, k, len, 'p') > k) {
                end = exponent_end(text, k, len, 'p');
                return end + one_of(text, end, len, "fFdD");
            }
        }
        return end + one_of(text, end, len, "lL");
    }
    end = java_digits(text, at, len, 10);
    if (!fraction && one_of(text, end, len, "lL")) return end + 1;
    if (!fraction && one_of(text, end, len, ".")) end = java_digits(text, end + 1, len, 10);
    if (exponent_end(text, end, len, 'e') > end) end = java_digits(text, exponent_end(text, end, len, 'e'), len, 10);
    return end + one_of(text, end, len, "fFdD");
}

/* Whether a number may end with the point before i: no range and no member begins there. */
static bool point_ends(const char *text, size_t i, size_t len)
{
    return i >= len || (text[i] != '.' && !is_word(text[i])) || exponent_end(text, i, len, 'e') > i;
}

/* Everywhere else a number takes its whole word with it, and what a point or a signed exponent joins to it. */
static size_t word_number_end(const struct language *row, const char *text, size_t at, size_t len, bool fraction)
{
    bool   c_style = row->number == NUMBER_C, last = row->number == NUMBER_POINT;
    bool   hex = text[at] == '0' && one_of(text, at + 1, len, "xX");
    size_t i = at + 1;

    while (i < len) {
        char c = text[i], next = i + 1 < len ? text[i + 1] : ' ';

        if ((next == '+' || next == '-') && (c_style || (i + 2 < len && is_digit(text[i + 2]))) &&
            ((c | 32) == 'p' || (!hex && (c | 32) == 'e'))) {
            i += 2;
        } else if (is_word(c)) {
            i++;
        } else if (c == '.' && (c_style || (!fraction && (is_digit(next) || (last && point_ends(text, i + 1, len)))))) {
            fraction = true;
            i++;
        } else if (c == '\'' && c_style && is_word(next)) {
            i += 2;                                         /* 1'000'000 */
        } else {
            break;
        }
    }
    return i;
}

/* A name right behind a number is a factor: 2x, 1.5im. */
static size_t julia_number_end(const char *text, size_t at, size_t len, bool fraction)
{
    bool   prefixed = !fraction && text[at] == '0' && one_of(text, at + 1, len, "xbo");
    size_t end, exponent;

    if (prefixed) {
        end = java_digits(text, at + 2, len, text[at + 1] == 'x' ? 16 : text[at + 1] == 'o' ? 8 : 2);
        return text[at + 1] == 'x' ? exponent_end(text, end, len, 'p') : end;
    }
    end = java_digits(text, at, len, 10);
    if (!fraction && one_of(text, end, len, ".") && end + 1 < len && is_digit(text[end + 1]))
        end = java_digits(text, end + 1, len, 10);
    exponent = exponent_end(text, end, len, 'e');
    return exponent > end ? exponent : exponent_end(text, end, len, 'f');
}

/* $1 is a parameter, 16#ff a number with its base. */
static size_t shell_number_end(const struct language *row, const char *text, size_t at, size_t len, bool fraction)
{
    size_t i = at, end = word_number_end(row, text, at, len, fraction);

    if (at > 0 && text[at - 1] == '$') return at + 1;
    while (i < end && is_digit(text[i]))
        i++;
    if (i < end || end + 1 >= len || text[end] != '#' || !is_word(text[end + 1])) return end;
    for (end++; end < len && is_word(text[end]);)
        end++;
    return end;
}

size_t number_end(const struct language *row, const char *text, size_t at, size_t len, bool fraction)
{
    switch (row->number) {
    case NUMBER_PYTHON: return python_number_end(text, at, len, fraction);
    case NUMBER_JAVA:   return java_number_end(text, at, len, fraction);
    case NUMBER_JULIA:  return julia_number_end(text, at, len, fraction);
    case NUMBER_SHELL:  return shell_number_end(row, text, at, len, fraction);
    default:            return word_number_end(row, text, at, len, fraction);
    }
}

/* Characters that begin no operator longer than themselves, in any language. */
static bool is_single(char c)
{
    return c == '(' || c == ')' || c == ',' || c == '{' || c == '}' || c == '[' || c == ']' || c == '\\';
}

size_t operator_length(const struct language *row, const char *text, size_t len)
{
    if (len == 1 || (unsigned char)text[1] <= ' ' || is_word(text[1]) || is_single(text[0])) return 1;
    for (const char *const *op = row->operators; *op; op++) {
        size_t k = 2;

        if ((*op)[0] != text[0] || (*op)[1] != text[1]) continue;
        while ((*op)[k] && k < len && text[k] == (*op)[k])
            k++;
        if (!(*op)[k]) return k;
    }
    return 1;
}
