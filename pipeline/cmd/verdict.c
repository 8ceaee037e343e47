/* cmd/verdict.c -- see verdict.h. */
#include "cmd/verdict.h"

#include "base/log.h"
#include "cmd/folder.h"
#include "graph/read.h"
#include "report/advice.h"
#include "near/leaked.h"

static void verdict_warn(void *context, const char *sentence)
{
    (void)context;
    log_warn("%s", sentence);
}

/* The share of a whole benchmark that is in one corpus.  Contained documents count when the user asked for them. */
static int verdict_leakage(const struct config *config, sqlite3 *db, bool *gate, struct err *err)
{
    bool               contained = config->near.containment_threshold.den != 0;
    struct leaked_list leaked = { 0 };
    int                rc = leaked_read(&leaked, db, err);

    for (size_t i = 0; i < leaked.count && rc == 0; i++) {
        const struct leaked *row = &leaked.at[i];
        uint64_t             in = row->direct + (contained ? row->contained : 0);
        double               percent = row->documents ? 100.0 * (double)in / (double)row->documents : 0;

        if (!row->target_is_corpus || percent <= config->fail_leakage) continue;
        log_warn("gate fail_on.leakage: %.2f %% of %.*s is in %.*s, more than %g %%", percent, (int)row->source.len,
                 row->source.at, (int)row->target.len,
                 row->target.at, config->fail_leakage);
        *gate = true;
    }
    leaked_free(&leaked);
    return rc;
}

static int verdict_rejects(const struct config *config, sqlite3 *db, bool *gate, struct err *err)
{
    uint64_t records = 0, rejected = 0;
    double   percent;
    int      rc = graph_count(db, "SELECT sum(documents + rejected) FROM splits", &records, err);

    if (rc == 0) rc = graph_count(db, "SELECT sum(rejected) FROM splits", &rejected, err);
    percent = records ? 100.0 * (double)rejected / (double)records : 0;
    if (rc < 0 || percent <= config->fail_rejects) return rc;
    log_warn("gate fail_on.rejects: %.3f %% of the records were rejected, more than %g %%", percent,
             config->fail_rejects);
    *gate = true;
    return 0;
}

static void verdict_duplicates(const struct config *config, const struct dedup_stats *stats, bool *gate)
{
    double percent = stats->documents ? 100.0 * (double)stats->removed / (double)stats->documents : 0;

    if (percent <= config->fail_duplicates) return;
    log_warn("gate fail_on.duplicates: dedup removed %.2f %% of the documents, more than %g %%", percent,
             config->fail_duplicates);
    *gate = true;
}

int verdict_reach(const struct config *config, const struct dedup_stats *stats, const char *dir, bool *gate,
                  struct err *err)
{
    sqlite3 *db = NULL;
    char     path[FILE_NAME_MAX];
    int      rc = folder_find_graph(dir, path, err);

    *gate = false;
    if (rc == 0) rc = graph_open(&db, path, err);
    if (rc == 0) rc = advice_give(db, &(struct advice_listener){ verdict_warn, NULL }, err);
    if (rc == 0 && config->fail_leakage >= 0) rc = verdict_leakage(config, db, gate, err);
    if (rc == 0 && config->fail_rejects >= 0) rc = verdict_rejects(config, db, gate, err);
    if (rc == 0 && stats && config->fail_duplicates >= 0) verdict_duplicates(config, stats, gate);
    if (rc == 0) rc = advice_check_usable(db, err);
    graph_close(db);
    return rc;
}
