/* cmd/compare_items.c -- see compare_items.h. */
#include "cmd/compare_items.h"

#include "clean/clean.h"
#include "cmd/folder.h"
#include "config/capabilities.h"
#include "config/config.h"
#include "graph/item_pairs.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ROW_ID, ROW_LANGUAGE, ROW_NUMBER, ROW_SPLIT, ROW_COLUMNS };
#define ROW_HEAD "s.source_id, s.language, s.id_within_dataset, s.split_within_dataset"

/* What is asked of an open run. */
struct asking {
    const struct compare_choice *choice;
    sqlite3                     *db;
    struct config                config;
    bool                         parsed;                    /* config is to be freed */
    struct clean_columns         columns;
    struct rule                 *rule;
};

/* ---- what there is ---- */

static int configuration_read(struct asking *a, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(a->db, &query, "SELECT value FROM run WHERE key = 'configuration'", err);

    if (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice value = graph_text(query, 0);

        a->parsed = true;
        rc = config_parse(&a->config, "configuration in graph.db", value.at, value.len, ".", NULL, 0, err);
    } else if (rc == 0) rc = err_set(err, -EBADMSG, "%s: its graph.db has no configuration", a->choice->run);
    graph_finish(query);
    return rc;
}

/* Names that a query gives, joined, as far as there is room. */
static int names_list(sqlite3 *db, const char *sql, const char *of, char *out, size_t room, struct err *err)
{
    sqlite3_stmt *query;
    size_t        at = 0;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0 && of) rc = graph_bind_text(query, 1, slice_of(of), err);
    *out = '\0';
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        struct slice name = graph_text(query, 0);

        rc = 0;
        if (at < room - 64) at += (size_t)snprintf(out + at, room - at, "%s%.*s", at ? ", " : "",
                                                   (int)(name.len < 40 ? name.len : 40), name.at);
    }
    graph_finish(query);
    return rc;
}

static int count_of(const struct asking *a, const char *sql, const char *second, uint64_t *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(a->db, &query, sql, err);

    *out = 0;
    if (rc == 0) rc = graph_bind_text(query, 1, slice_of(a->choice->benchmark), err);
    if (rc == 0 && second) rc = graph_bind_text(query, 2, slice_of(second), err);
    if (rc == 0 && (rc = graph_step(query, err)) == 1) *out = graph_number(query, 0);
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

static int benchmark_check(const struct asking *a, struct err *err)
{
    const struct compare_choice *c = a->choice;
    char                         known[512];
    uint64_t                     count;
    int                          rc;

    rc = count_of(a, "SELECT count(*) FROM datasets WHERE id = ?1 AND role = 'benchmark'", NULL, &count, err);
    if (rc == 0 && !count) {
        rc = names_list(a->db, "SELECT id FROM datasets WHERE role = 'benchmark'", NULL, known, sizeof known, err);
        if (rc == 0)
            rc = err_set(err, -EINVAL, "compare: %s has no benchmark `%s`; it has %s", c->run, c->benchmark,
                         *known ? known : "none");
    }
    if (rc < 0 || !c->split) return rc;
    rc = count_of(a, "SELECT count(*) FROM splits WHERE dataset = ?1 AND split = ?2", c->split, &count, err);
    if (rc < 0 || count) return rc;
    rc = names_list(a->db, "SELECT split FROM splits WHERE dataset = ?1 GROUP BY split ORDER BY min(rowid)",
                    c->benchmark, known, sizeof known, err);
    return rc < 0 ? rc : err_set(err, -EINVAL, "compare: %s has no split `%s`; it has %s", c->benchmark, c->split,
                                 *known ? known : "none");
}

/* ---- the rule ---- */

/* The columns that this run can be asked. */
static void columns_known(const struct asking *a, char *out, size_t room)
{
    size_t at = 0;

    *out = '\0';
    for (size_t c = 0; c < a->columns.count && at < room - 64; c++)
        if (!clean_column_lacks(&a->columns, c))
            at += (size_t)snprintf(out + at, room - at, "%s%s", at ? ", " : "", a->columns.name[c]);
}

static int rule_read(struct asking *a, struct err *err)
{
    const char *text = a->choice->rule ? a->choice->rule : "leaked", *lacks;
    struct err  reason = { 0 };
    char        known[700];
    int         rc;

    clean_columns_list(&a->columns, &a->config);
    rc = rule_parse(&a->rule, text, a->columns.name, &reason);
    if (rc < 0) return err_set(err, rc, "compare: --leaked: %.500s", reason.text);
    columns_known(a, known, sizeof known);
    for (size_t c = 0; c < a->columns.count; c++) {
        if (!(rule_columns(a->rule) >> c & 1) || !(lacks = clean_column_lacks(&a->columns, c))) continue;
        return err_set(err, -EINVAL, "compare: --leaked: `%s` needs %s, which this run has not; it has %s",
                       a->columns.name[c], lacks, *known ? known : "no columns");
    }
    return 0;
}

/* Corpora of which graph.db has fewer items with a pair than were counted: an item that is there by a pair that was
 * left out would be clean. */
static const char lost_sql[] =
    "SELECT count(*) FROM overlap AS o JOIN datasets AS s ON s.id = o.source JOIN datasets AS t ON t.id = o.target "
    "WHERE o.source = ?1 AND t.role = 'corpus' AND o.split = '' AND o.target_split = '' AND o.language = '' AND "
    GRAPH_ITEMS_LOST(GRAPH_BETWEEN_DATASETS);

/* That an item has a pair is enough for `leaked`; for other rules all have to be there.  `matches` is no way out, as it
 * counts pairs inside the benchmark, so the check is not told of a rule that could ask it. */
static int pairs_check(const struct asking *a, struct err *err)
{
    uint64_t   lost = 0;
    struct err strict = { 0 };
    int        rc;

    if (!(rule_columns(a->rule) & a->columns.of_pairs)) return 0;
    rc = clean_columns_check(&a->columns, NULL, a->db, &strict);
    if (rc != -EINVAL) {
        if (rc < 0) *err = strict;
        return rc;
    }
    if (a->choice->rule && strcmp(a->choice->rule, "leaked") != 0)
        return err_set(err, rc, "compare: --leaked: %.900s", strict.text);
    rc = count_of(a, lost_sql, NULL, &lost, err);
    return rc < 0 || !lost ? rc : err_set(err, -EINVAL, "compare: --leaked: %.900s", strict.text);
}

/* ---- the items ---- */

static int item_take(const struct asking *a, sqlite3_stmt *row, struct score_items *items, struct err *err)
{
    double value[CLEAN_COLUMNS_MAX];

    if (a->choice->split && !slice_equal(graph_text(row, ROW_SPLIT), slice_of(a->choice->split))) return 0;
    for (size_t c = 0; c < a->columns.count; c++) value[c] = graph_real(row, ROW_COLUMNS + (int)c);
    return score_items_add(items, (struct score_item){ .id = graph_text(row, ROW_ID),
                                                       .language = graph_text(row, ROW_LANGUAGE),
                                                       .number = graph_number(row, ROW_NUMBER),
                                                       .leaked = rule_holds(a->rule, value) }, err);
}

static int items_read(struct asking *a, struct score_items *items, struct err *err)
{
    struct bytes  sql = { 0 };
    sqlite3_stmt *row = NULL;
    uint64_t      counted;
    int           rc = clean_columns_query(&a->columns, rule_columns(a->rule), ROW_HEAD, &sql, err);

    if (rc == 0) rc = graph_prepare(a->db, &row, sql.at, err);
    if (rc == 0) rc = graph_bind_text(row, 1, slice_of(a->choice->benchmark), err);
    while (rc == 0 && (rc = graph_step(row, err)) == 1) rc = item_take(a, row, items, err);
    graph_finish(row);
    bytes_free(&sql);
    if (rc == 0) rc = count_of(a, "SELECT sum(documents) FROM splits WHERE dataset = ?1 AND (?2 IS NULL OR split = "
                                  "?2)", a->choice->split, &counted, err);
    if (rc == 0 && counted > items->count)
        rc = err_set(err, -EINVAL, "compare: of %llu items of %s graph.db has %zu: this run did not keep them all",
                     (unsigned long long)counted, a->choice->benchmark, items->count);
    return rc;
}

/* ---- were they compared? ---- */

#define RUN_SAYS(key) "SELECT ifnull((SELECT CAST(value AS INTEGER) FROM run WHERE key = '" key ".compared.' || ?1), 0)"

/* Items that a column looked at; false: the run does not say. */
static bool compared_by(const struct asking *a, size_t column, const char **sql, const char **split)
{
    const char *name = a->columns.of[column]->of->name;

    *split = NULL;
    if (strcmp(name, "clonetypes") == 0) *sql = RUN_SAYS("clone_types");
    else if (strcmp(name, "passages") == 0) *sql = RUN_SAYS("passages");
    else if (strcmp(name, "near") == 0) {
        *sql = "SELECT ifnull(sum(admitted), 0) FROM splits WHERE dataset = ?1 AND (?2 IS NULL OR split = ?2)";
        *split = a->choice->split;
    } else return false;
    return true;
}

/* The most that a column of the rule looked at.  `leaked` counts passages too. */
static int compared_count(const struct asking *a, uint64_t *out, struct err *err)
{
    uint64_t count;
    int      rc = 0;

    *out = 0;
    for (size_t c = 0; c < a->columns.count && rc == 0; c++) {
        const char *sql, *split;

        if (!(rule_columns(a->rule) >> c & 1)) continue;
        if (!compared_by(a, c, &sql, &split)) {
            *out = UINT64_MAX;
            break;
        }
        rc = count_of(a, sql, split, &count, err);
        if (rc == 0 && count > *out) *out = count;
        if (rc == 0 && strcmp(a->columns.name[c], "leaked") == 0)
            rc = count_of(a, RUN_SAYS("passages"), NULL, &count, err);
        if (rc == 0 && count > *out) *out = count;
    }
    return rc;
}

/* An item that nothing looked at is not clean; one that leaked all the same, as a copy, was looked at. */
static int compared_check(const struct asking *a, const struct score_items *items, uint64_t *compared,
                          struct err *err)
{
    uint64_t leaked = 0;
    int      rc = compared_count(a, compared, err);

    for (size_t i = 0; i < items->count; i++) leaked += items->at[i].leaked;
    if (rc < 0 || *compared == UINT64_MAX) return rc;
    if (*compared < leaked) *compared = leaked;
    if (*compared > items->count) *compared = items->count;
    return *compared || !items->count ? 0
        : err_set(err, -EINVAL, "compare: of %zu items of %s none was compared for `%.200s` (too short, or nothing "
                  "looked for it): none is known to be clean", items->count, a->choice->benchmark,
                  a->choice->rule ? a->choice->rule : "leaked");
}

int compare_items_read(const struct compare_choice *choice, struct score_items *items, struct compare_found *found,
                       struct err *err)
{
    struct asking a = { .choice = choice };
    char          path[FILE_NAME_MAX];
    int           rc = folder_find_graph(choice->run, path, err);

    *found = (struct compare_found){ 0 };
    if (rc == 0) rc = graph_open(&a.db, path, err);
    if (rc == 0) rc = graph_define_views(a.db, capability_tables(), err);
    if (rc == 0) rc = configuration_read(&a, err);
    if (rc == 0) rc = benchmark_check(&a, err);
    if (rc == 0) rc = rule_read(&a, err);
    if (rc == 0) rc = pairs_check(&a, err);
    if (rc == 0) rc = items_read(&a, items, err);
    if (rc == 0) rc = compared_check(&a, items, &found->compared, err);
    if (rc == 0) rc = count_of(&a, "SELECT sum(rejected) FROM splits WHERE dataset = ?1", NULL, &found->rejected, err);
    rule_free(a.rule);
    if (a.parsed) config_free(&a.config);
    graph_close(a.db);
    return rc;
}
