/* learn/forest.c -- see forest.h. */
#include "learn/forest.h"

#include "base/file.h"
#include "learn/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define SEED_MAX (UINT64_C(1) << 53)

static int check_options(const struct forest_options *o, struct err *err)
{
    if (o->trees == 0 || o->trees > TREES_MAX) return err_set(err, -EINVAL, "a forest of %u trees", o->trees);
    if (o->criterion != TREE_GINI && o->criterion != TREE_ENTROPY)
        return err_set(err, -EINVAL, "a forest splits by gini or entropy");
    if (o->seed >= SEED_MAX)
        return err_set(err, -EINVAL, "the seed %llu is not below 2^53", (unsigned long long)o->seed);
    return 0;
}

static size_t columns_tried(enum forest_columns wanted, size_t columns)
{
    size_t tried = 0;

    if (wanted == FOREST_ALL) return columns;           /* in random order: equals share their splits */
    if (wanted == FOREST_SQRT) while ((tried + 1) * (tried + 1) <= columns) tried++;
    else while (columns >> (tried + 1)) tried++;
    return tried ? tried : 1;
}

static int grow_one(const struct tree_data *by_column, const struct learn_data *data, const struct forest *f,
                    uint32_t number, struct err *err)
{
    const struct forest_options *o = &f->options;
    const struct tree_options    options = { .split = o->criterion, .max_depth = o->max_depth,
        .min_rows_split = o->min_rows_split, .min_rows_leaf = o->min_rows_leaf,
        .max_columns = columns_tried(o->max_columns, f->columns) };
    struct random                random = random_start(o->seed, number);
    double                      *weight = calloc(data->rows, sizeof *weight), *sum = calloc(data->rows, sizeof *sum);
    int                          rc = weight && sum ? 0 : err_memory(err, data->rows * 2 * sizeof *weight, "a sample");

    for (size_t i = 0; i < data->rows && rc == 0; i++) weight[random_below(&random, data->rows)] += 1;
    for (size_t i = 0; i < data->rows && rc == 0; i++) sum[i] = data->label[i] ? weight[i] : 0;
    if (rc == 0)
        rc = learn_tree_grow(by_column, &(struct tree_target){ .weight = weight, .sum = sum }, &options, &random,
                       f->tree + number, err);
    free(weight);
    free(sum);
    return rc;
}

int forest_fit(const struct learn_data *data, const struct forest_options *options, int threads, struct forest *out,
               struct err *err)
{
    struct tree_data by_column = { 0 };
    int              rc = check_options(options, err);

    *out = (struct forest){ 0 };
    if (rc == 0) rc = learn_data_check(data, err);
    if (rc < 0) return rc;
    *out = (struct forest){ .options = *options, .columns = data->columns,
                            .tree = calloc(options->trees, sizeof *out->tree) };
    if (!out->tree || model_names_copy(data->name, data->columns, &out->name) < 0)
        rc = err_memory(err, options->trees * sizeof *out->tree, "a forest");
    if (rc == 0) rc = learn_tree_data_make(data, &by_column, err);
    if (rc == 0) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (uint32_t i = 0; i < options->trees; i++) {
            struct err mine = { 0 };

            if (grow_one(&by_column, data, out, i, &mine) == 0) continue;
#pragma omp critical(forest_failure)
            {
                *err = mine;
                rc = mine.code;
            }
        }
    }
    learn_tree_data_free(&by_column);
    if (rc < 0) forest_free(out);
    return rc;
}

void forest_free(struct forest *f)
{
    learn_trees_free(f->tree, f->options.trees);
    model_names_free(f->name, f->columns);
    *f = (struct forest){ 0 };
}

double forest_probability(const struct forest *f, const double *row)
{
    double sum = 0;

    for (uint32_t i = 0; i < f->options.trees; i++) sum += learn_tree_value(f->tree + i, row);
    return sum / f->options.trees;
}

int forest_importance(const struct forest *f, double *importance, struct err *err)
{
    double *one = calloc(f->columns, sizeof *one), all = 0;

    if (!one) return err_memory(err, f->columns * sizeof *one, "importance");
    for (size_t c = 0; c < f->columns; c++) importance[c] = 0;
    for (uint32_t i = 0; i < f->options.trees; i++) {
        double whole = 0;

        for (size_t c = 0; c < f->columns; c++) one[c] = 0;
        learn_tree_add_gains(f->tree + i, one);
        for (size_t c = 0; c < f->columns; c++) whole += one[c];
        for (size_t c = 0; c < f->columns && whole > 0; c++) importance[c] += one[c] / whole;
    }
    for (size_t c = 0; c < f->columns; c++) all += importance[c];
    for (size_t c = 0; c < f->columns && all > 0; c++) importance[c] /= all;
    free(one);
    return 0;
}

/* ---- the file ---- */

static const char *const criterion_name[] = { [TREE_GINI] = "gini", [TREE_ENTROPY] = "entropy" };

int forest_write(const struct forest *f, const char *path, struct err *err)
{
    const struct forest_options *o = &f->options;
    struct bytes text = { 0 };
    int          rc = model_file_head(&text, FOREST_FORMAT, f->columns, f->name);

    if (rc == 0)
        rc = bytes_printf(&text, "\"criterion\":\"%s\",\"max_columns\":%d,\"max_depth\":%u,\"min_rows_split\":%u,"
                          "\"min_rows_leaf\":%u,\"seed\":%llu,", criterion_name[o->criterion],
                          (int)o->max_columns, o->max_depth, o->min_rows_split, o->min_rows_leaf,
                          (unsigned long long)o->seed);
    if (rc == 0) rc = learn_trees_json(f->tree, o->trees, &text);
    if (rc == 0) rc = bytes_printf(&text, "}\n");
    rc = rc < 0 ? err_memory(err, text.len, "a forest as JSON") : file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

static int parse_options(const cJSON *json, struct forest_options *o, struct err *err)
{
    const cJSON *criterion = cJSON_GetObjectItemCaseSensitive(json, "criterion");
    const char  *said = cJSON_IsString(criterion) ? criterion->valuestring : "";
    double       columns = 0, depth = 0, split = 0, leaf = 0, seed = 0;

    for (o->criterion = TREE_GINI; o->criterion <= TREE_ENTROPY; o->criterion++)
        if (strcmp(said, criterion_name[o->criterion]) == 0) break;
    if (o->criterion > TREE_ENTROPY) return err_set(err, -EBADMSG, "`criterion' is missing or unknown");
    if (model_file_number(json, "max_columns", FOREST_SQRT, FOREST_ALL, 1, &columns, err) < 0 ||
        model_file_number(json, "max_depth", 0, UINT32_MAX, 1, &depth, err) < 0 ||
        model_file_number(json, "min_rows_split", 0, UINT32_MAX, 1, &split, err) < 0 ||
        model_file_number(json, "min_rows_leaf", 0, UINT32_MAX, 1, &leaf, err) < 0 ||
        model_file_number(json, "seed", 0, (double)(SEED_MAX - 1), 1, &seed, err) < 0) return err->code;
    o->max_columns = (enum forest_columns)columns;
    o->max_depth = (uint32_t)depth;
    o->min_rows_split = (uint32_t)split;
    o->min_rows_leaf = (uint32_t)leaf;
    o->seed = (uint64_t)seed;
    return 0;
}

/* Leaves say shares. */
static int check_shares(const struct forest *f, struct err *err)
{
    for (uint32_t i = 0; i < f->options.trees; i++)
        for (uint32_t n = 0; n < f->tree[i].count; n++)
            if (!(f->tree[i].node[n].value >= 0 && f->tree[i].node[n].value <= 1))
                return err_set(err, -EBADMSG, "tree %u, node %u: the share %g is not in 0 .. 1", i, n,
                               f->tree[i].node[n].value);
    return 0;
}

int forest_read(const char *path, struct forest *out, struct err *err)
{
    cJSON *json = NULL;
    int    rc = model_file_read(path, FOREST_FORMAT, &json, err);

    *out = (struct forest){ 0 };
    if (rc < 0) return rc;
    rc = model_file_columns(json, &out->columns, &out->name, err);
    if (rc == 0) rc = parse_options(json, &out->options, err);
    if (rc == 0) rc = learn_trees_parse(json, out->columns, &out->tree, &out->options.trees, err);
    if (rc == 0) rc = check_shares(out, err);
    if (rc < 0) {
        err_add(err, "%s", path);
        forest_free(out);
    }
    cJSON_Delete(json);
    return rc;
}
