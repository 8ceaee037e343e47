/* cmd/model_option.c -- see model_option.h. */
#include "cmd/model_option.h"

#include "model/option.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int model_option_append(struct bytes *out, const char *value, struct err *err)
{
    struct model_words words;
    struct bytes       word = { 0 };
    bool               http;
    int                rc = model_option_cut(&words, value, err);

    if (rc < 0) return rc;
    http = slice_equal(words.backend, SLICE("http"));
    rc = bytes_printf(&word, "%.*s", (int)words.name.len, words.name.at);
    if (rc == 0) rc = bytes_printf(out, "    - name: ");
    if (rc == 0) rc = option_print_text(word.at, out);
    word.len = 0;
    if (rc == 0) rc = bytes_printf(&word, "%.*s", (int)words.backend.len, words.backend.at);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n      backend: ");
    if (rc == 0) rc = option_print_text(word.at, out);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n      %s: ", http ? "url" : "path");
    if (rc == 0) rc = option_print_text(words.path, out);
    if (rc == 0) rc = bytes_printf(out, "  # --model\n");
    bytes_free(&word);
    return rc < 0 ? err_memory(err, strlen(value), "the settings") : 0;
}
