/* cmd/membership.c -- `leakgraph membership`: were items, or whole benchmarks, in a model's training data?  What the
 * probes of a run say, with how sure one can be. */
#include "cmd/command.h"
#include "cmd/folder.h"
#include "config/capabilities.h"

#include "graph/read.h"
#include "probe/members.h"
#include "probe/seen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char membership_help[] =
    "usage: leakgraph membership DIR [--json]\n"
    "\n"
    "What the probes of a run say, from its graph.db; the report has the same tables.\n"
    "\n"
    "Of single items, by benchmark, model and metric, where it is known of some that they were in the\n"
    "training data and of others that they were not (probe.truth):\n"
    "  AUC        how often an item that was there looks more familiar than one that was not: 0.5 is\n"
    "             chance; from, to: its interval of 95 %; p: the chance of so much or more where a\n"
    "             metric knows nothing; Holm: the same for all that was asked of the benchmark together\n"
    "  TPR        what share of the training data is found where at most 1 % (0.1 %) of the others are\n"
    "             taken for it; that needs 100 (1,000) others at least, and is left out with fewer\n"
    "  compared   metrics and models, on the same items. Calibrated scores are metrics too:\n"
    "             ratio:OTHER and difference:OTHER hold a model against another one that cannot have\n"
    "             seen the items, so that easy texts do not look familiar\n"
    "Of whole benchmarks, where their order was asked for (probe.order), for which nothing needs to be\n"
    "known of any item:\n"
    "  orders     is the benchmark as it stands more probable than shuffled? p: the chance of such a\n"
    "             gain where the model has not seen it in this order\n"
    "\n"
    "Options:\n"
    "  --json                     for scripts\n"
    "  --help                     this text\n"
    "\n"
    "Example:\n"
    "  leakgraph train-ngram --corpus mine='corpus/*.jsonl.zst' --output mine.lm\n"
    "  leakgraph probe --model mine=ngram:mine.lm --benchmark humaneval=HumanEval.jsonl.gz \\\n"
    "    --corpus mine='corpus/*.jsonl.zst' --set 'probe.order={}' --output results/probed\n"
    "  leakgraph membership results/probed\n";

static int tables_add(struct report_document *out, sqlite3 *db, struct err *err)
{
    uint64_t models = 0;
    size_t   orders = 0;
    int      rc = graph_count(db, "SELECT count(*) FROM models", &models, err);

    if (rc == 0 && !models)
        return err_set(err, -EINVAL, "membership: no model was asked in this run; `leakgraph probe --help` says how, "
                                     "and `leakgraph help config` what `probe:` takes");
    if (rc == 0) rc = members_add(out, out->root, db, err);
    if (rc == 0) rc = seen_add(out, out->root, db, &orders, err);
    if (rc == 0 && !orders)
        report_paragraph(out, out->root, "Whether a benchmark was seen as a whole was not asked: probe.order: {} puts "
                                         "its items to the models as they stand and shuffled, and needs no truth.");
    return rc;
}

static int membership_print(const char *path, bool json, struct err *err)
{
    struct report_document document;
    struct bytes           out = { 0 };
    sqlite3               *db;
    int                    rc = graph_open(&db, path, err);

    report_open(&document, "Membership");
    if (rc == 0) rc = graph_define_views(db, capability_tables(), err);
    if (rc == 0) rc = tables_add(&document, db, err);
    graph_close(db);
    if (rc == 0 && (json ? report_json(&document, &out) : report_markdown(&document, &out)) < 0)
        rc = err_memory(err, out.len, "the tables");
    if (rc == 0 && (fwrite(out.at, 1, out.len, stdout) != out.len || fflush(stdout) != 0))
        rc = err_set(err, -EIO, "standard output: cannot write: %s", strerror(errno));
    report_close(&document);
    bytes_free(&out);
    return rc;
}

int cmd_membership(int argc, char **argv, struct err *err)
{
    const char *dir = NULL;
    bool        json = false;
    char        path[FILE_NAME_MAX];
    int         rc;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(membership_help, stdout) < 0;
        if (strcmp(argv[i], "--json") == 0) json = true;
        else if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "membership: unknown option %s (see leakgraph membership --help)", argv[i]);
        else if (dir)
            return err_set(err, -EINVAL, "membership: one folder is needed (see leakgraph membership --help)");
        else dir = argv[i];
    }
    if (!dir) return err_set(err, -EINVAL, "membership: one folder is needed (see leakgraph membership --help)");
    rc = folder_find_graph(dir, path, err);
    return rc < 0 ? rc : membership_print(path, json, err);
}
