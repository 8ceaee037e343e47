/* tests/oracle/learn.c -- learns from one file and prints the values for the rows of another, for
 * scripts/learn_oracles.sh.
 *   learn forest|boosting|svm TRAIN.csv TEST.csv [NAME=VALUE...]
 * Rows are numbers with commas, the label last.  NAME: trees criterion columns depth split leaf seed rounds rate lambda
 * weight rows_share columns_share kernel cost gamma threads, model (a file to write), importance=1 (printed first). */
#include "learn/classifier.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
    fprintf(stderr, "learn: %s\n", what);
    exit(1);
}

static struct learn_data read_rows(const char *path)
{
    FILE             *file = fopen(path, "r");
    struct learn_data d = { 0 };
    char             *line = NULL;
    size_t            room = 0, cells = 0, cells_room = 0, labels_room = 0;
    ssize_t           len;

    if (!file) stop(path);
    while ((len = getline(&line, &room, file)) > 1) {
        size_t columns = 0;
        char  *at = line, *end;

        for (;; at = end + 1, columns++) {
            double value = strtod(at, &end);

            if (end == at) stop("a row that is no list of numbers");
            if (*end != ',') {
                if (ARRAY_GROW(d.label, labels_room, d.rows) < 0) stop("out of memory");
                d.label[d.rows++] = (uint8_t)value;
                break;
            }
            if (ARRAY_GROW(d.value, cells_room, cells) < 0) stop("out of memory");
            d.value[cells++] = value;
        }
        if (d.columns && d.columns != columns) stop("rows of different length");
        d.columns = columns;
    }
    free(line);
    fclose(file);
    return d;
}

static const char *model, *importance;
static int         threads = 1;

static void set_forest(struct forest_options *o, const char *name, const char *value)
{
    if (strcmp(name, "trees") == 0) o->trees = (uint32_t)atoi(value);
    else if (strcmp(name, "criterion") == 0) o->criterion = strcmp(value, "gini") == 0 ? TREE_GINI : TREE_ENTROPY;
    else if (strcmp(name, "columns") == 0)
        o->max_columns = strcmp(value, "sqrt") == 0 ? FOREST_SQRT : strcmp(value, "log2") == 0 ? FOREST_LOG2
                                                                                              : FOREST_ALL;
    else if (strcmp(name, "depth") == 0) o->max_depth = (uint32_t)atoi(value);
    else if (strcmp(name, "split") == 0) o->min_rows_split = (uint32_t)atoi(value);
    else if (strcmp(name, "leaf") == 0) o->min_rows_leaf = (uint32_t)atoi(value);
    else if (strcmp(name, "seed") == 0) o->seed = strtoull(value, NULL, 10);
    else stop(name);
}

static void set_boost(struct boost_options *o, const char *name, const char *value)
{
    if (strcmp(name, "rounds") == 0) o->rounds = (uint32_t)atoi(value);
    else if (strcmp(name, "depth") == 0) o->max_depth = (uint32_t)atoi(value);
    else if (strcmp(name, "rate") == 0) o->learning_rate = atof(value);
    else if (strcmp(name, "lambda") == 0) o->lambda = atof(value);
    else if (strcmp(name, "weight") == 0) o->min_weight = atof(value);
    else if (strcmp(name, "rows_share") == 0) o->rows_share = atof(value);
    else if (strcmp(name, "columns_share") == 0) o->columns_share = atof(value);
    else if (strcmp(name, "seed") == 0) o->seed = strtoull(value, NULL, 10);
    else stop(name);
}

static void set_svm(struct svm_options *o, const char *name, const char *value)
{
    if (strcmp(name, "kernel") == 0) o->kernel = strcmp(value, "rbf") == 0 ? SVM_RBF : SVM_LINEAR;
    else if (strcmp(name, "cost") == 0) o->cost = atof(value);
    else if (strcmp(name, "gamma") == 0) o->gamma = atof(value);
    else stop(name);
}

static void set(struct classifier_options *o, char *argument)
{
    char *value = strchr(argument, '=');

    if (!value) stop(argument);
    *value++ = '\0';
    if (strcmp(argument, "model") == 0) model = value;
    else if (strcmp(argument, "importance") == 0) importance = value;
    else if (strcmp(argument, "threads") == 0) threads = atoi(value);
    else if (o->kind == CLASSIFIER_FOREST) set_forest(&o->of.forest, argument, value);
    else if (o->kind == CLASSIFIER_BOOST) set_boost(&o->of.boost, argument, value);
    else set_svm(&o->of.svm, argument, value);
}

static void print_importance(const struct classifier *c)
{
    double    *value = calloc(classifier_columns(c), sizeof *value);
    struct err err = { 0 };
    int        rc = -EINVAL;

    if (c->kind == CLASSIFIER_FOREST) rc = forest_importance(&c->of.forest, value, &err);
    else if (c->kind == CLASSIFIER_BOOST) rc = boost_importance(&c->of.boost, value, &err);
    if (rc < 0) stop("no importance");
    for (size_t i = 0; i < classifier_columns(c); i++) printf("%.17g\n", value[i]);
    free(value);
}

int main(int argc, char **argv)
{
    struct classifier_options o = { .kind = CLASSIFIER_FOREST };
    struct learn_data         train, test;
    struct classifier         c;
    struct err                err = { 0 };

    if (argc < 4) stop("learn KIND TRAIN.csv TEST.csv [NAME=VALUE...]");
    while (strcmp(argv[1], classifier_names[o.kind]) != 0) if (o.kind++ == CLASSIFIER_SVM) stop(argv[1]);
    if (o.kind == CLASSIFIER_FOREST) o.of.forest = FOREST_DEFAULTS;
    else if (o.kind == CLASSIFIER_BOOST) o.of.boost = BOOST_DEFAULTS;
    else o.of.svm = SVM_DEFAULTS;
    for (int i = 4; i < argc; i++) set(&o, argv[i]);
    train = read_rows(argv[2]);
    test = read_rows(argv[3]);
    if (train.columns != test.columns) stop("the files have different columns");
    if (classifier_fit(&train, &o, threads, &c, &err) < 0) stop(err.text);
    if (model && classifier_write(&c, model, &err) < 0) stop(err.text);
    if (importance) print_importance(&c);
    for (size_t i = 0; i < test.rows; i++) printf("%.17g\n", classifier_value(&c, learn_row(&test, i)));
    classifier_free(&c);
    learn_data_free(&train);
    learn_data_free(&test);
    return 0;
}
