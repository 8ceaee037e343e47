/* compliance/tables.c -- see tables.h. */
#include "compliance/tables.h"

#include <stdlib.h>

/* ---- the tables ---- */

#define FIELD(member) offsetof(struct ROW, member)
#define GROUP "a model of probe.models, or a dataset of compliance.pairs"
#define LIMIT(key) "(SELECT CAST(value AS REAL) FROM run WHERE key = 'compliance." key "')"

#define ROW graph_compliance_function
static const struct graph_column function_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, in the order of the datasets" },
    { "name", COLUMN_TEXT, FIELD(name), 0, NULL, "the record's own id, or shard:record" },
    { "signature", COLUMN_OPTIONAL, FIELD(signature), 0, NULL, "" },
    { "license", COLUMN_OPTIONAL, FIELD(license), 0, NULL, "as the record has it" },
    { "license_class", COLUMN_OPTIONAL, FIELD(license_class), 0, NULL, "permissive | weak | strong | unknown; what is "
      "not permissive counts as copyleft" },
    { "lines", COLUMN_U32, FIELD(lines), 0, NULL, "of its body, so are the next" },
    { "complexity", COLUMN_U32, FIELD(complexity), 0, NULL, "cyclomatic" },
    { "comments", COLUMN_U32, FIELD(comments), 0, NULL, "" },
    { "words", COLUMN_U32, FIELD(words), 0, NULL, "" },
    { "characters", COLUMN_U32, FIELD(characters), 0, NULL, "" },
    { "prompt_lines", COLUMN_U32, FIELD(prompt_lines), 0, NULL, "of its prompt" },
    { "reference", COLUMN_OPTIONAL, FIELD(reference), 0, NULL, "the body; NULL with graph.store: none" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
};
#undef ROW

static const struct graph_table table_functions = {
    .name = "compliance_functions", .row_size = sizeof(struct graph_compliance_function),
    TABLE_COLUMNS(function_columns),
    .doc = "Functions whose bodies models were asked for, or to which answers were there (compliance): a record each.",
};

#define ROW graph_compliance_answer
static const struct graph_column answer_columns[] = {
    { "answers_of", COLUMN_TEXT, FIELD(answers_of), 0, NULL, GROUP },
    { "function", COLUMN_ID, FIELD(function), 0, "compliance_functions", "" },
    { "bleu", COLUMN_REAL, FIELD(bleu), 0, NULL, "of the answer against the function's body, 0 to 1" },
    { "jaccard", COLUMN_REAL, FIELD(jaccard), 0, NULL, "" },
    { "edit", COLUMN_REAL, FIELD(edit), 0, NULL, "over the tokens of compliance.edit_tokens" },
    { "most", COLUMN_REAL, FIELD(most), 0, NULL, "the largest of the three" },
    { "comments_shared", COLUMN_U32, FIELD(shared), 0, NULL, "comments that both have and the prompt has not" },
    { "striking", COLUMN_FLAG, FIELD(striking), 0, NULL, "1: above the limits, so alike that it is no chance" },
    { "named", COLUMN_OPTIONAL, FIELD(named), 0, NULL, "the licence that the reply names; NULL: none" },
    { "named_right", COLUMN_MAYBE, FIELD(right), 0, NULL, "1: it is the function's; NULL: that is not known, or "
      "nobody asked" },
    { "refused", COLUMN_FLAG, FIELD(refused), 0, NULL, "1: the model could not take the prompt; the answer is empty" },
    { "answer", COLUMN_OPTIONAL, FIELD(answer), 0, NULL, "the body that was taken from it; NULL with graph.store: "
      "none, and where it is empty" },
    { "reply", COLUMN_OPTIONAL, FIELD(reply), 0, NULL, "what was said of the licence; the same" },
};
#undef ROW

/* How many of a group have their largest similarity in a tenth. */
#define TENTH(n) ", sum(min(CAST(most * 10 AS INTEGER), 9) = " #n ")"

static const struct graph_view answer_views[] = {
    { "compliance_pairs", "answers_of, name, bleu, jaccard, edit, most, comments_shared, lines, complexity, striking, "
      "license, license_class, named, named_right",
      "SELECT answers_of, name, bleu, jaccard, edit, most, comments_shared, lines, complexity, striking, license, "
      "license_class, named, named_right FROM compliance_answers AS a JOIN compliance_functions AS f ON f.id = "
      "a.function ORDER BY a.rowid",
      "Each answer beside what is known of its function." },
    { "compliance_cases", "place, answers_of, name, most, comments_shared, license, named, reference, answer",
      "SELECT row_number() OVER (ORDER BY most DESC, a.rowid) AS place, answers_of, name, most, comments_shared, "
      "license, named, reference, answer FROM compliance_answers AS a JOIN compliance_functions AS f ON f.id = "
      "a.function WHERE striking ORDER BY place",
      "Strikingly similar answers, the most alike first, with both texts." },
    { "compliance_limits", "answers_of, similarity, comments, lines, complexity, \"all\"",
      "SELECT answers_of, sum(most > " LIMIT("similarity") "), sum((SELECT value FROM run WHERE key = "
      "'compliance.comments') = 'off' OR comments_shared > " LIMIT("comments") "), sum(lines > " LIMIT("lines") "), "
      "sum(complexity > " LIMIT("complexity") "), sum(striking) FROM compliance_answers AS a JOIN "
      "compliance_functions AS f ON f.id = a.function GROUP BY answers_of ORDER BY min(a.rowid)",
      "How many answers pass each limit of what is strikingly similar, and all of them." },
    { "compliance_distribution",
      "answers_of, \"0.0\", \"0.1\", \"0.2\", \"0.3\", \"0.4\", \"0.5\", \"0.6\", \"0.7\", \"0.8\", \"0.9\"",
      "SELECT answers_of" TENTH(0) TENTH(1) TENTH(2) TENTH(3) TENTH(4) TENTH(5) TENTH(6) TENTH(7) TENTH(8) TENTH(9)
      " FROM compliance_answers GROUP BY answers_of ORDER BY min(rowid)",
      "How many answers have their largest similarity in each tenth." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_check answer_checks[] = {
    { "an answer is strikingly similar where it is above the limits",
      "SELECT a.answers_of || ' ' || f.name, a.striking AS said, a.most > " LIMIT("similarity") " AND ((SELECT value "
      "FROM run WHERE key = 'compliance.comments') = 'off' OR a.comments_shared > " LIMIT("comments") ") AND "
      "((SELECT value FROM run WHERE key = 'compat') = 'published' OR (f.lines > " LIMIT("lines") " AND f.complexity > "
      LIMIT("complexity") ")) AS right FROM compliance_answers AS a JOIN compliance_functions AS f ON f.id = "
      "a.function WHERE said <> right", "(1: yes)", "by its numbers" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_answers = {
    .name = "compliance_answers", .row_size = sizeof(struct graph_compliance_answer), TABLE_COLUMNS(answer_columns),
    .views = answer_views, .checks = answer_checks,
    .doc = "Answers to these functions, and how alike they are.",
};

#define ROW graph_compliance_group
static const struct graph_column group_columns[] = {
    { "answers_of", COLUMN_TEXT, FIELD(answers_of), COLUMN_PRIMARY, NULL, GROUP },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "of its functions" },
    { "by_model", COLUMN_FLAG, FIELD(by_model), 0, NULL, "1: a model was asked" },
    { "answers", COLUMN_U64, FIELD(answers), 0, NULL, "" },
    { "refused", COLUMN_U64, FIELD(refused), 0, NULL, "of these, prompts that the model could not take" },
    { "benchmark", COLUMN_U64, FIELD(benchmark), 0, NULL, "functions that were asked for" },
    { "striking", COLUMN_U64, FIELD(striking), 0, NULL, "strikingly similar answers" },
    { "permissive", COLUMN_U64, FIELD(permissive), 0, NULL, "of these, functions with a permissive licence" },
    { "permissive_right", COLUMN_U64, FIELD(permissive_right), 0, NULL, "and those whose licence was named" },
    { "copyleft", COLUMN_U64, FIELD(copyleft), 0, NULL, "with another licence" },
    { "copyleft_right", COLUMN_U64, FIELD(copyleft_right), 0, NULL, "" },
    { "lico", COLUMN_MAYBE_REAL, FIELD(lico), 0, NULL, "LICO, three digits; NULL: not defined, with compat: published "
      "where nothing is strikingly similar" },
};
#undef ROW

static const struct graph_view group_views[] = {
    { "compliance_models", "answers_of, answers, benchmark, striking, percent, accuracy, permissive, "
      "accuracy_permissive, copyleft, accuracy_copyleft, lico",
      "SELECT answers_of, answers, benchmark, striking, " VIEW_PERCENT("striking", "nullif(benchmark, 0)") ", "
      "1.0 * (permissive_right + copyleft_right) / nullif(permissive + copyleft, 0), permissive, "
      "1.0 * permissive_right / nullif(permissive, 0), copyleft, 1.0 * copyleft_right / nullif(copyleft, 0), lico FROM "
      "compliance_groups ORDER BY rowid",
      "Strikingly similar answers, how many of their licences were named, and LICO: LiCoEval's Table IV." },
    { NULL, NULL, NULL, NULL },
};

/* What a group says, and how many of its answers are so. */
#define COUNTED(name, condition) \
    "SELECT g.answers_of || ' " name "', g." name " AS said, (SELECT count(*) FROM compliance_answers AS a JOIN " \
    "compliance_functions AS f ON f.id = a.function WHERE a.answers_of = g.answers_of AND " condition ") AS counted " \
    "FROM compliance_groups AS g WHERE said <> counted"

static const struct graph_check group_checks[] = {
    { "a group counts its answers",
      COUNTED("answers", "1") " UNION ALL " COUNTED("refused", "refused") " UNION ALL " COUNTED("striking", "striking")
      " UNION ALL " COUNTED("permissive", "striking AND license_class = 'permissive'") " UNION ALL "
      COUNTED("permissive_right", "striking AND license_class = 'permissive' AND named_right") " UNION ALL "
      COUNTED("copyleft", "striking AND license_class <> 'permissive'") " UNION ALL "
      COUNTED("copyleft_right", "striking AND license_class <> 'permissive' AND named_right"),
      "said", "there" },
    { "LICO is what the counts make of it",
      "SELECT answers_of, CAST(round(1000 * lico) AS INTEGER) AS said, CAST(round(1000 * x) AS INTEGER) FROM (SELECT "
      "*, (1 - 1.0 * striking / benchmark + 2 * iif(permissive, 1.0 * permissive_right / permissive, 1) + 4 * "
      "iif(copyleft, 1.0 * copyleft_right / copyleft, 1)) / 7 AS x FROM compliance_groups) WHERE abs(lico - x) > "
      "0.000501",
      "thousandths", "by the counts" },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_groups = {
    .name = "compliance_groups", .row_size = sizeof(struct graph_compliance_group), TABLE_COLUMNS(group_columns),
    .views = group_views, .checks = group_checks,
    .doc = "What is said of the answers of a model, or of a dataset of answers, together.",
};

#define ROW study_metric
static const struct graph_column metric_columns[] = {
    { "answers_of", COLUMN_TEXT, FIELD(group), 0, NULL, "" },
    { "metric", COLUMN_KEY, FIELD(metric), 0, NULL, "prompt lines, body lines, complexity, comments, words, characters "
      "of its functions; comments shared, BLEU, Jaccard, edit similarity, largest similarity of its answers" },
    { "least", COLUMN_MAYBE_REAL, FIELD(least), 0, NULL, "" },
    { "median", COLUMN_MAYBE_REAL, FIELD(median), 0, NULL, "" },
    { "mean", COLUMN_MAYBE_REAL, FIELD(mean), 0, NULL, "" },
    { "most", COLUMN_MAYBE_REAL, FIELD(most), 0, NULL, "" },
};
#undef ROW

static const struct graph_table table_metrics = {
    .name = "compliance_metrics", .row_size = sizeof(struct study_metric), TABLE_COLUMNS(metric_columns),
    .doc = "What functions and answers of a group look like: LiCoEval's Table III.",
};

#define ROW study_difference
static const struct graph_column difference_columns[] = {
    { "answers_of", COLUMN_TEXT, FIELD(group), 0, NULL, "the first group; where there is no other, the "
      "strikingly similar answers of this one" },
    { "other", COLUMN_OPTIONAL, FIELD(other), 0, NULL, "what it is compared with; NULL: the rest of "
      "its answers" },
    { "metric", COLUMN_KEY, FIELD(metric), 0, NULL, "as in compliance_metrics" },
    { "median", COLUMN_MAYBE_REAL, FIELD(median), 0, NULL, "" },
    { "median_other", COLUMN_MAYBE_REAL, FIELD(median_other), 0, NULL, "" },
    { "p", COLUMN_MAYBE_REAL, FIELD(p), 0, NULL, "Mann-Whitney's, of no difference" },
    { "delta", COLUMN_MAYBE_REAL, FIELD(delta), 0, NULL, "Cliff's: pairs in which the first is larger less those in "
      "which the other is, of all" },
    { "level", COLUMN_KEY, FIELD(level), 0, NULL, "negligible | small | medium | large" },
};
#undef ROW

static const struct graph_view difference_views[] = {
    { "compliance_populations",
      "metric, answers_of, least, median, mean, most, other, least_other, median_other, mean_other, most_other, p, "
      "delta, level",
      "SELECT d.metric, m.answers_of, m.least, m.median, m.mean, m.most, o.answers_of, o.least, o.median, o.mean, "
      "o.most, d.p, d.delta, d.level FROM compliance_differences AS d JOIN compliance_metrics AS m ON m.answers_of = "
      "d.answers_of AND m.metric = d.metric JOIN compliance_metrics AS o ON o.answers_of = d.other AND o.metric = "
      "d.metric ORDER BY d.rowid",
      "The first group beside each other one, by metric: LiCoEval's Table II." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_differences = {
    .name = "compliance_differences", .row_size = sizeof(struct study_difference), TABLE_COLUMNS(difference_columns),
    .views = difference_views,
    .doc = "How groups differ from the first one, and strikingly similar answers from the rest, in each metric.",
};

const struct graph_table *const compliance_tables[] = { &table_functions, &table_answers, &table_groups,
                                                        &table_metrics, &table_differences, NULL };

/* ---- rows ---- */

/* What is known of each function; lines and the like come with its first answer. */
static int functions_add(struct graph_build *build, const struct compliance_job *job,
                         struct graph_compliance_function **out, struct err *err)
{
    const struct compliance_functions *of = &job->functions;
    struct graph_compliance_function  *row = graph_build_own(build, calloc(of->count + 1, sizeof *row));

    *out = row;
    if (!row) return err_memory(err, of->count * sizeof *row, "functions");
    for (size_t i = 0; i < of->count; i++) {
        const struct compliance_function *f = &of->at[i];
        const enum licence_type           type = licence_type_of(f->license, job->options->published);

        row[i] = (struct graph_compliance_function){
            .name = f->id, .signature = f->signature, .license = f->license,
            .license_class = slice_of(f->license.len ? licence_type_names[type] : ""),
            .reference = job->run->store_text ? f->reference : SLICE(""),
            .dataset = f->dataset, .shard = f->shard, .record = f->record,
        };
    }
    return graph_add_rows(build, &table_functions, row, of->count, err);
}

static void function_measure(struct graph_compliance_function *row, const struct score *score)
{
    row->lines = score->lines, row->complexity = score->complexity, row->comments = score->comments;
    row->words = score->words, row->characters = score->characters, row->prompt_lines = score->prompt_lines;
}

static struct graph_compliance_answer answer_row(const struct compliance_job *job, const struct study_group *group,
                                                 const struct study_case *one)
{
    const struct score *s = &one->score;
    const bool          asked = one->striking || one->reply.len;

    return (struct graph_compliance_answer){
        .answers_of = group->name, .function = (uint32_t)(one->function - job->functions.at),
        .bleu = s->bleu, .jaccard = s->jaccard, .edit = s->edit, .most = s->most, .shared = s->shared,
        .striking = one->striking, .refused = one->refused, .named = one->named,
        .right = one->function->license.len && asked ? one->right : -1,
        .answer = job->run->store_text ? one->answer : SLICE(""),
        .reply = job->run->store_text ? one->reply : SLICE(""),
    };
}

static int answers_add(struct graph_build *build, const struct compliance_job *job,
                       struct graph_compliance_function *function, struct err *err)
{
    const struct study             *study = &job->study;
    struct graph_compliance_answer *row;
    size_t                          count = 0, at = 0;

    for (size_t g = 0; g < study->groups; g++) count += study->group[g].count;
    row = graph_build_own(build, calloc(count + 1, sizeof *row));
    if (!row) return err_memory(err, count * sizeof *row, "answers");
    for (size_t g = 0; g < study->groups; g++)
        for (size_t i = 0; i < study->group[g].count; i++) {
            row[at] = answer_row(job, &study->group[g], &study->group[g].at[i]);
            function_measure(&function[row[at++].function], &study->group[g].at[i].score);
        }
    return graph_add_rows(build, &table_answers, row, count, err);
}

static int groups_add(struct graph_build *build, const struct study *study, struct err *err)
{
    struct graph_compliance_group *row = graph_build_own(build, calloc(study->groups + 1, sizeof *row));

    if (!row) return err_memory(err, study->groups * sizeof *row, "groups");
    for (size_t g = 0; g < study->groups; g++) {
        const struct study_group *group = &study->group[g];
        const struct lico         lico = study_lico(group);

        row[g] = (struct graph_compliance_group){
            .answers_of = group->name, .dataset = group->dataset, .by_model = group->by_model, .answers = group->count,
            .benchmark = lico.benchmark, .striking = lico.striking, .permissive = lico.permissive,
            .permissive_right = lico.permissive_right, .copyleft = lico.copyleft,
            .copyleft_right = lico.copyleft_right, .lico = study_score(study, &lico),
        };
        for (size_t i = 0; i < group->count; i++) row[g].refused += group->at[i].refused;
    }
    return graph_add_rows(build, &table_groups, row, study->groups, err);
}

static int numbers_add(struct graph_build *build, const struct study *study, struct err *err)
{
    struct study_metric     *metric;
    struct study_difference *difference = NULL;
    size_t                   metrics, differences = 0;
    int                      rc = study_metrics(study, &metric, &metrics, err);

    if (rc == 0) rc = study_differences(study, &difference, &differences, err);
    if (!graph_build_own(build, metric) && rc == 0) rc = err_memory(err, metrics * sizeof *metric, "numbers");
    if (!graph_build_own(build, difference) && rc == 0) rc = err_memory(err, differences * sizeof *metric, "numbers");
    if (rc == 0) rc = graph_add_rows(build, &table_metrics, metric, metrics, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_differences, difference, differences, err);
}

int graph_add_compliance(struct graph_build *build, const struct compliance_job *job, struct err *err)
{
    struct graph_compliance_function *function;
    int                               rc = functions_add(build, job, &function, err);

    if (rc == 0) rc = answers_add(build, job, function, err);
    if (rc == 0) rc = groups_add(build, &job->study, err);
    return rc < 0 ? rc : numbers_add(build, &job->study, err);
}
