/* learn/svm.c -- decision values and files; see svm.h. */
#include "learn/svm.h"

#include "base/file.h"
#include "learn/model_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { VECTORS_MAX = 1 << 24 };

static const char *const kernel_name[] = { [SVM_LINEAR] = "linear", [SVM_RBF] = "rbf" };

void svm_free(struct svm *s)
{
    model_names_free(s->name, s->columns);
    free(s->vector);
    free(s->coefficient);
    *s = (struct svm){ 0 };
}

double svm_decision(const struct svm *s, const double *row)
{
    double sum = 0;

    for (size_t v = 0; v < s->vectors; v++) {
        const double *vector = s->vector + v * s->columns;
        double        k = 0;

        for (size_t c = 0; c < s->columns; c++) {
            const double off = row[c] - vector[c];

            k += s->options.kernel == SVM_RBF ? off * off : row[c] * vector[c];
        }
        sum += s->coefficient[v] * (s->options.kernel == SVM_RBF ? exp(-s->options.gamma * k) : k);
    }
    return sum - s->rho;
}

/* ---- the file ---- */

static int append_numbers(struct bytes *out, const char *name, const double *value, size_t count)
{
    int rc = bytes_printf(out, "\"%s\":[", name);

    for (size_t i = 0; i < count && rc == 0; i++) rc = bytes_printf(out, "%s%.17g", i ? "," : "", value[i]);
    return rc ? rc : bytes_printf(out, "]");
}

int svm_write(const struct svm *s, const char *path, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = model_file_head(&text, SVM_FORMAT, s->columns, s->name);

    if (rc == 0)
        rc = bytes_printf(&text, "\"kernel\":\"%s\",\"cost\":%.17g,\"gamma\":%.17g,\"tolerance\":%.17g,"
                          "\"rho\":%.17g,\"vectors\":%zu,\n", kernel_name[s->options.kernel], s->options.cost,
                          s->options.gamma, s->options.tolerance, s->rho, s->vectors);
    if (rc == 0) rc = append_numbers(&text, "coefficient", s->coefficient, s->vectors);
    if (rc == 0) rc = bytes_printf(&text, ",\n");
    if (rc == 0) rc = append_numbers(&text, "vector", s->vector, s->vectors * s->columns);
    if (rc == 0) rc = bytes_printf(&text, "}\n");
    rc = rc < 0 ? err_memory(err, text.len, "support vectors as JSON") : file_write(path, bytes_slice(&text), err);
    bytes_free(&text);
    return rc;
}

static bool has_items(const cJSON *json, const char *name, size_t count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, name);

    return cJSON_IsArray(list) && (size_t)cJSON_GetArraySize(list) == count;
}

static int parse(const cJSON *json, struct svm *s, struct err *err)
{
    const cJSON *kernel = cJSON_GetObjectItemCaseSensitive(json, "kernel");
    double       vectors = 0;

    if (model_file_columns(json, &s->columns, &s->name, err) < 0) return err->code;
    if (!cJSON_IsString(kernel)) return err_set(err, -EBADMSG, "`kernel' is missing");
    for (s->options.kernel = SVM_LINEAR; s->options.kernel <= SVM_RBF; s->options.kernel++)
        if (strcmp(kernel->valuestring, kernel_name[s->options.kernel]) == 0) break;
    if (s->options.kernel > SVM_RBF) return err_set(err, -EBADMSG, "`kernel' is unknown");
    if (model_file_number(json, "cost", 0, 1e300, 0, &s->options.cost, err) < 0 ||
        model_file_number(json, "gamma", 0, 1e300, 0, &s->options.gamma, err) < 0 ||
        model_file_number(json, "tolerance", 0, 1e300, 0, &s->options.tolerance, err) < 0 ||
        model_file_number(json, "rho", -1e300, 1e300, 0, &s->rho, err) < 0 ||
        model_file_number(json, "vectors", 0, VECTORS_MAX, 1, &vectors, err) < 0) return err->code;
    s->vectors = (size_t)vectors;
    /* before there is room for them: the file may say anything */
    if (!has_items(json, "coefficient", s->vectors) || !has_items(json, "vector", s->vectors * s->columns))
        return err_set(err, -EBADMSG, "not %zu support vectors of %zu numbers", s->vectors, s->columns);
    s->coefficient = calloc(s->vectors + 1, sizeof *s->coefficient);
    s->vector = calloc(s->vectors * s->columns + 1, sizeof *s->vector);
    if (!s->coefficient || !s->vector)
        return err_memory(err, s->vectors * s->columns * sizeof *s->vector, "support vectors");
    if (model_file_numbers(json, "coefficient", s->vectors, s->coefficient, err) < 0) return err->code;
    return model_file_numbers(json, "vector", s->vectors * s->columns, s->vector, err);
}

int svm_read(const char *path, struct svm *out, struct err *err)
{
    cJSON *json = NULL;
    int    rc = model_file_read(path, SVM_FORMAT, &json, err);

    *out = (struct svm){ 0 };
    if (rc < 0) return rc;
    rc = parse(json, out, err);
    if (rc < 0) {
        err_add(err, "%s", path);
        svm_free(out);
    }
    cJSON_Delete(json);
    return rc;
}
