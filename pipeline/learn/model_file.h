/* learn/model_file.h -- what the JSON files of all classifiers share: format and version, columns and their names. */
#ifndef LEAKGRAPH_LEARN_MODEL_FILE_H
#define LEAKGRAPH_LEARN_MODEL_FILE_H

#include "base/bytes.h"
#include "base/err.h"

#include <cjson/cJSON.h>
#include <stdint.h>

enum { MODEL_FILE_VERSION = 1 };
#define MODEL_FILE_MAX (UINT64_C(1) << 30)                  /* bytes of a file that is read */

/* Appends `{"format":FORMAT,"version":1,"columns":N,"names":[...],`; names may be NULL.  0 or -ENOMEM. */
int model_file_head(struct bytes *out, const char *format, size_t columns, char *const *names);

/* Reads the file's JSON object, which says this format (NULL: any) and this version; the caller deletes it.  0, or <0
 * with err set, which names the file. */
int model_file_read(const char *path, const char *format, cJSON **out, struct err *err);

/* The member of that name, a finite number in low .. high, whole where `whole` says so.  0 or -EBADMSG. */
int model_file_number(const cJSON *json, const char *name, double low, double high, int whole, double *out,
                      struct err *err);
/* count finite numbers from a list of that name; out has room for them.  0 or -EBADMSG. */
int model_file_numbers(const cJSON *json, const char *name, size_t count, double *out, struct err *err);
/* Columns and names of the head; *names is the caller's (model_names_free), NULL when the file has none.  0 or <0. */
int model_file_columns(const cJSON *json, size_t *columns, char ***names, struct err *err);

/* A copy of the names; NULL for NULL, and then *out is NULL.  0 or -ENOMEM. */
int  model_names_copy(const char *const *names, size_t columns, char ***out);
void model_names_free(char **names, size_t columns);

#endif
