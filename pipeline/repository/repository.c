/* repository/repository.c -- see repository.h: the scanners of benchmarks and of corpora. */
#include "repository/index.h"

#include <errno.h>
#include <stdlib.h>

static struct unit_key options_key(const struct repository_job *job)
{
    const uint32_t  names = 1;                              /* how they are compared */
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));

    key = unit_key_add(key, &names, sizeof names);
    return unit_key_add(key, &job->options->path_components, sizeof job->options->path_components);
}

struct scratch { struct bytes field[2], name, squeezed; };  /* field: repo, path */

static void scratch_free(struct scratch *scratch)
{
    bytes_free(&scratch->field[0]);
    bytes_free(&scratch->field[1]);
    bytes_free(&scratch->name);
    bytes_free(&scratch->squeezed);
}

/* The record's repository, normalised, in scratch->name. */
static int name_of_record(const struct repository_job *job, const struct record *record, struct scratch *scratch)
{
    static const enum field field[] = { FIELD_REPO, FIELD_PATH };

    for (size_t i = 0; i < 2; i++) {
        scratch->field[i].len = 0;
        if (record_field(record, field[i], &scratch->field[i]) && !scratch->field[i].at) return -ENOMEM;
    }
    return repository_of(job->options, bytes_slice(&scratch->field[0]), bytes_slice(&scratch->field[1]),
                         &scratch->name);
}

/* ---- benchmarks ---- */

/* scanner first: what the pass sees */
struct collector { struct scanner scanner; const struct repository_job *job; struct scratch scratch; };

static bool is_blank(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != ' ' && !(text.at[i] >= '\t' && text.at[i] <= '\r')) return false;
    return true;
}

static int collector_document(struct scanner *scanner, const struct document *document, struct part *part,
                              struct err *err)
{
    struct collector     *c = (struct collector *)scanner;
    const struct record  *record = document->record;
    struct repository_row row = { .record = record->number, .raw = content_hash_raw(record->text),
                                  .blank = is_blank(record->text) };

    row.squeezed = content_hash_squeezed(record->text, &c->scratch.squeezed);
    if (!c->scratch.squeezed.at) return err_memory(err, record->text.len, "a text without its white space");
    if (name_of_record(c->job, record, &c->scratch) < 0 ||
        part_add_string(part, bytes_slice(&c->scratch.name), &row.repo) < 0 ||
        bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0) return err_memory(err, sizeof row,
                "a part's files");
    return 0;
}

static void collector_close(struct scanner *scanner)
{
    struct collector *c = (struct collector *)scanner;

    scratch_free(&c->scratch);
    free(c);
}

static int collector_open(void *shared, struct scanner **out, struct err *err)
{
    struct collector *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = collector_document, .close = collector_close };
    c->job = shared;
    *out = &c->scanner;
    return 0;
}

static bool takes_benchmark(const void *shared, const struct dataset *dataset)
{
    const struct repository_job *job = shared;

    return job->benchmark[dataset - job->run->datasets];
}

struct pass_scanner repository_collector(const struct repository_job *job)
{
    return (struct pass_scanner){ .kind = "files", .key = options_key(job), .needs = PASS_GROUPS,
                                  .takes = takes_benchmark, .open = collector_open,
                                  .shared = (void *)(uintptr_t)job };
}

/* ---- corpora ---- */

struct searcher {
    struct scanner               scanner;                   /* first: what the pass sees */
    const struct repository_job *job;
    struct scratch               scratch;
    struct table                 met;                       /* what the part has: hits, and names */
};

/* Once a part for each text and repository. */
static int hit_add(struct searcher *s, struct part *part, enum repository_likeness likeness, uint32_t text)
{
    struct repository_hit hit = { .likeness = likeness, .text = text };
    struct unit_key       key = unit_key_add((struct unit_key){ 0, 0 }, &hit, sizeof hit);
    bool                  added;

    key = unit_key_add(key, s->scratch.name.at, s->scratch.name.len);
    if (table_put(&s->met, key.low, key.high, 0, &added) == TABLE_NONE) return -ENOMEM;
    if (!added) return 0;
    if (part_add_string(part, bytes_slice(&s->scratch.name), &hit.repo) < 0) return -ENOMEM;
    return bytes_append(&part->section[PART_ROWS], &hit, sizeof hit);
}

static int name_count(struct searcher *s, struct part *part)
{
    struct bytes           *counts = &part->section[PART_COUNTS];
    struct repository_named named =
        { repository_name_find(s->job->index, repository_renamed(&s->job->index->renames,
                                                                 bytes_slice(&s->scratch.name))), 1 };
    struct unit_key         key;
    uint32_t                at;
    bool                    added;

    if (named.name == TABLE_NONE) return 0;
    key = unit_key_add((struct unit_key){ 0, 0 }, &named.name, sizeof named.name);
    at = table_put(&s->met, key.low, key.high, (uint32_t)(counts->len / sizeof named), &added);
    if (at == TABLE_NONE) return -ENOMEM;
    if (added) return bytes_append(counts, &named, sizeof named);
    ((struct repository_named *)(void *)counts->at)[at].documents++;
    return 0;
}

static int text_find(struct searcher *s, const struct record *record, struct part *part)
{
    const struct repository_index *index = s->job->index;
    struct content_hash            hash = content_hash_raw(record->text);
    uint32_t                       text = table_find(&index->texts, hash.low, hash.high), layout;

    if (text != TABLE_NONE && hit_add(s, part, REPOSITORY_EXACT, text) < 0) return -ENOMEM;
    if (s->job->near) return 0;
    if (text != TABLE_NONE) layout = index->layout_of[text];
    else {
        hash = content_hash_squeezed(record->text, &s->scratch.squeezed);
        if (!s->scratch.squeezed.at) return -ENOMEM;
        layout = table_find(&index->layouts, hash.low, hash.high);
    }
    return layout == TABLE_NONE ? 0 : hit_add(s, part, REPOSITORY_LAYOUT, layout);
}

static int searcher_document(struct scanner *scanner, const struct document *document, struct part *part,
                             struct err *err)
{
    struct searcher *s = (struct searcher *)scanner;

    if (name_of_record(s->job, document->record, &s->scratch) < 0 || name_count(s, part) < 0 ||
        text_find(s, document->record, part) < 0)
        return err_memory(err, document->record->text.len, "a part's repositories");
    return 0;
}

static void searcher_begin(struct scanner *scanner) { table_clear(&((struct searcher *)scanner)->met); }

static void searcher_close(struct scanner *scanner)
{
    struct searcher *s = (struct searcher *)scanner;

    scratch_free(&s->scratch);
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

struct pass_scanner repository_scanner(const struct repository_job *job)
{
    struct unit_key key = unit_key_add(options_key(job), &job->index->key, sizeof job->index->key);

    return (struct pass_scanner){ .kind = "repositories", .key = unit_key_add(key, &job->near, sizeof job->near),
                                  .needs = PASS_GROUPS, .takes = pass_takes_corpora,
                                  .open = searcher_open, .shared = (void *)(uintptr_t)job };
}

/* ---- the small side ---- */

int repository_prepare(struct repository_job *job, struct err *err)
{
    struct pass collect = { .run = job->run,
                            .scanner = { repository_collector(job) }, .scanner_count = 1 };
    int         rc = pass_stream(&collect, job->run->shards->count, err);

    pass_totals_add(&job->totals, &collect.totals);
    if (rc < 0) return rc;
    job->index = calloc(1, sizeof *job->index);
    rc = job->index ? repository_index_read(job, job->index, err)
        : err_memory(err, sizeof *job->index, "the benchmarks' files");
    return comm_agree(job->run->comm, rc, err);
}

void repository_release(struct repository_job *job)
{
    if (job->index) repository_index_free(job->index);
    free(job->index);
    job->index = NULL;
}
