/* corpus/source_tree: the files of a directory tree as records, in batches of paths. */
#include "tests/unit/corpus/shards.h"

static void test_tree(void **state)
{
    struct dataset dataset = { .max_record_bytes = 100 };
    char           path[256], long_text[200], name[] = "tree";
    struct shard   shard = { .path = path, .name = name, .tree = true };
    struct seen    seen, again;
    struct err     err = { 0 };
    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

    (void)state;
    memset(long_text, 'l', sizeof long_text);
    mkdir(path_of("tree"), 0755);
    mkdir(path_of("tree/a"), 0755);
    mkdir(path_of("tree/.git"), 0755);
    mkdir(path_of("tree/.hidden"), 0755);
    write_shard("tree/.git/config", "no", 2);
    write_shard("tree/.hidden/h.c", "h\n", 2);
    write_shard("tree/a.c", "a.c\n", 4);
    write_shard("tree/a/z.c", "z", 1);
    write_shard("tree/a-b.c", "", 0);
    write_shard("tree/bin", "b\0n", 3);
    write_shard("tree/long.c", long_text, sizeof long_text);
    long_text[50] = '\0';
    write_shard("tree/longbin", long_text, sizeof long_text);
    assert_int_equal(symlink("a.c", path_of("tree/link.c")), 0);
    assert_int_equal(symlink("nothing", path_of("tree/dangling.c")), 0);
    assert_int_equal(symlink("..", path_of("tree/cycle")), 0);
    assert_int_equal(mkfifo(path_of("tree/fifo"), 0600), 0);
    snprintf(path, sizeof path, "%s", path_of("tree"));
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.records, "0 0 .hidden/h.c h\n\n1 2 a-b.c \n2 2 a.c a.c\n\n3 6 a/z.c z\n");
    assert_text(&seen.rejects, "4 1 binary\n5 0 too-long\n6 50 binary\n");
    assert_true(seen.skipped.files[SKIP_BINARY] == 2 && skips_sum(&seen.skipped) == 2);    /* links: told by the list */
    assert_int_equal(read_shard(&again, &dataset, &shard, 3, &err), 0);
    assert_same(&again.records, &seen.records, "tree in units");
    assert_true(again.xxh3 == seen.xxh3);
    seen_free(&again);
    write_shard("tree/a/z.c", "y", 1);
    assert_int_equal(utimensat(AT_FDCWD, path_of("tree/a/z.c"), old, 0), 0);
    assert_int_equal(read_shard(&again, &dataset, &shard, 0, &err), 0);
    assert_true(again.xxh3 != seen.xxh3);
    seen_free(&again);
    seen_free(&seen);
}

/* Batches end at a number of files and at a number of bytes. */
static void test_batches(void **state)
{
    struct dataset dataset = { .max_record_bytes = 1000 };
    char           path[256], file[320], name[] = "batches";
    struct shard   shard = { .path = path, .name = name, .tree = true };
    struct seen    seen;
    struct err     err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    assert_int_equal(mkdir(path, 0755), 0);
    for (int i = 0; i < 4097; i++) {
        snprintf(file, sizeof file, "%s/f%04d", path, i);
        close(open(file, O_CREAT | O_WRONLY, 0600));
    }
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_int_equal(seen.record_count, 4097);
    assert_int_equal(seen.batches, 2);
    seen_free(&seen);
    remove_tree(path);

    assert_int_equal(mkdir(path, 0755), 0);
    for (int i = 0; i < 7; i++) {                           /* three of them reach a batch's bytes */
        int fd;

        snprintf(file, sizeof file, "%s/f%d", path, i);
        fd = open(file, O_CREAT | O_WRONLY, 0600);
        assert_int_equal(ftruncate(fd, SOURCE_BATCH_BYTES / 3 + 1), 0);
        close(fd);
    }
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_int_equal(seen.reject_count, 7);
    assert_int_equal(seen.batches, 3);
    seen_free(&seen);
    assert_int_equal(read_shard(&seen, &dataset, &shard, SOURCE_BATCH_BYTES / 3 + 1, &err), 0);
    assert_int_equal(seen.batches, 7);                      /* each file opens a unit */
    assert_int_equal(seen.units, 7);
    seen_free(&seen);
    remove_tree(path);
}

/* A tree that is not there, or cannot be read, is an error that names it. */
static void test_missing(void **state)
{
    const struct dataset dataset = { 0 };
    char                 path[256], name[] = "none";
    struct shard         shard = { .path = path, .name = name, .tree = true };
    struct source       *source;
    struct err           err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    assert_int_equal(source_open(&source, &dataset, &shard, &err), -EIO);
    assert_null(source);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
}

/* A tree with less in it than when it was listed. */
static void test_shrunk(void **state)
{
    const struct dataset dataset = { 0 };
    char                 path[256], name[] = "less";
    struct shard         shard = { .path = path, .name = name, .tree = true, .bytes = 50 };
    struct seen          seen;
    struct err           err = { 0 };

    (void)state;
    snprintf(path, sizeof path, "%s", path_of(name));
    assert_int_equal(mkdir(path, 0700), 0);
    write_shard("less/a.c", "int a;", 6);
    assert_int_equal(read_shard(&seen, &dataset, &shard, 0, &err), 0);
    assert_text(&seen.rejects, "1 6 truncated\n");
    assert_true(seen.record_count == 1 && seen.lost == 50 - 6 + 1);
    seen_free(&seen);
    remove_tree(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree), cmocka_unit_test(test_batches), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_shrunk),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
