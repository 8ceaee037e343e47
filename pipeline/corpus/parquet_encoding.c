/* corpus/parquet_encoding.c -- see parquet_encoding.h. */
#include "corpus/parquet_encoding.h"

#include "corpus/parquet_thrift_write.h"

#include <errno.h>

enum { BLOCK_VALUES_MAX = 1 << 24 };                        /* writers use 128 to 4096 */

/* A LEB128 number at *at, which moves behind it.  False when it runs past the end. */
static bool take_varint(const unsigned char **at, const unsigned char *end, uint64_t *value)
{
    struct thrift from = { .at = *at, .end = end };

    *value = thrift_varint(&from);
    *at = from.at;
    return !from.broken;
}

bool hybrid_next_run(struct hybrid *hybrid)
{
    size_t   bytes = (hybrid->width + 7) / 8, rest;
    uint64_t head;

    if (!take_varint(&hybrid->at, hybrid->end, &head)) return false;
    rest = (size_t)(hybrid->end - hybrid->at);
    hybrid->packed = head & 1;
    head >>= 1;
    if (hybrid->packed) {
        /* Groups of 8 values, of which the last may be cut short by the end of the data. */
        if (head > UINT32_MAX || head * hybrid->width > rest + hybrid->width) return false;
        hybrid->run = hybrid->at;
        if (rest > head * hybrid->width) rest = (size_t)(head * hybrid->width);
        hybrid->at += rest;
        hybrid->run_end = hybrid->at;
        hybrid->bit = 0;
        hybrid->left = head * 8;
        return true;
    }
    if (rest < bytes) return false;
    hybrid->value = 0;
    for (size_t i = 0; i < bytes; i++) hybrid->value |= (uint32_t)hybrid->at[i] << 8 * i;
    hybrid->at += bytes;
    hybrid->left = head;
    return true;
}

enum { GROUP = 8 };                                         /* values that are packed together */

/* How many values from the first on are like it, at most `most`. */
static size_t run_length(const uint32_t *value, size_t most)
{
    size_t n = 1;

    while (n < most && value[n] == value[0]) n++;
    return n;
}

static int append_run(struct bytes *out, uint32_t value, size_t count, unsigned width)
{
    char bytes[4];

    for (int i = 0; i < 4; i++) bytes[i] = (char)(value >> 8 * i);
    return thrift_append_varint(out, (uint64_t)count << 1) < 0 ? -ENOMEM : bytes_append(out, bytes, (width + 7) / 8);
}

/* Values are laid from the lowest bit on; behind the last there are zeros up to the group's end. */
static int append_packed(struct bytes *out, const uint32_t *value, size_t count, unsigned width)
{
    const size_t groups = (count + GROUP - 1) / GROUP;
    uint64_t     word = 0;
    unsigned     bits = 0;
    char        *at;

    if (thrift_append_varint(out, (uint64_t)groups << 1 | 1) < 0 || bytes_reserve(out, out->len + groups * width) < 0)
        return -ENOMEM;
    at = out->at + out->len;
    for (size_t i = 0; i < groups * GROUP; i++) {
        word |= (uint64_t)(i < count ? value[i] : 0) << bits;
        for (bits += width; bits >= 8; bits -= 8, word >>= 8) *at++ = (char)word;
    }
    out->len += groups * width;
    return 0;
}

int hybrid_append(struct bytes *out, const uint32_t *value, size_t count, unsigned width)
{
    int rc = 0;

    for (size_t i = 0, n; i < count && rc == 0; i += n) {
        n = run_length(value + i, count - i);
        if (n >= GROUP || n == count - i) {
            rc = append_run(out, value[i], n, width);
            continue;
        }
        /* up to where a run begins with a group */
        for (n = GROUP; n < count - i && run_length(value + i + n, count - i - n < GROUP ? count - i - n : GROUP) <
                        GROUP;)
            n += GROUP;
        if (n > count - i) n = count - i;
        rc = append_packed(out, value + i, n, width);
    }
    return rc;
}

/* ---- deltas ---- */

bool delta_open(struct delta *out, const unsigned char *at, const unsigned char *end)
{
    uint64_t values, miniblocks, count, first;

    if (!take_varint(&at, end, &values) || !take_varint(&at, end, &miniblocks) || !take_varint(&at, end, &count) ||
        !take_varint(&at, end, &first))
        return false;
    if (!values || values > BLOCK_VALUES_MAX || !miniblocks || miniblocks > values || values % miniblocks ||
        values / miniblocks % 8)
        return false;
    *out = (struct delta){ .at = at, .end = end, .left = count, .per_miniblock = values / miniblocks,
                           .miniblocks = (uint32_t)miniblocks,
                           .miniblock = (uint32_t)miniblocks, .value = (uint64_t)thrift_zigzag(first), .first = true };
    return true;
}

/* Begins the next miniblock, and with the first of a block that block. */
static bool next_miniblock(struct delta *delta)
{
    uint64_t least, bytes;

    if (delta->miniblock == delta->miniblocks) {
        if (!take_varint(&delta->at, delta->end, &least) || (uint64_t)(delta->end - delta->at) < delta->miniblocks)
            return false;
        delta->least = (uint64_t)thrift_zigzag(least);
        delta->widths = delta->at;
        delta->at += delta->miniblocks;
        delta->miniblock = 0;
    }
    delta->width = delta->widths[delta->miniblock++];
    bytes = delta->per_miniblock / 8 * delta->width;
    if (delta->width > 64 || bytes > (uint64_t)(delta->end - delta->at)) return false;
    delta->run = delta->at;
    delta->at += bytes;
    delta->bit = 0;
    delta->miniblock_left = delta->per_miniblock;
    return true;
}

bool delta_next(struct delta *delta, int64_t *value)
{
    const unsigned char *at;
    unsigned             skip, have;
    uint64_t             bits = 0;

    if (!delta->left) return false;
    delta->left--;
    if (delta->first) {
        delta->first = false;
        *value = (int64_t)delta->value;
        return true;
    }
    if (!delta->miniblock_left && !next_miniblock(delta)) return false;
    delta->miniblock_left--;
    if (delta->width) {
        at = delta->run + delta->bit / 8;
        skip = (unsigned)(delta->bit % 8);
        have = 64 - skip;
        memcpy(&bits, at, sizeof bits);
        bits >>= skip;
        if (delta->width > have) bits |= (uint64_t)at[8] << have;
        if (delta->width < 64) bits &= (1ull << delta->width) - 1;
        delta->bit += delta->width;
    }
    delta->value += delta->least + bits;
    *value = (int64_t)delta->value;
    return true;
}

const unsigned char *delta_end(const struct delta *delta)
{
    struct delta walk = *delta;

    if (walk.left && walk.first) walk.left--;
    while (walk.left > walk.miniblock_left) {
        walk.left -= walk.miniblock_left;
        if (!next_miniblock(&walk)) return NULL;
    }
    return walk.at;
}
