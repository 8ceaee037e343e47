/* base/stage_unit: units come back as they were committed, survive kills, and damage is noticed wherever it is. */
#include "base/bytes.h"
#include "tests/unit/base/stage_folder.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static struct unit_key key_of(uint64_t number)
{
    return unit_key_add((struct unit_key){ 0, 0 }, &number, sizeof number);
}

/* ---- keys ---- */

static void test_keys(void **state)
{
    struct unit_key none = { 0, 0 }, ab_c, a_bc, empty, again;

    (void)state;
    ab_c = unit_key_add(unit_key_add(none, "ab", 2), "c", 1);
    a_bc = unit_key_add(unit_key_add(none, "a", 1), "bc", 2);
    again = unit_key_add(unit_key_add(none, "ab", 2), "c", 1);
    empty = unit_key_add(none, NULL, 0);
    assert_memory_equal(&ab_c, &again, sizeof ab_c);
    assert_memory_not_equal(&ab_c, &a_bc, sizeof ab_c);
    assert_memory_not_equal(&empty, &none, sizeof empty);
    /* Part of the file format: a change would orphan every committed unit. */
    assert_true(key_of(1).low == 0x9723c3658e04f583u && key_of(1).high == 0xbde95024593ca5e2u);
}

/* ---- round trips ---- */

static void assert_unit(struct stage *stage, const char *kind, struct unit_key key, const struct slice *section,
                        size_t count)
{
    struct unit unit;
    struct err  err = { 0 };

    assert_int_equal(stage_load(stage, kind, key, &unit, &err), 1);
    assert_int_equal(unit.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(slice_equal(unit.section[i], section[i]));
        assert_int_equal((unit.section[i].at - (const char *)unit.map) % 64, 0);
    }
    unit_close(&unit);
}

static void test_round_trip(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, true);
    char         *text = malloc(1 << 20);
    struct err    err = { 0 };

    assert_non_null(text);
    assert_string_equal(stage_dir(stage), world->dir);
    for (size_t i = 0; i < 1 << 20; i++) text[i] = (char)draw(&world->random);
    for (int round = 0; round < 60; round++) {
        struct slice    section[40];
        size_t          count = round == 0 ? 0 : draw(&world->random) % 40;
        struct unit_key key = key_of((uint64_t)round);

        for (size_t i = 0; i < count; i++) {                /* often empty, often around the alignment */
            size_t len = draw(&world->random) % 4 == 0 ? 0 : draw(&world->random) % 3 == 0
                ? draw(&world->random) % 200000 : 62 + draw(&world->random) % 5;

            section[i] = (struct slice){ len ? text + draw(&world->random) % 4096 : NULL, len };
        }
        assert_int_equal(stage_commit(stage, "round", key, section, count, &err), 0);
        assert_unit(stage, "round", key, section, count);
    }
    assert_int_equal(count_files(world, "round-", ".unit", NULL, 0), 60);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    free(text);
    stage_close(stage);
}

/* More pieces than one writev takes. */
static void test_many_sections(void **state)
{
    enum { COUNT = 5000 };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct slice *section = calloc(COUNT, sizeof *section);
    struct err    err = { 0 };

    assert_non_null(section);
    for (size_t i = 0; i < COUNT; i++) section[i] = (struct slice){ "abcdefgh", i % 9 };
    assert_int_equal(stage_commit(stage, "many", key_of(1), section, COUNT, &err), 0);
    assert_unit(stage, "many", key_of(1), section, COUNT);
    free(section);
    stage_close(stage);
}

static void test_absent_and_other(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct unit   unit;
    struct err    err = { 0 };

    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("text"), 1, &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(2), &unit, &err), 0);
    assert_int_equal(stage_load(stage, "edges", key_of(1), &unit, &err), 0);
    assert_null(unit.map);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("other text"), 1, &err), 0);     /* replaces */
    assert_unit(stage, "docs", key_of(1), &SLICE("other text"), 1);
    stage_close(stage);
    stage = open_stage(world, false);                       /* another process finds it */
    assert_unit(stage, "docs", key_of(1), &SLICE("other text"), 1);
    assert_int_equal(stage_clear(stage, &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    stage_close(stage);
}

/* ---- damage ---- */


/* Whatever one byte or one cut does to a unit, it is refused with its path, removed, and can be made again. */
static void assert_damage_seen(struct stage *stage, const char *path, const char *at, size_t len)
{
    struct unit unit;
    struct err  err = { 0 };

    write_file(path, at, len);
    assert_int_equal(unit_verify(path, &err), -EBADMSG);
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, ": byte "));
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    assert_null(unit.map);
    assert_int_equal(access(path, F_OK), -1);
}

static void test_damage(void **state)
{
    static const struct slice section[] = { { "first section", 13 }, { NULL, 0 },
                                            { "the second one is a little longer than sixty-four bytes, to be sure",
                                              67 } };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct bytes  good = { 0 }, bad = { 0 };
    struct err    err = { 0 };
    char          path[256];

    assert_int_equal(stage_commit(stage, "docs", key_of(1), section, 3, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(unit_verify(path, &err), 0);
    read_file(path, &good);
    for (size_t i = 0; i < good.len; i++) {                 /* every byte of the file, one bit each */
        bad.len = 0;
        assert_int_equal(bytes_append(&bad, good.at, good.len), 0);
        bad.at[i] = (char)(bad.at[i] ^ (1 << (i % 8)));
        assert_damage_seen(stage, path, bad.at, bad.len);
    }
    /* torn at every byte */
    for (size_t len = 0; len < good.len; len++) assert_damage_seen(stage, path, good.at, len);
    assert_int_equal(bytes_append(&bad, "x", 1), 0);
    assert_damage_seen(stage, path, bad.at, bad.len);       /* too long */
    memset(bad.at + 64, 0, bad.len - 64);
    assert_damage_seen(stage, path, bad.at, good.len);      /* pages that never reached the disk */
    write_file(path, good.at, good.len);
    assert_unit(stage, "docs", key_of(1), section, 3);
    bytes_free(&good);
    bytes_free(&bad);
    stage_close(stage);
}

/* A sound unit under another's name is not that other. */
static void test_misnamed(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct unit   unit;
    struct err    err = { 0 };
    char          path[256], other[256];

    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("one"), 1, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(stage_commit(stage, "edges", key_of(2), &SLICE("two"), 1, &err), 0);
    assert_int_equal(count_files(world, "edges-", ".unit", other, sizeof other), 1);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(unit_verify(other, &err), -EBADMSG);
    assert_int_equal(stage_load(stage, "edges", key_of(2), &unit, &err), 0);
    assert_int_equal(access(other, F_OK), -1);
    assert_int_equal(unit_verify(other, &err), -EIO);       /* gone: not damage */
    /* Nor under the same key and another kind. */
    assert_int_equal(stage_commit(stage, "docs", key_of(2), &SLICE("one"), 1, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(stage_load(stage, "edges", key_of(2), &unit, &err), 0);
    assert_int_equal(access(other, F_OK), -1);
    stage_close(stage);
}

/* Reads the log of set_up's stderr, and empties it. */
static void take_log(const struct world *world, struct bytes *out)
{
    char path[96];

    snprintf(path, sizeof path, "%s/log", world->root);
    read_file(path, out);
    assert_int_equal(truncate(path, 0), 0);
}

/* What each field of the header is checked for, and what is said; the layout is also checked where the checksum is
 * not. */
static void test_fields(void **state)
{
    static const struct { size_t at; unsigned char flip; const char *says; bool layout; } field[] = {
        { 0, 1, ": byte 0: not a unit file", false },
        { 8, 3, ": byte 8: format version 2, this program reads 1", false },
        { 10, 3, ": byte 10: written on a machine of the other byte order", false },
        { 12, 128, ": byte 12: 130 sections do not fit in ", false },
        { 48, 1, ": byte 48: the header says ", false },
        { 56, 1, ": byte 56: the checksum does not fit the content", false },
        { 64 + 33, 1, ": byte 56: the checksum", false },   /* the zeros between the sections */
        { 12, 3, ": byte 137: content after the last section", true },              /* one section */
        { 47, 'x', ": byte 32: the kind has no end", true },
        { 64, 64, ": byte 64: section 0 lies outside its place", true },
        { 64 + 16 + 8, 4, ": byte 80: section 1 lies outside its place", true },    /* longer than the file */
        { 64 + 16 + 8, 1, ": byte 194: content after the last section", true },
        { 16, 1, ": byte 16: holds unit docs-", true },
    };
    static const struct slice section[] = { { "the first", 9 }, { "2nd", 3 } };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct bytes  good = { 0 }, log = { 0 };
    struct unit   unit;
    struct err    err = { 0 };
    char          path[256], was;

    assert_int_equal(stage_commit(stage, "docs", key_of(1), section, 2, &err), 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    read_file(path, &good);
    assert_int_equal(good.len, 192 + 3);                    /* 64 and 2 * 16, then at 128 and 192 */
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        was = good.at[field[i].at];
        good.at[field[i].at] = (char)(was ^ field[i].flip);
        write_file(path, good.at, good.len);
        good.at[field[i].at] = was;
        if (!field[i].layout) {
            assert_int_equal(unit_verify(path, &err), -EBADMSG);
            if (strncmp(err.text, path, strlen(path)) != 0 || !strstr(err.text, field[i].says))
                fail_msg("field %zu says: %s", i, err.text);
        } else {
            take_log(world, &log);
            assert_int_equal(stage_map(stage, "docs", key_of(1), &unit, &err), 0);
            assert_int_equal(access(path, F_OK), -1);
            take_log(world, &log);
            if (!strstr(log.at, path) || !strstr(log.at, field[i].says)) fail_msg("field %zu says: %s", i, log.at);
        }
    }
    write_file(path, good.at, good.len - 1);
    assert_int_equal(unit_verify(path, &err), -EBADMSG);
    write_file(path, good.at, 63);
    assert_int_equal(unit_verify(path, &err), -EBADMSG);
    assert_non_null(strstr(err.text, ": byte 63: cut off within the header"));
    assert_int_equal(unit_verify(world->work, &err), -EIO);
    assert_non_null(strstr(err.text, "is not a regular file"));
    bytes_free(&good);
    bytes_free(&log);
    stage_close(stage);
}

static long page_faults(void)
{
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    return used.ru_minflt + used.ru_majflt;
}

/* Page faults while a byte of every page of a mapped unit is read, of which so many places were announced. */
static long faults_of_reading(struct stage *stage, struct unit_key key, uint64_t places, struct slice content)
{
    struct unit unit;
    struct err  err = { 0 };
    long        before, faults;
    size_t      wrong = 0;

    assert_int_equal(stage_map(stage, "docs", key, &unit, &err), 1);
    unit_expect(&unit, places);
    before = page_faults();
    for (size_t i = 0; i < content.len; i += 4096) wrong += unit.section[0].at[i] != content.at[i];
    faults = page_faults() - before;
    assert_int_equal(wrong, 0);
    assert_true(slice_equal(unit.section[0], content));
    unit_close(&unit);
    return faults;
}

/* Can the kernel map all of a file at once? */
static bool populates(void)
{
#ifdef MADV_POPULATE_READ
    void *at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool  can = at != MAP_FAILED && madvise(at, 4096, MADV_POPULATE_READ) == 0;

    if (at != MAP_FAILED) munmap(at, 4096);
    return can;
#else
    return false;
#endif
}

/* What is announced changes how pages come, not what is in them: many at once, or each when it is looked at. */
static void test_expect(void **state)
{
    enum { LONG = 8 << 20, SHORT = 1000 };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    char         *text = malloc(LONG);
    struct unit   unit = { 0 };
    struct err    err = { 0 };
    long          few, many;

    assert_non_null(text);
    unit_expect(&unit, 1);                                  /* a zeroed one */
    for (size_t i = 0; i < LONG; i++) text[i] = (char)draw(&world->random);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &(struct slice){ text, LONG }, 1, &err), 0);
    assert_int_equal(stage_commit(stage, "docs", key_of(2), &(struct slice){ text, SHORT }, 1, &err), 0);
    few = faults_of_reading(stage, key_of(1), 1, (struct slice){ text, LONG });
    many = faults_of_reading(stage, key_of(1), LONG, (struct slice){ text, LONG });
    if (populates() && many > few / 2)
        fail_msg("%ld page faults where all was mapped at once, %ld where not", many, few);
    faults_of_reading(stage, key_of(2), LONG, (struct slice){ text, SHORT });   /* one that is not mapped */
    free(text);
    stage_close(stage);
}

/* A map believes the content, a load does not; pages given back are there again. */
static void test_map(void **state)
{
    enum { LONG = 3 << 20 };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    char         *text = malloc(LONG), path[256], byte;
    struct unit   unit = { 0 };
    struct err    err = { 0 };
    int           fd;

    assert_non_null(text);
    unit_close(&unit);                                      /* a zeroed one */
    unit_forget(&unit);
    for (size_t i = 0; i < LONG; i++) text[i] = (char)draw(&world->random);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), (struct slice[]){ { "ab", 2 }, { text, LONG } }, 2, &err),
                     0);
    assert_int_equal(stage_map(stage, "docs", key_of(1), &unit, &err), 1);
    unit_forget(&unit);
    assert_true(slice_equal(unit.section[1], (struct slice){ text, LONG }));
    unit_close(&unit);
    assert_null(unit.map);
    assert_null(unit.section);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    fd = open(path, O_RDWR);
    byte = (char)(text[LONG - 1] ^ 1);
    assert_int_equal(pwrite(fd, &byte, 1, 192 + LONG - 1), 1);
    close(fd);
    assert_int_equal(stage_map(stage, "docs", key_of(1), &unit, &err), 1);
    assert_int_equal(unit.section[1].at[LONG - 1], byte);
    unit_close(&unit);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    assert_int_equal(stage_map(stage, "docs", key_of(1), &unit, &err), 0);     /* the load has removed it */
    free(text);
    stage_close(stage);
}

static long anonymous_kilobytes(void)
{
    char  line[256];
    long  kilobytes = -1;
    FILE *in = fopen("/proc/self/status", "r");

    while (in && fgets(line, sizeof line, in))
        if (sscanf(line, "RssAnon: %ld", &kilobytes) == 1) break;
    if (in) fclose(in);
    return kilobytes;
}

/* AddressSanitizer's shadow is an eighth of what is mapped, and memory of the process where the kernel has no zero page
 * for it. */
#ifdef __SANITIZE_ADDRESS__
enum { MOST_KB = 20 << 10 };
#else
enum { MOST_KB = 8 << 10 };
#endif

/* Many that are open together take no memory of the process, and more may be open than it may have mappings. */
static void test_many_open(void **state)
{
    enum { SMALL = 200000, TINY = 6000, LARGE = 300000, HUGE = 65 << 20, FEW = 400, MANY = 70000, COPIES = 20 };
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    char         *text = malloc(SMALL), *large = calloc(1, LARGE);
    size_t        copies = 0;
    struct unit  *unit = calloc(MANY, sizeof *unit);
    struct err    err = { 0 };
    long          before, after;

    assert_true(text && large && unit);
    for (size_t i = 0; i < SMALL; i++) text[i] = (char)draw(&world->random);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &(struct slice){ text, SMALL }, 1, &err), 0);
    assert_int_equal(stage_commit(stage, "docs", key_of(2), &(struct slice){ text, TINY }, 1, &err), 0);
    before = anonymous_kilobytes();
    for (size_t u = 0; u < FEW; u++) {
        assert_int_equal(stage_load(stage, "docs", key_of(1), &unit[u], &err), 1);
        unit_forget(&unit[u]);
    }
    after = anonymous_kilobytes();
    /* copies would be 80 MB */
    if (before >= 0 && after - before > MOST_KB) fail_msg("%ld KB, and %ld with units open", before, after);
    for (size_t u = 0; u < FEW; u++) {
        assert_true(slice_equal(unit[u].section[0], (struct slice){ text, SMALL }));
        unit_close(&unit[u]);
    }
    /* larger ones, until they are copied, too; small ones are by then */
    assert_int_equal(stage_commit(stage, "docs", key_of(3), &(struct slice){ large, LARGE }, 1, &err), 0);
    for (size_t u = 0; u < MANY && copies < COPIES; u++) {
        if (stage_map(stage, "docs", key_of(3), &unit[u], &err) != 1) fail_msg("%zu: %s", u, err.text);
        copies += !unit[u].mapped;
    }
    assert_int_equal(copies, COPIES);
    assert_int_equal(stage_map(stage, "docs", key_of(2), &unit[MANY - 1], &err), 1);
    assert_false(unit[MANY - 1].mapped);
    unit_close(&unit[MANY - 1]);
    /* one that is looked at step by step, each of which would be left to the cache if it were mapped */
    large = realloc(large, HUGE);
    assert_non_null(large);
    for (size_t i = 0; i < HUGE; i++) large[i] = (char)(i * 131 + 7);
    assert_int_equal(stage_commit(stage, "docs", key_of(4), &(struct slice){ large, HUGE }, 1, &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(4), &unit[MANY - 1], &err), 1);
    assert_false(unit[MANY - 1].mapped);
    assert_true(slice_equal(unit[MANY - 1].section[0], (struct slice){ large, HUGE }));
    unit_close(&unit[MANY - 1]);
    memset(large, 0, LARGE);
    for (size_t u = 0; u < MANY; u++) {
        if (unit[u].map) assert_true(unit[u].section[0].at[LARGE - 1] == large[LARGE - 1]);
        unit_close(&unit[u]);
    }
    for (int round = 0; round < 2; round++) {               /* what was closed counts no longer */
        for (size_t u = 0; u < MANY; u++)
            assert_int_equal(stage_map(stage, "docs", key_of(2), &unit[u], &err), 1);
        assert_true(unit[0].mapped);
        for (size_t u = 0; u < MANY; u++) {
            unit_forget(&unit[u]);
            assert_true(slice_equal(unit[u].section[0], (struct slice){ text, TINY }));
            unit_close(&unit[u]);
        }
    }
    free(unit);
    free(text);
    free(large);
    stage_close(stage);
}

static void test_remove(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct unit   unit;
    struct err    err = { 0 };
    char          path[256];

    assert_int_equal(stage_remove(stage, "docs", key_of(1), &err), 0);         /* never was there */
    assert_int_equal(stage_commit(stage, "docs", key_of(1), NULL, 0, &err), 0);
    assert_int_equal(stage_commit(stage, "docs", key_of(2), NULL, 0, &err), 0);
    assert_int_equal(stage_remove(stage, "docs", key_of(1), &err), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    assert_unit(stage, "docs", key_of(2), NULL, 0);
    assert_int_equal(count_files(world, "docs-", ".unit", path, sizeof path), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(stage_remove(stage, "docs", key_of(2), &err), -EIO);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(stage_commit(stage, "docs", key_of(2), NULL, 0, &err), -EIO);     /* the name is taken */
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    stage_close(stage);
}

/* All of a kind, and no other, whatever its key; a kind of which the name only begins so is another one. */
static void test_remove_kind(void **state)
{
    static const char *const kind[] = { "docs", "docs", "docsets", "pairs" };
    const struct world      *world = *state;
    struct stage            *stage = open_stage(world, true);
    struct unit              unit;
    struct err               err = { 0 };

    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(stage_commit(stage, kind[i], key_of(i), &(struct slice){ "x", 1 }, 1, &err), 0);
    assert_int_equal(stage_remove_kind(stage, "docs", &err), 0);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(stage_load(stage, kind[i], key_of(i), &unit, &err), i >= 2);
        if (i >= 2) unit_close(&unit);
    }
    assert_int_equal(stage_remove_kind(stage, "docs", &err), 0);
    stage_close(stage);
}

/* ---- failures ---- */

/* A write that fails in the middle leaves neither a unit nor a temporary file. */
static void test_write_fails(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    char         *text = calloc(1, 300000);
    struct rlimit was, small;
    struct unit   unit;
    struct err    err = { 0 };

    assert_non_null(text);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    signal(SIGXFSZ, SIG_IGN);
    small = (struct rlimit){ 100000, was.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &(struct slice){ text, 300000 }, 1, &err), -EIO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    /* a short write first, then the error */
    assert_non_null(strstr(err.text, "byte 100000: cannot write"));
    assert_int_equal(count_files(world, "", ".unit", NULL, 0), 0);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    assert_int_equal(stage_load(stage, "docs", key_of(1), &unit, &err), 0);
    free(text);
    stage_close(stage);
}

/* The names of temporaries of two stages in one process differ too. */
static void test_temporary_names_taken(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, false);
    struct err    err = { 0 };
    char          host[65] = "", path[300];

    gethostname(host, sizeof host - 1);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/tmp-%s-%ld-%d", world->work, host, (long)getpid(), i);
        write_file(path, "someone else's", 14);
    }
    assert_int_equal(stage_commit(stage, "docs", key_of(1), &SLICE("mine"), 1, &err), 0);
    assert_unit(stage, "docs", key_of(1), &SLICE("mine"), 1);
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 3);
    stage_close(stage);
}

struct worker { struct stage *stage; uint64_t first; };

static void *commit_many(void *argument)
{
    struct worker *worker = argument;
    struct err     err = { 0 };
    char           text[32];
    uint64_t       failed = 0;

    for (uint64_t i = 0; i < 100; i++) {
        struct slice section =
            { text, (size_t)snprintf(text, sizeof text, "unit %llu", (unsigned long long)(worker->first + i % 50)) };

        failed += stage_commit(worker->stage, "docs", key_of(worker->first + i % 50), &section, 1, &err) < 0;
    }
    worker->first = failed;
    return NULL;
}

/* Threads that commit side by side, also the same units. */
static void test_threads(void **state)
{
    struct world *world = *state;
    struct stage *stage = open_stage(world, true);
    struct worker worker[4];
    pthread_t     thread[4];

    for (uint64_t i = 0; i < 4; i++) {
        worker[i] = (struct worker){ stage, i / 2 * 50 };
        assert_int_equal(pthread_create(&thread[i], NULL, commit_many, &worker[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(worker[i].first, 0);
    }
    for (uint64_t i = 0; i < 100; i++) {
        char         text[32];
        struct slice section = { text, (size_t)snprintf(text, sizeof text, "unit %llu", (unsigned long long)i) };

        assert_unit(stage, "docs", key_of(i), &section, 1);
    }
    assert_int_equal(count_files(world, "tmp-", "", NULL, 0), 0);
    stage_close(stage);
}

/* ---- kill -9 ---- */

/* A child that owns the folder and commits without end, until it is killed. */
static pid_t start_committer(const struct world *world)
{
    pid_t child = fork();
    char  text[3000];

    if (child) return child;
    memset(text, 'u', sizeof text);
    for (uint64_t i = 0;; i = (i + 1) % 64) {
        static struct stage *stage;
        struct err           err;
        struct slice         section[2] = { { text, sizeof text }, { (const char *)&i, sizeof i } };

        if (!stage && stage_open(&stage, world->dir, true, &err) < 0) _exit(1);
        if (stage_commit(stage, "docs", key_of(i), section, 2, &err) < 0) _exit(1);
    }
}

static void test_kill(void **state)
{
    struct world *world = *state;
    uint64_t      found = 0;

    for (int round = 0; round < 10; round++) {
        pid_t         child = start_committer(world);
        struct stage *stage;
        int           status;

        nanosleep(&(struct timespec){ .tv_nsec = (long)(1000000 + draw(&world->random) % 9000000) }, NULL);
        kill(child, SIGKILL);
        stage = open_stage(world, true);                    /* waits for a child that is not quite dead */
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        for (uint64_t i = 0; i < 64; i++) {
            struct unit unit;
            struct err  err = { 0 };
            int         rc = stage_load(stage, "docs", key_of(i), &unit, &err);

            assert_true(rc >= 0);
            if (rc == 0) continue;
            assert_int_equal(unit.section[0].len, 3000);
            assert_memory_equal(unit.section[1].at, &i, sizeof i);
            unit_close(&unit);
            found++;
        }
        stage_close(stage);
    }
    assert_true(found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test_setup_teardown(test_round_trip, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_sections, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_absent_and_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_misnamed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_map, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_expect, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_remove, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_remove_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_temporary_names_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_kill, set_up, tear_down),
    };

    printf("seed=%llu\n", (unsigned long long)seed_of_run());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
