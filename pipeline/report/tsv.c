/* report/tsv.c -- see tsv.h. */
#include "report/tsv.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

static char letter_of(char c)
{
    switch (c) {
    case '\t': return 't';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\\': return '\\';
    default:   return 0;
    }
}

int report_tsv_text(struct slice text, struct bytes *out)
{
    size_t begin = 0;                                       /* of what has no escape */
    int    rc = 0;

    for (size_t i = 0; i < text.len && rc == 0; i++) {
        const char letter = letter_of(text.at[i]);

        if (!letter) continue;
        rc = bytes_append(out, text.at + begin, i - begin);
        if (rc == 0) rc = bytes_append(out, (char[]){ '\\', letter }, 2);
        begin = i + 1;
    }
    return rc < 0 ? rc : bytes_append(out, text.at + begin, text.len - begin);
}

static int put_cell(const struct report_cell *cell, struct bytes *out)
{
    switch (cell->kind) {
    case REPORT_TEXT:
    case REPORT_OUTCOME:
    case REPORT_NAME:  return report_tsv_text(cell->text, out);
    case REPORT_COUNT:
    case REPORT_ID:
    case REPORT_BYTES:
    case REPORT_FLAG:  return bytes_printf(out, "%llu", (unsigned long long)cell->number);
    case REPORT_PERCENT:
    case REPORT_NUMBER:
    case REPORT_CHANGE:
    case REPORT_SHARE: return isnan(cell->real) ? 0 : bytes_printf(out, "%.10g", cell->real);
    case REPORT_ALL:
    case REPORT_NOTHING: break;
    }
    return 0;
}

int report_tsv(const struct report_node *table, struct bytes *out)
{
    int rc = 0;

    for (size_t i = 0; i < table->column_count && rc == 0; i++)
        rc = bytes_printf(out, "%s%s", i ? "\t" : "", table->columns[i].key);
    if (rc == 0) rc = bytes_append(out, "\n", 1);
    for (const struct report_row *row = table->row; row && rc == 0; row = row->next) {
        for (size_t i = 0; i < table->column_count && rc == 0; i++) {
            if (i) rc = bytes_append(out, "\t", 1);
            if (rc == 0) rc = put_cell(&row->cell[i], out);
        }
        if (rc == 0) rc = bytes_append(out, "\n", 1);
    }
    return rc;
}

static int write_below(const struct report_node *node, const char *folder, struct bytes *text, struct err *err)
{
    char name[FILE_NAME_MAX], path[FILE_NAME_MAX];
    int  rc = 0;

    for (const struct report_node *child = node->child; child && rc == 0; child = child->next) {
        rc = write_below(child, folder, text, err);
        if (rc < 0 || child->kind != REPORT_TABLE) continue;
        text->len = 0;
        snprintf(name, sizeof name, "%s.tsv", child->key);
        if (report_tsv(child, text) < 0) return err_memory(err, text->len, name);
        if ((rc = file_join(folder, name, path, err)) == 0) rc = file_write(path, bytes_slice(text), err);
    }
    return rc;
}

int report_tsv_write(const struct report_document *document, const char *folder, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = document->failed ? err_memory(err, 0, "the tables") : 0;

    if (rc == 0) rc = write_below(document->root, folder, &text, err);
    bytes_free(&text);
    return rc;
}
