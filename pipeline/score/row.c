/* score/row.c -- see row.h. */
#include "score/row.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const id_names[] = { "id", "task_id", "source_id", "idx", "question_id", "problem_id", NULL };
static const char *const model_names[] = { "model", "model_name", NULL };
static const char *const answer_names[] = { "prediction", "pred", "generated", "generation", "completion", "solution",
                                            "output", NULL };
static const char *const reference_names[] = { "reference", "target", "canonical_solution", "gold", NULL };
/* Numbers that are no scores. */
static const char *const others[] = { "seed", "layer", "index", "completion_id", "doc_id", "rank", "sample_id", NULL };

/* Of a key that is there twice the last counts, as everywhere. */
static const cJSON *field(const cJSON *row, const char *name)
{
    const cJSON *found = NULL, *one;

    cJSON_ArrayForEach(one, row)
        if (one->string && strcmp(one->string, name) == 0) found = one;
    return found;
}

static const cJSON *first_of(const cJSON *row, const char *const *names)
{
    const cJSON *found = NULL;

    for (; *names && (!found || cJSON_IsNull(found)); names++) found = field(row, *names);
    return found && !cJSON_IsNull(found) ? found : NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(name, *names) != 0) names++;
    return *names != NULL;
}

/* Names of what is no score, whatever it holds. */
static bool is_no_score(const char *name)
{
    return is_one_of(name, id_names) || is_one_of(name, others) || is_one_of(name, answer_names) ||
           is_one_of(name, reference_names);
}

static bool is_truth(const cJSON *value) { return cJSON_IsBool(value); }

int score_outcome(const cJSON *value)
{
    static const char *const passed[] = { "pass", "passed", "success", NULL };
    static const char *const failed[] = { "fail", "failed", "timeout", "timed out", "error", NULL };

    if (is_truth(value)) return cJSON_IsTrue(value);
    if (!cJSON_IsString(value)) return -1;
    return is_one_of(value->valuestring, passed) ? 1 : is_one_of(value->valuestring, failed) ? 0 : -1;
}

/* ---- names ---- */

struct name { char room[SCORE_NUMBER_ROOM]; struct slice text; };

/* From here on several whole numbers are one double. */
#define WHOLE_MOST 0x1p53

bool score_number_name(double number, char out[SCORE_NUMBER_ROOM])
{
    return fabs(number) < WHOLE_MOST && snprintf(out, SCORE_NUMBER_ROOM, "%.17g", number) > 0;
}

static bool is_past_whole(const cJSON *value)
{
    return value && cJSON_IsNumber(value) && fabs(value->valuedouble) >= WHOLE_MOST;
}

/* A string, or a number as it is written: whole ones without a point.  False: it is neither, or one that may be
 * several. */
static bool name_take(const cJSON *value, struct name *out)
{
    out->text = (struct slice){ 0 };
    if (!value || cJSON_IsNull(value)) return true;
    if (cJSON_IsString(value)) out->text = slice_of(value->valuestring);
    else if (cJSON_IsNumber(value) && score_number_name(value->valuedouble, out->room))
        out->text = slice_of(out->room);
    else return false;
    return true;
}

static int refuse(struct score_place place, const char *what, struct err *err)
{
    return err_set(err, -EBADMSG, "%s: line %llu: %s", place.path, (unsigned long long)place.line, what);
}

/* A name that was not taken. */
static int refuse_name(struct score_place place, const cJSON *value, const char *what, struct err *err)
{
    const unsigned long long line = place.line;

    return is_past_whole(value)
        ? err_set(err, -EBADMSG, "%s: line %llu: %s is %.17g, and numbers from 2^53 are not told apart: write it in "
                  "quotes, as a text", place.path, line, what, value->valuedouble)
        : err_set(err, -EBADMSG, "%s: line %llu: %s is neither a string nor a number", place.path, line, what);
}

/* Model, kind, seed and layer of the row; where it does not say, those of the file. */
static int series_take(struct score_samples *samples, const cJSON *row, const struct score_source *source,
                       struct score_place place, uint32_t *out, struct err *err)
{
    static const char *const what[] = { "`model`", "`model_kind`", "`seed`", "`layer`" };
    const cJSON *const       value[] = { first_of(row, model_names), field(row, "model_kind"), field(row, "seed"),
                                         field(row, "layer") };
    struct name              name[4];
    struct score_series      series;

    for (int i = 0; i < 4; i++)
        if (!name_take(value[i], &name[i])) return refuse_name(place, value[i], what[i], err);
    series = (struct score_series){ name[0].text, name[1].text, name[2].text, name[3].text };
    if (!series.model.len) series.model = source->model;
    if (!series.seed.len) series.seed = source->seed;
    return score_series_put(samples, series, out, err);
}

/* ---- numbers ---- */

/* Infinite ones are none; of those beyond this, squares would be. */
#define NUMBER_MOST 1e150

static int value_take(struct score_samples *samples, struct slice name, const cJSON *value, struct score_place place,
                      struct err *err)
{
    if (is_truth(value)) return score_value_add(samples, name, true, cJSON_IsTrue(value), err);
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble)) return 0;
    if (fabs(value->valuedouble) > NUMBER_MOST) return refuse(place, "a number is beyond 1e150", err);
    return score_value_add(samples, name, false, value->valuedouble, err);
}

/* The rank of the right one among all, by its score: those that score as much stand before it. */
static int rank_take(struct score_samples *samples, const cJSON *row, struct score_place place, struct err *err)
{
    const cJSON *scores = field(row, "scores"), *own = field(row, "index"), *rank = field(row, "rank"), *right, *one;
    double       place_of = 0;

    if (cJSON_IsNumber(rank)) {
        if (!(rank->valuedouble >= 1)) return refuse(place, "`rank` counts from 1", err);
        return score_value_add(samples, SLICE("mrr"), false, 100 / rank->valuedouble, err);
    }
    if (!cJSON_IsArray(scores) || !cJSON_IsNumber(own)) return 0;
    right = own->valuedouble >= 0 && own->valuedouble < 1e9 ? cJSON_GetArrayItem(scores, (int)own->valuedouble) : NULL;
    if (!cJSON_IsNumber(right)) return refuse(place, "`index` names no number of `scores`", err);
    cJSON_ArrayForEach(one, scores)
    {
        if (!cJSON_IsNumber(one)) return refuse(place, "`scores` is a list of numbers", err);
        place_of += one->valuedouble >= right->valuedouble;
    }
    return score_value_add(samples, SLICE("mrr"), false, 100 / place_of, err);
}

static int numbers_take(struct score_samples *samples, const cJSON *row, struct score_place place, struct err *err)
{
    const cJSON *one;
    int          rc = rank_take(samples, row, place, err);

    cJSON_ArrayForEach(one, row)
    {
        const int passed = strcmp(one->string, "status") == 0 || strstr(one->string, "_status") ? score_outcome(one)
                                                                                                : -1;

        if (rc < 0) break;
        if (is_no_score(one->string)) continue;
        rc = passed >= 0 ? score_value_add(samples, slice_of(one->string), true, passed, err)
            : value_take(samples, slice_of(one->string), one, place, err);
    }
    return rc;
}

/* ---- rows of any program ---- */

/* Answers that are no scores of their own share the row's numbers; a row without any has its numbers all the same. */
static int answers_take(struct score_samples *samples, const cJSON *row, struct score_sample sample,
                        struct score_place place, struct err *err)
{
    const cJSON *answer = first_of(row, answer_names), *reference = first_of(row, reference_names), *one;
    int          rc = 0;

    if (cJSON_IsString(reference)) sample.reference = slice_of(reference->valuestring);
    if (!cJSON_IsArray(answer) || !answer->child) {
        if (cJSON_IsString(answer)) sample.prediction = slice_of(answer->valuestring);
        rc = score_sample_add(samples, sample, err);
        return rc < 0 ? rc : numbers_take(samples, row, place, err);
    }
    cJSON_ArrayForEach(one, answer)
    {
        if (!cJSON_IsString(one)) return refuse(place, "a list of answers has one that is no string", err);
        sample.prediction = slice_of(one->valuestring);
        rc = score_sample_add(samples, sample, err);
        if (rc == 0 && one == answer->child) rc = numbers_take(samples, row, place, err);
        if (rc < 0) break;
    }
    return rc;
}

static int plain_take(struct score_samples *samples, const cJSON *row, const struct score_source *source,
                      struct score_place place, struct err *err)
{
    const cJSON        *id = first_of(row, id_names);
    struct name         name;
    struct score_sample sample = { .number = id ? -1 : place.number, .line = place.line };
    int                 rc;

    if (!name_take(id, &name)) return refuse_name(place, id, "the id", err);
    sample.id = name.text;
    rc = series_take(samples, row, source, place, &sample.series, err);
    return rc < 0 ? rc : answers_take(samples, row, sample, place, err);
}

/* ---- rows of lm-evaluation-harness ---- */

/* What was computed with a filter is a metric of its own, called as the harness does; `none` is no filter. */
static int metric_take(struct score_samples *samples, const cJSON *row, const cJSON *value, struct score_place place,
                       struct err *err)
{
    const cJSON *filter = field(row, "filter");
    struct bytes name = { 0 };
    int          rc;

    if (!cJSON_IsString(filter) || strcmp(filter->valuestring, "none") == 0)
        return value_take(samples, slice_of(value->string), value, place, err);
    rc = bytes_printf(&name, "%s,%s", value->string, filter->valuestring);
    rc = rc < 0 ? err_memory(err, name.len, "a metric") : value_take(samples, bytes_slice(&name), value, place, err);
    bytes_free(&name);
    return rc;
}

/* Of the first answer, where it is a text. */
static const char *response(const cJSON *row)
{
    const cJSON *list = field(row, "filtered_resps"), *first = cJSON_IsArray(list) ? list->child : NULL;

    return cJSON_IsString(first) ? first->valuestring : NULL;
}

static int harness_take(struct score_samples *samples, const cJSON *row, const struct score_source *source,
                        struct score_place place, struct err *err)
{
    const cJSON        *number = field(row, "doc_id"), *target = field(row, "target"), *one;
    const cJSON        *id = first_of(field(row, "doc"), id_names);
    struct score_sample sample = { .number = (int64_t)number->valuedouble, .line = place.line };
    struct name         name;
    int                 rc;

    if (is_past_whole(id)) return refuse_name(place, id, "the id of `doc`", err);
    if (!name_take(id, &name)) name.text = (struct slice){ 0 };
    sample.other = name.text;
    sample.prediction = slice_of(response(row));
    if (cJSON_IsString(target)) sample.reference = slice_of(target->valuestring);
    rc = series_take(samples, row, source, place, &sample.series, err);
    if (rc == 0) rc = score_sample_add(samples, sample, err);
    cJSON_ArrayForEach(one, row)
    {
        if (rc < 0) break;
        if (!is_no_score(one->string)) rc = metric_take(samples, row, one, place, err);
    }
    return rc;
}

int score_row_take(struct score_samples *samples, const cJSON *row, const struct score_source *source,
                   struct score_place place, struct err *err)
{
    const cJSON *number = field(row, "doc_id");
    int          rc;

    if (!cJSON_IsObject(row)) return refuse(place, "is no JSON object", err);
    if (number && (field(row, "resps") || field(row, "filtered_resps"))) {
        if (!cJSON_IsNumber(number) || number->valuedouble < 0 || number->valuedouble > 1e15)
            return refuse(place, "`doc_id` is no number", err);
        rc = harness_take(samples, row, source, place, err);
    } else rc = plain_take(samples, row, source, place, err);
    return rc == -EEXIST ? refuse(place, "a number stands twice", err) : rc;
}
