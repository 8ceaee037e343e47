/* graph/graph.h -- the finished duplicate graph in memory, and its one way to disk and back: graph.db.
 *
 * Everything here is borrowed from whoever built it; text is valid UTF-8 only after the store has made it so. */
#ifndef LEAKGRAPH_GRAPH_GRAPH_H
#define LEAKGRAPH_GRAPH_GRAPH_H

#include "base/err.h"
#include "base/slice.h"
#include "corpus/reject.h"

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
    uint64_t xxh3, records, rejected;
};
struct graph_split {
    uint32_t dataset;
    struct slice split, language;
    uint64_t documents, admitted, rejected, bytes, removed, removed_bytes;
    bool deduplicated;
};
struct graph_reject  { uint32_t shard; const struct reject *at; };

/* A stored document; index in the array + 1 is snippets.id.  Sorted by (dataset, number). */
struct graph_document {
    uint32_t     dataset, shard;
    uint64_t     number, record;                            /* id_within_dataset; record in its shard */
    /* source_id.at NULL: the record has none and is called shard:record */
    struct slice split, language, source_id, path, repo, license;
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

struct graph_cluster { uint32_t document, cluster; };       /* cluster: its smallest member; sorted by document */

struct graph_pass {
    const struct graph_edge *edges;
    size_t edge_count;
    const struct graph_cluster *clusters;
    size_t cluster_count;
};

/* What pass dedup made of a document: features are those of its own view.  size 0: the document has no row there. */
struct graph_fate { uint32_t canonical, size, features, distinct; bool kept; };

struct graph_overlap {                                      /* split '' (len 0): all; language '' : all */
    uint32_t     source, target;
    struct slice split, target_split, language;
    uint64_t     documents, admitted, direct, transitive, copies, contained;
    bool         complete;
};

/* A block of lines that the benchmarks share with the corpora (or repeat), where it stands, and how much of a
 * benchmark's document is in such. */
/* by fingerprint */
struct graph_clone {
    uint64_t fingerprint_low, fingerprint_high, small_count, corpus_count;
    struct slice text;
    uint32_t length;
};
/* by clone */
struct graph_clone_place { uint64_t record; uint32_t clone, dataset, shard, line; };
/* shared: above 0 */
struct graph_clone_document { uint64_t record, lines, shared; struct slice source_id, path; uint32_t dataset, shard; };
/* in the order of documents and lines */
struct graph_clone_span { uint64_t record; uint32_t dataset, shard, first, last; };

/* A field of a benchmark item, n-grams of one n against one corpus; sorted by (document, field as listed, corpus, n).
 * Columns as in schema.sql. */
struct graph_ngram {
    uint32_t     document, corpus, n;
    struct slice field;
    bool         is_short;
    uint32_t     words, ngrams, distinct, found_distinct, found, rare, covered, covered_rare, covered_once, longest_run;
    uint32_t     run_shard, run_at;                         /* run_shard UINT32_MAX: there is no run */
    uint64_t     run_record, documents, occurrences, max_frequency;
    int64_t      lcs, lcs_of;                               /* negative: NULL */
};

/* The published rules over the rows of one field and corpus; negative: NULL. */
struct graph_ngram_rule {
    uint32_t     document, corpus;
    struct slice field;
    int64_t      gpt3_13gram, palm_8gram, tulu3_8gram, exact_substring, windows50, qwen_lcs, windows, windows_found;
    double       llama3_8gram, idf_weighted;
};

/* One repository of a benchmark in one corpus; and in the same, under another name.  Both by (benchmark, repository,
 * corpus). */
struct graph_repository {
    uint32_t benchmark, corpus;
    struct slice repo;
    uint64_t documents, files, exact, near, elsewhere;
    bool by_name, by_content;
};
struct graph_repository_copy { uint32_t benchmark, corpus; struct slice repo, other; uint64_t exact, near; };

/* A model that was asked, the items it was asked about (negative: NULL), what came of each (by item, model, metric),
 * and why some is missing. */
struct graph_model {
    struct slice name, backend;
    int64_t context, vocabulary, parameters;
    uint64_t key_low, key_high;
};
struct graph_probe_item { uint32_t document; int64_t truth; };
struct graph_probe      { double value; struct slice metric; uint32_t document, model; };
struct graph_probe_gap  { struct slice metric, reason; uint64_t items; uint32_t model; };

/* An output of a model (prompt negative: NULL); a block of line clones that a model's outputs have; and all of them for
 * the first outputs of a model. */
struct graph_generation {
    uint64_t output;
    int64_t prompt;
    struct slice model;
    uint32_t tokens, dataset, shard;
    bool stopped;
};
struct graph_memorised    { struct slice model; uint64_t occurrences, outputs, first; uint32_t clone; };
struct graph_memorisation {
    double spearman, pearson;
    struct slice model;
    uint64_t outputs, blocks, occurrences, with_any;
    uint32_t tokens;
};

/* A sensitive string of a dataset: by dataset, kind and pattern; corpus_occurrences and corpus_documents negative:
 * NULL. */
struct graph_sensitive {
    uint32_t     dataset, shard;
    struct slice kind, pattern, masked;
    uint64_t     hash_low, hash_high, occurrences, documents, record, byte;
    int64_t      corpus_occurrences, corpus_documents;
};

/* What `clean` made of a split, and each document that it removed (lines empty) or shortened. */
struct graph_cleaned {
    struct slice output, kind, split;
    uint32_t dataset;
    uint64_t documents, bytes, removed, cut, spans, removed_bytes;
};
struct graph_cleaned_document {
    struct slice output, split, source_id, lines, why;
    uint64_t number, record, bytes;
    uint32_t dataset, shard;
};

struct graph_setting { const char *key; struct slice value; };

struct graph {
    const struct graph_dataset  *datasets;   size_t dataset_count;
    const struct graph_shard    *shards;     size_t shard_count;
    const struct graph_split    *splits;     size_t split_count;
    const struct graph_reject   *rejects;    size_t reject_count;
    /* documents NULL: make_document makes them one at a time */
    const struct graph_document *documents;  size_t document_count;
    /* empty: it did not run, or found nothing */
    struct graph_pass            passes[GRAPH_PASSES];
    /* [document_count]; NULL: pass dedup did not run */
    const struct graph_fate     *fates;
    const struct graph_overlap  *overlaps;   size_t overlap_count;
    const struct graph_clone    *clones;     size_t clone_count;            /* pass clones */
    const struct graph_clone_place *clone_places; size_t clone_place_count;
    const struct graph_clone_document *clone_documents; size_t clone_document_count;
    const struct graph_clone_span *clone_spans; size_t clone_span_count;
    const struct graph_ngram    *ngrams;     size_t ngram_count;            /* pass ngrams */
    const struct graph_ngram_rule *ngram_rules; size_t ngram_rule_count;
    const struct graph_repository *repositories; size_t repository_count;
    const struct graph_repository_copy *repository_copies; size_t repository_copy_count;
    const struct graph_model    *models;     size_t model_count;            /* pass probe */
    const struct graph_probe_item *probe_items; size_t probe_item_count;
    const struct graph_probe    *probes;     size_t probe_count;
    const struct graph_probe_gap *probe_gaps; size_t probe_gap_count;
    const struct graph_generation *generations; size_t generation_count;
    const struct graph_memorised *memorised; size_t memorised_count;
    const struct graph_memorisation *memorisation; size_t memorisation_count;
    const struct graph_sensitive *sensitive; size_t sensitive_count;
    const struct graph_cleaned  *cleaned;    size_t cleaned_count;
    const struct graph_cleaned_document *cleaned_documents; size_t cleaned_document_count;
    /* rows of run(key, value), digest not among them */
    const struct graph_setting  *settings;   size_t setting_count;
    /* cheap in ascending order */
    void                       (*make_document)(void *source, size_t document, struct graph_document *out);
    void                        *source;                                    /* of make_document */
};

/* Document i; *scratch is used where it has to be made.  Its strings outlive scratch. */
static inline const struct graph_document *graph_document_at(const struct graph *graph, size_t i,
                                                             struct graph_document *scratch)
{
    if (graph->documents) return &graph->documents[i];
    graph->make_document(graph->source, i, scratch);
    return scratch;
}

/* above it edges go to sorted .zst lists beside the database */
#define GRAPH_EDGE_LIMIT 50000000ull

/* xxh3-128, as 32 hex digits and NUL, over the sorted lines B|C|E|K|N|O|P|R|S of ARCHITECTURE.md, "Digest".  Neither
 * texts, paths, times nor the number of ranks are in it.  0 or -ENOMEM. */
int graph_digest(const struct graph *graph, char out[33], struct err *err);

/* Writes graph.db: built in a temporary folder ($TMPDIR or /tmp, the target's folder when there is no room) with the
 * journal off, copied beside `path`, synced and renamed.  settings plus the row `digest` go to table run. */
int graph_write(const struct graph *graph, const char *path, const char digest[33], struct err *err);

/* Recomputes the digest of a graph.db from its tables; 0, or <0 with err set. */
int graph_digest_file(const char *path, char out[33], struct err *err);

#endif
