/* corpus/source_json.c -- records in JSON that are no lines: elements of an array, objects one after the other, the
 * list of records in one object.
 *
 * Here ends of elements are found, by their brackets alone (kernels->json_container_end); threads parse them
 * (batch.c). An element whose brackets or quotes do not close would swallow what follows.  How it is damaged is found
 * by parsing it; reading goes on behind that place with the next `}, {"`, which no string holds, as its quotes are
 * escaped.  What is looked through again is bounded by a multiple of the file. */
#include "corpus/json_record.h"
#include "corpus/line.h"
#include "corpus/source_state.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_MOST = 40, AGAIN_MOST = 8, PATTERN_MOST = 4096 };
/* between objects; in the array; in the object behind its list */
enum json_place { PLACE_TOP, PLACE_ARRAY, PLACE_BEHIND };

struct json_source {
    enum json_place place;
    bool            seeking;                                /* the next place that looks like an element's beginning */
    uint64_t        again;                                  /* bytes looked through for damaged elements */
    char            list[NAME_MOST + 1];                    /* the list's name; "": no object is around the array */
    /* PLACE_BEHIND: the last string at the object's top, and where in what follows the scan stands */
    char            name[NAME_MOST + 1];
    size_t          name_len, depth;
    char            last;                                   /* byte that is not blank, outside strings */
    bool            string, escaped, opened;                /* opened: a list, whose first byte is to come */
};

/* ---- telling ---- */

/* What an object has at its top, as far as the head goes. */
struct outline { size_t list; struct slice name; bool text, closed; size_t end; };

static size_t skip_space(struct slice text, size_t at)
{
    while (at < text.len && line_is_space(text.at[at])) at++;
    return at;
}

/* Whether the key may lead to the text. */
static bool is_text(const struct field_map *map, struct slice key)
{
    for (size_t i = 0; i < map->count; i++) {
        struct slice name = map->at[i].name;

        if (map->at[i].field == FIELD_TEXT && name.len >= key.len && !memcmp(name.at, key.at, key.len) &&
            (name.len == key.len || name.at[key.len] == '.'))
            return true;
    }
    return false;
}

/* A string at the object's top: when it is a key, what it says.  at: behind its closing quote. */
static void outline_key(const struct field_map *map, struct slice head, struct slice key, size_t at,
                        struct outline *out)
{
    at = skip_space(head, at);
    if (at == head.len || head.at[at] != ':') return;
    out->text |= is_text(map, key);
    at = skip_space(head, at + 1);
    if (out->list || at == head.len || head.at[at] != '[') return;
    if (skip_space(head, at + 1) < head.len && head.at[skip_space(head, at + 1)] == '{') {
        out->list = at + 1;
        out->name = key;
    }
}

static struct outline outline_object(const struct dataset *dataset, struct slice head, size_t at)
{
    struct outline   out = { 0 };
    struct field_map map;
    size_t           depth = 0, end;

    field_map_set(&map, dataset);
    for (; at < head.len && !out.closed; at++) {
        char c = head.at[at];

        if (c == '"') {
            end = at + 1 + kernels->json_string_end(head.at + at + 1, head.len - at - 1);
            if (depth == 1 && end < head.len)
                outline_key(&map, head, (struct slice){ head.at + at + 1, end - at - 1 }, end + 1, &out);
            at = end;
        } else if (c == '{' || c == '[') depth++;
        else if ((c == '}' || c == ']') && --depth == 0) {
            out.closed = true;
            out.end = at + 1;
        }
    }
    return out;
}

/* Whether the first line cannot be the whole of a record. */
static bool is_printed(struct slice head, size_t at)
{
    const char *feed = memchr(head.at + at, '\n', head.len - at);
    size_t      end = feed ? (size_t)(feed - head.at) : at;

    while (end > at && line_is_blank_byte(head.at[end - 1])) end--;
    return feed && end > at && memchr("{[,:", head.at[end - 1], 4);
}

/* Where the records begin, and where that is: SIZE_MAX: in none of the ways that are read here. */
static size_t find_records(const struct source *source, size_t first, enum json_place *place, struct slice *list)
{
    const struct slice head = { source->head, source->head_len };
    const bool         json = source_ends_in(source, ".json");
    struct outline     outline;
    bool               printed, alone;
    size_t             next;

    *place = PLACE_TOP;
    if (head.at[first] == '[') {
        next = skip_space(head, first + 1);
        if (json) return first;
        if (next == head.len || head.at[next] != '{') return SIZE_MAX;
        next = skip_space(head, next + 1);
        return next < head.len && head.at[next] == '"' ? first : SIZE_MAX;
    }
    if (head.at[first] != '{' || source_ends_in(source, ".jsonl") || source_ends_in(source, ".ndjson"))
        return SIZE_MAX;
    printed = is_printed(head, first);
    outline = outline_object(source->dataset, head, first);
    alone = json && (outline.closed ? source->ended && skip_space(head, outline.end) == head.len
                                    : !memchr(head.at + first, '\n', head.len - first));
    if ((printed || alone) && outline.list && !outline.text) {
        *place = PLACE_ARRAY;
        *list = outline.name;
        return outline.list;
    }
    return printed ? first : SIZE_MAX;
}

int source_open_json(struct source *source, size_t first, struct err *err)
{
    struct slice    list = { 0 };
    enum json_place place;
    const size_t    at = find_records(source, first, &place, &list);

    if (at == SIZE_MAX) return 0;
    source->json = calloc(1, sizeof *source->json);
    if (!source->json) return err_memory(err, sizeof *source->json, "an array");
    source->json->place = place;
    snprintf(source->json->list, sizeof source->json->list, "%.*s", (int)(list.len < NAME_MOST ? list.len : NAME_MOST),
             list.len ? list.at : "");
    source->kind = BATCH_ELEMENTS;
    source->fill = source_fill_json;
    source->head_at = source->at = at;
    return 1;
}

void source_close_json(struct source *source)
{
    free(source->json);
    source->json = NULL;
}

/* ---- elements ---- */

static int reject(struct source *source, struct batch *batch, uint64_t byte, struct loss loss,
                  enum reject_reason reason, const char *why, struct err *err)
{
    return source_reject(source, batch, byte, loss, reason, why, err) < 0 ? -ENOMEM : PIECE_FULL;
}

static int reject_damage(struct source *source, struct batch *batch, uint64_t byte, struct err *err)
{
    return reject(source, batch, byte, source->damage.loss, source->damage.reason, source->damage.detail, err);
}

/* The length of the value that text begins with; 0: text ends in it. */
static size_t element_length(struct slice text, bool ended)
{
    size_t n = 1;

    if (*text.at == '{' || *text.at == '[') return kernels->json_container_end(text.at, text.len);
    if (*text.at == '"') {
        n = kernels->json_string_end(text.at + 1, text.len - 1) + 2;
        return n <= text.len ? n : 0;
    }
    while (n < text.len && !line_is_space(text.at[n]) && !strchr(",{}[]\"", text.at[n])) n++;
    return n < text.len || ended ? n : 0;
}

/* The next `{` of a `}, {"`, between objects the comma being left out; SIZE_MAX: there is none, and what follows *keep
 * may be the beginning of one. */
static size_t find_element(const struct json_source *json, struct slice text, size_t from, size_t *keep)
{
    size_t brace = text.len, open = 0;
    int    met = 0;                                         /* of the four bytes */

    for (size_t i = from; i < text.len; i++) {
        const char *next = met ? NULL : memchr(text.at + i, '}', text.len - i);
        char        c;

        if (!met) i = next ? (size_t)(next - text.at) : text.len - 1;
        if (i - brace >= PATTERN_MOST && brace < i) met = 0;
        c = text.at[i];
        if (line_is_space(c)) continue;
        if (met == 3 && c == '"') return open;
        if (c == '}') {
            met = 1;
            brace = i;
        } else if (met == 1 && c == ',') met = 2;
        else if (c == '{' && (met == 2 || (met == 1 && json->place == PLACE_TOP))) {
            met = 3;
            open = i;
        } else met = 0;
    }
    *keep = met ? brace : text.len;
    return SIZE_MAX;
}

static int seek_step(struct source *source, const struct bytes *raw, size_t *at)
{
    size_t keep = raw->len, found = find_element(source->json, bytes_slice(raw), *at, &keep);

    source->json->seeking = found == SIZE_MAX;
    *at = source->json->seeking ? source_is_drained(source) ? raw->len : keep : found;
    return source->json->seeking && !source_is_drained(source) ? PIECE_MORE : PIECE_TAKEN;
}

/* Back from a fault over white space, a comma and a closing brace: the next element may begin there. */
static size_t before_fault(struct slice text, size_t at)
{
    while (at && line_is_space(text.at[at - 1])) at--;
    if (at && text.at[at - 1] == ',') at--;
    while (at && line_is_space(text.at[at - 1])) at--;
    return at && text.at[at - 1] == '}' ? at - 1 : at;
}

/* Whether what stands behind the element raw.at[from .. end) is what may follow it; PIECE_MORE: that is still to come.
 * Otherwise its end is one by chance: a bracket or a quote in it is missing, or one too many. */
static int element_fits(const struct source *source, const struct bytes *raw, size_t from, size_t end)
{
    const bool   array = source->json->place == PLACE_ARRAY;
    const size_t next = skip_space(bytes_slice(raw), end);

    if (next == raw->len && !source_is_drained(source)) return PIECE_MORE;
    if (raw->at[from] == '{' && raw->at[end - 1] != '}') return false;
    return next == raw->len || raw->at[next] == (array ? ',' : '{') || raw->at[next] == (array ? ']' : '[');
}

/* The element at *at does not end in `text`, which is as long as a record may be, or all there is. */
static int cut_element(struct source *source, struct batch *batch, size_t *at, struct slice text, const char *what,
                       struct err *err)
{
    uint64_t byte = batch->byte + *at;
    char     why[200];

    if (text.len > source->max_record) {
        snprintf(why, sizeof why, "longer than %llu bytes", (unsigned long long)source->max_record);
        source->json->seeking = true;
        *at += text.len;
        return source_reject_later(source, byte, byte, REJECT_TOO_LONG, why);
    }
    *at = batch->raw.len;
    source->finished = true;
    if (source->damage.there) return reject_damage(source, batch, batch->byte + *at, err);
    snprintf(why, sizeof why, "the file ends in this record: %s", what);
    return reject(source, batch, byte, (struct loss){ source_in_file(source, text.len) + 1, 1 }, REJECT_TRUNCATED, why,
                  err);
}

/* The element at *at does not end in `text`, or where it ends something is wrong (closed). */
static int doubt_element(struct source *source, struct batch *batch, size_t *at, struct slice text, bool closed,
                         struct err *err)
{
    struct json_source *json = source->json;
    const uint64_t      byte = batch->byte + *at;
    struct json_fault   fault = { 0 };
    struct record       record;
    size_t              next;
    char                behind;
    int rc = json_record_parse(&record, &batch->fields, text, 0, &batch->text, &batch->scratch, &fault);

    if (rc < 0) return err_memory(err, text.len, "a record");
    if (closed && (rc > 0 || fault.reason == REJECT_MISSING_FIELD)) {           /* a comma is missing, no more */
        if (source_add_piece(source, batch, *at, text.len, err) < 0) return -ENOMEM;
        *at += text.len;
        return PIECE_TAKEN;
    }
    json->again += text.len;
    if (closed && fault.at + 1 >= text.len) {               /* at its end: a wrong bracket, or the array's own */
        next = skip_space(bytes_slice(&batch->raw), *at + text.len);
        behind = next < batch->raw.len ? batch->raw.at[next] : '\0';
        *at += text.len - (*text.at == '{' && text.at[text.len - 1] == ']' && behind != ',');
        json->seeking = behind && !strchr("],", behind) && batch->raw.at[*at] != ']';
    } else if (fault.at < text.len && !strstr(fault.what, "not closed")) {
        json->seeking = true;
        *at += json->again < AGAIN_MOST * (byte + text.len) ? before_fault(text, fault.at) : text.len;
    } else if (closed) *at += text.len;
    else return cut_element(source, batch, at, text, fault.what, err);
    return source_reject_later(source, byte, byte + fault.at, fault.reason, fault.what);
}

/* All is read: was it all that there should be? */
static int end_step(struct source *source, struct batch *batch, struct err *err)
{
    struct json_source *json = source->json;
    uint64_t            byte = batch->byte + batch->raw.len;

    if (!source->damage.there && (json->place == PLACE_TOP || json->seeking)) return PIECE_END;
    if (batch->record_count) return PIECE_FULL;
    source->finished = true;
    if (source->damage.there) return reject_damage(source, batch, byte, err);
    return reject(source, batch, byte, (struct loss){ 1, 1 }, REJECT_TRUNCATED,
                  json->place == PLACE_ARRAY ? "the file ends before its ]" : "the file ends before its }", err);
}

/* ---- behind the list ---- */

/* A byte at the object's top or below, outside strings.  1: with it a list of objects begins. */
static bool behind_byte(struct json_source *json, char c)
{
    const bool opened = json->opened;

    json->opened = c == '[' && json->depth == 0 && json->last == ':';
    json->last = c;
    if (c == '"') {
        json->string = true;
        if (json->depth == 0) json->name_len = 0;
    } else if (c == '{' || c == '[') json->depth++;
    else if ((c == '}' || c == ']') && json->depth-- == 0) {
        json->depth = 0;
        json->place = PLACE_TOP;
    }
    return opened && c == '{';
}

static int behind_step(struct source *source, struct batch *batch, size_t *at, struct err *err)
{
    struct json_source *json = source->json;
    char                why[200];

    while (*at < batch->raw.len && json->place == PLACE_BEHIND) {
        char c = batch->raw.at[(*at)++];

        if (json->escaped) json->escaped = false;
        else if (json->string && c == '\\') json->escaped = true;
        else if (json->string && c == '"') json->string = false;
        else if (json->string) {
            if (json->depth == 0 && json->name_len < NAME_MOST) json->name[json->name_len++] = c;
        } else if (!line_is_space(c) && behind_byte(json, c)) {
            json->name[json->name_len] = '\0';
            snprintf(why, sizeof why, "list %s is not read, as %s is: make it a file, jq .%s", json->name, json->list,
                     json->name);
            return reject(source, batch, batch->byte + *at - 1, (struct loss){ 0 }, REJECT_INVALID_JSON, why, err);
        }
    }
    if (json->place == PLACE_TOP) return PIECE_TAKEN;
    return source_is_drained(source) ? end_step(source, batch, err) : PIECE_MORE;
}

/* ---- all of it ---- */

static int element_step(struct source *source, struct batch *batch, size_t *at, struct err *err)
{
    struct json_source *json = source->json;
    struct bytes       *raw = &batch->raw;
    struct slice        text;
    size_t              len;
    bool                last;
    int                 fits;

    if (json->place == PLACE_BEHIND && batch->record_count) return PIECE_FULL;
    if (json->place == PLACE_BEHIND) return behind_step(source, batch, at, err);
    if (json->seeking && *at < raw->len) return seek_step(source, raw, at);
    if (json->seeking && !source_is_drained(source)) return PIECE_MORE;
    if (source->late.there) return source_reject_late(source, batch, *at, err);
    while (*at < raw->len && (line_is_space(raw->at[*at]) || raw->at[*at] == ',')) (*at)++;
    if (*at == raw->len) return source_is_drained(source) ? end_step(source, batch, err) : PIECE_MORE;
    if (raw->at[*at] == (json->place == PLACE_TOP ? '[' : ']')) {
        json->place = json->place == PLACE_TOP ? PLACE_ARRAY : *json->list ? PLACE_BEHIND : PLACE_TOP;
        (*at)++;
        return PIECE_TAKEN;
    }
    if (!source_batch_takes(source, batch, *at)) return PIECE_FULL;
    text = (struct slice){ raw->at + *at, raw->len - *at };
    if (text.len > source->max_record) text.len = source->max_record + 1;
    last = source_is_drained(source) && text.len == raw->len - *at;
    len = element_length(text, last);
    if (!len && !last && text.len <= source->max_record) return PIECE_MORE;
    fits = len ? element_fits(source, raw, *at, *at + len) : false;
    if (fits == PIECE_MORE) return fits;
    if (!fits && batch->record_count) return PIECE_FULL;    /* a reject has a batch of its own */
    if (len) text.len = len;
    if (!fits) return doubt_element(source, batch, at, text, len > 0, err);
    if (source_add_piece(source, batch, *at, len, err) < 0) return -ENOMEM;
    *at += len;
    return PIECE_TAKEN;
}

int source_fill_json(struct source *source, struct batch *batch, struct err *err)
{
    return source_fill_pieces(source, batch, element_step, err);
}
