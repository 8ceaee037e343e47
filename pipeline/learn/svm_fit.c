/* learn/svm_fit.c -- learning by libsvm, the only caller of it; see svm.h. */
#include "learn/svm.h"

#include <errno.h>

#ifdef HAVE_SVM

#include "learn/model_file.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <libsvm/svm.h>

bool svm_available(void) { return true; }

static void say_nothing(const char *text) { (void)text; }
static void be_silent(void) { svm_set_print_string_function(say_nothing); }

static int check(const struct learn_data *data, const struct svm_options *o, struct err *err)
{
    size_t ones = 0;

    if (learn_data_check(data, err) < 0) return err->code;
    for (size_t r = 0; r < data->rows; r++) ones += data->label[r];
    if (ones == 0 || ones == data->rows) return err_set(err, -EINVAL, "rows of one class alone: nothing to tell apart");
    if (!(o->cost > 0 && isfinite(o->cost) && o->gamma >= 0 && isfinite(o->gamma) && o->tolerance > 0))
        return err_set(err, -EINVAL, "C and tolerance are above 0, gamma is 0 or more");
    return 0;
}

/* The rows as libsvm has them: pairs of column from 1 and value, an index of -1 at the end. */
struct problem { struct svm_problem said; struct svm_node *node; };

static int problem_make(const struct learn_data *d, struct problem *p, struct err *err)
{
    const size_t width = d->columns + 1;

    p->node = malloc(d->rows * width * sizeof *p->node);
    p->said = (struct svm_problem){ .l = (int)d->rows, .y = malloc(d->rows * sizeof *p->said.y),
                                    .x = malloc(d->rows * sizeof *p->said.x) };
    if (!p->node || !p->said.y || !p->said.x) return err_memory(err, d->rows * width * sizeof *p->node, "libsvm");
    for (size_t r = 0; r < d->rows; r++) {
        struct svm_node *row = p->node + r * width;

        p->said.y[r] = d->label[r] ? 1 : -1;                /* with these libsvm puts class 1 first */
        p->said.x[r] = row;
        for (size_t c = 0; c < d->columns; c++) row[c] = (struct svm_node){ (int)c + 1, learn_row(d, r)[c] };
        row[d->columns] = (struct svm_node){ -1, 0 };
    }
    return 0;
}

static void problem_free(struct problem *p)
{
    free(p->said.x);
    free(p->said.y);
    free(p->node);
}

static int take(const struct svm_model *m, const struct learn_data *data, struct svm *out, struct err *err)
{
    const double sign = m->label[0] == 1 ? 1 : -1;

    out->vectors = (size_t)m->l;
    out->vector = malloc((out->vectors * data->columns + 1) * sizeof *out->vector);
    out->coefficient = malloc((out->vectors + 1) * sizeof *out->coefficient);
    if (!out->vector || !out->coefficient || model_names_copy(data->name, data->columns, &out->name) < 0)
        return err_memory(err, out->vectors * data->columns * sizeof *out->vector, "support vectors");
    out->rho = sign * m->rho[0];
    for (size_t v = 0; v < out->vectors; v++) {
        out->coefficient[v] = sign * m->sv_coef[0][v];
        for (size_t c = 0; c < data->columns; c++) out->vector[v * data->columns + c] = m->SV[v][c].value;
    }
    return 0;
}

int svm_fit(const struct learn_data *data, const struct svm_options *options, struct svm *out, struct err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct problem        p = { 0 };
    struct svm_model     *model = NULL;
    int                   rc = check(data, options, err);

    *out = (struct svm){ 0 };
    if (rc < 0) return rc;
    out->options = *options;
    out->columns = data->columns;
    if (!(options->gamma > 0)) out->options.gamma = 1 / (double)data->columns;
    pthread_once(&once, be_silent);
    rc = problem_make(data, &p, err);
    if (rc == 0) {
        const struct svm_parameter said = { .svm_type = C_SVC, .kernel_type = options->kernel == SVM_RBF ? RBF : LINEAR,
            .gamma = out->options.gamma, .cache_size = 100, .eps = options->tolerance, .C = options->cost,
            .shrinking = 1 };
        const char *wrong = svm_check_parameter(&p.said, &said);

        if (wrong) rc = err_set(err, -EINVAL, "libsvm: %s", wrong);
        else if (!(model = svm_train(&p.said, &said))) rc = err_set(err, -ENOMEM, "libsvm gave no model");
    }
    if (rc == 0) rc = take(model, data, out, err);
    if (model) svm_free_and_destroy_model(&model);
    problem_free(&p);
    if (rc < 0) svm_free(out);
    return rc;
}

#else

bool svm_available(void) { return false; }

int svm_fit(const struct learn_data *data, const struct svm_options *options, struct svm *out, struct err *err)
{
    (void)data;
    (void)options;
    *out = (struct svm){ 0 };
    return err_set(err, -ENOSYS, "built without libsvm, which learns support vector machines: install libsvm-dev and "
                   "build again");
}

#endif
