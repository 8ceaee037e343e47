/* compliance/study.c -- cases are scored and counted; see study.h. */
#include "compliance/study.h"

#include "licence/expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int study_open_group(struct study *study, struct slice name, uint32_t dataset, bool by_model, struct err *err)
{
    if (ARRAY_GROW(study->group, study->room, study->groups) < 0)
        return err_memory(err, study->groups * sizeof *study->group, "groups of answers");
    study->group[study->groups++] = (struct study_group){ .name = name, .dataset = dataset, .by_model = by_model };
    return 0;
}

int study_add(struct study *study, const struct compliance_function *function, struct slice answer, struct err *err)
{
    struct study_group *group = &study->group[study->groups - 1];
    struct study_case  *one;
    int                 rc;

    if (ARRAY_GROW(group->at, group->room, group->count) < 0)
        return err_memory(err, group->count * sizeof *group->at, "answers");
    one = &group->at[group->count];
    *one = (struct study_case){ .function = function, .answer = answer.at ? answer : SLICE(""), .refused = !answer.at };
    rc = score_take(&study->scorer, function->reference, one->answer, function->prompt, &one->score, err);
    if (rc < 0) return rc;
    one->type = licence_type_of(function->license, study->published);
    one->striking = score_is_striking(&one->score, &study->limits);
    group->count++;
    return 0;
}

/* Is the reply nothing but an expression that is the licence?  The recogniser names one licence of it, without WITH. */
static bool is_expression(struct licence *out, struct slice reply, struct slice license)
{
    while (reply.len && strchr(" \t\r\n", reply.at[reply.len - 1])) reply.len--;
    return license.len && reply.len && expression_read(out, reply) == reply.len &&
        rules_same_expression(license, slice_of(out->expression));
}

/* Is it an identifier of SPDX's exceptions?  Words of prose behind `with` are none. */
static bool is_exception(const char *id)
{
    const size_t len = strlen(id);

    return strcasestr(id, "-exception") || (len > 5 && strcasecmp(id + len - 5, "-note") == 0);
}

/* Does the reply name the licence with an exception, where it names it first?  That is another licence. */
static bool has_exception(struct licence *out, struct slice reply, const char *found)
{
    for (size_t i = 0; i < reply.len && i < LICENCE_HEAD; i++) {
        char *end;

        if (!isalnum((unsigned char)reply.at[i]) || (i && isalnum((unsigned char)reply.at[i - 1])) ||
            expression_read(out, (struct slice){ reply.at + i, reply.len - i }) == 0 || out->count == 0 ||
            strcmp(out->id[0], found) != 0) continue;
        end = out->expression + strlen(found);
        if (strncmp(end, " WITH ", 6) != 0) return false;
        end += 6;
        end[strcspn(end, " )")] = '\0';
        return is_exception(end);
    }
    return false;
}

int study_reply(struct study *study, struct study_case *one, struct slice reply, struct err *err)
{
    const struct slice text = reply.at ? reply : SLICE("");
    const struct slice license = one->function->license;
    struct licence     whole;
    const char        *found = study->rules ? rules_find(study->rules, text, NULL, &study->scratch)
        : licence_named(text, NULL);

    one->reply = reply;
    if (!study->rules && !study->published &&
        (is_expression(&whole, text, license) || (found && has_exception(&whole, text, found))))
        found = whole.expression;
    if ((study->rules && text.len && !study->scratch.at) ||
        pool_copy(&study->pool, slice_of(found ? found : ""), &one->named) < 0)
        return err_memory(err, text.len, "a reply");
    one->right = license.len && (study->published ? rules_same_licence(license, one->named)
                                 : rules_same_expression(license, one->named));
    return 0;
}

void study_free(struct study *study)
{
    for (size_t g = 0; g < study->groups; g++) free(study->group[g].at);
    free(study->group);
    scorer_free(&study->scorer);
    pool_free(&study->pool);
    bytes_free(&study->scratch);
    study->group = NULL;
    study->groups = study->room = 0;
}

struct lico study_lico(const struct study_group *group)
{
    struct lico lico = { .benchmark = group->benchmark ? group->benchmark : group->count };

    for (size_t i = 0; i < group->count; i++) {
        const struct study_case *one = &group->at[i];

        lico.striking += one->striking;
        if (!one->striking || !one->function->license.len) continue;
        if (one->type == LICENCE_TYPE_PERMISSIVE) lico.permissive++, lico.permissive_right += one->right;
        else lico.copyleft++, lico.copyleft_right += one->right;
    }
    return lico;
}

double study_score(const struct study *study, const struct lico *lico)
{
    return study->published && !lico->striking ? NAN : lico_score(lico);
}
