/* sensitive/scan.c -- see sensitive.h: the scanners of values in datasets, and of the benchmarks' values in
 * corpora. */
#include "sensitive/index.h"
#include "sensitive/key.h"

#include "corpus/line.h"

#include <errno.h>
#include <stdlib.h>

/* ---- values ---- */

struct collector {
    struct scanner              scanner;                    /* first: what the pass sees */
    const struct sensitive_job *job;
    struct bytes                matches, masked;
    struct table                met;                        /* rows of the part, by value and pattern */
    uint64_t                    line;                       /* of the document, from 1, that its byte line_at is in */
    size_t                      line_at;
};

static bool is_wanted(const struct sensitive_options *options, const struct sensitive_match *match, struct slice value)
{
    if (!options->kind[match->kind]) return false;
    if (!options->example && sensitive_is_example(value, match->kind)) return false;
    return match->kind != SENSITIVE_IP || options->local || !sensitive_is_local(value);
}

static int value_add(struct collector *c, const struct record *record, const struct sensitive_match *match,
                     struct part *part)
{
    struct bytes         *rows = &part->section[PART_ROWS];
    const struct slice    value = { record->text.at + match->at, match->len };
    struct sensitive_row  row = { .needle = needle_of(value), .documents = 1, .occurrences = 1, .first = record->number,
                                  .last = record->number, .at = match->at,
                                  .kind = match->kind }, *known;
    struct unit_key       key = unit_key_add((struct unit_key){ row.needle.hash.low, row.needle.hash.high },
                                             match->pattern, strlen(match->pattern));
    bool                  added;
    uint32_t              at = table_put(&c->met, key.low ^ match->kind, key.high, (uint32_t)(rows->len / sizeof row),
                                         &added);

    if (at == TABLE_NONE) return -ENOMEM;
    if (!added) {
        known = (struct sensitive_row *)(void *)rows->at + at;
        known->occurrences++;
        known->documents += known->last != record->number;
        known->last = record->number;
        return 0;
    }
    c->masked.len = 0;
    if (sensitive_mask(value, &c->masked) < 0 || part_add_string(part, slice_of(match->pattern), &row.pattern) < 0 ||
        part_add_string(part, bytes_slice(&c->masked), &row.masked) < 0 ||
        part_add_field(part, record, FIELD_PATH, &row.path) < 0) return -ENOMEM;
    c->line += line_ends(record->text, c->line_at, match->at);
    c->line_at = match->at;
    row.line = (uint32_t)c->line;
    return bytes_append(rows, &row, sizeof row);
}

static int collector_document(struct scanner *scanner, const struct document *document, struct part *part,
                              struct err *err)
{
    struct collector             *c = (struct collector *)scanner;
    const struct slice            text = document->record->text;
    const struct sensitive_match *match;

    c->matches.len = c->line_at = 0;
    c->line = 1;
    if (sensitive_find(text, &c->matches, err) < 0) return err->code;
    match = (const struct sensitive_match *)(const void *)c->matches.at;
    for (size_t i = 0; i < c->matches.len / sizeof *match; i++) {
        if (!is_wanted(c->job->options, &match[i], (struct slice){ text.at + match[i].at, match[i].len })) continue;
        if (value_add(c, document->record, &match[i], part) < 0)
            return err_memory(err, text.len, "a part's sensitive strings");
    }
    return 0;
}

static void collector_begin(struct scanner *scanner) { table_clear(&((struct collector *)scanner)->met); }

static void collector_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    bytes_free(&c->matches);
    bytes_free(&c->masked);
    table_free(&c->met);
    free(c);
}

static int collector_open(void *shared, struct scanner **out, struct err *err)
{
    struct collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .begin = collector_begin, .document = collector_document, .close = collector_close };
    c->job = shared;
    *out = &c->scanner;
    return 0;
}

static bool takes_benchmark(const void *shared, const struct dataset *dataset)
{
    const struct sensitive_job *job = shared;

    return job->member[dataset - job->run->datasets] && dataset->role == ROLE_BENCHMARK;
}

static bool takes_member_corpus(const void *shared, const struct dataset *dataset)
{
    const struct sensitive_job *job = shared;

    return job->member[dataset - job->run->datasets] && dataset->role == ROLE_CORPUS;
}

struct pass_scanner sensitive_collector(const struct sensitive_job *job, enum dataset_role role)
{
    const uint32_t  format = 2;                             /* what a value is */
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    key = unit_key_add(key, &format, sizeof format);
    return (struct pass_scanner){ .kind = "values", .key = unit_key_add(key, job->options, sizeof *job->options),
                                  .needs = PASS_GROUPS,
                                  .takes = role == ROLE_BENCHMARK ? takes_benchmark : takes_member_corpus,
                                      .open = collector_open, .shared = (void *)(uintptr_t)job };
}

/* ---- the benchmarks' values in corpora ---- */

struct searcher {
    struct scanner              scanner;                    /* first: what the pass sees */
    const struct sensitive_job *job;
    struct table                met;                        /* rows of the part, by number */
    struct part                *part;                       /* of the document that is searched, and its number */
    uint64_t                    record;
};

static int searcher_found(void *context, uint32_t number, size_t at)
{
    struct searcher        *s = context;
    struct bytes           *rows = &s->part->section[PART_ROWS];
    struct sensitive_found  found = { .documents = 1, .occurrences = 1, .last = s->record, .number = number }, *known;
    bool                    added;
    uint32_t                row = table_put(&s->met, number, 0, (uint32_t)(rows->len / sizeof found), &added);

    (void)at;
    if (row == TABLE_NONE) return -ENOMEM;
    if (added) return bytes_append(rows, &found, sizeof found);
    known = (struct sensitive_found *)(void *)rows->at + row;
    known->occurrences++;
    known->documents += known->last != s->record;
    known->last = s->record;
    return 0;
}

static int searcher_document(struct scanner *scanner, const struct document *document, struct part *part,
                             struct err *err)
{
    struct searcher *s = (struct searcher *)scanner;

    s->part = part;
    s->record = document->record->number;
    if (sensitive_search_text(&s->job->index->search, document->record->text, searcher_found, s) < 0)
        return err_memory(err, document->record->text.len, "a part's sensitive strings");
    return 0;
}

static void searcher_begin(struct scanner *scanner) { table_clear(&((struct searcher *)scanner)->met); }

static void searcher_close(struct scanner *scanner)
{
    struct searcher *s = (struct searcher *)scanner;

    table_free(&s->met);
    free(s);
}

static int searcher_open(void *shared, struct scanner **out, struct err *err)
{
    struct searcher *s = calloc(1, sizeof *s);

    *out = NULL;
    if (!s) return err_memory(err, sizeof *s, "a scanner");
    s->scanner = (struct scanner){ .begin = searcher_begin, .document = searcher_document, .close = searcher_close };
    s->job = shared;
    *out = &s->scanner;
    return 0;
}

struct pass_scanner sensitive_searcher(const struct sensitive_job *job)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    return (struct pass_scanner){ .kind = "sensitive", .key =
                                  unit_key_add(key, &job->index->key, sizeof job->index->key), .needs = PASS_GROUPS,
                                  .takes = pass_takes_corpora, .open = searcher_open,
                                  .shared = (void *)(uintptr_t)job };
}

/* ---- the small side ---- */

bool sensitive_has_member(const struct sensitive_job *job, enum dataset_role role)
{
    for (size_t d = 0; d < job->run->dataset_count; d++)
        if (job->member[d] && job->run->datasets[d].role == role) return true;
    return false;
}

int sensitive_prepare(struct sensitive_job *job, struct err *err)
{
    struct pass collect = { .run = job->run,
                            .scanner = { sensitive_collector(job, ROLE_BENCHMARK) }, .scanner_count = 1 };
    int         rc = pass_stream(&collect, job->run->shards->count, err);

    pass_totals_add(&job->totals, &collect.totals);
    if (rc < 0) return rc;
    job->index = calloc(1, sizeof *job->index);
    rc = job->index ? sensitive_index_read(job, job->index, err)
        : err_memory(err, sizeof *job->index, "the benchmarks' sensitive strings");
    return comm_agree(job->run->comm, rc, err);
}

void sensitive_release(struct sensitive_job *job)
{
    if (job->index) sensitive_index_free(job->index);
    free(job->index);
    job->index = NULL;
}
