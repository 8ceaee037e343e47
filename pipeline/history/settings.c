/* history/settings.c -- pipeline.yaml: history; see docs/pipeline.yaml.md. */
#include "history/task.h"

#include "base/file.h"
#include "corpus/glob.h"

#include <stdlib.h>
#include <string.h>

static const struct option history_rows[] = {
    { "keep", OPTION_U32, offsetof(struct history_options, keep), "400", 1, 1000000, NULL,
      "earlier runs in graph.db and in the trend, the newest" },
    { "most", OPTION_U32, offsetof(struct history_options, most), "1000", 1, 100000000, NULL,
      "what differs from the last run: so many values of a part, and items of each kind of change, are listed; all are "
      "counted" },
    { NULL, OPTION_BOOL, 0, NULL, 0, 0, NULL, NULL },
};

static const char *const history_others[] = { "runs", NULL };

/* From the root: the resolved configuration has them so, and they mean the same wherever it is read. */
static int runs_read(struct config *config, const struct place *place)
{
    struct history_task *history = history_task(config);
    const struct node   *list = node_find(place->map, "runs");
    struct bytes         whole = { 0 };
    char                *base = NULL;
    int                  rc;

    if (!list) return 0;
    if (words_count(list) == 0) return place_refuse(place, "runs", "names at least one folder");
    history->runs = calloc(words_count(list), sizeof *history->runs);
    if (!history->runs) return err_memory(place->err, words_count(list) * sizeof *history->runs, "paths");
    rc = file_real_path(config->base, &base, place->err);
    for (size_t i = 0; i < words_count(list) && rc == 0; i++) {
        const char *word = words_at(list, i, place);

        if (!word) rc = place->err->code;
        else if (glob_from(&whole, base ? base : config->base, word) < 0 || !(history->runs[i] = strdup(whole.at)))
            rc = err_memory(place->err, strlen(word), "a path");
        else history->run_count++;
    }
    free(base);
    bytes_free(&whole);
    return rc;
}

int history_settings_read(struct config *config, const struct node *root, const char *name, struct err *err)
{
    const struct node *map = node_find(root, "history");
    const struct place place = { map, name, "history", err };
    int                rc;

    if (!map) return 0;
    rc = option_defaults(history_rows, &history_task(config)->options, err);
    if (rc == 0)
        rc = option_apply(history_rows, &history_task(config)->options, map, history_others, name, "history", err);
    return rc < 0 ? rc : runs_read(config, &place);
}

void history_settings_free(struct history_task *task)
{
    for (size_t i = 0; i < task->run_count; i++) free(task->runs[i]);
    free(task->runs);
}

int history_settings_print(const struct config *config, struct bytes *out)
{
    const struct history_task *history = history_task(config);
    int                        rc = bytes_printf(out, "history:\n");

    if (rc == 0 && history->run_count)
        rc = config_print_words("runs", (const char *const *)history->runs, history->run_count, out);
    return rc < 0 ? rc : option_print(history_rows, &history->options, "  ", out);
}

int history_settings_help(struct bytes *out)
{
    int rc = bytes_printf(out, "\nhistory:                  what changed since the runs before, in graph.db and the "
                               "report; no result depends on it\n"
                               "  runs                    what the run folder held before  folders of earlier runs, or "
                               "their graph.db: globs from this file's folder, as results/nightly/*; of those that are "
                               "there, finished, and of the same benchmarks the last is compared\n");

    return rc < 0 ? rc : option_help(history_rows, "  ", out);
}
