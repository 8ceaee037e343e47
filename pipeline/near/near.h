/* near/near.h -- the near-duplicate join: every pair above the thresholds, exactly.
 *
 * Benchmarks, and corpora with self_join, are resident: their documents are collected, joined with each other in memory
 * and (the benchmarks) indexed.  All other corpora are streamed past that index once.
 *
 * Exact by construction: two sets with Jaccard >= t share a feature among the first n - ceil(t n) + 1 of each in any
 * common order (prefix filter; Bayardo et al., WWW 2007; Xiao et al., WWW 2008, with length and position filters).  The
 * order is rarest first.  Every candidate is then intersected and decided in integers. */
#ifndef LEAKGRAPH_NEAR_NEAR_H
#define LEAKGRAPH_NEAR_NEAR_H

#include "base/comm.h"
#include "base/ratio.h"
#include "base/stage.h"
#include "near/minimum.h"
#include "pass/pass.h"
#include "pass/run.h"
#include "view/view.h"

/* containment_threshold: auto.  A benchmark item with so many distinct features and more is inside a document of a
 * corpus that has 93 % of them, and of their occurrences; docs/definitions.md says how often that is by chance. */
#define CONTAINMENT_AUTO ((struct ratio){ 93, 100 })
#define CONTAINMENT_DISTINCT 8

#define PASSAGES_AUTO ((struct ratio){ 4, 5 })              /* passages: auto; docs/definitions.md says why */

struct near_options {
    struct view_options view;
    struct ratio set_threshold, multiset_threshold;         /* >=, both must hold */
    struct ratio containment_threshold, report_floor;       /* den 0: off */
    bool         containment_auto;                          /* the threshold is CONTAINMENT_AUTO, by its rules */
    /* of an item's runs, in a document that it stands in (passage/passage.h); den 0: off */
    struct ratio passages;
    uint32_t     passage_run, passage_least;                /* features of a run; runs of an item that is looked for */
    uint32_t     min_tokens;                                /* occurrences of the view's features; 0: by minimum.h */
    uint64_t     max_matches;                               /* edges kept per benchmark item, best first */
    /* for `leakgraph query`: table run names the index, snippets their classes */
    bool         keep_index;
    bool         renamed;                                   /* functions with other names are looked for: clonetype */
    bool         pairs_all;                                 /* off: a star inside classes of more than 1,000 */
};

/* What the units hold of a document; its strings are in the part's heap. */
struct near_row {
    uint64_t            record;
    struct content_hash raw, squeezed;                      /* of the text's bytes; of those that are no white space */
    uint64_t            class_low, class_high;              /* hash of the feature multiset; 0, 0: not made */
    uint64_t            copy_low, copy_high;                /* of `squeezed` and the language; 0, 0: none is sought */
    uint64_t            sketch;                             /* content_sketch of the text, of resident documents */
    uint64_t            value_at;                           /* first of its values in PART_VALUES: features or links */
    uint32_t            value_count, total, distinct;       /* total: occurrences of features */
    uint32_t            group, license_from, spare;         /* license_from: enum licence_source */
    struct heap_string  source_id, path, repo, license, holders, text, tokens;
};
_Static_assert(sizeof(struct near_row) == 168, "unit format");

/* What holds of two classes.  Whether a pair of their documents is contained depends on which of them is a benchmark
 * item, so that is decided pair by pair; a similar pair is never anything else. */
enum near_mark {
    NEAR_SIMILAR       = 1,                                 /* both thresholds reached */
    /* enough of the first's features are in the second, and a benchmark item is of the first */
    NEAR_FIRST_INSIDE  = 2,
    NEAR_SECOND_INSIDE = 4,
    NEAR_ABOVE_FLOOR   = 8,                                 /* report_floor reached by both similarities */
    NEAR_INSIDE        = NEAR_FIRST_INSIDE | NEAR_SECOND_INSIDE,
};

/* A pair of classes (documents with the same multiset are one class), or of a streamed document (first) and a class. */
struct near_link { uint32_t first, second, marks, shared, union_size, min_sum, max_sum; };
_Static_assert(sizeof(struct near_link) == 28, "unit format");

enum near_stage { NEAR_COLLECT, NEAR_INDEX, NEAR_JOIN, NEAR_SCAN, NEAR_STAGES };

struct near_index;

/* Everything that the join needs to know and that its results depend on. */
struct near_job {
    const struct run *run;
    const struct near_options *options;
    struct near_index        *benchmarks;                   /* from near_prepare to near_release */
    struct near_minimums      minimums;                     /* from near_prepare on; freed with the task */
    struct pass_totals        totals;                       /* out, summed over ranks */
    double                    seconds[NEAR_STAGES];         /* out, wall time of each stage on this rank */
    bool                      keep_classes;                 /* somebody asks for the result's class_of at last */
};

/* Runs the stages collect, index and join, resuming what is committed, and maps the index for the scan.  Collective.
 * Whatever it returns, near_release ends it. */
int  near_prepare(struct near_job *job, struct err *err);
void near_release(struct near_job *job);

/* The scanner of streamed corpora: needs near_prepare to run, and to find its units where min_tokens is chosen. */
struct pass_scanner near_scanner(const struct near_job *job);

/* Least distinct features of an item that may be inside a document. */
static inline uint64_t near_inside_least(const struct near_options *o)
{
    return o->containment_auto ? CONTAINMENT_DISTINCT : 0;
}

/* Is an item of so many features inside a document with which it shares so many, occurrences counted in sum and total?
 * Items of other benchmarks are no such documents under auto: see near_inside_between. */
static inline bool near_is_inside(const struct near_options *o, uint64_t shared, uint64_t distinct, uint64_t sum,
                                  uint64_t total)
{
    if (!o->containment_threshold.den || !ratio_reached(o->containment_threshold, shared, distinct)) return false;
    return !o->containment_auto ||
        (distinct >= CONTAINMENT_DISTINCT && ratio_reached(o->containment_threshold, sum, total));
}

/* May an item be inside an item? */
static inline bool near_inside_between(const struct near_options *o) { return !o->containment_auto; }

/* The link seen from its other side. */
static inline struct near_link near_link_turned(struct near_link link)
{
    struct near_link turned = link;

    turned.first = link.second;
    turned.second = link.first;
    turned.marks = (link.marks & ~(uint32_t)NEAR_INSIDE) | (link.marks & NEAR_FIRST_INSIDE ? NEAR_SECOND_INSIDE : 0u) |
                   (link.marks & NEAR_SECOND_INSIDE ? NEAR_FIRST_INSIDE : 0u);
    return turned;
}

/* Documents of the dataset are compared from so many features on. */
static inline uint32_t near_admits(const struct near_job *job, uint32_t dataset)
{
    return job->minimums.admits ? job->minimums.admits[dataset] : job->options->min_tokens;
}

static inline bool near_is_admitted(const struct near_job *job, uint32_t dataset, uint32_t total)
{
    return total > 0 && total >= near_admits(job, dataset);
}

static inline bool near_resident(const struct dataset *dataset)
{
    return dataset->role == ROLE_BENCHMARK || dataset->self_join;
}

/* A corpus that is compared in functions, or may be when items are some. */
static inline bool near_in_functions(const struct dataset *dataset)
{
    return !near_resident(dataset) && dataset->unit != UNIT_FILE;
}

#endif
