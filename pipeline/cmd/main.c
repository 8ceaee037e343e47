/* cmd/main.c -- the commands, and what their outcome means to a shell. */
#include "base/environment.h"
#include "base/log.h"
#include "cmd/command.h"
#include "cmd/version.h"
#include "kernels/kernels.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command commands[] = {
    { "run",     cmd_run,     "do everything that a pipeline.yaml asks for, resuming what is done" },
    { "plan",    cmd_plan,    "what run would do and take: documents, recall, memory, disk, time; writes nothing" },
    { "overlap", cmd_overlap, "join benchmarks with corpora, without a YAML file" },
    { "dedup",   cmd_dedup,   "remove duplicates from corpora, without a YAML file" },
    { "train-ngram", cmd_train_ngram, "train a language model of n-grams on corpora" },
    { "probe",   cmd_probe,   "ask language models how well they know benchmarks, without a YAML file" },
    { "membership", cmd_membership, "were items, or whole benchmarks, in a model's training data, by a run's probes" },
    { "extract", cmd_extract, "the functions of source files as JSON lines" },
    { "audit",   cmd_audit,   "questions about a model: what was it trained on, what does it give away?" },
    { "compare", cmd_compare, "what leakage does to scores: leaked items of a benchmark beside clean ones" },
    { "diff",    cmd_diff,    "what changed between two runs: leaks, scores, gates, corpora, settings" },
    { "regress", cmd_regress, "how a score goes with overlap, copies, length: regressions with random intercepts" },
    { "show",    cmd_show,    "a document, or two with their differences, from a run's graph.db" },
    { "query",   cmd_query,   "what of a text is in a corpus: by a portrait, or by a run's graph.db" },
    { "report",  cmd_report,  "write report.html, report.md and report.json of a run anew" },
    { "status",  cmd_status,  "how far a run is, while it goes on, and what became of it" },
    { "export",  cmd_export,  "pairs, items, clusters, ... of a run as tables, graphs or results for other programs" },
    { "fsck",    cmd_fsck,    "check a run's files and its graph.db" },
    { "version", cmd_version, "version, commit, libraries and kernels" },
    { "help",    cmd_help,    "what there is: commands, keys of pipeline.yaml, tables of graph.db, manual pages" },
};

const struct command *command_at(size_t i) { return i < sizeof commands / sizeof commands[0] ? &commands[i] : NULL; }

static const struct command *command_find(const char *name)
{
    for (size_t i = 0; command_at(i); i++)
        if (strcmp(command_at(i)->name, name) == 0) return command_at(i);
    return NULL;
}

/* Whether the command works on whole datasets: the others are over before huge pages pay. */
static bool takes_much_memory(const struct command *command, const char *argument)
{
    if (argument && strcmp(argument, "--help") == 0) return false;
    return command->run == cmd_run || command->run == cmd_overlap || command->run == cmd_dedup ||
           command->run == cmd_train_ngram || command->run == cmd_probe || command->run == cmd_audit;
}

static int status_of(int rc, const struct err *err)
{
    if (rc < 0 && *err->text) log_error("%s", err->text);   /* otherwise it has been said, see ranks.h */
    return command_status(rc);
}

int main(int argc, char **argv)
{
    const struct command *command;
    const struct kernels *level = kernels_select(kernels_cpu(), getenv("LEAKGRAPH_KERNELS"));
    struct err            err = { 0 };
    int                   rc;

    if (!level) {
        log_error("LEAKGRAPH_KERNELS=%s cannot run on this machine; scalar, avx2 and avx512 are the levels",
                  getenv("LEAKGRAPH_KERNELS"));
        return 2;
    }
    kernels = level;
    /* a file that may not be so long is an error like others, which is told and leaves no half of it */
    signal(SIGXFSZ, SIG_IGN);
    /* Nobody asks what SQLite has allocated, and counting it takes a lock that all threads share. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    if (argc < 2) {
        rc = cmd_help(1, (char *[]){ (char[]){ "help" }, NULL }, &err);
        return rc < 0 ? status_of(rc, &err) : 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) command = command_find("help");
    else if (strcmp(argv[1], "--version") == 0) command = command_find("version");
    else command = command_find(argv[1]);
    if (!command) return status_of(command_unknown(argv[1], &err), &err);
    if (takes_much_memory(command, argv[2])) environment_set(argv);

    rc = command->run(argc - 1, argv + 1, &err);
    if (fflush(stdout) != 0) rc = err_set(&err, -EIO, "writing to standard output: %s", strerror(errno));
    else if (ferror(stdout)) rc = err_set(&err, -EIO, "writing to standard output failed");     /* errno is long gone */
    return status_of(rc, &err);
}
