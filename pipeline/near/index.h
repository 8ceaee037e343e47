/* near/index.h -- the committed index of resident documents: dictionary, classes, postings.
 *
 * One file (a unit of kind "index") that every rank maps; the page cache shares it on a node and a resume uses it
 * again. All arrays point into the mapping. */
#ifndef LEAKGRAPH_NEAR_INDEX_H
#define LEAKGRAPH_NEAR_INDEX_H

#include "base/stage.h"
#include "near/near.h"
#include "view/dictionary.h"

/* the feature is the at-th of a class of size distinct features */
struct posting { uint32_t class_id, at, size; };

/* What a document's bytes are, and what was made of them: halves of hashes, which only tell what to count. */
struct index_text { uint64_t sketch, raw, copy, multiset; };

struct near_index {
    struct unit file;
    uint32_t    features, classes;
    uint32_t    least, corpora;                             /* features of a document; of two that are of corpora */
    uint32_t    largest;                                    /* distinct features of the largest class */
    /* Rank 0 is the rarest.  Its bitmap has the features of benchmarks' items that are not admitted too. */
    struct dictionary dictionary;
    /* Classes by size, then by hash. */
    const uint64_t *class_start;                            /* [classes + 1] into class_rank and class_times */
    const uint32_t *class_rank, *class_times;               /* ranks ascending; occurrences of each */
    const uint32_t *class_total;                            /* [classes] occurrences in all */
    const uint32_t *class_level;                            /* [classes] a pair needs so many features; 0: `least` */
    const uint8_t  *class_benchmark;                        /* [classes] a member is of a benchmark */
    const struct content_hash *class_hash;                  /* [classes] */
    /* Prefixes, by rank, then by class. */
    const uint64_t       *posting_start, *contain_start;    /* [features + 1] each */
    /* contain: benchmark classes' prefixes for the containment threshold */
    const struct posting *posting, *contain;
    /* Documents of benchmarks that are not admitted, by hash: sorted. */
    const struct content_hash *copy;
    size_t                     copies;
    const struct index_text   *text;                        /* of every document of a benchmark: sorted */
    size_t                     texts;
    uint64_t                  *text_filter;                 /* a bit of each sketch; in memory of its own */
    unsigned                   text_shift;
};

/* One resident document, as the builder wants it. */
struct index_document {
    const struct near_row *row;
    const uint64_t *hash;                                   /* [row->distinct] ascending */
    const uint32_t *times;                                  /* not admitted: unused */
    bool            benchmark, admitted;
    uint32_t        level;                                  /* minimums_level of its dataset */
};

/* Builds the index and commits it under the key.  0, or <0 with err set. */
int  near_index_build(struct stage *stage, struct unit_key key, const struct near_options *options,
                      const struct near_minimums *minimums,
                      const struct index_document *documents, size_t count, int threads, struct err *err);

/* Maps it: 1; 0 when there is none; <0 with err set. */
int  near_index_open(struct stage *stage, struct unit_key key, struct near_index *out, struct err *err);
void near_index_close(struct near_index *index);

/* May an item have the bytes of a text with this sketch?  Does one have its bytes, and none of those that do the same
 * language and features? */
bool near_index_has_text(const struct near_index *index, uint64_t sketch);
bool near_index_is_apart(const struct near_index *index, const struct index_text *text);

/* The key of a class in a table: documents of one multiset are of different classes where levels differ. */
static inline struct content_hash near_class_key(struct content_hash hash, uint32_t level)
{
    return (struct content_hash){ hash.low ^ level * 0x9E3779B97F4A7C15ull, hash.high };
}

#endif
