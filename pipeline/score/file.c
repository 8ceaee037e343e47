/* score/file.c -- see file.h. */
#include "score/file.h"

#include "corpus/codec.h"
#include "model/json_nul.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { PIECE = 1 << 18 };
#define FILE_MOST (4ull << 30)                              /* decoded */

struct taking {
    struct score_samples      *samples;
    const char                *path;
    const struct score_source *source;
    struct err                *err;
};

static struct score_place place_of(const struct taking *t, int64_t number, uint64_t line)
{
    return (struct score_place){ t->path, line, number };
}

static int refuse(const struct taking *t, uint64_t line, const char *what)
{
    return err_set(t->err, -EBADMSG, "%s: line %llu: %s", t->path, (unsigned long long)line, what);
}

static uint64_t line_at(struct slice text, const char *at)
{
    uint64_t line = 1;

    for (const char *c = text.at; c < at; c++) line += *c == '\n';
    return line;
}

/* ---- lists ---- */

static int list_answer(const struct taking *t, const cJSON *answer, int64_t number)
{
    struct score_sample sample = { .number = number, .line = (uint64_t)number + 1,
                                   .prediction = slice_of(answer->valuestring) };
    int                 rc = score_series_put(t->samples, (struct score_series){ .model = t->source->model,
                                                                                 .seed = t->source->seed },
                                              &sample.series, t->err);

    return rc < 0 ? rc : score_sample_add(t->samples, sample, t->err);
}

static int element_take(const struct taking *t, const cJSON *element, int64_t number)
{
    const cJSON *one;
    int          rc = 0;

    if (cJSON_IsString(element)) return list_answer(t, element, number);
    if (cJSON_IsObject(element)) {
        rc = score_row_take(t->samples, element, t->source, place_of(t, number, (uint64_t)number + 1), t->err);
        return rc == -EINVAL ? err_add(t->err, "%s: element %lld", t->path, (long long)number + 1) : rc;
    }
    if (!cJSON_IsArray(element))
        return err_set(t->err, -EBADMSG, "%s: element %lld of the list is no text, object or list of texts", t->path,
                       (long long)number + 1);
    cJSON_ArrayForEach(one, element)
    {
        if (rc < 0) break;
        rc = cJSON_IsString(one) ? list_answer(t, one, number)
            : err_set(t->err, -EBADMSG, "%s: element %lld of the list is a list with something that is no text",
                      t->path, (long long)number + 1);
    }
    return rc;
}

static int list_take(const struct taking *t, const cJSON *list)
{
    const cJSON *element;
    int64_t      number = 0;
    int          rc = 0;

    cJSON_ArrayForEach(element, list)
        if (rc == 0) rc = element_take(t, element, number++);
    return rc;
}

/* ---- details ---- */

static int try_refuse(const struct taking *t, const char *item, const char *what)
{
    struct slice name = slice_of(item);

    return err_set(t->err, -EBADMSG, "%s: item `%.*s`: %s", t->path, (int)(name.len < 60 ? name.len : 60), name.at,
                   what);
}

/* One try of EvalPlus: it passes the added tests when it passes the old ones, too. */
static int status_take(const struct taking *t, const cJSON *try, const char *item)
{
    const cJSON *plus = cJSON_GetObjectItemCaseSensitive(try, "plus_status");
    const int    base = score_outcome(cJSON_GetObjectItemCaseSensitive(try, "base_status")),
                 more = score_outcome(plus), alone = score_outcome(cJSON_GetObjectItemCaseSensitive(try, "status"));
    int          rc = 0;

    if (base < 0 && alone < 0) return try_refuse(t, item, "a try has neither `base_status` nor `status`");
    if (base < 0) return score_value_add(t->samples, SLICE("passed"), true, alone, t->err);
    if (plus && !cJSON_IsNull(plus) && more < 0) return try_refuse(t, item, "`plus_status` is no outcome");
    rc = score_value_add(t->samples, SLICE("base"), true, base, t->err);
    return rc < 0 || more < 0 ? rc : score_value_add(t->samples, SLICE("plus"), true, base && more, t->err);
}

/* One of BigCode's: [number, {"passed": ...}], or the object alone. */
static int passed_take(const struct taking *t, const cJSON *try, const char *item)
{
    const cJSON *told = cJSON_IsArray(try) ? cJSON_GetArrayItem(try, 1) : try;
    const int    passed = score_outcome(cJSON_GetObjectItemCaseSensitive(told, "passed"));

    if (passed < 0) return try_refuse(t, item, "a try does not say whether it `passed`");
    return score_value_add(t->samples, SLICE("passed"), true, passed, t->err);
}

static int tries_take(const struct taking *t, const cJSON *item,
                      int (*take)(const struct taking *t, const cJSON *try, const char *item))
{
    struct score_sample sample = { .id = slice_of(item->string), .number = -1 };
    const cJSON        *try;
    int                 rc = score_series_put(t->samples, (struct score_series){ .model = t->source->model,
                                                                                 .seed = t->source->seed },
                                              &sample.series, t->err);

    cJSON_ArrayForEach(try, item)
    {
        const cJSON *answer = cJSON_GetObjectItemCaseSensitive(try, "solution");

        if (rc < 0) break;
        sample.line++;
        sample.prediction = cJSON_IsString(answer) ? slice_of(answer->valuestring) : (struct slice){ 0 };
        rc = score_sample_add(t->samples, sample, t->err);
        if (rc == 0) rc = take(t, try, item->string);
    }
    return rc;
}

static int details_take(const struct taking *t, const cJSON *items,
                        int (*take)(const struct taking *t, const cJSON *try, const char *item))
{
    const cJSON *item;
    int          rc = 0;

    cJSON_ArrayForEach(item, items)
    {
        if (rc < 0) break;
        rc = cJSON_IsArray(item) ? tries_take(t, item, take)
            : try_refuse(t, item->string, "has no list of tries, as EvalPlus 0.2 and later write it");
    }
    return rc;
}

/* Does every member hold tries? */
static bool is_details(const cJSON *object)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, object)
        if (!cJSON_IsArray(item) || (item->child && !cJSON_IsArray(item->child) &&
                                     !cJSON_GetObjectItemCaseSensitive(item->child, "passed"))) return false;
    return object->child != NULL;
}

/* Are these the scores of a whole benchmark, as harnesses write them beside the samples? */
static bool is_summary(const cJSON *object)
{
    const cJSON *member;

    if (cJSON_GetObjectItemCaseSensitive(object, "config") || cJSON_GetObjectItemCaseSensitive(object, "results"))
        return true;
    cJSON_ArrayForEach(member, object)
        if (cJSON_IsObject(member)) return true;
    return false;
}

/* A file that is one object. */
static int object_take(const struct taking *t, const cJSON *object, uint64_t line)
{
    const cJSON *eval = cJSON_GetObjectItemCaseSensitive(object, "eval");

    if (cJSON_IsObject(eval)) return details_take(t, eval, status_take);
    if (is_details(object)) return details_take(t, object, passed_take);
    if (is_summary(object) && !cJSON_GetObjectItemCaseSensitive(object, "doc_id"))
        return err_set(t->err, -EINVAL, "%s: has scores of whole benchmarks, and none of items.  Let the harness keep "
                       "them (lm-evaluation-harness: --log_samples, its samples_*.jsonl; EvalPlus: eval_results.json; "
                       "BigCode: what code_eval says of each try)", t->path);
    return score_row_take(t->samples, object, t->source, place_of(t, 0, line), t->err);
}

/* ---- the text ---- */

static bool is_blank_text(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!memchr(" \t\r\n", text.at[i], 4)) return false;
    return true;
}

/* All of the text as one value; NULL, and *end where it is none or where more stands behind it. */
static cJSON *value_read(struct slice text, const char **end)
{
    cJSON *tree = cJSON_ParseWithLengthOpts(text.at, text.len, end, 0);

    if (!*end) *end = text.at;
    if (!tree || is_blank_text((struct slice){ *end, (size_t)(text.at + text.len - *end) })) return tree;
    cJSON_Delete(tree);
    return NULL;
}

#define NO_JSON "is no JSON (NaN and Infinity are none: write null)"

static int whole_take(const struct taking *t, struct slice text)
{
    const char *end = NULL;
    cJSON      *tree = value_read(text, &end);
    int         rc;

    if (!tree) rc = refuse(t, line_at(text, end), NO_JSON);
    else if (json_has_nul(text)) rc = err_set(t->err, -EBADMSG, "%s: has a NUL, at which texts would end", t->path);
    else rc = cJSON_IsArray(tree) ? list_take(t, tree) : object_take(t, tree, 1);
    cJSON_Delete(tree);
    return rc;
}

static int line_take(const struct taking *t, struct slice line, uint64_t number, int64_t row)
{
    const char *end = NULL;
    cJSON      *tree = value_read(line, &end);
    int         rc;

    if (!tree) rc = refuse(t, number, NO_JSON);
    else if (json_has_nul(line)) rc = refuse(t, number, "has a NUL, at which texts would end");
    else {
        rc = score_row_take(t->samples, tree, t->source, place_of(t, row, number), t->err);
        if (rc == -EINVAL) rc = err_add(t->err, "%s: line %llu", t->path, (unsigned long long)number);
    }
    cJSON_Delete(tree);
    return rc;
}

/* The next line that is not blank; *number is that of the line, from 1.  False at the end. */
static bool line_next(struct slice *text, uint64_t *number, struct slice *line)
{
    while (text->len) {
        const char *end = memchr(text->at, '\n', text->len);

        *line = (struct slice){ text->at, end ? (size_t)(end - text->at) : text->len };
        text->at += line->len + (end != NULL);
        text->len -= line->len + (end != NULL);
        ++*number;
        if (!is_blank_text(*line)) return true;
    }
    return false;
}

/* Is the first of several lines an object?  One that goes over several lines is a value by itself. */
static bool is_lines(struct slice text)
{
    const char  *end = NULL;
    struct slice line;
    uint64_t     number = 0;
    cJSON       *first;
    bool         one;

    if (!line_next(&text, &number, &line)) return false;
    first = value_read(line, &end);
    one = cJSON_IsObject(first) && !is_blank_text(text);
    cJSON_Delete(first);
    return one;
}

/* A text that is no value is lines with a fault in the first, where the second is an object. */
static bool is_broken_lines(struct slice text)
{
    const char  *end = NULL;
    struct slice line;
    uint64_t     number = 0;
    cJSON       *value = value_read(text, &end);
    bool         broken = value == NULL;

    cJSON_Delete(value);
    if (!broken || !line_next(&text, &number, &line) || !line_next(&text, &number, &line)) return false;
    value = value_read(line, &end);
    broken = cJSON_IsObject(value);
    cJSON_Delete(value);
    return broken;
}

int score_text_take(struct score_samples *samples, const char *path, struct slice text,
                    const struct score_source *source, struct err *err)
{
    const struct taking t = { samples, path, source, err };
    struct slice        line;
    uint64_t            number = 0;
    int64_t             row = 0;
    int                 rc = score_file_begin(samples, path, err);

    if (rc == 0 && text.len >= 3 && memcmp(text.at, "\xEF\xBB\xBF", 3) == 0) text.at += 3, text.len -= 3;
    if (rc == 0 && is_blank_text(text)) rc = err_set(err, -EBADMSG, "%s: is empty", path);
    if (rc < 0) return rc;
    if (!is_lines(text) && !is_broken_lines(text)) return whole_take(&t, text);
    while (rc == 0 && line_next(&text, &number, &line)) rc = line_take(&t, line, number, row++);
    return rc;
}

/* ---- the file ---- */

int score_file_read(struct score_samples *samples, const char *path, const struct score_source *source,
                    struct err *err)
{
    struct input input = { 0 };
    struct codec codec = { 0 };
    struct bytes text = { 0 };
    ssize_t      got = 1;
    int          rc = input_open(&input, path, err);

    if (rc < 0) return rc;
    rc = codec_open(&codec, &input, err);
    while (rc == 0 && got > 0) {
        if (text.len > FILE_MOST) rc = err_set(err, -EFBIG, "%s: more than %llu bytes", path, FILE_MOST);
        else if (bytes_reserve(&text, text.len + PIECE) < 0) rc = err_memory(err, text.len, "a file of scores");
        else if ((got = codec_read(&codec, text.at + text.len, PIECE, err)) < 0) rc = err_add(err, "%s", path);
        else text.len += (size_t)got;
    }
    codec_close(&codec);
    input_close(&input);
    if (rc == 0) rc = score_text_take(samples, path, bytes_slice(&text), source, err);
    bytes_free(&text);
    return rc;
}
