/* page/escape.c -- see escape.h. */
#include "page/escape.h"

#include "report/visible.h"

/* What a character becomes; NULL: it stays. */
static const char *in_html(char c)
{
    switch (c) {
    case '<':  return "&lt;";
    case '>':  return "&gt;";
    case '&':  return "&amp;";
    case '"':  return "&quot;";
    case '\'': return "&#39;";
    }
    return NULL;
}

static const char *in_json(char c)
{
    switch (c) {
    case '<':  return "\\u003c";
    case '>':  return "\\u003e";
    case '&':  return "\\u0026";
    case '"':  return "\\\"";
    case '\\': return "\\\\";
    case '\t': return "\\t";
    case '\n': return "\\n";
    }
    return NULL;
}

/* Runs of characters that stay are appended at once.  slash: how a backslash of ours is written. */
static int escape(struct bytes *out, struct slice text, bool one_line, const char *(*becomes)(char), const char *slash)
{
    size_t kept = 0, at = 0;
    int    rc = 0;

    if (text.len == 0) return 0;                            /* it may be nowhere */
    while (at < text.len && rc == 0) {
        const char   c = text.at[at];
        bool         harmless;
        const size_t len = visible_character((struct slice){ text.at + at, text.len - at }, &harmless);
        const char  *instead = becomes(c);

        if (one_line && (c == '\t' || c == '\n')) harmless = false;
        if (harmless && !instead) {
            at += len;
            continue;
        }
        rc = bytes_append(out, text.at + kept, at - kept);
        if (rc == 0 && harmless) rc = bytes_append_slice(out, slice_of(instead));
        else if (rc == 0) {
            struct bytes code = { 0 };

            rc = visible_append(&code, (struct slice){ text.at + at, len }, true);
            if (rc == 0) rc = bytes_append_slice(out, slice_of(slash));
            if (rc == 0) rc = bytes_append(out, code.at + 1, code.len - 1);
            bytes_free(&code);
        }
        kept = at += len;
    }
    return rc < 0 ? rc : bytes_append(out, text.at + kept, at - kept);
}

int escape_html(struct bytes *out, struct slice text, bool one_line)
{
    return escape(out, text, one_line, in_html, "\\");
}

int escape_json(struct bytes *out, struct slice text)
{
    int rc = bytes_append(out, "\"", 1);

    if (rc == 0) rc = escape(out, text, false, in_json, "\\\\");
    return rc < 0 ? rc : bytes_append(out, "\"", 1);
}
