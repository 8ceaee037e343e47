/* history/tables.c -- see tables.h. */
#include "history/tables.h"

#define FIELD(member) offsetof(struct ROW, member)

#define ROW history_run
static const struct graph_column runs_columns[] = {
    { "id", COLUMN_NUMBER, 0, 0, NULL, "from 1, the oldest; the last is this run" },
    { "folder", COLUMN_OPTIONAL, FIELD(folder), COLUMN_LOAD, NULL,
      "where it was; NULL: of this run, and of one that only a later run's graph.db remembers" },
    { "started", COLUMN_TEXT, FIELD(started), COLUMN_LOAD, NULL, "as in run, so are the next" },
    { "finished", COLUMN_TEXT, FIELD(finished), COLUMN_LOAD, NULL, "" },
    { "version", COLUMN_TEXT, FIELD(version), COLUMN_LOAD, NULL, "of the program" },
    { "commit", COLUMN_TEXT, FIELD(commit), COLUMN_LOAD | COLUMN_QUOTED, NULL, "" },
    { "digest", COLUMN_TEXT, FIELD(digest), COLUMN_LOAD, NULL, "" },
    { "configuration_hash", COLUMN_TEXT, FIELD(configuration_hash), COLUMN_LOAD, NULL, "" },
    { "gates", COLUMN_TEXT, FIELD(gates), COLUMN_LOAD, NULL, "passed | inconclusive | failed | none" },
    { "compared", COLUMN_FLAG, FIELD(compared), COLUMN_LOAD, NULL, "1: the run that changes are told against" },
};
#undef ROW

static const struct graph_view runs_views[] = {
    { "history_trend",
      "source, split, target, run, started, version, digest, gates, documents, direct, direct_percent, contained, "
      "contained_percent, copies, transitive, transitive_percent",
      "SELECT l.source, l.split, l.target, l.run, r.started, r.version, r.digest, r.gates, l.documents, l.direct, "
      VIEW_PERCENT("l.direct", "l.documents") ", l.contained, " VIEW_PERCENT("l.contained", "l.documents")
      ", l.copies, l.transitive, " VIEW_PERCENT("l.transitive", "l.documents") " FROM history_leakage AS l JOIN "
      "history_runs AS r ON r.id = l.run ORDER BY l.source, l.target, l.split, l.run",
      "How the leakage of each benchmark, and of each of its splits, went from run to run, the oldest first." },
    { NULL, NULL, NULL, NULL },
};

const struct graph_table table_history_runs = {
    .name = "history_runs", .row_size = sizeof(struct history_run), TABLE_COLUMNS(runs_columns), .flags = TABLE_ASIDE,
    .views = runs_views,
    .doc = "Key history: the runs before this one, and this one.  Not in run.digest, as none of these tables is.",
};

#define ROW history_leak
static const struct graph_column leakage_columns[] = {
    { "run", COLUMN_ID, FIELD(run), 0, "history_runs", "" },
    { "source", COLUMN_TEXT, FIELD(source), 0, NULL, "a benchmark" },
    { "split", COLUMN_TEXT, FIELD(split), 0, NULL, "'': all" },
    { "target", COLUMN_TEXT, FIELD(target), 0, NULL, "" },
    { "documents", COLUMN_U64, FIELD(documents), 0, NULL, "as in overlap, so are the next" },
    { "direct", COLUMN_U64, FIELD(direct), 0, NULL, "" },
    { "contained", COLUMN_U64, FIELD(contained), 0, NULL, "" },
    { "copies", COLUMN_U64, FIELD(copies), 0, NULL, "" },
    { "transitive", COLUMN_U64, FIELD(transitive), 0, NULL, "" },
};
#undef ROW

const struct graph_table table_history_leakage = {
    .name = "history_leakage", .row_size = sizeof(struct history_leak), TABLE_COLUMNS(leakage_columns),
    .flags = TABLE_ASIDE,
    .doc = "How much of the benchmarks leaked in these runs: of each its rows of overlap, languages together.",
};

#define ROW change
static const struct graph_column changes_columns[] = {
    { "part", COLUMN_TEXT, FIELD(part), COLUMN_LOAD, NULL,
      "items, leakage, gates, documents, shards, program, settings, ..." },
    { "dataset", COLUMN_TEXT, FIELD(label[CHANGE_DATASET]), COLUMN_LOAD, NULL, "'': none, as in the next" },
    { "split", COLUMN_TEXT, FIELD(label[CHANGE_SPLIT]), COLUMN_LOAD, NULL, "" },
    { "other", COLUMN_TEXT, FIELD(label[CHANGE_OTHER]), COLUMN_LOAD, NULL, "another dataset, or a model" },
    { "other_split", COLUMN_TEXT, FIELD(label[CHANGE_OTHER_SPLIT]), COLUMN_LOAD, NULL, "" },
    { "name", COLUMN_TEXT, FIELD(label[CHANGE_NAME]), COLUMN_LOAD, NULL,
      "a shard, a gate, a setting, a metric, a language, ..." },
    { "measure", COLUMN_TEXT, FIELD(measure), COLUMN_LOAD, NULL,
      "what is counted; rows: all of the part, which one run has not; more rows: those that are not here" },
    { "old", COLUMN_OPTIONAL, FIELD(old), COLUMN_LOAD, NULL, "NULL: the earlier run has it not" },
    { "new", COLUMN_OPTIONAL, FIELD(new), COLUMN_LOAD, NULL, "NULL: this run has it not" },
    { "old_whole", COLUMN_MAYBE, FIELD(old_whole), COLUMN_LOAD, NULL, "what old is a part of; NULL: of nothing" },
    { "new_whole", COLUMN_MAYBE, FIELD(new_whole), COLUMN_LOAD, NULL, "" },
};
#undef ROW

const struct graph_table table_changes = {
    .name = "changes", .row_size = sizeof(struct change), TABLE_COLUMNS(changes_columns), .flags = TABLE_ASIDE,
    .doc = "Key history: values that differ from those of the run before, at most history.most of each part.  Numbers "
           "as they are printed.",
};

#define ROW changed_item
static const struct graph_column items_columns[] = {
    { "change", COLUMN_TEXT, FIELD(change), COLUMN_LOAD, NULL,
      "newly leaked | no longer leaked: the same text, found in target in one of the runs; added | removed: only one "
      "run has the item, found there; edited: another text; moved: its best match there is another" },
    { "dataset", COLUMN_TEXT, FIELD(dataset), COLUMN_LOAD, NULL, "a benchmark" },
    { "split", COLUMN_OPTIONAL, FIELD(split), COLUMN_LOAD, NULL, "" },
    { "source_id", COLUMN_TEXT, FIELD(source_id), COLUMN_LOAD, NULL,
      "as in snippets of this run; removed: of that one" },
    { "path", COLUMN_OPTIONAL, FIELD(path), COLUMN_LOAD, NULL, "" },
    { "target", COLUMN_TEXT, FIELD(target), COLUMN_LOAD, NULL, "where it is found; its own dataset: another split" },
    { "old_kind", COLUMN_OPTIONAL, FIELD(old.kind), COLUMN_LOAD, NULL,
      "of its best match there in the earlier run, as in edges and found_inside; NULL: none" },
    { "old_alike", COLUMN_MAYBE_SHARE, FIELD(old.alike), COLUMN_LOAD, NULL, "" },
    { "old_match", COLUMN_OPTIONAL, FIELD(old.match), COLUMN_LOAD, NULL, "the document" },
    { "new_kind", COLUMN_OPTIONAL, FIELD(new.kind), COLUMN_LOAD, NULL, "the same in this run" },
    { "new_alike", COLUMN_MAYBE_SHARE, FIELD(new.alike), COLUMN_LOAD, NULL, "" },
    { "new_match", COLUMN_OPTIONAL, FIELD(new.match), COLUMN_LOAD, NULL, "" },
};
#undef ROW

const struct graph_table table_changed_items = {
    .name = "changed_items", .row_size = sizeof(struct changed_item), TABLE_COLUMNS(items_columns),
    .flags = TABLE_ASIDE,
    .doc = "Key history: items of benchmarks that leak otherwise than in the run before, at most history.most of each "
           "kind.",
};

const struct graph_table *const history_tables[] = { &table_history_runs, &table_history_leakage, &table_changes,
                                                     &table_changed_items, NULL };
