/* audit/verdict_picture.c -- the ROC curves of all classifiers that were tested, in one picture. */
#include "audit/verdict.h"

#include "report/curves.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What a curve borrows. */
struct drawn { struct bytes name; char note[32]; struct curve_point *point; };

static int curve_make(const struct verdict *v, int kind, struct drawn *own, struct curve *curve)
{
    const struct audit_trial *trial = &v->trial[kind];

    own->point = malloc((trial->roc_points + 1) * sizeof *own->point);
    if (!own->point || bytes_printf(&own->name, "%s, %s", v->name, classifier_names[kind]) < 0) return -ENOMEM;
    for (size_t p = 0; p < trial->roc_points; p++)
        own->point[p] = (struct curve_point){ trial->roc[p].false_share, trial->roc[p].true_share };
    if (isnan(trial->auc)) snprintf(own->note, sizeof own->note, "AUC not defined");
    else snprintf(own->note, sizeof own->note, "AUC %.3f", trial->auc);
    *curve = (struct curve){ bytes_slice(&own->name), own->note, own->point, trial->roc_points };
    return 0;
}

int verdict_roc_svg(const struct verdict *v, size_t count, struct bytes *out)
{
    struct drawn *own = calloc(count * VERDICT_KINDS + 1, sizeof *own);
    struct curve *curve = calloc(count * VERDICT_KINDS + 1, sizeof *curve);
    size_t        curves = 0;
    int           rc = own && curve ? 0 : -ENOMEM;

    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < VERDICT_KINDS && rc == 0; k++)
            if (v[i].tried[k]) {
                rc = curve_make(&v[i], k, &own[curves], &curve[curves]);
                curves++;
            }
    if (rc == 0 && curves)
        rc = curves_svg(out, "Files of the test that are said to be trained on", "share of the others that are, too",
                        "share of those trained on", curve, curves);
    for (size_t c = 0; c < curves; c++) {
        bytes_free(&own[c].name);
        free(own[c].point);
    }
    free(own);
    free(curve);
    return rc;
}
