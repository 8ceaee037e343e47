/* cmd/run.h -- carrying out a resolved configuration: what `run`, `overlap` and `dedup` share. */
#ifndef LEAKGRAPH_CMD_RUN_H
#define LEAKGRAPH_CMD_RUN_H

#include "base/comm.h"
#include "config/config.h"
#include "config/field_option.h"
#include "config/said.h"

enum { THREADS_MAX = 1024 };                                /* of a rank */

struct run_options {
    const char *yaml;                                       /* pipeline.yaml's path; or NULL and `text` */
    /* the settings themselves, and what they are called in messages */
    const char *text, *name;
    const char *set[256];                                   /* --set, in order */
    struct said_option said[256];                                  /* of each, what was written */
    size_t      set_count;
    char        field[32][FIELD_OPTION_MAX];                /* settings that --field stands for; set points there */
    size_t      field_count;
    /* 0: OpenMP's choice, which is the affinity mask or OMP_NUM_THREADS */
    int         threads;
    bool        clean, replace, quiet;                      /* replace: results of another configuration */
    bool        verify;                                     /* shards are read for the content of their units */
    /* the results in the folder are a part of what these settings ask for */
    bool        extends;
    bool        passing;                                    /* the folder goes with the process */
    /* Rank 0, with graph.db and report in their places: tells them in the caller's own way.  1: that is all for
     * standard output, 0: the tables of the run follow, <0 with err set.  NULL: the tables alone */
    int       (*tell)(void *context, const char *folder, struct err *err);
    void       *context;
    const char *const *files;                               /* [file_count] that it writes to the folder */
    size_t      file_count;
};

/* Collective over the ranks of the job, which it starts and ends.  Exit status 0 or 3, or <0 with err set, its
 * text empty when rank 0 has said it. */
int run_carry_out(const struct run_options *options, struct err *err);

/* An error of the settings, in the words of the command line. */
void run_explain(const struct run_options *options, struct err *err);

/* Takes --set, --field, --output, --threads, --replace, --clean, --verify and --quiet, and their values, at argv[*at]:
 * 1 taken (*at moved past), 0 not one of them, -EINVAL. */
int run_take_option(struct run_options *options, int argc, char **argv, int *at, char output[4096], struct err *err);

#endif
