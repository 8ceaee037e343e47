/* export/format_graph.c -- documents as nodes and what ties them as edges: GraphML (graphml.graphdrawing.org) for
 * networkx and igraph, GEXF 1.2 (gexf.net) for Gephi.
 *
 * A node has the fields of its document, an edge the columns of the thing that are of neither side, with types. */
#include "export/format.h"
#include "export/xml.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const type_names[] = { [EXPORT_TEXT] = "string", [EXPORT_INTEGER] = "long",
                                          [EXPORT_REAL] = "double", [EXPORT_FLAG] = "boolean" };

static int flush(struct export_writer *writer, int rc, struct err *err)
{
    return rc < 0 ? err_memory(err, writer->sink->buffer.len, "a graph") : export_sink_flush(writer->sink, false, err);
}

/* Is the column one of the fields of a node of that side? */
static bool names_node(const char *column, const char *prefix)
{
    const size_t len = strlen(prefix);

    for (size_t f = 0; f < NODE_FIELDS && strncmp(column, prefix, len) == 0; f++)
        if (strcmp(column + len, export_node_fields[f]) == 0) return true;
    return false;
}

static bool is_edge_column(const struct export_writer *writer, size_t c)
{
    const char *name = export_column_at(writer, c)->name;

    return !names_node(name, writer->thing->from) && !names_node(name, writer->thing->to);
}

static bool is_told(const struct export_column *column, const struct export_value *value)
{
    return !value->null && (column->type != EXPORT_REAL || isfinite(value->real));
}

static int put_value(struct bytes *out, const struct export_column *column, const struct export_value *value)
{
    switch (column->type) {
    case EXPORT_TEXT: return xml_append(out, value->text);
    case EXPORT_REAL: return export_append_real(out, value->real);
    case EXPORT_FLAG: return bytes_printf(out, value->number ? "true" : "false");
    case EXPORT_INTEGER: break;
    }
    return export_append_integer(out, value->number);
}

/* `NAME="dataset:shard:record"`, which names the node of a side.  1; 0: the row has no such side. */
static int put_end(struct export_writer *writer, const struct export_value *value, const char *prefix,
                   const char *name)
{
    const struct export_value *dataset = export_side(writer, value, prefix, "dataset"),
                              *shard = export_side(writer, value, prefix, "shard"),
                              *record = export_side(writer, value, prefix, "record");
    struct bytes              *out = &writer->sink->buffer;

    if (!dataset || !shard || !record) return 0;
    if (bytes_printf(out, " %s=\"", name) < 0 || xml_append(out, dataset->text) < 0 || bytes_append(out, ":", 1) < 0 ||
        xml_append(out, shard->text) < 0) return -ENOMEM;
    return bytes_printf(out, ":%lld\"", (long long)record->number) < 0 ? -ENOMEM : 1;
}

static int put_node_id(struct bytes *out, const struct export_node *node)
{
    if (xml_append(out, node->field[NODE_DATASET]) < 0 || bytes_append(out, ":", 1) < 0 ||
        xml_append(out, node->field[NODE_SHARD]) < 0 || bytes_append(out, ":", 1) < 0) return -ENOMEM;
    return bytes_append_slice(out, node->field[NODE_RECORD]);
}

/* ---- GraphML ---- */

static int graphml_begin(struct export_writer *writer, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = bytes_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
                                         "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");

    for (size_t f = 0; f < NODE_FIELDS && rc == 0; f++)
        rc = bytes_printf(out, "<key id=\"n_%s\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                          export_node_fields[f], export_node_fields[f], f == NODE_RECORD ? "long" : "string");
    for (size_t c = 0; c < writer->count && rc == 0; c++)
        if (is_edge_column(writer, c))
            rc = bytes_printf(out, "<key id=\"e_%s\" for=\"edge\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                              export_column_at(writer, c)->name, export_column_at(writer, c)->name,
                              type_names[export_column_at(writer, c)->type]);
    if (rc == 0) rc = bytes_printf(out, "<graph id=\"%s\" edgedefault=\"undirected\">\n", writer->thing->name);
    return flush(writer, rc, err);
}

static int graphml_node(struct export_writer *writer, const struct export_node *node, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = bytes_printf(out, "<node id=\"");

    if (rc == 0) rc = put_node_id(out, node);
    if (rc == 0) rc = bytes_printf(out, "\">");
    for (size_t f = 0; f < NODE_FIELDS && rc == 0; f++) {
        if (!node->field[f].at) continue;
        rc = bytes_printf(out, "<data key=\"n_%s\">", export_node_fields[f]);
        if (rc == 0) rc = xml_append(out, node->field[f]);
        if (rc == 0) rc = bytes_printf(out, "</data>");
    }
    if (rc == 0) rc = bytes_printf(out, "</node>\n");
    return flush(writer, rc, err);
}

static int graphml_row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    const size_t  before = out->len;
    int           rc = bytes_printf(out, "<edge");

    if (rc == 0) rc = put_end(writer, value, writer->thing->from, "source");
    if (rc > 0) rc = put_end(writer, value, writer->thing->to, "target");
    if (rc == 0) out->len = before;                         /* a document alone */
    if (rc > 0) rc = bytes_printf(out, ">") < 0 ? -ENOMEM : 1;
    for (size_t c = 0; c < writer->count && rc > 0; c++) {
        const struct export_column *column = export_column_at(writer, c);

        if (!is_edge_column(writer, c) || !is_told(column, &value[c])) continue;
        if (bytes_printf(out, "<data key=\"e_%s\">", column->name) < 0 || put_value(out, column, &value[c]) < 0 ||
            bytes_printf(out, "</data>") < 0) rc = -ENOMEM;
    }
    if (rc > 0) rc = bytes_printf(out, "</edge>\n");
    return flush(writer, rc, err);
}

static int graphml_end(struct export_writer *writer, struct err *err)
{
    return flush(writer, bytes_printf(&writer->sink->buffer, "</graph>\n</graphml>\n"), err);
}

const struct export_format export_graphml = {
    .name = "graphml", .doc = "documents as nodes, for networkx and igraph", .flags = EXPORT_SIDES | EXPORT_NODES,
    .begin = graphml_begin, .node = graphml_node, .row = graphml_row, .end = graphml_end,
};

/* ---- GEXF ---- */

struct gexf_state { bool edges; uint64_t edge; };           /* the list of nodes is ended; number of the next */

static int gexf_begin(struct export_writer *writer, struct err *err)
{
    struct bytes *out = &writer->sink->buffer;
    int           rc = bytes_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gexf "
                                         "xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n<graph "
                                         "mode=\"static\" defaultedgetype=\"undirected\">\n<attributes "
                                         "class=\"node\">\n");

    for (size_t f = 0; f < NODE_FIELDS && rc == 0; f++)
        rc = bytes_printf(out, "<attribute id=\"n_%s\" title=\"%s\" type=\"%s\"/>\n", export_node_fields[f],
                          export_node_fields[f], f == NODE_RECORD ? "long" : "string");
    if (rc == 0) rc = bytes_printf(out, "</attributes>\n<attributes class=\"edge\">\n");
    for (size_t c = 0; c < writer->count && rc == 0; c++)
        if (is_edge_column(writer, c))
            rc = bytes_printf(out, "<attribute id=\"e_%s\" title=\"%s\" type=\"%s\"/>\n",
                              export_column_at(writer, c)->name, export_column_at(writer, c)->name,
                              type_names[export_column_at(writer, c)->type]);
    if (rc == 0) rc = bytes_printf(out, "</attributes>\n<nodes>\n");
    return flush(writer, rc, err);
}

static int gexf_node(struct export_writer *writer, const struct export_node *node, struct err *err)
{
    struct bytes       *out = &writer->sink->buffer;
    const struct slice  label = node->field[node->field[NODE_PATH].at ? NODE_PATH : NODE_SOURCE_ID];
    int                 rc = bytes_printf(out, "<node id=\"");

    if (rc == 0) rc = put_node_id(out, node);
    if (rc == 0) rc = bytes_printf(out, "\" label=\"");
    if (rc == 0) rc = label.at ? xml_append(out, label) : put_node_id(out, node);
    if (rc == 0) rc = bytes_printf(out, "\"><attvalues>");
    for (size_t f = 0; f < NODE_FIELDS && rc == 0; f++) {
        if (!node->field[f].at) continue;
        rc = bytes_printf(out, "<attvalue for=\"n_%s\" value=\"", export_node_fields[f]);
        if (rc == 0) rc = xml_append(out, node->field[f]);
        if (rc == 0) rc = bytes_printf(out, "\"/>");
    }
    if (rc == 0) rc = bytes_printf(out, "</attvalues></node>\n");
    return flush(writer, rc, err);
}

/* Ends the nodes, once, and begins an edge.  1; 0: the row has no two ends, and nothing is left of it. */
static int gexf_edge(struct export_writer *writer, const struct export_value *value)
{
    struct gexf_state *state = writer->state;
    struct bytes      *out = &writer->sink->buffer;
    size_t             before;
    int                rc;

    if (!state->edges && bytes_printf(out, "</nodes>\n<edges>\n") < 0) return -ENOMEM;
    state->edges = true;
    before = out->len;
    if (bytes_printf(out, "<edge id=\"%llu\"", (unsigned long long)state->edge) < 0) return -ENOMEM;
    rc = put_end(writer, value, writer->thing->from, "source");
    if (rc > 0) rc = put_end(writer, value, writer->thing->to, "target");
    if (rc == 0) out->len = before;
    state->edge += rc > 0;
    return rc;
}

static int gexf_row(struct export_writer *writer, const struct export_value *value, struct err *err)
{
    const struct export_value *weight = writer->thing->similarity ? export_side(writer, value, "",
                                                                                writer->thing->similarity) : NULL;
    struct bytes              *out = &writer->sink->buffer;
    int                        rc = gexf_edge(writer, value);

    if (rc > 0 && weight && isfinite(weight->real) &&
        (bytes_printf(out, " weight=\"") < 0 || export_append_real(out, weight->real) < 0 ||
         bytes_append(out, "\"", 1) < 0)) rc = -ENOMEM;
    if (rc > 0 && bytes_printf(out, "><attvalues>") < 0) rc = -ENOMEM;
    for (size_t c = 0; c < writer->count && rc > 0; c++) {
        const struct export_column *column = export_column_at(writer, c);

        if (!is_edge_column(writer, c) || !is_told(column, &value[c])) continue;
        if (bytes_printf(out, "<attvalue for=\"e_%s\" value=\"", column->name) < 0 ||
            put_value(out, column, &value[c]) < 0 || bytes_printf(out, "\"/>") < 0) rc = -ENOMEM;
    }
    if (rc > 0) rc = bytes_printf(out, "</attvalues></edge>\n");
    return flush(writer, rc, err);
}

static int gexf_end(struct export_writer *writer, struct err *err)
{
    const bool edges = ((struct gexf_state *)writer->state)->edges;

    return flush(writer, bytes_printf(&writer->sink->buffer, "%s</edges>\n</graph>\n</gexf>\n",
                                      edges ? "" : "</nodes>\n<edges>\n"), err);
}

const struct export_format export_gexf = {
    .name = "gexf", .doc = "the same for Gephi", .flags = EXPORT_SIDES | EXPORT_NODES,
    .state_size = sizeof(struct gexf_state), .begin = gexf_begin, .node = gexf_node, .row = gexf_row, .end = gexf_end,
};
