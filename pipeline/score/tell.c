/* score/tell.c -- see tell.h; of seeds: score/tell_seeds.c. */
#include "score/tell_private.h"

#include "report/visible.h"
#include "stats/two_sample.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { SENTENCES = 20, NAME_SHOWN = 60 };
#define MAY_BE_CHANCE 0.05                                  /* a p above this */

struct slice score_shown(struct slice name) { return visible_cut(name, NAME_SHOWN); }

/* ---- the answer ---- */

/* "m, leaky, 3 layers frozen, bleu" */
static int subject_print(const struct score_told *told, const struct score_effect *effect, struct bytes *out)
{
    const struct score_subject *of = &told->study->subject[effect->subject];
    int                         rc = 0;

    out->len = 0;
    if (of->model.len) rc = bytes_printf(out, "%.*s, ", (int)score_shown(of->model).len, of->model.at);
    if (rc == 0 && of->kind.len) rc = bytes_printf(out, "%.*s, ", (int)score_shown(of->kind).len, of->kind.at);
    if (rc == 0 && of->layer.len) rc = bytes_printf(out, "layer %.*s, ", (int)score_shown(of->layer).len, of->layer.at);
    return rc < 0 ? rc : bytes_printf(out, "%s", told->points->metric[effect->metric]);
}

/* "41.2 (38.1 to 44.5; 120 items)" */
static int mean_print(const struct score_mean *mean, struct bytes *out)
{
    int rc = bytes_printf(out, "%.4g (", mean->mean.is);

    if (rc == 0 && isfinite(mean->mean.low)) rc = bytes_printf(out, "%.4g to %.4g; ", mean->mean.low, mean->mean.high);
    return rc < 0 ? rc : bytes_printf(out, "%zu item%s)", mean->items, mean->items == 1 ? "" : "s");
}

static int small_print(const struct score_effect *effect, struct bytes *out)
{
    const size_t leaked = effect->of[SCORE_LEAKED].items, clean = effect->of[SCORE_CLEAN].items;
    const bool   of_leaked = leaked < clean;
    const size_t least = of_leaked ? leaked : clean;

    return least >= SCORE_FEW ? 0
        : bytes_printf(out, " With %zu %s item%s the interval is worth little.", least, of_leaked ? "leaked" : "clean",
                       least == 1 ? "" : "s");
}

/* Items without a score may be those where something went wrong. */
static int scored_print(const struct score_told *told, const struct score_effect *effect, struct bytes *out)
{
    const size_t scored = effect->of[SCORE_ALL].items;

    return scored == told->items->count ? 0
        : bytes_printf(out, ", with a score at %zu of %zu items", scored, told->items->count);
}

/* How far apart, and what the leak makes of the published number, as far as that is more than chance. */
static int difference_print(const struct score_effect *effect, struct bytes *out)
{
    const struct score_estimate *difference = &effect->difference;
    const double                 published = effect->of[SCORE_ALL].mean.is, clean = effect->of[SCORE_CLEAN].mean.is;
    int                          rc = bytes_printf(out, "; leaked less clean is %.4g (", difference->is);

    if (rc == 0 && isfinite(difference->low))
        rc = bytes_printf(out, "%.4g to %.4g; ", difference->low, difference->high);
    if (rc == 0) rc = bytes_printf(out, "p %.2g)", effect->p);
    if (rc < 0) return rc;
    if ((difference->low > 0 || difference->high < 0) && effect->p <= MAY_BE_CHANCE)
        return bytes_printf(out, "; the published number, %.4g, would be %.4g without the leak.", published, clean);
    return bytes_printf(out, ", which may be chance; the published number is %.4g, that of clean items %.4g.",
                        published, clean);
}

static int sentence_print(const struct score_told *told, const struct score_effect *effect, struct bytes *out)
{
    const struct score_mean *all = &effect->of[SCORE_ALL], *leaked = &effect->of[SCORE_LEAKED],
        *clean = &effect->of[SCORE_CLEAN];
    int                      rc = subject_print(told, effect, out);

    if (rc == 0) rc = scored_print(told, effect, out);
    if (rc < 0) return rc;
    if (!leaked->items || !clean->items) {
        rc = bytes_printf(out, ": %s with a score leaked: ", leaked->items ? "every item" : "no item");
        return rc < 0 || mean_print(all, out) < 0 || bytes_append(out, ".", 1) < 0 ? -ENOMEM : 0;
    }
    if (bytes_printf(out, ": on clean items the model scores ") < 0 || mean_print(clean, out) < 0 ||
        bytes_printf(out, ", on leaked ones ") < 0 || mean_print(leaked, out) < 0 ||
        difference_print(effect, out) < 0) return -ENOMEM;
    return small_print(effect, out);
}

static void answer_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = { { "text", "text" } };
    struct report_node *section = report_section(out, out->root, "answer", SLICE("Answer")), *table;
    struct bytes        text = { 0 };
    size_t              leaked = 0;
    char                compared[96] = "";

    for (size_t i = 0; i < told->items->count; i++) leaked += told->items->at[i].leaked;
    if (told->compared < told->items->count)
        snprintf(compared, sizeof compared, " %llu of %zu were compared; the others count as clean.",
                 (unsigned long long)told->compared, told->items->count);
    report_paragraph(out, section, "%zu of %zu items of %s%s%s leaked (rule: %s).%s%s", leaked, told->items->count,
                     told->benchmark, told->split ? ", split " : "", told->split ? told->split : "", told->rule,
                     leaked ? "" : " No item leaked: the numbers are those of clean items.", compared);
    if (!told->study->effects)
        report_paragraph(out, section, "No item has a score: there is nothing to compare.");
    table = report_table(out, section, "sentences", column, 1);
    report_hide(table);
    for (size_t e = 0; e < told->study->effects; e++) {
        if (sentence_print(told, &told->study->effect[e], &text) < 0) out->failed = true;
        else if (e < SENTENCES) report_paragraph(out, section, "%.*s", (int)text.len, text.at);
        report_row(out, table, &(struct report_cell){ .kind = REPORT_TEXT, .text = bytes_slice(&text) });
    }
    if (told->study->effects > SENTENCES)
        report_paragraph(out, section, "So far %d of %zu; the table below has all.", SENTENCES, told->study->effects);
    bytes_free(&text);
}

/* ---- tables of effects ---- */

#define SUBJECT_COLUMNS { "model", "model" }, { "kind", "kind" }, { "layer", "layer" }, { "metric", "metric" }
enum { SUBJECT_CELLS = 4 };

static void subject_cells(const struct score_told *told, uint32_t subject, uint32_t metric, struct report_cell *cell)
{
    const struct score_subject *of = &told->study->subject[subject];

    cell[0] = report_cell_name(of->model);
    cell[1] = report_cell_name(of->kind);
    cell[2] = report_cell_name(of->layer);
    cell[3] = report_cell_name(slice_of(told->points->metric[metric]));
}

static void estimate_cells(const struct score_estimate *of, struct report_cell *cell)
{
    cell[0] = report_cell_number(of->is);
    cell[1] = report_cell_number(of->low);
    cell[2] = report_cell_number(of->high);
}

static void scores_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = {
        SUBJECT_COLUMNS, { "seeds", "seeds" }, { "items_of", "items" }, { "items", "number" }, { "mean", "mean" },
        { "low", "95 % from" }, { "high", "to" },
    };
    struct report_node *section = report_section(out, out->root, "scores", SLICE("Scores")), *table;

    report_paragraph(out, section, "Means over items (over seeds, of each item, first), with intervals by the "
                                   "bootstrap (BCa).  dup: leaked items; non_dup: clean ones.");
    table = report_table(out, section, "groups", column, sizeof column / sizeof *column);
    for (size_t e = 0; e < told->study->effects; e++)
        for (int part = 0; part < SCORE_PARTS; part++) {
            const struct score_effect *effect = &told->study->effect[e];
            struct report_cell         cell[sizeof column / sizeof *column];

            subject_cells(told, effect->subject, effect->metric, cell);
            cell[4] = report_cell_count(told->study->subject[effect->subject].seeds);
            cell[5] = report_cell_text(slice_of(score_part_names[part]));
            cell[6] = report_cell_count(effect->of[part].items);
            estimate_cells(&effect->of[part].mean, cell + 7);
            report_row(out, table, cell);
        }
}

static bool has_both(const struct score_effect *effect)
{
    return effect->of[SCORE_LEAKED].items && effect->of[SCORE_CLEAN].items;
}

static void differences_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = {
        SUBJECT_COLUMNS, { "difference", "leaked - clean" }, { "low", "95 % from" }, { "high", "to" },
        { "cohen", "Cohen's d" }, { "hedges", "Hedges' g" }, { "delta", "Cliff's delta" },
        { "delta_low", "95 % from" }, { "delta_high", "to" }, { "level", "that is" },
    };
    struct report_node *section = report_section(out, out->root, "differences", SLICE("How far apart")), *table;
    size_t              rows = 0;

    table = report_table(out, section, "effects", column, sizeof column / sizeof *column);
    for (size_t e = 0; e < told->study->effects; e++) {
        const struct score_effect *effect = &told->study->effect[e];
        struct report_cell         cell[sizeof column / sizeof *column];

        if (!has_both(effect)) continue;
        subject_cells(told, effect->subject, effect->metric, cell);
        estimate_cells(&effect->difference, cell + SUBJECT_CELLS);
        cell[7] = report_cell_number(effect->cohen);
        cell[8] = report_cell_number(effect->hedges);
        estimate_cells(&effect->delta, cell + 9);
        cell[12] = report_cell_text(slice_of(cliff_level(effect->delta.is)));
        report_row(out, table, cell);
        rows++;
    }
    if (!rows) report_hide(section);
}

static void tests_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = {
        SUBJECT_COLUMNS, { "u", "Mann-Whitney U" }, { "p", "p" }, { "exact", "exact" }, { "holm", "p (Holm)" },
        { "hochberg", "p (Benjamini-Hochberg)" }, { "t", "Welch t" }, { "freedom", "degrees" },
        { "welch", "p" }, { "permutation", "p (permutation)" },
    };
    struct report_node *section = report_section(out, out->root, "tests", SLICE("Tests")), *table;
    size_t              rows = 0;

    report_paragraph(out, section, "Leaked items beside clean ones, two-sided.  Holm and Benjamini-Hochberg adjust "
                                   "Mann-Whitney's p for all rows of this table.");
    table = report_table(out, section, "tests", column, sizeof column / sizeof *column);
    for (size_t e = 0; e < told->study->effects; e++) {
        const struct score_effect *effect = &told->study->effect[e];
        struct report_cell         cell[sizeof column / sizeof *column];
        const double               number[] = { effect->holm, effect->hochberg, effect->t, effect->freedom,
                                                effect->welch, effect->permutation };

        if (!has_both(effect)) continue;
        subject_cells(told, effect->subject, effect->metric, cell);
        cell[4] = report_cell_number(effect->u);
        cell[5] = report_cell_number(effect->p);
        cell[6] = report_cell_flag(effect->exact);
        for (int i = 0; i < 6; i++) cell[7 + i] = report_cell_number(number[i]);
        report_row(out, table, cell);
        rows++;
    }
    if (!rows) report_hide(section);
}

/* ---- models beside each other ---- */

static void duels_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = {
        { "first", "first" }, { "second", "second" }, { "kind", "kind" }, { "layer", "layer" },
        { "metric", "metric" }, { "items_of", "items" }, { "items", "number" }, { "difference", "first - second" },
        { "low", "95 % from" }, { "high", "to" }, { "w", "Wilcoxon W" }, { "p", "p" }, { "holm", "p (Holm)" },
    };
    struct report_node *section = report_section(out, out->root, "models", SLICE("Models at the same items")), *table;

    table = report_table(out, section, "pairs", column, sizeof column / sizeof *column);
    for (size_t d = 0; d < told->study->duels; d++) {
        const struct score_duel *duel = &told->study->duel[d];
        struct report_cell       cell[sizeof column / sizeof *column];

        subject_cells(told, duel->second, duel->metric, cell + 1);
        cell[0] = report_cell_name(told->study->subject[duel->first].model);
        cell[5] = report_cell_text(slice_of(score_part_names[duel->part]));
        cell[6] = report_cell_count(duel->items);
        estimate_cells(&duel->difference, cell + 7);
        cell[10] = report_cell_number(duel->w);
        cell[11] = report_cell_number(duel->p);
        cell[12] = report_cell_number(duel->holm);
        report_row(out, table, cell);
    }
    if (!told->study->duels) report_hide(section);
}

/* ---- rows and items ---- */

static const char *const naming_told[] = {
    [SCORE_BY_ID] = "by their source_id", [SCORE_BY_TAIL] = "by source_id, which is what stands behind the last slash",
    [SCORE_BY_PLACE] = "by their place among the items, from 0",
    [SCORE_BY_NOTHING] = "by nothing: no row is of an item",
};

/* An id as it was written, else the row's number. */
static struct report_cell stranger_cell(const struct score_sample *sample)
{
    if (sample->id.at) return report_cell_name(visible_cut(sample->id, 200));
    return sample->other.at ? report_cell_name(visible_cut(sample->other, 200))
        : report_cell_count((uint64_t)sample->number);
}

static void matching_tables(const struct score_told *told, struct report_document *out, struct report_node *section)
{
    static const struct report_column files[] = { { "file", "file" }, { "named", "its rows name items" } };
    static const struct report_column strange[] = { { "file", "file" }, { "line", "line" }, { "id", "of no item" } };
    static const struct report_column lost[] = { { "id", "item without a score" } };
    const struct score_matched       *m = told->matched;
    struct report_node               *table = report_table(out, section, "files", files, 2);

    for (size_t f = 0; f < told->samples->file_count; f++)
        report_row(out, table, (struct report_cell[]){ report_cell_name(slice_of(told->samples->file[f])),
                                                       report_cell_text(slice_of(naming_told[m->naming[f]])) });
    table = report_table(out, section, "strangers", strange, 3);
    for (size_t i = 0; i < m->strangers && i < SCORE_STRANGERS; i++) {
        const struct score_sample *sample = &told->samples->at[m->stranger[i]];

        report_row(out, table, (struct report_cell[]){
            report_cell_name(slice_of(told->samples->file[sample->file])), report_cell_count(sample->line),
            stranger_cell(sample) });
    }
    table = report_table(out, section, "missing", lost, 1);
    for (size_t i = 0; i < m->missing && i < SCORE_STRANGERS; i++)
        report_row(out, table, (struct report_cell[]){
            report_cell_name(visible_cut(told->items->at[m->first_missing[i]].id, 200)) });
}

static void matching_tell(const struct score_told *told, struct report_document *out)
{
    static const struct report_column column[] = {
        { "items", "items" }, { "leaked", "leaked" }, { "scored", "items with rows" }, { "missing", "without" },
        { "rows", "rows" }, { "matched", "of items" }, { "strangers", "of none" },
        { "ambiguous", "of an id that several items have" },
        { "rejected", "records of the benchmark that are no items" },
        { "too_long", "answers too long for edit" },
    };
    const struct score_matched *m = told->matched;
    struct report_node         *section = report_section(out, out->root, "matching", SLICE("Rows and items")), *facts;
    uint64_t                    leaked = 0;
    bool                        by_place = false;

    for (size_t i = 0; i < told->items->count; i++) leaked += told->items->at[i].leaked;
    for (size_t f = 0; f < told->samples->file_count; f++) by_place |= m->naming[f] == SCORE_BY_PLACE;
    facts = report_facts(out, section, "counts", column, sizeof column / sizeof *column);
    report_row(out, facts, (struct report_cell[]){
        report_cell_count(told->items->count), report_cell_count(leaked), report_cell_count(m->scored),
        report_cell_count(m->missing), report_cell_count(told->samples->count), report_cell_count(m->matched),
        report_cell_count(m->strangers), report_cell_count(m->ambiguous), report_cell_count(told->rejected),
        report_cell_count(told->points->too_long) });
    if (by_place && told->rejected)
        report_paragraph(out, section, "Rows are matched by place, and records of the benchmark were rejected: behind "
                                       "those, places are others than in its files.");
    matching_tables(told, out, section);
}

void score_tell(const struct score_told *told, struct report_document *out)
{
    answer_tell(told, out);
    scores_tell(told, out);
    differences_tell(told, out);
    tests_tell(told, out);
    duels_tell(told, out);
    score_tell_seeds(told, out);
    matching_tell(told, out);
}

void score_tell_tables(const struct score_told *told, struct report_document *out)
{
    if (!told->study->seed_count)
        report_paragraph(out, out->root, "No rows say `seed`, `layer` or `model_kind` more than once: there is nothing "
                                         "to set beside each other.");
    score_tell_seeds(told, out);
}
