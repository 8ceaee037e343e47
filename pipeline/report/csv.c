/* report/csv.c -- see csv.h. */
#include "report/csv.h"

#include <string.h>

static bool is_formula(struct slice text) { return text.len && memchr("=+-@\t\r", *text.at, 6); }

static int quoted(struct slice text, struct bytes *out)
{
    int rc = bytes_append(out, "\"'", is_formula(text) ? 2 : 1);

    for (size_t i = 0; rc == 0;) {
        const char  *quote = i < text.len ? memchr(text.at + i, '"', text.len - i) : NULL;
        const size_t end = quote ? (size_t)(quote - text.at) + 1 : text.len;

        rc = bytes_append(out, text.at + i, end - i);
        if (rc < 0 || !quote) break;
        rc = bytes_append(out, "\"", 1);
        i = end;
    }
    return rc < 0 ? rc : bytes_append(out, "\"", 1);
}

int csv_text(struct slice text, struct bytes *out)
{
    const bool plain = text.len && !is_formula(text) && !memchr(text.at, '"', text.len) &&
        !memchr(text.at, ',', text.len) && !memchr(text.at, '\n', text.len) && !memchr(text.at, '\r', text.len);

    return plain ? bytes_append_slice(out, text) : quoted(text, out);
}
