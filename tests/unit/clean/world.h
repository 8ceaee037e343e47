/* tests/unit/clean/world.h -- a benchmark and a corpus of a few documents, in shards and in a graph.db of statements.
 *
 * Shard 0: a1.jsonl, split train of the benchmark a, whose record 1 is no document; 1: a2.jsonl, split test; 2: c.jsonl
 * of the corpus c.  In graph.db the benchmark's documents are snippets 1 to 4, the corpus' 5 and 6. */
#ifndef LEAKGRAPH_TESTS_UNIT_CLEAN_WORLD_H
#define LEAKGRAPH_TESTS_UNIT_CLEAN_WORLD_H

#include "clean/clean_private.h"
#include "tests/unit/made_graph.h"
#include "tests/unit/small_run.h"

#include <errno.h>
#include <zstd.h>

enum { WORLD_DOCUMENTS = 6 };

static const struct world_document { const char *dataset, *shard, *text, *line; int record; }
world_document[WORLD_DOCUMENTS] = {
    { "a", "a1.jsonl", "one\ntwo\nthree\n",
      "{\"id\": \"x0\", \"text\": \"one\\ntwo\\nthree\\n\", \"language\": \"java\"}", 0 },
    { "a", "a1.jsonl", "four", "{\"text\": \"four\", \"language\": \"java\"}", 2 },
    { "a", "a2.jsonl", "five\nsix", "{\"id\": \"x\\t2\", \"text\": \"five\\nsix\", \"language\": \"java\"}", 0 },
    { "a", "a2.jsonl", "seven", "{\"text\": \"seven\", \"language\": \"python\"}", 1 },
    { "c", "c.jsonl", "eight", "{\"text\": \"eight\", \"language\": \"java\"}", 0 },
    { "c", "c.jsonl", "nine", "{\"text\": \"nine\", \"language\": \"java\"}", 1 },
};

struct world {
    struct small_run     r;
    struct made_graph    g;                                 /* its folder is the run folder, too */
    bool                 member[2];
    struct clean_columns columns;
    struct clean_output  output;
    struct scan_counts   counts;
    struct clean_job     job;
};

/* ---- counts of all shards, by a scanner that keeps nothing ---- */

static inline int world_document_pass(struct scanner *s, const struct document *d, struct part *p, struct err *err)
{
    (void)s, (void)d, (void)p, (void)err;
    return 0;
}

static inline void world_scanner_close(struct scanner *scanner) { free(scanner); }

static inline int world_scanner_open(void *shared, struct scanner **out, struct err *err)
{
    (void)shared;
    *out = calloc(1, sizeof **out);
    if (!*out) return err_memory(err, sizeof **out, "a scanner");
    **out = (struct scanner){ .document = world_document_pass, .close = world_scanner_close };
    return 0;
}

static inline void world_count(struct world *w)
{
    struct pass pass = { .run = &w->r.run, .scanner_count = 1,
                         .scanner = { { .kind = "world", .needs = PASS_GROUPS, .open = world_scanner_open } } };
    struct err  err = { 0 };

    if (pass_stream(&pass, w->r.shards.count, &err) < 0 || counts_read(&w->counts, &pass, &w->r.shards, &err) < 0)
        fail_msg("%s", err.text);
}

/* ---- the whole ---- */

static inline void world_files(struct world *w)
{
    struct bytes shard = { 0 };

    for (int d = 0; d < WORLD_DOCUMENTS; d++) {
        const struct world_document *of = &world_document[d];

        assert_int_equal(bytes_printf(&shard, "%s\n%s", of->line, d == 0 ? "{\"bad\": 1}\n" : ""), 0);
        if (d + 1 < WORLD_DOCUMENTS && strcmp(of->shard, world_document[d + 1].shard) == 0) continue;
        assert_int_equal(bytes_append(&shard, "", 1), 0);
        small_write(&w->r, of->shard, shard.at);
        shard.len = 0;
    }
    bytes_free(&shard);
}

static inline void world_snippets(struct world *w)
{
    struct bytes sql = { 0 };

    for (int d = 0; d < WORLD_DOCUMENTS; d++) {
        const struct world_document *of = &world_document[d];
        const struct content_hash    hash = content_hash_raw(slice_of(of->text));

        assert_int_equal(bytes_printf(&sql, "INSERT INTO snippets (id, snippet, dataset, language, tokens, "
                                      "id_within_dataset, shard, record, matches, features, distinct_features, "
                                      "admitted, xxh128) VALUES (%d, '', '%s', '', '[]', 0, '%s', %d, 0, 0, 0, 1, "
                                      "'%016llx%016llx');", d + 1, of->dataset, of->shard, of->record,
                                      (unsigned long long)hash.high, (unsigned long long)hash.low), 0);
    }
    assert_int_equal(bytes_append(&sql, "", 1), 0);
    made_run(&w->g, "INSERT INTO datasets (id, url, role, self_join) VALUES ('a', '', 'benchmark', 1), "
                    "('c', '', 'corpus', 0)");
    made_run(&w->g, sql.at);
    bytes_free(&sql);
}

/* The output is of the benchmark; more: other sections of the configuration. */
static inline void world_open(struct world *w, const char *more)
{
    static char name[] = "out", none[] = "";
    char        yaml[512];

    *w = (struct world){ .member = { true, false } };
    small_open(&w->r);
    made_open(&w->g, "");
    world_files(w);
    world_snippets(w);
    snprintf(yaml, sizeof yaml,
             "datasets:\n  - {name: a, role: benchmark, splits: {train: a1.jsonl, test: a2.jsonl}}\n"
             "  - {name: c, role: corpus, files: c.jsonl}\n%s", more);
    small_start(&w->r, yaml);
    w->r.run.draft = w->g.path;
    world_count(w);
    w->output = (struct clean_output){ .name = name, .dataset = none, .where = none, .against = none,
                                       .member = w->member, .level = 3 };
    clean_columns_list(&w->columns, &w->r.config);
    w->columns.pairs_most = 1000;
    w->job = (struct clean_job){ .run = &w->r.run, .columns = &w->columns, .outputs = &w->output, .output_count = 1,
                                 .counts = &w->counts };
}

static inline void world_rule(struct world *w, const char *text)
{
    struct err err = { 0 };

    rule_free(w->output.rule);
    if (rule_parse(&w->output.rule, text, w->columns.name, &err) < 0) fail_msg("%s", err.text);
}

static inline void world_close(struct world *w)
{
    rule_free(w->output.rule);
    counts_free(&w->counts);
    small_close(&w->r);
    made_close(&w->g);
}

/* "shard:record first-last.. why" of the choices of rank 0, with ", " between them. */
static inline void assert_choices(const struct clean_choices *choices, const char *expected)
{
    const struct clean_choice *choice = (const void *)choices->choice.at;
    const struct clean_span   *span = (const void *)choices->span.at;
    const uint64_t            *why_at = (const void *)choices->why_at.at;
    const size_t               count = choices->choice.len / sizeof *choice;
    struct bytes               text = { 0 };

    assert_int_equal(choices->why_at.len, count * sizeof *why_at);
    for (size_t i = 0; i < count; i++) {
        const uint64_t end = i + 1 < count ? why_at[i + 1] : choices->why.len;

        assert_int_equal(bytes_printf(&text, "%s%llu:%llu", i ? ", " : "", (unsigned long long)choice[i].shard,
                                      (unsigned long long)choice[i].record), 0);
        for (uint64_t s = 0; s < choice[i].span_count; s++)
            assert_int_equal(bytes_printf(&text, " %u-%u", span[choice[i].span_at + s].first,
                                          span[choice[i].span_at + s].last), 0);
        assert_int_equal(bytes_printf(&text, " %.*s", (int)(end - why_at[i]), choices->why.at + why_at[i]), 0);
    }
    assert_int_equal(bytes_append(&text, "", 1), 0);
    assert_string_equal(text.at, expected);
    bytes_free(&text);
}

/* A file of the run folder, decompressed when its name says so, with a NUL behind it. */
static inline void world_read(const struct world *w, const char *name, struct bytes *out)
{
    struct bytes raw = { 0 };
    char         path[256];
    size_t       len;

    snprintf(path, sizeof path, "%s/%s", w->r.output, name);
    read_file(path, &raw);
    assert_int_equal(bytes_reserve(out, 1 << 16), 0);
    if (strstr(name, ".zst")) {
        len = ZSTD_decompress(out->at, (1 << 16) - 1, raw.at, raw.len);
        assert_false(ZSTD_isError(len));
    } else memcpy(out->at, raw.at, len = raw.len);
    out->at[out->len = len] = '\0';
    bytes_free(&raw);
}

static inline void assert_file(const struct world *w, const char *name, const char *expected)
{
    struct bytes content = { 0 };

    world_read(w, name, &content);
    if (strcmp(content.at, expected) != 0) fail_msg("%s is\n%s\nnot\n%s", name, content.at, expected);
    bytes_free(&content);
}

#endif
