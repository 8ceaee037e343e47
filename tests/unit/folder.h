/* tests/unit/folder.h -- a folder of a test's own, and whole files in it. */
#ifndef LEAKGRAPH_TESTS_UNIT_FOLDER_H
#define LEAKGRAPH_TESTS_UNIT_FOLDER_H

#include "base/bytes.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static inline int remove_one(const char *path, const struct stat *is, int kind, struct FTW *place)
{
    (void)is;
    (void)kind;
    (void)place;
    return remove(path);
}

static inline void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* Replaces *out by the file's content and a NUL behind it. */
static inline void read_file(const char *path, struct bytes *out)
{
    FILE  *in = fopen(path, "rb");
    char   part[65536];
    size_t got;

    if (!in) fail_msg("%s cannot be read", path);
    out->len = 0;
    while ((got = fread(part, 1, sizeof part, in)) > 0) assert_int_equal(bytes_append(out, part, got), 0);
    fclose(in);
    assert_int_equal(bytes_append(out, "", 1), 0);
    out->len--;
}

static inline void write_file(const char *path, const char *at, size_t len)
{
    FILE *out;

    unlink(path);                                           /* some systems sync a file that is emptied and written */
    out = fopen(path, "wb");
    if (!out) fail_msg("%s cannot be written", path);
    if (len) assert_int_equal(fwrite(at, 1, len, out), len);
    assert_int_equal(fclose(out), 0);
}

#endif
