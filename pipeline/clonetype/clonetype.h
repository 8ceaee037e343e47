/* clonetype/clonetype.h -- functions of benchmarks that corpora have as clones, by the types that research tells.
 *
 * Functions of the benchmarks' items are collected and indexed; each function of the streamed corpora is looked up in
 * the same pass.  Types 1, 2c and 2 are equal forms (view/forms.h), found by hash.  Type 3 is a dissimilarity
 * 1 - LCS / max(m, n) of at most `dissimilarity`, of the m and n statements (or tokens) of the two blind forms.  A
 * pair has the strictest of the types asked for.
 *
 * Candidates of type 3 are complete: a common subsequence is a common multiset, so two functions that are clones share
 * an element among the first n - ceil(t n) + 1 of each in any common order (t = 1 - dissimilarity; prefix filter,
 * Chaudhuri et al. 2006), the rarest first here.  Every candidate's LCS is then computed; of functions beyond the
 * limits of base/lcs.h, type 3 is not told.
 *
 * Source: Roy & Cordy 2008, NICAD: Accurate detection of near-miss intentional clones; its measure, its threshold. */
#ifndef LEAKGRAPH_CLONETYPE_CLONETYPE_H
#define LEAKGRAPH_CLONETYPE_CLONETYPE_H

#include "base/ratio.h"
#include "pass/pass.h"
#include "pass/run.h"
#include "view/forms.h"

/* The strictest first. */
enum clone_type { CLONE_TYPE_1, CLONE_TYPE_2C, CLONE_TYPE_2, CLONE_TYPE_3, CLONE_TYPES };
extern const char *const clone_type_names[CLONE_TYPES];     /* "1", "2c", "2", "3" */

/* Functions of the benchmarks that are looked for: all; or those that have half of their item's tokens or more, in
 * corpora that near compares in functions too. */
enum clonetype_of { OF_FUNCTIONS, OF_ITEMS };

struct clonetype_options {
    bool         type[CLONE_TYPES];                         /* those that are looked for */
    struct ratio dissimilarity;                             /* of type 3 */
    uint32_t     min_tokens;                                /* of a function that is compared */
    uint32_t     min_names, min_repeated;                   /* its names, keywords aside; those that it has twice */
    uint32_t     min_lines;                                 /* statements of one that is compared for type 3 */
    int          of;                                        /* enum clonetype_of */
    int          unit;                                      /* enum form_items */
    uint32_t     max_matches;                               /* pairs of an item with a corpus that are kept */
};

struct clonetype_job {
    const struct run               *run;
    const struct clonetype_options *options;
    const bool                     *within;                 /* [datasets] corpora of clones.within; NULL: none */
    struct pass_totals              totals;                 /* out, summed over ranks */
    struct clonetype_index         *index;                  /* from clonetype_prepare to clonetype_release */
    /* the pass's features are the names in their order, and nothing is looked for that other names can be */
    bool                            by_names;
};

/* Is there a benchmark, and a corpus whose functions are compared with it? */
bool clonetype_between(const struct clonetype_job *job);
/* Is it one of those corpora? */
bool clonetype_searches(const struct clonetype_job *job, const struct dataset *dataset);

/* Collects the functions of the benchmarks, resuming what is committed, and indexes them.  Collective.  Whatever it
 * returns, clonetype_release ends it. */
int  clonetype_prepare(struct clonetype_job *job, struct err *err);
void clonetype_release(struct clonetype_job *job);

/* Scanners: of functions in benchmarks; of their clones in corpora, which needs clonetype_prepare, also to find its
 * units. */
struct pass_scanner clonetype_collector(const struct clonetype_job *job);
struct pass_scanner clonetype_searcher(const struct clonetype_job *job);

/* A function and where it is; names are in the part's heap. */
struct function_span { uint32_t at, end, line, line_end; struct heap_string name, class_name; };
_Static_assert(sizeof(struct function_span) == 32, "unit format");

/* A function of a benchmark, in PART_ROWS of the collector; its items of type 3 are in PART_VALUES, and their lines in
 * PART_COUNTS, at the same places; names: uint32_t in PART_PATHS (view/forms.h), where they
 * are asked for (by_names). */
struct item_lines { uint32_t line, line_end; };
_Static_assert(sizeof(struct item_lines) == 8, "unit format");
struct fragment_row {
    uint64_t             record;
    struct content_hash  exact, consistent, blind, inside;
    uint64_t             item_at;
    uint32_t             items;                             /* 0 where it is too short for type 3 */
    uint32_t             main;                              /* 1: it has half of its item's tokens or more */
    uint64_t             name_at;
    uint32_t             names, language;                   /* language: clonetype_language of the item's */
    struct function_span span;
};
_Static_assert(sizeof(struct fragment_row) == 136, "unit format");

/* One bit of 32, by the language's name: what is asked of many documents before all else. */
uint32_t clonetype_language(const struct view_language *language);

/* A function that is a clone of a class's fragments (clonetype/index.h), in PART_ROWS of the searcher, by the first of
 * them.  Those of types 1 and 2 have all its items in common; of those of type 3 common of `whole` items are a common
 * subsequence, in items [item, item_end) of the fragment, and in these lines of the clone. */
struct clonetype_row {
    uint64_t             record;
    struct content_hash  exact, consistent;                 /* of the clone */
    uint32_t             fragment, loosest, items, common, whole, item, item_end, spare;
    struct item_lines    aligned;
    struct function_span span;
    struct heap_string   source_id, path, repo, license;
};
_Static_assert(sizeof(struct clonetype_row) == 144, "unit format");

#endif
