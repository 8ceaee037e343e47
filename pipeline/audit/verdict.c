/* audit/verdict.c -- see verdict.h: the work; what is said of it: verdict_tables.c. */
#include "audit/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

const double      verdict_noise[VERDICT_NOISES] = { 0.1, 0.5, 0.9 };
const double      verdict_level[VERDICT_LEVELS] = { 0.05, 0.01 };
const char *const verdict_test_names[VERDICT_TESTS] = { "files", "repositories", "spread", "reference" };

size_t verdict_columns(const struct audit_features *f, const struct verdict_options *options,
                       enum classifier_kind kind)
{
    if (options->hits_only || !audit_features_have_totals(f)) return AUDIT_CATEGORIES;
    return kind == CLASSIFIER_SVM && !options->published ? AUDIT_CATEGORIES : AUDIT_COLUMNS;
}

/* Whether a classifier is asked for, and there are rows of both labels. */
static bool can_learn(const struct audit_features *f, const struct verdict_options *options)
{
    bool seen[2] = { false, false }, asked = false;

    for (int k = 0; k < VERDICT_KINDS; k++) asked |= options->kind[k];
    if (!asked) return false;
    for (size_t i = 0; i < f->count; i++) if (f->row[i].label >= 0) seen[f->row[i].label] = true;
    return seen[0] && seen[1];
}

static int add_noise(struct verdict *v, const struct verdict_options *options, struct err *err)
{
    int rc = 0;

    if (!audit_features_have_totals(&v->features) || v->parts.test == 0) return 0;
    for (int n = 0; n < VERDICT_NOISES && rc == 0; n++) {
        struct audit_features noisy;

        rc = audit_noise(&v->features, verdict_noise[n], options->seed, &noisy, err);
        for (int k = 0; k < VERDICT_KINDS && rc == 0; k++)
            if (v->tried[k])
                rc = audit_trial_score(&v->trial[k], &v->features, &noisy, &v->repositories, &v->parts,
                                       options->published, v->noise[k][n], err);
        audit_features_free(&noisy);
    }
    v->noised = rc == 0;
    return rc;
}

static struct audit_trial_options trial_options(const struct verdict *v, const struct verdict_options *options,
                                                enum classifier_kind k)
{
    return (struct audit_trial_options){ .kind = k, .published = options->published, .grid = options->grid,
                                         .columns = verdict_columns(&v->features, options, k), .seed = options->seed,
                                         .threads = options->threads };
}

static int try_all(struct verdict *v, const struct verdict_options *options, struct err *err)
{
    int rc = audit_parts_make(&v->features, &v->repositories, options->published, options->test_share, options->seed,
                              &v->parts, err);

    for (int k = 0; k < VERDICT_KINDS && rc == 0; k++) {
        const struct audit_trial_options o = trial_options(v, options, (enum classifier_kind)k);

        if (!options->kind[k]) continue;
        rc = audit_trial_run(&v->features, &v->repositories, &v->parts, &o, &v->trial[k], err);
        v->tried[k] = rc == 0;
    }
    return rc;
}

/* The stored classifier has as many columns as it has: rows have those 12 or these 6. */
static int use_stored(struct verdict *v, const struct verdict_options *options, struct classifier *use,
                      struct err *err)
{
    const enum classifier_kind kind = use->kind;
    struct audit_trial_options o = trial_options(v, options, kind);
    int                        rc = audit_parts_test(&v->features, &v->parts, err);

    if (classifier_columns(use) == AUDIT_CATEGORIES) o.columns = AUDIT_CATEGORIES;
    else if (audit_features_have_totals(&v->features)) o.columns = AUDIT_COLUMNS;
    if (rc == 0)
        rc = audit_trial_use(&v->features, &v->repositories, &v->parts, &o, use, &v->trial[kind], err);
    v->tried[kind] = rc == 0;
    return rc;
}

static int test_suspects(struct verdict *v, const struct verdict_options *options,
                         const struct audit_features *reference, struct err *err)
{
    const struct audit_permutation_options o = { .draws = options->draws, .seed = options->seed };

    if (options->draws == 0) return 0;
    v->suspect = calloc(v->repositories.count + 1, sizeof *v->suspect);
    if (!v->suspect) return err_memory(err, v->repositories.count * sizeof *v->suspect, "repositories");
    return audit_permutation(&v->features, &v->repositories, reference, &o, v->suspect, err);
}

int verdict_learn(struct verdict *v, const struct verdict_options *options, struct err *err)
{
    int rc = can_learn(&v->features, options) ? try_all(v, options, err) : 0;

    return rc < 0 ? rc : add_noise(v, options, err);
}

int verdict_make(struct verdict *v, const struct verdict_options *options, const struct audit_features *reference,
                 struct classifier *use, struct err *err)
{
    int rc = audit_repositories_make(&v->features, options->published, &v->repositories, err);

    v->columns = verdict_columns(&v->features, options, CLASSIFIER_FOREST);
    v->correlation = calloc(v->columns * v->columns, sizeof *v->correlation);
    if (rc == 0 && !v->correlation) rc = err_memory(err, v->columns * sizeof *v->correlation, "correlations");
    if (rc == 0 && use) rc = use_stored(v, options, use, err);
    if (rc == 0) rc = use ? add_noise(v, options, err) : verdict_learn(v, options, err);
    if (rc == 0) rc = audit_correlations(&v->features, v->columns, v->correlation, err);
    if (rc == 0) rc = test_suspects(v, options, reference, err);
    return rc < 0 && v->name ? err_add(err, "%s", v->name) : rc;
}

void verdict_free(struct verdict *v)
{
    for (int k = 0; k < VERDICT_KINDS; k++) if (v->tried[k]) audit_trial_free(&v->trial[k]);
    audit_parts_free(&v->parts);
    audit_repositories_free(&v->repositories);
    audit_features_free(&v->features);
    free(v->suspect);
    free(v->correlation);
    *v = (struct verdict){ 0 };
}

struct verdict_rate verdict_rate_of(const struct verdict *v, int test, int level)
{
    struct verdict_rate n = { 0 };

    for (size_t i = 0; v->suspect && i < v->repositories.count; i++) {
        const struct audit_suspect *s = &v->suspect[i];
        const double                p[VERDICT_TESTS] = { s->p, s->p_rank, s->p_spread, s->p_gain };
        const bool                  below = p[test] <= verdict_level[level] + 1e-12;

        if (isnan(p[test])) continue;
        n.clean += s->clean;
        n.wrong += s->clean && below;
        n.trained += v->repositories.at[i].label == 1;
        n.found += v->repositories.at[i].label == 1 && below;
    }
    return n;
}
