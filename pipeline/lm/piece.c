/* lm/piece.c -- the cut of a text into pieces; see lm.h. */
#include "lm/lm.h"

/* One bit a byte. */
/* 0-9, A-Z _ a-z, 0x80-0xFF */
static const uint64_t word_bytes[4] = { 0x03FF000000000000, 0x07FFFFFE87FFFFFE, ~0ull, ~0ull };
/* \t \n \v \f \r and the space */
static const uint64_t white_bytes[4] = { 0x0000000100003E00, 0, 0, 0 };

static inline bool has(const uint64_t set[4], char c)
{
    return set[(unsigned char)c >> 6] >> ((unsigned char)c & 63) & 1;
}

size_t lm_piece(const char *at, size_t len)
{
    size_t n = 0, most;

    if (*at == '\n') {
        most = len < LM_PIECE_MAX ? len : LM_PIECE_MAX;
        for (n = 1; n < most && has(white_bytes, at[n]);) n++;
        return n;
    }
    if (*at == ' ') {
        if (len == 1 || at[1] == ' ' || at[1] == '\n') return 1;
        n = 1;
    }
    if (!has(word_bytes, at[n])) return n + 1;
    most = len < n + LM_PIECE_MAX - 1 ? len : n + LM_PIECE_MAX - 1;
    while (n < most && has(word_bytes, at[n])) n++;
    return n;
}
