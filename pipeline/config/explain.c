/* config/explain.c -- see explain.h.
 *
 * A line of the help that is indented by fewer than TEXT_INDENT blanks begins with a key, and what is indented deeper
 * belongs to it: the rest of its text, and the keys of its map. */
#include "config/explain.h"

#include "base/suggest.h"
#include "config/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_INDENT = 9, KEYS_MOST = 128 };                  /* keys beside each other */

struct line { struct slice text; size_t indent; };

static bool line_take(struct slice *rest, struct line *out)
{
    const char *end = rest->len ? memchr(rest->at, '\n', rest->len) : NULL;

    if (!rest->len) return false;
    out->text = (struct slice){ rest->at, end ? (size_t)(end - rest->at) : rest->len };
    out->indent = 0;
    while (out->indent < out->text.len && out->text.at[out->indent] == ' ') out->indent++;
    rest->at += out->text.len + (end != NULL);
    rest->len -= out->text.len + (end != NULL);
    return true;
}

static struct slice line_key(const struct line *line)
{
    const char *at = line->text.at + line->indent;
    size_t      len = 0, room = line->text.len - line->indent;

    while (len < room && at[len] != ' ' && at[len] != ':') len++;
    return (struct slice){ at, len };
}

/* The next key of a block, with the lines that belong to it: of a map, up to a blank line; of the file, up to the next
 * key.  Keys stand at one indent, that of the block's first. */
static bool key_take(struct slice *rest, struct slice *key, struct slice *block)
{
    struct line line;
    size_t      indent;

    do
        if (!line_take(rest, &line)) return false;
    while (!line.text.len || line.indent >= TEXT_INDENT);
    *key = line_key(&line);
    *block = line.text;
    indent = line.indent;
    for (struct slice next = *rest; line_take(&next, &line) && (line.text.len ? line.indent > indent : !indent);
         *rest = next)
        if (line.text.len) block->len = (size_t)(line.text.at + line.text.len - block->at);
    return true;
}

/* What is behind the first line of a block. */
static struct slice block_inside(struct slice block)
{
    struct line line;

    line_take(&block, &line);
    return block;
}

/* The help, behind its first paragraph, which is about all of it. */
static int help_read(struct bytes *text, struct slice *keys)
{
    const char *begin;

    if (config_help(text) < 0 || bytes_append(text, "", 1) < 0) return -ENOMEM;
    begin = strstr(text->at, "\n\n");
    *keys = begin ? slice_of(begin + 2) : (struct slice){ "", 0 };
    return 0;
}

/* -EINVAL, naming the key that may have been meant. */
static int key_unknown(struct slice asked, struct slice in, const char *path, struct slice among, struct err *err)
{
    char         word[64], near[SUGGEST_ROOM];
    char        *names[KEYS_MOST + 1] = { NULL };
    struct slice key, block;
    size_t       count = 0;

    while (count < KEYS_MOST && key_take(&among, &key, &block) && (names[count] = strndup(key.at, key.len))) count++;
    snprintf(word, sizeof word, "%.*s", (int)(asked.len < sizeof word ? asked.len : sizeof word - 1), asked.at);
    suggest(word, (const char *const *)names, near);
    for (size_t i = 0; i < count; i++) free(names[i]);
    if (!in.len)
        return err_set(err, -EINVAL, "`%s` is no key of pipeline.yaml%s; `leakgraph help config` has all", word, near);
    return err_set(err, -EINVAL, "`%s` is no key of %.*s%s", word, (int)(asked.at - path - 1), path, near);
}

int explain_key(const char *path, struct bytes *out, struct err *err)
{
    struct bytes text = { 0 };
    struct slice inside, block = { 0 };
    int          rc = help_read(&text, &inside);

    for (const char *at = path; rc == 0; ) {
        struct slice asked = { at, strcspn(at, ".") }, rest = inside, key = { 0 };

        while (key_take(&rest, &key, &block) && !slice_equal(key, asked)) key.len = 0;
        if (!asked.len || !slice_equal(key, asked)) {
            rc = key_unknown(asked, (struct slice){ path, (size_t)(at - path) }, path, inside, err);
            break;
        }
        inside = block_inside(block);
        at += asked.len;
        if (!*at++) break;
    }
    if (rc == 0 && (bytes_append_slice(out, block) < 0 || bytes_append(out, "\n", 1) < 0)) rc = -ENOMEM;
    if (rc == -ENOMEM) err_memory(err, text.len, "the help");
    bytes_free(&text);
    return rc;
}

int explain_keys(bool deep, struct bytes *out)
{
    struct bytes text = { 0 };
    struct slice rest, inside, key, block, inner;
    int          rc = help_read(&text, &rest);

    while (rc == 0 && key_take(&rest, &key, &block)) {
        rc = bytes_printf(out, "%.*s\n", (int)key.len, key.at);
        for (inside = block_inside(block); deep && rc == 0 && key_take(&inside, &inner, &block); )
            rc = bytes_printf(out, "%.*s.%.*s\n", (int)key.len, key.at, (int)inner.len, inner.at);
    }
    bytes_free(&text);
    return rc < 0 ? -ENOMEM : 0;
}
