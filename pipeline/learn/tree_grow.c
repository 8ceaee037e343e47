/* learn/tree_grow.c -- grows a tree; see tree.h.
 *
 * The rows of a node are a range, the same in a list for each column, in which they stand in the order of that column's
 * values.  So a split is found by one walk and no sorting; then each list's range is parted, and its order kept. */
#include "learn/tree.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- the data by column ---- */

static int by_value(const void *a, const void *b, void *column)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const double  *value = column, vx = value[x], vy = value[y];

    return vx != vy ? (vx > vy) - (vx < vy) : (x > y) - (x < y);
}

int learn_tree_data_make(const struct learn_data *from, struct tree_data *out, struct err *err)
{
    const size_t cells = from->rows * from->columns;

    *out = (struct tree_data){ .rows = from->rows, .columns = from->columns,
                               .value = malloc(cells * sizeof *out->value),
                               .order = malloc(cells * sizeof *out->order) };
    if (!out->value || !out->order) {
        learn_tree_data_free(out);
        return err_memory(err, cells * (sizeof *out->value + sizeof *out->order), "rows by column");
    }
    for (size_t c = 0; c < from->columns; c++) {
        double   *value = out->value + c * from->rows;
        uint32_t *order = out->order + c * from->rows;

        for (size_t r = 0; r < from->rows; r++) value[r] = learn_row(from, r)[c], order[r] = (uint32_t)r;
        qsort_r(order, from->rows, sizeof *order, by_value, value);
    }
    return 0;
}

void learn_tree_data_free(struct tree_data *d)
{
    free(d->value);
    free(d->order);
    *d = (struct tree_data){ 0 };
}

/* ---- a tree in the making ---- */

struct part { double weight, sum; };
struct range { uint32_t begin, end, depth, parent; bool right; };           /* a node that is to be made */
struct split { double gain, threshold; size_t column; uint32_t middle; bool found; };      /* column: of the list */

struct grower {
    const struct tree_data    *data;
    const struct tree_target  *target;
    const struct tree_options *options;
    struct random             *random;
    uint32_t     *column;                                   /* those of the tree; permuted where some are drawn */
    size_t        columns;
    uint32_t      rows;
    uint32_t     *order;                                    /* columns * rows: what the lists are in */
    uint32_t    **list;                                     /* of a column, by place in `column`; permuted with it */
    uint32_t     *spare;
    uint8_t      *is_left;                                  /* by row of the data */
    struct range *waiting;
    struct learn_tree   tree;
    size_t        waiting_room, waiting_count, node_room;
};

static double score(const struct tree_options *o, struct part p)
{
    double one = p.weight > 0 ? p.sum / p.weight : 0, bits = 0;

    if (o->split == TREE_SECOND_ORDER) return p.weight < o->min_weight ? 0 : p.sum * p.sum / (p.weight + o->lambda);
    if (o->split == TREE_GINI) return -2 * p.weight * one * (1 - one);
    if (one > 0) bits -= one * log2(one);
    if (one < 1) bits -= (1 - one) * log2(1 - one);
    return -p.weight * bits;
}

static double leaf_value(const struct tree_options *o, struct part p)
{
    if (o->split == TREE_SECOND_ORDER) return p.weight < o->min_weight ? 0 : p.sum / (p.weight + o->lambda);
    return p.sum / p.weight;
}

/* The place between two neighbours that the lower is not above and the higher is. */
static double middle(double low, double high)
{
    double t = low / 2 + high / 2;

    return t >= low && t < high ? t : low;
}

/* The best split of the range by a column, if it is better than *best.  Whether the column differs at all. */
static bool try_column(const struct grower *g, const struct range *r, struct part whole, double before, size_t place,
                       struct split *best)
{
    const struct tree_options *o = g->options;
    const double   *value = g->data->value + g->column[place] * g->data->rows;
    const uint32_t *row = g->list[place];
    struct part     left = { 0, 0 };

    if (value[row[r->begin]] == value[row[r->end - 1]]) return false;
    for (uint32_t i = r->begin; i + 1 < r->end; i++) {
        struct part right;
        double      gain;

        left.weight += g->target->weight[row[i]];
        left.sum += g->target->sum[row[i]];
        if (value[row[i]] == value[row[i + 1]]) continue;
        if (i + 1 - r->begin < o->min_rows_leaf || r->end - i - 1 < o->min_rows_leaf) continue;
        right = (struct part){ whole.weight - left.weight, whole.sum - left.sum };
        if (o->split == TREE_SECOND_ORDER && (left.weight < o->min_weight || right.weight < o->min_weight)) continue;
        gain = score(o, left) + score(o, right) - before;
        if (best->found && !(gain > best->gain)) continue;
        *best = (struct split){ .gain = gain, .threshold = middle(value[row[i]], value[row[i + 1]]),
                                .column = place, .middle = i + 1, .found = true };
    }
    return true;
}

static void swap_columns(struct grower *g, size_t a, size_t b)
{
    uint32_t  column = g->column[a];
    uint32_t *list = g->list[a];

    g->column[a] = g->column[b];
    g->column[b] = column;
    g->list[a] = g->list[b];
    g->list[b] = list;
}

static struct split find_split(struct grower *g, const struct range *r, struct part whole)
{
    const size_t wanted = g->options->max_columns;
    const double before = score(g->options, whole);
    struct split best = { 0 };
    bool         differs = false;

    if (wanted == 0) {
        for (size_t i = 0; i < g->columns; i++) try_column(g, r, whole, before, i, &best);
        return best;
    }
    for (size_t i = 0; i < g->columns && (i < wanted || !differs); i++) {
        swap_columns(g, i, i + (size_t)random_below(g->random, g->columns - i));
        differs |= try_column(g, r, whole, before, i, &best);
    }
    return best;
}

static void part_lists(struct grower *g, const struct range *r, const struct split *s)
{
    for (uint32_t i = r->begin; i < r->end; i++) g->is_left[g->list[s->column][i]] = i < s->middle;
    for (size_t c = 0; c < g->columns; c++) {
        uint32_t *list = g->list[c], to = r->begin, others = 0;

        if (c == s->column) continue;
        for (uint32_t i = r->begin; i < r->end; i++) {
            uint32_t row = list[i];

            if (g->is_left[row]) list[to++] = row;
            else g->spare[others++] = row;
        }
        memcpy(list + to, g->spare, others * sizeof *list);
    }
}

/* Makes the node of a range, and leaves its children waiting. */
static int make_node(struct grower *g, struct range r)
{
    const struct tree_options *o = g->options;
    const uint32_t             self = g->tree.count;
    struct part                whole = { 0, 0 };
    struct split               s = { 0 };
    struct tree_node          *n;

    if (ARRAY_GROW(g->tree.node, g->node_room, self) < 0) return -ENOMEM;
    if (ARRAY_GROW(g->waiting, g->waiting_room, g->waiting_count + 1) < 0) return -ENOMEM;
    for (uint32_t i = r.begin; i < r.end; i++) {
        whole.weight += g->target->weight[g->list[0][i]];
        whole.sum += g->target->sum[g->list[0][i]];
    }
    g->tree.count++;
    n = g->tree.node + self;
    *n = (struct tree_node){ .column = -1, .value = leaf_value(o, whole), .weight = whole.weight,
                             .rows = r.end - r.begin };
    if (self > 0) *(r.right ? &g->tree.node[r.parent].right : &g->tree.node[r.parent].left) = self;
    if (o->max_depth && r.depth >= o->max_depth) return 0;
    if (n->rows < 2 || n->rows < o->min_rows_split) return 0;
    if (o->split != TREE_SECOND_ORDER && (whole.sum <= 0 || whole.sum >= whole.weight)) return 0;
    s = find_split(g, &r, whole);
    if (!s.found || (o->split == TREE_SECOND_ORDER && !(s.gain > o->min_gain))) return 0;
    n->column = (int32_t)g->column[s.column];
    n->threshold = s.threshold;
    n->gain = s.gain;
    part_lists(g, &r, &s);
    g->waiting[g->waiting_count++] = (struct range){ s.middle, r.end, r.depth + 1, self, true };
    g->waiting[g->waiting_count++] = (struct range){ r.begin, s.middle, r.depth + 1, self, false };
    return 0;
}

/* The lists of the rows that count, by column. */
static int prepare(struct grower *g)
{
    const struct tree_data *d = g->data;

    g->columns = g->target->column ? g->target->columns : d->columns;
    for (size_t r = 0; r < d->rows; r++) g->rows += g->target->weight[r] > 0;
    g->column = malloc(g->columns * sizeof *g->column);
    g->list = malloc(g->columns * sizeof *g->list);
    g->order = malloc(g->columns * g->rows * sizeof *g->order);
    g->spare = malloc(g->rows * sizeof *g->spare);
    g->is_left = malloc(d->rows);
    if (!g->column || !g->list || !g->order || !g->spare || !g->is_left) return -ENOMEM;
    for (size_t c = 0; c < g->columns; c++) {
        const uint32_t *from;
        uint32_t        to = 0;

        g->column[c] = g->target->column ? g->target->column[c] : (uint32_t)c;
        g->list[c] = g->order + c * g->rows;
        from = d->order + g->column[c] * d->rows;
        for (size_t i = 0; i < d->rows; i++)
            if (g->target->weight[from[i]] > 0) g->list[c][to++] = from[i];
    }
    return 0;
}

int learn_tree_grow(const struct tree_data *data, const struct tree_target *target, const struct tree_options *options,
              struct random *random, struct learn_tree *out, struct err *err)
{
    struct grower g = { .data = data, .target = target, .options = options, .random = random };
    int           rc = prepare(&g);

    if (rc == 0) rc = make_node(&g, (struct range){ .end = g.rows });
    while (rc == 0 && g.waiting_count > 0) rc = make_node(&g, g.waiting[--g.waiting_count]);
    free(g.column);
    free(g.list);
    free(g.order);
    free(g.spare);
    free(g.is_left);
    free(g.waiting);
    if (rc < 0) learn_tree_free(&g.tree);
    *out = g.tree;
    return rc < 0 ? err_memory(err, data->rows * data->columns * sizeof(uint32_t), "growing a tree") : 0;
}
