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

/* By its whole path. */
static int open_at(struct writer **writer, const char *path, struct err *err)
{
    return writer_open(writer, "/", path + 1, err);
}

static void test_file(void **state)
{
    struct writer  *writer;
    struct file_sum sum, read;
    struct bytes    first = frame_of(SLICE("first\n"), 3), second = frame_of(SLICE("second\n"), 3), text;
    struct err      err = { 0 };
    char            path[FILE_NAME_MAX], folder[FILE_NAME_MAX];

    (void)state;
    place(path, "a/b/c.jsonl.zst");
    place(folder, "a/b");
    assert_int_equal(open_at(&writer, path, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&first), &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&second), &err), 0);
    assert_int_equal(access(path, F_OK), -1);               /* not before it is complete */
    assert_int_equal(writer_commit(writer, &sum, &err), 1);
    assert_int_equal(sum.bytes, first.len + second.len);
    assert_int_equal(inside_sum(folder, "c.jsonl.zst", &read, &err), 0);
    assert_memory_equal(&sum, &read, sizeof sum);
    assert_int_equal(files_in(folder), 1);
    text = decoded(path);
    assert_int_equal(text.len, 13);
    assert_memory_equal(text.at, "first\nsecond\n", 13);
    bytes_free(&text);

    /* Given up: the old file stays, and nothing else. */
    assert_int_equal(open_at(&writer, path, &err), 0);
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
        assert_int_equal(open_at(&writer, path, &err), 0);
        assert_int_equal(writer_append(writer, (struct slice){ 0 }, &err), 0);
        assert_int_equal(writer_commit(writer, NULL, &err), 0);
        assert_int_equal(access(i ? path : folder, F_OK), i ? 0 : -1);
        assert_int_equal(open_at(&writer, path, &err), 0);
        if (i) writer_abandon(writer);
        else {
            assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), 0);
            assert_int_equal(writer_commit(writer, NULL, &err), 1);
        }
    }
    assert_int_equal(files_in(folder), 1);
    bytes_free(&frame);
}

/* Appends text as a frame of its own. */
static void append(struct writer *writer, struct slice text)
{
    struct bytes frame = frame_of(text, 3);
    struct err   err = { 0 };

    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), 0);
    bytes_free(&frame);
}

static struct bytes joined(const char *name, const struct slice *text, size_t count)
{
    struct writer *writer;
    struct bytes   raw = { 0 };
    struct err     err = { 0 };
    struct stat    is;
    char           path[FILE_NAME_MAX];
    FILE          *file;

    place(path, name);
    assert_int_equal(open_at(&writer, path, &err), 0);
    assert_int_equal(writer_join(writer, 3, &err), 0);
    for (size_t i = 0; i < count; i++) append(writer, text[i]);
    assert_int_equal(writer_commit(writer, NULL, &err), 1);
    assert_int_equal(stat(path, &is), 0);
    assert_int_equal(bytes_reserve(&raw, (size_t)is.st_size), 0);
    file = fopen(path, "rb");
    assert_non_null(file);
    raw.len = fread(raw.at, 1, (size_t)is.st_size, file);
    assert_int_equal(raw.len, is.st_size);
    fclose(file);
    return raw;
}

/* Small frames are one; large ones stay as they are, and in their place; none is of more than 1 MB. */
static void test_joined(void **state)
{
    enum { LARGE = 300 << 10, SMALL = 200 << 10 };
    char              *large = malloc(LARGE);
    const struct slice few[] = { SLICE("a\n"), SLICE("b\n"), SLICE(""), SLICE("c\n") };
    struct slice       many[9];
    struct bytes       raw, whole = frame_of(SLICE("a\nb\nc\n"), 3), text;
    size_t             at = 0, frames = 0, frame[9];
    char               path[FILE_NAME_MAX];

    (void)state;
    assert_non_null(large);
    raw = joined("few.zst", few, 4);
    assert_int_equal(raw.len, whole.len);
    assert_memory_equal(raw.at, whole.at, whole.len);
    bytes_free(&raw);
    bytes_free(&whole);

    for (size_t i = 0; i < LARGE; i++) large[i] = (char)('a' + i * i % 23);
    for (size_t i = 0; i < 9; i++) many[i] = (struct slice){ large + i, i == 7 ? LARGE - 7 : SMALL };
    raw = joined("many.zst", many, 9);                      /* 5 of 200 KB, 2 more, the large one, and the last */
    for (; at < raw.len; at += ZSTD_findFrameCompressedSize(raw.at + at, raw.len - at))
        frame[frames++] = (size_t)ZSTD_getFrameContentSize(raw.at + at, raw.len - at);
    assert_int_equal(frames, 4);
    assert_true(frame[0] == 5 * SMALL && frame[1] == 2 * SMALL && frame[2] == LARGE - 7 && frame[3] == SMALL);
    bytes_free(&raw);
    place(path, "many.zst");
    text = decoded(path);
    for (size_t i = 0, from = 0; i < 9; from += many[i++].len)
        assert_memory_equal(text.at + from, many[i].at, many[i].len);
    bytes_free(&text);
    free(large);
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
    assert_int_equal(open_at(&writer, inside, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), -ENOTDIR);
    assert_non_null(strstr(err.text, path));
    writer_abandon(writer);
    memset(longer, 'x', FILE_NAME_MAX);
    longer[FILE_NAME_MAX] = '\0';
    assert_int_equal(writer_open(&writer, "/tmp", longer, &err), -ENAMETOOLONG);
    assert_null(writer);

    /* What is no frame is not joined. */
    place(path, "damaged.zst");
    assert_int_equal(open_at(&writer, path, &err), 0);
    assert_int_equal(writer_join(writer, 1, &err), 0);
    frame.at[frame.len - 1] ^= 1;
    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), -EBADMSG);
    frame.at[frame.len - 1] ^= 1;
    writer_abandon(writer);
    assert_int_equal(access(path, F_OK), -1);

    /* A folder where the file is to go: commit fails and leaves nothing. */
    place(path, "taken/c.zst/d");
    assert_int_equal(file_make_folder(path, &err), 0);
    place(path, "taken/c.zst");
    assert_int_equal(open_at(&writer, path, &err), 0);
    assert_int_equal(writer_append(writer, bytes_slice(&frame), &err), 0);
    assert_true(writer_commit(writer, NULL, &err) < 0);
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
        cmocka_unit_test(test_joined), cmocka_unit_test(test_failure), cmocka_unit_test(test_strings),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
