/* compliance/study.c -- cases are scored and counted; see study.h. */
#include "compliance/study.h"

#include "licence/licence.h"
#include "report/visible.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

int study_open_group(struct study *study, struct slice name, struct err *err)
{
    struct study_group *group = &study->group[study->groups];

    if (study->groups == STUDY_GROUPS) return err_set(err, -EINVAL, "more than %d groups of answers", STUDY_GROUPS);
    *group = (struct study_group){ .at = NULL };
    if (pool_copy(&study->pool, name, &group->name) < 0) return err_memory(err, name.len, "a group");
    study->groups++;
    return 0;
}

/* The texts of the most alike ones of all groups. */
static int example_take(struct study *study, const struct study_case *one, const struct study_texts *texts)
{
    struct study_example example = { study->groups - 1, study->group[study->groups - 1].count - 1, one->id,
                                     { "", 0 }, { "", 0 }, one->score.most };
    size_t               place = study->examples;

    while (place && study->example[place - 1].most < example.most) place--;
    if (place == STUDY_EXAMPLES) return 0;
    if (pool_copy(&study->pool, texts->reference, &example.reference) < 0 ||
        pool_copy(&study->pool, texts->answer, &example.answer) < 0) return -ENOMEM;
    if (study->examples < STUDY_EXAMPLES) study->examples++;
    for (size_t i = study->examples - 1; i > place; i--) study->example[i] = study->example[i - 1];
    study->example[place] = example;
    return 0;
}

/* The licence that the reply names. */
static int reply_read(struct study *study, struct slice reply, struct slice *named)
{
    const char *found = study->rules ? rules_find(study->rules, reply, NULL, &study->scratch)
        : licence_named(reply, NULL);

    if (study->rules && reply.len && !study->scratch.at) return -ENOMEM;
    return pool_copy(&study->pool, slice_of(found ? found : ""), named);
}

int study_add(struct study *study, const struct study_texts *texts, struct err *err)
{
    struct study_group *group = &study->group[study->groups - 1];
    struct study_case  *one;
    int                 rc;

    if (ARRAY_GROW(group->at, group->room, group->count) < 0)
        return err_memory(err, group->count * sizeof *group->at, "answers");
    one = &group->at[group->count];
    *one = (struct study_case){ .right = false };
    rc = score_take(&study->scorer, texts->reference, texts->answer, texts->prompt, &one->score, err);
    if (rc < 0) return rc;
    if (pool_copy(&study->pool, texts->id, &one->id) < 0 ||
        pool_copy(&study->pool, texts->license, &one->license) < 0 ||
        reply_read(study, texts->reply, &one->named) < 0) return err_memory(err, texts->reply.len, "an answer");
    one->type = licence_type_of(one->license, study->published);
    one->striking = score_is_striking(&one->score, &study->limits);
    one->right = one->license.len && rules_same_licence(one->license, one->named);
    group->count++;
    if (one->striking && example_take(study, one, texts) < 0)
        return err_memory(err, texts->reference.len + texts->answer.len, "an example");
    return 0;
}

void study_free(struct study *study)
{
    for (size_t g = 0; g < study->groups; g++) free(study->group[g].at);
    scorer_free(&study->scorer);
    pool_free(&study->pool);
    bytes_free(&study->scratch);
}

struct lico study_lico(const struct study_group *group)
{
    struct lico lico = { .benchmark = group->benchmark ? group->benchmark : group->count };

    for (size_t i = 0; i < group->count; i++) {
        const struct study_case *one = &group->at[i];

        lico.striking += one->striking;
        if (!one->striking || !one->license.len) continue;
        if (one->type == LICENCE_TYPE_PERMISSIVE) lico.permissive++, lico.permissive_right += one->right;
        else lico.copyleft++, lico.copyleft_right += one->right;
    }
    return lico;
}

/* ---- lines ---- */

static int text_put(struct bytes *out, struct slice text)
{
    return visible_append(out, text, true) < 0 ? -ENOMEM : bytes_append(out, "\t", 1);
}

int study_cases_tsv(const struct study *study, struct bytes *out)
{
    if (bytes_printf(out, "group\tid\tbleu\tjaccard\tedit\tmost\tcomments_shared\tlines\tcomplexity\tstriking\t"
                     "license\ttype\tnamed\tright\n") < 0) return -ENOMEM;
    for (size_t g = 0; g < study->groups; g++)
        for (size_t i = 0; i < study->group[g].count; i++) {
            const struct study_case *one = &study->group[g].at[i];
            const struct score      *s = &one->score;

            if (text_put(out, study->group[g].name) < 0 || text_put(out, one->id) < 0 ||
                bytes_printf(out, "%.6f\t%.6f\t%.6f\t%.6f\t%u\t%u\t%u\t%d\t", s->bleu, s->jaccard, s->edit, s->most,
                             s->shared, s->lines, s->complexity, one->striking) < 0 ||
                text_put(out, one->license) < 0 ||
                bytes_printf(out, "%s\t", one->license.len ? licence_type_names[one->type] : "") < 0 ||
                text_put(out, one->named) < 0 ||
                bytes_printf(out, "%s\n", !one->license.len ? "" : one->right ? "1" : "0") < 0) return -ENOMEM;
        }
    return 0;
}

/* A number of so many digits, or nothing. */
static int number_put(struct bytes *out, double value, int digits, char end)
{
    return isnan(value) ? bytes_append(out, &end, 1) : bytes_printf(out, "%.*f%c", digits, value, end);
}

int study_groups_tsv(const struct study *study, struct bytes *out)
{
    if (bytes_printf(out, "group\tanswers\tbenchmark\tstriking\tpercent\taccuracy\tpermissive\taccuracy_permissive\t"
                     "copyleft\taccuracy_copyleft\tlico\n") < 0) return -ENOMEM;
    for (size_t g = 0; g < study->groups; g++) {
        const struct lico lico = study_lico(&study->group[g]);
        const uint64_t    asked = lico.permissive + lico.copyleft;
        const double      share = lico.benchmark ? 100 * (double)lico.striking / (double)lico.benchmark : NAN,
            right = asked ? (double)(lico.permissive_right + lico.copyleft_right) / (double)asked : NAN;

        if (text_put(out, study->group[g].name) < 0 ||
            bytes_printf(out, "%zu\t%llu\t%llu\t", study->group[g].count, (unsigned long long)lico.benchmark,
                         (unsigned long long)lico.striking) < 0 ||
            number_put(out, share, 2, '\t') < 0 || number_put(out, right, 4, '\t') < 0 ||
            bytes_printf(out, "%llu\t", (unsigned long long)lico.permissive) < 0 ||
            number_put(out, lico_permissive(&lico), 4, '\t') < 0 ||
            bytes_printf(out, "%llu\t", (unsigned long long)lico.copyleft) < 0 ||
            number_put(out, lico_copyleft(&lico), 4, '\t') < 0 ||
            number_put(out, study->published && !lico.striking ? NAN : lico_score(&lico), 3, '\n') < 0) return -ENOMEM;
    }
    return 0;
}

/* ---- the report ---- */

static void models_tell(const struct study *study, struct report_document *document, struct report_node *parent)
{
    static const struct report_column columns[] = {
        { "group", "group" }, { "answers", "answers" }, { "benchmark", "functions asked" },
        { "striking", "strikingly similar" }, { "percent", "of those asked" }, { "permissive", "permissive" },
        { "permissive_right", "licence right" }, { "copyleft", "copyleft" }, { "copyleft_right", "licence right" },
        { "lico", "LICO" },
    };
    struct report_node *table = report_table(document, parent, "groups", columns, sizeof columns / sizeof *columns);

    for (size_t g = 0; g < study->groups; g++) {
        const struct lico        lico = study_lico(&study->group[g]);
        const struct report_cell none = { .kind = REPORT_NOTHING };

        report_row(document, table, (struct report_cell[]){
            report_cell_name(study->group[g].name), report_cell_count(study->group[g].count),
            report_cell_count(lico.benchmark), report_cell_count(lico.striking),
            report_cell_percent(lico.striking, lico.benchmark), report_cell_count(lico.permissive),
            report_cell_percent(lico.permissive_right, lico.permissive), report_cell_count(lico.copyleft),
            report_cell_percent(lico.copyleft_right, lico.copyleft),
            study->published && !lico.striking ? none : report_cell_share(lico_score(&lico)) });
    }
}

static void examples_tell(const struct study *study, struct report_document *document)
{
    struct report_node *list = study->examples ? report_section(document, document->root, "examples",
                                                                SLICE("Most alike")) : NULL;

    if (list) list = report_list(document, list, "answers");
    for (size_t e = 0; e < study->examples; e++) {
        const struct study_example *example = &study->example[e];
        struct report_node         *section = report_section(document, list, NULL, example->id);

        report_code(document, section, "reference", SLICE("Reference"), SLICE("python"), example->reference);
        report_code(document, section, "answer", SLICE("Answer"), SLICE("python"), example->answer);
    }
}

int study_document(const struct study *study, struct report_document *document, struct err *err)
{
    const struct score_limits *limits = &study->limits;
    struct report_node        *section;

    report_open(document, "Licence compliance");
    section = report_section(document, document->root, "compliance", SLICE("LICO"));
    report_paragraph(document, section, "An answer is strikingly similar when BLEU, Jaccard or edit similarity is "
                     "above %g.", limits->similarity);
    if (!limits->uncommented)
        report_paragraph(document, section, "It must have more than %u comments of the function that the prompt has "
                         "not.", limits->comments);
    if (!limits->published)
        report_paragraph(document, section, "The function must have more than %u lines and a cyclomatic complexity "
                         "above %u.", limits->lines, limits->complexity);
    report_paragraph(document, section, "Edits are counted over %s. LICO is (1 - N + 2 right of permissive + 4 right "
                     "of copyleft) / 7, N being the strikingly similar ones by the functions asked; licences count "
                     "only where an answer is strikingly similar.", study->tokens);
    models_tell(study, document, section);
    if (study_tables(study, document, document->root) < 0) return err_memory(err, 0, "the report's tables");
    examples_tell(study, document);
    return 0;
}
