/* corpus/input: a file read in every way, and the hash of all its bytes whatever was read of it. */
#include "corpus/input.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <errno.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LONG = 2 * INPUT_BUFFER_BYTES + 12345 };

static char           folder[64], path[128];
static unsigned char *content;                              /* [LONG] */

static int make_folder(void **state)
{
    uint64_t random = seed_of_run();

    (void)state;
    printf("seed=%llu\n", (unsigned long long)random);
    strcpy(folder, "/tmp/test_input.XXXXXX");
    content = malloc(LONG);
    if (!content || !mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    for (size_t i = 0; i < LONG; i++) content[i] = (unsigned char)draw(&random);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    remove_tree(folder);
    free(content);
    return 0;
}

static void open_file(struct input *input, size_t len)
{
    struct err err = { 0 };

    write_file(path, (char *)content, len);
    if (input_open(input, path, &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(input->size, len);
    assert_int_equal(input_taken(input), 0);
}

/* The hash of the file's first bytes, `hashed` of them. */
static void assert_hash(const struct input *input, size_t hashed)
{
    assert_int_equal(input->hashed, hashed);
    assert_true(input_xxh3(input) == XXH3_64bits(content, hashed));
}

static void finish(struct input *input, size_t len)
{
    struct err err = { 0 };

    while (input_finish(input, 1, &err) > 0) { }
    assert_hash(input, len);
    input_close(input);
    assert_int_equal(input->fd, -1);
    input_close(input);
}

static void test_fill(void **state)
{
    static const size_t lengths[] = { 0, 1, INPUT_BUFFER_BYTES - 1, INPUT_BUFFER_BYTES, INPUT_BUFFER_BYTES + 1, LONG };

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input;
        struct err   err = { 0 };
        size_t       at = 0;

        open_file(&input, lengths[i]);
        while (input_fill(&input, &err) > 0) {
            size_t take = (input.len - input.at + 1) / 2;   /* half of what is there, at last a byte */

            assert_true(input.at < input.len);
            assert_memory_equal(input.buffer + input.at, content + at, input.len - input.at);
            input.at += take;
            at += take;
            assert_int_equal(input_taken(&input), at);
        }
        assert_int_equal(at, lengths[i]);
        assert_int_equal(input_fill(&input, &err), 0);      /* still the end */
        assert_hash(&input, lengths[i]);
        finish(&input, lengths[i]);
    }
}

/* Reads of random sizes, with and without something in the buffer. */
static void test_read(void **state)
{
    uint64_t       random = seed_of_run();
    unsigned char *out = malloc(LONG);

    (void)state;
    assert_non_null(out);
    for (int round = 0; round < 20; round++) {
        struct input input;
        struct err   err = { 0 };
        size_t       at = 0;

        open_file(&input, LONG);
        for (;;) {
            size_t  n = 1 + (draw(&random) % 2 ? draw(&random) % 100000 : draw(&random) % LONG);
            ssize_t got;

            if (draw(&random) % 3 == 0) assert_int_equal(input_fill(&input, &err), at < LONG);
            got = input_read(&input, out, n, &err);
            assert_true(got >= 0 && got <= (ssize_t)n && got <= INPUT_BUFFER_BYTES);
            assert_memory_equal(out, content + at, (size_t)got);
            at += (size_t)got;
            assert_int_equal(input_taken(&input), at);
            if (got == 0) break;
        }
        assert_int_equal(at, LONG);
        finish(&input, LONG);
    }
    free(out);
}

/* Seeks to and fro, and looks beside the stream: the hash is of every byte once. */
static void test_seek(void **state)
{
    uint64_t       random = seed_of_run();
    unsigned char *out = malloc(LONG + 1);

    (void)state;
    assert_non_null(out);
    for (int round = 0; round < 60; round++) {
        struct input input;
        struct err   err = { 0 };

        open_file(&input, LONG);
        for (int step = 0; step < 20; step++) {
            size_t   at = draw(&random) % LONG, n = 1 + draw(&random) % (draw(&random) % 2 ? 1000 : LONG);
            uint64_t taken = input_taken(&input);

            if (draw(&random) % 2) {
                (draw(&random) % 2 ? input_seek : input_go)(&input, at);
                assert_int_equal(input_taken(&input), at);
                if (draw(&random) % 4 == 0) {
                    const ssize_t got = input_read(&input, out, n, &err);

                    assert_true(got > 0);
                    assert_memory_equal(out, content + at, (size_t)got);
                    continue;
                }
                if (input_fill(&input, &err) != 1) fail_msg("%s", err.text);
                assert_memory_equal(input.buffer + input.at, content + at, input.len - input.at);
                input.at += draw(&random) % (input.len - input.at + 1);
            } else {
                assert_int_equal(input_read_at(&input, at, out, n, &err), at + n <= LONG);
                if (at + n <= LONG) assert_memory_equal(out, content + at, n);
                assert_int_equal(input_taken(&input), taken);
            }
            assert_hash(&input, (size_t)input.hashed);      /* of a prefix, whatever was read */
        }
        input_seek(&input, LONG + 5);                       /* behind the end there is nothing */
        assert_int_equal(input_fill(&input, &err), 0);
        assert_int_equal(input_read_at(&input, LONG, out, 1, &err), 0);
        finish(&input, LONG);
    }
    free(out);
}

/* What is read from the start on is hashed at once; the rest in steps of what one call may do. */
static void test_finish(void **state)
{
    struct input  input;
    struct err    err = { 0 };
    unsigned char out[1000];

    (void)state;
    open_file(&input, LONG);
    assert_int_equal(input_read_at(&input, 500, out, 500, &err), 1);            /* not at the start */
    assert_hash(&input, 0);
    assert_int_equal(input_read_at(&input, 0, out, 600, &err), 1);
    assert_hash(&input, 600);
    assert_int_equal(input_read_at(&input, 500, out, 500, &err), 1);            /* laps over what is hashed */
    assert_hash(&input, 1000);
    assert_int_equal(input_read_at(&input, 0, out, 999, &err), 1);              /* and lies in it */
    assert_hash(&input, 1000);
    assert_int_equal(input_finish(&input, 10, &err), 1);
    assert_hash(&input, 1000 + INPUT_BUFFER_BYTES);
    assert_int_equal(input_finish(&input, 10 * LONG, &err), 0);
    assert_hash(&input, LONG);
    assert_int_equal(input_finish(&input, 10, &err), 0);
    input_close(&input);
}

static void test_refused(void **state)
{
    struct input input;
    struct err   err = { 0 };
    char         other[160];

    (void)state;
    snprintf(other, sizeof other, "%s/none", folder);
    assert_int_equal(input_open(&input, other, &err), -ENOENT);
    assert_int_equal(strncmp(err.text, other, strlen(other)), 0);
    assert_non_null(strstr(err.text, ": cannot be opened: "));
    input_close(&input);                                    /* a failed one may be closed */
    assert_int_equal(input_open(&input, folder, &err), -EIO);
    assert_non_null(strstr(err.text, ": not a regular file"));
    snprintf(other, sizeof other, "%s/fifo", folder);
    assert_int_equal(mkfifo(other, 0600), 0);
    assert_int_equal(input_open(&input, other, &err), -EIO);                    /* and it does not wait for a writer */
    assert_non_null(strstr(err.text, "/fifo: not a regular file"));
    snprintf(other, sizeof other, "%s/none/below", path);
    assert_int_equal(input_open(&input, other, &err), -EIO);

    open_file(&input, 3000);
    close(input.fd);
    input.fd = open(folder, O_RDONLY);                      /* which cannot be read */
    assert_int_equal(input_fill(&input, &err), -EIO);
    snprintf(other, sizeof other, "%s: read failed at byte 0: ", path);
    assert_int_equal(strncmp(err.text, other, strlen(other)), 0);
    assert_int_equal(input_read(&input, other, 1, &err), -EIO);
    assert_int_equal(input_read_at(&input, 77, other, 1, &err), -EIO);
    assert_non_null(strstr(err.text, ": read failed at byte 77: "));
    assert_int_equal(input_finish(&input, 1, &err), -EIO);
    input_close(&input);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fill), cmocka_unit_test(test_read),
                                        cmocka_unit_test(test_seek), cmocka_unit_test(test_finish),
                                        cmocka_unit_test(test_refused) };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
