/* graph/digest.c -- the run's digest: xxh3-128 over lines in byte order, without making or sorting the lines.
 *
 * Each line is a row of a table that has lines there (graph_table.digest), ended by LF: what the table's lines begin
 * with, then the columns that are flagged, in their order, separated by TAB; NULL is -.  A document is its name.  So
 *     B  clones  fingerprint  length  small_count  corpus_count   is a block of lines,
 *     K  dedup  DOCUMENT  CANONICAL  kept     what became of a document that is not alone in pass dedup.
 * Two kinds are told otherwise than their rows stand there, so that names of documents decide and not their numbers:
 *     C  pass  DOCUMENT  SMALLEST  a document that is in a cluster, and the cluster's smallest name
 *     E  pass  A  B  kind  shared  union  min_sum  max_sum    a pair, A < B by name
 * Names are those of names.h; languages and repositories are escaped as they are.
 *
 * The order of names is the order of lines, because no name holds a byte below TAB, and a name that another one starts
 * with comes first either way.  So names are sorted once and a document becomes its rank; pairs are put in the order of
 * (rank, rank) by two counting passes; then lines are made in order and hashed as they come. */
#define XXH_INLINE_ALL
#include "graph/digest.h"

#include "graph/load.h"
#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/tables.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* Passes in the order of their names' bytes. */
static const enum graph_pass_name digest_passes[GRAPH_PASSES] = { PASS_DEDUP, PASS_NEAR };

enum { DIGEST_BLOCK = 64 << 10, DIGEST_LINE_NUMBERS = 256 };

struct digest {
    const struct graph *graph;
    struct err         *err;                                /* of spilled pairs; else no memory is all there is */
    XXH3_state_t       *hash;
    struct graph_names  names;
    struct bytes        block;                              /* lines not yet hashed */
    atomic_bool         unwanted;                           /* nobody waits for it any more */
};

/* ---- lines ---- */

static void digest_flush(struct digest *digest)
{
    XXH3_128bits_update(digest->hash, digest->block.at, digest->block.len);
    digest->block.len = 0;
}

/* Room for a line with these names and all its other fields. */
static int digest_make_room(struct digest *digest, size_t names)
{
    if (digest->block.len + names + DIGEST_LINE_NUMBERS > DIGEST_BLOCK) digest_flush(digest);
    if (digest->unwanted) return -ECANCELED;
    return bytes_reserve(&digest->block, digest->block.len + names + DIGEST_LINE_NUMBERS);
}

static char *digest_put_slice(char *at, struct slice text)
{
    memcpy(at, text.at, text.len);
    return at + text.len;
}

/* By the document that a cluster is called after, the lowest rank in it.  That one may be no member, in a damaged
 * graph. */
static uint32_t *digest_label_clusters(const struct digest *digest, const uint32_t *cluster)
{
    const size_t n = digest->graph->document_count;
    uint32_t    *lowest = malloc((n + 1) * sizeof *lowest);

    if (!lowest) return NULL;
    memset(lowest, 0xFF, (n + 1) * sizeof *lowest);
    for (size_t i = 0; i < n; i++)
        if (cluster[i] != GRAPH_NO_DOCUMENT && digest->names.rank[i] < lowest[cluster[i]])
            lowest[cluster[i]] = digest->names.rank[i];
    return lowest;
}

static int digest_put_clusters(struct digest *digest, enum graph_pass_name which)
{
    const struct graph_pass *of = &digest->graph->passes[which];
    size_t                   n = digest->graph->document_count;
    const struct slice       pass = slice_of(graph_pass_names[which]);
    uint32_t                *lowest;
    int                      rc = 0;

    if (!of->clustered) return 0;
    lowest = digest_label_clusters(digest, of->cluster);
    if (!lowest) return -ENOMEM;
    for (uint32_t rank = 0; rank < n && rc == 0; rank++) {
        const uint32_t cluster = of->cluster[digest->names.document[rank]];
        char          *at;

        if (cluster == GRAPH_NO_DOCUMENT) continue;
        rc = digest_make_room(digest, pass.len + 2 * graph_names_most(&digest->names));
        if (rc < 0) break;
        at = digest_put_slice(digest->block.at + digest->block.len, SLICE("C\t"));
        at = digest_put_slice(at, pass);
        *at++ = '\t';
        at = graph_names_put(&digest->names, at, rank);
        *at++ = '\t';
        at = graph_names_put(&digest->names, at, lowest[cluster]);
        *at++ = '\n';
        digest->block.len = (size_t)(at - digest->block.at);
    }
    free(lowest);
    return rc;
}

/* The ranks of a pair in name order. */
static void digest_pair(const struct digest *digest, const struct graph_edge *edge, uint32_t pair[2])
{
    uint32_t a = digest->names.rank[edge->a], b = digest->names.rank[edge->b];

    pair[0] = a < b ? a : b;
    pair[1] = a < b ? b : a;
}

/* The order of pairs: indices of edges by the larger rank, then (stable) by the smaller one. */
static int digest_order_edges(const struct digest *digest, const struct graph_pass *pass, uint64_t **out)
{
    size_t              n = digest->graph->document_count, m = pass->edge_count;
    uint64_t           *order = malloc((m + 1) * sizeof *order), *other = malloc((m + 1) * sizeof *other);
    uint64_t           *place = malloc((n + 1) * sizeof *place);
    uint32_t            pair[2];

    *out = NULL;
    for (int side = 1; side >= 0 && order && other && place; side--) {
        uint64_t *to = side ? other : order;

        memset(place, 0, (n + 1) * sizeof *place);
        for (size_t i = 0; i < m; i++) {
            digest_pair(digest, &pass->edges[i], pair);
            place[pair[side] + 1]++;
        }
        for (size_t i = 1; i < n; i++) place[i] += place[i - 1];
        for (size_t i = 0; i < m; i++) {
            uint64_t edge = side ? i : other[i];

            digest_pair(digest, &pass->edges[edge], pair);
            to[place[pair[side]]++] = edge;
        }
    }
    if (order && other && place) *out = order;
    else free(order);
    free(other);
    free(place);
    return *out ? 0 : -ENOMEM;
}

/* The line of an edge whose names have these ranks. */
static int digest_put_edge(struct digest *digest, struct slice pass, const uint32_t pair[2],
                           const struct graph_edge *edge)
{
    const uint32_t     sums[] = { edge->shared, edge->union_size, edge->min_sum, edge->max_sum };
    char              *at;

    int rc = digest_make_room(digest, pass.len + 2 * graph_names_most(&digest->names));

    if (rc < 0) return rc;
    at = digest_put_slice(digest->block.at + digest->block.len, SLICE("E\t"));
    at = digest_put_slice(at, pass);
    *at++ = '\t';
    at = graph_names_put(&digest->names, at, pair[0]);
    *at++ = '\t';
    at = graph_names_put(&digest->names, at, pair[1]);
    *at++ = '\t';
    at = stpcpy(at, edge_kind_names[edge->kind]);
    for (int k = 0; k < 4; k++) {
        *at++ = '\t';
        at = graph_names_put_number(at, sums[k]);
    }
    *at++ = '\n';
    digest->block.len = (size_t)(at - digest->block.at);
    return 0;
}

/* Pairs that are too many for memory are put in the order of names as they were put in that of documents. */
static int digest_put_spilled(struct digest *digest, const struct graph_pass *of, struct slice pass)
{
    struct runs_options options = runs_options(of->runs);
    struct runs        *runs = NULL;
    struct runs_reader *reader = NULL;
    struct pairs        pairs = { 0 };
    struct graph_edge   edge;
    const void         *record;
    int                 rc;

    options.name = "digest";
    options.memory /= 2;                                    /* beside what is kept of documents */
    rc = runs_open(&runs, &options, digest->err);
    if (rc == 0) rc = pairs_open(&pairs, of, digest->err);
    while (rc == 0 && (rc = pairs_next(&pairs, &edge, digest->err)) > 0) {
        uint32_t pair[2];

        digest_pair(digest, &edge, pair);
        edge.a = pair[0];
        edge.b = pair[1];
        rc = digest->unwanted ? -ECANCELED : runs_add(runs, &edge, digest->err);
    }
    pairs_close(&pairs);
    if (rc == 0) rc = runs_end(runs, digest->err);
    if (rc == 0) rc = runs_read(runs, &reader, digest->err);
    while (rc == 0 && (rc = runs_next(reader, &record, digest->err)) > 0) {
        memcpy(&edge, record, sizeof edge);
        rc = digest_put_edge(digest, pass, (const uint32_t[]){ edge.a, edge.b }, &edge);
    }
    runs_reader_close(reader);
    runs_close(runs);
    return rc;
}

static int digest_put_edges(struct digest *digest, enum graph_pass_name which)
{
    const struct graph_pass *of = &digest->graph->passes[which];
    const struct slice       pass = slice_of(graph_pass_names[which]);
    uint64_t                *order;
    uint32_t                 pair[2];
    int                      rc;

    if (of->edge_count == 0) return 0;
    if (of->runs) return digest_put_spilled(digest, of, pass);
    rc = digest_order_edges(digest, of, &order);
    if (rc < 0) return rc;
    for (size_t i = 0; i < of->edge_count && rc == 0; i++) {
        const struct graph_edge *edge = &of->edges[order[i]];

        digest_pair(digest, edge, pair);
        rc = digest_put_edge(digest, pass, pair, edge);
    }
    free(order);
    return rc;
}

/* ---- lines that are as their rows ---- */

static int digest_put_hex(struct bytes *out, const uint64_t low[2])
{
    return bytes_printf(out, "%016llx%016llx", (unsigned long long)low[1], (unsigned long long)low[0]);
}

static int digest_put_maybe(struct bytes *out, int64_t number)
{
    return number < 0 ? bytes_append(out, "-", 1) : bytes_printf(out, "%lld", (long long)number);
}

static int digest_append_name(const struct digest *digest, uint32_t rank, struct bytes *out)
{
    if (bytes_reserve(out, out->len + graph_names_most(&digest->names)) < 0) return -ENOMEM;
    out->len = (size_t)(graph_names_put(&digest->names, out->at + out->len, rank) - out->at);
    return 0;
}

/* A field of row `number` (from 0). */
static int digest_put_field(const struct digest *digest, const struct graph_column *column, const char *row,
                            size_t number, struct bytes *out)
{
    const void *field = row + column->offset;

    switch (column->type) {
    case COLUMN_SNIPPET:  return digest_append_name(digest, digest->names.rank[number], out);
    case COLUMN_DOCUMENT: return digest_append_name(digest, digest->names.rank[*(const uint32_t *)field], out);
    case COLUMN_FLAG:     return bytes_append(out, *(const bool *)field ? "1" : "0", 1);
    case COLUMN_BIT31:    return bytes_append(out, *(const uint32_t *)field & GRAPH_BIT31 ? "1" : "0", 1);
    case COLUMN_U32:      return bytes_printf(out, "%u", *(const uint32_t *)field);
    case COLUMN_U64:      return bytes_printf(out, "%llu", (unsigned long long)*(const uint64_t *)field);
    case COLUMN_MAYBE:    return digest_put_maybe(out, *(const int64_t *)field);
    case COLUMN_TEXT:     return graph_names_escape(out, *(const struct slice *)field);
    case COLUMN_HEX128:   return digest_put_hex(out, field);
    case COLUMN_DATASET:  return graph_names_escape(out, digest->graph->datasets[*(const uint32_t *)field].name);
    default:              assert(false && "a column that can be in a line"); return 0;
    }
}

static int digest_put_line(const struct digest *digest, const struct graph_table *table, const char *row, size_t number,
                           struct bytes *out)
{
    int rc = bytes_append_slice(out, slice_of(table->digest));

    for (size_t c = 0; c < table->column_count && rc == 0; c++) {
        if (!(table->columns[c].flags & COLUMN_LINE)) continue;
        rc = bytes_append(out, "\t", 1);
        if (rc == 0) rc = digest_put_field(digest, &table->columns[c], row, number, out);
    }
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

/* Lines that come in their order: rows that stand so, and one a document in the order of names. */
static int digest_put_sorted(struct digest *digest, const struct graph_rows *of)
{
    const bool documents = of->table->flags & TABLE_DOCUMENTS;
    int        rc = 0;

    for (size_t i = 0; i < of->count && rc == 0; i++) {
        const size_t number = documents ? digest->names.document[i] : i;

        if (documents && !graph_row_is_there(of, number)) continue;
        rc = digest_put_line(digest, of->table, graph_row(of, number), number, &digest->block);
        if (digest->block.len > DIGEST_BLOCK) digest_flush(digest);
    }
    return rc;
}

static int digest_compare_lines(const void *left, const void *right)
{
    return slice_compare(*(const struct slice *)left, *(const struct slice *)right);
}

/* Lines that are few are made and sorted. */
static int digest_put_few(struct digest *digest, const struct graph_rows *of)
{
    size_t        n = of->count;
    struct slice *line = calloc(n + 1, sizeof *line);
    size_t       *end = calloc(n + 1, sizeof *end);
    struct bytes  text = { 0 };
    int           rc = line && end ? 0 : -ENOMEM;

    for (size_t i = 0; i < n && rc == 0; i++) {
        rc = digest_put_line(digest, of->table, graph_row(of, i), i, &text);
        end[i + 1] = text.len;
    }
    for (size_t i = 0; i < n && rc == 0; i++) line[i] = (struct slice){ text.at + end[i], end[i + 1] - end[i] };
    if (rc == 0) qsort(line, n, sizeof *line, digest_compare_lines);
    digest_flush(digest);
    for (size_t i = 0; i < n && rc == 0; i++) XXH3_128bits_update(digest->hash, line[i].at, line[i].len);
    bytes_free(&text);
    free(line);
    free(end);
    return rc;
}

/* ---- all of them ---- */

/* The lines of one table; of edges and clusters, those of all passes. */
static int digest_put_table(struct digest *digest, const struct graph_rows *of)
{
    int rc = 0;

    if (of->table == &table_clusters) {
        for (size_t i = 0; i < GRAPH_PASSES && rc == 0; i++) rc = digest_put_clusters(digest, digest_passes[i]);
    } else if (of->table == &table_edges) {
        for (size_t i = 0; i < GRAPH_PASSES && rc == 0; i++) rc = digest_put_edges(digest, digest_passes[i]);
    } else rc = of->table->flags & (TABLE_DOCUMENTS | TABLE_SORTED) ? digest_put_sorted(digest, of)
        : digest_put_few(digest, of);
    return rc;
}

static int digest_compare_tables(const void *left, const void *right)
{
    return strcmp(((const struct graph_rows *)left)->table->digest, ((const struct graph_rows *)right)->table->digest);
}

/* The tables in the order of what their lines begin with. */
static int digest_put_tables(struct digest *digest)
{
    const struct graph *graph = digest->graph;
    struct graph_rows  *of = calloc(graph->row_count + 3, sizeof *of);
    size_t              n = 0;
    int                 rc = of ? 0 : -ENOMEM;

    if (rc < 0) return rc;
    of[n++] = (struct graph_rows){ .table = &table_clusters };
    of[n++] = (struct graph_rows){ .table = &table_edges };
    of[n++] = (struct graph_rows){ .table = &table_overlap, .rows = graph->overlaps, .count = graph->overlap_count };
    for (size_t i = 0; i < graph->row_count; i++)
        if (graph->rows[i].table->digest && graph->rows[i].count) of[n++] = graph->rows[i];
    qsort(of, n, sizeof *of, digest_compare_tables);
    for (size_t i = 0; i < n && rc == 0; i++) rc = digest_put_table(digest, &of[i]);
    free(of);
    return rc;
}

struct digest_making {
    struct digest digest;
    struct err    err;
    char          text[33];
    int           rc;                                       /* of the lines */
    bool          threaded;
    pthread_t     thread;
};

static void *digest_lines(void *context)
{
    struct digest_making *making = context;
    struct digest        *digest = &making->digest;
    XXH128_hash_t         sum;

    making->rc = digest_put_tables(digest);
    if (making->rc < 0) return NULL;
    digest_flush(digest);
    sum = XXH3_128bits_digest(digest->hash);
    snprintf(making->text, sizeof making->text, "%016llx%016llx", (unsigned long long)sum.high64,
             (unsigned long long)sum.low64);
    return NULL;
}

static void making_free(struct digest_making *making)
{
    struct digest *digest = &making->digest;

    XXH3_freeState(digest->hash);
    bytes_free(&digest->block);
    graph_names_free(&digest->names);
    free(making);
}

static int digest_no_memory(const struct graph *graph, struct err *err)
{
    size_t edges = 0;

    for (size_t i = 0; i < GRAPH_PASSES; i++) edges += graph->passes[i].edge_count;
    return err_memory(err, edges * sizeof(uint64_t) * 2 + graph->document_count * 3 * sizeof(uint32_t),
                      "the graph's digest");
}

int digest_begin(const struct graph *graph, bool beside, struct digest_making **out, struct err *err)
{
    struct digest_making *making = calloc(1, sizeof *making);
    struct digest        *digest = making ? &making->digest : NULL;

    *out = NULL;
    if (!making) return digest_no_memory(graph, err);
    digest->graph = graph;
    digest->err = &making->err;
    digest->hash = XXH3_createState();
    if (!digest->hash || bytes_reserve(&digest->block, DIGEST_BLOCK) < 0 ||
        graph_names_open(&digest->names, graph) < 0) {
        making_free(making);
        return digest_no_memory(graph, err);
    }
    XXH3_128bits_reset(digest->hash);
    making->threaded = beside && pthread_create(&making->thread, NULL, digest_lines, making) == 0;
    *out = making;
    return 0;
}

int digest_end(struct digest_making *making, char out[33], struct err *err)
{
    int rc;

    if (!making) return 0;
    if (!out) making->digest.unwanted = true;
    if (making->threaded) pthread_join(making->thread, NULL);
    else if (out) digest_lines(making);
    rc = making->rc;
    if (out && rc == 0) memcpy(out, making->text, sizeof making->text);
    else if (rc < 0 && making->err.code) *err = making->err;
    else if (rc < 0) digest_no_memory(making->digest.graph, err);
    making_free(making);
    return rc;
}

int graph_digest(const struct graph *graph, char out[33], struct err *err)
{
    struct digest_making *making;
    int                   rc = digest_begin(graph, false, &making, err);

    out[0] = 0;
    return rc < 0 ? rc : digest_end(making, out, err);
}

int graph_digest_file(const char *path, const struct graph_table *const *tables, char out[33], struct err *err)
{
    struct graph_copy copy;
    int               rc = graph_load(&copy, path, tables, err);

    if (rc == 0) rc = graph_digest(&copy.graph, out, err);
    graph_copy_free(&copy);
    return rc;
}
