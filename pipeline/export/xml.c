/* export/xml.c -- see xml.h. */
#include "export/xml.h"

#define REPLACEMENT "\xEF\xBF\xBD"

/* What stands for the character there, NULL: itself; *len: its bytes. */
static const char *reference(const unsigned char *at, size_t left, size_t *len)
{
    *len = 1;
    switch (*at) {
    case '<':  return "&lt;";
    case '>':  return "&gt;";
    case '&':  return "&amp;";
    case '"':  return "&quot;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default:   break;
    }
    if (*at < 0x20 || *at == 0x7F) return REPLACEMENT;
    if (*at == 0xEF && left > 2 && at[1] == 0xBF && at[2] >= 0xBE) {
        *len = 3;
        return REPLACEMENT;
    }
    return NULL;
}

int xml_append(struct bytes *out, struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    size_t               begin = 0, len;
    int                  rc = 0;

    for (size_t i = 0; i < text.len && rc == 0; i += len) {
        const char *other = reference(at + i, text.len - i, &len);

        if (!other) continue;
        rc = bytes_append(out, text.at + begin, i - begin);
        if (rc == 0) rc = bytes_append_slice(out, slice_of(other));
        begin = i + len;
    }
    return rc < 0 ? rc : bytes_append(out, text.at + begin, text.len - begin);
}
