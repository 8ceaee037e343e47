/* cmd/help.c -- what there is, and what a settings file may say. */
#include "base/suggest.h"
#include "cmd/command.h"
#include "cmd/version.h"
#include "config/capabilities.h"
#include "config/config.h"
#include "config/explain.h"
#include "graph/reference.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int command_unknown(const char *name, struct err *err)
{
    const char *names[32] = { 0 };
    char        near[SUGGEST_ROOM];

    for (size_t c = 0; capabilities[c]; c++)
        if (capabilities[c]->key && strcmp(capabilities[c]->key, name) == 0)
            return err_set(err, -EINVAL,
                           "`%s` is no command of its own: it is a key of pipeline.yaml, which `leakgraph run` carries "
                           "out; `leakgraph help config` explains it", name);
    for (size_t i = 0; command_at(i) && i < 31; i++) names[i] = command_at(i)->name;
    return err_set(err, -EINVAL, "`%s` is no leakgraph command%s; `leakgraph help` lists them", name,
                   suggest(name, names, near));
}

static int help_graph(struct bytes *out) { return graph_reference(capability_tables(), out); }

/* What has no command of its own. */
static int help_print(int (*make)(struct bytes *out), struct err *err)
{
    struct bytes text = { 0 };
    int          rc = make(&text);

    if (rc == 0) fwrite(text.at, 1, text.len, stdout);
    bytes_free(&text);
    return rc < 0 ? err_memory(err, 4096, "the help") : 0;
}

static int help_key(const char *path, struct err *err)
{
    struct bytes text = { 0 };
    int          rc = explain_key(path, &text, err);

    if (rc == 0) fwrite(text.at, 1, text.len, stdout);
    bytes_free(&text);
    return rc;
}

int cmd_help(int argc, char **argv, struct err *err)
{
    if (argc == 3 && strcmp(argv[1], "config") == 0) return help_key(argv[2], err);
    if (argc > 2) return err_set(err, -EINVAL, "help takes one command, `config`, `config KEY` or `graph`");
    if (argc == 2 && strcmp(argv[1], "config") == 0) return help_print(config_help, err);
    if (argc == 2 && strcmp(argv[1], "graph") == 0) return help_print(help_graph, err);
    if (argc == 2 && argv[1][0] != '-') {
        for (size_t i = 0; command_at(i); i++)
            if (strcmp(command_at(i)->name, argv[1]) == 0 && command_at(i)->run != cmd_help)
                return command_at(i)->run(2, (char *[]){ argv[1], (char[]){ "--help" }, NULL }, err);
        if (strcmp(argv[1], "help") != 0) return command_unknown(argv[1], err);
    }
    printf("leakgraph %s: finds what datasets of code share\n\nusage: leakgraph COMMAND [...]\n\n",
           leakgraph_version());
    for (size_t i = 0; command_at(i); i++) printf("  %-11s %s\n", command_at(i)->name, command_at(i)->brief);
    printf("\n`leakgraph COMMAND --help` says more; `leakgraph help config` tells what pipeline.yaml may say,\n"
           "`leakgraph help graph` what graph.db holds.  Under MPI:\n  mpirun -n 8 --bind-to none leakgraph run "
           "pipeline.yaml\n  srun --mpi=pmix -n 8 -c 16 leakgraph run pipeline.yaml\n\n"
           "Exit status: 0 done; 1 failed; 2 wrong usage or settings; 3 done, but a gate of fail_on failed or\n"
           "is inconclusive.\n"
           "Environment:\n"
           "  OMP_NUM_THREADS      threads of a rank (--threads wins)\n"
           "  LEAKGRAPH_KERNELS    scalar, avx2 or avx512: forces a level\n"
           "  LEAKGRAPH_PATIENCE   seconds (600) after which a lost host or link ends the job, that MPI may\n"
           "                       take to start, and for which (at most 30) a run waits for another that\n"
           "                       holds its folder\n"
           "  LEAKGRAPH_ALONE      1: never start MPI, for several runs apart under one srun\n"
           "  NO_COLOR             no colours in `show`\n"
           "  TMPDIR               where graph.db is built before it is copied (default /tmp)\n");
    return 0;
}
