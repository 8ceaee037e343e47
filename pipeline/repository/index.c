/* repository/index.c -- see index.h. */
#include "repository/index.h"

#include <errno.h>
#include <stdlib.h>

struct slice repository_name(const struct repository_index *index, uint32_t name)
{
    size_t start = name ? index->name_end[name - 1] : 0;

    return (struct slice){ index->text.at + start, index->name_end[name] - start };
}

uint32_t repository_name_find(const struct repository_index *index, struct slice name)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, name.at, name.len);

    return table_find(&index->names, key.low, key.high);
}

int repository_name_put(struct repository_index *index, struct slice name, uint32_t *out)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, name.at, name.len);
    bool            added;

    *out = table_put(&index->names, key.low, key.high, (uint32_t)index->name_count, &added);
    if (*out == TABLE_NONE) return -ENOMEM;
    if (!added) return 0;
    if (ARRAY_GROW(index->name_end, index->name_room, index->name_count) < 0 ||
        bytes_append_slice(&index->text, name) < 0)
        return -ENOMEM;
    index->name_end[index->name_count++] = index->text.len;
    return 0;
}

/* Numbers in the order in which texts are met first. */
static int file_add(struct repository_index *index, const struct shard *shard, uint32_t s,
                    const struct repository_row *row, struct slice repo)
{
    struct repository_file file = { .record = row->record, .shard = s, .dataset = shard->dataset };
    bool                   added;

    if (row->blank || !repo.len) return 0;
    if (repository_name_put(index, repository_renamed(&index->renames, repo), &file.name) < 0) return -ENOMEM;
    file.layout = table_put(&index->layouts, row->squeezed.low, row->squeezed.high, (uint32_t)index->layout_count,
                            &added);
    if (file.layout == TABLE_NONE) return -ENOMEM;
    index->layout_count += added;
    file.text = table_put(&index->texts, row->raw.low, row->raw.high, (uint32_t)index->text_count, &added);
    if (file.text == TABLE_NONE) return -ENOMEM;
    if (added) {
        if (ARRAY_GROW(index->layout_of, index->text_room, index->text_count) < 0)
            return -ENOMEM;
        index->layout_of[index->text_count++] = file.layout;
    }
    if (ARRAY_GROW(index->file, index->file_room, index->file_count) < 0) return -ENOMEM;
    index->file[index->file_count++] = file;
    return 0;
}

static int unit_add(struct repository_index *index, const struct shard *shard, const struct pass_unit *unit,
                    struct err *err)
{
    for (uint64_t p = 0; p < unit->header->parts; p++) {
        struct slice                 rows = pass_unit_section(unit, p, PART_ROWS);
        const struct repository_row *row = (const struct repository_row *)(const void *)rows.at;
        const char                  *heap = pass_unit_section(unit, p, PART_HEAP).at;

        for (size_t i = 0; i < rows.len / sizeof *row; i++)
            if (file_add(index, shard, unit->shard, &row[i],
                         (struct slice){ heap + row[i].repo.at, row[i].repo.len }) < 0)
                return err_memory(err, index->file_room * sizeof *index->file, "the benchmarks' files");
    }
    return 0;
}

static int shard_add(const struct repository_job *job, struct repository_index *index, const struct pass *pass,
                     uint32_t s, struct err *err)
{
    const struct pass_scanner *scanner = &pass->scanner[0];
    struct unit_key            key = pass_unit_key(job->run->datasets, scanner->key, &job->run->shards->at[s], 0);
    struct pass_walk           walk = pass_walk_shard(job->run, scanner, s);
    int                        rc;

    index->key = unit_key_add(index->key, &key, sizeof key);
    while ((rc = pass_walk_next(&walk, err)) > 0)
        if ((rc = unit_add(index, &job->run->shards->at[s], &walk.unit, err)) < 0) break;
    pass_walk_close(&walk);
    return rc;
}

int repository_index_read(const struct repository_job *job, struct repository_index *out, struct err *err)
{
    struct pass pass = { .run = job->run, .scanner = { repository_collector(job) } };
    int         rc;

    *out = (struct repository_index){ 0 };
    rc = repository_renames_read(&out->renames, job->options->renames, err);
    if (rc < 0) return rc;
    for (size_t i = 0; i < out->renames.count; i++) {
        out->key = unit_key_add(out->key, out->renames.at[i].from.at, out->renames.at[i].from.len);
        out->key = unit_key_add(out->key, out->renames.at[i].to.at, out->renames.at[i].to.len);
    }
    for (uint32_t s = 0; s < job->run->shards->count && rc == 0; s++)
        if (job->benchmark[job->run->shards->at[s].dataset]) rc = shard_add(job, out, &pass, s, err);
    return rc;
}

void repository_index_free(struct repository_index *index)
{
    repository_renames_free(&index->renames);
    bytes_free(&index->text);
    free(index->name_end);
    free(index->file);
    free(index->layout_of);
    table_free(&index->names);
    table_free(&index->texts);
    table_free(&index->layouts);
    *index = (struct repository_index){ 0 };
}
