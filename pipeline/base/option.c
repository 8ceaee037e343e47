/* base/option.c -- option rows: values parsed, printed and explained; see option.h. */
#include "base/option.h"

#include "base/ratio.h"
#include "base/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* larger before smaller: the printer takes the first that divides */
static const struct { const char *suffix; uint64_t bytes; } option_units[] = {
    { "TiB", 1ull << 40 }, { "TB", 1000000000000ull }, { "GiB", 1ull << 30 }, { "GB", 1000000000ull },
    { "MiB", 1ull << 20 },
    { "MB", 1000000ull },  { "KiB", 1ull << 10 },      { "KB", 1000ull },     { "B", 1 },
};
enum { OPTION_UNITS = sizeof option_units / sizeof *option_units };

/* ---- messages ---- */

int node_refuse(const struct node *node, const char *name, const char *path, struct err *err, const char *format, ...)
{
    char    text[768];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (node->line) return err_set(err, -EINVAL, "%s:%u: %s", name, node->line, text);
    return err_set(err, -EINVAL, "--set %s%s%s: %s", path, *path && node->key ? "." : "", node->key ? node->key : "",
                   text);
}

static int option_unknown(const struct option *rows, const struct node *node, const char *const *others,
                          const char *name, const char *path,
                          struct err *err)
{
    const char **known;
    char         near[SUGGEST_ROOM];
    size_t       row_count = 0, count = 0, other_count = 0;
    int          rc;

    while (rows[row_count].key) row_count++;
    while (others && others[other_count]) other_count++;
    known = calloc(row_count + other_count + 1, sizeof *known);
    if (!known) return err_memory(err, (row_count + other_count + 1) * sizeof *known, "known keys");
    for (size_t i = 0; i < row_count; i++) known[count++] = rows[i].key;
    for (size_t i = 0; i < other_count; i++) known[count++] = others[i];
    rc = node_refuse(node, name, path, err, "unknown key `%.64s`%s%s%s", node->key, *path ? " in " : "", path,
                     suggest(node->key, known, near));
    free(known);
    return rc;
}

/* ---- values ---- */

static bool option_among(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(text, *words) == 0) return true;
    return false;
}

static const char *const option_true[] = { "true", "yes", "on", NULL }, *const option_false[] =
    { "false", "no", "off", NULL };

/* Digits to a number; false when there is none or it does not fit.  *at ends after the digits. */
static bool option_digits(const char **at, uint64_t *out)
{
    const char *start = *at;

    for (*out = 0; **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');

        if (*out > (UINT64_MAX - digit) / 10) return false;
        *out = *out * 10 + digit;
    }
    return *at > start;
}

/* "256MB", "1.5 GiB", "4096": whole bytes only, computed in integers. */
static bool option_parse_size(const char *text, uint64_t *out)
{
    const char       *at = text;
    uint64_t          whole, part = 0, scale = 1, unit = 1;
    unsigned __int128 bytes;

    if (!option_digits(&at, &whole)) return false;
    if (*at == '.') {
        const char *start = ++at;

        if (!option_digits(&at, &part) || at - start > 9) return false;
        for (; start < at; start++) scale *= 10;
    }
    while (*at == ' ') at++;
    if (*at) {
        size_t i = 0;

        while (i < OPTION_UNITS && strcasecmp(at, option_units[i].suffix) != 0) i++;
        if (i == OPTION_UNITS) return false;
        unit = option_units[i].bytes;
    }
    bytes = (unsigned __int128)whole * unit + (unsigned __int128)part * unit / scale;
    if (bytes > UINT64_MAX || (unsigned __int128)part * unit % scale) return false;
    *out = (uint64_t)bytes;
    return true;
}

/* Index of text among words separated by |, or -1. */
static int option_find_choice(const char *choices, const char *text)
{
    size_t len = strlen(text);
    int    index = 0;

    for (const char *word = choices; word; index++) {
        const char *end = strchr(word, '|');
        size_t      word_len = end ? (size_t)(end - word) : strlen(word);

        if (len == word_len && memcmp(word, text, len) == 0) return index;
        word = end ? end + 1 : NULL;
    }
    return -1;
}

/* The same words as an enumeration for a message: "star, all". */
static void option_list_choices(const char *choices, char *out, size_t room)
{
    size_t used = 0;

    for (; *choices && used + 3 < room; choices++) {
        out[used++] = *choices == '|' ? ',' : *choices;
        if (*choices == '|') out[used++] = ' ';
    }
    out[used] = '\0';
}

static uint64_t option_max(const struct option *row)
{
    uint64_t widest = row->type == OPTION_U32 ? UINT32_MAX : UINT64_MAX;

    return row->max && row->max < widest ? row->max : widest;
}

static int option_check_range(const struct option *row, bool parsed, uint64_t value, const char *text, struct err *err)
{
    if (parsed && value >= row->min && value <= option_max(row)) return 0;
    if (row->max)
        return err_set(err, -EINVAL, "`%.60s` is not a %s from %llu to %llu", text, row->type == OPTION_SIZE ? "size"
                       : "number",
                                 (unsigned long long)row->min, (unsigned long long)row->max);
    if (row->min)
        return err_set(err, -EINVAL, "`%.60s` is not a %s of at least %llu%s%s", text,
                       row->type == OPTION_SIZE ? "size" : "number", (unsigned long long)row->min,
                       row->choices ? ", nor " : "", row->choices ? row->choices : "");
    return err_set(err, -EINVAL, "`%.60s` is not a %s", text, row->type == OPTION_SIZE ? "size such as 64MiB or 2 GB"
                   : "number");
}

/* Parses text into the row's field; on failure the field is unchanged and err holds the reason without a place. */
static int option_set(const struct option *row, void *settings, const char *text, bool quoted, struct err *err)
{
    void        *field = (char *)settings + row->offset;
    /* other YAML tools write `off` as false */
    bool         off = !quoted && option_among(text, option_false);
    bool         on = !quoted && option_among(text, option_true), parsed;
    uint64_t     number = 0;
    struct ratio ratio;
    char         words[200], near[SUGGEST_ROOM], *copy;
    const char  *at = text;
    int          rc = 0, choice;

    if (quoted && row->type != OPTION_TEXT && row->type != OPTION_CHOICE)
        return err_set(err, -EINVAL, "a text in quotes where a value is wanted");
    switch (row->type) {
    case OPTION_BOOL:
        if (!on && !off) return err_set(err, -EINVAL, "`%.60s` is neither true nor false", text);
        *(bool *)field = on;
        break;
    case OPTION_U32:
    case OPTION_U64:
        parsed = option_digits(&at, &number) && !*at;
        if (row->choices && strcmp(text, row->choices) == 0) number = 0;
        else if ((rc = option_check_range(row, parsed, number, text, err)) < 0) return rc;
        if (row->type == OPTION_U32) *(uint32_t *)field = (uint32_t)number;
        else *(uint64_t *)field = number;
        break;
    case OPTION_SIZE:
        parsed = option_parse_size(text, &number);
        if ((rc = option_check_range(row, parsed, number, text, err)) < 0) return rc;
        *(uint64_t *)field = number;
        break;
    case OPTION_RATIO:
        if (off && (row->min || !row->fallback || (!row->choices && strcmp(row->fallback, "off") != 0)))
            return err_set(err, -EINVAL, "cannot be switched off");
        if (row->choices && strcmp(text, row->choices) == 0) ratio = (struct ratio){ 1, 0 };
        else if ((rc = ratio_parse(&ratio, off ? "off" : text, err)) < 0) return rc;
        *(struct ratio *)field = ratio;
        break;
    case OPTION_PERCENT:
        if (off) *(double *)field = -1;
        else if (!percent_parse(field, text))
            return err_set(err, -EINVAL, "`%.60s` is neither a percentage from 0 to 100 nor off", text);
        else if (*(double *)field < (double)row->min)
            return err_set(err, -EINVAL, "`%.60s` is less than %llu percent, the least that it may be", text,
                           (unsigned long long)row->min);
        break;
    case OPTION_CHOICE:
        choice = option_find_choice(row->choices, text);
        option_list_choices(row->choices, words, sizeof words);
        if (choice < 0)
            return err_set(err, -EINVAL, "`%.60s` is not one of: %s%s", text, words,
                           suggest_choice(text, row->choices, near));
        *(int *)field = choice;
        break;
    case OPTION_TEXT:
        copy = strdup(text);
        if (!copy) return err_memory(err, strlen(text) + 1, row->key);
        free(*(char **)field);
        *(char **)field = copy;
        break;
    }
    return rc;
}

/* ---- rows and structs ---- */

int option_defaults(const struct option *rows, void *settings, struct err *err)
{
    int rc = 0;

    for (; rows->key && rc == 0; rows++)
        if (rows->fallback && (rc = option_set(rows, settings, rows->fallback, false, err)) < 0)
            err_add(err, "default of %s", rows->key);
    return rc;
}

void option_free(const struct option *rows, void *settings)
{
    for (; rows->key; rows++) {
        char **text = (char **)(void *)((char *)settings + rows->offset);

        if (rows->type != OPTION_TEXT) continue;
        free(*text);
        *text = NULL;
    }
}

static int option_apply_child(const struct option *row, void *settings, const struct node *child, const char *name,
                              const char *path, struct err *err)
{
    struct err reason = { 0 };
    int        rc;

    if (child->kind != NODE_SCALAR)
        return node_refuse(child, name, path, err, "%s is one value, not a %s", row->key, child->kind == NODE_LIST
                           ? "list" : "map");
    if (node_is_null(child)) return node_refuse(child, name, path, err, "%s has no value", row->key);
    rc = option_set(row, settings, child->text, child->quoted, &reason);
    if (rc == -ENOMEM) *err = reason;
    if (rc == 0 || rc == -ENOMEM) return rc;
    /* --set names it already */
    return node_refuse(child, name, path, err, "%s%s%s", child->line ? row->key : "", child->line ? ": " : "",
                       reason.text);
}

int option_apply(const struct option *rows, void *settings, const struct node *map, const char *const *others,
                 const char *name, const char *path,
                 struct err *err)
{
    if (map->kind != NODE_MAP && !node_is_null(map))
        return node_refuse(map, name, "", err, "%s must hold keys and values", *path ? path : "the file");
    for (size_t i = 0; i < map->count; i++) {
        const struct node   *child = &map->child[i];
        const struct option *row = rows;
        const char *const   *other = others;
        int                  rc = 0;

        while (row->key && strcmp(row->key, child->key) != 0) row++;
        while (other && *other && strcmp(*other, child->key) != 0) other++;
        if (row->key) rc = option_apply_child(row, settings, child, name, path, err);
        else if (!other || !*other) rc = option_unknown(rows, child, others, name, path, err);
        if (rc < 0) return rc;
    }
    for (const struct option *row = rows; row->key; row++)
        if (!row->fallback && !node_find(map, row->key))
            return node_refuse(map, name, "", err, "%s%s`%s` is missing", path, *path ? ": " : "", row->key);
    return 0;
}

/* ---- printing ---- */

/* Text that YAML reads back as text without quotes: starts like a word or a path and is no word that YAML means
 * something by. */
static bool option_plain(const char *text)
{
    static const char *const taken[] = { "null", "y", "n", NULL };

    if (!isalpha((unsigned char)*text) && *text != '/') return false;
    if (option_among(text, taken) || option_among(text, option_true) || option_among(text, option_false)) return false;
    return text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+*-")] == '\0';
}

/* The code of a character that a YAML file cannot hold as it is: C1 controls, line breaks, marks.  *len: its bytes; 0
 * for any other. */
static unsigned option_special(const unsigned char *at, size_t *len)
{
    *len = 2;
    if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) return at[1];
    *len = 3;
    if (at[0] == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9)) return 0x2000u + (at[2] & 0x3Fu);
    if (at[0] == 0xEF && at[1] == 0xBB && at[2] == 0xBF) return 0xFEFF;
    if (at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE && at[2] <= 0xBF) return 0xFFC0u + (at[2] & 0x3Fu);
    *len = 1;
    return at[0] < 0x20 || at[0] == 0x7F ? at[0] : 0;
}

int option_print_text(const char *text, struct bytes *out)
{
    const unsigned char *at = (const unsigned char *)text;
    int                  rc = 0;

    if (option_plain(text)) return bytes_append(out, text, strlen(text));
    rc = bytes_append(out, "\"", 1);
    while (*at && rc == 0) {
        size_t   len;
        unsigned code = option_special(at, &len);

        if (code) rc = bytes_printf(out, code < 0x100 ? "\\x%02X" : "\\u%04X", code);
        else if (*at == '"' || *at == '\\') rc = bytes_printf(out, "\\%c", *at);
        else rc = bytes_append(out, at, 1);
        at += len;
    }
    return rc < 0 ? rc : bytes_append(out, "\"", 1);
}

/* A decimal number without the zeros at its end. */
static int option_print_decimal(const char *text, struct bytes *out)
{
    size_t len = strlen(text);

    while (text[len - 1] == '0') len--;
    return bytes_append(out, text, text[len - 1] == '.' ? len - 1 : len);
}

static int option_print_percent(double percent, struct bytes *out)
{
    char text[32];

    if (percent < 0) return bytes_printf(out, "off");
    snprintf(text, sizeof text, "%.6f", percent);
    return option_print_decimal(text, out);
}

static int option_print_ratio(const struct option *row, struct ratio ratio, struct bytes *out)
{
    char     text[24];
    uint32_t billionths;

    if (ratio.den == 0) return bytes_printf(out, "%s", ratio.num && row->choices ? row->choices : "off");
    billionths = (uint32_t)((uint64_t)ratio.num * 1000000000u / ratio.den);    /* exact: den divides 10^9 */
    snprintf(text, sizeof text, "%u.%09u", billionths / 1000000000u, billionths % 1000000000u);
    return option_print_decimal(text, out);
}

static int option_print_size(uint64_t bytes, struct bytes *out)
{
    size_t i = 0;

    while (i < OPTION_UNITS - 1 && (bytes == 0 || bytes % option_units[i].bytes)) i++;
    return bytes_printf(out, "%llu%s", (unsigned long long)(bytes / option_units[i].bytes), i < OPTION_UNITS - 1
                        ? option_units[i].suffix : "");
}

static int option_print_choice(const char *choices, int index, struct bytes *out)
{
    for (; index > 0; index--) choices = strchr(choices, '|') + 1;
    return bytes_append(out, choices, strcspn(choices, "|"));
}

static int option_print_number(const struct option *row, uint64_t number, struct bytes *out)
{
    return row->choices && number == 0 ? bytes_printf(out, "%s", row->choices)
        : bytes_printf(out, "%llu", (unsigned long long)number);
}

static int option_print_value(const struct option *row, const void *settings, struct bytes *out)
{
    const void *field = (const char *)settings + row->offset;
    const char *text;

    switch (row->type) {
    case OPTION_BOOL:    return bytes_printf(out, "%s", *(const bool *)field ? "true" : "false");
    case OPTION_U32:     return option_print_number(row, *(const uint32_t *)field, out);
    case OPTION_U64:     return option_print_number(row, *(const uint64_t *)field, out);
    case OPTION_SIZE:    return option_print_size(*(const uint64_t *)field, out);
    case OPTION_RATIO:   return option_print_ratio(row, *(const struct ratio *)field, out);
    case OPTION_PERCENT: return option_print_percent(*(const double *)field, out);
    case OPTION_CHOICE:  return option_print_choice(row->choices, *(const int *)field, out);
    case OPTION_TEXT:    break;
    }
    text = *(char *const *)field;
    return option_print_text(text ? text : "", out);
}

int option_print(const struct option *rows, const void *settings, const char *indent, struct bytes *out)
{
    for (; rows->key; rows++)
        if (bytes_printf(out, "%s%s: ", indent, rows->key) < 0 || option_print_value(rows, settings, out) < 0 ||
            bytes_append(out, "\n", 1) < 0)
            return -ENOMEM;
    return 0;
}

/* A default as help shows it: text that cannot be seen as YAML has it.  Valid until the next call with `shown`. */
static const char *fallback_shown(const struct option *row, struct bytes *shown)
{
    shown->len = 0;
    if (!row->fallback) return "required";
    if (!*row->fallback || (unsigned char)*row->fallback > ' ') return row->fallback;
    return option_print_text(row->fallback, shown) < 0 || bytes_append(shown, "", 1) < 0 ? row->fallback : shown->at;
}

int option_help(const struct option *rows, const char *indent, struct bytes *out)
{
    size_t       key_width = 0, default_width = 0;
    struct bytes shown = { 0 };
    int          rc = 0;

    for (const struct option *row = rows; row->key; row++) {
        size_t key = strlen(row->key), fallback = strlen(fallback_shown(row, &shown));

        if (key > key_width) key_width = key;
        if (fallback > default_width) default_width = fallback;
    }
    for (; rows->key && rc == 0; rows++) {
        char words[200] = "";

        if (rows->choices && rows->type == OPTION_CHOICE) option_list_choices(rows->choices, words, sizeof words);
        rc = bytes_printf(out, "%s%-*s  %-*s  %s%s%s%s\n", indent, (int)key_width, rows->key, (int)default_width,
                          fallback_shown(rows, &shown), rows->help, *words ? " (" : "", words, *words ? ")" : "");
    }
    bytes_free(&shown);
    return rc;
}
