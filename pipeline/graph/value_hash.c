/* graph/value_hash.c -- see value_hash.h. */
#define XXH_INLINE_ALL
#include "graph/value_hash.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

bool value_hash_begin(struct value_hash *hash)
{
    if (!hash->hash && !(hash->hash = XXH3_createState())) return false;
    hash->used = 0;
    XXH3_128bits_reset(hash->hash);
    return true;
}

static void put(struct value_hash *hash, const void *at, size_t len)
{
    if (len > sizeof hash->buffer - hash->used) {
        XXH3_128bits_update(hash->hash, hash->buffer, hash->used);
        hash->used = 0;
    }
    if (len > sizeof hash->buffer) XXH3_128bits_update(hash->hash, at, len);
    else if (len) {
        memcpy(hash->buffer + hash->used, at, len);
        hash->used += len;
    }
}

static void put_number(struct value_hash *hash, int type, uint64_t number)
{
    uint8_t byte[9] = { (uint8_t)type };

    for (int i = 0; i < 8; i++) byte[1 + i] = (uint8_t)(number >> 8 * i);
    put(hash, byte, sizeof byte);
}

void value_hash_null(struct value_hash *hash) { put(hash, &(uint8_t){ SQLITE_NULL }, 1); }
void value_hash_number(struct value_hash *hash, uint64_t number) { put_number(hash, SQLITE_INTEGER, number); }

void value_hash_real(struct value_hash *hash, double real)
{
    uint64_t bits;

    if (isnan(real)) {
        value_hash_null(hash);
        return;
    }
    real += 0.0;                                            /* SQLite does not keep the sign of a zero */
    memcpy(&bits, &real, sizeof bits);
    put_number(hash, SQLITE_FLOAT, bits);
}

void value_hash_bytes(struct value_hash *hash, int type, struct slice bytes)
{
    put_number(hash, type, bytes.len);
    put(hash, bytes.at, bytes.len);
}

void value_hash_text(struct value_hash *hash, struct slice text) { value_hash_bytes(hash, SQLITE_TEXT, text); }

void value_hash_end(struct value_hash *hash, char out[33])
{
    XXH128_hash_t sum;

    XXH3_128bits_update(hash->hash, hash->buffer, hash->used);
    sum = XXH3_128bits_digest(hash->hash);
    value_hash_drop(hash);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)sum.high64, (unsigned long long)sum.low64);
}

void value_hash_drop(struct value_hash *hash)
{
    XXH3_freeState(hash->hash);
    hash->hash = NULL;
}
