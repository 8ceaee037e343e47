/* corpus/writer: compressed files are there complete or not at all, and hold what was put in. */
#include "base/file.h"
#include "corpus/codec.h"
#include "corpus/writer.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

static char root[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(root, "/tmp/test_writer.XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[96];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static void place(char path[FILE_NAME_MAX], const char *name) { snprintf(path, FILE_NAME_MAX, "%s/%s", root, name); }

static struct bytes frame_of(struct slice text, int level)
{
    struct packer *packer;
    struct bytes   frame = { 0 };
    struct err     err = { 0 };

    assert_int_equal(packer_open(&packer, level, &err), 0);
    assert_int_equal(packer_frame(packer, text, &frame, &err), 0);
    packer_close(packer);
    return frame;
}

/* The decoded file, as the program itself reads it. */
static struct bytes decoded(const char *path)
{
    struct input input = { 0 };
    struct codec codec = { 0 };
    struct bytes out = { 0 };
    struct err   err = { 0 };
    ssize_t      got = 1;

    assert_int_equal(input_open(&input, path, &err), 0);
    assert_int_equal(codec_open(&codec, &input, &err), 0);
    assert_string_equal(codec.suffix, ".zst");
    while (got > 0) {
        assert_int_equal(bytes_reserve(&out, out.len + 65536), 0);
        got = codec_read(&codec, out.at + out.len, 65536, &err);
        if (got < 0) fail_msg("%s", err.text);
        out.len += (size_t)got;
    }
    codec_close(&codec);
    input_close(&input);
    return out;
}

static int files_in(const char *folder)
{
    DIR           *at = opendir(folder);
    struct dirent *entry;
    int            count = 0;

    assert_non_null(at);
    while ((entry = readdir(at))) count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(at);
    return count;
}

static void test_frames(void **state)
{
    static const char text[] = "one line\nanother line\n";
    struct bytes      frame = frame_of(SLICE(text), 3), again = frame_of(SLICE(text), 3), broken;
    char              out[64];

    (void)state;
    assert_int_equal(frame.len, again.len);
    assert_memory_equal(frame.at, again.at, frame.len);
    assert_int_equal(ZSTD_getFrameContentSize(frame.at, frame.len), sizeof text - 1);
    assert_int_equal(ZSTD_decompress(out, sizeof out, frame.at, frame.len), sizeof text - 1);
    assert_memory_equal(out, text, sizeof text - 1);

    /* The last four bytes are the checksum of the content: damage is seen. */
    broken = frame;
    broken.at[broken.len - 1] ^= 1;
    assert_true(ZSTD_isError(ZSTD_decompress(out, sizeof out, broken.at, broken.len)));
    bytes_free(&frame);
    bytes_free(&again);

    /* Levels that there are not are the nearest ones, not an error. */
    frame = frame_of(SLICE(text), -100);
    again = frame_of(SLICE(text), 1);
    assert_int_equal(frame.len, again.len);
    assert_memory_equal(frame.at, again.at, frame.len);
    bytes_free(&frame);
    bytes_free(&again);
    frame = frame_of(SLICE(text), 1000);
    assert_int_equal(ZSTD_decompress(out, sizeof out, frame.at, frame.len), sizeof text - 1);
    bytes_free(&frame);
}

static void test_file(void **state)
{
    struct writer *writer;
    struct bytes   first = frame_of(SLICE("first\n"), 3), second = frame_of(SLICE("second\n"), 3), text;
    struct err     err = { 0 };
    char           path[FILE_NAME_MAX], folder[FILE_NAME_MAX];

    (void)state;
    place(path, "a/b/c.jsonl.zst");
    place(folder, "a/b");
    assert_int_equal(writer_open(&writer, path, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&first), &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&second), &err), 0);
    assert_int_equal(access(path, F_OK), -1);               /* not before it is complete */
    assert_int_equal(writer_commit(writer, &err), 0);
    assert_int_equal(files_in(folder), 1);
    text = decoded(path);
    assert_int_equal(text.len, 13);
    assert_memory_equal(text.at, "first\nsecond\n", 13);
    bytes_free(&text);

    /* Given up: the old file stays, and nothing else. */
    assert_int_equal(writer_open(&writer, path, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&second), &err), 0);
    assert_int_equal(files_in(folder), 2);
    writer_abandon(writer);
    assert_int_equal(files_in(folder), 1);
    text = decoded(path);
    assert_int_equal(text.len, 13);
    bytes_free(&text);
    bytes_free(&first);
    bytes_free(&second);
}

/* Without a frame there is no file, and no folder for it; one that is there stays. */
static void test_empty(void **state)
{
    struct writer *writer;
    struct bytes   frame = frame_of(SLICE("x"), 1);
    struct err     err = { 0 };
    char           path[FILE_NAME_MAX], folder[FILE_NAME_MAX];

    (void)state;
    place(folder, "none");
    place(path, "none/empty.zst");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(writer_open(&writer, path, &err), 0);
        assert_int_equal(writer_append(writer, (struct slice){ 0 }, &err), 0);
        assert_int_equal(writer_commit(writer, &err), 0);
        assert_int_equal(access(i ? path : folder, F_OK), i ? 0 : -1);
        assert_int_equal(writer_open(&writer, path, &err), 0);
        if (i) writer_abandon(writer);
        else {
            assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), 0);
            assert_int_equal(writer_commit(writer, &err), 0);
        }
    }
    assert_int_equal(files_in(folder), 1);
    bytes_free(&frame);
}

static void test_failure(void **state)
{
    struct writer *writer;
    struct err     err = { 0 };
    char           path[FILE_NAME_MAX], inside[FILE_NAME_MAX], longer[FILE_NAME_MAX + 1];
    struct bytes   frame = frame_of(SLICE("x"), 1);

    (void)state;
    /* A file where a folder is needed. */
    place(path, "plain");
    assert_int_equal(file_write(path, SLICE("x"), &err), 0);
    place(inside, "plain/c.zst");
    assert_int_equal(writer_open(&writer, inside, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), -ENOTDIR);
    assert_non_null(strstr(err.text, path));
    writer_abandon(writer);
    memset(longer, 'x', FILE_NAME_MAX);
    longer[FILE_NAME_MAX] = '\0';
    assert_int_equal(writer_open(&writer, longer, &err), -ENAMETOOLONG);
    assert_null(writer);

    /* A folder where the file is to go: commit fails and leaves nothing. */
    place(path, "taken/c.zst/d");
    assert_int_equal(file_make_folder(path, &err), 0);
    place(path, "taken/c.zst");
    assert_int_equal(writer_open(&writer, path, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), 0);
    assert_true(writer_commit(writer, &err) < 0);
    place(path, "taken");
    assert_int_equal(files_in(path), 1);
    bytes_free(&frame);
}

static void check_string(struct slice text, const char *expected)
{
    struct bytes out = { 0 };

    assert_int_equal(json_append_string(&out, text), 0);
    assert_int_equal(out.len, strlen(expected));
    assert_memory_equal(out.at, expected, out.len);
    bytes_free(&out);
}

static void test_strings(void **state)
{
    (void)state;
    check_string(SLICE(""), "\"\"");
    check_string(SLICE("a\tb\n\"c\"\\ /"), "\"a\\tb\\n\\\"c\\\"\\\\ /\"");
    check_string(SLICE("\b\f\r\x01\x1f\0\x7f"), "\"\\b\\f\\r\\u0001\\u001f\\u0000\x7f\"");
    check_string(SLICE("na\xC3\xAFve \xF0\x9F\x90\xB1"), "\"na\xC3\xAFve \xF0\x9F\x90\xB1\"");
    check_string(SLICE("\"\xFF\" \xC3"), "\"\\\"\xEF\xBF\xBD\\\" \xEF\xBF\xBD\"");      /* ill-formed */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames), cmocka_unit_test(test_file),    cmocka_unit_test(test_empty),
        cmocka_unit_test(test_failure), cmocka_unit_test(test_strings),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
