/* cmd/wrong_field.c -- see wrong_field.h. */
#include "cmd/wrong_field.h"

#include "base/bytes.h"
#include "cmd/folder.h"
#include "corpus/line.h"
#include "corpus/source.h"
#include "graph/read.h"
#include "report/advice.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 20, NAMES = 64, NAME_MOST = 80, DEPTH = 4, SHOWN = 12 };

struct names {
    struct { char name[NAME_MOST]; size_t text; bool top; } at[NAMES];
    size_t count, records;
};

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

/* The texts' lengths by name; what does not fit is passed over. */
static void add_fields(struct names *names, const cJSON *object, const char *prefix, unsigned depth)
{
    const cJSON *member;

    cJSON_ArrayForEach(member, object) {
        char   name[NAME_MOST];
        size_t i = 0;

        if (snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", member->string) >= NAME_MOST) continue;
        while (i < names->count && strcmp(names->at[i].name, name) != 0) i++;
        if (i == NAMES) continue;
        if (i == names->count) {
            memcpy(names->at[i].name, name, sizeof name);
            names->at[i].text = 0;
            names->at[i].top = depth == 0;
            names->count++;
        }
        if (cJSON_IsString(member)) names->at[i].text += strlen(member->valuestring);
        if (cJSON_IsObject(member) && depth < DEPTH) add_fields(names, member, name, depth + 1);
    }
}

static void add_record(struct names *names, struct slice text)
{
    cJSON *record = cJSON_ParseWithLength(text.at, text.len);

    if (cJSON_IsObject(record)) {
        add_fields(names, record, "", 0);
        names->records++;
    }
    cJSON_Delete(record);
}

static void add_batch(struct names *names, const struct batch *batch)
{
    struct slice line;
    size_t       at = 0;

    for (size_t i = 0; batch->kind == BATCH_ELEMENTS && i < batch->item_count && names->records < RECORDS; i++)
        add_record(names, (struct slice){ batch->raw.at + batch->item[i].at, batch->item[i].len });
    while (batch->kind == BATCH_JSON_LINES && names->records < RECORDS &&
           line_next(bytes_slice(&batch->raw), &at, &line))
        if (!line_is_blank(line)) add_record(names, line);
}

static void read_names(struct names *names, const struct dataset *dataset, const struct shard *shard)
{
    struct source *source;
    struct batch   batch = { 0 };
    struct err     ignored = { 0 };

    if (source_open(&source, dataset, shard, &ignored) < 0) return;
    while (names->records == 0 && source_next(source, &batch, &ignored) > 0) add_batch(names, &batch);
    batch_free(&batch);
    source_close(source);
}

static void add_visible(struct bytes *out, const char *name)
{
    for (; *name; name++) bytes_append(out, *name >= 0x20 && *name <= 0x7E ? name : "?", 1);
}

bool wrong_field_explain(const struct dataset *dataset, const struct shard *shard, bool several, struct err *err)
{
    const char   *given = dataset->fields[FIELD_TEXT];
    struct names *names = calloc(1, sizeof *names);
    struct bytes  has = { 0 }, best = { 0 };
    size_t        most = 0, shown = 0;
    char          what[sizeof err->text];
    bool          wrong;

    if (names) read_names(names, dataset, shard);
    if (names && names->count) {
        qsort(names->at, names->count, sizeof names->at[0], by_name);
        for (size_t i = 0; i < names->count; i++) {
            if (names->at[i].text > most) {
                most = names->at[i].text;
                best.len = 0;
                add_visible(&best, names->at[i].name);
            }
            if (!names->at[i].top || shown++ >= SHOWN) continue;
            bytes_printf(&has, has.len ? ", " : "");
            add_visible(&has, names->at[i].name);
        }
        if (shown > SHOWN) bytes_printf(&has, ", ...");
        snprintf(what, sizeof what, "%.200s: no record has a text in its field %s%.80s%s; its records have: %.*s",
                 err->text, given ? "'" : "", given ? given : "'text', 'content' or 'code'", given ? "'" : "",
                 (int)(has.len < 400 ? has.len : 400), has.at);
        if (most)
            snprintf(what + strlen(what), sizeof what - strlen(what),
                     "; write fields: {text: %.*s} (or --field %.60s%stext=%.*s)", (int)best.len, best.at,
                     several ? dataset->name : "", several ? "." : "", (int)best.len, best.at);
        snprintf(err->text, sizeof err->text, "%s", what);
    }
    wrong = names && names->count && (most || given);
    bytes_free(&has);
    bytes_free(&best);
    free(names);
    return wrong;
}

static const char fieldless_query[] =
    "SELECT u.id FROM (SELECT d.id FROM datasets AS d JOIN splits AS s ON s.dataset = d.id GROUP BY d.id "
    "HAVING sum(s.documents) = 0 AND sum(s.rejected) > 0 ORDER BY d.rowid LIMIT 1) AS u "
    "WHERE NOT EXISTS (SELECT 1 FROM rejects WHERE dataset = u.id AND reason <> 'missing-field')";

struct fieldless { const struct config *config; const struct shard_list *shards; struct err *err; };

static void fieldless_hear(void *context, const char *name)
{
    const struct fieldless *to = context;
    const struct config    *config = to->config;

    for (size_t s = 0; s < to->shards->count; s++) {
        const struct dataset *dataset = &config->datasets[to->shards->at[s].dataset];

        if (strcmp(dataset->name, name) != 0) continue;
        if (wrong_field_explain(dataset, &to->shards->at[s], config->dataset_count > 1, to->err))
            to->err->code = -EINVAL;
        return;
    }
}

int wrong_field_tell(const struct config *config, const struct shard_list *shards, const char *dir, struct err *err)
{
    struct fieldless              to = { config, shards, err };
    const struct advice_listener  listener = { fieldless_hear, &to };
    struct err                    ignored = { 0 };
    sqlite3                      *db = NULL;
    char                          path[FILE_NAME_MAX];

    if (folder_find_graph(dir, path, &ignored) == 0 && graph_open(&db, path, &ignored) == 0)
        advice_query(db, fieldless_query, &listener, &ignored);
    graph_close(db);
    return err->code;
}
