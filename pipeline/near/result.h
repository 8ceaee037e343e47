/* near/result.h -- what the stages found, read back from their units by rank 0: documents, classes, links. */
#ifndef LEAKGRAPH_NEAR_RESULT_H
#define LEAKGRAPH_NEAR_RESULT_H

#include "pass/counts.h"
#include "near/near.h"

#define NO_CLASS UINT32_MAX

struct runs;

struct near_document {
    const struct near_row *row;
    const char            *heap;                            /* base of the row's strings */
    /* residents: features, [row->distinct], and their occurrences */
    const uint64_t        *hash;
    const uint32_t        *times;
    uint64_t               number;                          /* id_within_dataset */
    uint32_t               dataset, shard, cell;
    uint32_t               class_id;                        /* NO_CLASS when not admitted */
    /* of documents equal but for white space, where it has too few features for some pair; else NO_CLASS */
    uint32_t               copy_class;
    bool                   admitted;
};

/* Resident documents in the contract's order. */
struct near_residents { struct near_document *document; size_t count; struct pass_units units; };
int  near_residents_read(const struct near_job *job, struct near_residents *out, struct err *err);
void near_residents_free(struct near_residents *residents);

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
    void                **block;                            /* so does this */
    size_t                block_count;
};

/* Rank 0, after the scan.  0, or <0 with err set. */
int  near_result_read(const struct near_job *job, struct near_result *out, struct err *err);
void near_result_free(struct near_result *result);

static inline struct slice near_string(const struct near_document *document, struct heap_string s)
{
    return heap_slice(document->heap, s);
}

#endif
