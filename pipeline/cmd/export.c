/* cmd/export.c -- `leakgraph export`: what a run found, for other programs. */
#include "cmd/command.h"
#include "cmd/folder.h"

#include "base/log.h"
#include "base/suggest.h"
#include "config/capabilities.h"
#include "export/export.h"
#include "export/whole.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char export_help[] =
    "usage: leakgraph export DIR THING [--format FORMAT] [OPTION...]\n"
    "       leakgraph export DIR --format interduplication|datasette [--output FILE]\n"
    "\n"
    "Writes what a run found (DIR/graph.db) to standard output or a file, row by row: memory does not\n"
    "grow with the rows, and the same graph.db gives the same bytes.\n"
    "\n"
    "THING is one of\n";

static const char export_help_formats[] =
    "FORMAT is one of (as --output ends; tsv where it has no ending)\n";

static const char export_help_wholes[] =
    "and for the run as a whole\n";

static const char export_help_options[] =
    "Options:\n"
    "  --format FORMAT           one of those above\n"
    "  --output FILE             instead of standard output; there complete or not at all\n"
    "  --benchmark NAME          of this benchmark alone\n"
    "  --dataset NAME            of this dataset; of pairs: on either side, so that both options say\n"
    "                            what is between the two\n"
    "  --kind KIND               pairs: exact, near, contained, ...; items: a rule, as near, gpt3_13gram;\n"
    "                            removed: why; clusters: near or dedup; rules: pairs, ngrams, gate, ...\n"
    "  --min-similarity X        at least so alike, from 0 to 1\n"
    "  --leaked                  items: those that leaked; pairs: without those of dedup and below\n"
    "  --columns A,B             these, in this order (tsv, csv, jsonl, parquet)\n"
    "  --no-header               tsv, csv: without the line of names\n"
    "  --help                    this text\n"
    "\n"
    "Examples:\n"
    "  leakgraph export results/demo pairs --format parquet --output pairs.parquet\n"
    "  leakgraph export results/demo items --benchmark codetrans --leaked --columns source_id --no-header\n"
    "  leakgraph export results/demo pairs --format graphml --min-similarity 0.9 > pairs.graphml\n"
    "  leakgraph export results/demo items --format sarif --output leaks.sarif\n";

struct asked {
    const char                *dir, *thing, *format, *output;
    struct export_request      rows;
    const struct export_whole *whole;
};

/* ---- help ---- */

static int help_say(void)
{
    fputs(export_help, stdout);
    for (const struct export_thing *thing = export_things; thing->name; thing++)
        printf("  %-16s  %s\n", thing->name, thing->doc);
    printf("\n%s", export_help_formats);
    for (size_t i = 0; export_formats[i]; i++) printf("  %-16s  %s\n", export_formats[i]->name, export_formats[i]->doc);
    fputs(export_help_wholes, stdout);
    for (size_t i = 0; export_wholes[i]; i++) printf("  %-16s  %s\n", export_wholes[i]->name, export_wholes[i]->doc);
    printf("\n");
    return fputs(export_help_options, stdout) < 0;
}

/* ---- what is asked ---- */

enum { NAMES_MOST = 16 };

static int unknown(const char *what, const char *word, const char *const *names, struct err *err)
{
    char near[SUGGEST_ROOM];

    return err_set(err, -EINVAL, "export: there is no %s `%.40s`%s (see leakgraph export --help)", what, word,
                   suggest(word, names, near));
}

static int find_thing(struct asked *a, struct err *err)
{
    const char *names[NAMES_MOST] = { NULL };

    if (!a->thing)
        return err_set(err, -EINVAL, "export: what of the run? pairs, items, removed, clusters or rules (see leakgraph "
                                     "export --help)");
    a->rows.thing = export_thing_find(a->thing);
    if (a->rows.thing) return 0;
    for (size_t i = 0; export_things[i].name; i++) names[i] = export_things[i].name;
    return unknown("thing", a->thing, names, err);
}

/* As the file's name ends, where nobody says it; tsv where it has no ending. */
static int format_by_name(struct asked *a, struct err *err)
{
    const char *slash = a->output ? strrchr(a->output, '/') : NULL, *name = slash ? slash + 1 : a->output;
    const char *dot = name ? strrchr(name, '.') : NULL;
    char        known[200] = "";
    size_t      at = 0;

    a->format = dot && dot > name && dot[1] ? dot + 1 : "tsv";
    if (export_format_find(a->format)) return 0;
    for (size_t i = 0; export_formats[i] && at < sizeof known - 24; i++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%.16s", i ? ", " : "", export_formats[i]->name);
    return err_set(err, -EINVAL, "export: no format ends in `.%.40s`, as %.400s does: they are %s; --format says which "
                   "it is", a->format, a->output, known);
}

static int find_format(struct asked *a, struct err *err)
{
    const char *names[NAMES_MOST] = { NULL };
    size_t      count = 0;

    if (!a->format && format_by_name(a, err) < 0) return err->code;
    a->whole = export_whole_find(a->format);
    if (a->whole) return 0;
    a->rows.format = export_format_find(a->format);
    if (a->rows.format) return find_thing(a, err);
    for (size_t i = 0; export_formats[i]; i++) names[count++] = export_formats[i]->name;
    for (size_t i = 0; export_wholes[i]; i++) names[count++] = export_wholes[i]->name;
    return unknown("format", a->format, names, err);
}

static int check_asked(struct asked *a, struct err *err)
{
    const bool binary = a->whole ? a->whole->file : a->rows.format->flags & EXPORT_BINARY;
    bool       chosen = a->rows.columns || !a->rows.header || a->thing;

    for (enum export_filter f = 0; f < EXPORT_FILTERS; f++) chosen |= a->rows.filter[f] != NULL;
    if (a->whole && chosen)
        return err_set(err, -EINVAL, "export: %s is of the whole run: there is nothing to choose", a->whole->name);
    if (a->whole && a->whole->file && !a->output)
        return err_set(err, -EINVAL, "export: %s is a file of its own: --output FILE", a->whole->name);
    if (binary && !a->output && isatty(STDOUT_FILENO))
        return err_set(err, -EINVAL, "export: %s is not for a terminal: --output FILE, or > FILE", a->format);
    return 0;
}

/* ---- the command line ---- */

/* An option with a value, or NULL. */
static const char **option_place(struct asked *a, const char *option)
{
    for (enum export_filter f = 0; f < EXPORT_LEAKED; f++)
        if (strcmp(option, export_filter_names[f]) == 0) return &a->rows.filter[f];
    if (strcmp(option, "--format") == 0) return &a->format;
    if (strcmp(option, "--output") == 0) return &a->output;
    return strcmp(option, "--columns") == 0 ? &a->rows.columns : NULL;
}

static int option_take(struct asked *a, char **argv, int *i, struct err *err)
{
    const char **place = option_place(a, argv[*i]);

    if (place) {
        if (!argv[*i + 1]) return err_set(err, -EINVAL, "export: %s needs a value", argv[*i]);
        *place = argv[++*i];
        return 0;
    }
    if (strcmp(argv[*i], export_filter_names[EXPORT_LEAKED]) == 0) a->rows.filter[EXPORT_LEAKED] = "";
    else if (strcmp(argv[*i], "--no-header") == 0) a->rows.header = false;
    else if (*argv[*i] == '-')
        return err_set(err, -EINVAL, "export: unknown option %s (see leakgraph export --help)", argv[*i]);
    else if (!a->dir) a->dir = argv[*i];
    else if (!a->thing) a->thing = argv[*i];
    else return err_set(err, -EINVAL, "export: one thing at a time (see leakgraph export --help)");
    return 0;
}

/* The export may not take the place of what it is made of. */
static int output_check(const char *output, const char *graph, struct err *err)
{
    struct stat to, from;

    if (!output || stat(output, &to) < 0 || stat(graph, &from) < 0 || to.st_dev != from.st_dev ||
        to.st_ino != from.st_ino) return 0;
    return err_set(err, -EINVAL, "export: %s is the run's own graph.db: choose another --output", output);
}

static int export_run(struct asked *a, struct err *err)
{
    struct export_sink sink = { .file = -1 };
    sqlite3           *db = NULL;
    char               path[FILE_NAME_MAX];
    uint64_t           rows = 0;
    int                rc = folder_find_graph(a->dir, path, err);

    if (rc == 0) rc = output_check(a->output, path, err);
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = export_sink_open(&sink, a->output, err);
    if (rc == 0)
        rc = a->whole ? a->whole->write(db, capability_tables(), &sink, err)
            : export_rows(&a->rows, db, &sink, &rows, err);
    if (rc == 0) rc = export_sink_commit(&sink, err);
    export_sink_close(&sink);
    graph_close(db);
    if (rc == 0 && !a->whole && rows == 0) log_warn("export: no row is there of what was asked");
    if (rc == 0 && a->output && !a->whole) log_info("%s: %llu rows", a->output, (unsigned long long)rows);
    return rc < 0 && err->code == -EINVAL && strncmp(err->text, "export", 6) != 0 ? err_add(err, "export") : rc;
}

int cmd_export(int argc, char **argv, struct err *err)
{
    struct asked a = { .rows = { .header = true } };
    int          rc = 0;

    for (int i = 1; i < argc && rc == 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return help_say();
        rc = option_take(&a, argv, &i, err);
    }
    if (rc == 0 && !a.dir)
        rc = err_set(err, -EINVAL, "export: a folder is needed (see leakgraph export --help)");
    if (rc == 0) rc = find_format(&a, err);
    if (rc == 0) rc = check_asked(&a, err);
    return rc < 0 ? rc : export_run(&a, err);
}
