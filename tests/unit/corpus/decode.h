/* tests/unit/corpus/decode.h -- bytes as a file, pulled through the codec that it asks for. */
#ifndef LEAKGRAPH_TESTS_UNIT_CORPUS_DECODE_H
#define LEAKGRAPH_TESTS_UNIT_CORPUS_DECODE_H

#include "corpus/codec.h"
#include "tests/unit/corpus/pack.h"
#include "tests/unit/draw.h"
#include "tests/unit/folder.h"

#include <stdio.h>
#include <string.h>

static char     folder[64];                                 /* everything is written below it */
static uint64_t random_state;

/* Setup and teardown of a group of tests. */
static inline int make_folder(void **state)
{
    (void)state;
    random_state = seed_of_run();
    printf("seed=%llu\n", (unsigned long long)random_state);
    strcpy(folder, "/tmp/test_codec.XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

/* Writes the packed bytes as a file of that name and decodes them into *out, at most `step` bytes a call.  The last
 * code: 0, or what codec_read said, with err; asks once more, which must say no more. */
static inline int decode(struct bytes *out, const char *name, struct slice packed, size_t step, struct err *err)
{
    char         path[256];
    struct input input;
    struct codec codec;
    ssize_t      got = 1;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, packed.at, packed.len);
    if (input_open(&input, path, err) < 0 || codec_open(&codec, &input, err) < 0) fail_msg("%s", err->text);
    out->len = 0;
    while (got > 0) {
        assert_int_equal(bytes_reserve(out, out->len + step), 0);
        got = codec_read(&codec, out->at + out->len, step, err);
        assert_true(got <= (ssize_t)step);
        if (got > 0) out->len += (size_t)got;
    }
    if (got < 0) {
        struct err more = { 0 };
        char       byte;

        assert_int_equal(err->code, got);
        assert_int_equal(codec_read(&codec, &byte, 1, &more), 0);               /* it is told once */
    }
    codec_close(&codec);
    codec_close(&codec);
    input_close(&input);
    unlink(path);
    return (int)got;
}

/* The packed bytes give this text, all of it, in calls of several sizes. */
static inline void assert_decodes(const char *name, const struct bytes *packed, const struct bytes *text)
{
    static const size_t steps[] = { 1, 1000, 65536, 10 << 20 };
    struct bytes        out = { 0 };
    struct err          err = { 0 };

    for (size_t i = text->len < 20000 ? 0 : 1; i < sizeof steps / sizeof *steps; i++) {
        if (decode(&out, name, bytes_slice(packed), steps[i], &err) < 0) fail_msg("%s: %s", name, err.text);
        assert_int_equal(out.len, text->len);
        if (out.len) assert_memory_equal(out.at, text->at, out.len);
    }
    bytes_free(&out);
}

/* The packed bytes fail with that code and those words, after a beginning of the text of at least `least` bytes. */
static inline void assert_fails(const char *name, struct slice packed, const struct bytes *text, size_t least, int code,
                                const char *says)
{
    struct bytes out = { 0 };
    struct err   err = { 0 };
    int          rc = decode(&out, name, packed, 300, &err);

    if (rc != code || !strstr(err.text, says)) fail_msg("%s of %zu bytes: %d %s", name, packed.len, rc, err.text);
    if (out.len < least || out.len > text->len) fail_msg("%s of %zu bytes: %zu decoded", name, packed.len, out.len);
    if (out.len) assert_memory_equal(out.at, text->at, out.len);
    bytes_free(&out);
}

/* Text that packs, but not to nothing. */
static inline void make_text(struct bytes *out, size_t len)
{
    out->len = 0;
    while (out->len < len)
        assert_int_equal(bytes_printf(out, "line %llu of some text\n", (unsigned long long)draw(&random_state) % 1000),
                         0);
    out->len = len;
}

#endif
