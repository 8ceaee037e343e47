/* learn/model_file.c -- see model_file.h. */
#include "learn/model_file.h"

#include "base/file.h"
#include "learn/data.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

int model_names_copy(const char *const *names, size_t columns, char ***out)
{
    *out = names ? calloc(columns + 1, sizeof **out) : NULL;
    if (!names) return 0;
    if (!*out) return -ENOMEM;
    for (size_t c = 0; c < columns; c++) {
        (*out)[c] = strdup(names[c]);
        if ((*out)[c]) continue;
        model_names_free(*out, columns);
        *out = NULL;
        return -ENOMEM;
    }
    return 0;
}

void model_names_free(char **names, size_t columns)
{
    if (!names) return;
    for (size_t c = 0; c < columns; c++) free(names[c]);
    free(names);
}

/* ---- writing ---- */

static int append_text(struct bytes *out, const char *text)
{
    cJSON *string = cJSON_CreateStringReference(text);
    char  *printed = string ? cJSON_PrintUnformatted(string) : NULL;
    int    rc = printed ? bytes_append(out, printed, strlen(printed)) : -ENOMEM;

    cJSON_free(printed);
    cJSON_Delete(string);
    return rc;
}

int model_file_head(struct bytes *out, const char *format, size_t columns, char *const *names)
{
    int rc = bytes_printf(out, "{\"format\":\"%s\",\"version\":%d,\"columns\":%zu,", format, (int)MODEL_FILE_VERSION,
                          columns);

    if (!names || rc) return rc;
    rc = bytes_printf(out, "\"names\":[");
    for (size_t c = 0; c < columns && rc == 0; c++) {
        if (c) rc = bytes_append(out, ",", 1);
        if (rc == 0) rc = append_text(out, names[c]);
    }
    return rc ? rc : bytes_printf(out, "],");
}

/* ---- reading ---- */

/* All bytes of a file that is not too long for a model. */
static int read_all(const char *path, struct bytes *out, struct err *err)
{
    int         file = file_open(path, O_RDONLY), rc = 0;
    struct stat info;
    ssize_t     got = 1;

    if (file < 0) return err_set(err, -errno, "%s: %s", path, strerror(errno));
    if (fstat(file, &info) < 0) rc = err_set(err, -errno, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(info.st_mode)) rc = err_set(err, -EINVAL, "%s: not a file", path);
    else if ((uint64_t)info.st_size > MODEL_FILE_MAX) rc = err_set(err, -EFBIG, "%s: too long for a model", path);
    else if (bytes_reserve(out, (size_t)info.st_size) < 0) rc = err_memory(err, (uint64_t)info.st_size, "a model");
    while (rc == 0 && got > 0 && out->len < out->room) {
        got = file_read(file, out->at + out->len, out->room - out->len);
        if (got < 0) rc = err_set(err, -errno, "%s: %s", path, strerror(errno));
        else out->len += (size_t)got;
    }
    close(file);
    return rc;
}

static int check_head(const cJSON *json, const char *format, struct err *err)
{
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(json, "format");
    double       version = 0;

    if (!cJSON_IsString(said)) return err_set(err, -EBADMSG, "no model: member `format' is missing");
    if (format && strcmp(said->valuestring, format) != 0)
        return err_set(err, -EBADMSG, "a `%.40s', not a `%s'", said->valuestring, format);
    if (model_file_number(json, "version", 0, 1e9, 1, &version, err) < 0) return err->code;
    if (version != MODEL_FILE_VERSION)
        return err_set(err, -EBADMSG, "version %.0f of `%.40s'; this program reads version %d", version,
                       said->valuestring, (int)MODEL_FILE_VERSION);
    return 0;
}

int model_file_read(const char *path, const char *format, cJSON **out, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = read_all(path, &text, err);

    *out = NULL;
    if (rc == 0) {
        *out = text.len ? cJSON_ParseWithLength(text.at, text.len) : NULL;
        if (!*out) rc = err_set(err, -EBADMSG, "%s: no JSON", path);
        else if (check_head(*out, format, err) < 0) rc = err_add(err, "%s", path);
    }
    if (rc < 0) {
        cJSON_Delete(*out);
        *out = NULL;
    }
    bytes_free(&text);
    return rc;
}

int model_file_number(const cJSON *json, const char *name, double low, double high, int whole, double *out,
                      struct err *err)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);

    if (!cJSON_IsNumber(item)) return err_set(err, -EBADMSG, "`%s' is missing or no number", name);
    *out = item->valuedouble;
    if (!(*out >= low && *out <= high) || (whole && *out != floor(*out)))
        return err_set(err, -EBADMSG, "`%s' is %g", name, *out);
    return 0;
}

int model_file_numbers(const cJSON *json, const char *name, size_t count, double *out, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, name), *item;
    size_t       i = 0;

    if (!cJSON_IsArray(list)) return err_set(err, -EBADMSG, "no list `%s'", name);
    cJSON_ArrayForEach(item, list) {
        if (i == count || !cJSON_IsNumber(item) || !isfinite(item->valuedouble))
            return err_set(err, -EBADMSG, "`%s': item %zu is no finite number, or too many", name, i);
        out[i++] = item->valuedouble;
    }
    return i == count ? 0 : err_set(err, -EBADMSG, "`%s' has %zu items, not %zu", name, i, count);
}

int model_file_columns(const cJSON *json, size_t *columns, char ***names, struct err *err)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "names"), *item;
    double       count = 0;
    size_t       i = 0;

    *names = NULL;
    if (model_file_number(json, "columns", 1, LEARN_COLUMNS_MAX, 1, &count, err) < 0) return err->code;
    *columns = (size_t)count;
    if (!list) return 0;
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != *columns)
        return err_set(err, -EBADMSG, "`names' is not a list of %zu names", *columns);
    *names = calloc(*columns + 1, sizeof **names);
    if (!*names) return err_memory(err, *columns * sizeof **names, "names of columns");
    cJSON_ArrayForEach(item, list) {
        (*names)[i] = cJSON_IsString(item) ? strdup(item->valuestring) : NULL;
        if ((*names)[i++]) continue;
        model_names_free(*names, *columns);
        *names = NULL;
        return err_set(err, -EBADMSG, "`names': item %zu is no text", i - 1);
    }
    return 0;
}
