/* tests/unit/corpus/parquet_folder.h -- a folder of its own for each test, and a file in it. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_FOLDER_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_PARQUET_FOLDER_H

#include "tests/unit/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64], path[128];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/test_parquet.XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.parquet", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

#endif
