/* score/item.c -- see item.h. */
#include "score/item.h"

#include "score/row.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

void score_items_free(struct score_items *items)
{
    free(items->at);
    table_free(&items->by_id);
    table_free(&items->by_number);
    pool_free(&items->pool);
    *items = (struct score_items){ 0 };
}

uint32_t score_items_find(const struct score_items *items, struct slice id)
{
    const XXH128_hash_t hash = XXH3_128bits(id.at, id.len);
    const uint32_t      place = table_find(&items->by_id, hash.low64, hash.high64);

    return place == TABLE_NONE ? table_find(&items->by_number, hash.low64, hash.high64) : place;
}

/* An id that is a number, as rows have it (score_number_name), where it is written in another way: what was read with
 * gaps in its column is written 1.0 where it was 1.  False: it is none, or written so. */
static bool number_name(struct slice id, struct slice *out, char room[SCORE_NUMBER_ROOM])
{
    char        text[SCORE_NUMBER_ROOM], *end;
    const char *digit = text;
    double      number;

    if (!id.len || id.len >= sizeof text) return false;
    memcpy(text, id.at, id.len);
    text[id.len] = '\0';
    digit += *digit == '-';
    /* as JSON has them: 007 is none */
    if (!isdigit((unsigned char)*digit) || (*digit == '0' && isdigit((unsigned char)digit[1])) ||
        strspn(text, "0123456789.eE+-") != id.len) return false;
    number = strtod(text, &end);
    if (*end || !score_number_name(number, room)) return false;
    *out = slice_of(room);
    return !slice_equal(*out, id);
}

/* The item's id is that of another one where both are the same number. */
static int number_add(struct score_items *items, struct score_item *item)
{
    char          room[SCORE_NUMBER_ROOM];
    struct slice  name;
    XXH128_hash_t hash;
    uint32_t      place;
    bool          added;

    if (!number_name(item->id, &name, room)) return 0;
    hash = XXH3_128bits(name.at, name.len);
    place = table_put(&items->by_number, hash.low64, hash.high64, (uint32_t)items->count, &added);
    if (place == TABLE_NONE) return -ENOMEM;
    if (!added) items->at[place].twice = item->twice = true;
    return 0;
}

int score_items_add(struct score_items *items, struct score_item item, struct err *err)
{
    const XXH128_hash_t hash = XXH3_128bits(item.id.at, item.id.len);
    bool                added = false;
    uint32_t            place;

    if (ARRAY_GROW(items->at, items->room, items->count) < 0 || pool_copy(&items->pool, item.id, &item.id) < 0 ||
        pool_copy(&items->pool, item.language, &item.language) < 0 ||
        (place = table_put(&items->by_id, hash.low64, hash.high64, (uint32_t)items->count, &added)) == TABLE_NONE)
        return err_memory(err, items->room * sizeof item, "items");
    if (!added) items->at[place].twice = item.twice = true;
    if (number_add(items, &item) < 0) return err_memory(err, items->room * sizeof item, "items");
    items->at[items->count++] = item;
    return 0;
}

/* ---- samples to items ---- */

/* A whole number below the items' count, as it is written without a sign. */
static bool place_read(struct slice text, size_t count, uint32_t *out)
{
    uint64_t number = 0;

    if (!text.len || text.len > 9) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') return false;
        number = 10 * number + (uint64_t)(text.at[i] - '0');
    }
    *out = (uint32_t)number;
    return number < count;
}

static struct slice tail_of(struct slice id)
{
    size_t at = id.len;

    while (at && id.at[at - 1] != '/') at--;
    return at ? (struct slice){ id.at + at, id.len - at } : (struct slice){ 0 };
}

static uint32_t find_so(const struct score_items *items, const struct score_sample *sample, enum score_naming naming)
{
    uint32_t place = TABLE_NONE;

    switch (naming) {
    case SCORE_BY_ID:
        if (sample->id.at) place = score_items_find(items, sample->id);
        if (place == TABLE_NONE && sample->other.at) place = score_items_find(items, sample->other);
        break;
    case SCORE_BY_TAIL:
        if (sample->id.at && tail_of(sample->id).at) place = score_items_find(items, tail_of(sample->id));
        break;
    case SCORE_BY_PLACE:
        if (sample->id.at && !place_read(sample->id, items->count, &place)) place = TABLE_NONE;
        if (!sample->id.at && sample->number >= 0 && (uint64_t)sample->number < items->count)
            place = (uint32_t)sample->number;
        break;
    case SCORE_BY_NOTHING: break;
    }
    return place;
}

static size_t count_so(const struct score_items *items, const struct score_samples *samples, size_t from, size_t to,
                       enum score_naming naming)
{
    size_t count = 0;

    for (size_t s = from; s < to; s++) count += find_so(items, &samples->at[s], naming) != TABLE_NONE;
    return count;
}

/* Every row has an id that is a place, or whose tail is one, and one of them is 0: rows were counted, and where some of
 * the numbers are ids, they are so by chance. */
static bool is_counted(const struct score_items *items, const struct score_samples *samples, size_t from, size_t to,
                       bool tails)
{
    bool zero = false;

    for (size_t s = from; s < to; s++) {
        const struct slice id = samples->at[s].id;
        uint32_t           place;

        if (!id.at || !place_read(tails ? tail_of(id) : id, items->count, &place)) return false;
        zero |= place == 0;
    }
    return zero;
}

/* The naming by which most samples of the file have an item, the earlier one of two; the file's samples stand side by
 * side.  Places go before ids, and tails that are not all ids are none, only where rows were counted. */
static enum score_naming naming_of(const struct score_items *items, const struct score_samples *samples, size_t from,
                                   size_t to)
{
    enum score_naming best = SCORE_BY_NOTHING;
    size_t            most = 0;

    for (enum score_naming naming = SCORE_BY_ID; naming < SCORE_BY_NOTHING; naming++) {
        const size_t count = count_so(items, samples, from, to, naming);

        if (count <= most) continue;
        if (naming == SCORE_BY_PLACE && most && !is_counted(items, samples, from, to, false)) continue;
        if (naming == SCORE_BY_TAIL && count < to - from && is_counted(items, samples, from, to, true)) continue;
        most = count;
        best = naming;
    }
    return best;
}

static void file_match(const struct score_items *items, const struct score_samples *samples, size_t from, size_t to,
                       struct score_matched *out)
{
    const enum score_naming naming = naming_of(items, samples, from, to);

    if (from < to) out->naming[samples->at[from].file] = naming;
    for (size_t s = from; s < to; s++) {
        uint32_t   item = find_so(items, &samples->at[s], naming);
        const bool twice = item != TABLE_NONE && naming != SCORE_BY_PLACE && items->at[item].twice;

        out->ambiguous += twice;
        if (twice) item = TABLE_NONE;
        if (item != TABLE_NONE) out->matched++;
        else if (out->strangers++ < SCORE_STRANGERS) out->stranger[out->strangers - 1] = s;
        out->item[s] = item;
    }
}

static int missing_find(const struct score_items *items, const struct score_samples *samples,
                        struct score_matched *out, struct err *err)
{
    bool *seen = calloc(items->count + 1, sizeof *seen);

    if (!seen) return err_memory(err, items->count, "items");
    for (size_t s = 0; s < samples->count; s++)
        if (out->item[s] != TABLE_NONE) seen[out->item[s]] = true;
    for (size_t i = 0; i < items->count; i++) {
        out->scored += seen[i];
        if (!seen[i] && out->missing++ < SCORE_STRANGERS) out->first_missing[out->missing - 1] = i;
    }
    free(seen);
    return 0;
}

int score_match(const struct score_items *items, const struct score_samples *samples, struct score_matched *out,
                struct err *err)
{
    *out = (struct score_matched){ .item = malloc((samples->count + 1) * sizeof *out->item),
                                   .naming = malloc((samples->file_count + 1) * sizeof *out->naming) };
    if (!out->item || !out->naming) return err_memory(err, samples->count * sizeof *out->item, "samples");
    for (size_t f = 0; f < samples->file_count; f++) out->naming[f] = SCORE_BY_NOTHING;
    for (size_t from = 0, to; from < samples->count; from = to) {
        for (to = from; to < samples->count && samples->at[to].file == samples->at[from].file;) to++;
        file_match(items, samples, from, to, out);
    }
    return missing_find(items, samples, out, err);
}

void score_matched_free(struct score_matched *matched)
{
    free(matched->item);
    free(matched->naming);
    *matched = (struct score_matched){ 0 };
}
