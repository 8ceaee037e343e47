/* corpus/cleaned_record.c -- a record as a cleaned shard has it: see cleaned.h.
 *
 * A line of JSON is never written anew, as a parser and a printer between would change its numbers, its order and its
 * escapes: what is not meant stays byte for byte. */
#include "corpus/cleaned.h"

#include "corpus/line.h"
#include "corpus/writer.h"
#include "kernels/kernels.h"

#include <errno.h>

/* How long the value is that stands at the beginning of text; 0: it does not end. */
static size_t value_length(struct slice text)
{
    size_t n = 0;

    if (!text.len) return 0;
    if (*text.at == '{' || *text.at == '[') return kernels->json_container_end(text.at, text.len);
    if (*text.at == '"') {
        n = kernels->json_string_end(text.at + 1, text.len - 1) + 2;
        return n <= text.len ? n : 0;
    }
    while (n < text.len && text.at[n] != ',' && text.at[n] != '}' && !line_is_space(text.at[n])) n++;
    return n;
}

static size_t skip_blanks(struct slice line, size_t at)
{
    while (at < line.len && line_is_space(line.at[at])) at++;
    return at;
}

/* The value of the record's own duplicate_count, which an earlier run may have written; the last of several, as it is
 * the one that parsers take. at NULL: it has none. */
static struct slice own_count(struct slice line)
{
    static const struct slice key = { "\"duplicate_count\"", 17 };
    struct slice              found = { 0 };
    size_t                    at = skip_blanks(line, 0) + 1;

    if (!memmem(line.at, line.len, key.at, key.len)) return found;
    for (;; at++) {                                         /* behind the opening brace, then behind every comma */
        struct slice name, value;

        at = skip_blanks(line, at);
        if (at >= line.len) return found;
        name = (struct slice){ line.at + at, value_length((struct slice){ line.at + at, line.len - at }) };
        at = skip_blanks(line, skip_blanks(line, at + name.len) + 1);               /* the colon is between */
        if (!name.len || at >= line.len) return found;
        value = (struct slice){ line.at + at, value_length((struct slice){ line.at + at, line.len - at }) };
        if (!value.len) return found;
        if (slice_equal(name, key)) found = value;
        at = skip_blanks(line, at + value.len);
    }
}

void cleaned_join(char *at, size_t len)
{
    for (char *feed = len ? memchr(at, '\n', len) : NULL; feed; ) {
        const size_t rest = len - (size_t)(feed - at);

        *feed = ' ';
        if (feed > at && feed[-1] == '\r') feed[-1] = ' ';
        feed = memchr(feed, '\n', rest);
    }
}

/* The line as it stands; the closing brace is its last byte but for white space, as it was parsed. */
static int append_line(struct bytes *out, struct slice line, uint32_t cluster)
{
    const struct slice own = cluster > 1 ? own_count(line) : (struct slice){ 0 };
    size_t             until = own.at ? (size_t)(own.at - line.at) : line.len, from = until + own.len;
    const size_t       start = out->len;
    int                rc;

    if (cluster > 1 && !own.at) {
        for (until = line.len - 1; until && line.at[until] != '}'; until--) continue;
        from = until;
    }
    rc = bytes_append(out, line.at, until);
    if (rc == 0 && cluster > 1) rc = bytes_printf(out, own.at ? "%u" : ",\"duplicate_count\":%u", cluster);
    if (rc == 0) rc = bytes_append(out, line.at + from, line.len - from);
    if (rc < 0) return rc;
    cleaned_join(out->at + start, out->len - start);
    return bytes_append(out, "\n", 1);
}

/* Given tokens, written anew as a list; what is none, as a string. */
static int append_tokens(struct bytes *out, const struct record *record)
{
    const size_t start = out->len;
    struct bytes scratch = { 0 };
    struct slice token;
    size_t       at = 0;
    int          rc = bytes_append(out, "[", 1), more = 0;

    while (rc == 0 && (more = record_next_token(record, &at, &scratch, &token)) > 0) {
        if (out->len > start + 1) rc = bytes_append(out, ",", 1);
        if (rc == 0) rc = json_append_string(out, token);
    }
    bytes_free(&scratch);
    if (rc < 0 || more == -ENOMEM) return -ENOMEM;
    if (more == 0) return bytes_append(out, "]", 1);
    out->len = start;
    return json_append_string(out, record->raw[FIELD_TOKENS]);
}

/* A record that was no JSON: its text, and the fields that it has (a file its path), as UTF-8 (json_append_string),
 * since JSON has no other bytes. */
static int append_object(struct bytes *out, const struct record *record, uint32_t cluster)
{
    int rc = bytes_append(out, "{", 1);

    for (enum field f = FIELD_ID; f < FIELD_COUNT && rc == 0; f++) {
        if (!record->raw[f].at) continue;
        rc = bytes_printf(out, "\"%s\":", field_names[f]);
        if (rc == 0) rc = f == FIELD_TOKENS ? append_tokens(out, record) : json_append_string(out, record->raw[f]);
        if (rc == 0) rc = bytes_append(out, ",", 1);
    }
    if (rc == 0) rc = bytes_append_slice(out, SLICE("\"text\":"));
    if (rc == 0) rc = json_append_string(out, record->text);
    if (rc == 0 && cluster > 1) rc = bytes_printf(out, ",\"duplicate_count\":%u", cluster);
    return rc < 0 ? rc : bytes_append_slice(out, SLICE("}\n"));
}

int cleaned_record(struct bytes *out, const struct record *record, uint32_t cluster)
{
    return record->json ? append_line(out, record->line, cluster) : append_object(out, record, cluster);
}
