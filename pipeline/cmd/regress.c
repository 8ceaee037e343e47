/* cmd/regress.c -- `leakgraph regress`: the command line. */
#include "cmd/command.h"
#include "cmd/regress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char regress_help[] =
    "usage: leakgraph regress FORMULA --data FILE [...]\n"
    "       leakgraph regress FORMULA --run DIR [--query SQL] [...]\n"
    "\n"
    "How a score goes with what a graph says: least squares, logistic regression, and both with random\n"
    "intercepts, as papers on leakage report them.\n"
    "\n"
    "FORMULA is as in R: RESPONSE ~ TERMS, as 'nll ~ copies + log(tokens) + (1 | item)'.\n"
    "  a + b          columns; numbers count as they are, texts as differences to the first of them\n"
    "  a:b, a*b       the product (of texts: all pairs); a + b + a:b\n"
    "  log(a), log1p(a), scale(a)     scale: less the mean, by the standard deviation\n"
    "  factor(a)      numbers as texts: a coefficient each\n"
    "  -1 or 0        no intercept\n"
    "  (1 | g)        a random intercept for each value of g; (1 | g) + (1 | h) crossed, (1 | g/h) nested\n"
    "  hits/trials ~  hits of so many trials (binomial); a column of 0 and 1 needs --family binomial\n"
    "  `a b`          a column whose name has other characters\n"
    "\n"
    "FILE is CSV, TSV or JSON, one record a row.  DIR is the folder of a run that has asked models about\n"
    "items (`probe` in pipeline.yaml): a row for each model and item, with columns model, parameters,\n"
    "dataset, item, split, language, repo, license, license_class, path, truth; every metric that was\n"
    "taken (nll, perplexity, tokens, ...); and, where near_duplicates ran, matches (documents that are\n"
    "like it), copies (of them exact ones in other datasets), overlap and containment (the greatest\n"
    "there, 0 where there is none).  --query takes other rows of graph.db; see leakgraph help graph.\n"
    "\n"
    "Rows where something is missing (nothing, NA, NaN, null) are left out and counted; JSON has no NaN,\n"
    "and a file with one is refused: write null.\n"
    "\n"
    "Options:\n"
    "  --data FILE     rows of a file\n"
    "  --run DIR       rows of a run's probes\n"
    "  --query SQL     of --run: rows that this gives\n"
    "  --family gaussian|binomial\n"
    "                  gaussian: the response is a number (default); binomial: hits (default of\n"
    "                  hits/trials, and with --link logit or log)\n"
    "  --link identity|logit|log\n"
    "                  identity; of binomial: logit (default: exp of a coefficient is a ratio of odds)\n"
    "                  or log (a ratio of chances)\n"
    "  --reml, --ml    how variances of numbers are estimated: REML (default), or by maximal likelihood,\n"
    "                  whose AIC compares formulas with different columns\n"
    "  --json          all numbers, as one JSON object\n"
    "  --help          this text\n"
    "\n"
    "Stars: *** p < 0.001, ** p < 0.01, * p < 0.05, two-sided: by the normal distribution, of least\n"
    "squares without groups by Student's t.  Exit status 1 where the data have no answer, with the\n"
    "reason: a column that separates hits from misses, a response that is all the same, ...\n"
    "\n"
    "Examples:\n"
    "  leakgraph regress 'nll ~ copies + tokens + (1 | dataset)' --run results/probe\n"
    "  leakgraph regress 'passed/samples ~ overlap + (1 | model) + (1 | item)' --data scores.csv\n";

struct asking {
    const char *formula, *data, *run, *query, *family, *link;
    bool        reml, ml, json;
};

/* ---- the command line ---- */

static int option_take(struct asking *a, const char *option, const char *value, struct err *err)
{
    static const char *const names[] = { "--data", "--run", "--query", "--family", "--link" };
    const char             **places[] = { &a->data, &a->run, &a->query, &a->family, &a->link };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(option, names[i]) != 0) continue;
        if (!value) return err_set(err, -EINVAL, "regress: %s needs a value", option);
        *places[i] = value;
        return 0;
    }
    return err_set(err, -EINVAL, "regress: unknown option %s (see leakgraph regress --help)", option);
}

static int line_read(struct asking *a, int argc, char **argv, struct err *err)
{
    int rc = 0;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--json") == 0) a->json = true;
        else if (strcmp(argv[i], "--reml") == 0) a->reml = true;
        else if (strcmp(argv[i], "--ml") == 0) a->ml = true;
        else if (strncmp(argv[i], "--", 2) == 0) {
            rc = option_take(a, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err);
            i++;
        } else if (!a->formula) a->formula = argv[i];
        else rc = err_set(err, -EINVAL, "regress: one formula, in quotes; `%s` stands beside it", argv[i]);
    }
    if (rc < 0) return rc;
    if (!a->formula)
        return err_set(err, -EINVAL, "regress: a formula is needed, as 'nll ~ copies + (1 | item)' (see leakgraph "
                                     "regress --help)");
    if (!a->data == !a->run) return err_set(err, -EINVAL, "regress: rows are of --data FILE or of --run DIR");
    if (a->query && !a->run) return err_set(err, -EINVAL, "regress: --query asks a run: --run DIR");
    return a->reml && a->ml ? err_set(err, -EINVAL, "regress: --reml or --ml, not both") : 0;
}

/* What the response is, and the link between its mean and the columns. */
static int family_choose(const struct asking *a, const struct formula *formula, bool *hits, enum regression_link *link,
                         struct err *err)
{
    const char *family = a->family;
    int         i = 0;

    if (!family) family = formula->trials.name.at || (a->link && strcmp(a->link, "identity") != 0) ? "binomial"
        : "gaussian";
    *hits = strcmp(family, "binomial") == 0;
    if (!*hits && strcmp(family, "gaussian") != 0)
        return err_set(err, -EINVAL, "regress: --family takes gaussian or binomial, not `%s`", family);
    *link = *hits ? LINK_LOGIT : LINK_IDENTITY;
    if (!a->link) return 0;
    while (regression_link_names[i] && strcmp(a->link, regression_link_names[i]) != 0) i++;
    if (!regression_link_names[i])
        return err_set(err, -EINVAL, "regress: --link takes identity, logit or log, not `%s`", a->link);
    *link = (enum regression_link)i;
    return *hits == (*link != LINK_IDENTITY) ? 0
        : err_set(err, -EINVAL, "regress: the link of the %s family is %s, not %s", family,
                  *hits ? "logit or log" : "identity", a->link);
}

/* ---- the command ---- */

static int frame_begin(struct frame *frame, const struct formula *f, struct err *err)
{
    struct slice name[FORMULA_VARIABLES + 2];
    size_t       count = 0;

    for (size_t i = 0; i < f->variables + 2; i++) {
        const struct slice wanted = i < f->variables ? f->variable[i].name
            : i == f->variables ? f->response.name : f->trials.name;
        bool               there = !wanted.at;

        for (size_t k = 0; k < count; k++) there |= slice_equal(name[k], wanted);
        if (!there) name[count++] = wanted;
    }
    return frame_open(frame, name, count) < 0 ? err_memory(err, count * sizeof *name, "columns") : 0;
}

static int tell(const struct asking *a, const struct regress_result *r, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = (a->json ? regress_json : regress_tell)(r, &text);

    if (rc < 0) rc = err_memory(err, text.len, "the results");
    else fwrite(text.at, 1, text.len, stdout);
    bytes_free(&text);
    return rc;
}

static int carry_out(const struct asking *a, struct err *err)
{
    struct formula       formula;
    struct frame         frame = { .columns = 0 };
    struct design        design = { .text_count = 0 };
    struct regression    fit = { .columns = 0 };
    enum regression_link link = LINK_IDENTITY;
    bool                 hits = false;
    int                  rc = formula_parse(&formula, slice_of(a->formula), err);

    if (rc == 0) rc = family_choose(a, &formula, &hits, &link, err);
    if (rc == 0) rc = frame_begin(&frame, &formula, err);
    if (rc == 0)
        rc = a->run ? regress_read_run(&frame, a->run, a->query, err) : regress_read_file(&frame, a->data, err);
    if (rc == 0 && frame_finish(&frame) < 0) rc = err_memory(err, frame.rows * sizeof(double), "columns");
    if (rc == 0) rc = design_make(&design, &formula, &frame, hits, err);
    if (rc == 0) {
        design.data.link = link;
        design.data.ml = a->ml;
        rc = regression_fit(&design.data, &fit, err);
    }
    if (rc == 0) rc = tell(a, &(struct regress_result){ slice_of(a->formula), &design, &fit }, err);
    if (rc == -EINVAL || rc == -EDOM) err_add(err, "regress");
    regression_free(&fit);
    design_free(&design);
    frame_close(&frame);
    return rc;
}

int cmd_regress(int argc, char **argv, struct err *err)
{
    struct asking a = { .formula = NULL };
    int           rc;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(regress_help, stdout) < 0;
    rc = line_read(&a, argc, argv, err);
    return rc == 0 ? carry_out(&a, err) : rc;
}
