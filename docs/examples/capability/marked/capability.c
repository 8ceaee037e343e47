/* marked/capability.c -- how many documents of each dataset have a given line, as an example of a capability.
 *
 * pipeline.yaml:  marked: {line: "# SPDX-License-Identifier: MIT"}
 *
 * A folder of pipeline/ and a line in config/capabilities.c make it part of the program: `run` takes it through the
 * pass, stores table marked, puts it into run.digest and the report; `help config`, `help graph`, `fsck` and gates know
 * it. */
#include "capability/capability.h"
#include "marked/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the units hold: of a part, its documents and those with the line. */
struct marked_count { uint64_t documents, marked; };

/* A row of table marked. */
struct marked_row { uint32_t dataset; struct marked_count count; };

struct marked_task {
    char              *line;
    const struct run  *run;
    struct marked_row *row;                                 /* [dataset_count], on rank 0 */
};

static struct slice trimmed(struct slice s)
{
    while (s.len && strchr(" \t\r", *s.at)) s.at++, s.len--;
    while (s.len && strchr(" \t\r", s.at[s.len - 1])) s.len--;
    return s;
}

/* ---- settings ---- */

static const struct option marked_rows[] = {
    { "line", OPTION_TEXT, offsetof(struct marked_task, line), NULL, 0, 0, NULL,
      "a line; documents are counted that have it, without the white space at its ends" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

extern const struct capability marked_capability;

static int marked_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    struct marked_task *marked = config_state(config, &marked_capability);
    const struct node  *map = node_find(root, "marked");
    int                 rc = map ? config_section(marked_rows, marked, root, "marked", name, err) : 0;

    if (rc < 0 || !map || trimmed(slice_of(marked->line)).len) return rc;
    return node_refuse(map, name, "marked", err, "line must have something that is no white space");
}

static int marked_print(const struct config *config, struct bytes *out)
{
    return bytes_printf(out, "marked:\n") < 0 ? -ENOMEM
        : option_print(marked_rows, config_state(config, &marked_capability), "  ", out);
}

static int marked_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nmarked:                   a pass: how many documents have a given line\n");

    return rc < 0 ? rc : option_help(marked_rows, "  ", out);
}

/* ---- the pass: one scanner a thread, its counts at the end of each part ---- */

struct marker { struct scanner scanner; struct slice line; struct marked_count count; };

static bool has_line(struct slice text, struct slice line)
{
    while (text.len) {
        const char        *end = memchr(text.at, '\n', text.len);
        const struct slice one = { text.at, end ? (size_t)(end - text.at) : text.len };

        if (slice_equal(trimmed(one), line)) return true;
        text.at += one.len + (end != NULL);
        text.len -= one.len + (end != NULL);
    }
    return false;
}

static void marker_begin(struct scanner *scanner) { ((struct marker *)scanner)->count = (struct marked_count){ 0 }; }

static int marker_document(struct scanner *scanner, const struct document *document, struct part *part, struct err *err)
{
    struct marker *m = (struct marker *)scanner;

    (void)part, (void)err;
    m->count.documents++;
    m->count.marked += has_line(document->record->text, m->line);
    return 0;
}

static int marker_end(struct scanner *scanner, struct part *part, struct err *err)
{
    const struct marked_count *count = &((struct marker *)scanner)->count;

    return bytes_append(&part->section[PART_COUNTS], count, sizeof *count) < 0
        ? err_memory(err, sizeof *count, "a part's counts") : 0;
}

static void marker_close(struct scanner *scanner) { free(scanner); }

static int marker_open(void *shared, struct scanner **out, struct err *err)
{
    const struct marked_task *marked = shared;
    struct marker            *m = calloc(1, sizeof *m);

    *out = NULL;
    if (!m) return err_memory(err, sizeof *m, "a scanner");
    m->scanner = (struct scanner){ .begin = marker_begin, .document = marker_document, .end = marker_end,
                                   .close = marker_close };
    m->line = trimmed(slice_of(marked->line));
    *out = &m->scanner;
    return 0;
}

/* The key is of everything but the shard that the units depend on. */
static struct pass_scanner marked_scanner(struct marked_task *marked)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, marked->run->version, strlen(marked->run->version));

    return (struct pass_scanner){ .kind = "marked", .key = unit_key_add(key, marked->line, strlen(marked->line)),
                                  .needs = PASS_GROUPS, .open = marker_open, .shared = marked };
}

static int marked_enter(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    struct marked_task *marked = task->state;

    marked->run = run;
    return pass_add(pass, marked_scanner(marked), err);
}

static int marked_count(struct task *task, const struct run *run, struct pass *pass, struct err *err)
{
    (void)run;
    return pass_add(pass, marked_scanner(task->state), err);
}

/* ---- what comes out: a row a dataset ---- */

#define FIELD(member) offsetof(struct ROW, member)
#define ROW marked_row
static const struct graph_column marked_columns[] = {
    { "dataset", COLUMN_DATASET, FIELD(dataset), COLUMN_LINE, NULL, "" },
    { "documents", COLUMN_U64, FIELD(count.documents), COLUMN_LINE, NULL, "that were read" },
    { "with_line", COLUMN_U64, FIELD(count.marked), COLUMN_LINE, NULL, "that have marked.line" },
};
#undef ROW

static const struct graph_view marked_views[] = {
    { "marked_shares", "dataset, documents, with_line, percent",
      "SELECT dataset, documents, with_line, " VIEW_PERCENT("with_line", "documents") " FROM marked ORDER BY rowid",
      "The same with the share of documents that have the line." },
    { NULL, NULL, NULL, NULL },
};

static const struct graph_table marked_table = {
    .name = "marked", .row_size = sizeof(struct marked_row), TABLE_COLUMNS(marked_columns), .digest = "M",
    .views = marked_views,
    .doc = "Pass marked: how many documents of each dataset have a given line.",
};
static const struct graph_table *const marked_tables[] = { &marked_table, NULL };

static int marked_collect(struct task *task, const struct run *run, struct graph_build *build, struct err *err)
{
    struct marked_task *marked = task->state;
    struct pass_scanner scanner = marked_scanner(marked);
    struct pass_walk    walk = pass_walk_all(run, &scanner);
    int                 rc;

    marked->row = calloc(run->dataset_count + 1, sizeof *marked->row);
    if (!marked->row) return err_memory(err, run->dataset_count * sizeof *marked->row, "counts");
    for (uint32_t d = 0; d < run->dataset_count; d++) marked->row[d].dataset = d;
    while ((rc = pass_walk_next(&walk, err)) > 0)
        for (uint64_t p = 0; p < walk.unit.header->parts; p++) {
            const struct slice         section = pass_unit_section(&walk.unit, p, PART_COUNTS);
            const struct marked_count *count = (const void *)section.at;
            struct marked_row         *row = &marked->row[run->shards->at[walk.unit.shard].dataset];

            for (size_t i = 0; i < section.len / sizeof *count; i++) {
                row->count.documents += count[i].documents;
                row->count.marked += count[i].marked;
            }
        }
    pass_walk_close(&walk);
    return rc < 0 ? rc : graph_add_rows(build, &marked_table, marked->row, run->dataset_count, err);
}

static void marked_tell(const struct task *task, struct settings *settings)
{
    settings_add_text(settings, "marked.line", slice_of(((const struct marked_task *)task->state)->line));
}

static int marked_say(const struct task *task, const struct graph *graph, struct err *err)
{
    const struct marked_task *marked = task->state;

    (void)err;
    for (size_t d = 0; d < graph->dataset_count; d++)
        printf("marked  %.*s  %llu of %llu documents\n", (int)graph->datasets[d].name.len, graph->datasets[d].name.at,
               (unsigned long long)marked->row[d].count.marked, (unsigned long long)marked->row[d].count.documents);
    return 0;
}

/* The largest share of a dataset: fail_on: {marked: 5} */
static int marked_measure(const struct task *task, sqlite3 *db, const struct gate_listener *to, struct err *err)
{
    const struct marked_task *marked = task->state;

    (void)db, (void)err;
    for (size_t d = 0; d < marked->run->dataset_count; d++) {
        const struct marked_count *count = &marked->row[d].count;
        char                       clause[512];
        const struct gate_finding  found = { .source = slice_of(marked->run->datasets[d].name),
                                             .percent = gate_percent(count->marked, count->documents),
                                             .compared = count->documents, .whole = count->documents,
                                             .clause = clause };

        snprintf(clause, sizeof clause, "%.2f %% of %.200s have the line", found.percent,
                 marked->run->datasets[d].name);
        to->hear(to->context, &found);
    }
    return 0;
}

static const struct gate marked_gates[] = {
    { "marked", "exit status 3 when more than so many percent of a dataset have the line", marked_measure, NULL, 0 },
    { .key = NULL },
};

static void marked_release(struct task *task)
{
    struct marked_task *marked = task->state;

    free(marked->line);
    free(marked->row);
}

const struct capability marked_capability = {
    .name = "marked", .key = "marked", .brief = "the count of documents that have a given line",
    .traits = CAPABILITY_CORPORA, .state_size = sizeof(struct marked_task), .read = marked_read,
    .print = marked_print, .help = marked_help, .gates = marked_gates, .enter = marked_enter, .count = marked_count,
    .collect = marked_collect, .tables = marked_tables, .tell = marked_tell, .say = marked_say,
    .report = { .add = marked_add }, .release = marked_release,
};
