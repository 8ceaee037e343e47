/* repository/names.c -- what a repository is called: see repository.h. */
#include "repository/repository.h"

#include "base/file.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* Without blanks, NUL and slashes around it. */
static struct slice trimmed(struct slice name)
{
    static const char around[] = " \t\n\v\f\r/";             /* its NUL too */

    while (name.len && memchr(around, name.at[0], sizeof around)) name.at++, name.len--;
    while (name.len && memchr(around, name.at[name.len - 1], sizeof around)) name.len--;
    return name;
}

/* Past a host that many write without a scheme; others might be an owner or a group. */
static struct slice without_known_host(struct slice name)
{
    static const char *const hosts[] = { "github.com", "www.github.com", "gitlab.com", "bitbucket.org",
                                         "codeberg.org" };

    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        const size_t len = strlen(hosts[i]);

        if (name.len < len || strncasecmp(name.at, hosts[i], len) != 0) continue;
        if (name.len == len || name.at[len] == '/') return (struct slice){ name.at + len, name.len - len };
    }
    return name;
}

/* Past `scheme://host/`, `user@host:`, or a known host. */
static struct slice without_host(struct slice name)
{
    const char *scheme = memmem(name.at, name.len, "://", 3), *from;

    if (scheme) from = memchr(scheme + 3, '/', name.len - (size_t)(scheme + 3 - name.at));
    else {
        from = memchr(name.at, '@', name.len);
        if (from) from = memchr(from, ':', name.len - (size_t)(from - name.at));
        if (!from || memchr(name.at, '/', (size_t)(from - name.at))) return without_known_host(trimmed(name));
    }
    if (!from) return (struct slice){ name.at + name.len, 0 };
    return (struct slice){ from + 1, name.len - (size_t)(from + 1 - name.at) };
}

int repository_normalise(struct slice name, struct bytes *out)
{
    out->len = 0;
    if (name.len) name = trimmed(without_host(name));
    if (name.len >= 4 && strncasecmp(name.at + name.len - 4, ".git", 4) == 0)
        name = trimmed((struct slice){ name.at, name.len - 4 });
    if (bytes_reserve(out, name.len + 1) < 0 || utf8_repair(out, name) < 0) return -ENOMEM;
    for (size_t i = 0; i < out->len; i++) {
        char c = out->at[i];

        out->at[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c ? c : ' ';
    }
    return 0;
}

/* The folders that a path begins with; fewer than asked for, and it names no repository. */
static struct slice path_begin(struct slice path, uint32_t components)
{
    size_t at = 0;

    while (path.len && (path.at[0] == '/' || (path.len > 1 && path.at[0] == '.' && path.at[1] == '/')))
        path.at++, path.len--;
    for (uint32_t c = 0; c < components; c++) {
        const char *slash = memchr(path.at + at, '/', path.len - at);

        if (!slash) return (struct slice){ path.at, 0 };
        at = (size_t)(slash - path.at) + 1;
    }
    return (struct slice){ path.at, at ? at - 1 : 0 };
}

int repository_of(const struct repository_options *options, struct slice repo, struct slice path, struct bytes *out)
{
    if (repository_normalise(repo, out) < 0) return -ENOMEM;
    if (out->len || !options->path_components || !path.len) return 0;
    return repository_normalise(path_begin(path, options->path_components), out);
}

/* ---- renames ---- */

static uint32_t rename_find(const struct repository_renames *renames, struct slice from)
{
    struct unit_key key = unit_key_add((struct unit_key){ 0, 0 }, from.at, from.len);

    return renames->count ? table_find(&renames->table, key.low, key.high) : TABLE_NONE;
}

struct slice repository_renamed(const struct repository_renames *renames, struct slice name)
{
    uint32_t at = rename_find(renames, name);

    return at == TABLE_NONE ? name : renames->at[at].to;
}

static int rename_add(struct repository_renames *out, struct slice line, struct bytes *scratch, const char *path,
                      size_t number, struct err *err)
{
    const char     *tab = memchr(line.at, '\t', line.len);
    size_t          from_at = out->text.len, to_at;
    struct unit_key key;
    bool            added;

    if (!tab || memchr(tab + 1, '\t', line.len - (size_t)(tab + 1 - line.at)))
        return err_set(err, -EINVAL, "%s:%zu: a line must be a repository's old name, a TAB and its new name", path,
                       number);
    if (repository_normalise((struct slice){ line.at, (size_t)(tab - line.at) }, scratch) < 0 ||
        bytes_append_slice(&out->text, bytes_slice(scratch)) < 0)
        return err_memory(err, line.len, "renames");
    to_at = out->text.len;
    if (repository_normalise((struct slice){ tab + 1, line.len - (size_t)(tab + 1 - line.at) }, scratch) < 0 ||
        bytes_append_slice(&out->text, bytes_slice(scratch)) < 0) return err_memory(err, line.len, "renames");
    if (to_at == from_at || out->text.len == to_at) return err_set(err, -EINVAL, "%s:%zu: an empty name", path, number);
    if (out->count == out->room) {
        size_t         room = 2 * out->room + 64;
        struct repository_rename *grown = realloc(out->at, room * sizeof *grown);

        if (!grown) return err_memory(err, room * sizeof *grown, "renames");
        out->at = grown;
        out->room = room;
    }
    key = unit_key_add((struct unit_key){ 0, 0 }, out->text.at + from_at, to_at - from_at);
    if (table_put(&out->table, key.low, key.high, (uint32_t)out->count, &added) == TABLE_NONE)
        return err_memory(err, 32, "renames");
    if (!added) return err_set(err, -EINVAL, "%s:%zu: this name is renamed in an earlier line already", path, number);
    /* at: when the text stays where it is */
    out->at[out->count++] = (struct repository_rename){ { NULL, to_at - from_at }, { NULL, out->text.len - to_at } };
    return 0;
}

/* Every name becomes the last of its chain at once.  From each rename one goes on to the next, then in steps of two,
 * four, …, so that a chain as long as the list takes no longer than others. */
static int renames_resolve(struct repository_renames *renames, const char *path, struct err *err)
{
    uint32_t *next = calloc(renames->count + 1, sizeof *next);
    int       rc = next ? 0 : err_memory(err, renames->count * sizeof *next, "renames");

    for (uint32_t i = 0; i < renames->count && rc == 0; i++) {
        next[i] = rename_find(renames, renames->at[i].to);
        if (next[i] == TABLE_NONE) next[i] = i;             /* the last of its chain */
    }
    for (size_t step = 1; step < renames->count && rc == 0; step *= 2)
        for (size_t i = 0; i < renames->count; i++) next[i] = next[next[i]];
    for (size_t i = 0; i < renames->count && rc == 0; i++) {
        struct slice name = renames->at[next[i]].to;

        if (rename_find(renames, name) != TABLE_NONE)
            rc = err_set(err, -EINVAL, "%s: names in a circle: `%.*s` is renamed to itself in the end", path,
                         (int)(name.len < 100 ? name.len : 100), name.at);
        renames->at[i].to = name;
    }
    free(next);
    return rc;
}

int repository_renames_read(struct repository_renames *out, const char *path, struct err *err)
{
    struct bytes scratch = { 0 };
    char        *line = NULL;
    const char  *at;
    size_t       room = 0, number = 0;
    ssize_t      len;
    FILE        *file;
    int          rc = 0;

    *out = (struct repository_renames){ 0 };
    if (!path || !*path) return 0;
    file = file_stream(path, "re");
    if (!file) return err_set(err, -EIO, "%s: %s", path, strerror(errno));
    while (rc == 0 && (len = getline(&line, &room, file)) >= 0) {
        struct slice text = { line, (size_t)len };

        if (number++ == 0) text = utf8_without_mark(text);
        while (text.len && (text.at[text.len - 1] == '\n' || text.at[text.len - 1] == '\r')) text.len--;
        if (text.len && text.at[0] != '#') rc = rename_add(out, text, &scratch, path, number, err);
    }
    if (rc == 0 && ferror(file)) rc = err_set(err, -EIO, "%s: cannot be read", path);
    fclose(file);
    free(line);
    bytes_free(&scratch);
    at = out->text.at;
    for (size_t i = 0; i < out->count; i++) {
        out->at[i].from.at = at;
        out->at[i].to.at = at += out->at[i].from.len;
        at += out->at[i].to.len;
    }
    return rc < 0 ? rc : renames_resolve(out, path, err);
}

void repository_renames_free(struct repository_renames *renames)
{
    bytes_free(&renames->text);
    free(renames->at);
    table_free(&renames->table);
    *renames = (struct repository_renames){ 0 };
}
