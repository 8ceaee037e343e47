/* near/result.h -- what the stages found, read back from their units by rank 0: documents, classes, links. */
#ifndef LEAKGRAPH_NEAR_RESULT_H
#define LEAKGRAPH_NEAR_RESULT_H

#include "base/aside.h"
#include "pass/counts.h"
#include "near/near.h"

#define NO_CLASS UINT32_MAX

struct runs;

/* Of very many documents in a file: looked at in their order, by near_document_at. */
struct near_document {
    const struct near_row *row;                             /* of a streamed one: read by near_row_of */
    const char            *heap;                            /* base of the row's strings */
    uint64_t               number;                          /* id_within_dataset */
    uint32_t               dataset, shard, cell;
    bool                   admitted;
    bool                   aside;                           /* streamed: its row is in one of the result's pieces */
};

/* What is asked of a document in any order, in memory: its number, which ids take below 2^40 (graph/ids.h), its cell
 * and its features. */
struct near_brief { uint32_t number_low; unsigned number_high : 8, cell : 24; uint32_t total, distinct; };
_Static_assert(sizeof(struct near_brief) == 16, "tens of millions of them");

static inline struct near_brief near_brief_of(uint64_t number, uint32_t cell, uint32_t total, uint32_t distinct)
{
    return (struct near_brief){ (uint32_t)number, (unsigned)(number >> 32) & 0xFF, cell & 0xFFFFFF, total, distinct };
}

static inline uint64_t near_brief_number(const struct near_brief *brief)
{
    return (uint64_t)brief->number_high << 32 | brief->number_low;
}

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

/* What is kept of documents, many together: too many for memory as they may be. */
struct near_kept { struct bytes bytes; struct aside aside; };

struct near_result {
    /* [document_count] residents and matched ones, by (dataset, number); in `listed` */
    struct near_document *document;
    size_t                document_count;
    struct near_kept      listed;
    struct near_brief    *brief;                            /* [document_count] */
    /* [document_count] the class, NO_CLASS when not admitted; the one of documents equal but for white space, where it
     * has too few features for some pair, else NO_CLASS; equal numbers for documents of the same bytes.  near_build
     * gives them back, but class_of where the job keeps it */
    uint32_t             *class_of, *copy_of, *same;
    struct scan_counts    counts;
    struct near_lengths  *lengths;                          /* [dataset_count] of all documents */
    uint32_t              class_count, copy_class_count;
    /* two classes, seen from the first: each pair from both, sorted, each once; equal classes never (links.h).  link
     * NULL: there are none, or they are too many for memory */
    struct runs          *links;
    const struct near_link *link;
    size_t                link_count;
    struct near_residents residents;                        /* owns the memory that documents point into */
    /* so does this: [kept_count] rows of streamed ones and their strings */
    struct near_kept     *kept;
    size_t                kept_count, kept_room;
};

/* Rank 0, after the scan.  0, or <0 with err set. */
int  near_result_read(const struct near_job *job, struct near_result *out, struct err *err);
void near_result_free(struct near_result *result);

/* Who looks at documents leaves what is behind to the system's cache; zeroed at first. */
struct near_look { size_t kept, looks; };

enum { NEAR_LOOKS = 65536 };                                /* documents between two times that they are left */
void near_documents_leave(const struct near_result *result);

/* Document d of the result, for who goes through them in their order; valid as long as that is. */
static inline const struct near_document *near_document_at(const struct near_result *result, struct near_look *look,
                                                           size_t d)
{
    if (++look->looks % NEAR_LOOKS == 0) near_documents_leave(result);
    return &result->document[d];
}

/* Its row, likewise. */
const struct near_row *near_row_of(const struct near_result *result, struct near_look *look,
                                   const struct near_document *document);

/* From any thread, in any order. */
static inline uint32_t near_dataset_of(const struct near_result *result, uint32_t d)
{
    return result->counts.cell[result->brief[d].cell].dataset;
}

static inline struct slice near_string(const struct near_document *document, struct heap_string s)
{
    return heap_slice(document->heap, s);
}

#endif
