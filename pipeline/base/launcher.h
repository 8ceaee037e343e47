/* base/launcher.h -- what the environment says of who started this process, and how many of it.
 *
 * mpirun, srun and their like tell their processes by variables: OMPI_COMM_WORLD_SIZE (Open MPI), PMI_SIZE (PMI-1 and
 * PMI-2: MPICH's hydra, `srun --mpi=pmi2`), PMIX_* (PMIx: mpirun, `srun --mpi=pmix`), SLURM_STEP_NUM_TASKS (srun,
 * whatever --mpi says).  SLURM_NTASKS belongs to the whole allocation and is set where nothing was started by srun: it
 * is not looked at.  LEAKGRAPH_ALONE=1 says that this process is a run of its own, whoever started it. */
#ifndef LEAKGRAPH_BASE_LAUNCHER_H
#define LEAKGRAPH_BASE_LAUNCHER_H

#include "base/err.h"

#include <stdbool.h>

/* Whether a launcher that speaks to MPI started this process: then MPI is to be started. */
bool launcher_speaks(void);

/* Before Open MPI starts: what to do should it fail, NULL when nothing speaks against it.  A failing MPI_Init ends the
 * process by itself, so this has to be said before; by the first process alone, as it may go well. */
const char *launcher_doubt(void);

/* Before Open MPI starts, where all of its processes are on this host: they speak through memory, so it need not look
 * for networks, which takes longer than all else of its start.  Leaves what the environment says already. */
void launcher_prepare(void);

/* After MPI has started, or without it: 0, or -EINVAL with advice when the launcher started several processes that do
 * not know of each other, of which each would be the whole run.  ranks: how many MPI knows. */
int launcher_check(int ranks, struct err *err);

#endif
