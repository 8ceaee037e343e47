/* inclusion/tables.c -- see tables.h. */
#include "inclusion/tables.h"

#include "audit/label.h"
#include "inclusion/clones.h"
#include "inclusion/verdict.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(member) offsetof(struct ROW, member)

#define ROW graph_inclusion_file
static const struct graph_column file_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, in the order of the dataset" },
    { "path", COLUMN_TEXT, FIELD(path), 0, NULL, "or the shard's, where the record has none" },
    { "repo", COLUMN_OPTIONAL, FIELD(repo), 0, NULL, "" },
    { "trained", COLUMN_MAYBE, FIELD(trained), 0, NULL, "1: of the split inclusion.trained, 0: of others, NULL: of "
      "neither; labels: comments: by the share of comments" },
    { "dataset", COLUMN_DATASET, FIELD(dataset), 0, NULL, "" },
    { "shard", COLUMN_SHARD, FIELD(shard), 0, NULL, "" },
    { "record", COLUMN_RECORD, FIELD(record), 0, NULL, "" },
};
#undef ROW

static const struct graph_table table_inclusion_files = {
    .name = "inclusion_files", .row_size = sizeof(struct graph_inclusion_file), TABLE_COLUMNS(file_columns),
    .doc = "Files that models were asked for (inclusion).",
};

#define ROW graph_inclusion_answer
static const struct graph_column answer_columns[] = {
    { "file", COLUMN_ID, FIELD(file), 0, "inclusion_files", "" },
    { "model", COLUMN_TEXT, FIELD(model), 0, NULL, "its name in probe.models" },
    { "role", COLUMN_TEXT, FIELD(role), 0, NULL, "class, function, variable, string, comment or docstring" },
    { "inside", COLUMN_FLAG, FIELD(inside), 0, NULL, "1: what stands in the parentheses of a class or function "
      "(elements: published)" },
    { "line", COLUMN_U32, FIELD(line), 0, NULL, "where the element begins, from 1" },
    { "wanted", COLUMN_TEXT, FIELD(wanted), 0, NULL, "what stands there" },
    { "output", COLUMN_TEXT, FIELD(output), 0, NULL, "what the model said" },
    { "score", COLUMN_MAYBE, FIELD(score), 0, NULL, "0 to 100: how alike both are; NULL: the model does not take the "
      "prompt, which is too long; published: nothing else is asked of the file then" },
};
#undef ROW

#define NAMES "('class', 'function', 'variable')"
#define HIT "(score >= iif(role IN " NAMES ", 100, threshold))"
#define SHARE(role) \
    "ifnull(avg(" HIT ") FILTER (WHERE role = '" role "'), 0.0), count(*) FILTER (WHERE role = '" role "')"

static const struct graph_view answer_views[] = {
    { "inclusion_features",
      "model, threshold, file, class_hits, class_nums_total, function_hits, function_nums_total, variable_hits, "
      "variable_nums_total, string_hits, string_nums_total, comment_hits, comment_nums_total, docstring_hits, "
      "docstring_nums_total, trained_on, repository",
      "SELECT model, threshold, f.path, " SHARE("class") ", " SHARE("function") ", " SHARE("variable") ", "
      SHARE("string") ", " SHARE("comment") ", " SHARE("docstring") ", f.trained, f.repo FROM inclusion_answers AS a "
      "JOIN (SELECT 20 AS threshold UNION ALL VALUES (40), (60), (80)) AS t JOIN inclusion_files AS f ON f.id = a.file "
      "WHERE score IS NOT NULL GROUP BY model, threshold, f.id",
      "What a model gave back of each file: the share of its elements by their role, and their number; names have to "
      "be right, of the others the score has to reach the threshold.  The columns of TraWiC's features." },
    { "inclusion_repositories", "model, repo, trained, files, elements, names, names_hit, texts, mean_score",
      "SELECT model, repo, iif(min(trained) = max(trained), min(trained), NULL), count(DISTINCT file), count(*), "
      "sum(role IN " NAMES "), " VIEW_PERCENT("sum(role IN " NAMES " AND score = 100)", "nullif(sum(role IN " NAMES
      "), 0)") ", sum(role NOT IN " NAMES "), avg(score) FILTER (WHERE role NOT IN " NAMES ") FROM inclusion_answers "
      "AS a JOIN inclusion_files AS f ON f.id = a.file WHERE score IS NOT NULL GROUP BY model, repo "
      "ORDER BY min(a.rowid)",
      "The same by repository: of names how many percent are right, of strings, comments and documentation the mean "
      "score." },
    { "inclusion_given_away", "model, repo, place, role, path, line, wanted",
      "SELECT a.model, f.repo, row_number() OVER (PARTITION BY a.model, f.repo ORDER BY length(a.wanted) DESC, "
      "a.wanted, f.path, a.line) AS place, a.role, f.path, a.line, a.wanted FROM inclusion_answers AS a JOIN "
      "inclusion_files AS f ON f.id = a.file WHERE a.score = 100 AND f.trained IS NOT 0 AND (a.model, a.wanted) NOT IN "
      "(SELECT b.model, b.wanted FROM inclusion_answers AS b JOIN inclusion_files AS g ON g.id = b.file WHERE "
      "b.score = 100 AND g.trained = 0) ORDER BY a.model, f.repo, place",
      "What gives a repository away: the elements that a model gave back to the last character, and of no file of "
      "label 0, the longest first." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table table_inclusion_answers = {
    .name = "inclusion_answers", .row_size = sizeof(struct graph_inclusion_answer), TABLE_COLUMNS(answer_columns),
    .views = answer_views,
    .doc = "What models said where elements of these files stand.",
};

const struct graph_table *const inclusion_tables[] = { &table_inclusion_files, &table_inclusion_answers,
                                                       &table_inclusion_verdicts, &table_inclusion_classifiers,
                                                       &table_inclusion_scores, &table_inclusion_importances,
                                                       &table_inclusion_roc, &table_inclusion_predictions,
                                                       &table_inclusion_functions, &table_inclusion_clones,
                                                       &table_inclusion_clone_scores, NULL };

/* ---- rows ---- */

/* What is known of a file: 1: a model was trained on it, 0: it was not, -1: nothing. */
static int label_of(const struct inclusion_options *o, const struct inclusion_file *file, struct lexer *lexer,
                    int64_t *out, struct err *err)
{
    double ratio;
    int    rc;

    *out = *o->trained && slice_equal(file->split, slice_of(o->trained)) ? 1
        : *o->others && slice_equal(file->split, slice_of(o->others)) ? 0 : -1;
    if (!o->by_comments || (file->language && strcmp(language_name(file->language), "python") != 0)) return 0;
    rc = audit_comment_ratio(lexer, file->text, &ratio, err);
    if (rc == 0) *out = audit_label_of(ratio);
    return rc;
}

static int files_add(struct graph_build *build, const struct inclusion_job *job, struct graph_inclusion_file **out,
                     struct err *err)
{
    const struct shard_list     *shards = job->run->shards;
    struct graph_inclusion_file *row = graph_build_own(build, calloc(job->files + 1, sizeof *row));
    struct lexer                 lexer = { 0 };
    int                          rc = 0;

    *out = row;
    if (!row) return err_memory(err, job->files * sizeof *row, "files");
    for (size_t f = 0; f < job->files && rc == 0; f++) {
        const struct inclusion_file *file = &job->file[f];

        row[f] = (struct graph_inclusion_file){
            .path = file->path.len ? file->path : slice_of(shards->at[file->shard].name), .repo = file->repo,
            .dataset = shards->at[file->shard].dataset, .shard = file->shard, .record = file->record,
        };
        rc = label_of(job->options, file, &lexer, &row[f].trained, err);
    }
    lexer_free(&lexer);
    return rc < 0 ? rc : graph_add_rows(build, inclusion_tables[0], row, job->files, err);
}

static size_t answers_of(const struct unit *unit)
{
    return unit->section[0].len / sizeof(struct inclusion_answer);
}

int graph_add_inclusion(struct graph_build *build, const struct inclusion_job *job,
                        struct inclusion_verdicts *verdicts, struct inclusion_clones *clones, struct err *err)
{
    struct graph_inclusion_file   *file;
    struct graph_inclusion_answer *row;
    const size_t                   units = job->answers ? job->models * job->files : 0;
    size_t                         count = 0, at = 0;
    int                            rc = files_add(build, job, &file, err);

    if (rc == 0) rc = inclusion_clones_make(clones, job, file, err);
    if (rc == 0) rc = graph_add_inclusion_clones(build, clones, err);
    if (rc < 0) return rc;
    for (size_t i = 0; i < units; i++) count += answers_of(&job->answers[i]);
    row = graph_build_own(build, calloc(count + 1, sizeof *row));
    if (!row) return err_memory(err, count * sizeof *row, "answers");
    for (size_t i = 0; i < units; i++) {
        const struct unit             *unit = &job->answers[i];
        const struct inclusion_answer *answer = (const void *)unit->section[0].at;

        for (size_t a = 0; a < answers_of(unit); a++, answer++)
            row[at++] = (struct graph_inclusion_answer){
                .model = slice_of(job->model[i / job->files].name),
                .role = slice_of(audit_category_names[answer->role]),
                .wanted = heap_slice(unit->section[1].at, answer->wanted),
                .output = heap_slice(unit->section[1].at, answer->output), .file = (uint32_t)(i % job->files),
                .line = answer->line, .inside = answer->inside != 0,
                .score = answer->score == INCLUSION_REFUSED ? -1 : (int64_t)answer->score,
            };
    }
    rc = graph_add_rows(build, inclusion_tables[1], row, count, err);
    if (rc == 0) rc = inclusion_verdicts_make(verdicts, &job->options->verdict, file, row, count,
                                              job->run->threads, err);
    if (rc == 0) rc = graph_add_rows(build, &table_inclusion_verdicts, verdicts->row, verdicts->rows, err);
    return rc < 0 ? rc : graph_add_learned(build, &verdicts->learned, err);
}
