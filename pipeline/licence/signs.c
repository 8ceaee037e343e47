/* licence/signs.c -- see signs.h.  The text is read as symbols: letters without case, digits alike, all between words
 * as one; the last five are a key, and the keys of signs are known.  A sign (licence_signs) is how a word begins that
 * each name, and some phrase of each text, has: up to four symbols behind the end of another word. */
#include "licence/signs.h"

#include "licence/table.h"

#include <pthread.h>

enum {
    BETWEEN = 0, DIGIT = 27, SYMBOLS = 28, SYMBOL_BITS = 5, KEY_SYMBOLS = 5, KEY_MASK = (1 << 25) - 1,
    FILTER_BITS = 15, SLOTS = 4096, NO_KEY = 0xffffffff,
};

static pthread_once_t made = PTHREAD_ONCE_INIT;
static unsigned char  symbols[256];                         /* of bytes */
static uint32_t       slots[SLOTS];                         /* open addressing; NO_KEY: free */
static uint64_t       filter[(1 << FILTER_BITS) / 64];

static uint32_t hash(uint32_t key) { return key * UINT32_C(0x9e3779b1); }

/* The slot of the key, or the free one where it would be. */
static size_t slot_of(uint32_t key)
{
    size_t i = hash(key) % SLOTS;

    while (slots[i] != key && slots[i] != NO_KEY) i = (i + 1) % SLOTS;
    return i;
}

/* Every key that begins with these symbols and goes on as the sign does.  A sign shorter than a key has any symbols
 * behind it. */
static void add_keys(uint32_t key, int len, const char *sign)
{
    if (len == KEY_SYMBOLS) {
        const uint32_t bit = hash(key) >> (32 - FILTER_BITS);

        slots[slot_of(key)] = key;
        filter[bit / 64] |= UINT64_C(1) << bit % 64;
        return;
    }
    for (uint32_t s = 0; s < SYMBOLS; s++) {
        const bool end_of_word = s == BETWEEN || s == DIGIT;

        if (!*sign || (*sign == ' ' ? end_of_word : s == symbols[(unsigned char)*sign]))
            add_keys(key << SYMBOL_BITS | s, len + 1, *sign ? sign + 1 : sign);
    }
}

static void make(void)
{
    for (int c = 'a'; c <= 'z'; c++) symbols[c] = symbols[c - 'a' + 'A'] = (unsigned char)(c - 'a' + 1);
    for (int c = '0'; c <= '9'; c++) symbols[c] = DIGIT;
    for (size_t i = 0; i < SLOTS; i++) slots[i] = NO_KEY;
    for (size_t i = 0; i < licence_sign_count; i++) {
        add_keys(BETWEEN, 1, licence_signs[i]);
        add_keys(DIGIT, 1, licence_signs[i]);
    }
}

static inline bool is_key(uint32_t key)
{
    const uint32_t bit = hash(key) >> (32 - FILTER_BITS);

    return (filter[bit / 64] >> bit % 64 & 1) && slots[slot_of(key)] == key;
}

bool licence_may_name(struct slice text)
{
    uint32_t key = BETWEEN, last = BETWEEN;

    pthread_once(&made, make);
    for (size_t i = 0; i < text.len; i++) {
        const uint32_t symbol = symbols[(unsigned char)text.at[i]];

        /* Nothing is shifted behind what is between words already: the key waits for one shift and one `or` a byte. */
        key = key << (symbol | last ? SYMBOL_BITS : 0) | symbol;
        last = symbol;
        if (is_key(key & KEY_MASK)) return true;
        /* As words.c reads them, an escape's letter belongs to no word. */
        if (text.at[i] == '\\' && i + 1 < text.len && memchr("nrt", text.at[i + 1], 3)) i++;
    }
    /* Behind the last word there may be fewer symbols than a key has. */
    for (int i = 0; i < KEY_SYMBOLS; i++) {
        key = key << SYMBOL_BITS | BETWEEN;
        if (is_key(key & KEY_MASK)) return true;
    }
    return false;
}
