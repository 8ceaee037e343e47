# Launchers whose processes do not know of each other, by their environments: nothing runs, and the message says how.
# tests/unit/base/launcher.c has all of them.
. "$(dirname "$0")/common.sh"
two_sets "$work/sets" --bench 20 --corpus 60 --shards 3
cd "$work/sets"

allocation="SLURM_JOB_ID=7 SLURM_JOBID=7 SLURM_NTASKS=4 SLURM_NODELIST=localhost SLURM_JOB_NUM_NODES=1
            SLURM_TASKS_PER_NODE=4 SLURM_PROCID=0 SLURM_LOCALID=0"
step="$allocation SLURM_STEP_ID=0 SLURM_STEPID=0 SLURM_STEP_NUM_TASKS=4"

expect 2 env $step "$leakgraph" run run.yaml
says "$work/err" '^error: srun started 4 processes' 'srun --mpi=pmix' 'mpirun' 'LEAKGRAPH_ALONE=1'
[ ! -e run ] || fail "a refused run made its folder"
expect 2 env $step "$leakgraph" plan run.yaml
expect 2 env $step "$leakgraph" train-ngram --corpus corpus=corpus-00.jsonl --output model.lm

# The script of a job, without srun; and runs that are meant to be apart.
expect 0 env $allocation "$leakgraph" run run.yaml --output batch
expect 0 env $step LEAKGRAPH_ALONE=1 "$leakgraph" run run.yaml --output alone
same batch alone
# What only reads is as many times the same.
expect 0 env $step "$leakgraph" fsck batch

# PMI-2: Open MPI ends the process in MPI_Init; ours stands before its message.  Another MPI may well start.
status=0
env $step PMI_FD=99 PMI_RANK=0 PMI_SIZE=4 PMI_JOBID=7.0 "$leakgraph" run run.yaml >out 2>err </dev/null || status=$?
[ $status != 0 ] || fail "PMI-2 without a server: four runs began"
says err 'srun --mpi=pmix'
