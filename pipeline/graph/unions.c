/* graph/unions.c -- see unions.h. */
#include "graph/unions.h"

#include "graph/table.h"

const struct graph_view graph_unions[GRAPH_UNIONS] = {
    [UNION_INSIDE] = {
        FOUND_INSIDE, FOUND_INSIDE_COLUMNS,
        "SELECT 0, '', '', 0, '', 0.0, '', 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL WHERE 0",
        "Items of benchmarks that are inside documents of corpora, whatever found them: what is alike, how much, and "
        "where; leak: 1 where it counts for fail_on: {leakage}; item_line: of the part of the item that is there, "
        "NULL: all of it." },
    [UNION_REMOVED] = {
        "removed_documents",
        "output, what, dataset, split, id_within_dataset, source_id, path, repo, license, shard, record, lines, bytes, "
        "why, similarity, kept, kept_dataset, kept_split, kept_source_id, kept_path, kept_repo, kept_license, "
        "kept_shard, kept_record",
        "SELECT '', '', '', '', 0, NULL, NULL, NULL, NULL, '', 0, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, NULL, "
        "NULL, NULL, NULL, NULL WHERE 0",
        "Documents that dedup or clean (output: its name) removed or cut, and why: of clean the parts of its rule that "
        "were true, of dedup what kind of pair the document has with the one that was kept for it, `indirect`: none. "
        "lines: those cut, NULL: all." },
    /* what is inside is known here; the tables add the rest */
    [UNION_ITEM_RULES] = {
        "item_rules", "item, rule, corpus",
        "SELECT item, kind, dataset FROM " FOUND_INSIDE " WHERE leak",
        "Which rules say of which items of benchmarks that another dataset (corpus; the item's own too) has them: "
        "kinds of pairs (`pair`, and no corpus, where the pairs are in a file), what is found inside documents, n-gram "
        "rules.  An item has a row for each place." },
    [UNION_NUMBERS] = {
        "rule_numbers", "kind, rule, dataset, field, corpus, items, flagged, percent, mean, allowed, outcome",
        "SELECT '', '', '', '', '', 0, NULL, NULL, NULL, NULL, NULL WHERE 0",
        "What each rule found of each benchmark (or source of a gate) in each corpus: items that it was asked of, "
        "those it flags, in percent of all items, or the mean of what it says; of gates what is allowed and the "
        "outcome." },
};

static int part_append(struct bytes *out, const struct graph_table *const *tables, enum graph_union which)
{
    int rc = 0;

    for (; *tables && rc == 0; tables++)
        if ((*tables)->part[which]) rc = bytes_printf(out, "\n    UNION ALL %s", (*tables)->part[which]);
    return rc;
}

int graph_unions_create(const struct graph_table *const *base, const struct graph_table *const *tables, bool temporary,
                        struct bytes *out)
{
    int rc = 0;

    for (enum graph_union i = 0; i < GRAPH_UNIONS && rc == 0; i++) {
        const struct graph_view *view = &graph_unions[i];

        rc = bytes_printf(out, "CREATE %sVIEW %s (%s) AS\n    %s", temporary ? "TEMP " : "", view->name, view->columns,
                          view->select);
        if (rc == 0) rc = part_append(out, base, i);
        if (rc == 0) rc = part_append(out, tables, i);
        if (rc == 0) rc = bytes_printf(out, ";\n");
    }
    return rc;
}
