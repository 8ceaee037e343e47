/* generate/prompts.c -- see prompts.h. */
#include "generate/prompts.h"

#include "code/language.h"
#include "probe/metric.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- of the documents of a dataset ---- */

struct prompt_row { uint64_t record; struct heap_string text; };
_Static_assert(sizeof(struct prompt_row) == 16, "unit format");

struct cutter { struct scanner scanner; const struct generate_options *options; struct bytes collapsed; };

/* A text of no known language may be. */
static bool may_be_python(const struct view_language *language)
{
    return language->row == language_generic() || language->row == language_by_name(SLICE("python"));
}

static int cut_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct cutter    *c = (struct cutter *)scanner;
    struct prompt_row row = { .record = document->record->number };
    struct slice      prompt;

    if (metric_collapse(document->record->text, &c->collapsed, err) < 0) return err->code;
    prompt = bytes_slice(&c->collapsed);
    if (c->options->prompt == PROMPT_LINES) prompt = prompt_lines(prompt, c->options->lines);
    else prompt = may_be_python(document->language) ? prompt_head(prompt) : (struct slice){ 0 };
    if (part_add_string(part, prompt, &row.text) < 0 || bytes_append(&part->section[PART_ROWS], &row, sizeof row) < 0)
        return err_memory(err, prompt.len, "a prompt");
    return 0;
}

static void cut_close(struct scanner *scanner)
{
    bytes_free(&((struct cutter *)scanner)->collapsed);
    free(scanner);
}

static int cut_open(void *shared, struct scanner **out, struct err *err)
{
    const struct generate_job *job = shared;
    struct cutter             *c = calloc(1, sizeof *c);

    *out = NULL;
    if (!c) return err_memory(err, sizeof *c, "a scanner");
    c->scanner = (struct scanner){ .document = cut_document, .close = cut_close };
    c->options = job->options;
    *out = &c->scanner;
    return 0;
}

static bool takes_source(const void *shared, const struct dataset *dataset)
{
    return strcmp(dataset->name, ((const struct generate_job *)shared)->options->from) == 0;
}

static int unit_take(struct prompts *out, const struct pass_unit *unit)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice             rows = pass_unit_section(unit, p, PART_ROWS);
        const struct prompt_row *row = (const void *)rows.at;
        const char              *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++) {
            if (ARRAY_GROW(out->at, out->room, out->count) < 0) return -ENOMEM;
            if (row[i].text.len == 0) out->without++;
            else out->at[out->count++] = (struct slice){ heap + row[i].text.at, row[i].text.len };
        }
    }
    return 0;
}

static int units_read(const struct pass *pass, struct prompts *out, struct err *err)
{
    struct pass_walk walk = pass_walk_all(pass->run, &pass->scanner[0]);
    int              rc;

    while ((rc = pass_walk_next(&walk, err)) > 0) {
        if (unit_take(out, &walk.unit) < 0) rc = err_memory(err, out->count * sizeof *out->at, "prompts");
        else rc = pass_units_keep(&out->units, &walk, err);
        if (rc < 0) break;
    }
    pass_walk_close(&walk);
    return rc;
}

static int of_dataset(const struct generate_job *job, struct prompts *out, struct err *err)
{
    const uint64_t  number[] = { (uint64_t)job->options->prompt, job->options->lines };
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, job->run->version, strlen(job->run->version));
    struct pass     pass = { .run = job->run, .scanner_count = 1 };
    int             rc;

    for (size_t d = 0; d < job->dataset_count; d++)         /* its language decides which texts are Python */
        if (takes_source(job, &job->run->datasets[d]) && job->run->datasets[d].language)
            key = unit_key_add(key, job->run->datasets[d].language, strlen(job->run->datasets[d].language));
    pass.scanner[0] = (struct pass_scanner){ .kind = "prompts", .key = unit_key_add(key, number, sizeof number),
                                             .needs = PASS_GROUPS, .takes = takes_source,
                                             .open = cut_open, .shared = (void *)(uintptr_t)job };
    rc = pass_stream(&pass, job->run->shards->count, err);
    if (rc == 0) rc = comm_agree(job->run->comm, units_read(&pass, out, err), err);
    if (rc == 0 && out->count == 0)
        rc = err_set(err, -EINVAL, "generate: no document of `%s` gives a prompt (%llu were read)", job->options->from,
                     (unsigned long long)out->without);
    return rc;
}

/* ---- of blocks that a first run's outputs repeated ---- */

static int blocks_select(sqlite3 *db, struct prompts *out, struct err *err, const char *path)
{
    sqlite3_stmt *statement = NULL;
    int           rc = sqlite3_prepare_v2(db, "SELECT text FROM clones WHERE text <> '' ORDER BY small_count DESC, "
                                              "fingerprint", -1, &statement, NULL), step = SQLITE_DONE;

    while (rc == SQLITE_OK && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        const size_t len = (size_t)sqlite3_column_bytes(statement, 0);

        /* Places for now: the buffer may move. */
        if (ARRAY_GROW(out->at, out->room, out->count) < 0) break;
        out->at[out->count] = (struct slice){ NULL, len };
        if (bytes_append(&out->text, sqlite3_column_text(statement, 0), len) < 0) break;
        out->count++;
    }
    sqlite3_finalize(statement);
    if (step == SQLITE_ROW) return err_memory(err, out->text.len, "prompts");
    if (rc != SQLITE_OK || step != SQLITE_DONE)
        return err_set(err, -EBADMSG, "generate.from: %s: %s; it must be the folder of a finished run with line_clones",
                       path, sqlite3_errmsg(db));
    if (out->count == 0)
        return err_set(err, -EINVAL, "generate.from: %s holds no block of lines with its text (line_clones, "
                                     "graph.store: text)", path);
    return 0;
}

static int of_blocks(const struct generate_job *job, struct prompts *out, struct err *err)
{
    char     path[4400];
    sqlite3 *db = NULL;
    size_t   at = 0;
    int      rc;

    snprintf(path, sizeof path, "%s/graph.db", job->options->from);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, "unix-none") != SQLITE_OK)
        rc = err_set(err, -EINVAL, "generate.from: %s: %s; it must be the folder of a finished run with line_clones",
                     path, db ? sqlite3_errmsg(db) : "out of memory");
    else rc = blocks_select(db, out, err, path);
    sqlite3_close(db);
    for (size_t i = 0; rc == 0 && i < out->count; at += out->at[i++].len) out->at[i].at = out->text.at + at;
    return comm_agree(job->run->comm, rc, err);
}

int prompts_collect(const struct generate_job *job, struct prompts *out, struct err *err)
{
    *out = (struct prompts){ 0 };
    switch (job->options->prompt) {
    case PROMPT_HEAD: case PROMPT_LINES: return of_dataset(job, out, err);
    case PROMPT_BLOCKS:                  return of_blocks(job, out, err);
    default:                             return 0;
    }
}

void prompts_free(struct prompts *prompts)
{
    pass_units_free(&prompts->units);
    free(prompts->at);
    bytes_free(&prompts->text);
    *prompts = (struct prompts){ 0 };
}
