/* model/json_nul.h -- cJSON ends a string at a NUL without a word: is there one in the JSON, written or as \u0000? */
#ifndef LEAKGRAPH_MODEL_JSON_NUL_H
#define LEAKGRAPH_MODEL_JSON_NUL_H

#include "base/slice.h"

static inline bool json_has_nul(struct slice text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if (text.at[i] != '\\') continue;
        if (text.at[++i] == 'u' && text.len - i > 4 && memcmp(text.at + i + 1, "0000", 4) == 0) return true;
    }
    return text.len && memchr(text.at, 0, text.len) != NULL;
}

#endif
