/* A text from a stranger: in a page no byte of it may steer a browser, and in data it must stay one string. */
#include "base/utf8.h"
#include "page/escape.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int right, const char *what)
{
    if (right) return;
    fprintf(stderr, "fuzz_html: %s\n", what);
    abort();
}

static void html_check(struct slice text, bool one_line)
{
    struct bytes out = { 0 };

    require(escape_html(&out, text, one_line) == 0, "memory");
    require(utf8_valid_length(bytes_slice(&out)) == out.len, "the page is no UTF-8");
    for (size_t i = 0; i < out.len; i++) {
        const unsigned char c = (unsigned char)out.at[i];

        require(c != '<' && c != '>' && c != '"' && c != '\'' && c != 0x7f, "mark-up is left");
        require(c >= 0x20 || (!one_line && (c == '\t' || c == '\n')), "a control character is left");
        require(c != '&' || memchr(out.at + i, ';', out.len - i < 6 ? out.len - i : 6), "an & that begins nothing");
    }
    bytes_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = { (const char *)data, size };
    struct bytes       out = { 0 };
    cJSON             *value;

    html_check(text, true);
    html_check(text, false);
    require(escape_json(&out, text) == 0, "memory");
    for (size_t i = 0; i < out.len; i++) require(!strchr("<>&", out.at[i]), "mark-up is left in data");
    value = cJSON_ParseWithLength(out.at, out.len);
    require(cJSON_IsString(value), "data is no string");
    cJSON_Delete(value);
    bytes_free(&out);
    return 0;
}
