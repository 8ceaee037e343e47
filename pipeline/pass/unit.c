/* pass/unit.c -- the committed units of a shard: their keys, their layout, one after the other; see pass.h. */
#include "pass/private.h"

#include <errno.h>
#include <stdlib.h>

/* of parts, what they hold of rejects among it, and of which records are in which unit: another one is another key */
enum { UNIT_FORMAT = 5 };

/* Everything of the dataset's settings that changes what is read from a shard. */
struct unit_key pass_unit_key(const struct dataset *datasets, struct unit_key scanner, const struct shard *shard,
                              uint64_t unit)
{
    const struct dataset *dataset = &datasets[shard->dataset];
    const char *split = dataset->splits[shard->split].name;
    uint64_t    number[] = { UNIT_FORMAT, (uint64_t)dataset->format, (uint64_t)dataset->utf8, dataset->max_record_bytes,
                             dataset->max_ratio,
                             shard->bytes, (uint64_t)shard->mtime_ns, shard->tree, shard->signature, unit,
                             REJECT_FORMAT, UNIT_HEADER_FORMAT };
    struct unit_key key = scanner;

    key = unit_key_add(key, dataset->name, strlen(dataset->name));
    key = unit_key_add(key, split, strlen(split));
    key = unit_key_add(key, dataset->language, dataset->language ? strlen(dataset->language) : 0);
    for (size_t f = 0; f < FIELD_COUNT; f++)
        key = unit_key_add(key, dataset->fields[f], dataset->fields[f] ? strlen(dataset->fields[f]) : 0);
    for (uint32_t e = 0; e < DATASET_EXTRA; e++)            /* a row is too long, or damaged, with all its columns */
        if (dataset->extra[e])
            key = unit_key_add(unit_key_add(key, &e, sizeof e), dataset->extra[e], strlen(dataset->extra[e]));
    for (size_t e = 0; e < dataset->exclude_count; e++)
        key = unit_key_add(key, dataset->exclude[e], strlen(dataset->exclude[e]));
    key = unit_key_add(key, shard->path, strlen(shard->path));
    key = unit_key_add(key, shard->name, strlen(shard->name));
    return unit_key_add(key, number, sizeof number);
}

/* whole: the content is verified too */
static int unit_open(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                     bool whole, struct pass_unit *out, struct err *err)
{
    const struct unit_key key = pass_unit_key(run->datasets, scanner->key, &run->shards->at[shard], number);
    int                   rc = whole ? stage_load(run->stage, scanner->kind, key, &out->file, err)
                                     : stage_map(run->stage, scanner->kind, key, &out->file, err);

    if (rc <= 0) return rc;
    out->shard = shard;
    out->header = (const struct unit_header *)out->file.section[0].at;
    if (out->file.count && out->file.section[0].len == sizeof *out->header &&
        out->header->parts <= out->file.count && out->file.count == 1 + out->header->parts * PART_SECTIONS &&
        (!out->header->next || unit_follows(out->header->next, number))) return 1;
    unit_close(&out->file);
    return err_set(err, -EBADMSG,
                   "%s: a unit of %s does not have the expected layout; remove the work folder with --clean",
                   stage_dir(run->stage), run->shards->at[shard].path);
}

static int unit_missing(const struct run *run, uint32_t shard, uint64_t number, struct err *err)
{
    return err_set(err, -EIO, "%s: unit %llu of %s has disappeared or is damaged; the same command again makes it anew",
                   stage_dir(run->stage), (unsigned long long)number, run->shards->at[shard].path);
}

int pass_unit_load(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                   struct pass_unit *out, struct err *err)
{
    return unit_open(run, scanner, shard, number, true, out, err);
}

int pass_unit_map(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                  struct pass_unit *out, struct err *err)
{
    return unit_open(run, scanner, shard, number, false, out, err);
}

int pass_unit_need(const struct run *run, const struct pass_scanner *scanner, uint32_t shard, uint64_t number,
                   struct pass_unit *out, struct err *err)
{
    int rc = unit_open(run, scanner, shard, number, true, out, err);

    return rc == 0 ? unit_missing(run, shard, number, err) : rc < 0 ? rc : 0;
}

struct pass_walk pass_walk_all(const struct run *run, const struct pass_scanner *scanner)
{
    return (struct pass_walk){ .run = run, .scanner = scanner, .end = (uint32_t)run->shards->count };
}

struct pass_walk pass_walk_shard(const struct run *run, const struct pass_scanner *scanner, uint32_t shard)
{
    return (struct pass_walk){ .run = run, .scanner = scanner, .shard = shard, .end = shard + 1 };
}

int pass_walk_next(struct pass_walk *walk, struct err *err)
{
    const struct run          *run = walk->run;
    const struct pass_scanner *scanner = walk->scanner;
    int                        rc;

    pass_walk_close(walk);
    while (walk->number == 0 && walk->shard < walk->end && scanner->takes &&
           !scanner->takes(scanner->shared, &run->datasets[run->shards->at[walk->shard].dataset]))
        walk->shard++;
    if (walk->shard == walk->end) return 0;
    rc = unit_open(run, scanner, walk->shard, walk->number, !walk->heads, &walk->unit, err);
    if (rc == 0) return unit_missing(run, walk->shard, walk->number, err);
    if (rc < 0) return rc;
    walk->number = walk->unit.header->next;
    walk->shard += walk->number == 0;
    return 1;
}

void pass_walk_close(struct pass_walk *walk)
{
    unit_close(&walk->unit.file);
    walk->unit = (struct pass_unit){ 0 };
}

int pass_units_keep(struct pass_units *units, struct pass_walk *walk, struct err *err)
{
    if (ARRAY_GROW(units->at, units->room, units->count) < 0)
        return err_memory(err, units->count * sizeof *units->at, "units");
    units->at[units->count++] = walk->unit;
    walk->unit = (struct pass_unit){ 0 };
    return 0;
}

void pass_units_free(struct pass_units *units)
{
    for (size_t u = 0; u < units->count; u++) unit_close(&units->at[u].file);
    free(units->at);
    *units = (struct pass_units){ 0 };
}

void pass_unit_leave(const struct pass_unit *unit, uint64_t part, struct pass_behind *behind)
{
    for (enum part_section s = 0; s < PART_SECTIONS; s++) {
        if (!behind->at[s]) behind->at[s] = pass_unit_section(unit, 0, s).at;
        unit_forget_before(&unit->file, pass_unit_section(unit, part, s).at, &behind->at[s]);
    }
}

int pass_unit_commit(const struct pass *pass, const struct pass_scanner *scanner, const struct shard *shard,
                     uint64_t unit,
                     const struct unit_header *header, struct part *const *part, struct err *err)
{
    size_t        count = 1 + (size_t)header->parts * PART_SECTIONS;
    struct slice *section = malloc(count * sizeof *section);
    bool         *mapped = calloc(count, sizeof *mapped);
    int           rc;

    if (!section || !mapped) {
        free(section);
        free(mapped);
        return err_memory(err, count * sizeof *section, "a unit's sections");
    }
    section[0] = (struct slice){ (const char *)header, sizeof *header };
    for (size_t p = 0; p < header->parts; p++)
        for (enum part_section s = 0; s < PART_SECTIONS; s++)
            section[pass_section_at(header->parts, p, s)] = bytes_slice(&part[p]->section[s]);
    for (size_t p = 0; p < header->parts; p++)
        mapped[pass_section_at(header->parts, p, PART_VALUES)] = aside_is_mapped(&part[p]->values);
    rc = stage_commit_mapped(pass->run->stage, scanner->kind,
                             pass_unit_key(pass->run->datasets, scanner->key, shard, unit), section, mapped, count,
                             err);
    free(section);
    free(mapped);
    return rc;
}
