/* cmd/help.c -- what there is and what a settings file may say; also as manual pages, and for a shell to complete. */
#include "base/suggest.h"
#include "cmd/audit.h"
#include "cmd/command.h"
#include "cmd/completion.h"
#include "cmd/man.h"
#include "cmd/version.h"
#include "config/capabilities.h"
#include "config/config.h"
#include "config/explain.h"
#include "graph/reference.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
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

const struct command *command_word_at(const struct command *of, size_t i)
{
    return of->run == cmd_audit ? audit_at(i) : NULL;
}

int command_list(struct bytes *out)
{
    int rc = bytes_printf(out, "leakgraph %s: finds what datasets of code share\n\nusage: leakgraph COMMAND [...]\n\n",
                          leakgraph_version());

    for (size_t i = 0; command_at(i) && rc == 0; i++)
        rc = bytes_printf(out, "  %-11s  %s\n", command_at(i)->name, command_at(i)->brief);
    return rc < 0 ? rc : bytes_printf(out,
        "\n`leakgraph COMMAND --help` says more; `leakgraph help config` tells what pipeline.yaml may say,\n"
        "`leakgraph help graph` what graph.db holds.\n\n"
        "Options:\n"
        "  --help      this list; of a command, what it does\n"
        "  --version   as `leakgraph version`\n\n"
        "Examples:\n"
        "  leakgraph run pipeline.yaml\n"
        "  mpirun -n 8 --bind-to none leakgraph run pipeline.yaml\n"
        "  srun --mpi=pmix -n 8 -c 16 leakgraph run pipeline.yaml\n\n"
        "Exit status:\n"
        "  0  done\n"
        "  1  failed\n"
        "  2  wrong usage or settings\n"
        "  3  done, but a gate of fail_on failed or is inconclusive\n\n"
        "Environment:\n"
        "  OMP_NUM_THREADS      threads of a rank (--threads wins)\n"
        "  LEAKGRAPH_KERNELS    scalar, avx2 or avx512: forces a level\n"
        "  LEAKGRAPH_PATIENCE   seconds (600) after which a lost host or link ends the job, that MPI may\n"
        "                       take to start, and for which (at most 30) a run waits for another that\n"
        "                       holds its folder\n"
        "  LEAKGRAPH_ALONE      1: never start MPI, for several runs apart under one srun\n"
        "  GLIBC_TUNABLES       where it is set (to nothing, say), a run does not start itself again to\n"
        "                       ask for huge pages and for threads that sleep while they wait\n"
        "  NO_COLOR             no colours in `show`\n"
        "  TMPDIR               where graph.db is built before it is copied (default /tmp)\n\n"
        "Files:\n"
        "  pipeline.yaml        what `run` and `plan` are to do, unless they are given another file\n"
        "  DIR/graph.db         what a run found, in its folder DIR; beside it the reports, the settings\n"
        "                       with all defaults (config.resolved.yaml) and run.log\n"
        "  DIR/work             finished pieces, with which a run that was killed goes on\n");
}

static const char help_usage[] =
    "usage: leakgraph help [COMMAND]\n"
    "       leakgraph help config [KEY]\n"
    "       leakgraph help graph [TABLE]\n"
    "       leakgraph help --man [PAGE]\n"
    "       leakgraph help --completion bash|zsh|fish\n"
    "\n"
    "Prints the list of commands, or what one of them does; what pipeline.yaml may say, or what one KEY\n"
    "of it means (dedup, dedup.bands, probe.models.url); or what graph.db holds, or one TABLE or view of\n"
    "it (edges, leakage).\n"
    "\n"
    "Options:\n"
    "  --man PAGE                   a manual page as leakgraph-run.1, dated SOURCE_DATE_EPOCH where that\n"
    "                               is set; without PAGE the names of all; of - the page of another\n"
    "                               program, whose help of this form is on standard input\n"
    "  --completion bash|zsh|fish   a script by which that shell completes command lines\n"
    "  --help                       this text\n"
    "\n"
    "Examples:\n"
    "  leakgraph help config near_duplicates.view\n"
    "  leakgraph help graph edges\n"
    "  leakgraph help --man leakgraph-run.1 | man -l -\n"
    "  source <(leakgraph help --completion bash)\n";

static int help_graph(const char *of, struct bytes *out, struct err *err)
{
    return of ? graph_reference_of(capability_tables(), of, out, err) : graph_reference(capability_tables(), out);
}

/* Prints what was made; rc is how that went. */
static int help_print(int rc, struct bytes *text, struct err *err)
{
    if (rc == 0) fwrite(text->at, 1, text->len, stdout);
    else if (rc == -ENOMEM) err_memory(err, text->len, "the help");
    bytes_free(text);
    return rc;
}

/* The page of a help on standard input. */
static int help_read(struct bytes *page, struct err *err)
{
    struct bytes text = { 0 };
    size_t       got = 1;
    int          rc = 0;

    while (got > 0 && rc == 0) {
        rc = bytes_reserve(&text, text.len + 4096);
        got = rc == 0 ? fread(text.at + text.len, 1, 4096, stdin) : 0;
        text.len += got;
    }
    if (rc == 0 && ferror(stdin)) rc = err_set(err, -EIO, "reading standard input: %s", strerror(errno));
    if (rc == 0) rc = man_page_of(bytes_slice(&text), page, err);
    bytes_free(&text);
    return rc;
}

/* The help of a command. */
static int help_command(const char *name, struct err *err)
{
    for (size_t i = 0; command_at(i); i++)
        if (strcmp(command_at(i)->name, name) == 0)
            return command_at(i)->run(2, (char *[]){ (char *)(uintptr_t)name, (char[]){ "--help" }, NULL }, err);
    return command_unknown(name, err);
}

int cmd_help(int argc, char **argv, struct err *err)
{
    const char  *topic = argc > 1 ? argv[1] : "", *of = argc == 3 ? argv[2] : NULL;
    const bool   man = strcmp(topic, "--man") == 0, config = strcmp(topic, "config") == 0;
    const bool   graph = strcmp(topic, "graph") == 0;
    struct bytes text = { 0 };

    if (strcmp(topic, "--completion") == 0) {
        if (!of) return err_set(err, -EINVAL, "help --completion takes the name of a shell: bash, zsh or fish");
        return help_print(completion_script(of, &text, err), &text, err);
    }
    if (argc > 3 || (of && !man && !config && !graph))
        return err_set(err, -EINVAL, "help takes one command, `config`, `config KEY`, `graph` or `graph TABLE`");
    if (man && of && strcmp(of, "-") == 0) return help_print(help_read(&text, err), &text, err);
    if (man) return help_print(of ? man_page(of, &text, err) : man_pages(&text), &text, err);
    if (config) return help_print(of ? explain_key(of, &text, err) : config_help(&text), &text, err);
    if (graph) return help_print(help_graph(of, &text, err), &text, err);
    if (strcmp(topic, "--help") == 0 || strcmp(topic, "-h") == 0) return fputs(help_usage, stdout) < 0;
    if (*topic == '-') return err_set(err, -EINVAL, "help does not know `%s`; see leakgraph help --help", topic);
    return *topic ? help_command(topic, err) : help_print(command_list(&text), &text, err);
}
