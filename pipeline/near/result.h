/* near/result.h -- what the stages found, read back from their units by rank 0: documents, classes, links. */
#ifndef LEAKGRAPH_NEAR_RESULT_H
#define LEAKGRAPH_NEAR_RESULT_H

#include "base/aside.h"
#include "pass/counts.h"
#include "near/near.h"

#define NO_CLASS UINT32_MAX

struct runs;

struct near_document {
    const struct near_row *row;                             /* of a streamed one: read by near_row_of */
    const char            *heap;                            /* base of the row's strings */
    uint64_t               number;                          /* id_within_dataset */
    struct content_hash    raw;                             /* as the row has them: these are asked for in any order */
    uint32_t               total, distinct;
    uint32_t               dataset, shard, cell;
    uint32_t               class_id;                        /* NO_CLASS when not admitted */
    /* of documents equal but for white space, where it has too few features for some pair; else NO_CLASS */
    uint32_t               copy_class;
    bool                   admitted;
    bool                   aside;                           /* its row is in one of the result's pieces */
};

/* Features of a resident document, [row->distinct], and their occurrences. */
struct near_features { const uint64_t *hash; const uint32_t *times; };

/* Resident documents in the contract's order; features: of each. */
struct near_residents {
    struct near_document *document;
    struct near_features *features;
    size_t                count;
    struct pass_units     units;
};
int  near_residents_read(const struct near_job *job, struct near_residents *out, struct err *err);
void near_residents_free(struct near_residents *residents);

/* Rows of streamed documents and their strings, many together: too many for memory as they may be. */
struct near_kept { struct bytes bytes; struct aside aside; };

struct near_result {
    /* [document_count] residents and matched ones, by (dataset, number) */
    struct near_document *document;
    size_t                document_count;
    struct scan_counts    counts;
    struct near_lengths  *lengths;                          /* [dataset_count] of all documents */
    uint32_t              class_count, copy_class_count;
    /* two classes, seen from the first: each pair from both, sorted, each once; equal classes never (links.h).  link
     * NULL: there are none, or they are too many for memory */
    struct runs          *links;
    const struct near_link *link;
    size_t                link_count;
    struct near_residents residents;                        /* owns the memory that documents point into */
    struct near_kept     *kept;                             /* so does this: [kept_count] rows of streamed ones */
    size_t                kept_count, kept_room;
};

/* Rank 0, after the scan.  0, or <0 with err set. */
int  near_result_read(const struct near_job *job, struct near_result *out, struct err *err);
void near_result_free(struct near_result *result);

/* Who looks at the rows of documents in their order leaves what is behind to the system's cache; zeroed at first. */
struct near_look { size_t kept; };

/* The row of a document of the result; valid as long as that is. */
const struct near_row *near_row_of(const struct near_result *result, struct near_look *look,
                                   const struct near_document *document);

static inline struct slice near_string(const struct near_document *document, struct heap_string s)
{
    return heap_slice(document->heap, s);
}

#endif
