/* history/tell.c -- see tell.h. */
#include "history/tell.h"

#include "history/items.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct slice nothing = { "", 0 };

/* ---- values ---- */

/* As SQLite prints one: digits of a hash, which have no sign behind an e, are none.  false: it is a text. */
static bool number_of(struct slice text, double *out)
{
    const char *e = text.len ? memchr(text.at, 'e', text.len) : NULL;
    char        copy[40], *end;

    if (!text.len || text.len >= sizeof copy || !(isdigit((unsigned char)*text.at) || *text.at == '-')) return false;
    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    *out = strtod(copy, &end);
    return *end == '\0' && end != copy && isfinite(*out) && (!e || !isdigit((unsigned char)copy[e - text.at + 1]));
}

static struct report_cell value_cell(struct slice value)
{
    double number;

    if (!value.len) return (struct report_cell){ .kind = REPORT_NOTHING };
    if (!number_of(value, &number)) return report_cell_text(value);
    return number >= 0 && number == floor(number) && number < 9e15 ? report_cell_count((uint64_t)number)
        : report_cell_number(number);
}

/* What is absent counts for nothing where the other is a part of something. */
static struct report_cell change_cell(const struct change *row)
{
    const bool part = row->old_whole >= 0 || row->new_whole >= 0;
    double     old = 0, new = 0;
    const bool there[2] = { number_of(row->old, &old), number_of(row->new, &new) };

    if ((there[0] && there[1]) || (part && there[0] != there[1] && (!row->old.len || !row->new.len)))
        return report_cell_change(new - old);
    return (struct report_cell){ .kind = REPORT_NOTHING };
}

static double percent_of(struct slice value, int64_t whole)
{
    double number;

    return whole > 0 && number_of(value, &number) ? 100 * number / (double)whole : NAN;
}

uint64_t changes_new_leaks(const struct changes *changes)
{
    double number = 0;

    for (size_t i = 0; i < changes->count; i++)
        if (slice_equal(changes->at[i].part, SLICE(HISTORY_ITEMS)) &&
            slice_equal(changes->at[i].measure, SLICE(ITEMS_NEW_LEAKS)) && number_of(changes->at[i].new, &number))
            return (uint64_t)number;
    return 0;
}

static bool is_lack(const struct change *row)
{
    return slice_equal(row->part, SLICE(HISTORY_ITEMS)) && slice_equal(row->measure, SLICE(ITEMS_NOT_COMPARED));
}

bool changes_lack_items(const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (is_lack(&changes->at[i])) return true;
    return false;
}

bool changes_any(const struct changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (!is_lack(&changes->at[i])) return true;
    return false;
}

/* ---- a table of a part ---- */

enum { COLUMN_OLD_PERCENT = CHANGE_LABELS + 4, COLUMNS_MOST = CHANGE_LABELS + 7 };

static const struct report_column columns[COLUMNS_MOST] = {
    { "dataset", "dataset" }, { "split", "split" }, { "other", "in or by" }, { "other_split", "its split" },
    { "name", "name" }, { "measure", "what" }, { "old", "old" }, { "new", "new" }, { "change", "change" },
    { "old_percent", "old %" }, { "new_percent", "new %" }, { "points", "points" },
};

static void cells_fill(const struct change *row, struct report_cell cell[COLUMNS_MOST])
{
    const double old = percent_of(row->old, row->old_whole), new = percent_of(row->new, row->new_whole);

    for (int i = 0; i < CHANGE_LABELS; i++)
        cell[i] = i == CHANGE_SPLIT || i == CHANGE_OTHER_SPLIT ? report_cell_part(row->label[i])
            : report_cell_name(row->label[i]);
    cell[CHANGE_LABELS] = report_cell_text(row->measure);
    cell[CHANGE_LABELS + 1] = value_cell(row->old);
    cell[CHANGE_LABELS + 2] = value_cell(row->new);
    cell[CHANGE_LABELS + 3] = change_cell(row);
    cell[COLUMN_OLD_PERCENT] = report_cell_percentage(old);
    cell[COLUMN_OLD_PERCENT + 1] = report_cell_percentage(new);
    cell[COLUMN_OLD_PERCENT + 2] = report_cell_change((isnan(new) ? 0 : new) - (isnan(old) ? 0 : old));
}

/* Columns that some row of them has something in. */
static size_t columns_used(const struct change *row, size_t count, int used[COLUMNS_MOST])
{
    size_t n = 0;
    bool   label[CHANGE_LABELS] = { false }, part = false;

    for (size_t r = 0; r < count; r++) {
        for (int i = 0; i < CHANGE_LABELS; i++) label[i] |= row[r].label[i].len > 0;
        part |= row[r].old_whole >= 0 || row[r].new_whole >= 0;
    }
    for (int i = 0; i < COLUMNS_MOST; i++)
        if (i < CHANGE_LABELS ? label[i] : i < COLUMN_OLD_PERCENT || part) used[n++] = i;
    return n;
}

static void rest_tell(size_t hidden, const struct history_wish *wish, struct report_document *out,
                      struct report_node *parent)
{
    if (hidden)
        report_paragraph(out, parent, "%zu row%s more: %s.", hidden, hidden == 1 ? "" : "s", wish->rest);
}

static void part_tell(const struct change *row, size_t count, const struct history_wish *wish,
                      struct report_document *out, struct report_node *parent)
{
    int                   used[COLUMNS_MOST];
    const size_t          width = columns_used(row, count, used);
    struct report_column *head = pool_take(&out->pool, width * sizeof *head);
    struct slice          key;
    struct report_node   *table;

    if (!head || pool_copy(&out->pool, row->part, &key) < 0) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < width; i++) head[i] = columns[used[i]];
    report_paragraph(out, parent, "%c%.*s:", toupper((unsigned char)*key.at), (int)key.len - 1, key.at + 1);
    table = report_table(out, parent, key.at, head, width);
    for (size_t r = 0; r < count; r++) {
        struct report_cell all[COLUMNS_MOST], cell[COLUMNS_MOST];

        cells_fill(&row[r], all);
        for (size_t i = 0; i < width; i++) cell[i] = all[used[i]];
        report_row(out, table, cell);
        if (r >= wish->lines) report_hide_row(table);
    }
    rest_tell(count > wish->lines ? count - wish->lines : 0, wish, out, parent);
}

static void parts_tell(const struct changes *changes, const struct history_wish *wish, struct report_document *out,
                       struct report_node *parent)
{
    for (size_t from = 0, to; from < changes->count; from = to) {
        for (to = from; to < changes->count && slice_equal(changes->at[to].part, changes->at[from].part);) to++;
        if (changes->at[from].part.len) part_tell(&changes->at[from], to - from, wish, out, parent);
    }
}

/* ---- items ---- */

/* What both runs say of an item, what only the old one, and what only the new one does: each heading is another. */
enum { ITEM_BASE = 5, ITEM_COLUMNS = ITEM_BASE + 6 };
static const struct report_column item_columns[ITEM_COLUMNS] = {
    { "dataset", "dataset" }, { "split", "split" }, { "id", "id" }, { "path", "path" }, { "target", "in" },
    { "old_kind", "was found as" }, { "old_alike", "was alike" }, { "old_match", "old match" },
    { "new_kind", "is found as" }, { "new_alike", "alike" }, { "new_match", "match" },
};

static struct { const char *key, *title; bool old, new; } const item_lists[ITEM_CHANGES] = {
    [ITEM_LEAKED]  = { "newly_leaked", "Newly leaked: the same text, which was not found there", false, true },
    [ITEM_CLEAN]   = { "no_longer_leaked", "No longer leaked: the same text, which is not found there any more", true,
                       false },
    [ITEM_ADDED]   = { "added", "Added to the benchmark, and found there", false, true },
    [ITEM_REMOVED] = { "removed", "Removed from the benchmark, found there before", true, false },
    [ITEM_EDITED]  = { "edited", "Of another text, and found there before or now", true, true },
    [ITEM_MOVED]   = { "moved", "Still found there, but by another best match", true, true },
};

static size_t match_cells(const struct item_match *match, struct report_cell *cell)
{
    cell[0] = match->kind.len ? report_cell_name(match->kind) : (struct report_cell){ .kind = REPORT_NOTHING };
    cell[1] = match->kind.len ? report_cell_share(match->alike) : cell[0];
    cell[2] = report_cell_name(match->match);
    return 3;
}

static void list_tell(const struct changes *changes, enum item_change change, uint64_t all,
                      const struct history_wish *wish, struct report_document *out, struct report_node *parent)
{
    const bool            old = item_lists[change].old, new = item_lists[change].new;
    const size_t          width = ITEM_BASE + (old ? 3u : 0u) + (new ? 3u : 0u);
    struct report_column *head = pool_take(&out->pool, width * sizeof *head);
    struct report_node   *table;
    size_t                rows = 0;

    if (!head) {
        out->failed = true;
        return;
    }
    memcpy(head, item_columns, ITEM_BASE * sizeof *head);
    if (old) memcpy(head + ITEM_BASE, item_columns + ITEM_BASE, 3 * sizeof *head);
    if (new) memcpy(head + width - 3, item_columns + ITEM_BASE + 3, 3 * sizeof *head);
    if (all) report_paragraph(out, parent, "%s: %llu.", item_lists[change].title, (unsigned long long)all);
    table = report_table(out, parent, item_lists[change].key, head, width);
    if (!all) report_hide(table);
    for (size_t i = 0; i < changes->item_count; i++) {
        const struct changed_item *item = &changes->item[i];
        struct report_cell         cell[ITEM_COLUMNS] = {
            report_cell_name(item->dataset), report_cell_part(item->split), report_cell_name(item->source_id),
            report_cell_name(item->path), report_cell_name(item->target),
        };
        size_t                     at = ITEM_BASE;

        if (!slice_equal(item->change, slice_of(item_change_names[change]))) continue;
        if (old) at += match_cells(&item->old, cell + at);
        if (new) match_cells(&item->new, cell + at);
        report_row(out, table, cell);
        if (rows++ >= wish->lines) report_hide_row(table);
    }
    rest_tell(rows > wish->lines ? rows - wish->lines : 0, wish, out, parent);
    if (all > rows)
        report_paragraph(out, parent, "%llu more are counted and not listed.", (unsigned long long)(all - rows));
}

/* Of one benchmark and dataset, or of all (empty): the items of each kind of change. */
static void counts_of(const struct changes *changes, struct slice dataset, struct slice target,
                      uint64_t out[ITEM_CHANGES])
{
    memset(out, 0, ITEM_CHANGES * sizeof *out);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *row = &changes->at[i];
        double               number;

        if (!slice_equal(row->part, SLICE(HISTORY_ITEMS)) || !row->label[CHANGE_OTHER].len) continue;
        if (target.len && !(slice_equal(row->label[CHANGE_OTHER], target) &&
                            slice_equal(row->label[CHANGE_DATASET], dataset))) continue;
        for (int k = 0; k < ITEM_CHANGES; k++)
            if (slice_equal(row->measure, slice_of(item_change_names[k])) && number_of(row->new, &number))
                out[k] += (uint64_t)number;
    }
}

/* "bench in corpus: 3 newly leaked, 1 no longer leaked." */
static void sentence_tell(const struct changes *changes, const struct change *of, struct report_document *out,
                          struct report_node *parent)
{
    uint64_t     count[ITEM_CHANGES];
    struct bytes text = { 0 };
    int          rc = 0;

    counts_of(changes, of->label[CHANGE_DATASET], of->label[CHANGE_OTHER], count);
    for (int k = 0; k < ITEM_CHANGES && rc == 0; k++)
        if (count[k])
            rc = bytes_printf(&text, "%s%llu %s", text.len ? ", " : "", (unsigned long long)count[k],
                              item_change_names[k]);
    if (rc < 0) out->failed = true;
    else if (slice_equal(of->label[CHANGE_DATASET], of->label[CHANGE_OTHER]))
        report_paragraph(out, parent, "%.*s in its other splits: %.*s.", (int)of->label[CHANGE_DATASET].len,
                         of->label[CHANGE_DATASET].at, (int)text.len, text.at);
    else
        report_paragraph(out, parent, "%.*s in %.*s: %.*s.", (int)of->label[CHANGE_DATASET].len,
                         of->label[CHANGE_DATASET].at, (int)of->label[CHANGE_OTHER].len, of->label[CHANGE_OTHER].at,
                         (int)text.len, text.at);
    bytes_free(&text);
}

/* The first pairs of a benchmark and a dataset; their rows follow each other. */
static void sentences_tell(const struct changes *changes, struct report_document *out, struct report_node *parent)
{
    const struct change *last = NULL;
    size_t               said = 0, more = 0;

    for (size_t i = 0; i < changes->count; i++) {
        const struct change *row = &changes->at[i];

        if (!slice_equal(row->part, SLICE(HISTORY_ITEMS)) || !row->label[CHANGE_OTHER].len ||
            (last && slice_equal(last->label[CHANGE_DATASET], row->label[CHANGE_DATASET]) &&
             slice_equal(last->label[CHANGE_OTHER], row->label[CHANGE_OTHER]))) continue;
        last = row;
        if (said < HISTORY_SENTENCES) sentence_tell(changes, row, out, parent);
        said++;
    }
    more = said > HISTORY_SENTENCES ? said - HISTORY_SENTENCES : 0;
    if (more) report_paragraph(out, parent, "So it is with %zu more pairs of datasets.", more);
}

/* What the reader must know before comparing numbers. */
static void warnings_tell(const struct changes *changes, struct report_document *out, struct report_node *parent)
{
    size_t settings = 0;
    bool   program = false;

    for (size_t i = 0; i < changes->count; i++) {
        const struct change *row = &changes->at[i];

        settings += slice_equal(row->part, SLICE(HISTORY_SETTINGS));
        program |= slice_equal(row->part, SLICE("program"));
        if (is_lack(row))
            report_paragraph(out, parent, "Items of %.*s were not compared: %.*s.",
                             (int)row->label[CHANGE_DATASET].len, row->label[CHANGE_DATASET].at, (int)row->new.len,
                             row->new.at);
    }
    if (settings)
        report_paragraph(out, parent, "Warning: the runs had other settings (%zu, below), of which differences may "
                                      "come.", settings);
    if (program)
        report_paragraph(out, parent, "Warning: the runs are of different versions of the program, of which "
                                      "differences may come.");
    if (!changes_any(changes)) report_paragraph(out, parent, "Nothing changed.");
}

/* ---- the whole ---- */

static const struct report_column summary_columns[ITEM_CHANGES + 2] = {
    { "changed", "something changed" }, { "new_leaks", "items that leak now and did not" },
    { "newly_leaked", "newly leaked" }, { "no_longer_leaked", "no longer leaked" }, { "added", "added, and leak" },
    { "removed", "removed, and leaked" }, { "edited", "edited, and leak or leaked" },
    { "moved", "of another best match" },
};

void changes_tell(const struct changes *changes, const struct history_wish *wish, struct report_document *out,
                  struct report_node *parent)
{
    uint64_t            count[ITEM_CHANGES];
    struct report_cell  cell[ITEM_CHANGES + 2];
    struct report_node *summary = report_facts(out, parent, "summary", summary_columns, ITEM_CHANGES + 2), *items;

    counts_of(changes, nothing, nothing, count);
    cell[0] = report_cell_flag(changes_any(changes));
    cell[1] = report_cell_count(changes_new_leaks(changes));
    for (int k = 0; k < ITEM_CHANGES; k++) cell[k + 2] = report_cell_count(count[k]);
    report_row(out, summary, cell);
    if (!changes->count) report_hide(summary);
    warnings_tell(changes, out, parent);
    sentences_tell(changes, out, parent);
    items = report_section(out, parent, "items", SLICE("Items of benchmarks"));
    if (!changes->item_count) report_hide(items);
    for (int k = 0; k < ITEM_CHANGES; k++) list_tell(changes, (enum item_change)k, count[k], wish, out, items);
    items = report_section(out, parent, "changes", SLICE("Values that differ"));
    if (!changes->count) report_hide(items);
    parts_tell(changes, wish, out, items);
}

static const struct report_column run_columns[] = {
    { "run", "run" }, { "folder", "folder" }, { "started", "started" }, { "finished", "finished" },
    { "version", "version" }, { "commit", "commit" }, { "digest", "digest" },
    { "configuration_hash", "configuration" }, { "gates", "gates" },
};

void history_tell_runs(const struct history_run *old, const struct history_run *new, struct report_document *out,
                       struct report_node *parent)
{
    struct report_node *table = report_table(out, parent, "runs", run_columns, 9);

    for (int i = 0; i < 2; i++) {
        const struct history_run *run = i ? new : old;
        const struct report_cell  cell[] = {
            report_cell_text(i ? SLICE("new") : SLICE("old")), report_cell_name(run->folder),
            report_cell_text(run->started), report_cell_text(run->finished), report_cell_text(run->version),
            report_cell_name(run->commit), report_cell_name(run->digest), report_cell_name(run->configuration_hash),
            report_cell_text(run->gates),
        };

        report_row(out, table, cell);
    }
}
