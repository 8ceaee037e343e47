/* graph/edges.c -- see edges.h. */
#include "graph/edges.h"

#include "base/file.h"
#include "graph/ids.h"
#include "graph/names.h"
#include "graph/pairs.h"
#include "graph/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

const char *const edge_kind_names[EDGE_KIND_COUNT] = { "exact", "near", "contained", "below", "copy" };

const char *const graph_pass_names[GRAPH_PASSES] = { "near", "dedup" };

enum { EDGES_LINE_MAX = 512, EDGES_BLOCK = 1 << 20 };

uint32_t edge_kind_of(struct slice name)
{
    uint32_t kind = 0;

    while (kind < EDGE_KIND_COUNT && !slice_equal(name, slice_of(edge_kind_names[kind]))) kind++;
    return kind;
}

uint32_t edge_pass_of(struct slice name)
{
    uint32_t pass = 0;

    while (pass < GRAPH_PASSES && !slice_equal(name, slice_of(graph_pass_names[pass]))) pass++;
    return pass;
}

static double edges_share(uint32_t part, uint32_t whole) { return whole ? (double)part / (double)whole : 0; }

/* Distinct features of a document in the view of the pass. */
static uint32_t edges_distinct(const struct graph *graph, enum graph_pass_name pass, uint32_t document)
{
    if (pass == PASS_DEDUP) return graph->fates ? graph->fates[document].distinct : 0;
    return graph_distinct_at(graph, document);
}

struct edge_scores edge_score(const struct graph *graph, enum graph_pass_name pass, const struct graph_edge *edge)
{
    if (edge->kind == EDGE_EXACT || edge->kind == EDGE_COPY) return (struct edge_scores){ 1, 1, 1, 1 };
    return (struct edge_scores){
        edges_share(edge->shared, edge->union_size),
        edges_share(edge->min_sum, edge->max_sum),
        edges_share(edge->shared, edges_distinct(graph, pass, edge->a)),
        edges_share(edge->shared, edges_distinct(graph, pass, edge->b)),
    };
}

int edge_list_add(struct edge_list *list, const struct graph_edge *edge)
{
    if (list->count == list->room) {
        size_t             room = list->room ? list->room * 2 : 4096;
        struct graph_edge *at = room > SIZE_MAX / sizeof *at ? NULL : realloc(list->at, room * sizeof *at);

        if (!at) return -ENOMEM;
        list->at = at;
        list->room = room;
    }
    list->at[list->count++] = *edge;
    return 0;
}

void edge_list_free(struct edge_list *list)
{
    free(list->at);
    *list = (struct edge_list){ 0 };
}

/* The first line: the columns of table edges. */
static int edges_put_header(struct bytes *out)
{
    int rc = 0;

    for (size_t c = 0; c < table_edges.column_count && rc == 0; c++)
        rc = bytes_printf(out, "%s%c", table_edges.columns[c].name, c + 1 < table_edges.column_count ? '\t' : '\n');
    return rc;
}

/* ---- writing ---- */

struct edges_sink { ZSTD_CCtx *zstd; struct bytes packed; int file; const char *name; };

/* Compresses a block; with ZSTD_e_end also the stream's end. */
static int edges_pack(struct edges_sink *sink, struct slice block, ZSTD_EndDirective end, struct err *err)
{
    ZSTD_inBuffer in = { block.at, block.len, 0 };
    size_t        left;

    do {
        ZSTD_outBuffer out = { sink->packed.at, sink->packed.room, 0 };
        int            rc;

        left = ZSTD_compressStream2(sink->zstd, &out, &in, end);
        if (ZSTD_isError(left))
            return err_set(err, -EIO, "%s: cannot compress: %s", sink->name, ZSTD_getErrorName(left));
        rc = file_write_all(sink->file, sink->name, sink->packed.at, out.pos, err);
        if (rc < 0) return rc;
    } while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return 0;
}

/* A score from 0 to 1; a score of a damaged graph may be larger, so it is cut. */
static char *edges_put_score(char *at, double score)
{
    uint64_t scaled = (uint64_t)((score > 9 ? 9 : score) * 1e9 + 0.5);
    uint64_t rest = scaled % 1000000000;

    *at++ = (char)('0' + scaled / 1000000000);
    *at++ = '.';
    for (uint64_t unit = 100000000; unit; unit /= 10) *at++ = (char)('0' + rest / unit % 10);
    return at;
}

static char *edges_put_line(char *at, const struct graph *graph, enum graph_pass_name pass,
                            const struct graph_edge *edge)
{
    const struct edge_scores score = edge_score(graph, pass, edge);
    const uint32_t           sums[] = { edge->shared, edge->union_size, edge->min_sum, edge->max_sum };
    const double             scores[] = { score.set, score.multiset, score.containment_a, score.containment_b };

    at = stpcpy(at, graph_pass_names[pass]);
    *at++ = '\t';
    at = graph_names_put_number(at, graph_id_at(graph, edge->a));
    *at++ = '\t';
    at = graph_names_put_number(at, graph_id_at(graph, edge->b));
    *at++ = '\t';
    at = stpcpy(at, edge_kind_names[edge->kind]);
    for (int i = 0; i < 4; i++) {
        *at++ = '\t';
        at = graph_names_put_number(at, sums[i]);
    }
    for (int i = 0; i < 4; i++) {
        *at++ = '\t';
        at = edges_put_score(at, scores[i]);
    }
    *at++ = '\n';
    return at;
}

/* The lines of a pass. */
static int edges_put_pass(struct edges_sink *sink, struct bytes *block, const struct graph *graph,
                          enum graph_pass_name pass, struct err *err)
{
    struct pairs      pairs;
    struct graph_edge edge;
    int               rc = pairs_open(&pairs, &graph->passes[pass], err);

    while (rc == 0 && (rc = pairs_next(&pairs, &edge, err)) > 0) {
        rc = 0;
        if (block->len > EDGES_BLOCK - EDGES_LINE_MAX) {
            rc = edges_pack(sink, bytes_slice(block), ZSTD_e_continue, err);
            block->len = 0;
        }
        block->len = (size_t)(edges_put_line(block->at + block->len, graph, pass, &edge) - block->at);
    }
    pairs_close(&pairs);
    return rc;
}

int edges_write(const struct graph *graph, int file, const char *name, struct err *err)
{
    struct edges_sink sink = { .zstd = ZSTD_createCCtx(), .file = file, .name = name };
    struct bytes      block = { 0 };
    int               rc;

    if (!sink.zstd || bytes_reserve(&sink.packed, ZSTD_CStreamOutSize()) < 0 ||
        bytes_reserve(&block, EDGES_BLOCK) < 0 || edges_put_header(&block) < 0) {
        rc = err_memory(err, EDGES_BLOCK, "a list of edges");
        goto done;
    }
    ZSTD_CCtx_setParameter(sink.zstd, ZSTD_c_checksumFlag, 1);
    rc = 0;
    for (enum graph_pass_name pass = 0; pass < GRAPH_PASSES && rc == 0; pass++)
        rc = edges_put_pass(&sink, &block, graph, pass, err);
    if (rc == 0) rc = edges_pack(&sink, bytes_slice(&block), ZSTD_e_end, err);
done:
    ZSTD_freeCCtx(sink.zstd);
    bytes_free(&sink.packed);
    bytes_free(&block);
    return rc;
}

/* ---- reading ---- */

/* One field up to TAB or the line's end; false when there is none left. */
static bool edges_take_field(struct slice *line, struct slice *field)
{
    const char *tab = line->at ? memchr(line->at, '\t', line->len) : NULL;

    if (!line->at) return false;
    *field = (struct slice){ line->at, tab ? (size_t)(tab - line->at) : line->len };
    *line = tab ? (struct slice){ tab + 1, line->len - field->len - 1 } : (struct slice){ NULL, 0 };
    return true;
}

static bool edges_take_long(struct slice *line, uint64_t *value)
{
    struct slice field;

    *value = 0;
    if (!edges_take_field(line, &field) || field.len == 0 || field.len > 19) return false;  /* 20 digits overflow */
    for (size_t i = 0; i < field.len; i++) {
        if (field.at[i] < '0' || field.at[i] > '9') return false;
        *value = *value * 10 + (uint64_t)(field.at[i] - '0');
    }
    return true;
}

static bool edges_take_number(struct slice *line, uint32_t *value)
{
    uint64_t number;

    if (!edges_take_long(line, &number)) return false;
    *value = (uint32_t)number;
    return number <= UINT32_MAX;
}

/* *value: the document before it, on entry. */
static bool edges_take_document(struct slice *line, const struct graph *graph, uint32_t *value)
{
    uint64_t id;

    return edges_take_long(line, &id) && graph_id_find(graph, id, value);
}

/* The scores are functions of the integers and are not read. */
static bool edges_parse_line(struct slice line, const struct graph *graph, struct graph_edge *edge, uint32_t *pass)
{
    struct slice name, kind;

    if (!edges_take_field(&line, &name) || (*pass = edge_pass_of(name)) == GRAPH_PASSES) return false;
    if (!edges_take_document(&line, graph, &edge->a) || !edges_take_document(&line, graph, &edge->b)) return false;
    if (edge->a >= edge->b) return false;
    if (!edges_take_field(&line, &kind) || (edge->kind = edge_kind_of(kind)) == EDGE_KIND_COUNT) return false;
    return edges_take_number(&line, &edge->shared) && edges_take_number(&line, &edge->union_size) &&
           edges_take_number(&line, &edge->min_sum) && edges_take_number(&line, &edge->max_sum);
}

/* Takes the whole lines at the start of text; what is left of the last one moves to the front. */
static int edges_take_lines(struct bytes *text, struct slice header, size_t *line_number, const struct graph *graph,
                            struct edge_list *lists, const char *path, struct err *err)
{
    struct graph_edge edge = { 0 };
    size_t            at = 0;

    for (;;) {
        const char  *end = memchr(text->at + at, '\n', text->len - at);
        struct slice line = { text->at + at, end ? (size_t)(end - text->at) - at : 0 };
        uint32_t     pass;

        if (!end) break;
        at += line.len + 1;
        ++*line_number;
        if (*line_number == 1) {
            if (!slice_equal(line, (struct slice){ header.at, header.len - 1 }))
                return err_set(err, -EBADMSG, "%s:1: not a list of edges", path);
            continue;
        }
        if (!edges_parse_line(line, graph, &edge, &pass))
            return err_set(err, -EBADMSG, "%s:%zu: not an edge of this graph", path, *line_number);
        if (edge_list_add(&lists[pass], &edge) < 0) return err_memory(err, lists[pass].count * sizeof edge, "edges");
    }
    if (text->len - at > EDGES_LINE_MAX) return err_set(err, -EBADMSG, "%s:%zu: line too long", path, *line_number + 1);
    memmove(text->at, text->at + at, text->len - at);
    text->len -= at;
    return 0;
}

int edges_read(const char *path, const struct graph *graph, struct edge_list out[GRAPH_PASSES], struct err *err)
{
    FILE        *file = file_stream(path, "rbe");
    ZSTD_DCtx   *zstd = ZSTD_createDCtx();
    struct bytes packed = { 0 }, text = { 0 }, header = { 0 };
    size_t       line = 0, left = 1;
    int          rc = 0;

    if (!file) {
        rc = err_set(err, -errno, "%s: %s", path, strerror(errno));
        goto done;
    }
    if (!zstd || bytes_reserve(&packed, ZSTD_DStreamInSize()) < 0 ||
        bytes_reserve(&text, EDGES_BLOCK + EDGES_LINE_MAX) < 0 || edges_put_header(&header) < 0) {
        rc = err_memory(err, EDGES_BLOCK, "a list of edges");
        goto done;
    }
    while (rc == 0) {
        ZSTD_inBuffer in = { packed.at, fread(packed.at, 1, packed.room, file), 0 };

        bool          full = false;                         /* more may wait inside the decoder */

        if (in.size == 0) break;
        while (rc == 0 && (in.pos < in.size || full)) {
            ZSTD_outBuffer to = { text.at, text.room, text.len };

            left = ZSTD_decompressStream(zstd, &to, &in);
            if (ZSTD_isError(left)) {
                rc = err_set(err, -EBADMSG, "%s:%zu: %s", path, line + 1, ZSTD_getErrorName(left));
                break;
            }
            text.len = to.pos;
            full = to.pos == to.size;
            rc = edges_take_lines(&text, bytes_slice(&header), &line, graph, out, path, err);
        }
    }
    if (rc == 0 && ferror(file)) rc = err_set(err, -EIO, "%s: cannot read", path);
    if (rc == 0 && (left != 0 || text.len != 0 || line == 0))
        rc = err_set(err, -EBADMSG, "%s:%zu: cut off", path, line + 1);
done:
    if (file) fclose(file);
    ZSTD_freeDCtx(zstd);
    bytes_free(&header);
    bytes_free(&packed);
    bytes_free(&text);
    return rc;
}
