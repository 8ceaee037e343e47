/* audit/verdict_tables.c -- see verdict.h: the report, and with its tables the files of an audit. */
#include "audit/verdict.h"

#include "stats/interval.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What all sections need. */
struct telling {
    struct report_document       *out;
    struct report_node           *section;
    const struct verdict         *verdict;
    size_t                        count;
    const struct verdict_options *options;
};

static struct report_cell nothing(void) { return (struct report_cell){ .kind = REPORT_NOTHING }; }
static struct report_cell share(double x) { return isnan(x) ? nothing() : report_cell_share(x); }
static struct report_cell label(int x) { return x < 0 ? nothing() : report_cell_count((uint64_t)x); }
static struct report_cell named(const char *text) { return report_cell_name(slice_of(text)); }
static struct report_cell text(const char *said) { return report_cell_text(slice_of(said)); }

#define COUNT(columns) (sizeof(columns) / sizeof *(columns))

static struct report_node *open_table(struct telling *t, const char *key, const struct report_column *column, size_t n)
{
    return report_table(t->out, t->section, key, column, n);
}

static void open_section(struct telling *t, const char *key, const char *title)
{
    t->section = report_section(t->out, t->out->root, key, slice_of(title));
}

/* ---- scores ---- */

#define SCORES { "precision", "precision" }, { "accuracy", "accuracy" }, { "f1", "F1" }, \
               { "sensitivity", "sensitivity" }, { "specificity", "specificity" }, \
               { "tp", "TP" }, { "fp", "FP" }, { "tn", "TN" }, { "fn", "FN" }
enum { SCORE_CELLS = 9 };

static void score_cells(const struct learn_scores *s, struct report_cell *cell)
{
    const double   real[] = { s->precision, s->accuracy, s->f1, s->recall, s->specificity };
    const uint64_t number[] = { s->tp, s->fp, s->tn, s->fn };

    for (int i = 0; i < 5; i++) cell[i] = share(real[i]);
    for (int i = 0; i < 4; i++) cell[5 + i] = report_cell_count(number[i]);
}

static void tell_scores(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "criterion", "criterion" }, SCORES,
    };
    struct report_node *table;

    open_section(t, "scores_of_classifiers", "How well files and repositories are told apart");
    report_paragraph(t->out, t->section, "Of the rows that were kept for the test. `single`: files; 0.4, 0.6: "
                                         "repositories, said to be trained on where more than this share of their "
                                         "files is.");
    table = open_table(t, "scores", column, COUNT(column));
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++)
            for (int c = 0; c < AUDIT_CRITERIA && t->verdict[i].tried[k]; c++) {
                struct report_cell cell[3 + SCORE_CELLS] = { named(t->verdict[i].name), text(classifier_names[k]),
                                                             text(audit_criterion_names[c]) };

                score_cells(&t->verdict[i].trial[k].score[c], cell + 3);
                report_row(t->out, table, cell);
            }
}

static void tell_compared(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "boosting", "boosting F1" }, { "svm", "svm F1" }, { "forest", "forest F1" },
    };
    static const enum classifier_kind order[] = { CLASSIFIER_BOOST, CLASSIFIER_SVM, CLASSIFIER_FOREST };
    struct report_node               *table = open_table(t, "compared", column, COUNT(column));

    for (size_t i = 0; i < t->count; i++) {
        struct report_cell cell[4] = { named(t->verdict[i].name) };

        for (int k = 0; k < 3; k++)
            cell[1 + k] = t->verdict[i].tried[order[k]]
                ? share(t->verdict[i].trial[order[k]].score[AUDIT_SINGLE].f1) : nothing();
        report_row(t->out, table, cell);
    }
}

static void tell_noise(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "noise", "hits lost" },
        { "criterion", "criterion" }, SCORES,
    };
    struct report_node *table;

    open_section(t, "lost_hits", "When hits are lost");
    report_paragraph(t->out, t->section, "Scores of the same classifiers where each hit of the test's files was lost "
                                         "with this probability.");
    table = open_table(t, "noise", column, COUNT(column));
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++)
            for (int n = 0; n < VERDICT_NOISES * AUDIT_CRITERIA; n++) {
                const struct verdict *v = &t->verdict[i];
                struct report_cell    cell[4 + SCORE_CELLS];

                if (!v->tried[k] || !v->noised) continue;
                cell[0] = named(v->name);
                cell[1] = text(classifier_names[k]);
                cell[2] = share(verdict_noise[n / AUDIT_CRITERIA]);
                cell[3] = text(audit_criterion_names[n % AUDIT_CRITERIA]);
                score_cells(&v->noise[k][n / AUDIT_CRITERIA][n % AUDIT_CRITERIA], cell + 4);
                report_row(t->out, table, cell);
            }
}

/* ---- classifiers ---- */

static void say_settings(const struct classifier_options *o, char *out, size_t room)
{
    static const char *const split[] = { "gini", "entropy" }, *const columns[] = { "sqrt", "log2", "all" };

    switch (o->kind) {
    case CLASSIFIER_FOREST:
        snprintf(out, room, "%u trees, %s, %s columns, depth %u", o->of.forest.trees, split[o->of.forest.criterion],
                 columns[o->of.forest.max_columns], o->of.forest.max_depth);
        break;
    case CLASSIFIER_BOOST:
        snprintf(out, room, "%u rounds, depth %u, rate %g, %g of rows, %g of columns", o->of.boost.rounds,
                 o->of.boost.max_depth, o->of.boost.learning_rate, o->of.boost.rows_share, o->of.boost.columns_share);
        break;
    case CLASSIFIER_SVM:
        if (o->of.svm.kernel == SVM_LINEAR) snprintf(out, room, "linear, C %g", o->of.svm.cost);
        else snprintf(out, room, "Gaussian, C %g, gamma %g", o->of.svm.cost, o->of.svm.gamma);
        break;
    }
}

static void tell_settings(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "columns", "columns" },
        { "learned", "rows learned from" }, { "tested", "rows tested" }, { "unknown", "rows without a label" },
        { "settings", "settings" }, { "cross_validated_f1", "F1 over folds" }, { "auc", "AUC" }, { "brier", "Brier" },
    };
    struct report_node *table;

    open_section(t, "classifiers", "The classifiers");
    table = open_table(t, "settings", column, COUNT(column));
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++) {
            const struct verdict     *v = &t->verdict[i];
            const struct audit_trial *trial = &v->trial[k];
            char                      said[160] = "learned elsewhere";

            if (!v->tried[k]) continue;
            if (trial->learned) say_settings(&trial->chosen, said, sizeof said);
            report_row(t->out, table, (struct report_cell[]){
                named(v->name), text(classifier_names[k]), report_cell_count(trial->columns),
                report_cell_count(trial->learned), report_cell_count(v->parts.test),
                report_cell_count(v->parts.unknown), text(said), share(trial->best.mean), share(trial->auc),
                share(trial->brier) });
        }
}

/* Names of columns in the order of 12, or of 6. */
static const char *column_name(size_t columns, size_t c)
{
    return audit_column_names[columns == AUDIT_COLUMNS ? c : 2 * c];
}

static void tell_importance(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "column", "column" },
        { "importance", "share of the splits' gains" }, { "permuted", "accuracy lost when exchanged" },
        { "deviation", "deviation" },
    };
    struct report_node *table = open_table(t, "importance", column, COUNT(column));

    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++) {
            const struct audit_trial *trial = &t->verdict[i].trial[k];

            for (size_t c = 0; t->verdict[i].tried[k] && c < trial->columns; c++)
                report_row(t->out, table, (struct report_cell[]){
                    named(t->verdict[i].name), text(classifier_names[k]), text(column_name(trial->columns, c)),
                    share(trial->importance[c]), share(trial->permuted[c]), share(trial->deviation[c]) });
        }
}

static void tell_correlation(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "column", "column" }, { "other", "other" }, { "rho", "Spearman" }, { "p", "p" },
    };
    struct report_node *table = open_table(t, "correlation", column, COUNT(column));

    report_hide(table);
    for (size_t i = 0; i < t->count; i++) {
        const struct verdict *v = &t->verdict[i];

        for (size_t c = 0; c < v->columns * v->columns; c++)
            report_row(t->out, table, (struct report_cell[]){
                named(v->name), text(column_name(v->columns, c / v->columns)),
                text(column_name(v->columns, c % v->columns)), share(v->correlation[c].r),
                share(v->correlation[c].p) });
    }
}

static void tell_curves(struct telling *t)
{
    static const struct report_column bins[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "low", "above" }, { "high", "to" },
        { "count", "files" }, { "mean", "mean probability" }, { "share", "share trained on" },
    };
    static const struct report_column points[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "threshold", "threshold" },
        { "false_share", "false positives" }, { "true_share", "true positives" },
    };
    struct report_node *calibration = open_table(t, "calibration", bins, COUNT(bins)),
                       *roc = open_table(t, "roc", points, COUNT(points));

    report_hide(roc);
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++) {
            const struct audit_trial *trial = &t->verdict[i].trial[k];

            if (!t->verdict[i].tried[k]) continue;
            for (int b = 0; b < AUDIT_BINS; b++)
                if (trial->bin[b].count)
                    report_row(t->out, calibration, (struct report_cell[]){
                        named(t->verdict[i].name), text(classifier_names[k]), share(trial->bin[b].low),
                        share(trial->bin[b].high), report_cell_count(trial->bin[b].count), share(trial->bin[b].mean),
                        share(trial->bin[b].share) });
            for (size_t p = 0; p < trial->roc_points; p++)  /* the first is infinity: above all */
                report_row(t->out, roc, (struct report_cell[]){
                    named(t->verdict[i].name), text(classifier_names[k]),
                    p ? share(trial->roc[p].threshold) : nothing(), share(trial->roc[p].false_share),
                    share(trial->roc[p].true_share) });
        }
}

/* ---- predictions ---- */

static const char *part_of(const struct audit_parts *p, size_t place)
{
    return place < p->train ? "learned" : place < p->train + p->test ? "test" : "unlabelled";
}

static void tell_files(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "file", "file" },
        { "repository", "repository" }, { "part", "part" }, { "label", "label" }, { "value", "value" },
        { "said", "said" },
    };
    struct report_node *table = open_table(t, "files", column, COUNT(column));

    report_hide(table);
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++) {
            const struct verdict *v = &t->verdict[i];
            const size_t          count = v->parts.train + v->parts.test + v->parts.unknown;

            for (size_t p = 0; v->tried[k] && p < count; p++) {
                const size_t row = v->parts.row[p];

                report_row(t->out, table, (struct report_cell[]){
                    named(v->name), text(classifier_names[k]), named(v->features.row[row].file),
                    report_cell_name(v->repositories.at[v->repositories.of[row]].name), text(part_of(&v->parts, p)),
                    label(v->features.row[row].label), share(v->trial[k].value[row]),
                    report_cell_count(v->trial[k].said[row]) });
            }
        }
}

/* One part's repositories; those that were learned from are of no interest. */
static void tell_votes(struct telling *t, struct report_node *table, const struct verdict *v, int kind, bool unknown)
{
    const size_t      *row = v->parts.row + v->parts.train + (unknown ? v->parts.test : 0);
    const size_t       count = unknown ? v->parts.unknown : v->parts.test;
    struct audit_vote *vote = calloc(v->repositories.count + 1, sizeof *vote);

    if (!vote) {
        t->out->failed = true;
        return;
    }
    audit_votes(&v->features, &v->repositories, row, count, v->trial[kind].said, t->options->published, vote);
    for (size_t r = 0; r < v->repositories.count; r++)
        if (vote[r].files)
            report_row(t->out, table, (struct report_cell[]){
                named(v->name), text(classifier_names[kind]), report_cell_name(v->repositories.at[r].name),
                text(unknown ? "unlabelled" : "test"), label(vote[r].label), report_cell_count(vote[r].files),
                report_cell_count(vote[r].said), share((double)vote[r].said / (double)vote[r].files),
                report_cell_count(audit_vote_says(&vote[r], 4)), report_cell_count(audit_vote_says(&vote[r], 6)) });
    free(vote);
}

static void tell_repositories(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "classifier", "classifier" }, { "repository", "repository" }, { "part", "part" },
        { "label", "label" }, { "files", "files" }, { "said", "said to be trained on" }, { "share", "share" },
        { "above_0_4", "above 0.4" }, { "above_0_6", "above 0.6" },
    };
    struct report_node *table;

    open_section(t, "predictions", "What is said of repositories");
    table = open_table(t, "repositories", column, COUNT(column));
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < VERDICT_KINDS; k++)
            for (int unknown = 0; unknown < 2 && t->verdict[i].tried[k]; unknown++)
                tell_votes(t, table, &t->verdict[i], k, unknown);
    tell_files(t);
}

/* ---- without training data ---- */

static void tell_suspects(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "repository", "repository" }, { "label", "label" }, { "clean", "clean" },
        { "files", "files" }, { "against_files", "clean files" }, { "against", "clean repositories" },
        { "rate", "hits" }, { "against_rate", "of clean ones" }, { "excess", "excess" }, { "p", "p of files" },
        { "p_rank", "p of repositories" }, { "gain", "over the reference" }, { "p_gain", "p over the reference" },
        { "class", "class" }, { "function", "function" }, { "variable", "variable" }, { "string", "string" },
        { "comment", "comment" }, { "docstring", "docstring" }, { "p_spread", "p beyond the spread" },
    };
    struct report_node *table = open_table(t, "untrained", column, COUNT(column));

    for (size_t i = 0; i < t->count; i++)
        for (size_t r = 0; t->verdict[i].suspect && r < t->verdict[i].repositories.count; r++) {
            const struct audit_suspect    *s = &t->verdict[i].suspect[r];
            const struct audit_repository *of = &t->verdict[i].repositories.at[r];
            struct report_cell             cell[15 + AUDIT_CATEGORIES] = {
                named(t->verdict[i].name), report_cell_name(of->name), label(of->label), report_cell_flag(s->clean),
                report_cell_count(s->files), report_cell_count(s->against_files), report_cell_count(s->against),
                share(s->rate), share(s->against_rate), share(s->excess), share(s->p), share(s->p_rank),
                share(s->gain), share(s->p_gain),
            };

            for (int c = 0; c < AUDIT_CATEGORIES; c++) cell[14 + c] = share(s->by[c]);
            cell[14 + AUDIT_CATEGORIES] = share(s->p_spread);
            report_row(t->out, table, cell);
        }
}

static void tell_rates(struct telling *t)
{
    static const struct report_column column[] = {
        { "features", "features" }, { "test", "test" }, { "level", "p at most" }, { "clean", "clean repositories" },
        { "wrong", "with such a p" }, { "false_positives", "share" }, { "low", "at least" }, { "high", "at most" },
        { "trained", "known to be trained on" }, { "found", "with such a p" }, { "power", "share" },
    };
    struct report_node *table = open_table(t, "false_positives", column, COUNT(column));

    for (size_t i = 0; i < t->count; i++)
        for (int n = 0; n < VERDICT_TESTS * VERDICT_LEVELS; n++) {
            const struct verdict_rate rate = verdict_rate_of(&t->verdict[i], n / VERDICT_LEVELS, n % VERDICT_LEVELS);
            double                    low, high;

            if (rate.clean + rate.trained == 0) continue;
            wilson_interval(rate.wrong, rate.clean, &low, &high);
            report_row(t->out, table, (struct report_cell[]){
                named(t->verdict[i].name), text(verdict_test_names[n / VERDICT_LEVELS]),
                share(verdict_level[n % VERDICT_LEVELS]), report_cell_count(rate.clean), report_cell_count(rate.wrong),
                share(rate.clean ? (double)rate.wrong / (double)rate.clean : NAN), share(low), share(high),
                report_cell_count(rate.trained), report_cell_count(rate.found),
                share(rate.trained ? (double)rate.found / (double)rate.trained : NAN) });
        }
}

static void tell_untrained(struct telling *t)
{
    open_section(t, "without_training", "Without training data");
    report_paragraph(t->out, t->section,
                     "A repository's files against those of repositories that the model cannot have been trained on "
                     "(label 0, `clean`). p of files: how often as many files drawn from both give back as much; it is "
                     "small too where the files of a repository are alike for other reasons. p of repositories: the "
                     "rank among clean repositories, at best 1 of their number and one. p beyond the spread: how "
                     "likely one more clean repository has as much, if their means are normally distributed. The "
                     "categories of elements that give a repository away are those with a large excess.");
    tell_rates(t);
    tell_suspects(t);
}

void verdict_document(const struct verdict *v, size_t count, const struct verdict_options *options,
                      struct report_document *out)
{
    struct telling t = { .out = out, .verdict = v, .count = count, .options = options };
    size_t         tried = 0;

    report_open(out, "Was the model trained on these files?");
    for (size_t i = 0; i < count; i++) for (int k = 0; k < VERDICT_KINDS; k++) tried += v[i].tried[k];
    if (tried == 0)
        report_paragraph(out, out->root, "There are not rows of both labels: no classifier was learned.");
    tell_scores(&t);
    tell_compared(&t);
    tell_noise(&t);
    tell_repositories(&t);
    tell_untrained(&t);
    tell_settings(&t);
    tell_importance(&t);
    tell_correlation(&t);
    tell_curves(&t);
}
