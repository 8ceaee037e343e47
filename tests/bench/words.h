/* Pieces as tools for ARPA files read them: words between spaces, other bytes as \xNN. */
#ifndef LEAKGRAPH_TESTS_BENCH_WORDS_H
#define LEAKGRAPH_TESTS_BENCH_WORDS_H

#include "base/slice.h"

#include <stdio.h>

static inline void put_word(FILE *file, struct slice piece)
{
    fputc(' ', file);
    for (size_t i = 0; i < piece.len; i++) {
        unsigned char b = (unsigned char)piece.at[i];

        if (b > ' ' && b < 0x7F && b != '\\') fputc(b, file);
        else fprintf(file, "\\x%02X", b);
    }
}

#endif
