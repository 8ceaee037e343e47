/* pass/part.c -- what a batch became, and the units that hold such parts. */
#include "pass/private.h"

#include <errno.h>
#include <stdlib.h>

int part_add_string(struct part *part, struct slice s, struct heap_string *out)
{
    struct bytes *heap = &part->section[PART_HEAP];

    *out = (struct heap_string){ 0, NO_STRING };
    if (heap->len + s.len >= NO_STRING || bytes_append_slice(heap, s) < 0) return -ENOMEM;
    *out = (struct heap_string){ (uint32_t)(heap->len - s.len), (uint32_t)s.len };
    return 0;
}

int part_add_field(struct part *part, const struct record *record, enum field field, struct heap_string *out)
{
    struct bytes *heap = &part->section[PART_HEAP];
    size_t        start = heap->len;

    *out = (struct heap_string){ 0, NO_STRING };
    if (bytes_reserve(heap, start) < 0) return -ENOMEM;     /* so that at stays NULL only where memory is out */
    if (!record_field(record, field, heap)) return 0;
    if (!heap->at || heap->len >= NO_STRING) return -ENOMEM;
    *out = (struct heap_string){ (uint32_t)start, (uint32_t)(heap->len - start) };
    return 0;
}

/* Everything of the dataset's settings that changes what is read from a shard. */
struct unit_key pass_unit_key(const struct dataset *datasets, struct unit_key scanner, const struct shard *shard,
                              uint64_t unit)
{
    const struct dataset *dataset = &datasets[shard->dataset];
    const char *split = dataset->splits[shard->split].name;
    uint64_t    number[] = { (uint64_t)dataset->format, (uint64_t)dataset->utf8, dataset->max_record_bytes,
                             dataset->max_ratio,
                             shard->bytes, (uint64_t)shard->mtime_ns, shard->tree, shard->signature, unit };
    struct unit_key key = scanner;

    key = unit_key_add(key, dataset->name, strlen(dataset->name));
    key = unit_key_add(key, split, strlen(split));
    key = unit_key_add(key, dataset->language, dataset->language ? strlen(dataset->language) : 0);
    for (size_t f = 0; f < FIELD_COUNT; f++)
        key = unit_key_add(key, dataset->fields[f], dataset->fields[f] ? strlen(dataset->fields[f]) : 0);
    for (uint32_t e = 0; e < DATASET_EXTRA; e++)            /* a row is too long, or damaged, with all its columns */
        if (dataset->extra[e])
            key = unit_key_add(unit_key_add(key, &e, sizeof e), dataset->extra[e], strlen(dataset->extra[e]));
    key = unit_key_add(key, shard->path, strlen(shard->path));
    key = unit_key_add(key, shard->name, strlen(shard->name));
    return unit_key_add(key, number, sizeof number);
}

int pass_unit_load(const struct pass *pass, const struct pass_scanner *scanner, const struct shard *shard,
                   uint64_t unit, struct pass_unit *out,
                   struct err *err)
{
    int rc = stage_load(pass->run->stage, scanner->kind, pass_unit_key(pass->run->datasets, scanner->key, shard, unit),
                        &out->file, err);

    if (rc <= 0) return rc;
    out->header = (const struct unit_header *)out->file.section[0].at;
    if (out->file.section[0].len == sizeof *out->header && out->header->parts <= out->file.count &&
        out->file.count == 1 + out->header->parts * PART_SECTIONS) return 1;
    unit_close(&out->file);
    return err_set(err, -EBADMSG,
                   "%s: a unit of %s does not have the expected layout; remove the work folder with --clean",
                   stage_dir(pass->run->stage), shard->path);
}

struct slice pass_unit_section(const struct pass_unit *unit, uint64_t part, enum part_section section)
{
    return unit->file.section[1 + part * PART_SECTIONS + section];
}

int pass_unit_commit(const struct pass *pass, const struct pass_scanner *scanner, const struct shard *shard,
                     uint64_t unit,
                     const struct unit_header *header, struct part *const *part, struct err *err)
{
    size_t        count = 1 + (size_t)header->parts * PART_SECTIONS;
    struct slice *section = malloc(count * sizeof *section);
    int           rc;

    if (!section) return err_memory(err, count * sizeof *section, "a unit's sections");
    section[0] = (struct slice){ (const char *)header, sizeof *header };
    for (size_t p = 0; p < header->parts; p++)
        for (size_t s = 0; s < PART_SECTIONS; s++)
            section[1 + p * PART_SECTIONS + s] = bytes_slice(&part[p]->section[s]);
    rc = stage_commit(pass->run->stage, scanner->kind, pass_unit_key(pass->run->datasets, scanner->key, shard, unit),
                      section,
                      count, err);
    free(section);
    return rc;
}
