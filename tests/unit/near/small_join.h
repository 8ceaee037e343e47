/* tests/unit/near/small_join.h -- a join of a few texts, words being their features. */
#ifndef LEAKGRAPH_TESTS_UNIT_NEAR_SMALL_JOIN_H
#define LEAKGRAPH_TESTS_UNIT_NEAR_SMALL_JOIN_H

#include "kernels/kernels.h"
#include "near/stages.h"
#include "near/task.h"
#include "tests/unit/small_run.h"

#include <errno.h>

static struct small_run small;
static struct near_job *job;

/* bench is a benchmark, own a corpus with self_join, code one that is streamed; settings without a view
 * have shingles:1. */
static inline void small_join(const char *settings, const char *bench, const char *own, const char *code)
{
    char yaml[1024];

    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "%s"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "near_duplicates: {%smin_tokens: 3, %s}\n",
             own ? "  - {name: own, role: corpus, self_join: exact, files: [o.jsonl]}\n" : "",
             strstr(settings, "view:") ? "" : "view: \"shingles:1\", ", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", bench);
    if (own) small_write(&small, "o.jsonl", own);
    small_write(&small, "c.jsonl", code);
    small_start(&small, yaml);
    job = &near_task(&small.config)->job;
    *job = (struct near_job){ .run = &small.run, .options = &near_task(&small.config)->options };
}

static inline void small_prepare(void)
{
    struct err err = { 0 };

    if (near_prepare(job, &err) < 0) fail_msg("%s", err.text);
}

/* The streamed corpora past the index. */
static inline void small_scan(void)
{
    struct pass pass = near_pass(job);
    struct err  err = { 0 };

    if (pass_add(&pass, near_scanner(job), &err) < 0 || pass_stream(&pass, small.shards.count, &err) < 0)
        fail_msg("%s", err.text);
}

/* The only unit of a shard, which has one part at most. */
static inline const struct near_row *small_rows(struct pass_scanner scanner, uint32_t shard, struct pass_unit *unit,
                                                size_t *count)
{
    struct err   err = { 0 };
    struct slice rows;

    assert_int_equal(pass_unit_load(&small.run, &scanner, shard, 0, unit, &err), 1);
    assert_int_equal(unit->header->parts, 1);
    rows = pass_unit_section(unit, 0, PART_ROWS);
    *count = rows.len / sizeof(struct near_row);
    return (const void *)rows.at;
}

static inline bool small_string_is(const struct pass_unit *unit, struct heap_string s, const char *expected)
{
    if (s.len == NO_STRING) return !expected;
    return expected && slice_equal((struct slice){ pass_unit_section(unit, 0, PART_HEAP).at + s.at, s.len },
                                   slice_of(expected));
}

static inline void small_end(void)
{
    near_release(job);
    assert_null(job->benchmarks);
    near_release(job);
    small_close(&small);
}

#define SMALL_KERNELS() (kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS")))

#endif
