/* probe/seen.c -- see seen.h. */
#include "probe/seen.h"

#include "graph/read.h"
#include "stats/adjust.h"

#include <math.h>
#include <stdlib.h>

static const char orders_sql[] =
    "SELECT o.dataset, m.name, o.permutation, o.items, o.logprob FROM probe_orders AS o JOIN models AS m ON m.id = "
    "o.model JOIN datasets AS d ON d.id = o.dataset ORDER BY d.rowid, o.model, o.shard, o.permutation";

/* The rows of the last benchmark and model. */
struct orders { double *logprob; size_t count, room, shards; };

/* Shards of which some have fewer orders than others tell nothing: nobody but another program makes them. */
static void flush(struct seen_list *list, struct orders *orders)
{
    const size_t each = orders->shards ? orders->count / orders->shards : 0;

    if (list->count)
        order_test(orders->logprob, each * orders->shards == orders->count ? orders->shards : 0, each ? each - 1 : 0,
                   &list->at[list->count - 1].test);
    orders->count = orders->shards = 0;
}

static int row_take(struct seen_list *list, struct orders *orders, sqlite3_stmt *query, struct err *err)
{
    struct seen *last = list->count ? &list->at[list->count - 1] : NULL;

    if (!last || !slice_equal(last->benchmark, graph_text(query, 0)) ||
        !slice_equal(last->model, graph_text(query, 1))) {
        flush(list, orders);
        if (ARRAY_GROW(list->at, list->room, list->count) < 0) return err_memory(err, sizeof *list->at, "orders");
        last = &list->at[list->count++];
        *last = (struct seen){ .holm = NAN };
        if (pool_copy(&list->pool, graph_text(query, 0), &last->benchmark) < 0 ||
            pool_copy(&list->pool, graph_text(query, 1), &last->model) < 0) return err_memory(err, 64, "orders");
    }
    if (ARRAY_GROW(orders->logprob, orders->room, orders->count) < 0)
        return err_memory(err, orders->count * sizeof *orders->logprob, "orders");
    orders->logprob[orders->count++] = graph_real(query, 4);
    if (graph_number(query, 2) == 0) {
        orders->shards++;
        last->items += graph_number(query, 3);
    }
    return 0;
}

static int adjust(struct seen_list *list, struct err *err)
{
    double *p = malloc((2 * list->count + 1) * sizeof *p), *const holm = p + list->count;
    int     rc = p ? 0 : err_memory(err, list->count * sizeof *p, "p-values");

    for (size_t i = 0; i < list->count && rc == 0; i++) p[i] = list->at[i].test.p;
    if (rc == 0 && holm_adjust(p, list->count, holm) < 0) rc = err_memory(err, list->count * sizeof *p, "p-values");
    for (size_t i = 0; i < list->count && rc == 0; i++) list->at[i].holm = holm[i];
    free(p);
    return rc;
}

int seen_read(struct seen_list *out, sqlite3 *db, struct err *err)
{
    struct orders orders = { .count = 0 };
    sqlite3_stmt *query;
    int           rc = graph_prepare(db, &query, orders_sql, err);

    *out = (struct seen_list){ .count = 0 };
    while (rc == 0 && (rc = graph_step(query, err)) == 1) rc = row_take(out, &orders, query, err);
    graph_finish(query);
    flush(out, &orders);
    free(orders.logprob);
    return rc < 0 ? rc : adjust(out, err);
}

void seen_free(struct seen_list *list)
{
    free(list->at);
    pool_free(&list->pool);
    *list = (struct seen_list){ .count = 0 };
}

static const struct report_column columns[] = {
    { "benchmark", "benchmark" }, { "model", "model" }, { "items", "items" }, { "shards", "shards" },
    { "permutations", "permutations" }, { "gain", "gain of a shard" }, { "t", "t" }, { "p", "p" },
    { "p_holm", "Holm" }, { "p_orders", "p by orders" },
};

static struct report_cell cell_of(double value, struct report_cell cell)
{
    return isfinite(value) ? cell : (struct report_cell){ .kind = REPORT_NOTHING };
}

int seen_add(struct report_document *out, struct report_node *section, sqlite3 *db, size_t *count, struct err *err)
{
    struct seen_list    list;
    struct report_node *table;
    int                 rc = seen_read(&list, db, err);

    *count = list.count;
    if (rc == 0 && list.count) {
        report_paragraph(out, section, "Was a benchmark seen as a whole? Its items as they stand against the same "
            "shuffled, in shards: gain is by how many nats a shard as it stands is the more probable, t and p those of "
            "the shards' gains (one-sided; Holm's over the rows here), p by orders the share of shuffles of the whole "
            "that are as probable. A small p says that the order is known, where the items could as well stand in "
            "another one: of a benchmark sorted by length, time or subject it says nothing.");
        table = report_table(out, section, "orders", columns, sizeof columns / sizeof *columns);
        for (size_t i = 0; i < list.count; i++) {
            const struct seen       *s = &list.at[i];
            const struct order_test *t = &s->test;

            report_row(out, table, (const struct report_cell[]){
                report_cell_name(s->benchmark), report_cell_name(s->model), report_cell_count(s->items),
                report_cell_count(t->shards), report_cell_count(t->shuffles),
                cell_of(t->gain, report_cell_share(t->gain)), cell_of(t->t, report_cell_share(t->t)),
                cell_of(t->p, report_cell_number(t->p)), cell_of(s->holm, report_cell_number(s->holm)),
                cell_of(t->p_orders, report_cell_number(t->p_orders)) });
        }
    }
    seen_free(&list);
    return rc;
}
