/* tests/unit/settings_harness.h -- a capability's part of pipeline.yaml: read, printed, read again; and refused. */
#ifndef LEAKGRAPH_TESTS_UNIT_SETTINGS_HARNESS_H
#define LEAKGRAPH_TESTS_UNIT_SETTINGS_HARNESS_H

#include "config/config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline int settings_parse(struct config *out, const char *yaml, size_t len, struct err *err)
{
    *err = (struct err){ 0 };
    return config_parse(out, "p.yaml", yaml, len, "/base", NULL, 0, err);
}

/* *out is what the resolved configuration says when it is read in turn: a key that is not read, not printed, or
 * printed wrongly is not what it was.  It is the caller's to free. */
static inline void settings_again(struct config *out, const char *yaml)
{
    struct config first;
    struct bytes  once = { 0 }, twice = { 0 };
    struct err    err;

    if (settings_parse(&first, yaml, strlen(yaml), &err) < 0) fail_msg("%s", err.text);
    assert_int_equal(config_print(&first, &once), 0);
    if (settings_parse(out, once.at, once.len, &err) < 0) fail_msg("%s\n%.*s", err.text, (int)once.len, once.at);
    assert_int_equal(config_print(out, &twice), 0);
    if (!slice_equal(bytes_slice(&once), bytes_slice(&twice)))
        fail_msg("%.*s\nis printed again as\n%.*s", (int)once.len, once.at, (int)twice.len, twice.at);
    bytes_free(&once);
    bytes_free(&twice);
    config_free(&first);
}

/* A configuration and the whole message that refuses it. */
struct refusal { const char *yaml, *message; };

static inline void settings_refused(const char *head, const struct refusal *refusal, size_t count)
{
    size_t others = 0;

    for (size_t i = 0; i < count; i++) {
        struct config config;
        struct bytes  yaml = { 0 };
        struct err    err;

        assert_int_equal(bytes_printf(&yaml, "%s%s", head, refusal[i].yaml), 0);
        if (settings_parse(&config, yaml.at, yaml.len, &err) == 0) fail_msg("not refused: %s", refusal[i].yaml);
        assert_int_equal(err.code, -EINVAL);
        if (strcmp(err.text, refusal[i].message) != 0) {
            print_error("%s is refused with\n%s\nnot\n%s\n", refusal[i].yaml, err.text, refusal[i].message);
            others++;
        }
        config_free(&config);
        bytes_free(&yaml);
    }
    assert_int_equal(others, 0);
}

/* Every key is in the help, which ends with a line's end. */
static inline void settings_helped(int (*help)(struct bytes *), const char *const *keys)
{
    struct bytes out = { 0 };

    assert_int_equal(help(&out), 0);
    assert_int_equal(out.at[out.len - 1], '\n');
    assert_int_equal(bytes_append(&out, "", 1), 0);
    for (; *keys; keys++) {
        char line[64];

        snprintf(line, sizeof line, "\n  %s ", *keys);
        if (!strstr(out.at, line)) fail_msg("no help for %s:\n%s", *keys, out.at);
    }
    bytes_free(&out);
}

#endif
