/* score/tell_seeds.c -- seeds, kinds and layers in the shapes of Lopez et al. 2024; see tell.h. */
#include "score/tell_private.h"

#include "report/csv.h"
#include "report/visible.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05

#define ROW_COLUMNS { "model", "model" }, { "layer", "layer" }, { "metric", "metric" }, { "items_of", "items" }
enum { ROW_CELLS = 4 };

static void row_cells(const struct score_told *told, struct slice model, struct slice layer, uint32_t metric,
                      enum score_part part, struct report_cell *cell)
{
    cell[0] = report_cell_name(model);
    cell[1] = report_cell_name(layer);
    cell[2] = report_cell_name(slice_of(told->points->metric[metric]));
    cell[3] = report_cell_text(slice_of(score_part_names[part]));
}

static void kind_cells(const struct score_kind *kind, struct report_cell *cell)
{
    cell[0] = report_cell_name(kind->name);
    cell[1] = report_cell_count(kind->seeds);
    cell[2] = report_cell_number(kind->seeds ? kind->mean : NAN);
    cell[3] = report_cell_number(kind->seeds ? kind->deviation : NAN);
}

/* Tables 2 and 3. */
static void means_tell(const struct score_told *told, struct report_document *out, struct report_node *section)
{
    static const struct report_column column[] = {
        ROW_COLUMNS, { "first", "kind" }, { "first_seeds", "seeds" }, { "first_mean", "mean" },
        { "first_sd", "SD" }, { "second", "other kind" }, { "second_seeds", "seeds" }, { "second_mean", "mean" },
        { "second_sd", "SD" }, { "significant", "p at most 0.05" },
    };
    struct report_node *table;

    report_paragraph(out, section, "Means and standard deviations (of the seeds themselves) over seeds; kinds beside "
                                   "each other by Mann-Whitney's test over seeds (Tables 2 and 3 of Lopez et al.).");
    table = report_table(out, section, "means", column, sizeof column / sizeof *column);
    for (size_t i = 0; i < told->study->seed_count; i++) {
        const struct score_seeds *row = &told->study->seeds[i];
        struct report_cell        cell[sizeof column / sizeof *column];

        row_cells(told, row->model, row->layer, row->metric, row->part, cell);
        kind_cells(&row->kind[0], cell + ROW_CELLS);
        kind_cells(&row->kind[1], cell + ROW_CELLS + 4);
        cell[12] = isnan(row->p) ? (struct report_cell){ .kind = REPORT_NOTHING } : report_cell_flag(row->p <= LEVEL);
        report_row(out, table, cell);
    }
}

/* Table 4. */
static void differences_tell(const struct score_told *told, struct report_document *out, struct report_node *section)
{
    static const struct report_column column[] = {
        ROW_COLUMNS, { "first", "kind" }, { "second", "other kind" }, { "difference", "difference of means" },
        { "cohen", "Cohen's d" }, { "hedges", "Hedges' g" }, { "u", "Mann-Whitney U" }, { "p", "p" },
    };
    struct report_node *table = report_table(out, section, "differences", column, sizeof column / sizeof *column);

    for (size_t i = 0; i < told->study->seed_count; i++) {
        const struct score_seeds *row = &told->study->seeds[i];
        const double              number[] = { row->difference, row->cohen, row->hedges, row->u, row->p };
        struct report_cell        cell[sizeof column / sizeof *column];

        if (isnan(row->difference)) continue;
        row_cells(told, row->model, row->layer, row->metric, row->part, cell);
        for (int k = 0; k < 2; k++) cell[ROW_CELLS + k] = report_cell_name(row->kind[k].name);
        for (int n = 0; n < 5; n++) cell[ROW_CELLS + 2 + n] = report_cell_number(number[n]);
        report_row(out, table, cell);
    }
}

/* Table 5. */
static void slopes_tell(const struct score_told *told, struct report_document *out, struct report_node *section)
{
    static const struct report_column column[] = {
        { "model", "model" }, { "of", "of kind" }, { "metric", "metric" }, { "items_of", "items" },
        { "layers", "layers" }, { "slope", "slope" }, { "intercept", "intercept" }, { "slope_p", "p" },
        { "pearson", "Pearson r" }, { "pearson_p", "p" }, { "spearman", "Spearman rho" }, { "spearman_p", "p" },
    };
    struct report_node *table;

    if (told->study->slopes)
        report_paragraph(out, section, "Along the layers, by least squares: the mean over seeds of a kind, or, of no "
                                       "kind, the difference of both (Table 5).");
    table = report_table(out, section, "slopes", column, sizeof column / sizeof *column);
    for (size_t i = 0; i < told->study->slopes; i++) {
        const struct score_slope *row = &told->study->slope[i];
        const double              number[] = { row->slope, row->intercept, row->slope_p, row->pearson, row->pearson_p,
                                               row->spearman, row->spearman_p };
        struct report_cell        cell[sizeof column / sizeof *column];

        row_cells(told, row->model, row->of, row->metric, row->part, cell);
        cell[4] = report_cell_count(row->layers);
        for (int n = 0; n < 7; n++) cell[5 + n] = report_cell_number(number[n]);
        report_row(out, table, cell);
    }
}

void score_tell_seeds(const struct score_told *told, struct report_document *out)
{
    struct report_node *section = report_section(out, out->root, "seeds", SLICE("Seeds, kinds and layers"));

    means_tell(told, out, section);
    differences_tell(told, out, section);
    slopes_tell(told, out, section);
    if (!told->study->seed_count) report_hide(section);
}

/* ---- the published file ---- */

static bool is_number(struct slice text)
{
    char room[32], *end;

    if (!text.len || text.len >= sizeof room) return false;
    memcpy(room, text.at, text.len);
    room[text.len] = '\0';
    (void)strtod(room, &end);
    return !*end;
}

/* A seed that is a number stays one: -1 is no formula. */
static int put_text(struct slice text, struct bytes *out)
{
    struct bytes shown = { 0 };
    int          rc = visible_append(&shown, text, true);

    if (rc == 0)
        rc = !shown.len || is_number(bytes_slice(&shown)) ? bytes_append_slice(out, bytes_slice(&shown))
            : csv_text(bytes_slice(&shown), out);
    bytes_free(&shown);
    return rc;
}

static int csv_number(double number, struct bytes *out)
{
    return isfinite(number) ? bytes_printf(out, ",%.10g", number) : bytes_append(out, ",", 1);
}

static int csv_row(const struct score_told *told, const struct score_run *run, bool kinds, bool layers,
                   struct bytes *out)
{
    const struct score_series *of = &told->samples->series[run->series];
    int                        rc = put_text(of->model, out);

    if (rc == 0) rc = bytes_append(out, ",", 1);
    if (rc == 0) rc = put_text(of->seed, out);
    if (rc == 0) rc = csv_number(run->mean[SCORE_LEAKED], out);
    if (rc == 0) rc = csv_number(run->mean[SCORE_CLEAN], out);
    if (rc == 0) rc = csv_number(run->mean[SCORE_ALL], out);
    if (rc == 0 && kinds) rc = bytes_append(out, ",", 1) < 0 ? -ENOMEM : put_text(of->kind, out);
    if (rc == 0 && layers) rc = bytes_append(out, ",", 1) < 0 ? -ENOMEM : put_text(of->layer, out);
    return rc < 0 ? rc : bytes_append(out, "\n", 1);
}

int score_csv(const struct score_told *told, struct bytes *out, struct err *err)
{
    bool kinds = false, layers = false;
    int  rc;

    if (told->points->metrics != 1)
        return err_set(err, -EINVAL, "compare: --csv is of one metric; there are %zu: say which with --metric",
                       told->points->metrics);
    for (size_t i = 0; i < told->samples->series_count; i++) {
        kinds |= told->samples->series[i].kind.len > 0;
        layers |= told->samples->series[i].layer.len > 0;
    }
    rc = bytes_printf(out, "model,seed,dup,non_dup,full%s%s\n", kinds ? ",model_kind" : "", layers ? ",layer" : "");
    for (size_t r = 0; r < told->study->runs && rc == 0; r++)
        rc = csv_row(told, &told->study->run[r], kinds, layers, out);
    return rc < 0 ? err_memory(err, out->len, "lines") : 0;
}
