/* graph/graph.h -- the finished duplicate graph in memory, and its one way to disk and back: graph.db.
 *
 * Everything here is borrowed from whoever built it; text is valid UTF-8 only after the store has made it so. */
#ifndef LEAKGRAPH_GRAPH_GRAPH_H
#define LEAKGRAPH_GRAPH_GRAPH_H

#include "base/err.h"
#include "base/slice.h"
#include "corpus/reject.h"
#include "graph/table.h"

#include <stdbool.h>
#include <stdint.h>

enum edge_kind { EDGE_EXACT, EDGE_NEAR, EDGE_CONTAINED, EDGE_BELOW, EDGE_COPY, EDGE_KIND_COUNT };
extern const char *const edge_kind_names[EDGE_KIND_COUNT];  /* "exact", "near", "contained", "below", "copy" */

/* The joins that a graph holds, each with pairs and clusters of its own over the same documents. */
enum graph_pass_name { PASS_NEAR, PASS_DEDUP, GRAPH_PASSES };
extern const char *const graph_pass_names[GRAPH_PASSES];    /* "near", "dedup" */

enum graph_store { STORE_NONE, STORE_TEXT, STORE_TOKENS };

struct graph_dataset { struct slice name, url; bool benchmark; bool self_join; };
struct graph_shard {
    uint32_t dataset;
    struct slice split, name;
    uint64_t bytes;
    int64_t mtime_ns;
    uint64_t xxh3, records, rejected, skipped;
    /* what rejects cost: bytes of the file, of which it lacks some, and decoded bytes of records */
    uint64_t lost, missing, rejected_bytes;
    int64_t whole;                                          /* 1: read to its end; negative: not read */
};
struct graph_split {
    uint32_t dataset;
    struct slice split, language;
    uint64_t documents, admitted, rejected, skipped, bytes;
    int64_t removed, removed_bytes;                         /* negative: pass dedup did not come here */
};
struct graph_skip   { uint32_t dataset, shard; const char *reason; uint64_t files; };       /* by (shard, reason) */
struct graph_reject {
    uint32_t dataset, shard;
    uint64_t record, byte, records, bytes, missing;
    struct slice reason, detail, path;
};

/* A stored document; snippets.id follows from dataset and number (ids.h).  Sorted by (dataset, number). */
struct graph_document {
    uint32_t     dataset, shard;
    uint64_t     number, record;                            /* id_within_dataset; record in its shard */
    /* source_id.at NULL: the record has none and is called shard:record */
    struct slice split, language, source_id, path, repo, license;
    struct slice license_class, license_from, holders;      /* license_from: who says it; empty: nobody */
    struct slice text, tokens;                              /* at NULL: not stored; tokens is JSON */
    /* of the view: occurrences, distinct; of pass near where it has the document */
    uint32_t     features, distinct;
    /* documents it has an exact or near pair with, all counted; of pass near when it ran */
    uint64_t     matches;
    uint64_t     hash_low, hash_high;                       /* xxh3-128 of the raw text */
    uint64_t     squeezed_low, squeezed_high;               /* of the text without its white space; 0, 0: not known */
    uint64_t     class_low, class_high;                     /* of the multiset of its features; 0, 0: not kept */
    bool         admitted;                                  /* features >= min_tokens */
};

/* a < b, indices of documents; sorted by (a, b), one row a pair. */
struct graph_edge { uint32_t a, b, kind, shared, union_size, min_sum, max_sum; };

struct runs;

struct graph_pass {
    const struct graph_edge *edges;                         /* NULL: in runs */
    size_t edge_count;
    /* [document_count] the smallest document of its cluster; GRAPH_NO_DOCUMENT: it is in none.  NULL: there are
     * no clusters */
    const uint32_t *cluster;
    size_t clustered;                                       /* documents in clusters */
    struct runs    *runs;                                   /* pairs too many for memory: pairs.h */
    const uint32_t *place;
};

/* What pass dedup made of a document: features are those of its own view.  canonical GRAPH_NO_DOCUMENT: it has no row
 * there. */
struct graph_fate {
    uint32_t canonical;
    union { uint32_t size_kept; struct { uint32_t size : 31, kept : 1; }; };
    uint32_t features, distinct;
};
#define GRAPH_CLUSTER_MOST INT32_MAX                        /* documents of a cluster */
_Static_assert(sizeof(struct graph_fate) == 16, "there may be many millions");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "size is the low bits of size_kept");

struct graph_overlap {                                      /* split '' (len 0): all; language '' : all */
    uint32_t     source, target;
    struct slice split, target_split, language;
    uint64_t     documents, admitted, direct, transitive, copies, contained;
    bool         complete;
};

struct graph_setting { const char *key; struct slice value; };

/* What a gate of fail_on found of one thing. */
struct graph_gate {
    const char  *gate, *outcome;
    struct slice source, target;
    double       percent, allowed;
    uint64_t     compared, whole, documents, bytes;
    struct slice clause, doubt;
};

struct sqlite3;
struct contents;                                            /* graph/contents.h */

struct graph {
    const struct graph_dataset  *datasets;   size_t dataset_count;
    const struct graph_shard    *shards;     size_t shard_count;
    const struct graph_split    *splits;     size_t split_count;
    const struct graph_skip     *skips;      size_t skip_count;
    const struct graph_reject   *rejects;    size_t reject_count;
    /* documents NULL: make_document makes them one at a time */
    const struct graph_document *documents;  size_t document_count;
    /* empty: it did not run, or found nothing */
    struct graph_pass            passes[GRAPH_PASSES];
    /* [document_count]; NULL: pass dedup did not run */
    const struct graph_fate     *fates;
    const struct graph_overlap  *overlaps;   size_t overlap_count;
    const struct graph_rows     *rows;       size_t row_count;              /* of the capabilities' tables */
    /* rows of run(key, value), digest not among them */
    const struct graph_setting  *settings;   size_t setting_count;
    /* cheap in ascending order */
    void                       (*make_document)(void *source, size_t document, struct graph_document *out);
    /* cheap in any order, and from any thread, while another one makes documents; document_distinct: features of the
     * document that are distinct, as make_document gives them */
    uint64_t                   (*document_id)(void *source, size_t document);
    uint32_t                   (*document_distinct)(void *source, size_t document);
    void                        *source;                                    /* of the three */
    /* Asks the database when all rows and indices are in, and may add rows to it; given: what its tables were given so
     * far.  NULL: nobody does.  0 or <0. */
    int                        (*ask)(void *asking, struct sqlite3 *db, struct contents *given, struct err *err);
    void                        *asking;
};

/* Document i; *scratch is used where it has to be made.  Its strings outlive scratch. */
static inline const struct graph_document *graph_document_at(const struct graph *graph, size_t i,
                                                             struct graph_document *scratch)
{
    if (graph->documents) return &graph->documents[i];
    graph->make_document(graph->source, i, scratch);
    return scratch;
}

/* Its distinct features. */
static inline uint32_t graph_distinct_at(const struct graph *graph, size_t i)
{
    return graph->documents ? graph->documents[i].distinct : graph->document_distinct(graph->source, i);
}

/* above it edges go to sorted .zst lists beside the database */
#define GRAPH_EDGE_LIMIT 50000000ull

static inline bool graph_edges_aside(const struct graph *graph, uint64_t limit)
{
    return graph->passes[PASS_NEAR].edge_count + graph->passes[PASS_DEDUP].edge_count > limit;
}

/* The rows of a capability's table; none when it is not among them. */
static inline struct graph_rows graph_rows_of(const struct graph *graph, const struct graph_table *table)
{
    for (size_t i = 0; i < graph->row_count; i++)
        if (graph->rows[i].table == table) return graph->rows[i];
    return (struct graph_rows){ .table = table };
}

/* The row of a record that could not be used; points into it, and to its path, at `path_at` of paths. */
static inline struct graph_reject graph_reject_of(uint32_t dataset, uint32_t shard, const struct reject *at,
                                                  const char *paths, size_t path_at)
{
    return (struct graph_reject){ dataset, shard, at->record, at->byte, at->records, at->bytes, at->missing,
                                  slice_of(reject_names[at->reason]), slice_of(at->detail),
                                  { at->path_len ? paths + path_at : NULL, at->path_len } };
}

/* A shard that was read, before its rejects are added: the hash is not 0 even of no bytes. */
static inline int64_t graph_shard_is_read(uint64_t xxh3) { return xxh3 ? 1 : -1; }

/* Takes into the shard's row what a reject costs it. */
static inline void graph_shard_add_reject(struct graph_shard *shard, const struct reject *at)
{
    if (!reject_is_damage(at->reason)) {
        shard->rejected_bytes += at->bytes;
        return;
    }
    shard->lost += at->bytes;
    shard->missing += at->missing;
    shard->whole = 0;
}

/* Where capabilities' tables are asked for, an array of descriptions that ends with NULL; those that every graph has
 * are not among them. */

/* xxh3-128, as 32 hex digits and NUL, over the sorted lines that ARCHITECTURE.md tells of, "Digest": one for each row
 * of a table that has lines there.  Neither texts, paths, times nor the number of ranks are in it.  0 or -ENOMEM. */
int graph_digest(const struct graph *graph, char out[33], struct err *err);

/* Writes graph.db: built in a temporary folder ($TMPDIR or /tmp, the target's folder when there is no room) with the
 * journal off, copied beside `path`, synced and renamed.  settings plus the row `digest` go to table run.  digest:
 * where it is empty, it is made, and given, while the tables are filled; by another thread when threads are more than
 * one. */
int graph_write(const struct graph *graph, const struct graph_table *const *tables, const char *path, char digest[33],
                int threads, struct err *err);

/* Recomputes the digest of a graph.db from its tables; 0, or <0 with err set. */
int graph_digest_file(const char *path, const struct graph_table *const *tables, char out[33], struct err *err);

#endif
