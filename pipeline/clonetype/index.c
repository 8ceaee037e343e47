/* clonetype/index.c -- see index.h. */
#include "clonetype/index.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* An element of the multiset of a function's items: the how-manieth of an item. */
struct element { uint32_t frequency, number; };

static struct ratio least_common(const struct clonetype_options *options)
{
    return (struct ratio){ options->dissimilarity.den - options->dissimilarity.num, options->dissimilarity.den };
}

static bool hash_same(struct content_hash a, struct content_hash b) { return a.low == b.low && a.high == b.high; }

static int element_order(const void *a, const void *b)
{
    const struct element *x = a, *y = b;

    if (x->frequency != y->frequency) return x->frequency < y->frequency ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

enum { TURNS_ROOM = 1 << 14 };                              /* slots of a table that is kept for the next function */

static void turns_clear(struct turns *turns)
{
    if (turns->met.room > TURNS_ROOM) table_free(&turns->met);
    else table_clear(&turns->met);
}

static void turns_free(struct turns *turns)
{
    table_free(&turns->met);
    free(turns->count);
}

/* The how-manieth of its kind an item of a function is, from 1, asked of one after the other.  0: no memory. */
static uint32_t turns_next(struct turns *turns, uint64_t item)
{
    const size_t met = turns->met.count;
    bool         added;
    uint32_t     at;

    if (ARRAY_GROW(turns->count, turns->room, met) < 0) return 0;
    at = table_put(&turns->met, item, 0, (uint32_t)met, &added);
    if (at == TABLE_NONE) return 0;
    if (added) turns->count[at] = 0;
    return ++turns->count[at];
}

/* What grows has up to twice as much as is in it, and tables are between a quarter and half full; while the index is
 * finished its items are numbered and sorted besides. */
uint64_t clonetype_index_need(uint64_t functions, uint64_t items, int threads)
{
    const uint64_t name = 64, function = 2 * sizeof(struct fragment) + 8 * sizeof(struct table_slot) + name +
        sizeof(uint64_t) * (uint64_t)threads,
        item = 2 * (sizeof(uint64_t) + sizeof(struct item_lines)) + 2 * sizeof(struct table_slot) +
        2 * sizeof(uint32_t) + sizeof(uint64_t) + sizeof(uint32_t) + sizeof(struct element);

    return functions * function + items * item;
}

int clonetype_memory_check(const struct run *run, uint64_t need, const char *of, struct err *err)
{
    char what[256];

    snprintf(what, sizeof what, "clones: functions of %s", of);
    return run_memory_check(run, true, need, what,
                            "raise clones.min_tokens or clones.min_lines, or leave 3 out of clones.types", err);
}

/* Puts the fragment that comes next behind those of its class, or as a new class behind those of its blind form.  0 or
 * -ENOMEM. */
static int class_put(struct clonetype_index *index, struct fragment *fragment, const uint64_t *item)
{
    const struct content_hash both[] = {                    /* of tokens the two are one hash */
        fragment->blind, content_hash_raw((struct slice){ (const char *)item, fragment->items * sizeof *item }) },
        class = content_hash_raw((struct slice){ (const char *)both, sizeof both });
    const uint32_t next = (uint32_t)index->count,
        form = table_put(&index->blind, fragment->blind.low, fragment->blind.high, next, &(bool){ false });
    bool           added;
    uint32_t       first;

    if (form == TABLE_NONE) return -ENOMEM;
    first = table_put(&index->class, class.low, class.high, next, &added);
    if (first == TABLE_NONE) return -ENOMEM;
    fragment->first = added;
    if (!added) index->at[index->at[first].last].next = next;
    else if (form != next) index->at[index->at[form].last_other].other = next;
    if (added) index->at[form].last_other = next;
    index->at[first].last = next;
    return 0;
}

int clonetype_index_add(struct clonetype_index *index, uint32_t shard, const struct fragment_row *row,
                        const uint64_t *item, const struct item_lines *lines, const char *heap)
{
    const struct slice name = heap_slice(heap, row->span.name), class_name = heap_slice(heap, row->span.class_name);
    struct fragment   *fragment;
    const bool         same = index->count && index->at[index->count - 1].shard == shard &&
        index->at[index->count - 1].record == row->record;

    if (ARRAY_GROW(index->at, index->room, index->count) < 0) return -ENOMEM;
    fragment = &index->at[index->count];
    index->documents += !same;
    *fragment = (struct fragment){ .exact = row->exact, .consistent = row->consistent, .blind = row->blind,
                                   .item_at = index->item.len / sizeof *item, .record = row->record,
                                   .items = row->items, .shard = shard, .next = UINT32_MAX, .other = UINT32_MAX,
                                   .main = row->main, .span = row->span,
                                   .document = (uint32_t)index->documents - 1 };
    fragment->span.name.at = (uint32_t)index->heap.len;
    fragment->span.class_name.at = (uint32_t)(index->heap.len + name.len);
    if (bytes_append(&index->item, item, row->items * sizeof *item) < 0 ||
        bytes_append(&index->lines, lines, row->items * sizeof *lines) < 0 ||
        bytes_append_slice(&index->heap, name) < 0 || bytes_append_slice(&index->heap, class_name) < 0 ||
        class_put(index, fragment, item) < 0) return -ENOMEM;
    index->count++;
    return 0;
}

static const uint64_t *fragment_items(const struct clonetype_index *index, const struct fragment *fragment)
{
    return (const uint64_t *)(const void *)index->item.at + fragment->item_at;
}

struct item_lines clonetype_index_lines(const struct clonetype_index *index, uint32_t fragment, uint32_t item,
                                        uint32_t end)
{
    const struct item_lines *lines = (const struct item_lines *)(const void *)index->lines.at +
        index->at[fragment].item_at;

    return (struct item_lines){ lines[item].line, lines[end - 1].line_end };
}

/* Numbers the elements of the first fragment of each class; number[i] of item i of all.  0 or -ENOMEM. */
static int elements_number(struct clonetype_index *index, uint32_t *number)
{
    struct turns turns = { 0 };
    int          rc = 0;

    for (size_t f = 0; f < index->count && rc == 0; f++) {
        const struct fragment *fragment = &index->at[f];
        const uint64_t        *item = fragment_items(index, fragment);

        if (!fragment->first) continue;
        turns_clear(&turns);
        for (uint32_t i = 0; i < fragment->items && rc == 0; i++) {
            const uint32_t turn = turns_next(&turns, item[i]);
            bool           added;
            uint32_t      *to = &number[fragment->item_at + i];

            *to = turn ? table_put(&index->element, item[i], turn, (uint32_t)index->element.count, &added) : TABLE_NONE;
            if (*to == TABLE_NONE) rc = -ENOMEM;
        }
    }
    turns_free(&turns);
    return rc;
}

/* In how many classes each element is. */
static void frequencies_count(struct clonetype_index *index, const uint32_t *number)
{
    for (size_t f = 0; f < index->count; f++) {
        const struct fragment *fragment = &index->at[f];

        for (uint32_t i = 0; fragment->first && i < fragment->items; i++)
            index->frequency[number[fragment->item_at + i]]++;
    }
}

/* The elements of a fragment's prefix, in order, to element[]; how many. */
static size_t prefix_fill(const struct clonetype_index *index, const struct fragment *fragment, const uint32_t *number,
                          struct element *element)
{
    for (uint32_t i = 0; i < fragment->items; i++) {
        const uint32_t n = number[fragment->item_at + i];

        element[i] = (struct element){ index->frequency[n], n };
    }
    qsort(element, fragment->items, sizeof *element, element_order);
    return (size_t)ratio_prefix(least_common(index->options), fragment->items);
}

/* Once to count, once to fill: posting NULL is the first time. */
static void postings_fill(struct clonetype_index *index, const uint32_t *number, struct element *element)
{
    for (size_t f = 0; f < index->count; f++) {
        const size_t prefix = index->at[f].first ? prefix_fill(index, &index->at[f], number, element) : 0;

        for (size_t i = 0; i < prefix; i++) {
            uint64_t *at = &index->posting_at[element[i].number];

            if (index->posting) index->posting[*at] = (uint32_t)f;
            ++*at;
        }
    }
}

int clonetype_index_finish(struct clonetype_index *index, struct err *err)
{
    const size_t    items = index->item.len / sizeof(uint64_t);
    uint32_t       *number = malloc((items + 1) * sizeof *number);
    struct element *element = malloc((items + 1) * sizeof *element);
    size_t          elements = 0;
    uint64_t        sum = 0;
    int             rc = number && element ? elements_number(index, number) : -ENOMEM;

    if (rc == 0) {
        elements = index->element.count;
        index->frequency = calloc(elements + 1, sizeof *index->frequency);
        index->posting_at = calloc(elements + 2, sizeof *index->posting_at);
        if (!index->frequency || !index->posting_at) rc = -ENOMEM;
    }
    if (rc == 0) {
        frequencies_count(index, number);
        postings_fill(index, number, element);              /* how many each has */
        for (size_t e = 0; e <= elements; e++) {
            const uint64_t has = index->posting_at[e];

            index->posting_at[e] = sum;
            sum += has;
        }
        index->posting = malloc((size_t)(sum + 1) * sizeof *index->posting);
        if (!index->posting) rc = -ENOMEM;
    }
    if (rc == 0) {
        postings_fill(index, number, element);              /* each now is where the next begins */
        for (size_t e = elements; e > 0; e--) index->posting_at[e] = index->posting_at[e - 1];
        index->posting_at[0] = 0;
    }
    free(number);
    free(element);
    return rc < 0 ? err_memory(err, items * sizeof *number, "functions of the benchmarks") : 0;
}

void clonetype_index_free(struct clonetype_index *index)
{
    free(index->at);
    free(index->frequency);
    free(index->posting_at);
    free(index->posting);
    bytes_free(&index->item);
    bytes_free(&index->lines);
    bytes_free(&index->heap);
    table_free(&index->blind);
    table_free(&index->class);
    table_free(&index->element);
    names_free(&index->names);
    *index = (struct clonetype_index){ 0 };
}

static int unit_add(struct clonetype_index *index, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        const struct slice         rows = pass_unit_section(unit, p, PART_ROWS);
        const struct fragment_row *row = (const void *)rows.at;
        const uint64_t            *item = (const void *)pass_unit_section(unit, p, PART_VALUES).at;
        const struct item_lines   *lines = (const void *)pass_unit_section(unit, p, PART_COUNTS).at;
        const uint32_t            *name = (const void *)pass_unit_section(unit, p, PART_PATHS).at;
        const char                *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (row[i].names >= NAMES_WINDOW) index->languages |= row[i].language;
            if (clonetype_index_add(index, unit->shard, &row[i], row[i].items ? item + row[i].item_at : NULL,
                                    row[i].items ? lines + row[i].item_at : NULL, heap) < 0 ||
                (row[i].names >= NAMES_WINDOW &&
                 names_add(&index->names, name + row[i].name_at, row[i].names, row[i].inside) < 0)) return -ENOMEM;
        }
    }
    return 0;
}

int clonetype_index_read(const struct clonetype_job *job, struct clonetype_index *out, struct err *err)
{
    const struct pass_scanner collector = clonetype_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &collector);
    int                       rc;

    *out = (struct clonetype_index){ .options = job->options };
    for (uint32_t s = 0; s < job->run->shards->count; s++) {
        const struct shard *shard = &job->run->shards->at[s];
        struct unit_key     key = pass_unit_key(job->run->datasets, collector.key, shard, 0);

        if (collector.takes(job, &job->run->datasets[shard->dataset]))
            out->key = unit_key_add(out->key, &key, sizeof key);
    }
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_add(out, &walk.unit) < 0)
            rc = err_memory(err, out->room * sizeof *out->at, "functions of the benchmarks");
        else
            rc = clonetype_memory_check(job->run, clonetype_index_need(out->count, out->item.len / sizeof(uint64_t),
                                                                       job->run->threads) +
                                             names_need(&out->names), "the benchmarks", err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    if (rc == 0 && names_finish(&out->names) < 0) rc = err_memory(err, out->names.first.len, "names of functions");
    return rc < 0 ? rc : clonetype_index_finish(out, err);
}

/* ---- questions ---- */

static bool is_asked(const struct clonetype_asker *asker, uint32_t f) { return !asker->before || f < asker->before; }

static int match_add(struct clonetype_asker *asker, struct clonetype_match match)
{
    if (ARRAY_GROW(asker->match, asker->room, asker->count) < 0) return -ENOMEM;
    asker->match[asker->count++] = match;
    return 0;
}

enum clone_type clonetype_type(const struct clonetype_options *options, const struct fragment *fragment,
                               struct content_hash exact, struct content_hash consistent, uint32_t loosest)
{
    if (options->type[CLONE_TYPE_1] && hash_same(fragment->exact, exact)) return CLONE_TYPE_1;
    if (options->type[CLONE_TYPE_2C] && hash_same(fragment->consistent, consistent)) return CLONE_TYPE_2C;
    return (enum clone_type)loosest;
}

/* Is the class that begins with f one that shares an element of the prefixes, and of type 3?  The first that is asked
 * about it: 1, with what is in common; 0; or -ENOMEM. */
static int candidate_look(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form,
                          uint32_t f, struct clonetype_match *match)
{
    const struct fragment *fragment = &index->at[f];
    const struct ratio     least = least_common(index->options);
    const size_t           more = form->items > fragment->items ? form->items : fragment->items,
                           fewer = form->items + fragment->items - more;

    *match = (struct clonetype_match){ .fragment = f, .loosest = CLONE_TYPE_3, .whole = (uint32_t)more };
    if (asker->asked[f] == asker->question) return 0;
    asker->asked[f] = asker->question;
    if (!ratio_reached(least, fewer, more)) return 0;
    if (lcs_length(fragment_items(index, fragment), fragment->items, form->item, form->items, &match->common) < 0)
        return -ENOMEM;
    if (match->common == UINT32_MAX || !ratio_reached(least, match->common, more)) return 0;
    return lcs_align(fragment_items(index, fragment), fragment->items, form->item, form->items, &match->aligned) < 0
        ? -ENOMEM : 1;
}

/* A class of the form's own blind form. */
static int class_look(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form,
                      uint32_t first, bool similar)
{
    const struct clonetype_options *options = index->options;
    uint32_t                        f = first;
    struct clonetype_match          match = { .fragment = first, .loosest = CLONE_TYPE_2 };

    if (!options->type[CLONE_TYPE_2]) {
        const int rc = similar && index->at[first].items ? candidate_look(index, asker, form, first, &match) : 0;

        if (rc < 0) return rc;
        if (!rc) match.loosest = CLONE_TYPES;
        while (!rc && f != UINT32_MAX &&
               clonetype_type(options, &index->at[f], form->exact, form->consistent, CLONE_TYPES) == CLONE_TYPES)
            f = index->at[f].next;
        if (f == UINT32_MAX) return 0;
    }
    asker->asked[first] = asker->question;
    return match_add(asker, match);
}

static int equal_find(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form,
                      bool similar)
{
    int rc = 0;

    for (uint32_t c = table_find(&index->blind, form->blind.low, form->blind.high); c != UINT32_MAX && rc == 0;
         c = index->at[c].other)
        if (is_asked(asker, c)) rc = class_look(index, asker, form, c, similar);
    return rc;
}

static int similar_find(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form)
{
    const size_t           prefix = (size_t)ratio_prefix(least_common(index->options), form->items);
    size_t                 known = 0, unknown = 0;
    struct clonetype_match match;
    int                    rc;

    if (form->items > asker->known_room) {
        free(asker->known);
        asker->known_room = 2 * form->items;
        asker->known = malloc(asker->known_room * sizeof *asker->known);
        if (!asker->known) {
            asker->known_room = 0;
            return -ENOMEM;
        }
    }
    turns_clear(&asker->turns);
    for (size_t i = 0; i < form->items && unknown < prefix; i++) {
        const uint32_t turn = turns_next(&asker->turns, form->item[i]),
                       number = turn ? table_find(&index->element, form->item[i], turn) : TABLE_NONE;

        if (!turn) return -ENOMEM;
        if (number == TABLE_NONE) unknown++;
        else asker->known[known++] = (struct element){ index->frequency[number], number };
    }
    if (unknown >= prefix) return 0;                        /* what no fragment has is the rarest */
    qsort(asker->known, known, sizeof *asker->known, element_order);
    for (size_t i = 0; i < known && i < prefix - unknown; i++) {
        const uint32_t number = asker->known[i].number;

        /* ascending */
        for (uint64_t p = index->posting_at[number];
             p < index->posting_at[number + 1] && is_asked(asker, index->posting[p]); p++)
            if ((rc = candidate_look(index, asker, form, index->posting[p], &match)) < 0 ||
                (rc > 0 && match_add(asker, match) < 0)) return -ENOMEM;
    }
    return 0;
}

static int match_order(const void *a, const void *b)
{
    const struct clonetype_match *x = a, *y = b;

    return (x->fragment > y->fragment) - (x->fragment < y->fragment);
}

int clonetype_ask(const struct clonetype_index *index, struct clonetype_asker *asker, const struct form *form,
                  struct err *err)
{
    const struct clonetype_options *options = index->options;
    const bool similar = options->type[CLONE_TYPE_3] && form->items &&
        (options->unit == FORM_TOKENS || form->items >= options->min_lines);
    int        rc;

    asker->count = 0;
    if (!index->count) return 0;
    if (!asker->asked) asker->asked = calloc(index->count, sizeof *asker->asked);
    if (!asker->asked) return err_memory(err, index->count * sizeof *asker->asked, "functions of the benchmarks");
    asker->question++;
    rc = equal_find(index, asker, form, similar);
    if (rc == 0 && similar) rc = similar_find(index, asker, form);
    if (rc < 0) return err_memory(err, form->items * sizeof(struct element), "a function's clones");
    if (asker->count) qsort(asker->match, asker->count, sizeof *asker->match, match_order);
    return 0;
}

void clonetype_asker_free(struct clonetype_asker *asker)
{
    turns_free(&asker->turns);
    free(asker->known);
    free(asker->asked);
    free(asker->match);
    *asker = (struct clonetype_asker){ 0 };
}
