/* corpus/shard.c -- the shards that datasets stand for: globs, names, order (see dataset.h). */
#include "corpus/dataset.h"
#include "corpus/glob.h"
#include "corpus/tree.h"

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
};

/* Number of bytes that two folders share, counted in whole components: "/a/bc" and "/a/bd" share "/a". */
static size_t shared_folder(struct slice a, struct slice b)
{
    size_t i = 0, whole = 0;

    for (; i < a.len && i < b.len && a.at[i] == b.at[i]; i++)
        if (a.at[i] == '/') whole = i ? i : 1;
    if ((i == a.len || a.at[i] == '/') && (i == b.len || b.at[i] == '/')) whole = i;
    return whole;
}

/* Over the globs of all splits, so that a split's name cannot slip into the names of its shards or out of them. */
static int find_shared_folder(struct building *build, const struct dataset *dataset)
{
    struct bytes folder = { 0 };
    bool         first = true;
    int          rc = 0;

    build->shared.len = 0;
    for (size_t s = 0; s < dataset->split_count; s++)
        for (size_t g = 0; rc == 0 && g < dataset->splits[s].glob_count; g++, first = false) {
            rc = glob_literal_folder(&folder, build->base, dataset->splits[s].globs[g]);
            if (rc == 0 && first) rc = bytes_append_slice(&build->shared, bytes_slice(&folder));
            else if (rc == 0) build->shared.len = shared_folder(bytes_slice(&build->shared), bytes_slice(&folder));
        }
    bytes_free(&folder);
    return rc;
}

static bool cut_ending(struct slice *name, const char *ending)
{
    size_t len = strlen(ending);

    if (name->len <= len || memcmp(name->at + name->len - len, ending, len) != 0) return false;
    name->len -= len;
    return true;
}

/* Whether a file is called what only shards are called.  A file that is just packed (data.gz) is not: sources come so
 * too. */
static bool is_shard_name(struct slice name)
{
    static const char *const packed[] = { ".gz", ".zst", ".xz", ".bz2", ".lz4", ".lz", ".Z" };
    static const char *const kinds[] = { ".jsonl", ".ndjson", ".parquet", ".tar", ".tgz", ".txz", ".tbz2", ".zip",
                                         ".7z" };

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (cut_ending(&name, packed[i])) break;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (cut_ending(&name, kinds[i])) return true;
    return false;
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
static int measure(struct shard *shard, const struct dataset *dataset, struct err *err)
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
        shard->bytes = (uint64_t)st.st_size;
        shard->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
        return 0;
    }
    if (dataset->format == FORMAT_LINES)
        return err_set(err, -EINVAL, "%s: a folder, but `format: lines` needs files", shard->path);
    if (tree_list(&tree, shard->path, err) < 0) return err->code;
    shard->bytes = tree.bytes;
    shard->mtime_ns = tree.mtime_ns;
    shard->signature = tree.signature;
    rc = refuse_shards(&tree, shard->path, err);
    tree_free(&tree);
    return rc;
}

/* Takes the path over. */
static int add_shard(struct building *build, const struct dataset *dataset, uint32_t d, uint32_t s, char *path,
                     struct err *err)
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
    shard = &list->at[list->count++];
    *shard = (struct shard){ .dataset = d, .split = s, .path = path };
    while (path[skip] == '/') skip++;
    shard->name = strdup(path + skip);
    if (!shard->name) return err_memory(err, strlen(path), "a shard's name");
    return measure(shard, dataset, err);
}

static int nothing_matches(const char *pattern, const char *base, struct err *err)
{
    const char *folder = base && base[0] ? base : ".";
    char       *whole;

    if (pattern[0] == '/') return err_set(err, -EINVAL, "nothing matches \"%s\"", pattern);
    whole = realpath(folder, NULL);
    err_set(err, -EINVAL, "nothing matches \"%s\" in %s", pattern, whole ? whole : folder);
    free(whole);
    return err->code;
}

static int add_split(struct building *build, const struct dataset *dataset, uint32_t d, uint32_t s, struct err *err)
{
    const struct dataset_split *split = &dataset->splits[s];
    int                         rc = 0;

    for (size_t g = 0; rc == 0 && g < split->glob_count; g++) {
        struct glob_paths paths = { 0 };

        rc = glob_expand(&paths, build->base, split->globs[g], err);
        if (rc == 0 && paths.count == 0) rc = nothing_matches(split->globs[g], build->base, err);
        for (size_t i = 0; rc == 0 && i < paths.count; i++) {
            char *path = paths.at[i];

            paths.at[i] = NULL;
            rc = add_shard(build, dataset, d, s, path, err);
        }
        glob_paths_free(&paths);
    }
    return rc;
}

static int by_name(const void *a, const void *b)
{
    const struct shard *left = a, *right = b;

    return strcmp(left->name, right->name);
}

struct identity { dev_t device; ino_t inode; bool folder; char *path; };

static int by_identity(const void *a, const void *b)
{
    const struct identity *left = a, *right = b;

    if (left->device != right->device) return left->device < right->device ? -1 : 1;
    if (left->inode != right->inode) return left->inode < right->inode ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* With '/' before every other byte, so that what lies in a folder follows it directly. */
static int by_real_path(const void *a, const void *b)
{
    const struct identity *left = a, *right = b;
    const char            *l = left->path, *r = right->path;

    while (*l && *l == *r) l++, r++;
    if (*l == '/' || *r == '/') return *l == '/' ? (*r ? -1 : 1) : (*l ? 1 : -1);
    return (unsigned char)*l - (unsigned char)*r;
}

static bool lies_in(const char *path, const char *folder)
{
    size_t len = strlen(folder);

    return !strncmp(path, folder, len) && (path[len] == '/' || folder[len - 1] == '/');
}

/* A document counted twice would be its own duplicate: the same file under two names, or a file beside the tree that
 * holds it. */
static int check_distinct(const struct shard *shard, size_t count, struct err *err)
{
    struct identity *seen = calloc(count ? count : 1, sizeof *seen);
    const char      *folder = NULL;
    struct stat      st;
    int              rc = 0;

    if (!seen) return err_memory(err, count * sizeof *seen, "the identities of shards");
    for (size_t i = 0; i < count; i++) {
        seen[i].path = realpath(shard[i].path, NULL);
        if (!seen[i].path || stat(shard[i].path, &st) < 0) {
            rc = err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot be read: %s", shard[i].path,
                         strerror(errno));
            goto done;
        }
        seen[i].device = st.st_dev;
        seen[i].inode = st.st_ino;
        seen[i].folder = S_ISDIR(st.st_mode);
    }
    qsort(seen, count, sizeof *seen, by_identity);
    for (size_t i = 1; i < count; i++)
        if (seen[i].device == seen[i - 1].device && seen[i].inode == seen[i - 1].inode) {
            rc = err_set(err, -EINVAL, "one file is reached twice: %s and %s", seen[i - 1].path, seen[i].path);
            goto done;
        }
    qsort(seen, count, sizeof *seen, by_real_path);
    for (size_t i = 0; i < count; i++) {
        if (folder && lies_in(seen[i].path, folder)) {
            rc = err_set(err, -EINVAL, "one file is reached twice: %s lies in the tree %s", seen[i].path, folder);
            goto done;
        }
        if (seen[i].folder) folder = seen[i].path;
    }
done:
    for (size_t i = 0; i < count; i++) free(seen[i].path);
    free(seen);
    return rc;
}

static int add_dataset(struct building *build, const struct dataset *dataset, uint32_t d, struct err *err)
{
    size_t first = build->list->count;
    int    rc = 0;

    if (find_shared_folder(build, dataset) < 0) return err_memory(err, 0, "a folder's path");
    for (uint32_t s = 0; rc == 0 && s < dataset->split_count; s++) {
        size_t begin = build->list->count;

        rc = add_split(build, dataset, d, s, err);
        if (rc == 0 && dataset->format != FORMAT_LINES && build->list->count > begin)
            qsort(build->list->at + begin, build->list->count - begin, sizeof *build->list->at, by_name);
    }
    if (rc == 0 && build->list->count > first)
        rc = check_distinct(build->list->at + first, build->list->count - first, err);
    return rc < 0 ? err_add(err, "dataset %s", dataset->name) : 0;
}

int shard_list_open(struct shard_list *out, const struct dataset *datasets, size_t count, const char *base,
                    struct err *err)
{
    struct building build = { .list = out, .base = base };
    int             rc = 0;

    *out = (struct shard_list){ 0 };
    for (size_t d = 0; rc == 0 && d < count; d++) rc = add_dataset(&build, &datasets[d], (uint32_t)d, err);
    bytes_free(&build.shared);
    if (rc < 0) shard_list_free(out);
    return rc;
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->at[i].path);
        free(list->at[i].name);
    }
    free(list->at);
    *list = (struct shard_list){ 0 };
}
