/* clean/columns.c -- what rules may ask, gathered from the capabilities; see clean.h. */
#include "clean/clean.h"

#include "graph/read.h"

#include <assert.h>

void clean_columns_list(struct clean_columns *out, const struct config *config)
{
    *out = (struct clean_columns){ .pairs_most = UINT64_MAX };
    for (size_t t = 0; t < config->task_count; t++) {
        const struct rule_source *rules = &config->task[t].of->rules;
        const uint64_t            most = rules->pairs_most ? rules->pairs_most(config) : UINT64_MAX;

        if (most < out->pairs_most) out->pairs_most = most;
        for (const struct rule_column *c = rules->columns; c && c->name; c++) {
            assert(out->count < CLEAN_COLUMNS_MAX);
            out->at[out->count] = c;
            out->of[out->count] = &config->task[t];
            if (c->traits & RULE_OF_PAIRS) out->of_pairs |= 1ull << out->count;
            if (c->traits & RULE_OF_LINES) out->of_lines |= 1ull << out->count;
            out->name[out->count++] = c->name;
        }
    }
}

const char *clean_column_lacks(const struct clean_columns *columns, size_t c)
{
    const struct task        *task = columns->of[c];
    const struct rule_source *source = &task->of->rules;

    if (!source->lacks) return task->on ? NULL : task->of->key;
    return source->lacks(task->config, (size_t)(columns->at[c] - source->columns));
}

/* ---- their values ---- */

/* Whose columns are asked for: only their tables are read. */
static bool is_asked(const struct clean_columns *columns, uint64_t asked, const struct task *task)
{
    for (size_t c = 0; c < columns->count; c++)
        if (columns->of[c] == task && asked >> c & 1) return true;
    return false;
}

int clean_columns_query(const struct clean_columns *columns, uint64_t asked, const char *head, struct bytes *out,
                        struct err *err)
{
    static const char    end[] = " WHERE s.dataset = ?1 ORDER BY s.id";
    const struct config *config = columns->count ? columns->of[0]->config : NULL;
    const struct task   *task = config ? config->task : NULL, *last = config ? task + config->task_count : NULL;
    const char          *before = "WITH ";
    int                  rc = 0;

    for (const struct task *t = task; t < last && rc == 0; t++) {
        if (!t->of->rules.tables || !is_asked(columns, asked, t)) continue;
        rc = bytes_printf(out, "%s%s", before, t->of->rules.tables);
        before = ", ";
    }
    if (rc == 0) rc = bytes_printf(out, " SELECT %s", head);
    for (size_t c = 0; c < columns->count && rc == 0; c++)
        rc = bytes_printf(out, ", %s", asked >> c & 1 ? columns->at[c]->sql : "0");
    if (rc == 0) rc = bytes_printf(out, " FROM snippets AS s");
    for (const struct task *t = task; t < last && rc == 0; t++)
        if (t->of->rules.join && is_asked(columns, asked, t)) rc = bytes_printf(out, " %s", t->of->rules.join);
    if (rc == 0) rc = bytes_append(out, end, sizeof end);
    return rc < 0 ? err_memory(err, out->len, "a query") : 0;
}

/* ---- are all pairs there? ---- */

static const char most_pairs_sql[] =
    "SELECT max(pairs) FROM (SELECT count(*) AS pairs FROM (SELECT a AS id FROM edges WHERE pass = 'near' UNION ALL "
    "SELECT b FROM edges WHERE pass = 'near')"
    "                        GROUP BY id)";

int clean_columns_check(const struct clean_columns *columns, const struct rule *rule, sqlite3 *db, struct err *err)
{
    const char *else_ask = rule ? "let the rule ask for `matches`" : "compare fewer datasets at a time";
    uint64_t    most;
    bool        aside;
    int         rc;

    if (rule && !(rule_columns(rule) & columns->of_pairs)) return 0;
    rc = graph_run_says(db, "edges_file", &aside, err);
    if (rc == 0 && aside)
        return err_set(err, -EINVAL, "the pairs are too many for graph.db and lie in files beside it; %s", else_ask);
    if (rc == 0) rc = graph_count(db, most_pairs_sql, &most, err);
    if (rc == 0 && most >= columns->pairs_most)
        rc = err_set(err, -EINVAL, "a document has %llu pairs, and graph.db may not have all of its pairs; set "
                                   "near_duplicates.pairs to all and near_duplicates.max_matches above that, or %s",
                     (unsigned long long)most, else_ask);
    return rc;
}
