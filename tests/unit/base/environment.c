/* base/environment: in which surroundings the program is started again, and that it is only once, in the same
 * process. */
#include "base/environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOES_ON = 77, NO_SUCH_TEST = 2 };                    /* the second is tests/unit/main.c's own */

/* What becomes of a process that asks: GOES_ON, or the status of this program when it is started with that word. */
static int asked(const char *tunables)
{
    pid_t child = fork();
    int   status;

    assert_true(child >= 0);
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);

        dup2(nowhere, STDERR_FILENO);
        if (tunables) setenv("GLIBC_TUNABLES", tunables, 1);
        else unsetenv("GLIBC_TUNABLES");
        environment_set((char *[]){ (char[]){ "unit" }, (char[]){ "no/such/test" }, NULL });
        _exit(GOES_ON);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_ask(void **state)
{
    (void)state;
    assert_int_equal(asked("glibc.malloc.hugetlb=1"), GOES_ON);      /* as when it has been started again */
    assert_int_equal(asked(""), GOES_ON);
    assert_int_equal(asked(NULL), NO_SUCH_TEST);
}

/* Is a block of 8 MB mapped for itself, in a process that keeps memory with these tunables?  memory 0: it does not. */
static bool is_mapped(const char *tunables, uint64_t memory, int threads)
{
    pid_t child = fork();
    int   status;

    assert_true(child >= 0);
    if (child == 0) {
        const size_t before = mallinfo2().hblkhd;
        char        *volatile block;

        setenv("GLIBC_TUNABLES", tunables, 1);              /* malloc itself has read it long ago */
        if (memory) environment_keep_memory(memory, threads);
        block = malloc(8 << 20);
        _exit(block && mallinfo2().hblkhd > before);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_keep(void **state)
{
    (void)state;
    if (!is_mapped("", 0, 0)) {                             /* malloc of a sanitizer, which tells nothing */
        assert_int_equal(mallinfo2().arena, 0);
        return;
    }
    assert_false(is_mapped("", 1 << 30, 1));
    assert_false(is_mapped("glibc.malloc.hugetlb=1", 1 << 30, 4));
    /* 1 MB a thread, and 4 */
    assert_true(is_mapped("", 1 << 30, 64));
    assert_true(is_mapped("", 64 << 20, 1));
    assert_true(is_mapped("glibc.malloc.trim_threshold=131072", 1 << 30, 1));
    assert_true(is_mapped("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=131072", 1 << 30, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_ask), cmocka_unit_test(test_keep) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
