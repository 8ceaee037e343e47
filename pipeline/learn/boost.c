/* learn/boost.c -- see boost.h. */
#include "learn/boost.h"

#include "base/file.h"
#include "learn/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define SEED_MAX (UINT64_C(1) << 53)
#define GAIN_MIN 1e-6                                       /* XGBoost's: what gains less is noise of its sums */
#define WEIGHT_MIN 1e-16                                    /* of a row, also XGBoost's */

static bool is_share(double x) { return x > 0 && x <= 1; }

static int check_options(const struct boost_options *o, struct err *err)
{
    if (o->rounds == 0 || o->rounds > TREES_MAX) return err_set(err, -EINVAL, "boosting in %u rounds", o->rounds);
    if (!is_share(o->learning_rate) || !is_share(o->rows_share) || !is_share(o->columns_share))
        return err_set(err, -EINVAL, "learning rate, share of rows, share of columns: above 0, at most 1");
    if (!(o->lambda >= 0 && isfinite(o->lambda) && o->min_weight >= 0 && isfinite(o->min_weight)))
        return err_set(err, -EINVAL, "lambda and the least weight are 0 or more");
    if (o->lambda + o->min_weight <= 0) return err_set(err, -EINVAL, "lambda and the least weight are both 0");
    if (o->seed >= SEED_MAX) return err_set(err, -EINVAL, "the seed is not below 2^53");
    return 0;
}

static double logistic(double margin) { return 1 / (1 + exp(-margin)); }

/* ---- learning ---- */

struct booster {
    const struct learn_data *data;
    struct tree_data         by_column;
    double                  *margin, *weight, *sum;
    size_t                  *order;                         /* columns, to be shuffled */
    uint32_t                *column;                        /* those of a tree */
    size_t                   columns;
};

static int booster_make(struct booster *b, const struct learn_data *data, const struct boost_options *o,
                        struct err *err)
{
    *b = (struct booster){ .data = data, .columns = (size_t)(o->columns_share * (double)data->columns) };
    if (b->columns == 0) b->columns = 1;
    b->margin = calloc(data->rows, sizeof *b->margin);
    b->weight = calloc(data->rows, sizeof *b->weight);
    b->sum = calloc(data->rows, sizeof *b->sum);
    b->order = calloc(data->columns, sizeof *b->order);
    b->column = calloc(data->columns, sizeof *b->column);
    if (!b->margin || !b->weight || !b->sum || !b->order || !b->column)
        return err_memory(err, data->rows * 3 * sizeof *b->margin, "boosting");
    return learn_tree_data_make(data, &b->by_column, err);
}

static void booster_free(struct booster *b)
{
    learn_tree_data_free(&b->by_column);
    free(b->margin);
    free(b->weight);
    free(b->sum);
    free(b->order);
    free(b->column);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Rows and columns of the round's tree; at least one of each. */
static void draw(struct booster *b, const struct boost_options *o, uint32_t round)
{
    struct random random = random_start(o->seed, round);
    size_t        drawn = 0;

    while (drawn == 0)
        for (size_t r = 0; r < b->data->rows; r++) {
            const double p = logistic(b->margin[r]);
            const bool   in = o->rows_share >= 1 || random_unit(&random) < o->rows_share;

            b->weight[r] = in ? fmax(p * (1 - p), WEIGHT_MIN) : 0;
            b->sum[r] = in ? b->data->label[r] - p : 0;
            drawn += in;
        }
    for (size_t c = 0; c < b->data->columns; c++) b->order[c] = c;
    if (b->columns < b->data->columns) random_shuffle(&random, b->order, b->data->columns);
    for (size_t c = 0; c < b->columns; c++) b->column[c] = (uint32_t)b->order[c];
    qsort(b->column, b->columns, sizeof *b->column, by_number);
}

static int boost_round(struct booster *b, const struct boost_options *o, uint32_t round, struct learn_tree *out,
                       struct err *err)
{
    const struct tree_options options = { .split = TREE_SECOND_ORDER, .max_depth = o->max_depth,
        .min_rows_split = 2, .min_rows_leaf = 1, .lambda = o->lambda, .min_weight = o->min_weight,
        .min_gain = GAIN_MIN };
    const struct tree_target  target = { b->weight, b->sum, b->column, b->columns };
    int                       rc;

    draw(b, o, round);
    rc = learn_tree_grow(&b->by_column, &target, &options, NULL, out, err);
    if (rc < 0) return rc;
    for (uint32_t i = 0; i < out->count; i++) out->node[i].value *= o->learning_rate;
    for (size_t r = 0; r < b->data->rows; r++) b->margin[r] += learn_tree_value(out, learn_row(b->data, r));
    return 0;
}

int boost_fit(const struct learn_data *data, const struct boost_options *options, struct boost *out, struct err *err)
{
    struct booster b = { 0 };
    int            rc = check_options(options, err);

    *out = (struct boost){ 0 };
    if (rc == 0) rc = learn_data_check(data, err);
    if (rc < 0) return rc;
    *out = (struct boost){ .options = *options, .columns = data->columns,
                           .tree = calloc(options->rounds, sizeof *out->tree) };
    if (!out->tree || model_names_copy(data->name, data->columns, &out->name) < 0)
        rc = err_memory(err, options->rounds * sizeof *out->tree, "boosting");
    if (rc == 0) rc = booster_make(&b, data, options, err);
    for (uint32_t i = 0; i < options->rounds && rc == 0; i++) rc = boost_round(&b, options, i, out->tree + i, err);
    booster_free(&b);
    if (rc < 0) boost_free(out);
    return rc;
}

void boost_free(struct boost *b)
{
    learn_trees_free(b->tree, b->options.rounds);
    model_names_free(b->name, b->columns);
    *b = (struct boost){ 0 };
}

double boost_margin(const struct boost *b, const double *row)
{
    double margin = 0;

    for (uint32_t i = 0; i < b->options.rounds; i++) margin += learn_tree_value(b->tree + i, row);
    return margin;
}

double boost_probability(const struct boost *b, const double *row)
{
    return logistic(boost_margin(b, row));
}

int boost_importance(const struct boost *b, double *importance, struct err *err)
{
    double *splits = calloc(b->columns, sizeof *splits), all = 0;

    if (!splits) return err_memory(err, b->columns * sizeof *splits, "importance");
    for (size_t c = 0; c < b->columns; c++) importance[c] = 0;
    for (uint32_t i = 0; i < b->options.rounds; i++)
        for (uint32_t n = 0; n < b->tree[i].count; n++) {
            const struct tree_node *node = b->tree[i].node + n;

            if (node->column < 0) continue;
            importance[node->column] += node->gain;
            splits[node->column]++;
        }
    for (size_t c = 0; c < b->columns; c++)
        if (splits[c] > 0) all += importance[c] /= splits[c];
    for (size_t c = 0; c < b->columns && all > 0; c++) importance[c] /= all;
    free(splits);
    return 0;
}

/* ---- the file ---- */

int boost_write(const struct boost *b, const char *path, struct err *err)
{
    const struct boost_options *o = &b->options;
    struct bytes text = { 0 };
    int          rc = model_file_head(&text, BOOST_FORMAT, b->columns, b->name);

    if (rc == 0)
        rc = bytes_printf(&text, "\"max_depth\":%u,\"learning_rate\":%.17g,\"lambda\":%.17g,\"min_weight\":%.17g,"
                          "\"rows_share\":%.17g,\"columns_share\":%.17g,\"seed\":%llu,", o->max_depth,
                          o->learning_rate, o->lambda, o->min_weight, o->rows_share, o->columns_share,
                          (unsigned long long)o->seed);
    if (rc == 0) rc = learn_trees_json(b->tree, o->rounds, &text);
    if (rc == 0) rc = bytes_printf(&text, "}\n");
    rc = rc < 0 ? err_memory(err, text.len, "boosting as JSON") : file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

static int parse_options(const cJSON *json, struct boost_options *o, struct err *err)
{
    double depth = 0, seed = 0;

    if (model_file_number(json, "max_depth", 0, UINT32_MAX, 1, &depth, err) < 0 ||
        model_file_number(json, "learning_rate", 0, 1, 0, &o->learning_rate, err) < 0 ||
        model_file_number(json, "lambda", 0, 1e300, 0, &o->lambda, err) < 0 ||
        model_file_number(json, "min_weight", 0, 1e300, 0, &o->min_weight, err) < 0 ||
        model_file_number(json, "rows_share", 0, 1, 0, &o->rows_share, err) < 0 ||
        model_file_number(json, "columns_share", 0, 1, 0, &o->columns_share, err) < 0 ||
        model_file_number(json, "seed", 0, (double)(SEED_MAX - 1), 1, &seed, err) < 0) return err->code;
    o->max_depth = (uint32_t)depth;
    o->seed = (uint64_t)seed;
    return 0;
}

/* Values far above what a leaf can be would add up to infinity, or to no number. */
static int check_values(const struct boost *b, struct err *err)
{
    for (uint32_t i = 0; i < b->options.rounds; i++)
        for (uint32_t n = 0; n < b->tree[i].count; n++)
            if (!(fabs(b->tree[i].node[n].value) <= 1e300 / TREES_MAX))
                return err_set(err, -EBADMSG, "tree %u, node %u: the value %g", i, n, b->tree[i].node[n].value);
    return 0;
}

int boost_read(const char *path, struct boost *out, struct err *err)
{
    cJSON *json = NULL;
    int    rc = model_file_read(path, BOOST_FORMAT, &json, err);

    *out = (struct boost){ 0 };
    if (rc < 0) return rc;
    rc = model_file_columns(json, &out->columns, &out->name, err);
    if (rc == 0) rc = parse_options(json, &out->options, err);
    if (rc == 0) rc = learn_trees_parse(json, out->columns, &out->tree, &out->options.rounds, err);
    if (rc == 0) rc = check_values(out, err);
    if (rc < 0) {
        err_add(err, "%s", path);
        boost_free(out);
    }
    cJSON_Delete(json);
    return rc;
}
