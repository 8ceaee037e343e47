/* tests/unit/sample_graph.h -- a random but consistent graph for the tests of graph/ and report/.
 *
 * Two benchmarks with splits and a corpus without, hostile text everywhere, clusters that are the components of the
 * pairs, counts that add up.  Pass dedup, with stars, is added where it is wanted.  The same seed gives the same graph.
 * */
#ifndef LEAKGRAPH_TESTS_SAMPLE_GRAPH_H
#define LEAKGRAPH_TESTS_SAMPLE_GRAPH_H

#include "config/capabilities.h"
#include "dedup/tables.h"
#include "graph/graph.h"
#include "graph/pool.h"
#include "sensitive/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SAMPLE_DATASETS = 3, SAMPLE_FILES = 4, SAMPLE_SPLITS = 4, SAMPLE_REJECTS = 2, SAMPLE_OVERLAPS = 8,
       SAMPLE_SENSITIVE = 5, SAMPLE_SETTINGS = 4, SAMPLE_DEDUP_SETTINGS = 2 };

struct sample {
    struct graph           graph;
    struct graph_dataset   dataset[SAMPLE_DATASETS];
    struct graph_shard     shard[SAMPLE_FILES];
    struct graph_split     split[SAMPLE_SPLITS];
    struct graph_reject    reject[SAMPLE_REJECTS];
    struct graph_skip      skip[SAMPLE_FILES - 1];
    struct reject          rejected[SAMPLE_REJECTS];
    struct graph_overlap   overlap[SAMPLE_OVERLAPS];
    struct graph_sensitive sensitive[SAMPLE_SENSITIVE];
    struct graph_rows      rows[2];                         /* of tables dedup and sensitive */
    struct graph_setting   setting[SAMPLE_SETTINGS + SAMPLE_DEDUP_SETTINGS];
    struct graph_document *document;
    struct graph_edge     *edge, *dedup_edge;
    uint32_t              *cluster, *dedup_cluster;
    struct graph_fate     *fate;
    struct pool            pool;
    uint64_t               random;
};

static inline uint64_t sample_random(struct sample *sample, uint64_t limit)  /* splitmix64 */
{
    uint64_t z = sample->random += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return (z ^ z >> 31) % limit;
}

/* SEED= of the environment, or one of the time; printed either way. */
static inline uint64_t sample_seed(void)
{
    const char *text = getenv("SEED");
    uint64_t    seed = text ? strtoull(text, NULL, 10) : (uint64_t)getpid() * 2654435761u;

    printf("seed=%llu\n", (unsigned long long)seed);
    return seed;
}

static inline struct slice sample_text(struct sample *sample, const char *format,
                                       ...) __attribute__((format(printf, 2, 3)));
static inline struct slice sample_text(struct sample *sample, const char *format, ...)
{
    char         text[512];
    struct slice copy;
    va_list      args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_int_equal(pool_copy(&sample->pool, slice_of(text), &copy), 0);
    return copy;
}

/* Names that a careless program breaks on: prefixes of each other, separators, escapes, NUL, bad UTF-8. */
static inline struct slice sample_split_name(size_t i)
{
    static const struct slice names[] = {
        { "train", 5 }, { "test", 4 }, { "", 0 }, { "t\te\nst", 6 }, { "a/b", 3 }, { "a", 1 }, { "a\\", 2 },
        { "\x1b[31m", 5 }, { "x\0y", 3 }, { "\xff|`<b>", 6 },
    };

    return names[i % (sizeof names / sizeof names[0])];
}

/* The graph has `documents` documents (at least 10) and about `edges` pairs. */
static inline void sample_open(struct sample *s, uint64_t seed, size_t documents, size_t edges)
{
    size_t    per = documents / 4, n = per * 4, count = 0, clusters = 0;
    uint32_t *parent = calloc(n, sizeof *parent);

    *s = (struct sample){ .random = seed };
    s->dataset[0] = (struct graph_dataset){ SLICE("codetrans"), SLICE("https://example.org/?a=1&b=2"), true, true };
    s->dataset[1] = (struct graph_dataset){ SLICE("code"), SLICE(""), true, true };
    s->dataset[2] = (struct graph_dataset){ SLICE("bigcode/stack"), SLICE(""), false, false };
    s->document = calloc(n, sizeof *s->document);
    s->edge = calloc(edges + 1, sizeof *s->edge);
    s->cluster = calloc(n, sizeof *s->cluster);
    assert_true(parent && s->document && s->edge && s->cluster);

    /* shards 0, 1 are splits of dataset 0; one each of 1 and 2 */
    for (size_t i = 0; i < SAMPLE_FILES; i++) {
        uint32_t     dataset = i < 2 ? 0 : (uint32_t)i - 1;
        struct slice name = dataset == 2 ? SLICE("") : sample_split_name(sample_random(s, 5) * 2 + i % 2);
        bool         bad = i == 1 || i == 3;

        s->shard[i] = (struct graph_shard){ .dataset = dataset, .split = name,
                                            .name = sample_text(s, "dir/shard-%zu.jsonl.zst", i), .bytes = 1000 + i,
                                            .mtime_ns = 1700000000000000000 + (int64_t)i,
                                            .xxh3 = 0xABCDEF0123456789 + i, .records = per + bad, .rejected = bad,
                                            .whole = 1, .skipped = i };
        s->split[i] = (struct graph_split){ .dataset = dataset, .split = name, .language = SLICE("java"),
                                            .documents = per, .admitted = per, .rejected = bad, .skipped = i,
                                            .bytes = 5000,
                                            .removed = -1, .removed_bytes = -1 };
        if (bad) {
            s->rejected[i / 2] = (struct reject){ .record = 3, .byte = 77, .records = 1, .bytes = 120,
                                                  .missing = i == 1 ? 0 : 100,
                                                  .reason = i == 1 ? REJECT_INVALID_JSON : REJECT_TRUNCATED,
                                                  .detail = "expected `}` but found |<",
                                                  .path_len = i == 1 ? 9 : 0 };
            graph_shard_add_reject(&s->shard[i], &s->rejected[i / 2]);
            s->reject[i / 2] = graph_reject_of(dataset, (uint32_t)i, &s->rejected[i / 2], "lost.java", 0);
        }
        if (i) s->skip[i - 1] = (struct graph_skip){ dataset, (uint32_t)i, skip_names[i], i };
    }
    for (size_t i = 0; i < n; i++) {
        const size_t shard = i / per, k = i % per;

        parent[i] = (uint32_t)i;
        s->document[i] = (struct graph_document){
            .dataset = s->shard[shard].dataset, .shard = (uint32_t)shard, .number = shard == 1 ? per + k : k,
                .record = k + (k >= 3 && s->shard[shard].rejected),
            .split = s->shard[shard].split, .language = SLICE("java"), .source_id = sample_text(s, "item-%zu", k),
            .path = shard % 2 ? sample_text(s, "src/`%zu`|<script>\x1b[2J.java", i) : (struct slice){ NULL, 0 },
            .repo = SLICE("someone/some_thing"), .license = SLICE("MIT"),
            .text = sample_text(s, "class C%zu {\n    int a = %zu;\n    // ```` <b> \x07 | end\n    int b;\n    int "
                                   "c;\n}\n", i / 3, i),
            .features = 40, .distinct = 20 + (uint32_t)sample_random(s, 20), .hash_low = sample_random(s, UINT64_MAX),
                .hash_high = i, .admitted = true,
        };
    }
    for (uint32_t a = 0; a + 1 < n && count < edges; a++) { /* sorted by (a, b) as it is made */
        for (uint32_t b = a + 1; b < n && count < edges; b += 1 + (uint32_t)sample_random(s, n)) {
            uint32_t kind = (uint32_t)sample_random(s, EDGE_KIND_COUNT), x = a, y = b;

            if (sample_random(s, 2)) continue;
            s->edge[count++] = kind == EDGE_EXACT ? (struct graph_edge){ a, b, kind, 20, 20, 40, 40 }
                                                  : (struct graph_edge){ a, b, kind,
                                                                         10 + (uint32_t)sample_random(s, 10), 20, 30,
                                                                             40 };
            if (kind != EDGE_EXACT && kind != EDGE_NEAR) continue;
            s->document[a].matches++;
            s->document[b].matches++;
            while (parent[x] != x) x = parent[x];
            while (parent[y] != y) y = parent[y];
            if (x < y) parent[y] = x;
            else parent[x] = y;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = i;

        while (parent[root] != root) root = parent[root];
        s->cluster[i] = s->document[i].matches ? root : GRAPH_NO_DOCUMENT;
        clusters += s->document[i].matches > 0;
    }
    for (size_t i = 0; i < SAMPLE_OVERLAPS; i++) {
        uint32_t source = i < 6 ? (uint32_t)i / 2 : 0, target = i < 6 ? (source + 1 + (uint32_t)i % 2) % 3 : 0;

        s->overlap[i] = (struct graph_overlap){ source, target, i < 6 ? SLICE("") : s->shard[i - 6].split, i < 6
                                                ? SLICE("") : s->shard[7 - i].split,
                                                SLICE(""), per * (source == 0 && i < 6 ? 2 : 1), per,
                                                    sample_random(s, per / 2), per / 2 + sample_random(s, per / 2), 1,
                                                        i % 2, source != 2 };
    }
    s->setting[0] = (struct graph_setting){ "version", SLICE("0.1.0") };
    s->setting[1] = (struct graph_setting){ "configuration",
                                            SLICE("output: results/demo\ndatasets:\n  - name: codetrans\n") };
    s->setting[2] = (struct graph_setting){ "configuration_hash", SLICE("0123456789abcdef") };
    s->setting[3] = (struct graph_setting){ "items", SLICE("stored") };
    s->graph = (struct graph){ .datasets = s->dataset, .dataset_count = SAMPLE_DATASETS, .shards = s->shard,
                               .shard_count = SAMPLE_FILES, .splits = s->split,
                               .split_count = SAMPLE_SPLITS, .skips = s->skip, .skip_count = SAMPLE_FILES - 1,
                               .rejects = s->reject, .reject_count = SAMPLE_REJECTS,
                                   .documents = s->document, .document_count = n,
                               .passes[PASS_NEAR] = { .edges = s->edge, .edge_count = count, .cluster = s->cluster,
                                                    .clustered = clusters }, .overlaps = s->overlap,
                                   .overlap_count = SAMPLE_OVERLAPS,
                               .settings = s->setting, .setting_count = SAMPLE_SETTINGS };
    free(parent);
}

static inline void sample_add_rows(struct sample *s, const struct graph_table *table, const void *rows, size_t count)
{
    s->rows[s->graph.row_count++] = (struct graph_rows){ .table = table, .rows = rows, .count = count };
    s->graph.rows = s->rows;
}

/* Adds pass dedup: documents in groups of one, two, three at random, one of each its canonical, the others removed
 * (some protected). */
static inline void sample_add_dedup(struct sample *s)
{
    enum { ALONE = UINT32_MAX };
    uint32_t  n = (uint32_t)s->graph.document_count, edges = 0, clusters = 0;
    uint32_t *group = calloc(n, sizeof *group), *best = calloc(n, sizeof *best), *size = calloc(n, sizeof *size),
        *first = calloc(n, sizeof *first);

    s->fate = calloc(n, sizeof *s->fate);
    s->dedup_edge = calloc(n, sizeof *s->dedup_edge);
    s->dedup_cluster = calloc(n, sizeof *s->dedup_cluster);
    assert_true(group && best && size && first && s->fate && s->dedup_edge && s->dedup_cluster);
    for (uint32_t i = 0; i < n; i++) {
        group[i] = sample_random(s, 8) ? (uint32_t)sample_random(s, n / 2) : ALONE;
        if (group[i] == ALONE) continue;
        if (size[group[i]]++ == 0 || sample_random(s, 2)) best[group[i]] = i;
    }
    for (uint32_t i = 0; i < SAMPLE_SPLITS; i++) s->split[i].removed = s->split[i].removed_bytes = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t g = group[i];

        s->dedup_cluster[i] = s->fate[i].canonical = GRAPH_NO_DOCUMENT;
        if (g == ALONE) continue;
        s->fate[i] = (struct graph_fate){ .canonical = best[g], .features = 50,
                                          .distinct = 25 + (uint32_t)sample_random(s, 20) };
        s->fate[i].size = size[g] & GRAPH_CLUSTER_MOST;
        s->fate[i].kept = best[g] == i || sample_random(s, 10) == 0;
        if (!s->fate[i].kept) {
            s->split[s->document[i].shard].removed++;
            s->split[s->document[i].shard].removed_bytes += 10;
        }
        if (size[g] < 2 || g % 5 == 0) continue;            /* alone, or copies */
        if (first[g] == 0) first[g] = i + 1;
        s->dedup_cluster[i] = first[g] - 1;
        clusters++;
    }
    for (uint32_t a = 0; a < n; a++) {                      /* sorted by (a, b) as it is made */
        for (uint32_t b = a + 1; b < n && group[a] != ALONE; b++) {
            if (group[a] != group[b] || (best[group[a]] != a && best[group[a]] != b)) continue;
            s->dedup_edge[edges++] = group[a] % 5 ? (struct graph_edge){ a, b, EDGE_NEAR, 20, 25, 30, 40 }
                : (struct graph_edge){ a, b, EDGE_COPY, 0, 0, 0, 0 };
        }
    }
    s->graph.fates = s->fate;
    sample_add_rows(s, &table_dedup, s->fate, n);
    s->graph.passes[PASS_DEDUP] = (struct graph_pass){ .edges = s->dedup_edge, .edge_count = edges,
                                                       .cluster = s->dedup_cluster, .clustered = clusters };
    s->setting[SAMPLE_SETTINGS] = (struct graph_setting){ "dedup.cluster", SLICE("star") };
    s->setting[SAMPLE_SETTINGS + 1] = (struct graph_setting){ "near.view", SLICE("identifiers") };
    s->graph.setting_count = SAMPLE_SETTINGS + SAMPLE_DEDUP_SETTINGS;
    free(group);
    free(best);
    free(size);
    free(first);
}

/* Adds sensitive strings of a benchmark and of the corpus, the latter not looked for. */
static inline void sample_add_sensitive(struct sample *s)
{
    static const struct slice kind[] = { { "email", 5 }, { "ip", 2 }, { "key", 3 } };

    for (uint32_t i = 0; i < SAMPLE_SENSITIVE; i++) {
        const bool     looked_for = i != SAMPLE_SENSITIVE - 1;
        const uint64_t documents = 1 + sample_random(s, 3), there = sample_random(s, 3);

        s->sensitive[i] = (struct graph_sensitive){
            .dataset = looked_for ? i / 3 : 2, .shard = looked_for ? i / 3 * 2 : 3, .kind = kind[i % 3],
                .pattern = i % 3 == 2 ? SLICE("aws") : SLICE(""),
            .masked = sample_text(s, "a\xE2\x80\xA6|<b> (%u)", 20 + i), .hash_low = sample_random(s, UINT64_MAX),
                .hash_high = i, .occurrences = documents + i, .documents = documents,
            .corpus_occurrences = looked_for ? (int64_t)there * 2 : -1, .corpus_documents = looked_for ? (int64_t)there
                : -1, .record = i, .byte = 7,
        };
    }
    sample_add_rows(s, &table_sensitive, s->sensitive, SAMPLE_SENSITIVE);
}

static inline void sample_close(struct sample *sample)
{
    free(sample->document);
    free(sample->edge);
    free(sample->cluster);
    free(sample->dedup_edge);
    free(sample->dedup_cluster);
    free(sample->fate);
    pool_free(&sample->pool);
}

/* A folder of the test's own, and the removal of what tests put into it. */
static inline void sample_folder(char path[64])
{
    snprintf(path, 64, "/tmp/leakgraph-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

static inline void sample_folder_remove(const char *path)
{
    static const char *const names[] = { "graph.db", "edges.tsv.zst", "report.md", "report.json",
                                         "report.html" };
    char                     name[128];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        unlink(name);
    }
    assert_int_equal(rmdir(path), 0);                       /* fails when a temporary file was left behind */
}

#endif
