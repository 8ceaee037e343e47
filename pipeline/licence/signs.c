/* licence/signs.c -- see signs.h.  The text is read as symbols: letters without case, digits alike, all between words
 * as one; five of them, what is before a word first, are a key, and the keys of signs are known.  A sign is how a word
 * begins that each name, and some phrase of each text, has (licence_signs): a table knows its first four symbols, and
 * the few words that begin so are held against the signs themselves.  Where words begin is told by sets of bytes, 64
 * bytes at once; of most words three bytes say that they begin as no sign does. */
#include "licence/signs.h"

#include "licence/table.h"

#include "kernels/kernels.h"

#include <pthread.h>

enum {
    BETWEEN = 0, DIGIT = 27, SYMBOLS = 28, SYMBOL_BITS = 5, KEY_SYMBOLS = 5, SLOTS = 4096, NO_KEY = 0xffffffff,
    SYMBOL_MASK = (1 << SYMBOL_BITS) - 1, THREE = 1 << 3 * SYMBOL_BITS,
    BLOCK = 64, BLOCKS = 32,                                /* bytes that are looked at together, and how often */
};

static pthread_once_t made = PTHREAD_ONCE_INIT;
static unsigned char  symbols[256];                         /* of bytes */
static uint32_t       slots[SLOTS];                         /* open addressing; NO_KEY: free */
static uint64_t       threes[THREE / 64];                   /* first three symbols of words, as they stand */
static size_t         first_sign[SYMBOLS + 1];              /* of those that begin with a symbol; they are sorted */
static struct byteset letters, escape;

/* The slot of the key, or the free one where it would be. */
static size_t slot_of(uint32_t key)
{
    size_t i = (uint32_t)(key * UINT32_C(0x9e3779b1)) % SLOTS;

    while (slots[i] != key && slots[i] != NO_KEY) i = (i + 1) % SLOTS;
    return i;
}

static void add_key(uint32_t key)
{
    const uint32_t three = key >> SYMBOL_BITS & (THREE - 1);

    slots[slot_of(key)] = key;
    threes[three / 64] |= UINT64_C(1) << three % 64;
    if ((three >> SYMBOL_BITS & SYMBOL_MASK) != BETWEEN) return;
    /* what is between words may go on */
    for (uint32_t any = three & ~(uint32_t)SYMBOL_MASK; any <= (three | SYMBOL_MASK); any++)
        threes[any / 64] |= UINT64_C(1) << any % 64;
}

/* Every key that begins with these symbols and goes on as the sign does.  A sign shorter than a key has any symbols
 * behind it. */
static void add_keys(uint32_t key, int len, const char *sign)
{
    if (len == KEY_SYMBOLS) {
        add_key(key);
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
    for (int c = 'a'; c <= 'z'; c++) {
        byteset_add(&letters, (unsigned char)c);
        byteset_add(&letters, (unsigned char)(c - 'a' + 'A'));
    }
    byteset_add(&escape, '\\');
    for (int c = '0'; c <= '9'; c++) symbols[c] = DIGIT;
    for (size_t i = 0; i < SLOTS; i++) slots[i] = NO_KEY;
    for (size_t i = 0; i < licence_sign_count; i++) {
        add_keys(BETWEEN, 1, licence_signs[i]);
        for (int s = symbols[(unsigned char)licence_signs[i][0]] + 1; s <= SYMBOLS; s++) first_sign[s] = i + 1;
    }
}

/* As words.c reads them, an escape's letter belongs to no word. */
static inline bool is_escape(char c) { return c == 'n' || c == 'r' || c == 't'; }

/* Behind the text there is nothing but what is between words. */
static inline uint32_t symbol_at(struct slice text, size_t i)
{
    return i < text.len ? symbols[(unsigned char)text.at[i]] : BETWEEN;
}

/* Does the text go on from i, where a word begins, as the sign does?  What is between two of its words ends with a line
 * where a mark of comments may follow, which is no word: that is left to those who read words. */
static bool goes_on(struct slice text, size_t i, const char *sign)
{
    for (size_t s = 0; sign[s]; s++) {
        const uint32_t symbol = symbol_at(text, i);

        if (sign[s] != ' ' || symbol == DIGIT) {
            if (sign[s] == ' ' ? symbol != DIGIT : symbol != symbols[(unsigned char)sign[s]]) return false;
            i++;
            continue;
        }
        if (symbol != BETWEEN) return false;
        for (; i < text.len && symbol_at(text, i) == BETWEEN; i++) {
            if (text.at[i] == '\n' && s >= KEY_SYMBOLS - 1 && sign[s + 1]) return true;
            if (i + 1 < text.len && text.at[i] == '\\' && is_escape(text.at[i + 1])) i++;
        }
    }
    return true;
}

static bool begins_sign(struct slice text, size_t i)
{
    const uint32_t first = symbol_at(text, i);

    for (size_t s = first_sign[first]; s < first_sign[first + 1]; s++)
        if (goes_on(text, i, licence_signs[s])) return true;
    return false;
}

/* Does the word at i begin as a sign does? */
static bool is_sign(struct slice text, size_t i)
{
    const uint32_t three = (symbol_at(text, i) << SYMBOL_BITS | symbol_at(text, i + 1)) << SYMBOL_BITS |
        symbol_at(text, i + 2);
    const size_t   begin = i;
    uint32_t       key = BETWEEN, last = BETWEEN;

    if (!(threes[three / 64] >> three % 64 & 1)) return false;
    for (int count = 1; count < KEY_SYMBOLS; i++) {
        const uint32_t symbol = symbol_at(text, i);

        if (symbol | last || i >= text.len) {
            key = key << SYMBOL_BITS | symbol;
            last = symbol;
            count++;
        }
        if (i + 1 < text.len && text.at[i] == '\\' && is_escape(text.at[i + 1])) i++;
    }
    return slots[slot_of(key)] == key && begins_sign(text, begin);
}

/* What is known of the byte before a block: bits that are shifted into it. */
struct before { uint64_t letter, escape; };

/* Where words begin in a block, whose letters and backslashes are known: a bit a byte. */
static uint64_t words_begin(uint64_t letter, uint64_t backslash, const char *block, struct before *before)
{
    uint64_t behind = (backslash << 1 | before->escape) & letter, begin;

    for (; behind; behind &= behind - 1) {
        const int i = __builtin_ctzll(behind);

        if (is_escape(block[i])) letter &= ~(UINT64_C(1) << i);
    }
    begin = letter & ~(letter << 1 | before->letter);
    *before = (struct before){ letter >> (BLOCK - 1), backslash >> (BLOCK - 1) };
    return begin;
}

bool licence_may_name(struct slice text)
{
    struct before before = { 0, 0 };
    uint64_t      letter[BLOCKS], backslash[BLOCKS];

    pthread_once(&made, make);
    for (size_t from = 0; from < text.len; from += BLOCKS * BLOCK) {
        const size_t len = text.len - from < BLOCKS * BLOCK ? text.len - from : BLOCKS * BLOCK;

        kernels->classify(letter, backslash, &letters, &escape, text.at + from, len);
        for (size_t at = 0; at < len; at += BLOCK) {
            const size_t block = from + at;
            uint64_t     begin = words_begin(letter[at / BLOCK], backslash[at / BLOCK], text.at + block, &before);

            for (; begin; begin &= begin - 1)
                if (is_sign(text, block + (size_t)__builtin_ctzll(begin))) return true;
        }
    }
    return false;
}
