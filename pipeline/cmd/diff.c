/* cmd/diff.c -- `leakgraph diff`: what changed between two finished runs. */
#include "cmd/command.h"
#include "cmd/folder.h"

#include "base/log.h"
#include "config/capabilities.h"
#include "graph/read.h"
#include "history/runs.h"
#include "history/tell.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char diff_help[] =
    "usage: leakgraph diff OLD NEW [--json] [--all] [--fail-on new-leaks=N]\n"
    "\n"
    "What changed between two finished runs, folders or their graph.db: which items of benchmarks are\n"
    "newly leaked and which are no longer, with the best match; how much of each benchmark and split\n"
    "leaks; what other passes counted and scored; outcomes of gates; documents, shards, settings, and\n"
    "versions.  A graph.db alone suffices.  The answer is Markdown.\n"
    "\n"
    "Items are the same where their texts are, whatever was inserted before them; one with another text\n"
    "is `edited`, by its own id, its path, or its neighbours; `added` and `removed` ones are in one run\n"
    "alone (docs/reference.md, \"What changed\").  Runs with other settings are compared, with a warning.\n"
    "\n"
    "Options:\n"
    "  --json                   all of it as JSON (docs/diff.schema.json)\n"
    "  --all                    every row: otherwise 20 of each list, in JSON 10000\n"
    "  --fail-on new-leaks=N    exit status 3 when more than N items leak in NEW that did not in OLD, an\n"
    "                           item once however many datasets it is found in, or when that cannot be\n"
    "                           said of a benchmark\n"
    "  --help                   this text\n"
    "\n"
    "Example:\n"
    "  leakgraph diff results/nightly/2026-11-23 results/nightly/2026-11-24 --fail-on new-leaks=0\n";

enum { DIFF_ROWS = 10000 };

struct asking {
    const char         *path[2];                            /* old, new */
    bool                json, all, gate;
    uint64_t            allowed;
    sqlite3            *db[2];
    struct history_runs runs;                               /* the two */
    struct changes      changes;
};

/* ---- the command line ---- */

static int fail_on_take(struct asking *a, const char *value, struct err *err)
{
    static const char name[] = "new-leaks=";
    const char       *number = value && strncmp(value, name, sizeof name - 1) == 0 ? value + sizeof name - 1 : "";
    char             *end;

    errno = 0;
    a->allowed = strtoull(number, &end, 10);
    a->gate = true;
    return *number >= '0' && *number <= '9' && !*end && !errno ? 0
        : err_set(err, -EINVAL, "diff: --fail-on takes new-leaks=N, a number of items, not `%s`", value ? value : "");
}

static int line_read(struct asking *a, int argc, char **argv, struct err *err)
{
    size_t count = 0;
    int    rc = 0;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--json") == 0) a->json = true;
        else if (strcmp(argv[i], "--all") == 0) a->all = true;
        else if (strcmp(argv[i], "--fail-on") == 0) {
            rc = fail_on_take(a, i + 1 < argc ? argv[i + 1] : NULL, err);
            i++;
        } else if (argv[i][0] == '-')
            rc = err_set(err, -EINVAL, "diff: unknown option %s (see leakgraph diff --help)", argv[i]);
        else if (count < 2) a->path[count++] = argv[i];
        else rc = err_set(err, -EINVAL, "diff: two runs are compared; `%s` is a third", argv[i]);
    }
    if (rc == 0 && count < 2)
        rc = err_set(err, -EINVAL, "diff: two folders of runs are needed (see leakgraph diff --help)");
    return rc;
}

/* ---- the runs ---- */

static int run_open(struct asking *a, int i, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc = folder_find_graph(a->path[i], path, err);

    if (rc == 0) rc = graph_open(&a->db[i], path, err);
    if (rc == 0) rc = graph_define_views(a->db[i], capability_tables(), err);
    return rc == 0 ? history_read(&a->runs, a->db[i], a->path[i], err) : rc;
}

/* ---- what comes out ---- */

static const struct report_column format_columns[] = { { "name", "format" }, { "version", "version" } };

static int answer_print(const struct asking *a, struct err *err)
{
    const struct history_wish wish = { a->all ? SIZE_MAX : HISTORY_LINES, "--all shows them, --json has them" };
    const struct report_cell  format[] = { report_cell_text(SLICE("leakgraph diff")), report_cell_count(1) };
    struct report_document    document;
    struct report_node       *facts;
    struct bytes              out = { 0 };
    int                       rc = 0;

    report_open(&document, "What changed");
    for (int i = 0; i < 2 && rc == 0; i++) rc = report_parts_open(&document, a->db[i], capability_reports(), err);
    facts = report_facts(&document, document.root, "format", format_columns, 2);
    report_row(&document, facts, format);
    report_hide(facts);
    history_tell_runs(&a->runs.run[0], &a->runs.run[1], &document, document.root);
    changes_tell(&a->changes, &wish, &document, document.root);
    if (rc == 0 && ((a->json ? report_json : report_markdown)(&document, &out) < 0 || document.failed))
        rc = err_memory(err, out.len, "the answer");
    if (rc == 0 && fwrite(out.at, 1, out.len, stdout) != out.len)
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    report_close(&document);
    bytes_free(&out);
    return rc;
}

/* A benchmark whose items could not be compared may have any number of new leaks. */
static bool gate_fails(const struct asking *a)
{
    return a->gate && (changes_new_leaks(&a->changes) > a->allowed || changes_lack_items(&a->changes));
}

int cmd_diff(int argc, char **argv, struct err *err)
{
    struct asking a = { .path = { NULL, NULL } };
    int           rc;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(diff_help, stdout) < 0;
    rc = line_read(&a, argc, argv, err);
    a.changes.most = a.all ? SIZE_MAX : DIFF_ROWS;
    for (int i = 0; i < 2 && rc == 0; i++) rc = run_open(&a, i, err);
    if (rc == 0) rc = changes_find(&a.changes, capability_changes(), a.db[0], a.db[1], err);
    if (rc == 0) rc = answer_print(&a, err);
    if (rc == 0 && gate_fails(&a)) rc = 3;
    if (rc == 3 && changes_lack_items(&a.changes))
        log_warn("--fail-on is inconclusive: items of some benchmarks were not compared, as is said there");
    changes_free(&a.changes);
    history_runs_free(&a.runs);
    for (int i = 0; i < 2; i++) graph_close(a.db[i]);
    return rc;
}
