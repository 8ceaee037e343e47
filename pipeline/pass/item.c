/* pass/item.c -- see item.h. */
#include "pass/item.h"

#include <errno.h>
#include <stdlib.h>

struct collector {
    struct scanner         scanner;                         /* first: what the pass sees */
    const struct item_job *job;
    struct view_scratch   *tokens;
    struct bytes           scratch;
};

static int collect_document(struct scanner *scanner, const struct document *document, struct part *part,
                            struct err *err)
{
    struct collector    *c = (struct collector *)scanner;
    const struct record *record = document->record;
    struct bytes        *heap = &part->section[PART_HEAP];
    struct item_row      row = { .record = record->number, .raw = content_hash_raw(record->text),
                                 .group = document->group,
                                 .text = { 0, NO_STRING }, .tokens = { 0, NO_STRING } };
    size_t               start;

    row.squeezed = content_hash_squeezed(record->text, &c->scratch);
    if (!c->scratch.at) return err_memory(err, record->text.len, "a text without its white space");
    if (part_add_field(part, record, FIELD_ID, &row.source_id) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row.path) < 0 ||
        part_add_field(part, record, FIELD_REPO, &row.repo) < 0 ||
        part_add_licence(part, document, &row.license, &row.license_from) < 0 ||
        part_add_holders(part, document, &row.holders) < 0 ||
        (c->job->run->store_text && part_add_string(part, record->text, &row.text) < 0))
        return err_memory(err, record->text.len, "a part's strings");
    start = heap->len;
    if (c->tokens && view_tokens_json(c->tokens, document->language, record, heap, err) < 0) return err->code;
    if (c->tokens) row.tokens = (struct heap_string){ (uint32_t)start, (uint32_t)(heap->len - start) };
    return bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0 ? err_memory(err, sizeof row, "a part's rows")
        : 0;
}

static void collect_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    view_scratch_close(c->tokens);
    bytes_free(&c->scratch);
    free(c);
}

static int collect_open(void *shared, struct scanner **out, struct err *err)
{
    const struct item_job *job = shared;
    struct collector      *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collect_document, .close = collect_close };
    c->job = job;
    if (job->run->store_tokens && view_scratch_open(&c->tokens, job->view, err) < 0) {
        free(c);
        return err->code;
    }
    *out = &c->scanner;
    return 0;
}

struct pass_scanner item_collector(const struct item_job *job)
{
    const uint64_t  number[] = { job->run->store_text, job->run->store_tokens, job->view->published };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    return (struct pass_scanner){ .kind = "benchmarks", .key = unit_key_add(key, number, sizeof number),
                                  .needs = PASS_GROUPS, .takes = pass_takes_benchmarks,
                                  .open = collect_open, .shared = (void *)(uintptr_t)job };
}

static struct pass item_pass(const struct item_job *job)
{
    return (struct pass){ .run = job->run,
                          .want_fields = job->run->store_tokens ? 1u << FIELD_TOKENS : 0,
                              .scanner = { item_collector(job) },
                              .scanner_count = 1 };
}

int item_collect(struct item_job *job, struct err *err)
{
    struct pass pass = item_pass(job);
    int         rc = pass_stream(&pass, job->run->shards->count, err);

    job->totals = pass.totals;
    return rc;
}

/* ---- read back ---- */

static int unit_take(struct item_result *out, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS);
        const struct item_row   *row = (const void *)rows.at;
        const struct part_group *group = (const void *)pass_unit_section(unit, p, PART_GROUPS).at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            const struct part_group *of = &group[row[i].group];

            if (ARRAY_GROW(out->document, out->room, out->count) < 0) return -ENOMEM;
            out->document[out->count++] = (struct item_document){ &row[i], heap, { heap + of->split_at, of->split_len },
                                                                  { heap + of->language_at, of->language_len },
                                                                  unit->shard };
        }
    }
    return 0;
}

int item_result_read(const struct item_job *job, struct item_result *out, struct err *err)
{
    const struct pass_scanner scanner = item_collector(job);
    struct pass_walk          walk = pass_walk_all(job->run, &scanner);
    int                       rc;

    *out = (struct item_result){ 0 };
    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_take(out, &walk.unit) < 0) rc = err_memory(err, out->count * sizeof *out->document, "items");
        else rc = pass_units_keep(&out->units, &walk, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

void item_result_free(struct item_result *result)
{
    pass_units_free(&result->units);
    free(result->document);
    *result = (struct item_result){ 0 };
}
