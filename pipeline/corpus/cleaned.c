/* corpus/cleaned.c -- values of lists: see cleaned.h. */
#include "corpus/cleaned.h"

#include "base/utf8.h"

int cleaned_value(struct bytes *out, struct slice value)
{
    size_t valid = utf8_valid_length(value);
    int    rc = 0;

    for (size_t i = 0, plain = 0; i <= value.len && rc == 0; i++) {
        unsigned char c = i < value.len ? (unsigned char)value.at[i] : 0;

        if (i < valid && c >= 0x20 && c != '\\' && c != 0x7F) continue;
        rc = bytes_append(out, value.at + plain, i - plain);
        if (rc == 0 && i < value.len) rc = bytes_printf(out, "\\x%02X", c);
        plain = i + 1;
        if (i >= valid && i < value.len)
            valid = plain + utf8_valid_length((struct slice){ value.at + plain, value.len - plain });
    }
    return rc;
}
