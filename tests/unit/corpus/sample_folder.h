/* tests/unit/corpus/sample_folder.h -- a folder with hidden, linked, deep and oddly named files. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_SAMPLE_FOLDER_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_SAMPLE_FOLDER_H

#include "tests/unit/folder.h"

#include <stdlib.h>

static char folder[64];                                     /* everything is written below it */

static inline const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void make_file(const char *name, size_t bytes)
{
    FILE *out = fopen(path_of(name), "wb");

    assert_non_null(out);
    for (size_t i = 0; i < bytes; i++) fputc('x', out);
    assert_int_equal(fclose(out), 0);
}

/* Setup and teardown of a group of tests. */
static inline int make_folder(void **state)
{
    const char *base = getenv("TMPDIR");

    (void)state;
    snprintf(folder, sizeof folder, "%.40s/leakgraph.XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder)) return -1;
    mkdir(path_of("data"), 0755);
    mkdir(path_of("data/deep"), 0755);
    mkdir(path_of("data/deep/er"), 0755);
    mkdir(path_of("data/.hidden"), 0755);
    mkdir(path_of("data/abc"), 0755);
    mkdir(path_of("odd"), 0755);
    make_file("odd/[br].py", 1);
    make_file("odd/b.py", 1);
    make_file("odd/*.py", 1);
    make_file("data/a.zst", 5);
    make_file("data/b.zst", 6);
    make_file("data/B.zst", 1);
    make_file("data/[x].name", 1);
    make_file("data/.secret", 1);
    make_file("data/.hidden/c.zst", 1);
    make_file("data/deep/c.zst", 7);
    make_file("data/deep/er/c.zst", 8);
    make_file("data/deep/er/d.zst", 9);
    make_file("data/ab", 1);
    make_file("data/abc/f", 1);
    if (symlink("deep", path_of("data/linked")) < 0 || symlink("a.zst", path_of("data/link")) < 0) return -1;
    if (symlink("nothing", path_of("data/dangling")) < 0 || symlink("..", path_of("data/deep/cycle")) < 0) return -1;
    return mkfifo(path_of("data/fifo"), 0600);
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

#endif
