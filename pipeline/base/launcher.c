/* base/launcher.c -- see launcher.h. */
#include "base/launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static bool launcher_alone(void)
{
    const char *text = getenv("LEAKGRAPH_ALONE");

    return text && *text && strcmp(text, "0") != 0;
}

static bool launcher_says(const char *prefix)
{
    for (char **variable = environ; variable && *variable; variable++)
        if (strncmp(*variable, prefix, strlen(prefix)) == 0) return true;
    return false;
}

/* The number in a variable, 0 when there is none. */
static long launcher_number(const char *name)
{
    const char *text = getenv(name);
    char       *end;
    long        number = text ? strtol(text, &end, 10) : 0;

    return text && end != text && !*end && number > 0 ? number : 0;
}

bool launcher_speaks(void)
{
    if (launcher_alone()) return false;
    /* not OMPI_: people export OMPI_ALLOW_RUN_AS_ROOT */
    return launcher_says("OMPI_COMM_") || launcher_says("PMI_") || launcher_says("PMIX_");
}

const char *launcher_doubt(void)
{
    bool first = !getenv("PMI_RANK") || strcmp(getenv("PMI_RANK"), "0") == 0;

    if (first && getenv("PMI_FD") && launcher_number("SLURM_STEP_NUM_TASKS") && !launcher_says("PMIX_") &&
        !launcher_says("OMPI_COMM_"))
        return "srun started this with PMI-2 (--mpi=pmi2), and most builds of Open MPI speak only PMIx: should MPI not "
               "start now, use `srun --mpi=pmix`, or mpirun within the allocation; `srun --mpi=list` tells what there "
               "is";
    return NULL;
}

void launcher_prepare(void)
{
    const long all = launcher_number("OMPI_COMM_WORLD_SIZE");

    if (all && all == launcher_number("OMPI_COMM_WORLD_LOCAL_SIZE")) setenv("OMPI_MCA_pml", "ob1", 0);
}

int launcher_check(int ranks, struct err *err)
{
    long started, step = launcher_number("SLURM_STEP_NUM_TASKS");

    if (ranks > 1 || launcher_alone()) return 0;
    /* mpirun starts its daemons by srun: what it says itself goes first */
    started = launcher_number("OMPI_COMM_WORLD_SIZE");
    if (!started && !(started = launcher_number("PMI_SIZE"))) started = step;
    if (started < 2) return 0;
    if (started == step)
        return err_set(err, -EINVAL,
                       "srun started %ld processes that do not know of each other: each would be the whole run.  "
                       "`srun --mpi=pmix ...` makes them ranks of one (`srun --mpi=list` tells what there is), so does "
                       "mpirun within the allocation, and `srun -n 1 -c CPUS` starts one; LEAKGRAPH_ALONE=1 is for "
                       "runs that are meant to be apart", started);
    return err_set(err, -EINVAL,
                   "a launcher started %ld processes, but MPI knows only this one: each would be the whole run.  Use "
                   "the mpirun of the MPI that this program is linked with (`ldd` tells); "
                   "LEAKGRAPH_ALONE=1 is for runs that are meant to be apart", started);
}
