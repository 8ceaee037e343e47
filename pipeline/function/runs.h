/* function/runs.h -- finding the short items of benchmarks by the run of their features.
 *
 * A function that is an item but for its white space has the item's features in their order: a few comparisons for each
 * feature of a document, where its text is not looked at. */
#ifndef LEAKGRAPH_FUNCTION_RUNS_H
#define LEAKGRAPH_FUNCTION_RUNS_H

#include "base/err.h"
#include "view/view.h"

#include <stdbool.h>

/* An item: its first features, and how many of them these are.  Without one it is nowhere. */
enum { SHORT_RUN = 8 };
struct short_run { uint64_t feature[SHORT_RUN], count; };
_Static_assert(sizeof(struct short_run) == 72, "unit format");

struct short_run short_run_of(struct feature_list features);

struct short_runs;

/* Of count items, `stride` bytes apart, which are copied.  0, or -ENOMEM with err set. */
int  short_runs_make(struct short_runs **out, const struct short_run *run, size_t count, size_t stride,
                     struct err *err);
void short_runs_free(struct short_runs *runs);              /* accepts NULL */

/* Does one of the runs stand in the features?  Threads may ask at once. */
bool short_runs_in(const struct short_runs *runs, struct feature_list features);

#endif
