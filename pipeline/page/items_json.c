/* page/items_json.c -- see items_json.h. */
#include "page/items_json.h"

#include "base/table.h"
#include "graph/ids.h"
#include "graph/text.h"
#include "page/escape.h"
#include "report/visible.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>

/* ---- texts ---- */

/* What is shown of a text on one line: valid, masked, harmful characters visible.  *out is emptied first. */
static int make_visible(struct slice text, items_mask *mask, struct bytes *out)
{
    struct bytes valid = { 0 }, masked = { 0 };
    int          rc = text_make_valid(text, &valid, &text);

    out->len = 0;
    if (rc == 0 && mask && text.len) rc = mask(&text, false, &masked);
    if (rc == 0) rc = visible_append(out, text, true);
    bytes_free(&valid);
    bytes_free(&masked);
    return rc < 0 ? -ENOMEM : 0;
}

int items_json_text(struct slice text, items_mask *mask, struct bytes *out)
{
    struct bytes shown = { 0 };
    int          rc = make_visible(text, mask, &shown);

    if (rc == 0) rc = escape_json(out, bytes_slice(&shown));
    bytes_free(&shown);
    return rc;
}

/* How many bytes two texts begin with alike, whole characters. */
static size_t shared_start(struct slice a, struct slice b)
{
    size_t at = 0, most = a.len < b.len ? a.len : b.len;

    while (at < most && a.at[at] == b.at[at]) at++;
    while (at > 0 && ((at < b.len && ((unsigned char)b.at[at] & 0xC0) == 0x80) ||
                      (at < a.len && ((unsigned char)a.at[at] & 0xC0) == 0x80))) at--;
    return at;
}

static size_t utf16_units(struct slice text)
{
    size_t units = 0;

    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.at[i];

        units += (c & 0xC0) != 0x80;
        units += c >= 0xF0;
    }
    return units;
}

/* There are millions of them, for which printf takes most of a report's time.  comma: before it. */
static int put_number(long long number, bool comma, struct bytes *out)
{
    char               text[24];
    size_t             at = sizeof text;
    unsigned long long rest = number < 0 ? 0 - (unsigned long long)number : (unsigned long long)number;

    do text[--at] = (char)('0' + rest % 10); while (rest /= 10);
    if (number < 0) text[--at] = '-';
    if (comma) text[--at] = ',';
    return bytes_append(out, text + at, sizeof text - at);
}

/* ---- columns ---- */

enum { SOURCE, PATH, PLACE, TEXTS };

static struct slice text_of(const struct item *item, size_t which)
{
    return which == SOURCE ? item->source : which == PATH ? item->path : item->best.place;
}

/* The number columns.  alike: in thousandths; match_number: id_within_dataset + 1, 0 where the match is not stored. */
static const char *const number_names[] = {
    "dataset", "number", "split", "language", "repo", "licence", "rules", "copies", "match_dataset", "match_number",
    "kind", "alike", "match_repo", "match_licence", "line", "line_end", "own",
};
enum { NUMBERS = sizeof number_names / sizeof number_names[0] };

static long long number_of(const struct item *item, size_t column)
{
    const struct item_match *best = &item->best;
    const bool               has = best->rank != INT32_MAX;

    switch (column) {
    case 0:  return item->dataset;
    case 1:  return (long long)item->number;
    case 2:  return item->split;
    case 3:  return item->language;
    case 4:  return item->repo;
    case 5:  return item->licence;
    case 6:  return item->rules;
    case 7:  return (long long)item->copies;
    case 8:  return has ? best->dataset : ITEM_NO_NAME;
    case 9:  return best->id ? (long long)((best->id - 1) % GRAPH_ID_STEP) + 1 : 0;
    case 10: return has ? best->kind : ITEM_NO_NAME;
    case 11: return has ? llround(1000 * best->alike) : 0;
    case 12: return has ? best->repo : ITEM_NO_NAME;
    case 13: return has ? best->licence : ITEM_NO_NAME;
    case 14: return (long long)best->line;
    case 15: return (long long)best->line_end;
    }
    return has && best->dataset == item->dataset;
}

/* A name as it is shown; one that looks like another of the list, as masked ones may, with its number behind it: the
 * page finds a name by what it shows. */
static int name_shown(struct table *known, size_t number, struct slice name, items_mask *mask, struct bytes *shown)
{
    int    rc = make_visible(name, mask, shown);
    size_t len = shown->len;
    bool   added = false;

    while (rc == 0 && !added) {
        const XXH128_hash_t hash = XXH3_128bits(shown->at, shown->len);

        if (table_put(known, hash.low64, hash.high64, 0, &added) == TABLE_NONE) return -ENOMEM;
        if (added) break;
        shown->len = len;
        rc = bytes_printf(shown, ", %zu", ++number);
    }
    return rc;
}

static int put_names(const char *key, const struct item_names *names, items_mask *mask, struct bytes *out)
{
    struct table known = { 0 };
    struct bytes shown = { 0 };
    int          rc = bytes_printf(out, ",\n\"%s\":[", key);

    for (size_t i = 0; i < names->count && rc == 0; i++) {
        rc = i ? bytes_append(out, ",", 1) : 0;
        if (rc == 0) rc = name_shown(&known, i, names->at[i], mask, &shown);
        if (rc == 0) rc = escape_json(out, bytes_slice(&shown));
    }
    table_free(&known);
    bytes_free(&shown);
    return rc < 0 ? rc : bytes_append(out, "]", 1);
}

static int put_numbers(const struct items *items, size_t count, size_t column, struct bytes *out)
{
    int rc = bytes_printf(out, ",\n\"%s\":[", number_names[column]);

    for (size_t i = 0; i < count && rc == 0; i++)
        rc = put_number(number_of(&items->at[i], column), i > 0, out);
    return rc < 0 ? rc : bytes_append(out, "]", 1);
}

/* The texts so far of one column: the row before, and both columns as they will be. */
struct column { struct bytes before, shown, lengths, rests; };

static int column_add(struct column *column, struct slice text, items_mask *mask)
{
    const struct bytes before = column->shown;
    size_t             start;
    int                rc;

    column->shown = column->before;
    column->before = before;
    rc = make_visible(text, mask, &column->shown);
    if (rc < 0) return rc;
    start = shared_start(bytes_slice(&column->before), bytes_slice(&column->shown));
    rc = put_number((long long)utf16_units((struct slice){ column->shown.at, start }), column->lengths.len > 0,
                    &column->lengths);
    if (rc == 0 && column->rests.len) rc = bytes_append(&column->rests, ",", 1);
    return rc < 0 ? rc : escape_json(&column->rests, (struct slice){ column->shown.at + start,
                                                                       column->shown.len - start });
}

static int column_put(const struct column *column, const char *key, struct bytes *out)
{
    int rc = bytes_printf(out, ",\n\"%s\":[[", key);

    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(&column->lengths));
    if (rc == 0) rc = bytes_append(out, "],[", 3);
    if (rc == 0) rc = bytes_append_slice(out, bytes_slice(&column->rests));
    return rc < 0 ? rc : bytes_append(out, "]]", 2);
}

static void column_free(struct column *column)
{
    bytes_free(&column->before);
    bytes_free(&column->shown);
    bytes_free(&column->lengths);
    bytes_free(&column->rests);
}

/* ROW_NUMBERS: about what the numbers of a row take. */
enum { ROW_NUMBERS = 60 };

/* The texts of as many rows as fit. */
static int texts_make(const struct items *items, items_mask *mask, size_t limit, struct column *column, size_t *shown)
{
    size_t size = 0;
    int    rc = 0;

    for (*shown = 0; *shown < items->count && size < limit && rc == 0; ++*shown) {
        for (size_t t = 0; t < TEXTS && rc == 0; t++)
            rc = column_add(&column[t], text_of(&items->at[*shown], t), mask);
        size = *shown * ROW_NUMBERS;
        for (size_t t = 0; t < TEXTS; t++) size += column[t].lengths.len + column[t].rests.len;
    }
    return rc;
}

int items_json(const struct items *items, items_mask *mask, size_t limit, size_t *shown, struct bytes *out)
{
    static const char *const  text_names[TEXTS] = { "source", "path", "place" };
    static const char *const  list_names[] = { "datasets", "splits", "languages", "rule_names", "kinds", "repos",
                                               "licences" };
    const struct item_names *const lists[] = { &items->datasets, &items->splits, &items->languages, &items->rules,
                                               &items->kinds, &items->repos, &items->licences };
    struct column             column[TEXTS] = { 0 };
    int                       rc = texts_make(items, mask, limit, column, shown);

    if (rc == 0)
        rc = bytes_printf(out, "\"total\":%zu,\n\"rows\":%zu,\n\"aside\":%s", items->count, *shown,
                          items->aside ? "true" : "false");
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && rc == 0; i++)
        rc = put_names(list_names[i], lists[i], mask, out);
    for (size_t c = 0; c < NUMBERS && rc == 0; c++) rc = put_numbers(items, *shown, c, out);
    for (size_t t = 0; t < TEXTS; t++) {
        if (rc == 0) rc = column_put(&column[t], text_names[t], out);
        column_free(&column[t]);
    }
    return rc < 0 ? -ENOMEM : 0;
}
