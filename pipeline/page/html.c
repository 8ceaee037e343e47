/* page/html.c -- see html.h. */
#include "page/html.h"

#include "page/chart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ROWS_TALL: more rows scroll in a window of their own; TEXT_SHORT: longer names are broken into lines, longer
 * texts keep room for some words in a line. */
enum { HEADING_LAST = 6, ROWS_TALL = 25, TEXT_SHORT = 36 };

/* Where the writer is: the id of the node at hand. */
struct place { struct markup *m; struct bytes id; };

/* ---- ids ---- */

/* Fit for an id as it is, and for a link to it. */
static bool key_is_plain(const char *key)
{
    const size_t len = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

    return len && !key[len] && !(key[0] == 'n' && key[1] && !key[1 + strspn(key + 1, "0123456789")]);
}

static bool key_is_alone(const struct report_node *parent, const struct report_node *node)
{
    const struct report_node *other = parent->child;

    while (other != node && !(other->key && strcmp(other->key, node->key) == 0)) other = other->next;
    return other == node;
}

/* Appends the node's part of its id; gives what to cut the id back to. */
static size_t id_enter(struct place *at, const struct report_node *parent, const struct report_node *node,
                       size_t number)
{
    const size_t before = at->id.len;
    struct markup id = { &at->id, at->m->rc };

    if (before) id.out->len--;                              /* the NUL */
    if (before > 1) markup_add(&id, ".");
    if (node->key && key_is_plain(node->key) && key_is_alone(parent, node)) markup_add(&id, "%s", node->key);
    else markup_add(&id, "n%zu", number);
    if (id.rc == 0) id.rc = bytes_append(&at->id, "", 1);
    at->m->rc = id.rc;
    return before;
}

static void id_leave(struct place *at, size_t before)
{
    at->id.len = before;
    if (before) at->id.at[before - 1] = 0;
}

/* ---- tables ---- */

static const struct report_row *row_shown(const struct report_node *table, const struct report_row *row)
{
    while (row && !report_row_shown(table, row)) row = row->next;
    return row;
}

static bool is_number(const struct report_cell *cell)
{
    return cell->kind >= REPORT_COUNT && cell->kind <= REPORT_CHANGE;
}

/* A column is of numbers when any of its cells is: the others are what there is nothing to say of. */
static bool column_is_number(const struct report_node *table, size_t column)
{
    for (const struct report_row *row = table->row; row; row = row->next)
        if (is_number(&row->cell[column])) return true;
    return false;
}

static size_t rows_shown(const struct report_node *table)
{
    size_t count = 0;

    for (const struct report_row *row = row_shown(table, table->row); row; row = row_shown(table, row->next)) count++;
    return count;
}

/* Of a cell in a column that is not of numbers. */
static const char *class_of_cell(const struct report_cell *cell)
{
    if (cell->kind == REPORT_NAME) return cell->text.len > TEXT_SHORT ? " class=\"name long\"" : " class=\"name\"";
    return cell->kind == REPORT_TEXT && cell->text.len > TEXT_SHORT ? " class=\"words\"" : "";
}

/* number: whether the column is of numbers. */
static void put_row(struct place *at, const struct report_node *table, const struct report_row *row,
                    const bool *number)
{
    markup_add(at->m, "<tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct report_cell *cell = &row->cell[i];
        const char               *class = number[i] ? " class=\"n\"" : class_of_cell(cell);

        markup_add(at->m, i ? "<td%s>" : "<th scope=\"row\"%s>", class);
        markup_cell(at->m, cell);
        markup_add(at->m, i ? "</td>" : "</th>");
    }
    markup_add(at->m, "</tr>\n");
}

/* What the table is called: by its picture, else by the heading above it and its key. */
static void put_caption(struct place *at, const struct report_node *section, const struct report_node *table)
{
    if (table->chart) {
        markup_text(at->m, slice_of(table->chart->title));
        return;
    }
    markup_text(at->m, section->title);
    markup_add(at->m, section->title.len && table->key ? ": " : "");
    for (const char *c = table->key; c && *c; c++)
        markup_text(at->m, *c == '_' ? SLICE(" ") : (struct slice){ c, 1 });
}

static void put_table(struct place *at, const struct report_node *section, const struct report_node *table)
{
    struct markup *m = at->m;
    bool          *number = calloc(table->column_count + 1, sizeof *number);

    if (!number) {
        m->rc = -ENOMEM;
        return;
    }
    for (size_t i = 0; i < table->column_count; i++) number[i] = column_is_number(table, i);
    markup_add(m, "<div class=\"scroll%s\" tabindex=\"0\" role=\"region\" aria-labelledby=\"%s.caption\">"
               "<table><caption id=\"%s.caption\"><span class=\"unseen\">",
               rows_shown(table) > ROWS_TALL ? " tall" : "", at->id.at, at->id.at);
    put_caption(at, section, table);
    markup_add(m, "</span></caption>\n<thead><tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        markup_add(m, "<th scope=\"col\"%s>", number[i] ? " class=\"n\"" : "");
        markup_text(m, slice_of(table->columns[i].label));
        markup_add(m, "</th>");
    }
    markup_add(m, "</tr></thead>\n<tbody>\n");
    for (const struct report_row *row = row_shown(table, table->row); row; row = row_shown(table, row->next))
        put_row(at, table, row, number);
    markup_add(m, "</tbody></table></div>\n");
    free(number);
}

static void put_sql(struct place *at, const struct report_node *node)
{
    if (!node->sql.len) return;
    markup_add(at->m, "<details class=\"sql\"><summary>SQL</summary><pre tabindex=\"0\"><code>");
    markup_lines(at->m, node->sql);
    markup_add(at->m, "</code></pre></details>\n");
}

static void put_table_node(struct place *at, const struct report_node *section, const struct report_node *table)
{
    const bool drawn = table->chart && chart_fits(table);

    markup_add(at->m, "<div class=\"table\" id=\"%s\">\n", at->id.at);
    if (drawn) {
        chart_add(at->m, table, at->id.at);
        markup_add(at->m, "<details class=\"behind\"><summary>Table: ");
        markup_count(at->m, rows_shown(table));
        markup_add(at->m, " row%s</summary>\n", rows_shown(table) == 1 ? "" : "s");
    }
    put_table(at, section, table);
    if (drawn) markup_add(at->m, "</details>\n");
    put_sql(at, table);
    markup_add(at->m, "</div>\n");
}

static void put_facts(struct place *at, const struct report_node *facts)
{
    markup_add(at->m, "<div class=\"table\" id=\"%s\">\n<dl class=\"facts\">\n", at->id.at);
    for (size_t i = 0; i < facts->column_count; i++) {
        const struct report_cell *cell = &facts->row->cell[i];

        if (cell->kind == REPORT_NOTHING) continue;
        markup_add(at->m, "<div><dt>");
        markup_text(at->m, slice_of(facts->columns[i].label));
        markup_add(at->m, "</dt><dd%s>", is_number(cell) ? " class=\"n\"" : "");
        markup_cell(at->m, cell);
        markup_add(at->m, "</dd></div>\n");
    }
    markup_add(at->m, "</dl>\n");
    put_sql(at, facts);
    markup_add(at->m, "</div>\n");
}

/* ---- code ---- */

/* How a line of a difference is marked. */
static const char *class_of(struct slice line)
{
    if (!line.len) return NULL;
    switch (line.at[0]) {
    case '+': return "more";
    case '-': return "less";
    case '!': return "other";
    case '@': return "quiet";
    }
    return NULL;
}

static void put_difference(struct markup *m, struct slice text)
{
    while (text.len) {
        const char  *end = memchr(text.at, '\n', text.len);
        const size_t len = end ? (size_t)(end - text.at) + 1 : text.len;
        const char  *class = class_of(text);

        if (class) markup_add(m, "<span class=\"%s\">", class);
        markup_lines(m, (struct slice){ text.at, len });
        if (class) markup_add(m, "</span>");
        text.at += len;
        text.len -= len;
    }
}

static void put_code(struct place *at, const struct report_node *code)
{
    markup_add(at->m, "<figure class=\"code\" id=\"%s\">", at->id.at);
    if (code->title.len) {
        markup_add(at->m, "<figcaption>");
        markup_text(at->m, code->title);
        markup_add(at->m, "</figcaption>");
    }
    markup_add(at->m, "<pre tabindex=\"0\"><code>");
    if (slice_equal(code->language, SLICE("diff"))) put_difference(at->m, code->text);
    else markup_lines(at->m, code->text);
    markup_add(at->m, "</code></pre></figure>\n");
}

/* ---- nodes ---- */

bool html_shows(const struct report_node *node)
{
    if (node->hidden) return false;
    switch (node->kind) {
    case REPORT_TABLE:     return row_shown(node, node->row);
    case REPORT_FACTS:     return node->row;
    case REPORT_PARAGRAPH: return node->text.len;
    case REPORT_CODE:
    case REPORT_WIDGET:    return true;
    case REPORT_SECTION:
    case REPORT_LIST:      break;
    }
    for (const struct report_node *child = node->child; child; child = child->next)
        if (html_shows(child)) return true;
    return false;
}

static void put_children(struct place *at, const struct report_node *section, const struct report_node *parent,
                         int depth);

static void put_heading(struct place *at, const struct report_node *node, int depth)
{
    if (!node->title.len) return;
    markup_add(at->m, "<h%d id=\"%s.heading\">", depth, at->id.at);
    markup_text(at->m, node->title);
    markup_add(at->m, "<a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a></h%d>\n", at->id.at,
               depth);
}

static void put_section(struct place *at, const struct report_node *section, int depth)
{
    const bool titled = section->title.len;

    markup_add(at->m, "<section id=\"%s\"", at->id.at);
    if (titled) markup_add(at->m, " aria-labelledby=\"%s.heading\"", at->id.at);
    markup_add(at->m, ">\n");
    put_heading(at, section, depth);
    put_children(at, section, section, depth + (titled && depth < HEADING_LAST));
    markup_add(at->m, "</section>\n");
}

static void put_widget(struct place *at, const struct report_node *node, int depth)
{
    markup_add(at->m, "<div class=\"widget\" id=\"%s\">\n", at->id.at);
    put_heading(at, node, depth);
    if (at->m->rc == 0) at->m->rc = node->widget->render(node->data, at->id.at, at->m->out);
    put_sql(at, node);
    markup_add(at->m, "</div>\n");
}

static void put_node(struct place *at, const struct report_node *section, const struct report_node *node, int depth)
{
    switch (node->kind) {
    case REPORT_SECTION: put_section(at, node, depth); break;
    case REPORT_TABLE:   put_table_node(at, section, node); break;
    case REPORT_FACTS:   put_facts(at, node); break;
    case REPORT_CODE:    put_code(at, node); break;
    case REPORT_WIDGET:  put_widget(at, node, depth); break;
    case REPORT_LIST:
        markup_add(at->m, "<div class=\"list\" id=\"%s\">\n", at->id.at);
        put_children(at, section, node, depth);
        markup_add(at->m, "</div>\n");
        break;
    case REPORT_PARAGRAPH:
        markup_add(at->m, "<p>");
        markup_text(at->m, node->text);
        markup_add(at->m, "</p>\n");
        put_sql(at, node);
        break;
    }
}

static void put_children(struct place *at, const struct report_node *section, const struct report_node *parent,
                         int depth)
{
    size_t number = 0;

    for (const struct report_node *child = parent->child; child && at->m->rc == 0; child = child->next) {
        const size_t before = id_enter(at, parent, child, ++number);

        if (at->m->rc == 0 && html_shows(child)) put_node(at, section, child, depth);
        id_leave(at, before);
    }
}

void html_add(struct markup *m, const struct report_document *document)
{
    struct place at = { .m = m };

    if (m->rc == 0) m->rc = bytes_append(&at.id, "", 1);
    put_children(&at, document->root, document->root, 2);
    bytes_free(&at.id);
}

void html_contents(struct markup *m, const struct report_document *document)
{
    struct place at = { .m = m };
    size_t       number = 0;

    if (m->rc == 0) m->rc = bytes_append(&at.id, "", 1);
    for (const struct report_node *child = document->root->child; child && m->rc == 0; child = child->next) {
        const size_t before = id_enter(&at, document->root, child, ++number);

        if (m->rc == 0 && child->kind == REPORT_SECTION && child->title.len && html_shows(child)) {
            markup_add(m, "<li><a href=\"#%s\">", at.id.at);
            markup_text(m, child->title);
            markup_add(m, "</a></li>\n");
        }
        id_leave(&at, before);
    }
    bytes_free(&at.id);
}
