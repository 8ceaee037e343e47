/* graph/settings.c -- see settings.h. */
#include "graph/settings.h"

#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void settings_add_text(struct settings *s, const char *key, struct slice value)
{
    struct slice name, text;

    if (pool_copy(&s->pool, slice_of(key), &name) < 0 || pool_copy(&s->pool, value, &text) < 0 ||
        ARRAY_GROW(s->row, s->room, s->count) < 0) s->failed = true;
    else s->row[s->count++] = (struct graph_setting){ name.at, text };      /* a NUL follows what the pool holds */
}

void settings_add_format(struct settings *s, const char *key, const char *format, ...)
{
    char    text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    settings_add_text(s, key, slice_of(text));
}

void settings_add_number(struct settings *s, const char *key, uint64_t value)
{
    settings_add_format(s, key, "%llu", (unsigned long long)value);
}

void settings_add_bool(struct settings *s, const char *key, bool value)
{
    settings_add_text(s, key, slice_of(value ? "true" : "false"));
}

void settings_add_ratio(struct settings *s, const char *key, struct ratio value)
{
    if (value.den) settings_add_format(s, key, "%.9g", (double)value.num / value.den);
    else settings_add_text(s, key, SLICE("off"));
}

void settings_add_seconds(struct settings *s, const char *key, double value)
{
    settings_add_format(s, key, "%.3f", value);
}

void settings_add_time(struct settings *s, const char *key, time_t at)
{
    struct tm broken;
    char      text[32];

    gmtime_r(&at, &broken);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &broken);
    settings_add_text(s, key, slice_of(text));
}

void settings_free(struct settings *s)
{
    free(s->row);
    pool_free(&s->pool);
    *s = (struct settings){ 0 };
}
