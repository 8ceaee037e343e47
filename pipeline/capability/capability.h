/* capability/capability.h -- what a capability is: one descriptor, from its key in pipeline.yaml to its part of the
 * report.
 *
 * A capability is a folder.  It reads its settings, takes part in the one pass over the shards or works beside it,
 * reads back what it found, adds rows to the graph, and says it.  The commands walk the table of capabilities
 * (config/capabilities.c) and know none of them by name.  Functions that a capability does not need are NULL; they are
 * called in the order in which they stand here, each for all capabilities in the order of the table. */
#ifndef LEAKGRAPH_CAPABILITY_CAPABILITY_H
#define LEAKGRAPH_CAPABILITY_CAPABILITY_H

#include "base/option.h"
#include "capability/change.h"
#include "capability/config.h"
#include "capability/forecast.h"
#include "capability/gate.h"
#include "graph/build.h"
#include "graph/check.h"
#include "graph/settings.h"
#include "pass/pass.h"
#include "report/report.h"
#include "report/terminal.h"

/* What a rule over documents may ask (clean.where), a number each; 0 where it is NULL. */
enum rule_trait {
    RULE_OF_CORPORA = 1,                                    /* known of documents of corpora too, not of items alone */
    RULE_OF_PAIRS   = 2,                                    /* counts pairs, of which graph.db may not have all */
    RULE_OF_LINES   = 4,                                    /* counts lines that can be cut out */
};
struct rule_column {
    const char *name;                                       /* NULL: the last of a list */
    const char *sql;                                        /* of snippets AS s and what `tables` joins */
    unsigned    traits;
    /* What document ?1 (snippets.id) was matched with where this is not 0, the best first: kind, similarity (NULL:
     * none), dataset, shard, record, path.  NULL: not asked. */
    const char *match;
};
/* The place of a column that is there. */
static inline size_t rule_column_at(const struct rule_column *columns, const char *name)
{
    size_t i = 0;

    while (strcmp(columns[i].name, name) != 0) i++;
    return i;
}

struct rule_source {
    const struct rule_column *columns;                      /* NULL: none */
    const char *tables;                                     /* common table expressions, `NAME AS (...)`, or NULL */
    const char *join;                                       /* of them to s, `LEFT JOIN ...`, or NULL */
    /* What the run must have for column i, as "ngrams with 13 in its n"; NULL: it has it.  Without the function a run
     * that has the capability has its columns. */
    const char *(*lacks)(const struct config *config, size_t i);
    /* Of columns with RULE_OF_PAIRS: a document with fewer pairs than this has all of them in graph.db.  NULL: there
     * are no such columns. */
    uint64_t    (*pairs_most)(const struct config *config);
};

/* What others may rely on. */
enum capability_trait {
    CAPABILITY_DOCUMENTS = 1,                               /* puts documents and their counts into the graph */
    CAPABILITY_ITEMS     = 2,                               /* every item of a benchmark among them */
    CAPABILITY_TEXTS     = 4,                               /* and texts, unless graph.store is none */
    CAPABILITY_CORPORA   = 8,                               /* reads the corpora */
    CAPABILITY_ROLES     = 16,                              /* every dataset must say its role */
    CAPABILITY_DATASETS  = 32,                              /* writes, in `begin`, datasets that the run reads */
    CAPABILITY_WRITES    = 64,                              /* what `finish` did is for the graph, written again */
    CAPABILITY_ASIDE     = 128,                             /* runs that differ in its key alone find the same */
};

struct capability {
    const char *name;                                       /* in messages */
    const char *key;                                        /* of pipeline.yaml; NULL: it has none, and is always on */
    const char *brief;                                      /* what the key turns on; NULL: nothing by itself */
    unsigned    traits;                                     /* of enum capability_trait */
    size_t      state_size;                                 /* its own memory in a run, zeroed at first */
    const struct capability *after;                         /* whose results it reads: stands before it; or NULL */
    const char *const *folders;                             /* below the run's, whose files it replaces; or NULL */

    /* ---- settings ---- */

    /* Is it on without its key?  The datasets and the capabilities before have been read.  NULL: no. */
    bool      (*implied)(const struct config *config);
    /* Whether the key is there or not; as above.  Every error names file and line.  0, -EINVAL, -ENOMEM with err set.
     */
    int       (*read)(struct config *config, const struct node *root, const char *name, struct err *err);
    /* What no single section can tell, when all have been read.  As above. */
    int       (*check)(const struct config *config, const struct node *root, const char *name, struct err *err);
    int       (*print)(const struct config *config, struct bytes *out);     /* as YAML; 0 or -ENOMEM */
    int       (*help)(struct bytes *out);                   /* for `leakgraph help config`; also where the key is not */
    const struct gate *gates;
    /* What a run with this capability must have beside it for a gate of its own to say anything, as "probe.truth";
     * NULL: it has it.  NULL itself: its gates need nothing more. */
    const char *(*gate_lacks)(const struct config *config, const struct gate *gate);
    /* Why a gate of it found nothing to measure, and what to do; NULL: only that it did. */
    const char *unmeasured;
    struct rule_source rules;
    const struct graph_table *const *tables;                /* its own of graph.db, up to NULL; or NULL */
    const struct change_part *changes;                      /* compared between runs, up to one without key; or NULL */

    /* Does it ask the benchmarks' items, so that they have to be in the graph whoever puts them there? */
    bool      (*wants_items)(const struct task *task);

    /* ---- a run: collective, 0 or <0 with err set ----
     * Behind its last collective call a rank may fail alone: `run` lets all ranks agree after each of these, and after
     * `finish`. */

    /* before the shards are read */
    int       (*begin)(struct task *task, const struct run *run, struct err *err);
    /* Makes ready for the pass over all shards and adds its scanners to it. */
    int       (*enter)(struct task *task, const struct run *run, struct pass *pass, struct err *err);
    /* The pass has ended, well or not; what was made ready goes.  After a failure of `enter` too. */
    int       (*leave)(struct task *task, const struct run *run, const struct pass *pass, bool well, struct err *err);
    int       (*work)(struct task *task, const struct run *run, struct err *err);        /* beside the pass */

    /* ---- what comes out: on rank 0 ---- */

    /* Counts of what was read, NULL when it does not know them; the first answer in the table's order stands. */
    const struct pass_totals *(*totals)(const struct task *task);
    /* Adds scanners whose units tell what was read outside the pass. */
    int       (*count)(struct task *task, const struct run *run, struct pass *pass, struct err *err);
    /* Reads back what was found and adds it to the graph, which points into the task until it is released. */
    int       (*collect)(struct task *task, const struct run *run, struct graph_build *build, struct err *err);
    void      (*tell)(const struct task *task, struct settings *settings);               /* rows of table run */
    /* When all tables of graph.db are filled and the gates measured: asks it, and may add rows to its own tables and to
     * run (rows_add; given: of struct graph.ask). */
    int       (*ask)(struct task *task, const struct run *run, sqlite3 *db, struct contents *given, struct err *err);
    /* From the finished graph.db; all ranks. */
    int       (*finish)(struct task *task, const struct run *run, struct graph_build *build, struct err *err);
    int       (*say)(const struct task *task, const struct graph *graph, struct err *err);   /* on standard output */
    /* Its answer on standard output, from graph.db alone, up to one without a title; or NULL. */
    const struct terminal_table *answer;
    struct report_part report;                              /* its part of the report, from graph.db alone */
    /* Is what it left in a run's folder what it says it is?  The number of failed checks, or <0 with err set. */
    int       (*verify)(const char *dir, const struct check_report *report, struct err *err);
    struct forecaster  forecast;                            /* its part of `leakgraph plan` */
    void      (*release)(struct task *task);                /* all that the state owns, settings too */
};

/* The state of a capability, whether it is on or not; NULL where the table has it not. */
static inline void *config_state(const struct config *config, const struct capability *of)
{
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].of == of) return config->task[t].state;
    return NULL;
}

static inline bool config_has(const struct config *config, const struct capability *of)
{
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].of == of) return config->task[t].on;
    return false;
}

/* By its key in pipeline.yaml. */
static inline bool config_has_key(const struct config *config, const char *key)
{
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].of->key && strcmp(config->task[t].of->key, key) == 0) return config->task[t].on;
    return false;
}

/* Is a capability on that has one of the traits? */
static inline bool config_has_trait(const struct config *config, unsigned traits)
{
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].on && config->task[t].of->traits & traits) return true;
    return false;
}

/* A capability that is on asks the items. */
static inline bool config_wants_items(const struct config *config)
{
    for (size_t t = 0; t < config->task_count; t++)
        if (config->task[t].on && config->task[t].of->wants_items &&
            config->task[t].of->wants_items(&config->task[t])) return true;
    return false;
}

/* The graph will have documents, but not the items of benchmarks. */
static inline bool config_lacks_items(const struct config *config)
{
    return config_has_trait(config, CAPABILITY_DOCUMENTS) && !config_has_trait(config, CAPABILITY_ITEMS);
}

/* The capabilities that are on, in the table's order, from number t; NULL behind the last. */
static inline struct task *config_task(const struct config *config, size_t t)
{
    while (t < config->task_count && !config->task[t].on) t++;
    return t < config->task_count ? &config->task[t] : NULL;
}

#define FOR_EACH_TASK(name, config) \
    for (struct task *name = config_task(config, 0); name; \
         name = config_task(config, (size_t)(name - (config)->task) + 1))

#endif
