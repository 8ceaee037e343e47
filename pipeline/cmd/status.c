/* cmd/status.c -- `leakgraph status`: how far a run is, while it goes on and afterwards. */
#include "cmd/command.h"
#include "cmd/status_tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char status_help[] =
    "usage: leakgraph status DIR [--json] [--watch [SECONDS]]\n"
    "\n"
    "Says of the folder of a run whether it is going on, has ended or was killed, and how far it is: the\n"
    "stage, what is done of it, MB/s of each rank, how long the stage will take yet, rejected records.\n"
    "It reads what the ranks write into DIR/work each second; the run is not asked, and not slowed down.\n"
    "A run of another host is known by its last sign of life alone, which is said.\n"
    "\n"
    "  --json             one object instead, for programs; docs/reference.md has its members\n"
    "  --watch [SECONDS]  again and again (default: each second) until the run is over, and ends with its\n"
    "                     exit status, 1 when it was killed; with --json a line each time\n"
    "  --help             this text\n"
    "\n"
    "Without --watch the exit status is 0 when DIR is the folder of a run, whatever became of it.\n"
    "A model's training has its folder beside the model while it goes on: FILE.lm.work.\n"
    "\n"
    "Examples:\n"
    "  leakgraph status results/demo\n"
    "  leakgraph status results/demo --watch 5\n";

struct asked { const char *dir; bool json, watch; double every; };

static int line_read(struct asked *asked, int argc, char **argv, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        char *end;

        if (strcmp(argv[i], "--json") == 0) asked->json = true;
        else if (strcmp(argv[i], "--watch") == 0) {
            asked->watch = true;
            if (i + 1 == argc) continue;
            asked->every = strtod(argv[i + 1], &end);
            if (*end || end == argv[i + 1]) asked->every = 1;       /* it is no number, and so the folder */
            else if (!(asked->every >= 0.1 && asked->every <= 86400))
                return err_set(err, -EINVAL, "status: --watch takes seconds from 0.1 to 86400, not `%s`", argv[i + 1]);
            else i++;
        } else if (argv[i][0] == '-')
            return err_set(err, -EINVAL, "status: unknown option %s (see leakgraph status --help)", argv[i]);
        else if (asked->dir)
            return err_set(err, -EINVAL, "status: one folder is needed (see leakgraph status --help)");
        else asked->dir = argv[i];
    }
    if (!asked->dir) return err_set(err, -EINVAL, "status: one folder is needed (see leakgraph status --help)");
    return 0;
}

/* One look; *over: the exit status of a run that is, else -1. */
static int look(const struct asked *asked, bool again, int *over, struct err *err)
{
    const bool   terminal = asked->watch && !asked->json && isatty(STDOUT_FILENO);
    struct found found;
    struct bytes text = { 0 };
    int          rc = status_find(asked->dir, &found, err);

    if (rc == 0 && terminal) rc = bytes_printf(&text, "\x1b[H\x1b[J");
    else if (rc == 0 && again && !asked->json) rc = bytes_printf(&text, "\n");
    if (rc == 0) rc = (asked->json ? status_json : status_text)(asked->dir, &found, &text);
    if (rc == -ENOMEM && !err->code) rc = err_memory(err, text.len, "the status");
    if (rc == 0) fwrite(text.at, 1, text.len, stdout);
    *over = found.state == FOUND_RUNNING ? -1 : found.state == FOUND_DIED ? 1
        : found.exit_status >= 0 && found.exit_status <= 3 ? found.exit_status : 1;
    found_free(&found);
    bytes_free(&text);
    return rc;
}

int cmd_status(int argc, char **argv, struct err *err)
{
    struct asked asked = { .every = 1 };
    int          over = -1, rc;

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return fputs(status_help, stdout) < 0;
    if ((rc = line_read(&asked, argc, argv, err)) < 0) return rc;
    rc = look(&asked, false, &over, err);
    while (rc == 0 && asked.watch && over < 0) {
        if (fflush(stdout) != 0) return err_set(err, -EIO, "writing to standard output: %s", strerror(errno));
        nanosleep(&(struct timespec){ (time_t)asked.every, (long)((asked.every - (double)(time_t)asked.every) * 1e9) },
                  NULL);
        rc = look(&asked, true, &over, err);
    }
    return rc < 0 ? rc : asked.watch ? over : 0;
}
