/* tests/unit/function/small_functions.h -- items that are functions, and a corpus of one file that has some. */
#ifndef LEAKGRAPH_TESTS_UNIT_FUNCTION_SMALL_FUNCTIONS_H
#define LEAKGRAPH_TESTS_UNIT_FUNCTION_SMALL_FUNCTIONS_H

#include "function/function.h"
#include "tests/unit/near/small_join.h"

#define PYTHON(text) "{\"language\": \"python\", \"text\": \"" text "\"}\n"

static const char small_items[] =
    PYTHON("def f(a):\\n    b = a + c\\n    return d(b)")       /* as it stands in the file */
    PYTHON("def f(a):\\n  return d(b)\\n")
    PYTHON("def q(r): return s(t, u, v)");

static const char small_file[] =
    PYTHON("import x\\nclass K:\\n    def f(a):\\n        b = a + c\\n        return d(b)\\n"
           "    def g(h): return i(j, k, l)\\n"
           "def f(a):\\n    b = a + c\\n    return d(b)\\n")
    PYTHON("def f(a):\\n    b = a + c\\n    return d(b)");      /* the file is the function */

static struct function_job functions_job;

/* The pass over the corpus with both scanners, where function_prepare says so. */
static inline void functions_join(enum dataset_unit unit, const char *items)
{
    struct pass pass;
    struct err  err = { 0 };

    small_join("view: identifiers", items, NULL, small_file);
    small.config.datasets[1].unit = unit;
    small_prepare();
    functions_job = (struct function_job){ .run = &small.run, .near = job };
    if (function_prepare(&functions_job, &err) < 0) fail_msg("%s", err.text);
    pass = near_pass(job);
    if (pass_add(&pass, near_scanner(job), &err) < 0 ||
        (function_any(&functions_job) && pass_add(&pass, function_scanner(&functions_job), &err) < 0) ||
        pass_stream(&pass, small.shards.count, &err) < 0) fail_msg("%s", err.text);
}

static inline void functions_end(void)
{
    function_release(&functions_job);
    small_end();
}

#endif
