/* cmd/show.c -- `leakgraph show`: documents and pairs in the terminal. */
#include "cmd/command.h"
#include "cmd/folder.h"
#include "config/capabilities.h"

#include "graph/read.h"
#include "report/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char show_help[] =
    "usage: leakgraph show DIR ID        a document, its pairs and its text\n"
    "       leakgraph show DIR A B       two documents, their scores and how their texts differ\n"
    "\n"
    "DIR is the folder of a run (the one that holds graph.db).  A document is named by\n"
    "  17                         its snippets.id\n"
    "  codetrans/test/250         dataset/split/id_within_dataset (codetrans//250 without splits)\n"
    "  codetrans:train-00250      dataset:source_id\n"
    "\n"
    "Control characters in the data are shown as \\x1b.  Colours appear on a terminal only, never when\n"
    "NO_COLOR is set.\n"
    "\n"
    "Options:\n"
    "  --help                     this text\n"
    "\n"
    "Example:\n"
    "  sqlite3 results/demo/graph.db 'SELECT a, b FROM edges ORDER BY set_similarity DESC LIMIT 5'\n"
    "  leakgraph show results/demo 17 4711\n";

static bool show_wants_colour(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(STDOUT_FILENO) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
}

int cmd_show(int argc, char **argv, struct err *err)
{
    struct bytes out = { 0 };
    sqlite3     *db = NULL;
    uint64_t     a = 0, b = 0;
    char         path[FILE_NAME_MAX];
    int          rc;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(show_help, stdout) < 0;
        if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "show: unknown option %s (see leakgraph show --help)", argv[i]);
    }
    if (argc != 3 && argc != 4)
        return err_set(err, -EINVAL, "show: a folder and one or two documents are needed (see leakgraph show --help)");
    rc = folder_find_graph(argv[1], path, err);
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = show_find(db, slice_of(argv[2]), &a, err);
    if (rc == 0 && argc == 4) rc = show_find(db, slice_of(argv[3]), &b, err);
    if (rc == 0)
        rc = argc == 4 ? show_pair(db, a, b, show_wants_colour(), &out, err)
            : show_document(db, a, show_wants_colour(), &out, err);
    graph_close(db);
    if (rc == 0 && (fwrite(out.at, 1, out.len, stdout) != out.len || fflush(stdout) != 0))
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    bytes_free(&out);
    return rc;
}
