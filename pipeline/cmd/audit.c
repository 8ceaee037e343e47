/* cmd/audit.c -- `leakgraph audit`: questions about one model's data, each a word of its own. */
#include "cmd/audit.h"

#include "base/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct command audits[] = {
    { "inclusion", audit_inclusion, "asks models for elements of files, to tell whether they were trained on them" },
    { "verdict", audit_verdict, "was a model trained on these files?  from how many elements it gave back" },
    { "licence", audit_licence, "does a model give licensed functions away, and name their licences?" },
};

enum { AUDITS = sizeof audits / sizeof *audits };

const struct command *audit_at(size_t i) { return i < AUDITS ? &audits[i] : NULL; }

static int audit_help(void)
{
    fputs("usage: leakgraph audit AUDIT [...]\n\n", stdout);
    for (size_t i = 0; i < AUDITS; i++) printf("  %-10s  %s\n", audits[i].name, audits[i].brief);
    fputs("\n`leakgraph audit AUDIT --help` says more.\n\n"
          "Example:\n"
          "  leakgraph audit licence --pairs answers.jsonl > pairs.tsv\n", stdout);
    return 0;
}

int cmd_audit(int argc, char **argv, struct err *err)
{
    const char *names[AUDITS + 1] = { NULL };
    char        meant[SUGGEST_ROOM];

    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) return audit_help();
    for (size_t i = 0; i < AUDITS; i++) {
        if (argc > 1 && strcmp(argv[1], audits[i].name) == 0) return audits[i].run(argc - 1, argv + 1, err);
        names[i] = audits[i].name;
    }
    if (argc < 2) return err_set(err, -EINVAL, "audit: which one?  see leakgraph audit --help");
    return err_set(err, -EINVAL, "audit: there is no audit `%s`%s; see leakgraph audit --help", argv[1],
                   suggest(argv[1], names, meant));
}
