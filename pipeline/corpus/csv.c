/* corpus/csv.c -- see csv.h. */
#include "corpus/csv.h"

#include <stdint.h>

/* A field without quotes: up to its separator, or the line feed, which is then the row's end. */
static size_t plain_end(struct slice text, size_t at, char separator)
{
    while (at < text.len && text.at[at] != separator && text.at[at] != '\n') at++;
    return at;
}

/* The byte behind a quote inside quotes.  False: it may not be there. */
static bool pass_quote(enum csv_place *place, char c, char separator)
{
    if (*place == CSV_QUOTE && c == '"') *place = CSV_QUOTED;
    else if (*place == CSV_QUOTE && c == separator) *place = CSV_FIELD;
    else if (*place == CSV_QUOTE && c == '\r') *place = CSV_QUOTE_CR;
    else return false;
    return true;
}

enum csv_end csv_scan(enum csv_place *place, struct slice text, char separator, size_t *used)
{
    size_t      at = 0;
    const char *quote;

    while (at < text.len) {
        if (*place == CSV_FIELD) {
            *place = text.at[at] == '"' ? CSV_QUOTED : CSV_PLAIN;
            at += *place == CSV_QUOTED;
        } else if (*place == CSV_PLAIN) {
            at = plain_end(text, at, separator);
            if (at < text.len && text.at[at] == separator) {
                *place = CSV_FIELD;
                at++;
            } else if (at < text.len) break;
        } else if (*place == CSV_QUOTED) {
            quote = memchr(text.at + at, '"', text.len - at);
            at = quote ? (size_t)(quote - text.at) + 1 : text.len;
            if (quote) *place = CSV_QUOTE;
        } else if (text.at[at] == '\n') break;
        else if (pass_quote(place, text.at[at], separator)) at++;
        else {
            *used = at;
            return CSV_BROKEN;
        }
    }
    *used = at < text.len ? at + 1 : at;
    if (at == text.len) return CSV_MORE;
    *place = CSV_FIELD;
    return CSV_ROW;
}

bool csv_next_field(struct slice row, char separator, size_t *at, struct slice *value, bool *quoted)
{
    size_t start = *at, end;

    if (start == SIZE_MAX) return false;
    *quoted = start < row.len && row.at[start] == '"';
    if (*quoted) {
        for (end = ++start; end < row.len; end += 2) {
            const char *quote = memchr(row.at + end, '"', row.len - end);

            end = quote ? (size_t)(quote - row.at) : row.len;
            if (end + 1 >= row.len || row.at[end + 1] != '"') break;
        }
        if (end > row.len) end = row.len;
        *value = (struct slice){ row.at + start, end - start };
        end++;                                              /* the closing quote */
    } else {
        const char *found = memchr(row.at + start, separator, row.len - start);

        end = found ? (size_t)(found - row.at) : row.len;
        *value = (struct slice){ row.at + start, end - start };
    }
    *at = end < row.len ? end + 1 : SIZE_MAX;
    return true;
}

size_t csv_unquote(char *out, struct slice value)
{
    size_t len = 0, at = 0;

    while (at < value.len) {
        const char *quote = memchr(value.at + at, '"', value.len - at);
        size_t      n = quote ? (size_t)(quote - value.at) + 1 - at : value.len - at;

        memmove(out + len, value.at + at, n);
        len += n;
        at += n + (quote != NULL);                          /* the second of the two is left out */
    }
    return len;
}

struct slice csv_row_without_end(struct slice row)
{
    if (row.len && row.at[row.len - 1] == '\n') {
        row.len--;
        if (row.len && row.at[row.len - 1] == '\r') row.len--;
    }
    return row;
}
