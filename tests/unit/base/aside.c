/* base/aside: a buffer is the same in memory and in a file; its pages are left to the cache, its file has no name, a
 * unit of it is what one from memory is. */
#include "base/aside.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 100 << 20, PIECE = 1 << 20 };

/* Bytes of this process that are of mapped files. */
static size_t resident(void)
{
    FILE         *file = fopen("/proc/self/statm", "re");
    unsigned long all, here, shared;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu %lu", &all, &here, &shared), 3);
    fclose(file);
    return shared * (size_t)sysconf(_SC_PAGESIZE);
}

static void open_stage(char *folder, struct stage **stage)
{
    struct err err = { 0 };

    assert_non_null(mkdtemp(folder));
    assert_int_equal(stage_open(stage, folder, true, &err), 0);
}

/* Draws a piece of any size, the same in each way. */
static size_t draw_piece(uint64_t *random, char piece[PIECE])
{
    const size_t len = 8 + draw(random) % (PIECE - 8);

    for (size_t i = 0; i + 8 <= len; i += 8) memcpy(piece + i, &(uint64_t){ draw(random) }, 8);
    return len;
}

/* Pieces are stored to the buffer and written to it by turns. */
static void fill(struct aside *aside, struct stage *stage, struct bytes *b, size_t len)
{
    bool        written = false;
    static char piece[PIECE];
    uint64_t    random = seed_of_run();
    struct err  err = { 0 };

    while (b->len < len) {
        const size_t here = draw_piece(&random, piece) / 8 * 8;

        assert_int_equal(aside_reserve(aside, stage, b, here, &err), 0);
        assert_true(b->room >= b->len + here);
        if (written) assert_int_equal(aside_append(aside, stage, b, (struct slice){ piece, here }, &err), 0);
        else assert_int_equal(bytes_append(b, piece, here), 0);
        written = !written;
    }
    assert_int_equal(aside_end(aside, b, stage, &err), 0);
}

static void test_content(void **state)
{
    char          folder[] = "/tmp/test_aside.XXXXXX", command[128];
    struct aside  aside = { 0 }, none = { 0 };
    struct bytes  b = { 0 }, plain = { 0 };
    struct stage *stage;
    size_t        before;

    (void)state;
    open_stage(folder, &stage);
    for (size_t len = PIECE; len <= MOST; len *= 10) {
        before = resident();
        fill(&aside, stage, &b, len);
        assert_int_equal(aside_is_mapped(&aside), len > 4 << 20);
        assert_true(resident() < before + (16 << 20));
        snprintf(command, sizeof command, "test -z \"$(find %s/work -name '*aside*')\"", folder);
        assert_int_equal(system(command), 0);
        fill(&none, NULL, &plain, len);
        assert_false(aside_is_mapped(&none));
        assert_int_equal(b.len, plain.len);
        assert_memory_equal(b.at, plain.at, b.len);
        aside_free(&aside, &b);
        aside_free(&none, &plain);
        assert_true(!b.at && !aside.file && !aside.mapped);
    }
    stage_close(stage);
    remove_tree(folder);
}

static void test_unit(void **state)
{
    char            folder[] = "/tmp/test_aside.XXXXXX";
    struct aside    aside[2] = { 0 };
    struct bytes    b[2] = { 0 };
    struct stage   *stage;
    struct unit     unit;
    struct unit_key key = { 1, 2 };
    struct err      err = { 0 };
    const bool      mapped[] = { false, true, false, true, false };
    size_t          before;

    (void)state;
    open_stage(folder, &stage);
    fill(&aside[0], stage, &b[0], 20 << 20);
    fill(&aside[1], stage, &b[1], MOST);
    const struct slice section[] = { SLICE("head"), bytes_slice(&b[0]), SLICE(""), bytes_slice(&b[1]), SLICE("tail") };

    before = resident();
    assert_int_equal(stage_commit_mapped(stage, "made", key, section, mapped, 5, &err), 0);
    assert_int_equal(stage_load(stage, "made", key, &unit, &err), 1);
    assert_true(resident() < before + (24 << 20));
    assert_int_equal(unit.count, 5);
    for (size_t s = 0; s < 5; s++) {
        assert_int_equal(unit.section[s].len, section[s].len);
        if (section[s].len) assert_memory_equal(unit.section[s].at, section[s].at, section[s].len);
    }
    unit_close(&unit);
    aside_free(&aside[0], &b[0]);
    aside_free(&aside[1], &b[1]);
    stage_close(stage);
    remove_tree(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_content), cmocka_unit_test(test_unit) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
