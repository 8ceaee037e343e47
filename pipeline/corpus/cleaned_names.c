/* corpus/cleaned_names.c -- what cleaned shards are called: DATASET/SHARD.jsonl.zst, DATASET/SHARD+N.jsonl.zst. */
#include "corpus/cleaned.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>

static bool drop_suffix(struct slice *name, const char *suffix)
{
    size_t len = strlen(suffix);

    /* ".gz" alone, or at a folder's end, is a name and no suffix. */
    if (name->len <= len || name->at[name->len - len - 1] == '/' || !slice_ends_in(*name, suffix)) return false;
    name->len -= len;
    return true;
}

/* "a/b.jsonl.gz" -> "a/b": first the packing, then what says JSON lines. */
static struct slice short_name(struct slice name)
{
    static const char *const packed[] = { ".zst", ".gz", ".xz", ".bz2", ".lz4", ".lzma", ".lz", ".Z" },
        *const lines[] = { ".jsonl", ".ndjson" };

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (drop_suffix(&name, packed[i])) break;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (drop_suffix(&name, lines[i])) break;
    return name;
}

/* Component by component, so that no name leads out of the folder: "." and ".." are escaped, empty components left out.
 */
static int append_components(struct bytes *out, struct slice name)
{
    int rc = 0;

    for (size_t at = 0; at <= name.len && rc == 0;) {
        const char  *slash = at < name.len ? memchr(name.at + at, '/', name.len - at) : NULL;
        struct slice part = { name.at + at, slash ? (size_t)(slash - name.at) - at : name.len - at };

        at += part.len + 1;
        if (part.len == 0) continue;
        rc = bytes_append(out, "/", 1);
        if (rc == 0 && slice_equal(part, SLICE("."))) part = SLICE("%2E");
        if (rc == 0 && slice_equal(part, SLICE(".."))) part = SLICE("%2E%2E");
        if (rc == 0) rc = bytes_append_slice(out, part);
    }
    return rc;
}

static char *make_name(const char *dataset, const char *shard, size_t more, bool whole)
{
    struct bytes made = { 0 };
    struct slice name = whole ? slice_of(shard) : short_name(slice_of(shard));
    int          rc = bytes_append_slice(&made, slice_of(dataset));

    if (rc == 0) rc = append_components(&made, name);
    if (rc == 0 && more) rc = bytes_printf(&made, "+%zu", more);
    if (rc == 0) rc = bytes_append(&made, CLEANED_SHARD, sizeof CLEANED_SHARD);
    if (rc < 0) bytes_free(&made);
    return made.at;
}

static int by_name(const void *a, const void *b, void *files)
{
    const struct cleaned_file *file = files;

    return strcmp(file[*(const size_t *)a].name, file[*(const size_t *)b].name);
}

/* One round: names are made, and files that share one are marked to keep the whole names of their shards.  1 when there
 * were such, 0, <0. */
static int name_round(const struct shard_list *shards, const struct dataset *datasets, struct cleaned_file *file,
                      size_t count, size_t *order, bool *whole, struct err *err)
{
    int again = 0;

    for (size_t f = 0; f < count; f++) {
        const struct shard *at = &shards->at[file[f].first];

        free(file[f].name);
        file[f].name = make_name(datasets[at->dataset].name, at->name, file[f].count - 1, whole[f]);
        if (!file[f].name) return err_memory(err, strlen(at->name), "names of cleaned shards");
        order[f] = f;
    }
    qsort_r(order, count, sizeof *order, by_name, file);
    for (size_t i = 1; i < count; i++) {
        size_t a = order[i - 1], b = order[i];

        if (strcmp(file[a].name, file[b].name) != 0) continue;
        if (whole[a] && whole[b])
            return err_set(err, -EEXIST, "%s and %s would both be written as %s: rename one of them",
                           shards->at[file[a].first].path, shards->at[file[b].first].path, file[a].name);
        whole[a] = whole[b] = true;
        again = 1;
    }
    return again;
}

int cleaned_names(const struct shard_list *shards, const struct dataset *datasets, struct cleaned_file *file,
                  size_t count, struct err *err)
{
    size_t *order = calloc(count + 1, sizeof *order);
    bool   *whole = calloc(count + 1, sizeof *whole);
    int     rc = order && whole ? 1 : err_memory(err, count * 9, "names of cleaned shards");

    /* A whole name may be another's short one ("a.jsonl.jsonl" beside "a.jsonl"): again, until all differ.  Each round
     * marks one or more. */
    while (rc > 0) rc = name_round(shards, datasets, file, count, order, whole, err);
    for (size_t f = 0; rc < 0 && f < count; f++) {
        free(file[f].name);
        file[f].name = NULL;
    }
    free(order);
    free(whole);
    return rc;
}
