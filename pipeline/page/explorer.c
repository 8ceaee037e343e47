/* page/explorer.c -- see explorer.h. */
#include "page/explorer.h"

#include "graph/read.h"
#include "page/assets.h"
#include "page/pairs.h"

#include <string.h>

/* What the widget is told: the JSON, in the document's pool. */
static int render(const void *data, const char *id, struct bytes *out)
{
    const struct slice *json = data;
    int                 rc = bytes_printf(out, "<div class=\"items\" id=\"%s.all\" hidden>\n"
                                          "<script type=\"application/json\">\n{", id);

    if (rc == 0) rc = bytes_append_slice(out, *json);
    return rc < 0 ? rc : bytes_printf(out, "}\n</script>\n</div>\n<noscript><p>The list of all items needs scripts; "
                                           "view "
                                      "leaked_items of graph.db has it too.</p></noscript>\n");
}

/* The section of that key among the root's, or NULL. */
static struct report_node *section_of(const struct report_document *document, const char *key)
{
    struct report_node *node = document->root ? document->root->child : NULL;

    while (node && !(node->key && strcmp(node->key, key) == 0)) node = node->next;
    return node;
}

/* The last child becomes the first: who looks for an item does not read the worst ones before. */
static void put_first(struct report_node *section)
{
    struct report_node *last = section->last_child, *before = section->child;

    if (before == last) return;
    while (before->next != last) before = before->next;
    before->next = NULL;
    section->last_child = before;
    last->next = section->child;
    section->child = last;
}

static int add_json(const struct items *items, sqlite3 *db, const struct show_reader *reader, items_mask *mask,
                    struct bytes *json, struct err *err)
{
    size_t rows = 0;
    int    rc = items_json(items, mask, EXPLORER_BYTES, &rows, json);

    if (rc < 0 || (rc = bytes_append(json, ",\n", 2)) < 0) return err_memory(err, json->len, "the page's items");
    return pairs_json(items, rows, db, reader, mask, json, err);
}

int explorer_read(struct explorer *out, sqlite3 *db, const struct show_reader *reader, items_mask *mask,
                  struct err *err)
{
    struct items items = { 0 };
    int          rc;

    *out = (struct explorer){ 0 };
    rc = graph_count(db, "SELECT count(*) FROM datasets WHERE role = 'benchmark'", &out->benchmarks, err);
    if (rc == 0 && out->benchmarks) rc = items_read(&items, db, err);
    if (rc == 0 && out->benchmarks) rc = add_json(&items, db, reader, mask, &out->json, err);
    out->items = items.count;
    items_free(&items);
    return rc;
}

void explorer_free(struct explorer *explorer) { bytes_free(&explorer->json); }

int explorer_add(struct report_document *out, const struct explorer *explorer, struct err *err)
{
    struct report_node   *section = section_of(out, "leaked");
    struct report_widget *widget;
    struct slice         *data;

    if (!explorer->benchmarks) return 0;
    if (!section && explorer->items == 0) return 0;         /* no item was looked for: probes alone, say */
    data = pool_take(&out->pool, sizeof *data);
    widget = pool_take(&out->pool, sizeof *widget);
    if (!data || !widget || pool_copy(&out->pool, bytes_slice(&explorer->json), data) < 0)
        return err_memory(err, explorer->json.len, "the page's items");
    *widget = (struct report_widget){ .render = render, .style = asset_items_css(), .script = asset_items_js() };
    if (!section) section = report_section(out, out->root, "leaked", SLICE("Items that a rule found"));
    if (report_widget(out, section, "explorer", SLICE("Every item that a rule found"), widget, data))
        put_first(section);
    return 0;
}
