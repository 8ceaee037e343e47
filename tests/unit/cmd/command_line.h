/* tests/unit/cmd/command_line.h -- a command of the program, as the shell would call it: what it says and refuses. */
#ifndef LEAKGRAPH_TESTS_UNIT_COMMAND_LINE_H
#define LEAKGRAPH_TESTS_UNIT_COMMAND_LINE_H

#include "base/err.h"
#include "tests/unit/said.h"

#include <errno.h>
#include <string.h>

typedef int command_main(int argc, char **argv, struct err *err);

/* The words of the line are what follows the command; what it says is appended to *said, if there is one. */
static inline int command_call(command_main *command, const char *line, struct said *said, struct err *err)
{
    char *copy = strdup(line), *argv[320] = { (char[]){ "command" } }, *rest = copy;
    int   argc = 1, rc;

    assert_non_null(copy);
    for (char *word; (word = strsep(&rest, " ")); )
        if (*word) {
            assert_true(argc < 319);
            argv[argc++] = word;
        }
    *err = (struct err){ 0 };
    if (said) said_begin(said);
    rc = command(argc, argv, err);
    if (said) said_end(said);
    free(copy);
    return rc;
}

/* The line is a mistake, and the message says what. */
static inline void refuses(command_main *command, const char *line, const char *says)
{
    struct err err;
    int        rc = command_call(command, line, NULL, &err);

    if (rc != -EINVAL || err.code != -EINVAL) fail_msg("%s: %d, not refused: %s", line, rc, err.text);
    if (!strstr(err.text, says)) fail_msg("%s: %s", line, err.text);
}

/* The line gives this exit status, and standard output and error say the words. */
static inline void gives(command_main *command, const char *line, int status, const char *says)
{
    struct said said;
    struct err  err;
    int         rc = command_call(command, line, &said, &err);
    const char *text = said.text.at ? said.text.at : "";

    if (rc != status) fail_msg("%s: %d: %s", line, rc, err.text);
    if (!strstr(text, says)) fail_msg("%s does not say `%s`: %s", line, says, *text ? text : "it says nothing");
    said_free(&said);
}

/* --help and -h, wherever they stand: usage first, lines of at most 100 columns, and nothing else is done. */
static inline void helps(command_main *command, const char *usage, const char *before)
{
    for (int i = 0; i < 2; i++) {
        struct said said;
        struct err  err;
        char        line[200];

        snprintf(line, sizeof line, "%s %s", before, i ? "-h" : "--help");
        assert_int_equal(command_call(command, line, &said, &err), 0);
        if (strncmp(said.text.at, usage, strlen(usage)) != 0) fail_msg("no usage: %s", said.text.at);
        for (const char *at = said.text.at; *at; at += strcspn(at, "\n") + 1) assert_true(strcspn(at, "\n") <= 100);
        said_free(&said);
    }
}

#endif
