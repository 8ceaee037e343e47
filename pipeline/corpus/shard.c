/* corpus/shard.c -- the shards that datasets stand for: globs, names, order (see dataset.h). */
#include "corpus/dataset.h"
#include "base/file.h"
#include "base/log.h"
#include "corpus/distinct.h"
#include "corpus/extent.h"
#include "corpus/glob.h"
#include "corpus/tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct building {
    struct shard_list *list;
    size_t             room;
    const char        *base;
    /* folder that names of the dataset at hand are relative to */
    struct bytes       shared;
    bool               told;                                /* the error says whose it is */
};

/* A glob of a dataset, how many files it stands for, and how many are passed over. */
struct place { const struct dataset *dataset; uint32_t split; size_t glob, files; uint64_t skipped; };

static bool cut_ending(struct slice *name, const char *ending)
{
    size_t len = strlen(ending);

    if (name->len <= len || !slice_ends_in(*name, ending)) return false;
    name->len -= len;
    return true;
}

/* What packed files are called; shards that are packed by themselves; other shards. */
static const char *const packed[] = { ".gz", ".zst", ".xz", ".bz2", ".lz4", ".lzma", ".lz", ".Z", NULL };
static const char *const packed_kinds[] = { ".parquet", ".tgz", ".txz", ".tbz2", ".zip", ".7z", NULL };
static const char *const plain_kinds[] = { ".jsonl", ".ndjson", ".tar", NULL };

/* Cuts the first of the endings that the name has. */
static bool cut_one(struct slice *name, const char *const *endings)
{
    while (*endings && !cut_ending(name, *endings)) endings++;
    return *endings != NULL;
}

/* Whether a file is called what only shards are called.  A file that is just packed (data.gz) is not: sources come so
 * too. */
static bool is_shard_name(struct slice name)
{
    cut_one(&name, packed);
    return cut_one(&name, packed_kinds) || cut_one(&name, plain_kinds);
}

bool shard_is_packed(const struct shard *shard)
{
    struct slice name = slice_of(shard->name);

    return !shard->tree && (cut_one(&name, packed) || cut_one(&name, packed_kinds));
}

bool shard_is_parted(const struct shard *shard)
{
    return !shard->tree && slice_ends_in(slice_of(shard->name), ".parquet");
}

static int refuse_shards(const struct tree *tree, const char *folder, struct err *err)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct slice path = { tree->paths.at + tree->file[i].path_at, tree->file[i].path_len };

        if (is_shard_name(path))
            return err_set(err, -EINVAL, "%s holds shards such as %s; say '%s/*' (or '%s/**' for those in its folders "
                                         "too) to read them as shards",
                           folder, path.at, folder, folder);
    }
    return 0;
}

/* Size and time; for a folder over its whole tree. */
static int measure(struct shard *shard, struct place *place, struct err *err)
{
    struct tree tree;
    struct stat st;
    int         rc;

    if (stat(shard->path, &st) < 0 || access(shard->path, R_OK) < 0)
        return err_set(err, -EIO, "%s: cannot be read: %s", shard->path, strerror(errno));
    shard->tree = S_ISDIR(st.st_mode);
    if (!shard->tree && !S_ISREG(st.st_mode))
        return err_set(err, -EINVAL, "%s: neither a file nor a folder", shard->path);
    if (!shard->tree) {
        place->files++;
        shard->bytes = (uint64_t)st.st_size;
        shard->inode = (uint64_t)st.st_ino;
        shard->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
        return 0;
    }
    if (place->dataset->format == FORMAT_LINES)
        return err_set(err, -EINVAL, "%s: a folder, but `format: lines` needs files", shard->path);
    if (tree_list(&tree, shard->path, place->dataset, err) < 0) return err->code;
    shard->bytes = tree.bytes;
    shard->mtime_ns = tree.mtime_ns;
    shard->signature = tree.signature;
    shard->skipped = tree.skipped;
    place->files += tree.count;
    place->skipped += skips_sum(&tree.skipped);
    rc = refuse_shards(&tree, shard->path, err);
    tree_free(&tree);
    return rc;
}

/* Takes the path over. */
static int add_shard(struct building *build, struct place *place, uint32_t d, char *path, struct err *err)
{
    struct shard_list *list = build->list;
    struct shard      *shard;
    size_t             skip = build->shared.len;

    if (list->count == build->room) {
        size_t        room = build->room ? build->room * 2 : 64;
        struct shard *at = realloc(list->at, room * sizeof *at);

        if (!at) {
            free(path);
            return err_memory(err, room * sizeof *at, "the list of shards");
        }
        list->at = at;
        build->room = room;
    }
    while (path[skip] == '/') skip++;
    if (dataset_excludes(place->dataset, slice_of(path + skip))) {
        free(path);
        return 0;
    }
    shard = &list->at[list->count++];
    *shard = (struct shard){ .dataset = d, .split = place->split, .path = path };
    shard->name = strdup(path + skip);
    if (!shard->name) return err_memory(err, strlen(path), "a shard's name");
    return measure(shard, place, err);
}

static bool folder_is_empty(const char *path)
{
    DIR           *dir = file_list(path);
    struct dirent *entry;
    bool           empty = dir != NULL;

    while (empty && (entry = readdir(dir))) empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
    if (dir) closedir(dir);
    return empty;
}

/* The glob that is at hand matches no file: said of the place where it stands, else of the dataset. */
static int refuse_glob(struct building *build, const struct place *place, const char *only_folder, struct err *err)
{
    const struct dataset_split *split = &place->dataset->splits[place->split];
    const char                 *where = split->where ? split->where[place->glob] : place->dataset->name;
    const char                 *path = only_folder;
    const char                 *dataset = split->where ? "" : "dataset ";
    struct bytes                folder = { 0 };
    struct stat                 st;
    char                       *whole;

    build->told = true;
    if (!only_folder && glob_literal_folder(&folder, build->base, split->globs[place->glob]) < 0)
        return err_memory(err, 0, "a path");
    if (!only_folder) path = folder.len ? folder.at : ".";
    whole = realpath(path, NULL);
    if (stat(path, &st) < 0)
        err_set(err, -EINVAL, "%s%s: no file matches '%s' (there is no %s)", dataset, where, split->globs[place->glob],
                path);
    else if (place->skipped)
        err_set(err, -EINVAL, "%s%s: no file matches '%s' (in %s all of %llu are passed over: links, or files of "
                              "caches or of version control)", dataset, where, split->globs[place->glob],
                whole ? whole : path, (unsigned long long)place->skipped);
    else
        err_set(err, -EINVAL, "%s%s: no file matches '%s' (looked in %s%s)", dataset, where, split->globs[place->glob],
                whole ? whole : path, folder_is_empty(path) ? ", which is empty" : "");
    bytes_free(&folder);
    free(whole);
    return err->code;
}

static int add_split(struct building *build, const struct dataset *dataset, uint32_t d, uint32_t s, struct err *err)
{
    struct place place = { .dataset = dataset, .split = s };
    int          rc = 0;

    for (; rc == 0 && place.glob < dataset->splits[s].glob_count; place.glob++) {
        struct glob_paths paths = { 0 };

        rc = glob_expand(&paths, build->base, dataset->splits[s].globs[place.glob], err);
        place.files = 0;
        place.skipped = 0;
        if (rc == 0 && paths.count == 0) rc = refuse_glob(build, &place, NULL, err);
        for (size_t i = 0; rc == 0 && i < paths.count; i++) {
            char *path = paths.at[i];

            paths.at[i] = NULL;
            rc = add_shard(build, &place, d, path, err);
        }
        if (rc == 0 && place.files == 0 && !dataset->exclude_count)
            rc = refuse_glob(build, &place, build->list->at[build->list->count - 1].path, err);
        glob_paths_free(&paths);
    }
    return rc;
}

static int by_name(const void *a, const void *b)
{
    const struct shard *left = a, *right = b;

    return strcmp(left->name, right->name);
}

static int add_dataset(struct building *build, const struct dataset *dataset, uint32_t d, struct err *err)
{
    size_t first = build->list->count;
    int    rc = 0;

    if (extent_folder(&build->shared, dataset, build->base) < 0) return err_memory(err, 0, "a folder's path");
    for (uint32_t s = 0; rc == 0 && s < dataset->split_count; s++) {
        size_t begin = build->list->count;

        rc = add_split(build, dataset, d, s, err);
        if (rc == 0 && dataset->format != FORMAT_LINES && build->list->count > begin)
            qsort(build->list->at + begin, build->list->count - begin, sizeof *build->list->at, by_name);
    }
    if (rc == 0 && build->list->count == first)
        rc = err_set(err, -EINVAL, "`exclude` leaves out all that `files` or `splits` name");
    if (rc == 0) rc = shards_make_distinct(build->list, first, dataset, err);
    return rc == 0 || build->told ? rc : err_add(err, "dataset %s", dataset->name);
}

int shard_list_open(struct shard_list *out, const struct dataset *datasets, size_t count, const char *base,
                    struct err *err)
{
    struct building build = { .list = out, .base = base };
    int             rc = 0;

    *out = (struct shard_list){ 0 };
    for (size_t d = 0; rc == 0 && d < count; d++) rc = add_dataset(&build, &datasets[d], (uint32_t)d, err);
    if (rc == 0) rc = shards_find_shared(out, datasets, count, err);
    bytes_free(&build.shared);
    if (rc < 0) shard_list_free(out);
    return rc;
}

void shard_list_warn(const struct shard_list *list)
{
    for (size_t at = 0; at < list->warnings.len; at += strlen(list->warnings.at + at) + 1)
        log_warn("%s", list->warnings.at + at);
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->at[i].path);
        free(list->at[i].name);
    }
    free(list->at);
    bytes_free(&list->warnings);
    *list = (struct shard_list){ 0 };
}
