/* cmd/regress_tell.c -- what `leakgraph regress` says: a table in the shape that papers have, all numbers as JSON. */
#include "cmd/regress.h"

#include "corpus/writer.h"
#include "report/visible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH_MOST = 48, CELL = 48, COLUMNS = 7 };           /* WIDTH_MOST: bytes of a name that are shown */

static const char *const methods[] = {
    [METHOD_OLS] = "least squares", [METHOD_ML] = "linear mixed model by maximal likelihood",
    [METHOD_REML] = "linear mixed model by REML", [METHOD_GLM] = "binomial regression",
    [METHOD_LAPLACE] = "binomial mixed model by Laplace's approximation",
};
static const char *const method_words[] = {
    [METHOD_OLS] = "ols", [METHOD_ML] = "ml", [METHOD_REML] = "reml", [METHOD_GLM] = "glm",
    [METHOD_LAPLACE] = "laplace",
};

static const char *stars(double p) { return p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : ""; }

static bool has_ratio(const struct regress_result *r) { return r->design->data.link != LINK_IDENTITY; }

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* ---- a table ---- */

/* Cells of a row, the first a text as it is. */
struct line { struct slice name; char cell[COLUMNS][CELL]; };

static int width_of(const char *text) { return (int)strlen(text); }

/* Names are cut, columns to the right; of the first column of numbers stars hang behind. */
static int print_line(const struct line *line, int name_width, const int *width, struct bytes *out)
{
    const size_t before = out->len;
    int          rc = visible_append(out, visible_cut(line->name, WIDTH_MOST), true);

    if (rc == 0) rc = bytes_printf(out, "%*s", (int)before + name_width - (int)out->len, "");
    for (int k = 0; k < COLUMNS && rc == 0; k++)
        if (width[k]) rc = bytes_printf(out, "  %*s", width[k], line->cell[k]);
    while (rc == 0 && out->len > before && out->at[out->len - 1] == ' ') out->len--;
    return rc == 0 ? bytes_append(out, "\n", 1) : rc;
}

static void coefficient_line(const struct regress_result *r, size_t i, struct line *out)
{
    const struct coefficient *c = &r->fit->coefficient[i];

    *out = (struct line){ .name = slice_of(r->design->name[i]) };
    if (c->left_out) {
        snprintf(out->cell[0], CELL, "left out   ");
        return;
    }
    snprintf(out->cell[0], CELL, "%.4g%-3s", c->estimate, stars(c->p));
    snprintf(out->cell[1], CELL, "(%.3g)", c->error);
    snprintf(out->cell[2], CELL, "%.2f", c->statistic);
    if (c->p < 1e-99) snprintf(out->cell[3], CELL, "<1e-99");
    else snprintf(out->cell[3], CELL, c->p < 1e-4 ? "%.1e" : "%.4f", c->p);
    snprintf(out->cell[4], CELL, "%.4g", c->low);
    snprintf(out->cell[5], CELL, "%.4g", c->high);
    if (has_ratio(r)) snprintf(out->cell[6], CELL, "%.4g", exp(c->estimate));
}

/* Widths of what stands in `count` lines that `make` makes. */
static int print_lines(const struct regress_result *r, const struct line *head, size_t count,
                       void (*make)(const struct regress_result *, size_t, struct line *), struct bytes *out)
{
    struct line  line = *head;
    struct bytes name = { 0 };
    int          name_width = 0, width[COLUMNS] = { 0 }, rc = 0;

    for (size_t i = 0; i <= count && rc == 0; i++) {
        if (i) make(r, i - 1, &line);
        name.len = 0;
        rc = visible_append(&name, visible_cut(line.name, WIDTH_MOST), true);
        if ((int)name.len > name_width) name_width = (int)name.len;
        for (int k = 0; k < COLUMNS; k++)
            if (width_of(line.cell[k]) > width[k]) width[k] = width_of(line.cell[k]);
    }
    bytes_free(&name);
    if (rc == 0) rc = print_line(head, name_width, width, out);
    for (size_t i = 0; i < count && rc == 0; i++) {
        make(r, i, &line);
        rc = print_line(&line, name_width, width, out);
    }
    return rc;
}

static void group_line(const struct regress_result *r, size_t i, struct line *out)
{
    const double variance = i < r->fit->terms ? r->fit->variance[i] : r->fit->residual;

    *out = (struct line){ .name = i < r->fit->terms ? slice_of(r->design->group_name[i]) : SLICE("(residual)") };
    snprintf(out->cell[0], CELL, "%.4g", variance);
    snprintf(out->cell[1], CELL, "%.4g", sqrt(variance));
    if (i < r->fit->terms) snprintf(out->cell[2], CELL, "%zu", r->design->data.term[i].levels);
}

static int tell_groups(const struct regress_result *r, struct bytes *out)
{
    const struct line head = { .name = SLICE("random intercepts"), .cell = { "variance", "deviation", "levels" } };
    const size_t      count = r->fit->terms + (isnan(r->fit->residual) ? 0 : 1);
    int               rc;

    if (r->fit->terms == 0) return isnan(r->fit->residual) ? 0
        : bytes_printf(out, "\nresidual variance %.4g, deviation %.4g\n", r->fit->residual, sqrt(r->fit->residual));
    rc = bytes_printf(out, "\n");
    return rc == 0 ? print_lines(r, &head, count, group_line, out) : rc;
}

static int tell_notes(const struct regress_result *r, struct bytes *out)
{
    const struct design     *d = r->design;
    const struct regression *f = r->fit;
    int                      rc = 0;

    if (has_ratio(r))
        rc = bytes_printf(out, d->data.link == LINK_LOG ? "log link: exp of a coefficient is a ratio of chances, of "
                                                          "the intercept a chance\n"
                                                        : "logit link: exp of a coefficient is a ratio of odds, of the "
                                                          "intercept odds\n");
    for (size_t i = 0; i < d->text_count && rc == 0; i++) {
        if (!d->texts[i].against) continue;
        rc = visible_append(out, d->texts[i].name, true);
        if (rc == 0) rc = bytes_printf(out, ": texts, %zu different; coefficients are differences to `",
                                       d->texts[i].levels);
        if (rc == 0) rc = visible_append(out, visible_cut(d->texts[i].base, WIDTH_MOST), true);
        if (rc == 0) rc = bytes_printf(out, "`\n");
    }
    for (size_t i = 0; i < f->columns && rc == 0; i++)
        if (f->coefficient[i].left_out) {
            rc = visible_append(out, slice_of(d->name[i]), true);
            if (rc == 0) rc = bytes_printf(out, ": left out, as the columns before it make it up\n");
        }
    for (size_t t = 0; t < f->terms && rc == 0; t++)
        if (f->variance[t] <= 0) {
            rc = bytes_printf(out, "singular: the variance of ");
            if (rc == 0) rc = visible_append(out, slice_of(d->group_name[t]), true);
            if (rc == 0) rc = bytes_printf(out, " is 0, its rows are no more alike than others\n");
        }
    return rc;
}

static int tell_stars(const struct regress_result *r, struct bytes *out)
{
    int rc = bytes_printf(out, "*** p < 0.001, ** p < 0.01, * p < 0.05, two-sided, ");

    if (rc < 0) return rc;
    return isinf(r->fit->freedom) ? bytes_printf(out, "by the normal distribution\n")
        : bytes_printf(out, "by Student's t with %.0f degrees of freedom\n", r->fit->freedom);
}

int regress_tell(const struct regress_result *r, struct bytes *out)
{
    const struct design     *d = r->design;
    const struct regression *f = r->fit;
    const struct line        head = { .name = SLICE(""), .cell = {
        "estimate   ", "(SE)", "", "p", "95 % from", "to", "" } };
    struct line              heading = head;
    int                      rc = visible_append(out, r->formula, true);

    snprintf(heading.cell[2], CELL, "%s", isinf(f->freedom) ? "z" : "t");
    if (has_ratio(r)) snprintf(heading.cell[6], CELL, "%s", d->data.link == LINK_LOG ? "ratio" : "odds ratio");
    if (rc == 0) rc = bytes_printf(out, "\n%s; %zu row%s", methods[f->method], d->data.rows, plural(d->data.rows));
    if (rc == 0 && d->missing) rc = bytes_printf(out, ", %zu left out as something is missing", d->missing);
    if (rc == 0 && d->untried) rc = bytes_printf(out, ", %zu left out without trials", d->untried);
    if (rc == 0) rc = bytes_printf(out, "\n\n");
    if (rc == 0) rc = print_lines(r, &heading, f->columns, coefficient_line, out);
    if (rc == 0) rc = tell_groups(r, out);
    if (rc == 0)
        rc = bytes_printf(out, "\nAIC %.1f, BIC %.1f, log-likelihood %.2f%s, %zu parameter%s\n", f->aic, f->bic,
                          f->log_likelihood, f->method == METHOD_REML ? " (restricted)" : "", f->parameters,
                          plural(f->parameters));
    if (rc == 0) rc = tell_notes(r, out);
    return rc == 0 ? tell_stars(r, out) : rc;
}

/* ---- JSON ---- */

static int json_text(struct bytes *out, const char *before, struct slice text)
{
    return bytes_printf(out, "%s", before) < 0 ? -ENOMEM : json_append_string(out, text);
}

static int json_number(struct bytes *out, const char *key, double value)
{
    return isfinite(value) ? bytes_printf(out, ", \"%s\": %.17g", key, value)
                           : bytes_printf(out, ", \"%s\": null", key);
}

static int json_coefficient(const struct regress_result *r, size_t i, struct bytes *out)
{
    const struct coefficient *c = &r->fit->coefficient[i];
    int                       rc = json_text(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ",
                                             slice_of(r->design->name[i]));

    if (rc == 0) rc = json_number(out, "estimate", c->estimate);
    if (rc == 0) rc = json_number(out, "error", c->error);
    if (rc == 0) rc = json_number(out, "statistic", c->statistic);
    if (rc == 0) rc = json_number(out, "p", c->p);
    if (rc == 0) rc = json_number(out, "low", c->low);
    if (rc == 0) rc = json_number(out, "high", c->high);
    if (rc == 0 && has_ratio(r)) rc = json_number(out, "ratio", exp(c->estimate));
    return rc == 0 ? bytes_printf(out, ", \"left_out\": %s}", c->left_out ? "true" : "false") : rc;
}

static int json_group(const struct regress_result *r, size_t i, struct bytes *out)
{
    int rc = json_text(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", slice_of(r->design->group_name[i]));

    if (rc == 0) rc = bytes_printf(out, ", \"levels\": %zu", r->design->data.term[i].levels);
    if (rc == 0) rc = json_number(out, "variance", r->fit->variance[i]);
    if (rc == 0) rc = json_number(out, "deviation", sqrt(r->fit->variance[i]));
    return rc == 0 ? bytes_printf(out, ", \"singular\": %s}", r->fit->variance[i] <= 0 ? "true" : "false") : rc;
}

static int json_texts(const struct regress_result *r, size_t i, struct bytes *out)
{
    const struct design_texts *t = &r->design->texts[i];
    int                        rc = json_text(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ", t->name);

    if (rc == 0) rc = bytes_printf(out, ", \"different\": %zu, \"against\": ", t->levels);
    if (rc == 0) rc = t->against ? json_append_string(out, t->base) : bytes_printf(out, "null");
    return rc == 0 ? bytes_printf(out, "}") : rc;
}

static int json_list(const struct regress_result *r, const char *key, size_t count,
                     int (*make)(const struct regress_result *, size_t, struct bytes *), struct bytes *out)
{
    int rc = bytes_printf(out, ",\n  \"%s\": [", key);

    for (size_t i = 0; i < count && rc == 0; i++) rc = make(r, i, out);
    return rc == 0 ? bytes_printf(out, "]") : rc;
}

int regress_json(const struct regress_result *r, struct bytes *out)
{
    const struct design     *d = r->design;
    const struct regression *f = r->fit;
    int                      rc = json_text(out, "{\n  \"formula\": ", r->formula);

    if (rc == 0)
        rc = bytes_printf(out, ",\n  \"method\": \"%s\", \"family\": \"%s\", \"link\": \"%s\",\n  \"rows\": %zu, "
                               "\"missing\": %zu, \"without_trials\": %zu,\n  \"distribution\": \"%s\"",
                          method_words[f->method], d->data.trials ? "binomial" : "gaussian",
                          regression_link_names[d->data.link], d->data.rows, d->missing, d->untried,
                          isinf(f->freedom) ? "normal" : "t");
    if (rc == 0) rc = json_number(out, "degrees_of_freedom", f->freedom);
    if (rc == 0) rc = json_list(r, "coefficients", f->columns, json_coefficient, out);
    if (rc == 0) rc = json_list(r, "groups", f->terms, json_group, out);
    if (rc == 0) rc = json_list(r, "texts", d->text_count, json_texts, out);
    if (rc == 0) rc = bytes_printf(out, ",\n  \"singular\": %s, \"parameters\": %zu", f->singular ? "true" : "false",
                                   f->parameters);
    if (rc == 0) rc = json_number(out, "residual_variance", f->residual);
    if (rc == 0) rc = json_number(out, "log_likelihood", f->log_likelihood);
    if (rc == 0) rc = json_number(out, "aic", f->aic);
    if (rc == 0) rc = json_number(out, "bic", f->bic);
    return rc == 0 ? bytes_printf(out, "\n}\n") : rc;
}
