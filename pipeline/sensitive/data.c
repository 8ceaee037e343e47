/* sensitive/data.c -- see data.h. */
#include "sensitive/data.h"

#include "sensitive/key.h"

/* JOIN_MOST: bytes between two pieces; PIECE_LEAST: bytes of the other piece */
enum { JOIN_MOST = 100, PIECE_LEAST = 16 };

static bool begins(struct slice value, const char *with)
{
    size_t len = strlen(with);

    return value.len >= len && memcmp(value.at, with, len) == 0;
}

/* ---- numbers ---- */

static bool is_digits(struct slice value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!sensitive_is_digit(value.at[i])) return false;
    return true;
}

static int digit_of(char c) { return sensitive_is_digit(c) ? c - '0' : (sensitive_lower(c) - 'a') + 10; }

/* Hexadecimal digits of which three of four are the one before, or one more, or one less. */
static bool is_counting(struct slice value)
{
    size_t steps = 0;

    for (size_t i = 0; i < value.len; i++)
        if (!sensitive_is_digit(value.at[i]) && !(sensitive_lower(value.at[i]) >= 'a' &&
                                                  sensitive_lower(value.at[i]) <= 'f'))
            return false;
    for (size_t i = 1; i < value.len; i++) {
        int step = digit_of(value.at[i]) - digit_of(value.at[i - 1]);

        steps += step >= -1 && step <= 1;
    }
    return steps * 4 >= value.len * 3;
}

/* ---- files and texts ---- */

/* First bytes of files, in base64: as many as their magic number decides. */
static const char *const files[] = { "H4sI", "iVBORw0KGgo", "R0lGOD", "/9j/4", "UEsDB", "AGFzbQ", "d09GR", "d09GM",
                                     "JVBERi", "UklGR", "PD94bWw", "PHN2Zy" };
static const char *const hashes[] = { "sha1-", "sha256-", "sha384-", "sha512-", "md5-" };

static int sextet_of(char c)
{
    if (sensitive_is_upper(c)) return c - 'A';
    if (sensitive_is_lower(c)) return c - 'a' + 26;
    if (sensitive_is_digit(c)) return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Decoded, bytes of ASCII with no control characters but white space. */
static bool is_encoded_text(struct slice value)
{
    unsigned bits = 0, held = 0;

    for (size_t i = 0; i < value.len && value.at[i] != '='; i++) {
        int sextet = sextet_of(value.at[i]);

        if (sextet < 0) return false;
        bits = (bits << 6 | (unsigned)sextet) & 0xFFFF;
        held += 6;
        if (held >= 8) {
            unsigned char byte = (unsigned char)(bits >> (held -= 8));

            if (byte >= 0x7F || (byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t')) return false;
        }
    }
    return true;
}

/* M, and then commands with numbers: all its letters are commands, and digits are more than half of it. */
static bool is_svg_path(struct slice value)
{
    size_t digits = 0;

    if (!value.len || (*value.at != 'M' && *value.at != 'm')) return false;
    for (size_t i = 0; i < value.len; i++) {
        digits += sensitive_is_digit(value.at[i]);
        if (!sensitive_is_digit(value.at[i]) && value.at[i] != '-' && !strchr("MmLlHhVvZzCcSsQqTtAa", value.at[i]))
            return false;
    }
    return digits * 2 > value.len;
}

bool sensitive_is_data(struct slice value)
{
    for (size_t f = 0; f < sizeof files / sizeof *files; f++)
        if (begins(value, files[f])) return true;
    for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++)
        if (begins(value, hashes[h])) return true;
    return is_digits(value) || is_counting(value) || is_svg_path(value) ||
           (value.len > DATA_LONG && is_encoded_text(value));
}

/* ---- pieces ---- */

static bool joins(char c) { return (unsigned char)c <= ' ' || (c && strchr("+.&\\", c)); }

static bool is_quote(char c) { return c == '"' || c == '\''; }

static bool is_piece_byte(char c) { return sensitive_is_alnum(c) || (c && strchr("+/=_-", c)); }

static bool piece_before(struct slice text, size_t at)
{
    const size_t from = at > JOIN_MOST ? at - JOIN_MOST : 0;
    size_t       end = at, start;

    while (end > from && joins(text.at[end - 1])) end--;
    if (end == from || !is_quote(text.at[end - 1])) return false;
    for (start = --end; start > 0 && end - start < PIECE_LEAST && is_piece_byte(text.at[start - 1]); start--) continue;
    return end - start == PIECE_LEAST;
}

static bool piece_behind(struct slice text, size_t end)
{
    const size_t until = text.len - end > JOIN_MOST ? end + JOIN_MOST : text.len;
    size_t       start = end, at;

    while (start < until && joins(text.at[start])) start++;
    if (start == until || !is_quote(text.at[start])) return false;
    for (at = ++start; at < text.len && at - start < PIECE_LEAST && is_piece_byte(text.at[at]); at++) continue;
    return at - start == PIECE_LEAST;
}

bool sensitive_is_piece(struct slice text, size_t at, size_t end)
{
    return piece_before(text, at - 1) || piece_behind(text, end + 1);
}
