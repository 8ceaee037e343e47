/* compliance/functions.c -- see functions.h. */
#include "compliance/functions.h"

#include "compliance/pair.h"
#include "licence/licence.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct function_row { uint64_t record; struct heap_string id, prompt, signature, reference, answer, license, reply; };
_Static_assert(sizeof(struct function_row) == 64, "unit format");

struct keeper { struct scanner scanner; const struct compliance_functions *functions; struct bytes id; };

static bool is_asked(const struct compliance_functions *functions, const struct shard *shard)
{
    return strcmp(functions->run->datasets[shard->dataset].name, functions->benchmark) == 0;
}

/* An id may be a number, and licences a list; NULL: they are. */
static const char *fields_refuse(const struct record *record)
{
    const struct slice id = record->raw[FIELD_ID], license = record->raw[FIELD_LICENSE];

    if (id.len && memchr("[{tf", id.at[0], 4)) return "`id` is no string";
    return license.len && !memchr("\"[n", license.at[0], 3) ? "`license` is no string" : NULL;
}

static int id_add(struct keeper *k, const struct document *document, struct part *part, struct heap_string *out)
{
    if (part_add_field(part, document->record, FIELD_ID, out) < 0) return -ENOMEM;
    if (out->len != NO_STRING && out->len) return 0;
    k->id.len = 0;
    return bytes_printf(&k->id, "%s:%llu", document->shard->name, (unsigned long long)document->record->number) < 0
        ? -ENOMEM : part_add_string(part, bytes_slice(&k->id), out);
}

/* A list of licences is the expression that it says, if it does. */
static int license_add(const struct document *document, const struct pair *pair, struct part *part,
                       struct heap_string *out)
{
    struct licence list;

    if (part_add_field(part, document->record, FIELD_LICENSE, out) < 0) return -ENOMEM;
    if (out->len == NO_STRING) return part_add_string(part, pair->licence, out);
    if (document->record->raw[FIELD_LICENSE].at[0] != '[') return 0;
    licence_of_field(&list, heap_slice(part->section[PART_HEAP].at, *out));
    return *list.expression ? part_add_string(part, slice_of(list.expression), out) : 0;
}

static int row_keep(struct keeper *k, const struct document *document, const struct pair *pair, struct part *part)
{
    struct function_row row = { .record = document->record->number };

    return id_add(k, document, part, &row.id) < 0 || part_add_string(part, pair->prompt, &row.prompt) < 0 ||
        part_add_string(part, pair->signature, &row.signature) < 0 ||
        part_add_string(part, pair->reference, &row.reference) < 0 ||
        part_add_string(part, pair->answer, &row.answer) < 0 ||
        license_add(document, pair, part, &row.license) < 0 || part_add_string(part, pair->reply, &row.reply) < 0
        ? -ENOMEM : bytes_append(&part->section[PART_ROWS], &row, sizeof row);
}

static int keep_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct keeper        *k = (struct keeper *)scanner;
    const struct record  *record = document->record;
    const struct dataset *dataset = &k->functions->run->datasets[document->shard->dataset];
    struct pair           pair;
    const char           *why;
    int                   rc = pair_parse(&pair, record->line, dataset->fields[FIELD_TEXT] ? &record->text : NULL, &why,
                                          err);

    if (rc < 0) return rc;
    if (rc == 1 && (why = fields_refuse(record))) rc = 0;
    if (rc == 1 && !pair.prompt.len && is_asked(k->functions, document->shard)) rc = 0, why = "has no `prompt`";
    if (rc == 0) rc = err_set(err, 1, "%s", why);
    else rc = row_keep(k, document, &pair, part) < 0 ? err_memory(err, record->line.len, "a function") : 0;
    pair_free(&pair);
    return rc;
}

static void keep_close(struct scanner *scanner)
{
    bytes_free(&((struct keeper *)scanner)->id);
    free(scanner);
}

static int keep_open(void *shared, struct scanner **out, struct err *err)
{
    struct keeper *k = calloc(1, sizeof *k);

    *out = NULL;
    if (!k) return err_memory(err, sizeof *k, "a scanner");
    k->scanner = (struct scanner){ .document = keep_document, .close = keep_close };
    k->functions = shared;
    *out = &k->scanner;
    return 0;
}

static bool takes_source(const void *shared, const struct dataset *dataset)
{
    const struct compliance_functions *functions = shared;

    return functions->pairs[dataset - functions->run->datasets] || strcmp(dataset->name, functions->benchmark) == 0;
}

static int unit_take(struct compliance_functions *functions, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice               rows = pass_unit_section(unit, p, PART_ROWS);
        const struct function_row *row = (const void *)rows.at;
        const char                *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(functions->at, functions->room, functions->count) < 0) return -ENOMEM;
            functions->at[functions->count++] = (struct compliance_function){
                .id = heap_slice(heap, row[i].id), .prompt = heap_slice(heap, row[i].prompt),
                .signature = heap_slice(heap, row[i].signature), .reference = heap_slice(heap, row[i].reference),
                .answer = heap_slice(heap, row[i].answer), .license = heap_slice(heap, row[i].license),
                .reply = heap_slice(heap, row[i].reply),
                .dataset = functions->run->shards->at[unit->shard].dataset, .shard = unit->shard,
                .record = row[i].record,
            };
        }
    }
    return 0;
}

static int units_read(const struct pass *pass, struct compliance_functions *functions, struct err *err)
{
    struct pass_walk walk = pass_walk_all(pass->run, &pass->scanner[0]);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_take(functions, &walk.unit) < 0)
            rc = err_memory(err, functions->count * sizeof *functions->at, "functions");
        else rc = pass_units_keep(&functions->units, &walk, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

struct pass_scanner functions_scanner(const struct compliance_functions *functions)
{
    const uint32_t  format = 2;                             /* where fields are from */
    const char     *version = functions->run->version;
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, version, strlen(version));

    key = unit_key_add(key, &format, sizeof format);
    return (struct pass_scanner){ .kind = "pairs", .needs = PASS_GROUPS, .takes = takes_source, .open = keep_open,
                                  .key = unit_key_add(key, functions->benchmark, strlen(functions->benchmark)),
                                  .shared = (void *)(uintptr_t)functions };
}

const struct compliance_function *functions_of(const struct compliance_functions *functions, uint32_t dataset,
                                               size_t *count)
{
    size_t from = 0, to;

    while (from < functions->count && functions->at[from].dataset != dataset) from++;
    for (to = from; to < functions->count && functions->at[to].dataset == dataset; ) to++;
    *count = to - from;
    return *count ? functions->at + from : NULL;
}

/* A dataset without a function, with what is wrong with its first record.  <0. */
static int empty_tell(const struct pass *pass, uint32_t dataset, struct err *err)
{
    struct pass_walk walk = pass_walk_all(pass->run, &pass->scanner[0]);
    struct reject    first = { .detail = "it has none" };
    bool             found = false;
    int              rc = 0;

    while (!found && (rc = pass_walk_next(&walk, err)) > 0) {
        const bool its = pass->run->shards->at[walk.unit.shard].dataset == dataset;

        for (uint64_t p = 0; its && !found && p < walk.unit.header->parts; p++) {
            const struct slice rejects = pass_unit_section(&walk.unit, p, PART_REJECTS);

            found = rejects.len >= sizeof first;
            if (found) memcpy(&first, rejects.at, sizeof first);
        }
    }
    pass_walk_close(&walk);
    return rc < 0 ? rc : err_set(err, -EINVAL, "compliance: no record of `%s` is a function with what is asked of it; "
                                 "record %llu: %s", pass->run->datasets[dataset].name,
                                 (unsigned long long)first.record, first.detail);
}

/* Each dataset has a function at least. */
static int functions_check(const struct compliance_functions *functions, const struct pass *pass, struct err *err)
{
    const struct run *run = functions->run;
    size_t            count;

    for (uint32_t d = 0; d < run->dataset_count; d++) {
        if (!takes_source(functions, &run->datasets[d])) continue;
        functions_of(functions, d, &count);
        if (!count) return empty_tell(pass, d, err);
    }
    return 0;
}

int functions_collect(struct compliance_functions *functions, struct err *err)
{
    const struct run *run = functions->run;
    struct pass       pass = { .run = run, .scanner_count = 1 };
    int               rc;

    pass.scanner[0] = functions_scanner(functions);
    rc = pass_stream(&pass, run->shards->count, err);
    pass_totals_add(&functions->totals, &pass.totals);
    if (rc == 0) rc = comm_agree(run->comm, units_read(&pass, functions, err), err);
    if (rc == 0) rc = functions_check(functions, &pass, err);
    return comm_agree(run->comm, rc, err);
}

void functions_release(struct compliance_functions *functions)
{
    free(functions->at);
    pass_units_free(&functions->units);
    functions->at = NULL;
    functions->count = functions->room = 0;
}
