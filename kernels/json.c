/* kernels/json.c -- strings and containers of JSON, byte by byte: the specification, and the decoder of rare escapes
 * that every level calls.
 *
 * What malformed text gives is part of the specification too, so that a damaged shard has the same rejects on every
 * machine: of `\q` and `\u12x4` the offending byte is the q and the x; a text that ends inside an escape is
 * unterminated. */
#include "kernels/parts.h"

const char json_escape_table[256] = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/* Value + 1 of a hexadecimal digit, 0 for any other byte. */
static const uint8_t hex_table[256] = {
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

/* Reads the four digits at src[*in]; on failure *in is the byte that is none, or n. */
static enum json_end json_read_hex(uint32_t *value, const char *src, size_t n, size_t *in)
{
    *value = 0;
    for (int i = 0; i < 4; i++, ++*in) {
        uint8_t digit;

        if (*in == n)
            return JSON_UNTERMINATED;
        digit = hex_table[(unsigned char)src[*in]];
        if (!digit)
            return JSON_BAD_ESCAPE;
        *value = *value << 4 | (digit - 1u);
    }
    return JSON_CLOSED;
}

static size_t json_put_utf8(char *dst, uint32_t point)
{
    if (point < 0x80) {
        dst[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        dst[0] = (char)(0xC0 | point >> 6);
        dst[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        dst[0] = (char)(0xE0 | point >> 12);
        dst[1] = (char)(0x80 | (point >> 6 & 0x3F));
        dst[2] = (char)(0x80 | (point & 0x3F));
        return 3;
    }
    dst[0] = (char)(0xF0 | point >> 18);
    dst[1] = (char)(0x80 | (point >> 12 & 0x3F));
    dst[2] = (char)(0x80 | (point >> 6 & 0x3F));
    dst[3] = (char)(0x80 | (point & 0x3F));
    return 4;
}

/* The \u escape whose digits start at src[*in].  A high surrogate takes its low one with it; whatever else follows is
 * left for the next call, which then finds its mistakes at their own place. */
static enum json_end json_decode_unicode(char *dst, size_t *out, const char *src, size_t n, size_t *in)
{
    uint32_t      point, low;
    enum json_end end = json_read_hex(&point, src, n, in);

    if (end != JSON_CLOSED)
        return end;
    if ((point & 0xFC00) == 0xD800 && n - *in >= 6 && src[*in] == '\\' && src[*in + 1] == 'u') {
        size_t after = *in + 2;

        if (json_read_hex(&low, src, n, &after) == JSON_CLOSED && (low & 0xFC00) == 0xDC00) {
            point = 0x10000 + ((point & 0x3FF) << 10 | (low & 0x3FF));
            *in = after;
        }
    }
    if ((point & 0xFFFFF800) == 0xD800)
        point = 0xFFFD;
    *out += json_put_utf8(dst + *out, point);
    return JSON_CLOSED;
}

enum json_end json_decode_escapes(char *dst, size_t *out, const char *src, size_t n, size_t *in)
{
    do {
        enum json_end end;
        char simple;

        if (++*in == n)
            return JSON_UNTERMINATED;
        simple = json_escape_table[(unsigned char)src[*in]];
        if (simple) {
            dst[(*out)++] = simple;
            ++*in;
            return JSON_CLOSED;
        }
        if (src[*in] != 'u')
            return JSON_BAD_ESCAPE;
        ++*in;
        end = json_decode_unicode(dst, out, src, n, in);
        if (end != JSON_CLOSED)
            return end;
    } while (n - *in >= 2 && src[*in] == '\\' && src[*in + 1] == 'u');
    return JSON_CLOSED;
}

enum json_end json_unescape_scalar(char *dst, size_t *len, const char *src, size_t n, size_t *used)
{
    enum json_end end = JSON_UNTERMINATED;
    size_t in = 0, out = 0;

    while (in < n) {
        unsigned char c = (unsigned char)src[in];

        if (c == '\\') {
            end = json_decode_escapes(dst, &out, src, n, &in);
            if (end != JSON_CLOSED)
                break;
            end = JSON_UNTERMINATED;
        } else if (c == '"') {
            end = JSON_CLOSED;
            in++;
            break;
        } else if (c < 0x20) {
            end = JSON_CONTROL;
            break;
        } else {
            dst[out++] = src[in++];
        }
    }
    *len = out;
    *used = in;
    return end;
}

enum json_end json_check_escape(const char *src, size_t n, size_t *in)
{
    uint32_t ignored;

    if (++*in == n)
        return JSON_UNTERMINATED;
    if (src[*in] != 'u') {
        if (!json_escape_table[(unsigned char)src[*in]])
            return JSON_BAD_ESCAPE;
        ++*in;
        return JSON_CLOSED;
    }
    ++*in;
    return json_read_hex(&ignored, src, n, in);
}

enum json_end json_string_check_scalar(const char *src, size_t n, size_t *used)
{
    size_t in = 0;

    while (in < n) {
        unsigned char c = (unsigned char)src[in];

        if (c == '\\') {
            enum json_end end = json_check_escape(src, n, &in);

            if (end != JSON_CLOSED) {
                *used = in;
                return end;
            }
        } else if (c == '"') {
            *used = in + 1;
            return JSON_CLOSED;
        } else if (c < 0x20) {
            *used = in;
            return JSON_CONTROL;
        } else {
            in++;
        }
    }
    *used = n;
    return JSON_UNTERMINATED;
}

size_t json_string_end_scalar(const char *src, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (src[i] == '"')
            return i;
        if (src[i] == '\\')
            i++;
    }
    return n;
}

size_t json_container_end_scalar(const char *src, size_t n)
{
    uint64_t depth = 1;
    int in_string = 0;

    for (size_t i = 1; i < n; i++)
        switch (src[i]) {
        case '\\': i++; break;                              /* in a string, or outside, where it is malformed anyway */
        case '"':  in_string = !in_string; break;
        case '[': case '{': depth += !in_string; break;
        case ']': case '}':
            depth -= !in_string;
            if (depth == 0)
                return i + 1;
            break;
        default: break;
        }
    return 0;
}

static int json_is_digit(const char *src, size_t n, size_t at) { return at < n && src[at] >= '0' && src[at] <= '9'; }

/* The offset after the number at src[at], or 0. */
static size_t json_list_number(const char *src, size_t n, size_t at)
{
    if (at < n && src[at] == '-')
        at++;
    if (!json_is_digit(src, n, at) || (src[at] == '0' && json_is_digit(src, n, at + 1)))
        return 0;
    while (json_is_digit(src, n, at))
        at++;
    if (at == n || src[at] != '.')
        return at;
    at++;
    if (!json_is_digit(src, n, at))
        return 0;
    while (json_is_digit(src, n, at))
        at++;
    return at;
}

/* The offset after the string at src[at], or 0. */
static size_t json_list_string(const char *src, size_t n, size_t at)
{
    for (at++; at < n && src[at] != '"'; at++) {
        if ((unsigned char)src[at] < 0x20)
            return 0;
        if (src[at] == '\\' && (++at == n || !json_escape_table[(unsigned char)src[at]]))
            return 0;
    }
    return at < n ? at + 1 : 0;
}

size_t json_list_check_scalar(const char *src, size_t n)
{
    for (size_t at = 1; at < n; at++) {
        at += src[at] == ' ';
        if (at == n)
            return 0;
        at = src[at] == '"' ? json_list_string(src, n, at) : json_list_number(src, n, at);
        if (!at || at == n)
            return 0;
        if (src[at] == ']')
            return at + 1;
        if (src[at] != ',')
            return 0;
    }
    return 0;
}
