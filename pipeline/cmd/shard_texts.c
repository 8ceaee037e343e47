/* cmd/shard_texts.c -- see shard_texts.h. */
#include "cmd/shard_texts.h"

#include "base/file.h"
#include "config/capabilities.h"
#include "corpus/again.h"
#include "graph/read.h"
#include "page/report_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int shard_texts_open(struct shard_texts *texts, struct err *err)
{
    sqlite3_stmt *query;
    int           rc;

    if (texts->open) return 0;
    rc = graph_prepare(texts->db, &query, "SELECT value FROM run WHERE key = 'configuration'", err);
    if (rc == 0 && (rc = graph_step(query, err)) > 0) {
        struct slice value = graph_text(query, 0);

        texts->open = true;
        rc = config_parse(&texts->config, "configuration in graph.db", value.at, value.len, ".", NULL, 0, err);
    }
    graph_finish(query);
    return rc;
}

void shard_texts_close(struct shard_texts *texts)
{
    if (texts->open) config_free(&texts->config);
    texts->open = false;
}

/* As table shards has it.  1, 0 or <0. */
static int shard_find(struct shard_texts *texts, const struct located *place, struct shard_was *out, struct err *err)
{
    sqlite3_stmt *query;
    int           rc = graph_prepare(texts->db, &query, "SELECT bytes, mtime, xxh3 FROM shards WHERE dataset = ?1 AND "
                                                        "shard = ?2", err);

    if (rc == 0) rc = graph_bind_text(query, 1, bytes_slice(&place->dataset), err);
    if (rc == 0) rc = graph_bind_text(query, 2, bytes_slice(&place->shard), err);
    if (rc == 0 && (rc = graph_step(query, err)) > 0) {
        struct slice hash = graph_text(query, 2);
        char         digits[17] = "";

        memcpy(digits, hash.at, hash.len < 16 ? hash.len : 16);
        *out = (struct shard_was){ graph_number(query, 0), strtoull(digits, NULL, 16),
                                   (int64_t)graph_number(query, 1) };
    }
    graph_finish(query);
    return rc;
}

/* ---- those of one shard ---- */

/* What cannot be had any more is a note. */
static int note_all(struct show_text **text, size_t count, struct slice why, struct err *err)
{
    for (size_t i = 0; i < count; i++)
        if (!text[i]->note.len && bytes_append_slice(&text[i]->note, why) < 0)
            return err_memory(err, why.len, "a note");
    return 0;
}

/* The records of a shard that is there. */
static int records_read(const struct dataset *dataset, const struct shard *shard, const struct shard_was *was,
                        struct show_text **text, size_t count, struct err *err)
{
    struct again_record *record = calloc(count, sizeof *record);
    struct err           gone = { 0 };
    size_t               wanted = 0;
    int                  rc;

    if (!record) return err_memory(err, count * sizeof *record, "texts");
    for (size_t i = 0; i < count; i++)                      /* a record that several want is read once */
        if (!i || text[i]->place->record != text[i - 1]->place->record)
            record[wanted++].number = text[i]->place->record;
    rc = again_read(dataset, shard, was, record, wanted, &gone);
    if (rc == -ENOMEM) err_set(err, rc, "%s", gone.text);
    else if (rc < 0) rc = note_all(text, count, slice_of(gone.text), err);
    for (size_t i = 0, r = 0; i < count && rc == 0; i++) {
        while (record[r].number != text[i]->place->record) r++;
        text[i]->read = record[r].read;
        if (bytes_append_slice(&text[i]->text, bytes_slice(&record[r].text)) < 0)
            rc = err_memory(err, record[r].text.len, "a text");
        if (rc == 0) rc = note_all(&text[i], 1, bytes_slice(&record[r].note), err);
    }
    for (size_t r = 0; r < count; r++) again_record_free(&record[r]);
    free(record);
    return rc;
}

/* texts of one shard, by their records */
static int shard_read(struct shard_texts *texts, struct show_text **text, size_t count, struct err *err)
{
    const struct located *place = text[0]->place;
    const struct dataset *dataset = NULL;
    struct shard_list     list = { 0 };
    struct shard_was      was;
    struct err            gone = { 0 };
    int                   rc = shard_texts_open(texts, err);

    if (rc == 0) rc = shard_find(texts, place, &was, err);
    if (rc < 0) return rc;
    for (size_t d = 0; d < texts->config.dataset_count; d++)
        if (slice_equal(slice_of(texts->config.datasets[d].name), bytes_slice(&place->dataset)))
            dataset = &texts->config.datasets[d];
    if (!dataset || rc == 0)
        return note_all(text, count, SLICE("the run's configuration does not say where its shard is"), err);
    if (texts->budget && texts->spent + was.bytes > texts->budget)
        return note_all(text, count, SLICE("its shard is long, and is not read for a report"), err);
    texts->spent += was.bytes;
    rc = shard_list_open(&list, dataset, 1, ".", &gone);
    if (rc == -ENOMEM) return err_set(err, rc, "%s", gone.text);
    if (rc < 0) return note_all(text, count, slice_of(gone.text), err);
    for (size_t i = 0; i < list.count && rc == 0; i++) {
        if (!slice_equal(slice_of(list.at[i].name), bytes_slice(&place->shard))) continue;
        rc = records_read(dataset, &list.at[i], &was, text, count, err);
        shard_list_free(&list);
        return rc;
    }
    shard_list_free(&list);
    return note_all(text, count, SLICE("its shard is not there any more"), err);
}

/* ---- all of them ---- */

static int compare_shards(const struct located *a, const struct located *b)
{
    int order = slice_compare(bytes_slice(&a->dataset), bytes_slice(&b->dataset));

    return order ? order : slice_compare(bytes_slice(&a->shard), bytes_slice(&b->shard));
}

static int compare_places(const void *a, const void *b)
{
    const struct located *x = (*(struct show_text *const *)a)->place, *y = (*(struct show_text *const *)b)->place;
    int                   order = compare_shards(x, y);

    return order ? order : (x->record > y->record) - (x->record < y->record);
}

int shard_texts_read(void *context, struct show_text *text, size_t count, struct err *err)
{
    struct shard_texts *texts = context;
    struct show_text  **sorted = calloc(count + 1, sizeof *sorted);
    size_t              from, to;
    int                 rc = 0;

    if (!sorted) return err_memory(err, count * sizeof *sorted, "texts");
    for (size_t i = 0; i < count; i++) sorted[i] = &text[i];
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (from = 0; from < count && rc == 0; from = to) {
        for (to = from; to < count && compare_shards(sorted[from]->place, sorted[to]->place) == 0; to++) { }
        rc = shard_read(texts, sorted + from, to - from, err);
    }
    free(sorted);
    return rc;
}

/* ---- the report ---- */

enum { REPORT_BUDGET = 64 << 20 };

int shard_texts_report(const char *dir, int threads, struct err *err)
{
    struct shard_texts texts = { .budget = REPORT_BUDGET };
    char               path[FILE_NAME_MAX];
    int                rc = file_join(dir, "graph.db", path, err);

    if (rc == 0) rc = graph_open(&texts.db, path, err);
    if (rc == 0)
        rc = report_write(dir, capability_reports(), capability_tables(),
                          &(struct show_reader){ shard_texts_read, &texts }, threads, err);
    shard_texts_close(&texts);
    graph_close(texts.db);
    return rc;
}
