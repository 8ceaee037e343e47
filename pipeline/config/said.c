/* config/said.c -- see said.h. */
#include "config/said.h"

#include "base/slice.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Puts `with` where len bytes of the error's text stand. */
static void replace(struct err *err, size_t at, size_t len, const char *with)
{
    char         before[sizeof err->text];
    const size_t words = strlen(with), room = sizeof err->text - 1;

    memcpy(before, err->text, sizeof before);
    for (size_t i = at, from = at + len; i < room; i++)
        err->text[i] = i - at < words ? with[i - at] : from <= room ? before[from++] : '\0';
    err->text[room] = '\0';
}

/* The comment at the end of a line of text, from 1; empty: it has none. */
static struct slice comment_of(const char *text, unsigned long line)
{
    static const char mark[] = "  # ";
    const char       *end, *comment;

    for (; line > 1 && (text = strchr(text, '\n')); line--) text++;
    if (!text) return SLICE("");
    end = strchrnul(text, '\n');
    comment = memmem(text, (size_t)(end - text), mark, sizeof mark - 1);
    if (!comment) return SLICE("");
    comment += sizeof mark - 1;
    return (struct slice){ comment, (size_t)(end - comment) };
}

/* The error begins with its place. */
static void explain_line(struct err *err, const char *name, const char *text)
{
    const size_t  len = strlen(name);
    char         *end, words[sizeof err->text];
    unsigned long line;
    struct slice  comment;

    if (strncmp(err->text, name, len) != 0 || err->text[len] != ':') return;
    line = strtoul(err->text + len + 1, &end, 10);
    if (end == err->text + len + 1 || *end != ':') return;
    comment = comment_of(text, line);
    snprintf(words, sizeof words, "%.*s", comment.len ? (int)comment.len : (int)len, comment.len ? comment.at : name);
    replace(err, 0, (size_t)(end - err->text), words);
}

/* How many bytes at the beginning of text are the key of set, or the whole of it; 0: it is another one. */
static size_t key_length(const char *text, const char *set)
{
    static const char each[] = "datasets.*.";
    const char       *key = set, *equals = strchr(set, '='), *at = text;
    size_t            len;

    if (strncmp(set, each, sizeof each - 1) == 0) {         /* .KEY behind the dataset's name or number */
        key = set + sizeof each - 2;
        if (strncmp(text, each, sizeof "datasets." - 1) != 0) return 0;
        at = text + sizeof "datasets." - 1;
    }
    len = equals ? (size_t)(equals - key) : strlen(key);
    while (key != set && *at && *at != ' ' && strncmp(at, key, len) != 0) at++;
    if (strncmp(at, key, len) != 0 || !strchr(":=", at[len])) return 0;
    for (at += len; equals && *equals && *at == *equals; equals++) at++;            /* as far as it is there */
    return (size_t)(at - text);
}

static void explain_set(struct err *err, const char *const *set, const struct said_option *said, size_t count)
{
    static const char word[] = "--set ";
    char             *at = strstr(err->text, word), words[sizeof err->text];

    if (!at) return;
    for (size_t i = count; i-- > 0; ) {
        const size_t len = key_length(at + sizeof word - 1, set[i]);

        if (!len) continue;
        if (!said[i].option) return;
        snprintf(words, sizeof words, "%s%s%.200s", said[i].option, *said[i].value ? " " : "", said[i].value);
        replace(err, (size_t)(at - err->text), sizeof word - 1 + len, words);
        return;
    }
}

void said_explain(struct err *err, const char *name, const char *text, const char *const *set,
                  const struct said_option *said, size_t count)
{
    if (text) explain_line(err, name, text);
    explain_set(err, set, said, count);
}
