/* base/memory: limits of control groups of both versions, in trees of files made here; of the process itself. */
#include "base/memory.h"

#include "tests/unit/folder.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

static char folder[] = "/tmp/leakgraph-memory-XXXXXX";

static int folder_make(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    remove_tree(folder);
    return 0;
}

/* Writes the file PATH of the folder, and makes the folders that it lies in. */
static void put(const char *path, const char *text)
{
    char  name[512];
    FILE *out;

    snprintf(name, sizeof name, "%s/%s", folder, path);
    for (char *at = name + sizeof folder; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(name, 0777);
        *at = '/';
    }
    out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static uint64_t limit(void)
{
    char root[512], membership[512];

    snprintf(root, sizeof root, "%s/sys", folder);
    snprintf(membership, sizeof membership, "%s/cgroup", folder);
    return memory_group_limit(root, membership);
}

static void second_version(void **state)
{
    (void)state;
    assert_true(limit() == MEMORY_UNLIMITED);               /* there is no file */
    put("cgroup", "0::/slurm/job_7/step_0\n");
    assert_true(limit() == MEMORY_UNLIMITED);
    put("sys/slurm/job_7/step_0/memory.max", "max\n");
    assert_true(limit() == MEMORY_UNLIMITED);
    put("sys/slurm/memory.max", "8589934592\n");            /* of a group that it lies in */
    assert_int_equal(limit(), 8589934592);
    put("sys/slurm/job_7/memory.high", "272629760\n");
    assert_int_equal(limit(), 272629760);
    put("sys/slurm/job_7/step_0/memory.max", "1073741824\n");
    assert_int_equal(limit(), 272629760);                   /* not the nearest but the smallest */
    put("sys/slurm/job_8/memory.max", "4096\n");            /* somebody else's */
    assert_int_equal(limit(), 272629760);
}

static void first_version(void **state)
{
    (void)state;
    put("cgroup", "5:devices:/\n4:cpu,memory:/a/b\n1:name=systemd:/init\n0::/init\n");
    put("sys/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");           /* as it says that there is none */
    assert_int_equal(limit(), 9223372036854771712u);
    put("sys/memory/a/memory.limit_in_bytes", "536870912\n");
    assert_int_equal(limit(), 536870912);
    put("sys/memory/a/b/memory.stat", "cache 1\nhierarchical_memory_limit 268435456\nhierarchical_memsw_limit 5\n");
    assert_int_equal(limit(), 268435456);                   /* of a group above that is not mounted */
    put("sys/unified/init/memory.max", "1048576\n");        /* both versions at once */
    assert_int_equal(limit(), 1048576);
}

/* The path is the host's, and the root that is mounted is the container's group. */
static void container(void **state)
{
    (void)state;
    put("cgroup", "4:memory:/docker/0123456789\n");
    put("sys/memory/memory.limit_in_bytes", "272629760\n");
    assert_int_equal(limit(), 272629760);
    put("cgroup", "0::/../../other\n");
    put("sys/memory.max", "268435456\n");
    assert_int_equal(limit(), 268435456);
    put("cgroup", "no line of such a file\n7\n");
    assert_true(limit() == MEMORY_UNLIMITED);
}

/* Whether memory_limit() is `bytes` in a process that has the limit on the resource. */
static bool limited(__rlimit_resource_t resource, uint64_t bytes)
{
    struct rlimit given = { bytes, bytes };
    int           status = 1;
    pid_t         child = fork();

    if (child == 0) _exit(setrlimit(resource, &given) == 0 && memory_limit() == bytes ? 0 : 1);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return status == 0;
}

static void process(void **state)
{
    const uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

    (void)state;
    assert_in_range(memory_limit(), 1, machine);
    assert_true(limited(RLIMIT_DATA, 100 << 20));
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    assert_true(limited(RLIMIT_AS, 200 << 20));
#endif
}

/* What this program took before it started itself again is not the other's. */
static void peak(void **state)
{
    enum { MANY = 400 << 20 };
    char *const words[] = { "unit", "base/memory", NULL };
    char       *many = malloc(MANY);
    int         status = 1;
    pid_t       child;

    (void)state;
    assert_non_null(many);
    memset(many, 1, MANY);
    assert_true(memory_peak() >= MANY);
    child = fork();
    if (child == 0) {
        setenv("TEST_PEAK", "1", 1);
        execv("/proc/self/exe", words);
        _exit(1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    free(many);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(second_version, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(first_version, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(container, folder_make, folder_remove),
        cmocka_unit_test(process),
        cmocka_unit_test(peak),
    };

    if (getenv("TEST_PEAK")) return memory_peak() > 1 << 20 && memory_peak() < 300 << 20 ? 0 : 1;

    return cmocka_run_group_tests(tests, NULL, NULL);
}
