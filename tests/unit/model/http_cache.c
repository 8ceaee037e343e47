/* tests/unit/model/http_cache.c -- answers on disk: found as they were kept, and never when they are not. */
#include "base/log.h"
#include "model/http.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char                  folder[] = "/tmp/leakgraph-cache-XXXXXX", path[128];
static const struct unit_key key = { 0x0123456789abcdef, 0xfedcba9876543210 };
static struct err            err;

static int find(struct unit_key of, struct bytes *out)
{
    return http_cache_find(&(struct http_cache){ folder }, of, out, &err);
}

static void keep(struct unit_key of, struct slice answer)
{
    if (http_cache_keep(&(struct http_cache){ folder }, of, answer, &err) < 0) fail_msg("%s", err.text);
}

static void kept_answers_are_found(void **unused)
{
    static char     large[1 << 20];
    struct bytes    out = { 0 };
    struct unit_key other = key;

    (void)unused;
    assert_int_equal(find(key, &out), 0);
    keep(key, SLICE("{\"a\": 1}"));
    assert_int_equal(access(path, F_OK), 0);                /* by the first byte of the key, then the rest of it */
    assert_int_equal(find(key, &out), 1);
    assert_true(slice_equal(bytes_slice(&out), SLICE("{\"a\": 1}")));
    other.low++;
    assert_int_equal(find(other, &out), 0);
    keep(key, SLICE(""));                                   /* over the one that is there */
    assert_int_equal(find(key, &out), 1);
    assert_int_equal(out.len, 0);
    for (size_t i = 0; i < sizeof large; i++) large[i] = (char)(i * 31);
    keep(other, (struct slice){ large, sizeof large });
    assert_int_equal(find(other, &out), 1);
    assert_int_equal(out.len, sizeof large);
    assert_memory_equal(out.at, large, sizeof large);
    bytes_free(&out);
}

static size_t read_file(char *bytes, size_t room)
{
    FILE  *file = fopen(path, "rb");
    size_t len;

    assert_non_null(file);
    len = fread(bytes, 1, room, file);
    fclose(file);
    return len;
}

static void write_file(const char *bytes, size_t len)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    fclose(file);
}

/* Any byte of it, any length but its own; then it is gone, and the next answer is kept in its place. */
static void damaged_answers_are_removed(void **unused)
{
    struct bytes out = { 0 };
    char         bytes[128], other[128];
    size_t       len;

    (void)unused;
    keep(key, SLICE("the answer"));
    len = read_file(bytes, sizeof bytes - 1);
    assert_int_equal(len, 32 + 10);
    for (size_t i = 0; i <= 2 * len; i++) {
        if (i < len) bytes[i] ^= 1;
        write_file(bytes, i <= len ? len + (i == len) : i - len - 1);
        if (i < len) bytes[i] ^= 1;
        assert_int_equal(find(key, &out), 0);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    /* another's answer under this name */
    keep((struct unit_key){ 1, 2 }, SLICE("the answer"));
    snprintf(other, sizeof other, "%s/00/000000000000020000000000000001.json", folder);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(find(key, &out), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    bytes_free(&out);
}

static void without_a_folder(void **unused)
{
    static char        file[160], far[5000];
    struct http_cache  none = { NULL }, blocked = { file }, long_one = { far };
    struct bytes       out = { 0 };

    (void)unused;
    assert_int_equal(http_cache_keep(&none, key, SLICE("x"), &err), 0);
    assert_int_equal(http_cache_find(&none, key, &out, &err), 0);
    keep(key, SLICE("x"));
    snprintf(file, sizeof file, "%s", path);                /* a file stands where its folder should */
    assert_true(http_cache_keep(&blocked, key, SLICE("x"), &err) < 0);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(http_cache_find(&blocked, key, &out, &err), 0);
    memset(far, 'x', sizeof far - 1);
    assert_int_equal(http_cache_find(&long_one, key, &out, &err), -ENAMETOOLONG);
    assert_int_equal(http_cache_keep(&long_one, key, SLICE("x"), &err), -ENAMETOOLONG);
    bytes_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_answers_are_found), cmocka_unit_test(damaged_answers_are_removed),
        cmocka_unit_test(without_a_folder),
    };
    char command[64];
    int  failed;

    log_open(&(struct log_options){ .quiet = true });
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/fe/dcba98765432100123456789abcdef.json", folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) == 0 ? failed : 1;
}
