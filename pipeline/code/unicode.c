/* code/unicode.c -- as much of Unicode as the published tokenizers look at.
 *
 * Words are letters, marks and digits.  Outside ASCII the table lists what is none of those in the blocks where
 * punctuation and symbols live; scripts' own rare punctuation counts as letters. */
#include "code/lexing.h"

#include "base/search.h"

uint32_t unicode_decode(const char *text, size_t len, size_t *used)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t               need = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF5 ? 4
        : 0;
    uint32_t             c = need == 1 ? p[0] : need == 2 ? p[0] & 0x1Fu : need == 3 ? p[0] & 0x0Fu : p[0] & 0x07u;

    *used = 1;
    if (need == 0 || need > len) return 0xFFFD;
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xC0) != 0x80) return 0xFFFD;
        c = c << 6 | (p[i] & 0x3Fu);
    }
    if ((need == 3 && (c < 0x800 || (c >= 0xD800 && c < 0xE000))) || (need == 4 && (c < 0x10000 || c > 0x10FFFF)))
        return 0xFFFD;
    *used = need;
    return c;
}

char *unicode_encode(uint32_t c, char *out)
{
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
    } else {
        if (c < 0x10000) *out++ = (char)(0xE0 | c >> 12);
        else {
            *out++ = (char)(0xF0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        }
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
    }
    *out++ = (char)(0x80 | (c & 0x3F));
    return out;
}

/* Inclusive ranges, ascending, of characters from U+0080 that are neither letter, mark nor digit. */
static const uint32_t not_word[][2] = {
    { 0x80, 0xA9 },     { 0xAB, 0xB1 },     { 0xB4, 0xB4 },     { 0xB6, 0xB8 },     { 0xBB, 0xBB },     { 0xBF, 0xBF },
    { 0xD7, 0xD7 },     { 0xF7, 0xF7 },     { 0x2C2, 0x2C5 },   { 0x2D2, 0x2DF },   { 0x37E, 0x37E },
          { 0x387, 0x387 },
    { 0x55A, 0x55F },   { 0x589, 0x58A },   { 0x5BE, 0x5BE },   { 0x5F3, 0x5F4 },   { 0x600, 0x60F },
          { 0x61B, 0x61F },
    { 0x66A, 0x66D },   { 0x6D4, 0x6D4 },   { 0x964, 0x965 },   { 0x970, 0x970 },   { 0xE3F, 0xE3F },
          { 0x1680, 0x1680 },
    { 0x2000, 0x203E }, { 0x2041, 0x2053 }, { 0x2055, 0x2070 }, { 0x207A, 0x207E }, { 0x208A, 0x208E },
    { 0x20A0, 0x20C0 },
    { 0x2100, 0x2101 }, { 0x2103, 0x2106 }, { 0x2108, 0x2109 }, { 0x2114, 0x2114 }, { 0x2116, 0x2118 },
    { 0x211E, 0x2123 },
    { 0x2190, 0x245F }, { 0x249C, 0x24E9 }, { 0x2500, 0x2775 }, { 0x2794, 0x2BFF }, { 0x2E00, 0x2E2E },
    { 0x2E30, 0x3004 },
    { 0x3008, 0x3020 }, { 0x3030, 0x3030 }, { 0x303D, 0x303F }, { 0x309B, 0x309C }, { 0x30A0, 0x30A0 },
    { 0x30FB, 0x30FB },
    { 0x3190, 0x3191 }, { 0x3200, 0x321F }, { 0x322A, 0x3247 }, { 0x3260, 0x327F }, { 0x328A, 0x32B0 },
    { 0x32C0, 0x33FF },
    { 0xE000, 0xF8FF }, { 0xFE10, 0xFE1F }, { 0xFE30, 0xFE32 }, { 0xFE35, 0xFE4C }, { 0xFE50, 0xFE6F },
    { 0xFEFF, 0xFEFF },
    { 0xFF01, 0xFF0F }, { 0xFF1A, 0xFF20 }, { 0xFF3B, 0xFF3E }, { 0xFF40, 0xFF40 }, { 0xFF5B, 0xFF65 },
    { 0xFFE0, 0xFFFF },
    { 0x1F000, 0x1F0FF }, { 0x1F10D, 0x1FBEF }, { 0xE0001, 0x10FFFF },
};

bool unicode_is_word(uint32_t c)
{
    const size_t count = sizeof not_word / sizeof *not_word;
    size_t       low;

    if (c < 0x80) return is_word((char)c);
    low = search_u32(not_word, sizeof *not_word, sizeof **not_word, 0, count, c);       /* the first that ends there */
    return low == count || c < not_word[low][0];
}

bool unicode_is_space(uint32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
        (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}
