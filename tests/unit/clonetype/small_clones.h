/* tests/unit/clonetype/small_clones.h -- functions of an item or two, and a corpus of a file that has clones. */
#ifndef LEAKGRAPH_TESTS_UNIT_CLONETYPE_SMALL_CLONES_H
#define LEAKGRAPH_TESTS_UNIT_CLONETYPE_SMALL_CLONES_H

#include "clonetype/index.h"
#include "clonetype/task.h"
#include "kernels/kernels.h"
#include "tests/unit/small_run.h"

static struct small_run      small;
static struct clonetype_job *job;

#define TEXT(text) "{\"language\": \"python\", \"text\": \"" text "\"}\n"

/* The first has six statements, h is too short for type 3, the last item no function. */
static const char small_items[] =
    TEXT("import os\\ndef f(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    k(e)\\n    return "
         "e\\n")
    TEXT("def h(a):\\n    return a.b(a, 1) + a\\n\\n\\ndef i(a, b):\\n    return a\\n")
    TEXT("x = 1\\n");

/* f as it stands but for a comment, in a class; renamed one to one; renamed in any way; with a statement more.  h is
 * renamed one to one. */
static const char small_corpus[] =
    "{\"language\": \"python\", \"id\": \"m\", \"path\": \"p.py\", \"repo\": \"o/r\", \"license\": \"mit\", \"text\": "
    "\"class K:\\n  def f(a, b): # why\\n    c = a + b\\n    d = g(c, 1)\\n    e = [d]\\n    k(e)\\n    return e\\n"
    "def q(x, y):\\n    c = x + y\\n    d = r(c, 2)\\n    e = [d]\\n    s(e)\\n    return e\\n\"}\n"
    TEXT("def q(a, b):\\n    c = a + a\\n    d = g(c, 2)\\n    e = [d]\\n    k(e)\\n    return e\\n"
         "def z(a, b):\\n    c = a + b\\n    d = g(c, 1)\\n    for i in c: d += i\\n    e = [d]\\n    k(e)\\n    "
         "return e\\n")
    TEXT("def o(p):\\n    return p.q(p, 7) + p\\n");

/* The corpus past the index. */
static inline void clones_open(const char *settings, const char *items, const char *corpus)
{
    struct pass pass = { 0 };
    struct err  err = { 0 };
    char        yaml[512];

    kernels = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    snprintf(yaml, sizeof yaml, "datasets:\n"
                                "  - {name: bench, role: benchmark, files: [b.jsonl]}\n"
                                "  - {name: code, role: corpus, files: [c.jsonl]}\n"
                                "clones: {min_tokens: 12%s%s}\n", *settings ? ", " : "", settings);
    small_open(&small);
    small_write(&small, "b.jsonl", items);
    small_write(&small, "c.jsonl", corpus);
    small_start(&small, yaml);
    pass.run = &small.run;
    job = &clonetype_task(&small.config)->job;
    *job = (struct clonetype_job){ .run = &small.run, .options = &clonetype_task(&small.config)->options };
    if (clonetype_prepare(job, &err) < 0 || pass_add(&pass, clonetype_searcher(job), &err) < 0 ||
        pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
}

static inline void clones_close(void)
{
    clonetype_release(job);
    assert_null(job->index);
    clonetype_release(job);
    small_close(&small);
}

#endif
