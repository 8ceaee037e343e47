/* clean/cut.c -- see cut.h. */
#include "clean/cut.h"

#include "corpus/cleaned.h"

#include <errno.h>

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* The character that begins at `at`, as far as it matters: LF, CR, or anything else; and its length. */
static char character_at(struct slice text, size_t at, bool json, size_t *len)
{
    const char *c = text.at + at;
    int         value = 0;

    *len = 1;
    if (!json || *c != '\\' || at + 1 == text.len) return *c;
    *len = 2;
    if (c[1] == 'n') return '\n';
    if (c[1] == 'r') return '\r';
    if (c[1] != 'u' || text.len - at < 6) return 0;
    *len = 6;
    for (size_t i = 2; i < 6; i++) value = value << 4 | hex_value(c[i]);
    return value == '\n' || value == '\r' ? (char)value : 0;
}

/* Where the next line begins. */
static size_t line_next(struct slice text, size_t at, bool json)
{
    while (at < text.len) {
        size_t len, more;
        char   c = character_at(text, at, json, &len);

        at += len;
        if (c == '\r' && at < text.len && character_at(text, at, json, &more) == '\n') return at + more;
        if (c == '\r' || c == '\n') return at;
    }
    return at;
}

int cut_lines(struct bytes *out, struct slice text, bool json, const struct clean_span *span, size_t count)
{
    size_t   at = 0;
    uint32_t line = 1;

    for (size_t s = 0; s <= count && at < text.len; s++) {
        size_t from = at;

        for (; at < text.len && (s == count || line < span[s].first); line++) at = line_next(text, at, json);
        if (bytes_append(out, text.at + from, at - from) < 0) return -ENOMEM;
        for (; s < count && at < text.len && line <= span[s].last; line++) at = line_next(text, at, json);
    }
    return 0;
}

int cut_record(struct bytes *out, const struct record *record, const struct clean_span *span, size_t count,
               struct bytes *scratch, uint64_t *bytes)
{
    const struct slice line = record->line, raw = record->raw[FIELD_TEXT];
    const size_t       before = (size_t)(raw.at - line.at) + 1, start = out->len;
    struct record      shorter = *record;

    scratch->len = 0;
    if (cut_lines(scratch, record->text, false, span, count) < 0) return -ENOMEM;
    *bytes = record->text.len - scratch->len;
    shorter.text = bytes_slice(scratch);
    if (!record->json) return cleaned_record(out, &shorter, 0);
    if (bytes_append(out, line.at, before) < 0 || cut_lines(out, (struct slice){ raw.at + 1, raw.len - 2 }, true, span,
                                                            count) < 0 ||
        bytes_append(out, raw.at + raw.len - 1, line.len - before - (raw.len - 2)) < 0) return -ENOMEM;
    cleaned_join(out->at + start, out->len - start);
    return bytes_append(out, "\n", 1);
}
