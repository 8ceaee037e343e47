/* tests/unit/said.h -- what a function of the program says on standard output and standard error. */
#ifndef LEAKGRAPH_TESTS_UNIT_SAID_H
#define LEAKGRAPH_TESTS_UNIT_SAID_H

#include "tests/unit/folder.h"

#include <stdlib.h>

struct said { struct bytes text; char path[48]; int file, was[2]; };

static inline void said_begin(struct said *said)
{
    *said = (struct said){ .path = "/tmp/leakgraph-said-XXXXXX" };
    said->file = mkstemp(said->path);
    assert_true(said->file >= 0);
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        said->was[i] = dup(i + 1);
        assert_true(said->was[i] >= 0 && dup2(said->file, i + 1) >= 0);
    }
}

/* From now on the words are in said->text, a NUL behind them. */
static inline void said_end(struct said *said)
{
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        dup2(said->was[i], i + 1);
        close(said->was[i]);
    }
    close(said->file);
    read_file(said->path, &said->text);
    unlink(said->path);
}

static inline void said_free(struct said *said) { bytes_free(&said->text); }

#endif
