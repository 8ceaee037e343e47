/* similarity/sha1.c -- see sha1.h. */
#include "similarity/sha1.h"

static uint32_t turned(uint32_t x, int bits) { return x << bits | x >> (32 - bits); }

static void block_add(uint32_t state[5], const uint8_t *block)
{
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
            block[4 * t + 3];
    for (int t = 16; t < 80; t++) w[t] = turned(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        const uint32_t f = t < 20 ? (b & c) | (~b & d) : t < 40 || t >= 60 ? b ^ c ^ d : (b & c) | (b & d) | (c & d);
        const uint32_t k = t < 20 ? 0x5A827999u : t < 40 ? 0x6ED9EBA1u : t < 60 ? 0x8F1BBCDCu : 0xCA62C1D6u;
        const uint32_t next = turned(a, 5) + f + e + k + w[t];

        e = d, d = c, c = turned(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void sha1(struct slice text, uint8_t out[20])
{
    uint32_t     state[5] = { 0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u };
    uint8_t      last[128] = { 0 };
    const size_t whole = text.len / 64 * 64, rest = text.len - whole, padded = rest < 56 ? 64 : 128;

    for (size_t at = 0; at < whole; at += 64) block_add(state, (const uint8_t *)text.at + at);
    if (rest) memcpy(last, text.at + whole, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++) last[padded - 1 - i] = (uint8_t)((uint64_t)text.len * 8 >> (8 * i));
    block_add(state, last);
    if (padded == 128) block_add(state, last + 64);
    for (size_t i = 0; i < 20; i++) out[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
