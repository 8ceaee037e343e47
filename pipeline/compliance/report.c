/* compliance/report.c -- see report.h. */
#include "compliance/report.h"

#include "graph/read.h"
#include "report/query_table.h"

enum { CASES = 10 };                                        /* shown with both texts */

static const struct query_column model_columns[] = {
    { "answers_of", "answers of", CELL_NAME }, { "answers", "answers", CELL_COUNT },
    { "benchmark", "functions asked", CELL_COUNT }, { "striking", "strikingly similar", CELL_COUNT },
    { "percent", "of those asked", CELL_PERCENT }, { "accuracy", "licence right", CELL_SHARE },
    { "permissive", "permissive", CELL_COUNT }, { "accuracy_permissive", "licence right", CELL_SHARE },
    { "copyleft", "copyleft", CELL_COUNT }, { "accuracy_copyleft", "licence right", CELL_SHARE },
    { "lico", "LICO", CELL_SHARE },
};
static const struct query_table models = { "models", "compliance_models", model_columns, 11, 0, NULL };

static const struct query_column limit_columns[] = {
    { "answers_of", "answers of", CELL_NAME }, { "similarity", "similarity", CELL_COUNT },
    { "comments", "comments", CELL_COUNT }, { "lines", "lines", CELL_COUNT },
    { "complexity", "complexity", CELL_COUNT }, { "all", "strikingly similar", CELL_COUNT },
};
static const struct query_table limits = { "limits", "compliance_limits", limit_columns, 6, 0, NULL };

static const struct query_column distribution_columns[] = {
    { "answers_of", "answers of", CELL_NAME }, { "0.0", "0", CELL_COUNT }, { "0.1", "0.1", CELL_COUNT },
    { "0.2", "0.2", CELL_COUNT }, { "0.3", "0.3", CELL_COUNT }, { "0.4", "0.4", CELL_COUNT },
    { "0.5", "0.5", CELL_COUNT }, { "0.6", "0.6", CELL_COUNT }, { "0.7", "0.7", CELL_COUNT },
    { "0.8", "0.8", CELL_COUNT }, { "0.9", "0.9", CELL_COUNT },
};
static const struct query_table distribution = {
    "distribution", "compliance_distribution", distribution_columns, 11, 0, NULL,
};

static const struct query_column metric_columns[] = {
    { "answers_of", "answers of", CELL_NAME }, { "metric", "metric", CELL_TEXT }, { "least", "least", CELL_SHARE },
    { "median", "median", CELL_SHARE }, { "mean", "mean", CELL_SHARE }, { "most", "most", CELL_SHARE },
};
static const struct query_table metrics = { "metrics", "compliance_metrics", metric_columns, 6, 0, NULL };

/* Three digits, however small it is. */
#define SMALL(p) "iif(" p " IS NULL, '', printf('%.3g', " p "))"

static const struct query_column population_columns[] = {
    { "metric", "metric", CELL_TEXT }, { "answers_of", "answers of", CELL_NAME }, { "least", "least", CELL_SHARE },
    { "median", "median", CELL_SHARE }, { "mean", "mean", CELL_SHARE }, { "most", "most", CELL_SHARE },
    { "other", "answers of", CELL_NAME }, { "least_other", "least", CELL_SHARE },
    { "median_other", "median", CELL_SHARE }, { "mean_other", "mean", CELL_SHARE },
    { "most_other", "most", CELL_SHARE },
    { "p", "p", CELL_TEXT }, { "delta", "Cliff's delta", CELL_SHARE }, { "level", "level", CELL_TEXT },
};
static const struct query_table populations = {
    "populations", "(SELECT metric, answers_of, least, median, mean, most, other, least_other, median_other, "
    "mean_other, most_other, " SMALL("p") " AS p, delta, level FROM compliance_populations)", population_columns, 14, 0,
    NULL,
};

static const struct query_column striking_columns[] = {
    { "answers_of", "answers of", CELL_NAME }, { "metric", "metric", CELL_TEXT },
    { "median", "median of the similar", CELL_SHARE }, { "median_other", "of the others", CELL_SHARE },
    { "p", "p", CELL_TEXT }, { "delta", "Cliff's delta", CELL_SHARE }, { "level", "level", CELL_TEXT },
};
static const struct query_table striking = {
    "striking", "(SELECT answers_of, metric, median, median_other, " SMALL("p") " AS p, delta, level FROM "
    "compliance_differences WHERE other IS NULL ORDER BY rowid)", striking_columns, 7, 0, NULL,
};

#define SAID(key) "(SELECT value FROM run WHERE key = 'compliance." key "')"

/* What is strikingly similar, in the run's own limits. */
static int limits_tell(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    static const char sql[] =
        "SELECT 'An answer is strikingly similar when BLEU, Jaccard or edit similarity is above ' || "
        SAID("similarity") " || iif(" SAID("comments") " = 'off', '', printf(', it has more than %s comments of the "
        "function that the prompt has not', " SAID("comments") ")) || iif((SELECT value FROM run WHERE key = 'compat') "
        "= 'published', '', printf(', and the function has more than %s lines and a cyclomatic complexity above %s', "
        SAID("lines") ", " SAID("complexity") ")) || '. Edits are counted over ' || iif(" SAID("edit_tokens") " = '', "
        "'tokens of Python''s lexer', 'the tokens of ' || " SAID("edit_tokens") ") || '.'";
    sqlite3_stmt *query = NULL;
    int           rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_step(query, err);
    if (rc == 1) {
        const struct slice text = graph_text(query, 0);

        report_paragraph(out, section, "%.*s", (int)text.len, text.at);
    }
    graph_finish(query);
    return rc < 0 ? rc : 0;
}

/* Reference and answer one below the other. */
static int cases_tell(struct report_document *out, struct report_node *section, sqlite3 *db, struct err *err)
{
    static const char   sql[] = "SELECT name, answers_of, most, license, named, reference, answer FROM "
                                "compliance_cases WHERE reference IS NOT NULL AND answer IS NOT NULL AND place <= ?1";
    struct report_node *list = NULL;
    sqlite3_stmt       *query = NULL;
    int                 rc = graph_prepare(db, &query, sql, err);

    if (rc == 0) rc = graph_bind_number(query, 1, CASES, err);
    while (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice  of = graph_text(query, 1), license = graph_text(query, 3), named = graph_text(query, 4);
        struct report_node *one;

        if (!list) list = report_list(out, section, "cases");
        one = report_section(out, list, NULL, graph_text(query, 0));
        report_paragraph(out, one, "%.*s; largest similarity %.3f; licence %.*s, named: %.*s", (int)of.len, of.at,
                         graph_real(query, 2), license.len ? (int)license.len : 9,
                         license.len ? license.at : "not known", named.len ? (int)named.len : 4,
                         named.len ? named.at : "none");
        report_code(out, one, "reference", SLICE("Function"), SLICE("python"), graph_text(query, 5));
        report_code(out, one, "answer", SLICE("Answer"), SLICE("python"), graph_text(query, 6));
        rc = 0;
    }
    graph_finish(query);
    return rc;
}

static int table_add(struct report_document *out, struct report_node *section, sqlite3 *db,
                     const struct query_table *table, const char *what, struct err *err)
{
    struct query_rows rows;

    report_paragraph(out, section, "%s", what);
    return query_table_add(out, section, db, table, &rows, err);
}

int compliance_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    struct report_node *section;
    uint64_t            groups, cases = 0, rest = 0, rejected = 0;
    int                 rc = graph_count(db, "SELECT count(*) FROM compliance_groups", &groups, err);

    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM compliance_cases", &cases, err);
    if (rc == 0) rc = graph_count(db, "SELECT count(*) FROM compliance_differences WHERE other IS NULL", &rest, err);
    if (rc == 0)
        rc = graph_count(db, "SELECT value FROM run WHERE key = 'compliance.rejected' AND value > 0", &rejected, err);
    if (rc < 0 || !groups) return rc;
    section = report_section(out, out->root, "compliance", SLICE("Licence compliance"));
    if (rejected)
        report_paragraph(out, section, "%llu record%s no function, or no answer, that could be read, and %s not "
                         "counted here.", (unsigned long long)rejected, rejected == 1 ? " was" : "s were",
                         rejected == 1 ? "is" : "are");
    rc = limits_tell(out, section, db, err);
    if (rc == 0)
        rc = table_add(out, section, db, &models, "LICO is (1 - N + 2 right of permissive + 4 right of copyleft) / 7, "
                       "N being the strikingly similar answers by the functions asked; licences count only where an "
                       "answer is strikingly similar (Xu et al. 2025).", err);
    if (rc == 0) rc = table_add(out, section, db, &limits, "How many answers pass each limit:", err);
    if (rc == 0) rc = table_add(out, section, db, &distribution, "And have their largest similarity from:", err);
    if (rc == 0) rc = table_add(out, section, db, &metrics, "Functions and answers:", err);
    if (rc == 0 && groups > 1)
        rc = table_add(out, section, db, &populations, "The first beside the others; p is Mann-Whitney's:", err);
    if (rc == 0 && rest)
        rc = table_add(out, section, db, &striking, "Strikingly similar answers and the others:", err);
    if (rc == 0 && cases) report_paragraph(out, section, "The most alike; view compliance_cases has all:");
    return rc < 0 ? rc : cases_tell(out, section, db, err);
}
