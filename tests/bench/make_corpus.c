/* Writes a corpus of any size whose duplicates are known, for the growth rows of `make bench`.
 *
 *   make_corpus DOCUMENTS SEED SHARDS DIR [MEMBERS]
 *
 * DIR/part-NNNN.jsonl.zst hold records {id, text, path, repo, stars, cluster}; documents of one `cluster` were made
 * from one prototype. Skewed like code: lengths are log-normal (a median of 60 words, some of 5,000, some too short for
 * a shingle), words Zipf-like, cluster sizes a power law up to one document in 500.  Four documents in ten are copies:
 * of their prototype, or of one of its variants, which are edited to a Jaccard index of word 5-grams of 0.5 to 1.  A
 * cluster of s documents has about 3 sqrt(s) variants, so that large ones are mostly exact copies.
 *
 * With MEMBERS no document is alone: all are short, in clusters of so many that are exact copies of three near ones.
 *
 * Every document follows from the seed and its number by integers alone: any machine and any number of threads writes
 * the same records. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum {
    OCTAVES = 18, VOCABULARY = 1 << OCTAVES, SYLLABLES = 64, WORD_ROOM = 12,
    MEDIAN = 60, LONGEST = 5000, SHINGLE = 5, LINE_WORDS = 9,
    COPIES_PERCENT = 40, LARGEST_SHARE = 500,
    SHORT = 24, NEAR_ONES = 3,                              /* with MEMBERS */
};

struct random { uint64_t state; };

static uint64_t mix(uint64_t x)                             /* the finaliser of splitmix64 */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static struct random random_of(uint64_t seed, uint64_t a, uint64_t b)
{
    return (struct random){ mix(mix(mix(seed) + a) + b) };
}

static uint64_t random_next(struct random *r) { return mix(r->state += 0x9e3779b97f4a7c15ull); }

static uint32_t random_below(struct random *r, uint32_t below)
{
    return (uint32_t)((random_next(r) >> 32) * below >> 32);
}

/* ---- words ---- */

/* with what separates it from the next; a word of n syllables has a rank below 64^n */
struct word { char text[WORD_ROOM]; uint8_t len; };

static struct word *vocabulary;

static int vocabulary_make(void)
{
    static const char *const separators[16] = { " ", " ", " ", " ", " ", ".", "(", ") ", ", ", " = ", "[", "] ", "; ",
                                                " + ", "->", ": " };

    vocabulary = malloc(VOCABULARY * sizeof *vocabulary);
    if (!vocabulary) return -1;
    for (uint32_t rank = 0; rank < VOCABULARY; rank++) {
        struct word *word = &vocabulary[rank];
        uint32_t     rest = rank;
        char         text[32];
        int          len = 0;

        do {
            text[len++] = "bcdfghklmnprstvz"[rest % SYLLABLES / 4];
            text[len++] = "aeio"[rest % 4];
            rest /= SYLLABLES;
        } while (rest);
        if (rank % 5 == 0) text[len++] = '_';
        word->len = (uint8_t)(len + snprintf(text + len, sizeof text - (size_t)len, "%s", separators[mix(rank) % 16]));
        memcpy(word->text, text, WORD_ROOM);
    }
    return 0;
}

/* Log-uniform ranks: the word of rank r comes about as often as 1/r. */
static uint32_t word_draw(struct random *r)
{
    uint32_t octave = random_below(r, OCTAVES);

    return (1u << octave) + random_below(r, 1u << octave) - 1;
}

/* ---- documents ---- */

/* round(65536 * 2^(i/16)) */
static const uint32_t power_of_two[16] = { 65536,  68438,  71468,  74632,  77936,  81386,  84990,  88752,
                                           92682,  96785,  101070, 105545, 110218, 115098, 120194, 125515 };

/* The sum of twelve uniform numbers is near normal; its standard deviation, 37, becomes 18 sixteenths of an octave. */
static uint32_t length_draw(struct random *r)
{
    int32_t  sixteenths = 0, octave;
    uint64_t length;

    if (random_below(r, 50) == 0) return random_below(r, SHINGLE);
    for (int i = 0; i < 12; i++) sixteenths += (int32_t)random_below(r, 37) - 18;
    sixteenths = sixteenths * 18 / 37;
    if (random_below(r, 500) == 0) sixteenths += 48;        /* generated code */
    octave = (sixteenths + 1600) / 16 - 100;
    length = (uint64_t)MEDIAN * power_of_two[(sixteenths + 1600) % 16];
    length = octave < 0 ? length >> (16 - octave) : (length << octave) >> 16;
    return length > LONGEST ? LONGEST : (uint32_t)length;
}

/* A word is replaced, inserted or deleted: five shingles go and about five come. */
static uint32_t edit(struct random *r, uint32_t *word, uint32_t count)
{
    uint32_t at = random_below(r, count + 1), kind = random_below(r, 3);

    if (kind == 0 && count < LONGEST) {
        memmove(word + at + 1, word + at, (count - at) * sizeof *word);
        word[at] = word_draw(r);
        return count + 1;
    }
    if (at == count) return count;
    if (kind == 1) {
        memmove(word + at, word + at + 1, (count - at - 1) * sizeof *word);
        return count - 1;
    }
    word[at] = word_draw(r);
    return count;
}

/* Words of a variant of a cluster; variant 0 is the prototype.  Returns their number. */
static uint32_t variant_make(uint64_t seed, uint64_t cluster, uint64_t variant, uint32_t word[LONGEST])
{
    struct random r = random_of(seed, 2 * cluster, 0);
    uint32_t      count = length_draw(&r);

    for (uint32_t i = 0; i < count; i++) word[i] = word_draw(&r);
    if (variant) {
        r = random_of(seed, 2 * cluster, variant);
        uint32_t jaccard = 500 + random_below(&r, 500),
            edits = 1 + count * (1000 - jaccard) / (SHINGLE * (1000 + jaccard));

        while (edits--) count = edit(&r, word, count);
    }
    return count;
}

/* Words of a member where all clusters have as many: the last one tells the near ones apart. */
static uint32_t member_make(uint64_t seed, uint64_t cluster, uint64_t member, uint32_t word[LONGEST])
{
    struct random r = random_of(seed, 2 * cluster, 0);

    for (uint32_t i = 0; i < SHORT; i++) word[i] = word_draw(&r);
    word[SHORT - 1] = (word[SHORT - 1] + (uint32_t)(member % NEAR_ONES)) % VOCABULARY;
    return SHORT;
}

/* ---- clusters ---- */

/* Places 0 .. documents-1 hold the clusters one after the other, first those of two documents and more, then the single
 * ones.  members: of every cluster; 0: as told above. */
struct layout { uint64_t documents, seed, members, *first, clusters; };     /* first[clusters + 1] */

static int layout_make(struct layout *out, uint64_t documents, uint64_t seed)
{
    struct random r = random_of(seed, 1, 0);
    uint64_t      copies = documents * COPIES_PERCENT / 100, largest = documents / LARGEST_SHARE + 2, at = 0;

    *out = (struct layout){ .documents = documents, .seed = seed, .first = malloc((copies + 1) * sizeof *out->first) };
    if (!out->first) return -1;
    while (copies) {                                        /* P(size > s) = 1/s */
        uint64_t size = 1 + (1ull << 32) / (1 + (random_next(&r) >> 32));

        if (size > largest) size = largest;
        if (size > copies + 1) size = copies + 1;
        if (size < 2) size = 2;
        out->first[out->clusters++] = at;
        at += size;
        copies -= size - 1;
    }
    out->first[out->clusters] = at;
    return 0;
}

static uint64_t layout_cluster(const struct layout *layout, uint64_t place, uint64_t *member, uint64_t *size)
{
    uint64_t low = 0, high = layout->clusters;

    if (layout->members) {
        *member = place % layout->members, *size = layout->members;
        return place / layout->members;
    }
    *member = 0, *size = 1;
    if (place >= layout->first[layout->clusters]) return layout->clusters + place - layout->first[layout->clusters];
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;

        if (layout->first[middle] <= place) low = middle;
        else high = middle;
    }
    *member = place - layout->first[low];
    *size = layout->first[low + 1] - layout->first[low];
    return low;
}

/* A permutation of 0 .. documents-1: four Feistel rounds over the next even power of two, repeated until the outcome is
 * in range. */
static uint64_t layout_place(const struct layout *layout, uint64_t number)
{
    unsigned half = 1;

    while (half < 32 && (1ull << 2 * half) < layout->documents) half++;
    do {
        uint64_t left = number >> half, right = number & ((1ull << half) - 1);

        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = left ^ (random_of(layout->seed, right, round).state & ((1ull << half) - 1));

            left = right;
            right = next;
        }
        number = left << half | right;
    } while (number >= layout->documents);
    return number;
}

/* ---- shards ---- */

static size_t record_make(const struct layout *layout, uint64_t number, uint32_t *word, char *out)
{
    uint64_t      member, size, root = 1, cluster = layout_cluster(layout, layout_place(layout, number), &member,
                                                                   &size);
    struct random r = random_of(layout->seed, 2 * number + 1, 0);
    uint64_t      variant = 0;
    uint32_t      count;
    char         *at = out;

    while (root * root < size) root++;
    if (member) variant = random_next(&r) % (3 * root + 1);
    count = layout->members ? member_make(layout->seed, cluster, member, word)
        : variant_make(layout->seed, cluster, variant, word);
    at += sprintf(at, "{\"id\": %llu, \"path\": \"src/%c/%llu.py\", \"repo\": \"org-%u/r%u\", \"stars\": %u, "
                      "\"cluster\": %llu, \"text\": \"",
                  (unsigned long long)number, "abcdefgh"[random_below(&r, 8)], (unsigned long long)number,
                      random_below(&r, 5000), random_below(&r, 40),
                  (1u << random_below(&r, 16)) - 1, (unsigned long long)cluster);
    for (uint32_t i = 0; i < count; i++) {
        const struct word *w = &vocabulary[word[i]];

        memcpy(at, w->text, WORD_ROOM);
        at += w->len;
        if (i % LINE_WORDS == LINE_WORDS - 1) *at++ = '\\', *at++ = 'n';
    }
    memcpy(at, "\"}\n", 3);
    return (size_t)(at + 3 - out);
}

static bool pack(ZSTD_CCtx *packer, FILE *file, const char *text, size_t len, ZSTD_EndDirective end, char *room,
                 size_t room_size)
{
    ZSTD_inBuffer in = { text, len, 0 };
    size_t        left;

    do {
        ZSTD_outBuffer out = { room, room_size, 0 };

        left = ZSTD_compressStream2(packer, &out, &in, end);
        if (ZSTD_isError(left) || fwrite(room, 1, out.pos, file) != out.pos) return false;
    } while (end == ZSTD_e_end ? left > 0 : in.pos < in.size);
    return true;
}

static int shard_write(const struct layout *layout, const char *path, uint64_t from, uint64_t to)
{
    enum { ROOM = 1 << 20, RECORD_ROOM = (WORD_ROOM + 2) * LONGEST + 512 };
    uint32_t  *word = malloc((LONGEST + 1) * sizeof *word);
    char      *text = malloc(ROOM + RECORD_ROOM), *room = malloc(ROOM);
    ZSTD_CCtx *packer = ZSTD_createCCtx();
    FILE      *file = fopen(path, "wb");
    size_t     len = 0;
    bool       good = word && text && room && packer && file &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, 1));

    for (uint64_t number = from; good && number < to; number++) {
        len += record_make(layout, number, word, text + len);
        if (len < ROOM && number + 1 < to) continue;
        good = pack(packer, file, text, len, ZSTD_e_continue, room, ROOM);
        len = 0;
    }
    good = good && pack(packer, file, text, 0, ZSTD_e_end, room, ROOM);
    if (file && fclose(file) != 0) good = false;
    if (!good) fprintf(stderr, "make_corpus: cannot write %s\n", path);
    ZSTD_freeCCtx(packer);
    free(word);
    free(text);
    free(room);
    return good ? 0 : -1;
}

int main(int argc, char **argv)
{
    const bool    told = argc == 5 || argc == 6;
    uint64_t      documents = told ? strtoull(argv[1], NULL, 10) : 0, seed = told ? strtoull(argv[2], NULL, 10) : 0;
    unsigned      shards = told ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    struct layout layout;
    int           failed = 0;

    if (documents == 0 || shards == 0 || shards > 9999) {
        fprintf(stderr, "usage: make_corpus DOCUMENTS SEED SHARDS DIR [MEMBERS]\n");
        return 2;
    }
    if (vocabulary_make() < 0 || layout_make(&layout, documents, seed) < 0) {
        fprintf(stderr, "make_corpus: out of memory\n");
        return 1;
    }
    layout.members = argc == 6 ? strtoull(argv[5], NULL, 10) : 0;
#pragma omp parallel for schedule(dynamic) reduction(| : failed)
    for (unsigned s = 0; s < shards; s++) {
        char path[4096];

        if (snprintf(path, sizeof path, "%s/part-%04u.jsonl.zst", argv[4], s) >= (int)sizeof path) failed |= 1;
        else failed |= shard_write(&layout, path, documents * s / shards, documents * (s + 1) / shards) < 0;
    }
    free(layout.first);
    free(vocabulary);
    return failed;
}
