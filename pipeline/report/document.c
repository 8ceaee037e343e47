/* report/document.c -- see document.h: building the tree. */
#include "report/document.h"

#include "graph/text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct slice report_keep(struct report_document *document, struct slice text, bool program)
{
    struct slice valid, copy = { "", 0 };
    struct bytes masked = { 0 };

    if (document->failed) return copy;
    if (text_make_valid(text, &document->scratch, &valid) < 0 ||
        (document->mask && document->mask(&valid, program, &masked) < 0) ||
        pool_copy(&document->pool, valid, &copy) < 0) {
        document->failed = true;
        copy = (struct slice){ "", 0 };
    }
    bytes_free(&masked);
    return copy;
}

struct slice report_copy(struct report_document *document, struct slice text)
{
    return report_keep(document, text, false);
}

static struct report_node *report_node(struct report_document *document, struct report_node *parent,
                                       enum report_kind kind, const char *key)
{
    struct report_node *node = document->failed ? NULL : pool_take(&document->pool, sizeof *node);

    if (!node) {
        document->failed = true;
        return NULL;
    }
    *node = (struct report_node){ .kind = kind, .key = key };
    if (parent && parent->last_child) parent->last_child->next = node;
    else if (parent) parent->child = node;
    if (parent) parent->last_child = node;
    return node;
}

void report_open(struct report_document *document, const char *title)
{
    *document = (struct report_document){ 0 };
    document->root = report_section(document, NULL, NULL, slice_of(title));
}

void report_close(struct report_document *document)
{
    pool_free(&document->pool);
    bytes_free(&document->scratch);
    *document = (struct report_document){ 0 };
}

struct report_node *report_section(struct report_document *document, struct report_node *parent, const char *key,
                                   struct slice title)
{
    struct report_node *node = report_node(document, parent, REPORT_SECTION, key);

    if (node) node->title = report_copy(document, title);
    return node;
}

struct report_node *report_list(struct report_document *document, struct report_node *parent, const char *key)
{
    return report_node(document, parent, REPORT_LIST, key);
}

void report_paragraph(struct report_document *document, struct report_node *parent, const char *format, ...)
{
    struct report_node *node = report_node(document, parent, REPORT_PARAGRAPH, NULL);
    char               *text = NULL;
    va_list             args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) text = NULL;
    va_end(args);
    if (!text) document->failed = true;
    else if (node) node->text = report_copy(document, slice_of(text));
    free(text);
}

struct report_node *report_code(struct report_document *document, struct report_node *parent, const char *key,
                                struct slice title, struct slice language, struct slice text)
{
    struct report_node *node = report_node(document, parent, REPORT_CODE, key);

    if (!node) return NULL;
    node->title = report_copy(document, title);
    node->language = report_copy(document, language);
    node->text = report_keep(document, text, true);
    return node;
}

struct report_node *report_table(struct report_document *document, struct report_node *parent, const char *key,
                                 const struct report_column *columns, size_t column_count)
{
    struct report_node *node = report_node(document, parent, REPORT_TABLE, key);

    if (node) {
        node->columns = columns;
        node->column_count = column_count;
    }
    return node;
}

static bool has_key(const struct report_column *column, size_t count, const char *key)
{
    size_t c = 0;

    while (c < count && strcmp(column[c].key, key) != 0) c++;
    return c < count;
}

struct report_column report_column_named(struct report_document *document, const struct report_column *before,
                                         size_t count, struct slice name)
{
    const struct slice  label = report_copy(document, name);
    struct report_column column = { label.at, label.at };
    struct bytes         key = { 0 };

    while (!document->failed && has_key(before, count, column.key)) {
        struct slice other;

        key.len = 0;
        if (bytes_printf(&key, "%s, %zu", column.key, count) < 0 ||
            pool_copy(&document->pool, bytes_slice(&key), &other) < 0) document->failed = true;
        else column.key = other.at;
    }
    bytes_free(&key);
    return column;
}

struct report_node *report_facts(struct report_document *document, struct report_node *parent, const char *key,
                                 const struct report_column *columns, size_t column_count)
{
    struct report_node *node = report_table(document, parent, key, columns, column_count);

    if (node) node->kind = REPORT_FACTS;
    return node;
}

struct report_node *report_widget(struct report_document *document, struct report_node *parent, const char *key,
                                  struct slice title, const struct report_widget *widget, const void *data)
{
    struct report_node *node = report_node(document, parent, REPORT_WIDGET, key);

    if (!node) return NULL;
    node->title = report_copy(document, title);
    node->widget = widget;
    node->data = data;
    return node;
}

void report_sql(struct report_document *document, struct report_node *node, struct slice sql)
{
    if (node) node->sql = report_copy(document, sql);
}

void report_chart(struct report_node *table, const struct report_chart *chart)
{
    if (table) table->chart = chart;
}

void report_row(struct report_document *document, struct report_node *table, const struct report_cell *cell)
{
    struct report_row *row;

    if (!table || document->failed) return;
    row = pool_take(&document->pool, sizeof *row + table->column_count * sizeof *cell);
    if (!row) {
        document->failed = true;
        return;
    }
    for (size_t i = 0; i < table->column_count; i++) {
        row->cell[i] = cell[i];
        row->cell[i].text = report_copy(document, cell[i].text);
        /* names that look alike when they are masked stay different ones */
        if (document->mask && cell[i].text.len && !slice_equal(cell[i].text, row->cell[i].text))
            row->cell[i].number = XXH3_64bits(cell[i].text.at, cell[i].text.len);
    }
    if (table->last_row) table->last_row->next = row;
    else table->row = row;
    table->last_row = row;
}

void report_adopt(struct report_node *parent, struct report_node *section)
{
    if (!parent || !section->child) return;
    if (parent->last_child) parent->last_child->next = section->child;
    else parent->child = section->child;
    parent->last_child = section->last_child;
    section->child = section->last_child = NULL;
}

void report_hide(struct report_node *node)
{
    if (node) node->hidden = true;
}

void report_hide_row(struct report_node *table)
{
    if (table && table->last_row) table->last_row->hidden = true;
}

bool report_row_shown(const struct report_node *table, const struct report_row *row)
{
    return !row->hidden ||
        (table->chart && (table->chart->kind == CHART_CURVES || table->chart->kind == CHART_HISTOGRAM));
}

struct report_cell report_cell_text(struct slice text)
{
    return (struct report_cell){ .kind = REPORT_TEXT, .text = text };
}

struct report_cell report_cell_name(struct slice text)
{
    return (struct report_cell){ .kind = text.len ? REPORT_NAME : REPORT_NOTHING, .text = text };
}

struct report_cell report_cell_outcome(struct slice word)
{
    return (struct report_cell){ .kind = word.len ? REPORT_OUTCOME : REPORT_NOTHING, .text = word };
}

enum report_tone report_tone(struct slice word)
{
    if (slice_equal(word, SLICE("passed")) || slice_equal(word, SLICE("clean"))) return TONE_GOOD;
    return slice_equal(word, SLICE("failed")) || slice_equal(word, SLICE("leaked")) ? TONE_BAD : TONE_OPEN;
}

struct report_cell report_cell_part(struct slice text)
{
    return (struct report_cell){ .kind = text.len ? REPORT_NAME : REPORT_ALL, .text = text };
}

struct report_cell report_cell_count(uint64_t number)
{
    return (struct report_cell){ .kind = REPORT_COUNT, .number = number };
}

struct report_cell report_cell_id(uint64_t number)
{
    return (struct report_cell){ .kind = REPORT_ID, .number = number };
}

struct report_cell report_cell_bytes(uint64_t number)
{
    return (struct report_cell){ .kind = REPORT_BYTES, .number = number };
}

struct report_cell report_cell_percent(uint64_t part, uint64_t whole)
{
    return report_cell_percentage(whole ? 100.0 * (double)part / (double)whole : NAN);
}

struct report_cell report_cell_percentage(double percent)
{
    return (struct report_cell){ .kind = REPORT_PERCENT, .real = percent };
}

struct report_cell report_cell_share(double share)
{
    return (struct report_cell){ .kind = REPORT_SHARE, .real = share };
}

struct report_cell report_cell_number(double number)
{
    return (struct report_cell){ .kind = REPORT_NUMBER, .real = number };
}

struct report_cell report_cell_change(double number)
{
    return (struct report_cell){ .kind = REPORT_CHANGE, .real = number };
}

struct report_cell report_cell_flag(bool flag) { return (struct report_cell){ .kind = REPORT_FLAG, .number = flag }; }
