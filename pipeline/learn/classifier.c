/* learn/classifier.c -- see classifier.h. */
#include "learn/classifier.h"

#include "learn/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const classifier_names[] = { [CLASSIFIER_FOREST] = "forest", [CLASSIFIER_BOOST] = "boosting",
                                         [CLASSIFIER_SVM] = "svm" };

int classifier_fit(const struct learn_data *data, const struct classifier_options *options, int threads,
                   struct classifier *out, struct err *err)
{
    *out = (struct classifier){ .kind = options->kind };
    switch (options->kind) {
    case CLASSIFIER_FOREST: return forest_fit(data, &options->of.forest, threads, &out->of.forest, err);
    case CLASSIFIER_BOOST:  return boost_fit(data, &options->of.boost, &out->of.boost, err);
    default:                return svm_fit(data, &options->of.svm, &out->of.svm, err);
    }
}

void classifier_free(struct classifier *c)
{
    switch (c->kind) {
    case CLASSIFIER_FOREST: forest_free(&c->of.forest); break;
    case CLASSIFIER_BOOST:  boost_free(&c->of.boost); break;
    default:                svm_free(&c->of.svm); break;
    }
}

double classifier_value(const struct classifier *c, const double *row)
{
    switch (c->kind) {
    case CLASSIFIER_FOREST: return forest_probability(&c->of.forest, row);
    case CLASSIFIER_BOOST:  return boost_probability(&c->of.boost, row);
    default:                return svm_decision(&c->of.svm, row);
    }
}

bool classifier_says(const struct classifier *c, const double *row)
{
    return classifier_value(c, row) > (c->kind == CLASSIFIER_SVM ? 0 : 0.5);
}

struct learn_scores classifier_scores(const struct classifier *c, const struct learn_data *data)
{
    uint64_t seen[2][2] = { { 0 } };

    for (size_t r = 0; r < data->rows; r++) seen[classifier_says(c, learn_row(data, r))][data->label[r]]++;
    return learn_scores_of(seen[1][1], seen[1][0], seen[0][0], seen[0][1]);
}

size_t classifier_columns(const struct classifier *c)
{
    switch (c->kind) {
    case CLASSIFIER_FOREST: return c->of.forest.columns;
    case CLASSIFIER_BOOST:  return c->of.boost.columns;
    default:                return c->of.svm.columns;
    }
}

const char *const *classifier_column_names(const struct classifier *c)
{
    switch (c->kind) {
    case CLASSIFIER_FOREST: return (const char *const *)c->of.forest.name;
    case CLASSIFIER_BOOST:  return (const char *const *)c->of.boost.name;
    default:                return (const char *const *)c->of.svm.name;
    }
}

int classifier_permute(const struct classifier *c, const struct learn_data *data, uint32_t repeats, uint64_t seed,
                       double *mean, double *deviation, struct err *err)
{
    const double accuracy = classifier_scores(c, data).accuracy;
    size_t      *order = malloc((data->rows + 1) * sizeof *order);
    double      *row = malloc((data->columns + 1) * sizeof *row);
    int          rc = order && row ? 0 : err_memory(err, data->rows * sizeof *order, "permutation");

    for (size_t column = 0; column < data->columns && rc == 0; column++) {
        double sum = 0, squares = 0;

        for (uint32_t i = 0; i < repeats; i++) {
            struct random random = random_start(seed, (uint64_t)column << 32 | i);
            size_t        right = 0;
            double        lost;

            for (size_t r = 0; r < data->rows; r++) order[r] = r;
            random_shuffle(&random, order, data->rows);
            for (size_t r = 0; r < data->rows; r++) {
                memcpy(row, learn_row(data, r), data->columns * sizeof *row);
                row[column] = learn_row(data, order[r])[column];
                right += classifier_says(c, row) == data->label[r];
            }
            lost = accuracy - (double)right / (double)data->rows;
            sum += lost;
            squares += lost * lost;
        }
        mean[column] = repeats ? sum / repeats : NAN;
        deviation[column] = repeats ? sqrt(fmax(squares / repeats - mean[column] * mean[column], 0)) : NAN;
    }
    free(order);
    free(row);
    return rc;
}

int classifier_write(const struct classifier *c, const char *path, struct err *err)
{
    switch (c->kind) {
    case CLASSIFIER_FOREST: return forest_write(&c->of.forest, path, err);
    case CLASSIFIER_BOOST:  return boost_write(&c->of.boost, path, err);
    default:                return svm_write(&c->of.svm, path, err);
    }
}

int classifier_read(const char *path, struct classifier *out, struct err *err)
{
    cJSON      *json = NULL;
    const char *format;

    *out = (struct classifier){ 0 };
    if (model_file_read(path, NULL, &json, err) < 0) return err->code;
    format = cJSON_GetObjectItemCaseSensitive(json, "format")->valuestring;
    out->kind = strcmp(format, BOOST_FORMAT) == 0 ? CLASSIFIER_BOOST :
                strcmp(format, SVM_FORMAT) == 0   ? CLASSIFIER_SVM : CLASSIFIER_FOREST;
    cJSON_Delete(json);
    switch (out->kind) {                                    /* which refuse what is none of the three */
    case CLASSIFIER_FOREST: return forest_read(path, &out->of.forest, err);
    case CLASSIFIER_BOOST:  return boost_read(path, &out->of.boost, err);
    default:                return svm_read(path, &out->of.svm, err);
    }
}
