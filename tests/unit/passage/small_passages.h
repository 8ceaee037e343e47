/* tests/unit/passage/small_passages.h -- items of words, and a corpus that some of them stand in; runs of three words.
 * */
#ifndef LEAKGRAPH_TESTS_UNIT_PASSAGE_SMALL_PASSAGES_H
#define LEAKGRAPH_TESTS_UNIT_PASSAGE_SMALL_PASSAGES_H

#include "passage/index.h"
#include "tests/unit/near/small_join.h"

static struct passage_job passages_job;

static inline void passages_open(const char *settings, const char *items, const char *corpus)
{
    struct err err = { 0 };

    small_join(settings, items, NULL, corpus);
    small_prepare();
    passages_job = (struct passage_job){ .run = &small.run, .near = job };
    if (passage_prepare(&passages_job, &err) < 0) fail_msg("%s", err.text);
}

static inline void passages_scan(void)
{
    struct pass pass = near_pass(job);
    struct err  err = { 0 };

    if (pass_add(&pass, passage_scanner(&passages_job), &err) < 0 ||
        pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
}

static inline void passages_end(void)
{
    passage_release(&passages_job);
    assert_null(passages_job.index);
    passage_release(&passages_job);
    small_end();
}

#define PASSAGE_TEXT(text) "{\"language\": \"python\", \"text\": \"" text "\"}\n"
#define PASSAGE_SETTINGS "view: identifiers, passages: 0.75, passage_run: 3, passage_least: 4"

#endif
