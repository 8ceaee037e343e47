/* cmd/report.c -- `leakgraph report`: the report made from graph.db again. */
#include "cmd/command.h"
#include "cmd/folder.h"
#include "cmd/shard_texts.h"

#include "base/outputs.h"
#include "page/report_write.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static const char report_help[] =
    "usage: leakgraph report DIR\n"
    "\n"
    "Writes DIR/report.html (a page for a browser), DIR/report.md (text) and DIR/report.json (for\n"
    "scripts) from DIR/graph.db.\n"
    "`leakgraph run` does this at its end; this command does it again, for instance after an upgrade.\n"
    "\n"
    "Options:\n"
    "  --help      this text\n"
    "\n"
    "Example:\n"
    "  leakgraph report results/demo && xdg-open results/demo/report.html\n";

/* The report, and what the manifest says of it where there is one. */
static int report_again(const char *dir, struct err *err)
{
    struct stage *stage;
    int           rc;

    if (!folder_has_manifest(dir)) return shard_texts_report(dir, omp_get_max_threads(), err);
    rc = stage_open(&stage, dir, true, err);
    if (rc < 0) return rc;
    rc = outputs_replace(stage, report_write_names, REPORT_WRITE_FILES, true, err);
    if (rc == 0) rc = shard_texts_report(dir, omp_get_max_threads(), err);
    for (size_t i = 0; i < REPORT_WRITE_FILES && rc == 0; i++) rc = outputs_settle(stage, report_write_names[i], err);
    stage_close(stage);
    return rc;
}

int cmd_report(int argc, char **argv, struct err *err)
{
    char path[FILE_NAME_MAX];
    int  rc;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(report_help, stdout) < 0;
        if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "report: unknown option %s (see leakgraph report --help)", argv[i]);
    }
    if (argc != 2) return err_set(err, -EINVAL, "report: one folder is needed (see leakgraph report --help)");
    rc = folder_find_graph(argv[1], path, err);
    if (rc == 0) rc = report_again(argv[1], err);
    if (rc == 0) printf("%s/report.html\n%s/report.md\n%s/report.json\n", argv[1], argv[1], argv[1]);
    return rc;
}
