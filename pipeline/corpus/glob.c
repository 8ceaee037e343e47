/* corpus/glob.c -- see glob.h. */
#include "corpus/glob.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>

const char *glob_component(const char *pattern, struct slice *component)
{
    for (;;) {
        while (*pattern == '/') pattern++;
        if (!*pattern) return NULL;
        component->at = pattern;
        component->len = strcspn(pattern, "/");
        pattern += component->len;
        if (!(component->len == 1 && component->at[0] == '.')) return pattern;
    }
}

static bool is_last(const char *rest)
{
    struct slice ignored;

    return glob_component(rest, &ignored) == NULL;
}

static bool is_deep(struct slice component) { return slice_equal(component, SLICE("**")); }

bool glob_is_wildcard(struct slice component)
{
    for (size_t i = 0; i < component.len; i++) {
        if (component.at[i] == '\\') i++;
        else if (strchr("*?[", component.at[i])) return true;
    }
    return false;
}

/* path := path "/" name, NUL-terminated beyond len.  An empty path is the current folder, "/" the root. */
static int push(struct bytes *path, const char *name, size_t len)
{
    bool slash = path->len > 0 && path->at[path->len - 1] != '/';

    if ((slash && bytes_append(path, "/", 1) < 0) || bytes_append(path, name, len) < 0 || bytes_append(path, "", 1) < 0)
        return -ENOMEM;
    path->len--;
    return 0;
}

static int push_literal(struct bytes *path, struct slice component)
{
    int rc = push(path, "", 0);

    for (size_t i = 0; rc == 0 && i < component.len; i++) {
        if (component.at[i] == '\\' && i + 1 < component.len) i++;
        rc = bytes_append(path, &component.at[i], 1);
    }
    if (rc == 0 && (rc = bytes_append(path, "", 1)) == 0) path->len--;
    return rc;
}

static void pop(struct bytes *path, size_t len)
{
    path->len = len;
    if (path->at) path->at[len] = '\0';
}

/* Where a pattern starts: the root, or base without its closing slashes. */
static int push_start(struct bytes *path, const char *base, const char *pattern)
{
    size_t len = base ? strlen(base) : 0;

    path->len = 0;
    if (pattern[0] == '/') return push(path, "/", 1);
    while (len > 1 && base[len - 1] == '/') len--;
    return push(path, base ? base : "", len);
}

static int add_path(struct glob_paths *out, const char *path)
{
    char *copy = strdup(path);

    if (copy && out->count == out->room) {
        size_t room = out->room ? out->room * 2 : 64;
        char **at = realloc(out->at, room * sizeof *at);

        if (!at) {
            free(copy);
            return -ENOMEM;
        }
        out->at = at;
        out->room = room;
    }
    if (!copy) return -ENOMEM;
    out->at[out->count++] = copy;
    return 0;
}

static const char *name_of(const struct bytes *path) { return path->len ? path->at : "."; }

/* The names in a folder.  All are read before any is looked at, so that a deep `**` holds no open folder a level.  A
 * path that is no folder has no names; one that cannot be read is an error, because its files would be missing in
 * silence. */
static int list_folder(const struct bytes *path, struct glob_paths *names, struct err *err)
{
    DIR           *dir = file_list(name_of(path));
    struct dirent *entry;
    int            rc = 0;

    if (!dir) {
        if (errno == ENOENT || errno == ENOTDIR) return 0;
        return err_set(err, errno == ENOMEM ? -ENOMEM : -EIO, "%s: cannot read the folder: %s", name_of(path),
                       strerror(errno));
    }
    while (rc == 0) {
        errno = 0;
        entry = readdir(dir);
        if (!entry) {
            if (errno) rc = err_set(err, -EIO, "%s: cannot read the folder: %s", name_of(path), strerror(errno));
            break;
        }
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") && (rc = add_path(names, entry->d_name)) < 0)
            err_memory(err, names->count, "the names in a folder");
    }
    closedir(dir);
    return rc;
}

/* What is at the path itself: 1; 0: nothing; -EIO where that cannot be asked, as in a folder that may be listed but not
 * searched: its files would be missing in silence. */
static int look_at(const struct bytes *path, struct stat *st, struct err *err)
{
    if (lstat(path->at, st) == 0) return 1;
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) return 0;
    return err_set(err, -EIO, "%s: cannot be read: %s", path->at, strerror(errno));
}

static int expand(struct glob_paths *out, struct bytes *path, const char *pattern, struct err *err);

/* Goes on below path/name: a match when the pattern ends here, else the rest of the pattern. */
static int descend(struct glob_paths *out, struct bytes *path, const char *rest, bool files_only, struct err *err)
{
    struct stat st;
    int         rc;

    if (!is_last(rest)) return expand(out, path, rest, err);
    rc = look_at(path, &st, err);
    if (rc <= 0 || (files_only && S_ISDIR(st.st_mode))) return rc < 0 ? rc : 0;
    return add_path(out, path->at) < 0 ? err_memory(err, path->len, "a path") : 0;
}

/* path/name as the component says: a wildcard that matches it, or `**` that enters it. */
static int try_name(struct glob_paths *out, struct bytes *path, const char *name, const char *wildcard,
                    const char *pattern,
                    const char *rest, struct err *err)
{
    bool        deep = !strcmp(wildcard, "**"), files_only = deep && is_last(rest);
    size_t      len = path->len;
    struct stat st;
    int         rc;

    if (deep ? name[0] == '.' : fnmatch(wildcard, name, FNM_PERIOD) != 0) return 0;
    if (push(path, name, strlen(name)) < 0) return err_memory(err, len, "a path");
    if (!deep) rc = descend(out, path, rest, false, err);
    else if ((rc = look_at(path, &st, err)) > 0) rc = S_ISDIR(st.st_mode) ? expand(out, path, pattern, err) : 0;
    /* At the end of a pattern `**` stands for the files themselves too; before another component that one does the
     * matching. */
    if (rc == 0 && files_only) {
        if (stat(path->at, &st) < 0 || !S_ISDIR(st.st_mode)) rc = descend(out, path, rest, true, err);
    }
    pop(path, len);
    return rc;
}

/* Matches the pattern's first component below path.  Recursion is as deep as the path is long, which the system bounds.
 */
static int expand(struct glob_paths *out, struct bytes *path, const char *pattern, struct err *err)
{
    struct glob_paths names = { 0 };
    struct slice      component;
    const char       *rest = glob_component(pattern, &component);
    size_t            len = path->len;
    char             *wildcard;
    int               rc = 0;

    if (!rest) return 0;
    if (!glob_is_wildcard(component)) {
        if (push_literal(path, component) < 0) return err_memory(err, len, "a path");
        rc = descend(out, path, rest, false, err);
        pop(path, len);
        return rc;
    }
    if (is_deep(component) && !is_last(rest)) rc = expand(out, path, rest, err);        /* no folder between */
    wildcard = strndup(component.at, component.len);
    if (!wildcard) rc = err_memory(err, component.len, "a pattern");
    if (rc == 0) rc = list_folder(path, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        rc = try_name(out, path, names.at[i], wildcard, pattern, rest, err);
    free(wildcard);
    glob_paths_free(&names);
    return rc;
}

/* Whether something is there by the pattern's very name; then it is the only match.  Nothing but dots and slashes is
 * the name of the folder in which it starts. */
static int add_literal(struct glob_paths *out, struct bytes *path, const char *pattern, struct err *err)
{
    size_t       len = path->len;
    struct slice component;
    const char  *rest = pattern;
    struct stat  st;
    int          rc = *pattern && is_last(pattern) ? push(path, ".", 1) : 0;

    while (rc == 0 && (rest = glob_component(rest, &component))) rc = push(path, component.at, component.len);
    if (rc == 0 && path->len > len && lstat(path->at, &st) == 0) rc = add_path(out, path->at) < 0 ? -ENOMEM : 1;
    pop(path, len);
    return rc < 0 ? err_memory(err, len + strlen(pattern), "a path") : rc;
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int glob_expand(struct glob_paths *out, const char *base, const char *pattern, struct err *err)
{
    size_t       first = out->count, kept = out->count;
    struct bytes path = { 0 };
    int          rc;

    rc = push_start(&path, base, pattern) < 0 ? err_memory(err, strlen(pattern), "a path")
        : add_literal(out, &path, pattern, err);
    if (rc == 0) rc = expand(out, &path, pattern, err);
    bytes_free(&path);
    if (out->count > first) qsort(out->at + first, out->count - first, sizeof *out->at, by_bytes);
    for (size_t i = first; i < out->count; i++) {           /* two `**` can reach one path in two ways */
        if (kept > first && !strcmp(out->at[kept - 1], out->at[i])) free(out->at[i]);
        else out->at[kept++] = out->at[i];
    }
    out->count = kept;
    return rc < 0 ? rc : 0;
}

void glob_paths_free(struct glob_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) free(paths->at[i]);
    free(paths->at);
    *paths = (struct glob_paths){ 0 };
}

int glob_literal_folder(struct bytes *out, const char *base, const char *pattern)
{
    struct slice component;
    const char  *rest;
    int          rc = push_start(out, base, pattern);

    while (rc == 0 && (rest = glob_component(pattern, &component)) && !is_last(rest) && !glob_is_wildcard(component)) {
        rc = push_literal(out, component);
        pattern = rest;
    }
    return rc;
}

int glob_from(struct bytes *out, const char *base, const char *pattern)
{
    int rc = 0;

    out->len = 0;
    for (const char *at = base; *pattern != '/' && *at && rc == 0; at++) {
        if (strchr("\\*?[", *at)) rc = bytes_append(out, "\\", 1);
        if (rc == 0) rc = bytes_append(out, at, 1);
    }
    if (rc == 0 && *pattern != '/' && (!out->len || out->at[out->len - 1] != '/')) rc = bytes_append(out, "/", 1);
    return rc < 0 ? rc : bytes_append(out, pattern, strlen(pattern) + 1);
}

/* ---- paths that are there already ---- */

enum { COMPONENT_MAX = 1024 };                              /* no file system has longer names; a longer one is cut */

/* The component of path at *at, which is moved behind it; false at the end. */
static bool path_component(struct slice path, size_t *at, struct slice *out)
{
    for (;;) {
        while (*at < path.len && path.at[*at] == '/') ++*at;
        if (*at == path.len) return false;
        out->at = path.at + *at;
        while (*at < path.len && path.at[*at] != '/') ++*at;
        out->len = (size_t)(path.at + *at - out->at);
        if (!(out->len == 1 && out->at[0] == '.')) return true;
    }
}

static bool component_matches(struct slice pattern, struct slice name)
{
    char   a[COMPONENT_MAX], b[COMPONENT_MAX];
    size_t m = pattern.len < sizeof a ? pattern.len : sizeof a - 1, n = name.len < sizeof b ? name.len : sizeof b - 1;

    memcpy(a, pattern.at, m);
    memcpy(b, name.at, n);
    a[m] = b[n] = '\0';
    return fnmatch(a, b, 0) == 0;
}

/* Only the last `**` need take more: what the ones before it took is the least that leads there. */
bool glob_matches(const char *pattern, struct slice path)
{
    const char  *rest, *after_deep = NULL;
    struct slice component, name;
    size_t       at = 0, deep_at = 0, before;
    bool         met = false;

    while ((rest = glob_component(pattern, &component))) {
        before = at;
        if (!path_component(path, &at, &name)) return false;
        met = true;
        if (is_deep(component)) {
            if (is_last(rest)) return true;
            after_deep = pattern = rest;
            deep_at = at = before;
        } else if (component_matches(component, name)) {
            pattern = rest;
        } else if (after_deep) {
            pattern = after_deep;
            at = deep_at;
            path_component(path, &at, &name);
            deep_at = at;
        } else return false;
    }
    return met;
}
