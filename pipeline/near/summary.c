/* near/summary.c -- see summary.h. */
#include "near/summary.h"

#include "report/visible.h"

#include <stdio.h>

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

/* A name made harmless for a terminal; `all` when empty. */
static int name_append(struct bytes *out, struct slice name)
{
    if (!name.len) return bytes_printf(out, "all");
    return visible_append(out, visible_cut(name, 24), true);
}

/* "test", or "test>train" between two splits of a dataset. */
static int split_append(struct bytes *out, const struct graph_overlap *row)
{
    int rc = name_append(out, row->split);

    if (rc == 0 && row->source == row->target)
        rc = bytes_printf(out, ">") < 0 ? -1 : name_append(out, row->target_split);
    return rc;
}

static bool row_finds(const struct graph_overlap *row)
{
    return row->direct || row->contained || row->copies || row->transitive;
}

/* Rows of a language, and of a split against a split of another dataset, are for SQL. */
static bool row_belongs(const struct graph_overlap *row)
{
    return !row->language.len && (!row->target_split.len || row->source == row->target);
}

/* Whole datasets always, splits when they share something: most pairs of splits do not. */
static bool row_is_shown(const struct graph_overlap *row)
{
    return row_belongs(row) && ((!row->split.len && !row->target_split.len) || row_finds(row));
}

struct columns { int dataset, split; bool contained; };

static int columns_fit(struct columns *columns, const struct graph *graph)
{
    enum { DATASET_MOST = 32, SPLIT_MOST = 40 };
    struct bytes name = { 0 };
    int          rc = 0;

    for (size_t d = 0; d < graph->dataset_count; d++)
        if ((int)graph->datasets[d].name.len > columns->dataset) columns->dataset = (int)graph->datasets[d].name.len;
    for (size_t i = 0; i < graph->overlap_count && rc == 0; i++) {
        if (!row_is_shown(&graph->overlaps[i])) continue;
        columns->contained |= graph->overlaps[i].contained > 0;
        name.len = 0;
        rc = split_append(&name, &graph->overlaps[i]);
        if ((int)name.len > columns->split) columns->split = (int)name.len;
    }
    bytes_free(&name);
    if (columns->dataset > DATASET_MOST) columns->dataset = DATASET_MOST;
    if (columns->split > SPLIT_MOST) columns->split = SPLIT_MOST;
    return rc;
}

static int row_print(const struct columns *columns, const struct graph *graph, const struct graph_overlap *row,
                     struct bytes *split)
{
    struct slice source = graph->datasets[row->source].name, target = graph->datasets[row->target].name;

    split->len = 0;
    if (split_append(split, row) < 0) return -1;
    printf("%-*.*s %-*.*s %-*.*s %9llu %8llu %8llu %6.2f", columns->dataset, (int)source.len < columns->dataset
           ? (int)source.len : columns->dataset, source.at,
           columns->dataset, (int)target.len < columns->dataset ? (int)target.len : columns->dataset, target.at,
               columns->split,
           (int)split->len < columns->split ? (int)split->len : columns->split, split->at,
               (unsigned long long)row->documents, (unsigned long long)row->admitted,
           (unsigned long long)row->direct, percent(row->direct, row->documents));
    if (columns->contained) printf(" %9llu", (unsigned long long)row->contained);
    printf(" %6llu %10llu %6.2f%s\n", (unsigned long long)row->copies, (unsigned long long)row->transitive,
           percent(row->transitive, row->documents), row->complete ? "" : "+");
    return 0;
}

int summary_table(const struct graph *graph, bool contained, struct err *err)
{
    struct columns columns = { .dataset = 6, .split = 5, .contained = contained };
    struct bytes   split = { 0 };
    size_t         left_out = 0;
    bool           lower = false;
    int            rc = columns_fit(&columns, graph);

    if (rc == 0)
        printf("%-*s %-*s %-*s documents compared   direct      %%%s copies transitive    IDD\n", columns.dataset,
               "source", columns.dataset, "target", columns.split, "split", columns.contained ? " contained" : "");
    for (size_t i = 0; i < graph->overlap_count && rc == 0; i++) {
        const struct graph_overlap *row = &graph->overlaps[i];

        left_out += row_belongs(row) && !row_is_shown(row);
        if (!row_is_shown(row)) continue;
        rc = row_print(&columns, graph, row, &split);
        lower |= !row->complete;
    }
    bytes_free(&split);
    if (rc < 0) return err_memory(err, 64, "the table");
    if (lower) printf("+ a lower bound: pairs inside and between corpora were not looked for (self_join: exact)\n");
    if (left_out) printf("%zu rows without a match are in graph.db\n", left_out);
    return 0;
}
