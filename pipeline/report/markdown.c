/* report/markdown.c -- the document as Markdown (CommonMark with the table extension).
 *
 * Text of unknown origin is escaped in prose and cells; in code it stands between fences that are longer than any run
 * of backticks in it.  Within both, control and direction characters are shown as \xNN and \uNNNN. */
#include "report/document.h"
#include "report/visible.h"

#include <errno.h>
#include <math.h>

/* True when a character would be read as Markdown, as HTML or as a link that nobody wrote (www.x.org, https://x.org,
 * a@b.org).  What only means something at the start of a line is escaped there only: people read the file as it is,
 * too. */
static bool markdown_is_special(struct slice text, size_t i)
{
    char c = text.at[i], before = i ? text.at[i - 1] : 0, after = i + 1 < text.len ? text.at[i + 1] : 0;

    if (strchr("\\`*_[]|~$@", c)) return true;
    if (c == ':') return after == '/';
    if (c == '.' && (before == 'w' || before == 'W')) return true;
    /* 1. and 1) begin a list */
    if (c == '.' || c == ')') return (after == 0 || after == ' ') && strspn(text.at, "0123456789") == i;
    return i == 0 && strchr("#+-=", c);
}

static int markdown_text(struct bytes *out, struct slice text)
{
    struct bytes plain = { 0 };
    int          rc = visible_append(&plain, text, true);

    if (rc == 0) rc = bytes_append(&plain, "", 1);          /* ends it for strspn */
    for (size_t i = 0; i + 1 < plain.len && rc == 0; i++) {
        char c = plain.at[i];

        /* entities: some renderers pass on HTML that is escaped with \ */
        if (c == '<') rc = bytes_append_slice(out, SLICE("&lt;"));
        else if (c == '>') rc = bytes_append_slice(out, SLICE("&gt;"));
        else if (c == '&') rc = bytes_append_slice(out, SLICE("&amp;"));
        else if (markdown_is_special(bytes_slice(&plain), i)) rc = bytes_printf(out, "\\%c", c);
        else rc = bytes_append(out, &c, 1);
    }
    bytes_free(&plain);
    return rc;
}

/* The longest run of backticks. */
static size_t markdown_ticks(struct slice text)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.at[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

static int markdown_repeat(struct bytes *out, char c, size_t count)
{
    int rc = 0;

    while (count-- && rc == 0) rc = bytes_append(out, &c, 1);
    return rc;
}

static int markdown_cell(struct bytes *out, const struct report_cell *cell)
{
    switch (cell->kind) {
    case REPORT_TEXT:
    case REPORT_OUTCOME:
    /* `code` cannot hold a | in a table: names are prose here */
    case REPORT_NAME:    return markdown_text(out, cell->text);
    case REPORT_ID:
    case REPORT_COUNT:   return bytes_printf(out, "%llu", (unsigned long long)cell->number);
    case REPORT_BYTES:   return bytes_printf(out, "%.2f MB", (double)cell->number / 1e6);
    case REPORT_PERCENT:
        return isnan(cell->real) ? bytes_append(out, "-", 1) : bytes_printf(out, "%.2f %%", cell->real);
    case REPORT_SHARE:   return bytes_printf(out, "%.3f", cell->real);
    case REPORT_NUMBER:
        return isfinite(cell->real) ? bytes_printf(out, "%.4g", cell->real) : bytes_append(out, "-", 1);
    case REPORT_CHANGE:
        return !isfinite(cell->real) ? bytes_append(out, "-", 1)
            : bytes_printf(out, cell->real == trunc(cell->real) && fabs(cell->real) < 1e15 ? "%+.0f" : "%+.4g",
                           cell->real);
    case REPORT_FLAG:    return bytes_append_slice(out, cell->number ? SLICE("yes") : SLICE("no"));
    case REPORT_ALL:     return bytes_append(out, "all", 3);
    case REPORT_NOTHING: return bytes_append(out, "-", 1);
    }
    return 0;
}

static bool markdown_is_number(const struct report_node *table, size_t column)
{
    const struct report_row *row = table->row;

    return row && row->cell[column].kind >= REPORT_COUNT && row->cell[column].kind <= REPORT_CHANGE;
}

static int markdown_table(struct bytes *out, const struct report_node *table)
{
    const struct report_row *first = table->row;
    int                      rc = 0;

    while (first && first->hidden) first = first->next;
    if (!first) return 0;                                   /* what an empty table means is said beside it */
    for (size_t i = 0; i < table->column_count && rc == 0; i++) {
        rc = bytes_append_slice(out, SLICE("| "));
        /* of a matrix they are data */
        if (rc == 0) rc = markdown_text(out, slice_of(table->columns[i].label));
        if (rc == 0) rc = bytes_append(out, " ", 1);
    }
    if (rc == 0) rc = bytes_append_slice(out, SLICE("|\n"));
    for (size_t i = 0; i < table->column_count && rc == 0; i++)
        rc = bytes_append_slice(out, markdown_is_number(table, i) ? SLICE("| ---: ") : SLICE("| --- "));
    if (rc == 0) rc = bytes_append_slice(out, SLICE("|\n"));
    for (const struct report_row *row = first; row && rc == 0; row = row->next) {
        if (row->hidden) continue;
        for (size_t i = 0; i < table->column_count && rc == 0; i++) {
            rc = bytes_append_slice(out, SLICE("| "));
            if (rc == 0) rc = markdown_cell(out, &row->cell[i]);
            if (rc == 0) rc = bytes_append(out, " ", 1);
        }
        if (rc == 0) rc = bytes_append_slice(out, SLICE("|\n"));
    }
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

static int markdown_facts(struct bytes *out, const struct report_node *facts)
{
    int rc = 0;

    for (size_t i = 0; facts->row && i < facts->column_count && rc == 0; i++) {
        if (facts->row->cell[i].kind == REPORT_NOTHING) continue;
        rc = bytes_printf(out, "- %s: ", facts->columns[i].label);
        if (rc == 0) rc = markdown_cell(out, &facts->row->cell[i]);
        if (rc == 0) rc = bytes_append(out, "\n", 1);
    }
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

static int markdown_code(struct bytes *out, const struct report_node *code)
{
    size_t ticks = markdown_ticks(code->text) + 1;
    int    rc = 0;

    if (code->title.len) {
        rc = markdown_text(out, code->title);
        if (rc == 0) rc = bytes_append_slice(out, SLICE(":\n\n"));
    }
    if (rc == 0) rc = markdown_repeat(out, '`', ticks < 3 ? 3 : ticks);
    /* the word after a fence: letters and digits only */
    for (size_t i = 0; i < code->language.len && rc == 0; i++) {
        char c = code->language.at[i];

        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) rc = bytes_append(out, &c, 1);
    }
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    if (rc == 0) rc = visible_append(out, code->text, false);
    if (rc == 0 && code->text.len && code->text.at[code->text.len - 1] != '\n') rc = bytes_append(out, "\n", 1);
    if (rc == 0) rc = markdown_repeat(out, '`', ticks < 3 ? 3 : ticks);
    return rc < 0 ? rc : bytes_append(out, "\n\n", 2);
}

static int markdown_node(struct bytes *out, const struct report_node *node, size_t depth);

/* Has it rows or parts, none of which a person need read?  Then it needs no heading. */
static bool markdown_is_silent(const struct report_node *node)
{
    bool any = false;

    if (node->hidden) return true;
    if (node->kind == REPORT_TABLE) {
        for (const struct report_row *row = node->row; row; row = row->next)
            if (!row->hidden) return false;
        return node->row;
    }
    if (node->kind != REPORT_SECTION && node->kind != REPORT_LIST) return false;
    for (const struct report_node *child = node->child; child; child = child->next) {
        if (!markdown_is_silent(child)) return false;
        any = true;
    }
    return any;
}

static int markdown_section(struct bytes *out, const struct report_node *section, size_t depth)
{
    int rc = 0;

    if (section->kind == REPORT_SECTION && section->title.len) {
        rc = markdown_repeat(out, '#', depth < 6 ? depth : 6);
        if (rc == 0) rc = bytes_append(out, " ", 1);
        if (rc == 0) rc = markdown_text(out, section->title);
        if (rc == 0) rc = bytes_append(out, "\n\n", 2);
        depth++;
    }
    for (const struct report_node *child = section->child; child && rc == 0; child = child->next)
        rc = markdown_node(out, child, depth);
    return rc;
}

static int markdown_node(struct bytes *out, const struct report_node *node, size_t depth)
{
    int rc;

    if (node->kind == REPORT_WIDGET || markdown_is_silent(node)) return 0;
    switch (node->kind) {
    case REPORT_TABLE: return markdown_table(out, node);
    case REPORT_FACTS: return markdown_facts(out, node);
    case REPORT_CODE:  return markdown_code(out, node);
    case REPORT_PARAGRAPH:
        rc = markdown_text(out, node->text);
        return rc < 0 ? rc : bytes_append(out, "\n\n", 2);
    case REPORT_WIDGET:
    case REPORT_SECTION:
    case REPORT_LIST: break;
    }
    return markdown_section(out, node, depth);
}

int report_markdown(const struct report_document *document, struct bytes *out)
{
    if (document->failed) return -ENOMEM;
    return markdown_node(out, document->root, 1);
}
