/* view/hash.c -- hashes of long features and of whole texts. */
#include "view/view.h"

#include "kernels/kernels.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define LOW(n) ((1ull << (8 * (n))) - 1)

const uint64_t view_hash_mask[25] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, LOW(1), LOW(2), LOW(3), LOW(4), LOW(5), LOW(6), LOW(7),
    UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX
};

uint64_t view_hash_long(struct slice s, uint64_t seed)
{
    uint64_t hash = XXH3_64bits_withSeed(s.at, s.len, seed);

    return hash + !hash;
}

/* A piece at a time; most are one, for which a state would take longer than its bytes. */
uint64_t view_hash_long_folded(struct slice s, uint64_t seed)
{
    XXH3_state_t state;
    uint64_t     eight[32], hash;

    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (size_t at = 0, len; at < s.len; at += len) {
        len = s.len - at < sizeof eight ? s.len - at : sizeof eight;
        if (len % sizeof *eight) eight[len / sizeof *eight] = 0;
        memcpy(eight, s.at + at, len);
        for (size_t i = 0; i * sizeof *eight < len; i++) eight[i] = view_folded_8(eight[i]);
        if (len == s.len) return view_hash_long((struct slice){ (const char *)eight, len }, seed);
        XXH3_64bits_update(&state, eight, len);
    }
    hash = XXH3_64bits_digest(&state);
    return hash + !hash;
}

struct content_hash content_hash_raw(struct slice text)
{
    XXH128_hash_t hash = XXH3_128bits(text.at ? text.at : "", text.len);

    return (struct content_hash){ hash.low64, hash.high64 };
}

uint64_t content_sketch(struct slice text)
{
    enum { END = 32 };
    char ends[2 * END];

    if (text.len <= sizeof ends) return XXH3_64bits_withSeed(text.at ? text.at : "", text.len, text.len);
    memcpy(ends, text.at, END);
    memcpy(ends + END, text.at + text.len - END, END);
    return XXH3_64bits_withSeed(ends, sizeof ends, text.len);
}

/* TAB to CR, and the space. */
static const struct byteset white_space = { { [0] = 1 << 2, [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1 }, 0 };

struct slice content_squeezed(struct slice text, struct bytes *scratch)
{
    const struct byteset none = { 0 };
    size_t               len = 0;

    if (bytes_reserve(scratch, text.len) < 0) return (struct slice){ NULL, 0 };
    for (size_t block = 0; block < text.len; block += 64) {
        const size_t n = text.len - block < 64 ? text.len - block : 64;
        uint64_t     white = 0, unused = 0, black;

        kernels->classify(&white, &unused, &white_space, &none, text.at + block, n);
        black = ~white & (n < 64 ? (1ull << n) - 1 : UINT64_MAX);
        while (black) {                                     /* a run of them at a time */
            const size_t   first = (size_t)__builtin_ctzll(black);
            const uint64_t behind = black + (1ull << first);/* 0: they go to the block's end */
            const size_t   end = behind & ~black ? (size_t)__builtin_ctzll(behind & ~black) : 64;
            const char    *run = text.at + block + first;

            /* one load; the buffer has a pad */
            if (end - first <= 16 && (size_t)(text.at + text.len - run) >= 16) memcpy(scratch->at + len, run, 16);
            else memcpy(scratch->at + len, run, end - first);
            len += end - first;
            black &= behind;
        }
    }
    return (struct slice){ scratch->at, len };
}

struct content_hash content_hash_squeezed(struct slice text, struct bytes *scratch)
{
    const struct slice squeezed = content_squeezed(text, scratch);

    return squeezed.at ? content_hash_raw(squeezed) : (struct content_hash){ 0, 0 };
}
