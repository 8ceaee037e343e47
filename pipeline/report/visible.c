/* report/visible.c -- see visible.h. */
#include "report/visible.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdint.h>

/* Code points that are not what they look like: C1 controls, soft hyphen, zero-width and direction marks, line and
 * paragraph separators, embeddings, overrides and isolates, the byte order mark, interlinear and tag characters. */
static const struct { uint32_t first, last; } visible_hidden[] = {
    { 0x80, 0x9F }, { 0xAD, 0xAD }, { 0x61C, 0x61C }, { 0x200B, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F },
    { 0xFEFF, 0xFEFF }, { 0xFFF9, 0xFFFB }, { 0xE0000, 0xE0FFF },
};

/* The valid character of `len` bytes as a number. */
static uint32_t visible_code(const unsigned char *at, size_t len)
{
    uint32_t code = len == 1 ? at[0] : at[0] & (0x7Fu >> len);

    for (size_t i = 1; i < len; i++) code = code << 6 | (at[i] & 0x3F);
    return code;
}

size_t visible_character(struct slice text, bool *harmless)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t               len = at[0] < 0xC0 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    uint32_t             code;

    *harmless = false;
    if (at[0] < 0x80) {
        *harmless = at[0] == '\t' || at[0] == '\n' || (at[0] >= 0x20 && at[0] < 0x7F);
        return 1;
    }
    if (len > text.len || utf8_valid_length((struct slice){ text.at, len }) != len) return 1;
    code = visible_code(at, len);
    for (size_t i = 0; i < sizeof visible_hidden / sizeof visible_hidden[0]; i++)
        if (code >= visible_hidden[i].first && code <= visible_hidden[i].last) return len;
    *harmless = true;
    return len;
}

int visible_append(struct bytes *out, struct slice text, bool one_line)
{
    while (text.len) {
        bool   harmless;
        size_t len = visible_character(text, &harmless);
        int    rc;

        if (harmless && !(one_line && (*text.at == '\t' || *text.at == '\n'))) rc = bytes_append(out, text.at, len);
        else if (len == 1) rc = bytes_printf(out, "\\x%02x", (unsigned)(unsigned char)*text.at);
        else rc = bytes_printf(out, "\\u%04x", visible_code((const unsigned char *)text.at, len));
        if (rc < 0) return rc;
        text.at += len;
        text.len -= len;
    }
    return 0;
}

struct slice visible_cut(struct slice text, size_t limit)
{
    if (text.len <= limit) return text;
    while (limit && ((unsigned char)text.at[limit] & 0xC0) == 0x80) limit--;
    return (struct slice){ text.at, limit };
}
