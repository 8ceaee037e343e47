/* cmd/model_option.c -- see model_option.h. */
#include "cmd/model_option.h"

#include "base/option.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int model_option_append(struct bytes *out, const char *value, struct err *err)
{
    const char        *equals = strchr(value, '='), *colon = equals ? strchr(equals, ':') : NULL;
    const struct slice name = { value, equals ? (size_t)(equals - value) : 0 },
        backend = { equals ? equals + 1 : "", colon ? (size_t)(colon - equals) - 1 : 0 };
    const bool         http = slice_equal(backend, SLICE("http"));
    struct bytes       word = { 0 };
    int                rc;

    if (!name.len || !backend.len || !colon[1])
        return err_set(err, -EINVAL, "--model takes NAME=BACKEND:PATH, as mine=ngram:mine.lm, not `%s`", value);
    rc = bytes_printf(&word, "%.*s", (int)name.len, name.at);
    if (rc == 0) rc = bytes_printf(out, "    - name: ");
    if (rc == 0) rc = option_print_text(word.at, out);
    word.len = 0;
    if (rc == 0) rc = bytes_printf(&word, "%.*s", (int)backend.len, backend.at);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n      backend: ");
    if (rc == 0) rc = option_print_text(word.at, out);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n      %s: ", http ? "url" : "path");
    if (rc == 0) rc = option_print_text(colon + 1, out);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n");
    bytes_free(&word);
    return rc < 0 ? err_memory(err, strlen(value), "the settings") : 0;
}
