/* probe/items.c -- the scanner that collects the texts; see item.h. */
#include "probe/item.h"

#include "corpus/json_record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

struct text_row { uint64_t record; struct heap_string text; uint32_t known, spare; };
_Static_assert(sizeof(struct text_row) == 24, "unit format");

struct collector {
    struct scanner              scanner;                    /* first: what the pass sees */
    const struct probe_options *options;
    struct field_map            map[PROBE_FIELDS], truth;   /* one a field: its source is the record's text there */
    struct bytes                text, scratch, joined;
};

/* The named fields one after the other; one that is not there, or is no string, is none of the item's.  With none at
 * all the item has no text. */
static int fields_join(struct collector *c, const struct record *record, struct err *err)
{
    size_t found = 0;

    c->joined.len = 0;
    for (size_t f = 0; f < c->options->fields; f++) {
        struct record     walked;
        struct json_fault fault;
        int               rc = json_record_parse(&walked, &c->map[f], record->line, 0, &c->text, &c->scratch, &fault);

        if (rc == 0) continue;
        if (rc < 0 || (found++ && bytes_append_slice(&c->joined, slice_of(c->options->join)) < 0) ||
            bytes_append_slice(&c->joined, walked.text) < 0)
            return err_memory(err, record->line.len, "an item's fields");
    }
    return 0;
}

/* What the record says of itself: a number above 0 or true, another number or false; anything else, as Python's NaN, or
 * nothing, is not known. */
static int truth_read(struct collector *c, const struct record *record, uint32_t *known, struct err *err)
{
    struct record     walked;
    struct json_fault fault;
    char              word[64] = "", *end;
    struct slice      raw;
    double            value;

    *known = KNOWN_NOT;
    if (json_record_parse(&walked, &c->truth, record->line, 0, &c->text, &c->scratch, &fault) < 0)
        return err_memory(err, record->line.len, "an item's fields");
    raw = walked.raw[FIELD_TEXT];
    if (raw.len == 0 || raw.len >= sizeof word) return 0;
    memcpy(word, raw.at, raw.len);
    value = strtod(word, &end);
    if (strcmp(word, "true") == 0) *known = KNOWN_IN;
    else if (strcmp(word, "false") == 0) *known = KNOWN_OUT;
    else if (end != word && !*end && !isnan(value)) *known = value > 0 ? KNOWN_IN : KNOWN_OUT;
    return 0;
}

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector    *c = (struct collector *)scanner;
    const struct record *record = document->record;
    struct text_row      row = { .record = record->number, .known = KNOWN_NOT };
    struct slice         text = record->text;

    if ((c->options->fields || c->options->truth == TRUTH_FIELD) && record->line.len == 0)
        return err_set(err, -EINVAL, "%s: record %llu: probe.fields and probe.truth name fields of JSON lines, and "
                                     "this is none: map its text with datasets.fields",
                       document->shard->path, (unsigned long long)record->number);
    if (c->options->truth == TRUTH_FIELD && truth_read(c, record, &row.known, err) < 0) return err->code;
    if (c->options->fields) {
        if (fields_join(c, record, err) < 0) return err->code;
        text = bytes_slice(&c->joined);
    }
    if (part_add_string(part, text, &row.text) < 0 || bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0)
        return err_memory(err, text.len, "an item's text");
    return 0;
}

static void collect_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    bytes_free(&c->text);
    bytes_free(&c->scratch);
    bytes_free(&c->joined);
    free(c);
}

static int collect_open(void *shared, struct scanner **out, struct err *err)
{
    const struct probe_job *job = shared;
    struct collector       *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->options = job->options;
    for (size_t f = 0; f < job->options->fields; f++)
        field_map_set(&c->map[f], &(struct dataset){ .fields = { [FIELD_TEXT] = job->options->field[f] } });
    if (job->options->truth == TRUTH_FIELD)
        field_map_set(&c->truth, &(struct dataset){ .fields = { [FIELD_TEXT] = job->options->truth_field } });
    *out = &c->scanner;
    return 0;
}

static bool takes_members(const void *shared, const struct dataset *dataset)
{
    const struct probe_job *job = shared;

    return job->member[dataset - job->run->datasets];
}

static struct pass items_pass(const struct probe_job *job)
{
    const struct probe_options *o = job->options;
    struct unit_key             key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version,
                                                   strlen(job->run->version));

    for (size_t f = 0; f < o->fields; f++) key = unit_key_add(key, o->field[f], strlen(o->field[f]));
    if (o->fields) key = unit_key_add(key, o->join, strlen(o->join));
    if (o->truth == TRUTH_FIELD)
        key = unit_key_add(unit_key_add(key, "truth", 6), o->truth_field, strlen(o->truth_field));
    return (struct pass){ .run = job->run,
                          .scanner = { { .kind = "texts", .key = key, .needs = PASS_RECORDS, .takes = takes_members,
                                         .open = collect_open,
                                         .shared = (void *)(uintptr_t)job } },
                          .scanner_count = 1 };
}

static int unit_take(struct probe_items *out, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice           rows = pass_unit_section(unit, p, PART_ROWS);
        const struct text_row *row = (const void *)rows.at;
        const char            *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(out->at, out->room, out->count) < 0) return -ENOMEM;
            out->at[out->count++] = (struct probe_item){ row[i].record, { heap + row[i].text.at, row[i].text.len },
                                                         unit->shard, row[i].known };
        }
    }
    return 0;
}

int probe_items_map(const struct probe_job *job, struct probe_items *out, struct err *err)
{
    const struct pass pass = items_pass(job);
    struct pass_walk  walk = pass_walk_all(job->run, &pass.scanner[0]);
    int               rc;

    *out = (struct probe_items){ 0 };
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_take(out, &walk.unit) < 0) rc = err_memory(err, out->count * sizeof *out->at, "items");
        else rc = pass_units_keep(&out->units, &walk, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

/* Fields that no item has are a mistake in their names. */
static int texts_check(const struct probe_job *job, const struct probe_items *items, struct err *err)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->at[i].text.len) return 0;
    if (items->count == 0 || job->options->fields == 0) return 0;
    return err_set(err, -EINVAL, "probe.fields: none of %zu items has text in a field `%.60s`%s", items->count,
                   job->options->field[0],
                   job->options->fields > 1 ? ", nor in the others" : "");
}

int probe_items_collect(const struct probe_job *job, struct probe_items *out, struct err *err)
{
    struct pass pass = items_pass(job);
    int         rc = pass_stream(&pass, job->run->shards->count, err);

    *out = (struct probe_items){ 0 };
    if (rc == 0) rc = probe_items_map(job, out, err);
    if (rc == 0) rc = texts_check(job, out, err);
    return comm_agree(job->run->comm, rc, err);
}

void probe_items_free(struct probe_items *items)
{
    pass_units_free(&items->units);
    free(items->at);
    *items = (struct probe_items){ 0 };
}
