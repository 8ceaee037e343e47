/* corpus/record.c -- fields of a record as text and as token lists.  See record.h. */
#include "corpus/record.h"
#include "corpus/line.h"
#include "kernels/kernels.h"

#include <errno.h>

/* Appends the value of a JSON string whose inside (quotes left off) is given. */
static int append_string(struct bytes *out, struct slice inside)
{
    size_t len, used;

    if (bytes_reserve(out, out->len + inside.len + 1 + BYTES_PAD) < 0) return -ENOMEM;
    if (kernels->json_unescape(out->at + out->len, &len, inside.at, inside.len + 1, &used) != JSON_CLOSED)
        return -EBADMSG;
    out->len += len;
    return 0;
}

bool record_field(const struct record *record, enum field field, struct bytes *out)
{
    struct slice raw = record->raw[field];

    if (!raw.at || (record->json && slice_equal(raw, SLICE("null")))) return false;
    if (!record->json || raw.at[0] != '"') {
        if (bytes_append_slice(out, raw) < 0) bytes_free(out);
        return true;
    }
    /* The parser has decoded it once already, so memory is all that can be missing. */
    if (append_string(out, (struct slice){ raw.at + 1, raw.len - 2 }) < 0) bytes_free(out);
    return true;
}

bool record_has_tokens(const struct record *record)
{
    struct slice raw = record->raw[FIELD_TOKENS];

    return raw.len && raw.at[0] == '[';
}

static size_t skip_space(struct slice raw, size_t at)
{
    while (at < raw.len && line_is_space(raw.at[at])) at++;
    return at;
}

/* The place of the next element of the array, which is no null: these are no tokens, and are passed over.  1, 0 at the
 * array's end, -EBADMSG. */
static int next_element(struct slice raw, size_t *at)
{
    size_t place = skip_space(raw, *at ? *at : 1);
    bool   first = *at == 0;

    for (;; first = false) {
        if (place < raw.len && raw.at[place] == ']') return place + 1 == raw.len ? 0 : -EBADMSG;
        if (!first) {
            if (place == raw.len || raw.at[place] != ',') return -EBADMSG;
            place = skip_space(raw, place + 1);
        }
        *at = place;
        if (raw.len - place < 4 || memcmp(raw.at + place, "null", 4) != 0) return 1;
        place = skip_space(raw, place + 4);
    }
}

int record_next_token(const struct record *record, size_t *at, struct bytes *scratch, struct slice *token)
{
    struct slice raw = record->raw[FIELD_TOKENS];
    size_t       place = *at, end;
    bool         escaped = false;
    int          rc;

    if (!record_has_tokens(record)) return -EBADMSG;
    if ((rc = next_element(raw, &place)) <= 0) return rc;
    if (place == raw.len || raw.at[place] != '"') return -EBADMSG;
    /* Tokens are short: a plain loop beats a call that loads whole vectors. */
    for (end = ++place; end < raw.len && raw.at[end] != '"'; end++) {
        if ((unsigned char)raw.at[end] < 0x20) return -EBADMSG;
        if (raw.at[end] == '\\') escaped = true, end++;
    }
    if (end >= raw.len) return -EBADMSG;
    *at = end + 1;
    *token = (struct slice){ raw.at + place, end - place };
    if (!escaped) return 1;
    scratch->len = 0;
    if ((rc = append_string(scratch, *token)) < 0) return rc;
    *token = bytes_slice(scratch);
    return 1;
}

static const struct byteset quotes = { { [2] = 1 << 2 }, 0 };
/* control characters, and the backslash */
static const struct byteset breaks = { { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 | 1 << 5, 3, 3, 3 }, 0 };

int record_next_tokens(const struct record *record, size_t *at, struct bytes *scratch,
                       struct slice token[RECORD_TOKENS])
{
    enum { LOOK = 512 };
    const struct slice raw = record->raw[FIELD_TOKENS];
    const size_t       from = *at ? *at : 1;
    const char        *list;
    uint64_t           quote[LOOK / 64], stop[LOOK / 64] = { 0 };
    size_t             open = *at ? 2 : 0, count = 0, last = 0, n;  /* open: where the next token's quote stands */
    bool               inside = false;

    if (!record_has_tokens(record)) return -EBADMSG;
    list = raw.at + from;
    n = raw.len - from < LOOK ? raw.len - from : LOOK;
    kernels->classify(quote, stop, &quotes, &breaks, list, n);
    for (size_t block = 0; 64 * block < n && (block == 0 || !stop[block - 1]); block++) {
        uint64_t bits = quote[block] & (stop[block] ? (stop[block] & -stop[block]) - 1 : UINT64_MAX);

        for (; bits && count < RECORD_TOKENS; bits &= bits - 1, inside = !inside) {
            const size_t place = 64 * block + (size_t)__builtin_ctzll(bits);

            if (inside) {
                token[count++] = (struct slice){ list + open + 1, place - open - 1 };
                last = place + 1;
                open = place + 3;
            } else if (place != open || (from + open > 1 && memcmp(list + open - 2, ", ", 2) != 0)) {
                goto done;
            }
        }
    }
done:
    if (count == 0) return record_next_token(record, at, scratch, token);
    *at = from + last;
    return (int)count;
}
