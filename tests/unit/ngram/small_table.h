/* tests/unit/ngram/small_table.h -- the table of a benchmark's n-grams, of a run of one process. */
#ifndef LEAKGRAPH_TESTS_UNIT_NGRAM_SMALL_TABLE_H
#define LEAKGRAPH_TESTS_UNIT_NGRAM_SMALL_TABLE_H

#include "ngram/index.h"
#include "ngram/task.h"
#include "tests/unit/small_run.h"

static struct small_run   small;
static struct ngram_job   job;
static struct ngram_index made;

/* A run that has these items, and its job; both: as one that tells both cases. */
static inline void job_open(const char *items, const char *settings, bool both)
{
    char yaml[512];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, language: java, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [b.jsonl]}\n"
                                "ngrams: {%s}\n", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", items);
    small_start(&small, yaml);
    job = (struct ngram_job){ .run = &small.run, .options = &ngram_task(&small.config)->options, .fold = both,
                              .both = both };
}

static inline void table_open(const char *items, const char *settings, bool both)
{
    struct pass pass = { .run = &small.run };
    struct err  err = { 0 };

    job_open(items, settings, both);
    assert_int_equal(ngram_index_open(small.stage, ngram_index_key(&job), &made, &err), 0);
    if (pass_add(&pass, ngram_collector(&job), &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0 ||
        ngram_index_build(&job, ngram_index_key(&job), &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(ngram_index_open(small.stage, ngram_index_key(&job), &made, &err), 1);
}

static inline void table_close(void)
{
    ngram_index_close(&made);
    assert_null(made.entry);
    small_close(&small);
}

#endif
