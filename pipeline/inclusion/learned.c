/* inclusion/learned.c -- see learned.h; the tables' descriptions: verdict_tables.c. */
#include "inclusion/learned.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static struct slice model_of(const struct verdict *v) { return slice_of(v->name); }

static int classifier_add(struct inclusion_learned *to, const struct verdict *v, int kind, uint32_t threshold)
{
    const struct audit_trial *trial = &v->trial[kind];

    if (ARRAY_GROW(to->classifier, to->classifier_room, to->classifiers + 1) < 0) return -ENOMEM;
    to->classifier[to->classifiers++] = (struct graph_inclusion_classifier){
        .model = model_of(v), .classifier = classifier_names[kind], .auc = trial->auc, .brier = trial->brier,
        .learned = trial->learned, .tested = v->parts.test, .unknown = v->parts.unknown, .threshold = threshold,
        .columns = (uint32_t)trial->columns };
    return 0;
}

static int score_add(struct inclusion_learned *to, const struct verdict *v, int kind, int criterion, double lost,
                     const struct learn_scores *s, uint32_t threshold)
{
    if (ARRAY_GROW(to->score, to->score_room, to->scores + 1) < 0) return -ENOMEM;
    to->score[to->scores++] = (struct graph_inclusion_score){
        .model = model_of(v), .classifier = classifier_names[kind], .criterion = audit_criterion_names[criterion],
        .lost = lost, .precision = s->precision, .accuracy = s->accuracy, .f1 = s->f1, .sensitivity = s->recall,
        .specificity = s->specificity, .tp = s->tp, .fp = s->fp, .tn = s->tn, .fn = s->fn, .threshold = threshold };
    return 0;
}

static int scores_add(struct inclusion_learned *to, const struct verdict *v, int kind, uint32_t threshold)
{
    int rc = 0;

    for (int c = 0; c < AUDIT_CRITERIA && rc == 0; c++)
        rc = score_add(to, v, kind, c, 0, &v->trial[kind].score[c], threshold);
    for (int n = 0; n < VERDICT_NOISES * AUDIT_CRITERIA && v->noised && rc == 0; n++)
        rc = score_add(to, v, kind, n % AUDIT_CRITERIA, verdict_noise[n / AUDIT_CRITERIA],
                       &v->noise[kind][n / AUDIT_CRITERIA][n % AUDIT_CRITERIA], threshold);
    return rc;
}

static int importances_add(struct inclusion_learned *to, const struct verdict *v, int kind, uint32_t threshold)
{
    const struct audit_trial *trial = &v->trial[kind];

    for (size_t c = 0; c < trial->columns; c++) {
        if (ARRAY_GROW(to->importance, to->importance_room, to->importances + 1) < 0) return -ENOMEM;
        to->importance[to->importances++] = (struct graph_inclusion_importance){
            .model = model_of(v), .classifier = classifier_names[kind],
            .feature = audit_column_names[trial->columns == AUDIT_COLUMNS ? c : 2 * c],
            .importance = trial->importance[c], .permuted = trial->permuted[c], .deviation = trial->deviation[c],
            .threshold = threshold };
    }
    return 0;
}

/* The first cutoff is infinite: above all. */
static int roc_add(struct inclusion_learned *to, const struct verdict *v, int kind, uint32_t threshold)
{
    const struct audit_trial *trial = &v->trial[kind];

    for (size_t p = 0; p < trial->roc_points; p++) {
        const struct roc_point *point = &trial->roc[p];

        if (ARRAY_GROW(to->roc, to->roc_room, to->points + 1) < 0) return -ENOMEM;
        to->roc[to->points++] = (struct graph_inclusion_roc){
            .model = model_of(v), .classifier = classifier_names[kind], .cutoff = p ? point->threshold : NAN,
            .false_share = point->false_share, .true_share = point->true_share, .threshold = threshold };
    }
    return 0;
}

/* What is said of the repositories of the test, or of those without a label. */
static int part_add(struct inclusion_learned *to, const struct verdict *v, int kind, uint32_t threshold, bool unknown,
                    struct audit_vote *vote)
{
    const size_t *row = v->parts.row + v->parts.train + (unknown ? v->parts.test : 0);

    audit_votes(&v->features, &v->repositories, row, unknown ? v->parts.unknown : v->parts.test, v->trial[kind].said,
                false, vote);
    for (size_t r = 0; r < v->repositories.count; r++) {
        if (!vote[r].files) continue;
        if (ARRAY_GROW(to->prediction, to->prediction_room, to->predictions + 1) < 0) return -ENOMEM;
        to->prediction[to->predictions++] = (struct graph_inclusion_prediction){
            .model = model_of(v), .repo = v->repositories.at[r].name, .classifier = classifier_names[kind],
            .part = unknown ? "unlabelled" : "test", .label = vote[r].label, .files = vote[r].files,
            .said = vote[r].said, .threshold = threshold, .above_4 = audit_vote_says(&vote[r], 4),
            .above_6 = audit_vote_says(&vote[r], 6) };
    }
    return 0;
}

int inclusion_learned_add(struct inclusion_learned *to, const struct verdict *v, uint32_t threshold, struct err *err)
{
    struct audit_vote *vote = calloc(v->repositories.count + 1, sizeof *vote);
    int                rc = vote ? 0 : -ENOMEM;

    for (int k = 0; k < VERDICT_KINDS && rc == 0; k++) {
        if (!v->tried[k]) continue;
        rc = classifier_add(to, v, k, threshold);
        if (rc == 0) rc = scores_add(to, v, k, threshold);
        if (rc == 0) rc = importances_add(to, v, k, threshold);
        if (rc == 0) rc = roc_add(to, v, k, threshold);
        for (int unknown = 0; unknown < 2 && rc == 0; unknown++) rc = part_add(to, v, k, threshold, unknown, vote);
    }
    free(vote);
    return rc < 0 ? err_memory(err, v->features.count * sizeof *to->prediction, "what classifiers say") : 0;
}

void inclusion_learned_free(struct inclusion_learned *learned)
{
    free(learned->classifier);
    free(learned->score);
    free(learned->importance);
    free(learned->roc);
    free(learned->prediction);
    *learned = (struct inclusion_learned){ .classifiers = 0 };
}

int graph_add_learned(struct graph_build *build, const struct inclusion_learned *l, struct err *err)
{
    int rc = graph_add_rows(build, &table_inclusion_classifiers, l->classifier, l->classifiers, err);

    if (rc == 0) rc = graph_add_rows(build, &table_inclusion_scores, l->score, l->scores, err);
    if (rc == 0) rc = graph_add_rows(build, &table_inclusion_importances, l->importance, l->importances, err);
    if (rc == 0) rc = graph_add_rows(build, &table_inclusion_roc, l->roc, l->points, err);
    return rc < 0 ? rc : graph_add_rows(build, &table_inclusion_predictions, l->prediction, l->predictions, err);
}
