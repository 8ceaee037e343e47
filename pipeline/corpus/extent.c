/* corpus/extent.c -- see extent.h.
 *
 * Both a dataset's glob and a glob of what is written are taken as lists of components from the root: what is literal
 * with links followed, then what has wildcards.  Whether a path exists that both match is a table over the ends of the
 * two lists.  Where that cannot be told from two components with wildcards, they are said to meet. */
#include "corpus/extent.h"

#include "base/file.h"
#include "corpus/glob.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the folder of a dataset ---- */

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
int extent_folder(struct bytes *out, const struct dataset *dataset, const char *base)
{
    struct bytes folder = { 0 };
    bool         first = true;
    int          rc = 0;

    out->len = 0;
    for (size_t s = 0; s < dataset->split_count; s++)
        for (size_t g = 0; rc == 0 && g < dataset->splits[s].glob_count; g++, first = false) {
            rc = glob_literal_folder(&folder, base, dataset->splits[s].globs[g]);
            if (rc == 0 && first) rc = bytes_append_slice(out, bytes_slice(&folder));
            else if (rc == 0) out->len = shared_folder(bytes_slice(out), bytes_slice(&folder));
        }
    bytes_free(&folder);
    return rc;
}

/* ---- paths ---- */

/* Appends the NUL, which is not counted. */
static int terminate(struct bytes *text)
{
    int rc = bytes_append(text, "", 1);

    if (rc == 0) text->len--;
    return rc;
}

/* The path from the root with links followed as far as there is something; *there: how long that part is.
 * NUL-terminated beyond out->len. */
static int resolve(const char *path, struct bytes *out, size_t *there, struct err *err)
{
    size_t len = strlen(path);
    char  *part = strdup(path), *real = NULL;
    int    rc = part ? 0 : err_memory(err, len, "a path");

    out->len = 0;
    while (rc == 0 && !real) {
        if ((rc = file_real_path(len ? part : path[0] == '/' ? "/" : ".", &real, err)) < 0 || real || len == 0) break;
        while (len && part[len - 1] == '/') len--;
        while (len && part[len - 1] != '/') len--;
        part[len] = '\0';
    }
    if (rc == 0 && !real) rc = err_set(err, -EIO, "%s: cannot be told from the root: %s", path, strerror(errno));
    if (rc == 0 && bytes_append(out, real, strlen(real)) < 0) rc = err_memory(err, len, "a path");
    *there = out->len;
    while (rc == 0 && path[len] == '/') len++;
    if (rc == 0 && path[len] && ((out->at[out->len - 1] != '/' && bytes_append(out, "/", 1) < 0) ||
                                 bytes_append(out, path + len, strlen(path + len)) < 0))
        rc = err_memory(err, len, "a path");
    while (rc == 0 && out->len > 1 && out->at[out->len - 1] == '/') out->len--;
    if (rc == 0 && terminate(out) < 0) rc = err_memory(err, len, "a path");
    free(part);
    free(real);
    return rc;
}

/* What of path lies below the folder: "" for the folder itself, NULL when it lies elsewhere.  Both are from the root,
 * without links. */
static const char *below(const char *folder, const char *path)
{
    size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);

    if (strncmp(path, folder, len) != 0 || (path[len] && path[len] != '/')) return NULL;
    return path + len + (path[len] == '/');
}

/* ---- components ---- */

struct component { char *text; bool wild; };                /* wild: a pattern, else literal and without escapes */
struct components { struct component *at; size_t count, room; };

static void components_free(struct components *list)
{
    for (size_t i = 0; i < list->count; i++) free(list->at[i].text);
    free(list->at);
    *list = (struct components){ 0 };
}

static int components_add(struct components *list, struct slice text, bool wild)
{
    char *copy = strndup(text.at, text.len);

    if (!copy || ARRAY_GROW(list->at, list->room, list->count) < 0) {
        free(copy);
        return -ENOMEM;
    }
    list->at[list->count++] = (struct component){ copy, wild };
    return 0;
}

/* Of a real path, which has no wildcards. */
static int components_add_path(struct components *list, const char *path)
{
    int rc = 0;

    for (size_t len; rc == 0 && *(path += strspn(path, "/")); path += len) {
        len = strcspn(path, "/");
        rc = components_add(list, (struct slice){ path, len }, false);
    }
    return rc;
}

static int components_add_pattern(struct components *list, const char *pattern)
{
    struct slice component;
    int          rc = 0;

    while (rc == 0 && (pattern = glob_component(pattern, &component)))
        rc = components_add(list, component, glob_is_wildcard(component));
    return rc;
}

/* A dataset's glob from the root: what is literal at its begin has its links followed. */
static int components_of_glob(struct components *list, const char *base, const char *glob, struct err *err)
{
    struct bytes literal = { 0 }, real = { 0 };
    struct slice component;
    const char  *rest = glob, *next;
    size_t       there;
    int          rc = bytes_printf(&literal, "%s", glob[0] == '/' ? "/" : base && *base ? base : ".");

    while (rc == 0 && (next = glob_component(rest, &component)) && !glob_is_wildcard(component)) {
        rc = bytes_append(&literal, "/", 1);
        for (size_t i = 0; rc == 0 && i < component.len; i++) {
            if (component.at[i] == '\\' && i + 1 < component.len) i++;
            rc = bytes_append(&literal, &component.at[i], 1);
        }
        rest = next;
    }
    if (rc == 0) rc = terminate(&literal);
    if (rc < 0) err_memory(err, literal.len, "a path");
    if (rc == 0) rc = resolve(literal.at, &real, &there, err);
    if (rc == 0 && (components_add_path(list, real.at) < 0 || components_add_pattern(list, rest) < 0))
        rc = err_memory(err, real.len, "a path");
    bytes_free(&literal);
    bytes_free(&real);
    return rc;
}

/* ---- what two globs have in common ---- */

static bool is_deep(const struct component *c) { return c->wild && strcmp(c->text, "**") == 0; }

static bool is_hidden(const struct component *c) { return c->text[0] == '.'; }

/* Two patterns may meet unless what they begin or end with literally differs. */
static bool patterns_meet(const char *a, const char *b)
{
    static const char special[] = "*?[]\\";
    size_t            from = 0, m = strlen(a), n = strlen(b);

    while (a[from] && b[from] && !strchr(special, a[from]) && !strchr(special, b[from]))
        if (a[from] != b[from]) return false;
        else from++;
    while (m && n && !strchr(special, a[m - 1]) && !strchr(special, b[n - 1]))
        if (a[--m] != b[--n]) return false;
    return true;
}

static bool components_meet(const struct component *read, const struct component *written)
{
    if (!read->wild && !written->wild) return strcmp(read->text, written->text) == 0;
    if (!written->wild) return fnmatch(read->text, written->text, FNM_PERIOD) == 0;
    if (!read->wild) return fnmatch(written->text, read->text, 0) == 0;
    return patterns_meet(read->text, written->text);
}

/* Whether read[i..] and written[j..] meet, which all later ends have been asked already.  A glob that ends at a folder
 * stands for all that is in it; one that is there (up to `there` components) has been looked at as a shard. */
static bool ends_meet(const struct components *read, const struct components *written, size_t there, const bool *table,
                      size_t i, size_t j)
{
    const size_t            width = written->count + 1;
    const struct component *a = &read->at[i], *b = &written->at[j];
    bool                    hidden = false;

    if (j == written->count) return i == read->count;
    if (i == read->count) return j > there;
    if (is_deep(a) && i + 1 == read->count) {
        for (; j < written->count; j++) hidden |= is_hidden(&written->at[j]);
        return !hidden;
    }
    if (is_deep(a)) return table[(i + 1) * width + j] || (!is_hidden(b) && table[i * width + j + 1]);
    /* folders within what is written are not called as shards are */
    if (is_deep(b)) return table[i * width + j + 1] || (i + 1 < read->count && table[(i + 1) * width + j]);
    return components_meet(a, b) && table[(i + 1) * width + j + 1];
}

/* 1, 0 or -ENOMEM. */
static int globs_meet(const struct components *read, const struct components *written, size_t there)
{
    bool *table = calloc((read->count + 1) * (written->count + 1), sizeof *table);
    int   met;

    if (!table) return -ENOMEM;
    for (size_t i = read->count + 1; i-- > 0;)
        for (size_t j = written->count + 1; j-- > 0;)
            table[i * (written->count + 1) + j] = ends_meet(read, written, there, table, i, j);
    met = table[0];
    free(table);
    return met;
}

/* ---- the check ---- */

struct check {
    const struct dataset *dataset;
    const char           *base;
    const char *const    *written;
    struct bytes          output;                           /* from the root */
    size_t                there;                            /* how many of its components are there */
    struct err           *err;
};

/* inside: where the output lies below the folder that the dataset's `exclude` is relative to; "" or NULL: not there. */
static int check_refuse(const struct check *check, const char *what, const char *inside)
{
    char leave_out[600] = "";

    if (inside && *inside && check->dataset->format != FORMAT_LINES && !check->dataset->exclude_count)
        snprintf(leave_out, sizeof leave_out, ", or leave it out with --set 'datasets.%.100s.exclude=[%.400s]'",
                 check->dataset->name, inside);
    return err_set(check->err, -EINVAL,
                   "dataset %s: '%s' would read the results, too, which go to %s: choose an --output outside it%s",
                   check->dataset->name, what, check->output.at, leave_out);
}

/* A shard that is there: a folder that holds the output, or a file of an earlier run that a link leads to. */
static int check_shard(const struct check *check, const struct shard *shard)
{
    enum skip_reason reason;
    const char      *inside;
    char            *real;
    int              rc = file_real_path(shard->path, &real, check->err);

    if (rc < 0 || !real) return rc;
    inside = shard->tree ? below(real, check->output.at) : NULL;
    if (inside && (!*inside || !skip_of_path(check->dataset, slice_of(inside), &reason)))
        rc = check_refuse(check, shard->path, inside);
    inside = shard->tree ? NULL : below(check->output.at, real);
    for (const char *const *glob = check->written; inside && *glob && rc == 0; glob++)
        if (glob_matches(*glob, slice_of(inside))) rc = check_refuse(check, shard->path, NULL);
    free(real);
    return rc;
}

/* Where the output lies below the dataset's folder, or NULL. */
static int check_inside(const struct check *check, struct bytes *room, const char **inside)
{
    struct bytes folder = { 0 };
    size_t       there;
    int          rc = extent_folder(&folder, check->dataset, check->base);

    if (rc == 0) rc = terminate(&folder);
    if (rc < 0) err_memory(check->err, folder.len, "a path");
    if (rc == 0) folder.at[folder.len] = '\0';
    if (rc == 0) rc = resolve(folder.len ? folder.at : ".", room, &there, check->err);
    *inside = rc == 0 ? below(room->at, check->output.at) : NULL;
    bytes_free(&folder);
    return rc;
}

static int check_glob(const struct check *check, const char *glob)
{
    struct components read = { 0 }, written = { 0 };
    struct bytes      room = { 0 };
    const char       *inside;
    int               met = 0, rc = components_of_glob(&read, check->base, glob, check->err);

    for (const char *const *file = check->written; *file && rc == 0 && !met; file++) {
        components_free(&written);
        if (components_add_path(&written, check->output.at) < 0 || components_add_pattern(&written, *file) < 0 ||
            (met = globs_meet(&read, &written, check->there)) < 0)
            rc = err_memory(check->err, check->output.len, "a path");
    }
    if (rc == 0 && met) {
        rc = check_inside(check, &room, &inside);
        if (rc == 0 && !(inside && *inside && dataset_excludes(check->dataset, slice_of(inside))))
            rc = check_refuse(check, glob, inside);
    }
    components_free(&read);
    components_free(&written);
    bytes_free(&room);
    return rc;
}

int extent_check(const struct dataset *datasets, size_t count, const char *base, const struct shard_list *shards,
                 const char *output, const char *const *written, struct err *err)
{
    struct check check = { .base = base, .written = written, .err = err };
    size_t       there;
    int          rc = resolve(output, &check.output, &there, err);

    for (size_t i = 1; rc == 0 && i < there; i++) check.there += check.output.at[i] == '/';
    check.there += rc == 0 && there > 1;
    for (size_t s = 0; s < shards->count && rc == 0; s++) {
        check.dataset = &datasets[shards->at[s].dataset];
        rc = check_shard(&check, &shards->at[s]);
    }
    for (size_t d = 0; d < count; d++)
        for (size_t s = 0; s < datasets[d].split_count; s++)
            for (size_t g = 0; g < datasets[d].splits[s].glob_count && rc == 0; g++) {
                check.dataset = &datasets[d];
                rc = check_glob(&check, datasets[d].splits[s].globs[g]);
            }
    bytes_free(&check.output);
    return rc;
}
