/* corpus/distinct.c -- see distinct.h. */
#include "corpus/distinct.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A shard as the file system knows it.  path: without links. */
struct identity { dev_t device; ino_t inode; bool folder, gone; char *path; size_t shard; };

static int by_identity(const void *a, const void *b)
{
    const struct identity *left = a, *right = b;

    if (left->device != right->device) return left->device < right->device ? -1 : 1;
    if (left->inode != right->inode) return left->inode < right->inode ? -1 : 1;
    return (left->shard > right->shard) - (left->shard < right->shard);
}

/* With '/' before every other byte, so that what lies in a folder follows it directly. */
static int by_real_path(const void *a, const void *b)
{
    const struct identity *left = a, *right = b;
    const char            *l = left->path, *r = right->path;

    while (*l && *l == *r) l++, r++;
    if (!*l && !*r) return (left->shard > right->shard) - (left->shard < right->shard);
    if (*l == '/' || *r == '/') return *l == '/' ? (*r ? -1 : 1) : (*l ? 1 : -1);
    return (unsigned char)*l - (unsigned char)*r;
}

static bool same_file(const struct identity *a, const struct identity *b)
{
    return a->device == b->device && a->inode == b->inode;
}

static bool lies_in(const char *path, const char *folder)
{
    size_t len = strlen(folder);

    return !strncmp(path, folder, len) && (path[len] == '/' || folder[len - 1] == '/');
}

static void identities_free(struct identity *seen, size_t count)
{
    for (size_t i = 0; seen && i < count; i++) free(seen[i].path);
    free(seen);
}

/* Of the shards from `first` on.  NULL with err set. */
static struct identity *identities(const struct shard_list *list, size_t first, struct err *err)
{
    size_t           count = list->count - first;
    struct identity *seen = calloc(count + 1, sizeof *seen);
    struct stat      st;

    if (!seen) err_memory(err, count * sizeof *seen, "the identities of shards");
    for (size_t i = 0; seen && i < count; i++) {
        const char *path = list->at[first + i].path;

        seen[i].path = realpath(path, NULL);
        if (!seen[i].path || stat(path, &st) < 0) {
            err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot be read: %s", path, strerror(errno));
            identities_free(seen, count);
            return NULL;
        }
        seen[i].device = st.st_dev;
        seen[i].inode = st.st_ino;
        seen[i].folder = S_ISDIR(st.st_mode);
        seen[i].shard = first + i;
    }
    return seen;
}

__attribute__((format(printf, 2, 3)))
static int warn(struct shard_list *list, const char *format, ...)
{
    char    text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return bytes_append(&list->warnings, text, strlen(text) + 1);
}

/* ---- in one dataset ---- */

struct twins { const struct dataset *dataset; struct shard_list *list; size_t count, first, second; };

/* The shard `second` is, or lies in, the shard `first`. */
static int note_twin(struct twins *twins, const struct identity *first, struct identity *second, const char *how,
                     struct err *err)
{
    const struct shard *a = &twins->list->at[first->shard], *b = &twins->list->at[second->shard];

    if (a->split != b->split)
        return err_set(err, -EINVAL, "one file is in two splits, `%s` and `%s`: %s %s %s",
                       twins->dataset->splits[a->split].name, twins->dataset->splits[b->split].name, b->path, how,
                       a->path);
    second->gone = true;
    if (!twins->count++) {
        twins->first = first->shard;
        twins->second = second->shard;
    }
    return 0;
}

static int find_twins(struct twins *twins, struct identity *seen, size_t count, struct err *err)
{
    const struct identity *folder = NULL;
    int                    rc = 0;

    qsort(seen, count, sizeof *seen, by_identity);
    for (size_t i = 1, first = 0; i < count && rc == 0; i++) {
        if (!same_file(&seen[i], &seen[first])) first = i;
        else rc = note_twin(twins, &seen[first], &seen[i], "is the same as", err);
    }
    qsort(seen, count, sizeof *seen, by_real_path);
    for (size_t i = 0; i < count && rc == 0; i++) {
        if (seen[i].gone) continue;
        if (folder && lies_in(seen[i].path, folder->path)) rc = note_twin(twins, folder, &seen[i], "lies in", err);
        else if (seen[i].folder) folder = &seen[i];
    }
    return rc;
}

static void take_out(struct shard_list *list, size_t first, const struct identity *seen)
{
    size_t count = list->count - first, kept = first;

    for (size_t i = 0; i < count; i++) {
        struct shard *shard = &list->at[seen[i].shard];

        if (!seen[i].gone) continue;
        free(shard->path);
        free(shard->name);
        shard->path = NULL;
    }
    for (size_t s = first; s < list->count; s++)
        if (list->at[s].path) list->at[kept++] = list->at[s];
    list->count = kept;
}

int shards_make_distinct(struct shard_list *list, size_t first, const struct dataset *dataset, struct err *err)
{
    struct twins     twins = { .dataset = dataset, .list = list };
    size_t           count = list->count - first;
    struct identity *seen = count > 1 ? identities(list, first, err) : NULL;
    int              rc;

    if (!seen) return count > 1 ? err->code : 0;
    rc = find_twins(&twins, seen, count, err);
    if (rc == 0 && twins.count &&
        warn(list, "dataset %s: %zu of its %zu files %s reached by a second name and read once: %s is %s",
             dataset->name, twins.count, count, twins.count == 1 ? "is" : "are", list->at[twins.second].path,
             list->at[twins.first].path) < 0)
        rc = err_memory(err, 1024, "a warning");
    if (rc == 0 && twins.count) take_out(list, first, seen);
    identities_free(seen, count);
    return rc;
}

/* ---- of two datasets ---- */

/* by [dataset][dataset]: how many files, and the first of them */
struct common { size_t count, shard; };

/* Asked for are files of datasets `front` and `back`, in that order, where pairs says so. */
struct sharing {
    const struct shard_list *list;
    const struct dataset    *datasets;
    size_t                   count, first;
    bool                   (*pairs)(const struct sharing *s, uint32_t front, uint32_t back);
    struct common           *common;
};

static void note_common(struct sharing *s, const struct identity *a, const struct identity *b)
{
    uint32_t       x = s->list->at[a->shard].dataset, y = s->list->at[b->shard].dataset;
    struct common *common;

    if (!s->pairs(s, x, y) && !s->pairs(s, y, x)) return;
    common = s->pairs(s, x, y) ? &s->common[x * s->count + y] : &s->common[y * s->count + x];
    if (!common->count++) common->shard = b->shard;
}

/* Equal files stand beside each other by identity; a file in another's folder is met with all folders around it. */
static void find_common(struct sharing *s, struct identity *seen, size_t count, const struct identity **around)
{
    size_t depth = 0;

    qsort(seen, count, sizeof *seen, by_identity);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (!same_file(&seen[i], &seen[first])) first = i;
        for (size_t j = first; j < i; j++) note_common(s, &seen[j], &seen[i]);
    }
    qsort(seen, count, sizeof *seen, by_real_path);
    for (size_t i = 0; i < count; i++) {
        while (depth && strcmp(around[depth - 1]->path, seen[i].path) &&
               !lies_in(seen[i].path, around[depth - 1]->path)) depth--;
        for (size_t j = 0; j < depth; j++)
            if (!same_file(around[j], &seen[i])) note_common(s, around[j], &seen[i]);
        if (seen[i].folder) around[depth++] = &seen[i];
    }
}

/* Fills in common, which is the caller's to free. */
static int sharing_find(struct sharing *s, struct err *err)
{
    const struct identity **around = calloc(s->list->count + 1, sizeof *around);
    struct identity        *seen = NULL;
    int                     rc = 0;

    s->common = calloc(s->count * s->count, sizeof *s->common);
    if (!s->common || !around) rc = err_memory(err, s->count * s->count * sizeof *s->common,
                                                  "the identities of shards");
    if (rc == 0 && !(seen = identities(s->list, 0, err))) rc = err->code;
    if (rc == 0) find_common(s, seen, s->list->count, around);
    identities_free(seen, s->list->count);
    free(around);
    return rc;
}

static bool benchmark_and_corpus(const struct sharing *s, uint32_t front, uint32_t back)
{
    return s->datasets[front].role == ROLE_BENCHMARK && s->datasets[back].role != ROLE_BENCHMARK;
}

static int warn_common(struct sharing *s, struct shard_list *list, struct err *err)
{
    for (size_t x = 0; x < s->count; x++)
        for (size_t y = 0; y < s->count; y++) {
            const struct common *common = &s->common[x * s->count + y];

            if (common->count && warn(list, "benchmark %s and corpus %s have %zu file%s in common, which will count as "
                                            "leaked: %s", s->datasets[x].name, s->datasets[y].name, common->count,
                                      common->count == 1 ? "" : "s", list->at[common->shard].path) < 0)
                return err_memory(err, 1024, "a warning");
        }
    return 0;
}

int shards_find_shared(struct shard_list *list, const struct dataset *datasets, size_t count, struct err *err)
{
    struct sharing s = { .list = list, .datasets = datasets, .count = count, .pairs = benchmark_and_corpus };
    size_t         benchmarks = 0;
    int            rc;

    for (size_t d = 0; d < count; d++) benchmarks += datasets[d].role == ROLE_BENCHMARK;
    if (!benchmarks || benchmarks == count) return 0;
    rc = sharing_find(&s, err);
    if (rc == 0) rc = warn_common(&s, list, err);
    free(s.common);
    return rc;
}

static bool new_and_earlier(const struct sharing *s, uint32_t front, uint32_t back)
{
    return front >= s->first && front > back;
}

int shards_refuse_shared(const struct shard_list *list, const struct dataset *datasets, size_t count, size_t first,
                         struct err *err)
{
    struct sharing s = { .list = list, .datasets = datasets, .count = count, .first = first,
                         .pairs = new_and_earlier };
    int            rc = first < count ? sharing_find(&s, err) : 0;

    for (size_t x = first; x < count && rc == 0; x++)
        for (size_t y = 0; y < x && rc == 0; y++) {
            const struct common *common = &s.common[x * count + y];

            if (common->count)
                rc = err_set(err, -EINVAL, "datasets `%s` and `%s` have %zu file%s in common: %s", datasets[y].name,
                             datasets[x].name, common->count, common->count == 1 ? "" : "s",
                             list->at[common->shard].path);
        }
    free(s.common);
    return rc;
}
