/* base/launcher: the environments of mpirun, hydra, srun in its ways, sbatch and salloc, as they set them. */
#include "base/launcher.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const known[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_ALLOW_RUN_AS_ROOT", "PMI_SIZE", "PMI_RANK", "PMI_FD",
    "PMIX_RANK", "PMIX_NAMESPACE", "SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_PROCID", "SLURM_STEP_ID",
    "SLURM_STEP_NUM_TASKS", "LEAKGRAPH_ALONE", "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_MCA_pml",
};

/* The environment has only these of the known ones: "NAME=VALUE NAME=VALUE". */
static void become(const char *variables)
{
    char text[512], *rest = text, *word;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) assert_int_equal(unsetenv(known[i]), 0);
    assert_true(strlen(variables) < sizeof text);
    strcpy(text, variables);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *value = strchr(word, '=');

        *value++ = '\0';
        assert_int_equal(setenv(word, value, 1), 0);
    }
}

#define BATCH "SLURM_JOB_ID=7 SLURM_NTASKS=4 SLURM_PROCID=0 "
#define STEP  BATCH "SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4 "

static const struct {
    const char *variables;
    int         ranks;                                      /* as MPI has it */
    bool        speaks, doubt;
    const char *advice;                                     /* NULL: nothing is refused */
} worlds[] = {
    { "", 1, false, false, NULL },
    { "OMPI_ALLOW_RUN_AS_ROOT=1", 1, false, false, NULL },
    /* mpirun */
    { "OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0", 1, true, false, NULL },
    { "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 PMIX_RANK=0", 4, true, false, NULL },
    { "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0", 1, true, false, "a launcher started 4 processes" },
    /* the mpirun of another MPI */
    { "PMI_SIZE=3 PMI_RANK=1 PMI_FD=9", 1, true, false, "a launcher started 3 processes" },
    { "PMI_SIZE=1 PMI_RANK=0 PMI_FD=9", 1, true, false, NULL },
    /* in the script of sbatch, in the shell of salloc, in that of `srun --pty` */
    { BATCH, 1, false, false, NULL },
    { "SLURM_JOB_ID=7 SLURM_NTASKS=4", 1, false, false, NULL },
    { BATCH "SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1", 1, false, false, NULL },
    /* srun: none, pmix as it should be, pmix of a version that MPI does not speak, pmi2 */
    { STEP, 1, false, false, "srun started 4 processes" },
    { STEP "PMIX_RANK=2 PMIX_NAMESPACE=slurm.pmix.7.0", 4, true, false, NULL },
    { STEP "PMIX_RANK=2 PMIX_NAMESPACE=slurm.pmix.7.0", 1, true, false, "srun started 4 processes" },
    { STEP "PMI_FD=9 PMI_RANK=0 PMI_SIZE=4", 1, true, true, "srun started 4 processes" },
    { STEP "PMI_FD=9 PMI_RANK=3 PMI_SIZE=4", 4, true, false, NULL },        /* said once, by the first */
    /* mpirun within an allocation, whose daemons srun started */
    { STEP "OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0", 1, true, false, NULL },
    { STEP "OMPI_COMM_WORLD_SIZE=8 PMIX_RANK=0", 8, true, false, NULL },
    /* meant so */
    { STEP "LEAKGRAPH_ALONE=1", 1, false, false, NULL },
    { STEP "LEAKGRAPH_ALONE=1 PMI_FD=9 PMI_RANK=1 PMI_SIZE=4", 1, false, false, NULL },
    { STEP "LEAKGRAPH_ALONE=0", 1, false, false, "srun started 4 processes" },
    /* no numbers */
    { "SLURM_STEP_NUM_TASKS=many", 1, false, false, NULL },
    { "SLURM_STEP_NUM_TASKS=-4", 1, false, false, NULL },
};

static void test_worlds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct err  err = { 0 };
        const char *doubt;
        int         rc;

        become(worlds[i].variables);
        doubt = launcher_doubt();
        rc = launcher_check(worlds[i].ranks, &err);
        if (launcher_speaks() != worlds[i].speaks) fail_msg("%s: MPI is to be started?", worlds[i].variables);
        if (!doubt != !worlds[i].doubt) fail_msg("%s: doubt", worlds[i].variables);
        if (doubt) assert_non_null(strstr(doubt, "srun --mpi=pmix"));
        if (rc != (worlds[i].advice ? -EINVAL : 0)) fail_msg("%s: %d %s", worlds[i].variables, rc, err.text);
        if (!worlds[i].advice) continue;
        assert_non_null(strstr(err.text, worlds[i].advice));
        assert_non_null(strstr(err.text, "LEAKGRAPH_ALONE=1"));
    }
    become("");
}

/* Networks are not looked for where nobody is behind them; what the user says holds. */
static void test_prepare(void **state)
{
    static const struct { const char *variables, *then; } hosts[] = {
        { "", NULL },
        { "OMPI_COMM_WORLD_SIZE=4", NULL },
        { "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=2", NULL },
        { "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=4", "ob1" },
        { "OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_LOCAL_SIZE=4 OMPI_MCA_pml=ucx", "ucx" },
        { "OMPI_COMM_WORLD_LOCAL_SIZE=1 PMI_SIZE=1", NULL },
    };

    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        become(hosts[i].variables);
        launcher_prepare();
        if (!hosts[i].then) assert_null(getenv("OMPI_MCA_pml"));
        else assert_string_equal(getenv("OMPI_MCA_pml"), hosts[i].then);
    }
    become("");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_worlds), cmocka_unit_test(test_prepare) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
