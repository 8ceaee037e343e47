/* history/settings_changed.c -- see settings_changed.h. */
#include "history/settings_changed.h"

#include "base/file.h"
#include "base/option.h"
#include "graph/read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct said { struct slice path, value; };                  /* in the pool of its list */
struct said_list { struct said *at; size_t count, room; struct pool pool; struct bytes path, value; };

static void said_free(struct said_list *list)
{
    free(list->at);
    pool_free(&list->pool);
    bytes_free(&list->path);
    bytes_free(&list->value);
}

static int said_add(struct said_list *list, struct slice value)
{
    struct said *to;

    if (ARRAY_GROW(list->at, list->room, list->count) < 0) return -ENOMEM;
    to = &list->at[list->count];
    if (pool_copy(&list->pool, bytes_slice(&list->path), &to->path) < 0 ||
        pool_copy(&list->pool, value, &to->value) < 0) return -ENOMEM;
    list->count++;
    return 0;
}

/* ---- a tree to paths and values ---- */

static bool is_words(const struct node *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->child[i].kind != NODE_SCALAR) return false;
    return true;
}

static int words_add(struct said_list *list, const struct node *words)
{
    int rc;

    list->value.len = 0;
    rc = bytes_append(&list->value, "[", 1);
    for (size_t i = 0; i < words->count && rc == 0; i++) {
        if (i) rc = bytes_append(&list->value, ", ", 2);
        if (rc == 0)
            rc = words->child[i].quoted ? option_print_text(words->child[i].text, &list->value)
                : bytes_append_slice(&list->value, slice_of(words->child[i].text));
    }
    if (rc == 0) rc = bytes_append(&list->value, "]", 1);
    return rc < 0 ? rc : said_add(list, bytes_slice(&list->value));
}

static int node_add(struct said_list *list, const struct node *node);

/* A child under its key, its name, or its number. */
static int child_add(struct said_list *list, const struct node *node, size_t i)
{
    const size_t       before = list->path.len;
    const struct node *child = &node->child[i];
    const struct node *name = child->kind == NODE_MAP ? node_find(child, "name") : NULL;
    const char        *word = node->kind == NODE_MAP ? child->key : name && name->text && *name->text ? name->text
        : NULL;
    int                rc = word ? bytes_printf(&list->path, "%s%s", before ? "." : "", word)
        : bytes_printf(&list->path, "%s%zu", before ? "." : "", i);

    if (rc == 0) rc = node_add(list, child);
    list->path.len = before;
    return rc;
}

static int node_add(struct said_list *list, const struct node *node)
{
    int rc = 0;

    if (node->kind == NODE_SCALAR) return said_add(list, slice_of(*node->text ? node->text : "\"\""));
    if (node->kind == NODE_LIST && is_words(node)) return words_add(list, node);
    if (node->count == 0) return said_add(list, SLICE("{}"));
    for (size_t i = 0; i < node->count && rc == 0; i++) rc = child_add(list, node, i);
    return rc;
}

static int said_compare(const void *a, const void *b)
{
    const struct said *x = a, *y = b;
    int                order = slice_compare(x->path, y->path);

    return order ? order : slice_compare(x->value, y->value);
}

static int tree_add(struct said_list *list, const struct node *root)
{
    static const char *const without[] = { "output", "history" };
    int                      rc = 0;

    for (size_t i = 0; i < root->count && rc == 0; i++) {
        bool leave = false;

        for (size_t w = 0; w < sizeof without / sizeof *without; w++)
            leave |= root->kind == NODE_MAP && strcmp(root->child[i].key, without[w]) == 0;
        if (!leave) rc = child_add(list, root, i);
    }
    if (list->count) qsort(list->at, list->count, sizeof *list->at, said_compare);
    return rc;
}

/* A run that says nothing has no settings.  What is damaged is no mistake of who compares, and told by its file. */
static int said_read(struct said_list *list, sqlite3 *db, struct err *err)
{
    const char   *path = sqlite3_db_filename(db, "main");
    char          name[FILE_NAME_MAX + 32];
    sqlite3_stmt *query;
    struct node   root;
    int           rc = graph_prepare(db, &query, "SELECT value FROM run WHERE key = 'configuration'", err);

    if (rc == 0 && (rc = graph_step(query, err)) == 1) {
        const struct slice text = graph_text(query, 0);

        snprintf(name, sizeof name, "%s, configuration", path && *path ? path : "graph.db");
        rc = node_parse(&root, name, text.at, text.len, err);
        if (rc == -EINVAL) rc = err->code = -EBADMSG;
        if (rc == 0) {
            if (tree_add(list, &root) < 0) rc = err_memory(err, text.len, "a configuration");
            node_free(&root);
        }
    }
    graph_finish(query);
    return rc;
}

/* ---- side by side ---- */

static int setting_differs(struct changes *changes, const struct said *old, const struct said *new, struct err *err)
{
    const struct slice none = SLICE("");

    if (old && new && slice_equal(old->value, new->value)) return 0;
    return changes_add(changes, &(struct change){ .part = SLICE(HISTORY_SETTINGS), .measure = SLICE("value"),
                                                  .label = { none, none, none, none, old ? old->path : new->path },
                                                  .old = old ? old->value : none, .new = new ? new->value : none,
                                                  .old_whole = -1, .new_whole = -1 }, err);
}

int settings_changed(struct changes *changes, sqlite3 *old, sqlite3 *new, struct err *err)
{
    struct said_list a = { 0 }, b = { 0 };
    int              rc = said_read(&a, old, err);

    if (rc == 0) rc = said_read(&b, new, err);
    for (size_t i = 0, j = 0; rc == 0 && (i < a.count || j < b.count);) {
        const int order = i == a.count ? 1 : j == b.count ? -1 : slice_compare(a.at[i].path, b.at[j].path);

        rc = setting_differs(changes, order <= 0 ? &a.at[i] : NULL, order >= 0 ? &b.at[j] : NULL, err);
        i += order <= 0;
        j += order >= 0;
    }
    said_free(&a);
    said_free(&b);
    return rc;
}
