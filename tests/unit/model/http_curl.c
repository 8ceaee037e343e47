/* model/http_curl: libcurl as it is loaded: once, for all threads, and errors that say what is missing.  dlopen is this
 * program's own here, so it is one by itself. */
#include "model/http_curl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *instead;                                 /* of libcurl */
static int         loads;                                   /* so often it was loaded, or tried */

void *dlopen(const char *name, int how)
{
    void *(*next)(const char *, int);
    void *at = dlsym(RTLD_NEXT, "dlopen");

    memcpy(&next, &at, sizeof next);
    if (!name || !strstr(name, "libcurl")) return next(name, how);
    __atomic_fetch_add(&loads, 1, __ATOMIC_RELAXED);
    return next(instead ? instead : name, how);
}

/* In a process of its own, since what is loaded stays: so often it is tried, and the error says so each time. */
static void assert_fails(const char *library, int tries, const char *text)
{
    pid_t child = fork();
    int   status;

    assert_true(child >= 0);
    if (child == 0) {
        struct err err = { 0 }, again = { 0 };
        int        right;

        instead = library;
        right = !http_curl(&err) && err.code == -ENOSYS && strstr(err.text, text) != NULL;
        right = right && !http_curl(&again) && again.code == -ENOSYS && strcmp(again.text, err.text) == 0;
        _exit(right && loads == tries ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_missing(void **state)
{
    (void)state;
    assert_fails("libno-such-library.so", 2, "libno-such-library.so");
    assert_fails("libm.so.6", 1, "has no function curl_easy_cleanup");
}

static void test_load(void **state)
{
    const struct http_curl *seen[8] = { NULL };
    CURL                   *handle;

    (void)state;
#pragma omp parallel for num_threads(8) schedule(static, 1)
    for (int i = 0; i < 8; i++) seen[i] = http_curl(&(struct err){ 0 });
    for (int i = 0; i < 8; i++) {
        assert_non_null(seen[i]);
        assert_ptr_equal(seen[i], seen[0]);
    }
    assert_int_equal(loads, 1);
    assert_string_equal(seen[0]->easy_strerror(CURLE_OK), "No error");
    handle = seen[0]->easy_init();
    assert_non_null(handle);
    assert_int_equal(seen[0]->easy_setopt(handle, CURLOPT_NOSIGNAL, 1L), CURLE_OK);
    assert_int_equal(seen[0]->easy_setopt(handle, CURLOPT_URL, "nothing://localhost/"), CURLE_OK);
    assert_int_equal(seen[0]->easy_perform(handle), CURLE_UNSUPPORTED_PROTOCOL);
    seen[0]->easy_cleanup(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_missing), cmocka_unit_test(test_load) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
